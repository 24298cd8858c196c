"""The commands, and which line is one.

A line that is exactly a command's word is that command, whatever is being asked. While a question is open anything
else is its answer, except that a command with an argument that fits (`goto heads`, `why a[0,2]`) stays a command.
Beginnings of words count only while nothing is asked, so that no answer can be taken for one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tui_attention.engine.errors import BadInput
from tui_attention.lessons.load import names
from tui_attention.plain.narration import terms
from tui_attention.walk.walk import Walk

Takes = Literal["", "cells", "names", "place", "dial", "lesson", "word", "all"]
Asked = Literal["nothing", "number", "sentence", "mark"]
NAMES = re.compile(r"\w+(?:\s*\[[^\[\]]*\])*")


@dataclass(frozen=True, slots=True)
class Word:
    """A command. `takes` is the kind of its argument, empty for none; `form` shows it, with names of `Examples`."""

    name: str
    says: str
    takes: Takes = ""
    form: str = ""


WORDS = (
    Word("next", "one step on; a question left open may be answered later"),
    Word("back", "one step back"),
    Word("goto", "to a stage, or to the step that makes a cell", "place", "goto {stage}, goto 2, goto {cell}"),
    Word("again", "read this step once more, from its beginning"),
    Word("values", "read the tensors of this step, or those you name", "names", "values {tensor} {cell}"),
    Word("why", "where a number comes from: its pencil line and what it reads", "cells", "why {cell}"),
    Word("hint", "a hint to the question, each time a stronger one; the last is the number", "cells", "hint"),
    Word("reveal", "read the answer out; the number is then borrowed, not paid", "cells", "reveal"),
    Word("keep", "go on with your own number, after it has been explained"),
    Word("cover", "cover or uncover all numbers"),
    Word("turn", "turn a dial, a number of an input table", "dial", "turn {dial} 0.5"),
    Word("undo", "take the last turn back"),
    Word("digits", "read numbers as printed, as a pencil gets them, or with all digits"),
    Word("glossary", "plain names and standard names", "word", "glossary query"),
    Word("lessons", "the lessons; with a name, go over to that one", "lesson", "lessons {lesson}"),
    Word("checks", "the questions of this stage; checks all: of the lesson", "all", "checks all"),
    Word("where", "where you are and what is paid"),
    Word("help", "this list"),
    Word("quit", "leave; what you did is kept"),
)
BY_NAME = {word.name: word for word in WORDS} | {
    alias: word for word in WORDS for alias in {"again": ("repeat",), "help": ("?",)}.get(word.name, ())
}


def command(line: str, asked: Asked, walk: Walk) -> tuple[Word, str] | None:
    """The command that a line is, with its argument; None for an answer. Raises BadInput for an unclear beginning."""
    stripped = line.strip()
    word = BY_NAME.get(stripped.casefold())
    if word is not None:
        return word, ""
    first, _, rest = stripped.partition(" ")
    word = BY_NAME.get(first.casefold())
    if word is not None and word.takes and (asked in ("nothing", "number") or fits(word, rest.strip(), walk)):
        return word, rest.strip()
    if asked == "nothing" and stripped.isascii() and stripped.isalpha() and stripped not in walk.run.graph.names():
        return _begun(stripped.casefold())
    return None


def _begun(start: str) -> tuple[Word, str] | None:
    found = list(dict.fromkeys(word for name, word in BY_NAME.items() if name.startswith(start)))
    if len(found) > 1:
        raise BadInput(f"{start} may be {' or '.join(word.name for word in found)}; type more of it")
    return (found[0], "") if found else None


def fits(word: Word, rest: str, walk: Walk) -> bool:
    """Whether an argument is one that the command could take in this lesson."""
    graph = walk.run.graph
    match word.takes:
        case "cells":
            return _located(walk, rest)
        case "names":
            parts = split(rest)
            return bool(parts) and all(part in graph.names() or _located(walk, part) for part in parts)
        case "place":
            stages = [
                text for n, stage in enumerate(walk.stages) for text in (stage.id, stage.title, walk.stage_number(n))
            ]
            return rest.casefold() in map(str.casefold, stages) or rest in graph.names() or _located(walk, rest)
        case "dial":
            return _located(walk, rest.rpartition(" ")[0])
        case "lesson":
            return rest in names()
        case "word":
            return bool(terms(lambda text: rest.casefold() in text))
        case "all":
            return rest == "all"
        case _:
            return False


def split(rest: str) -> Sequence[str]:
    """Names and addresses in a line: `x0 q[0, 2]` -> `x0`, `q[0, 2]`; empty where there is anything else."""
    found = NAMES.findall(rest)
    left = NAMES.sub("", rest).replace(",", " ").strip()
    return () if left else found


def _located(walk: Walk, text: str) -> bool:
    try:
        walk.run.graph.locate(text)
    except BadInput:
        return False
    return True

"""Which line is a command, and which one an answer.

A line that is exactly a command's word is that command, whatever is being asked. While a question is open anything
else is its answer, except that a command with an argument that fits (`goto heads`, `why a[0,2]`) stays a command.
Beginnings of words count only while nothing is asked, so that no answer can be taken for one.
"""

from __future__ import annotations

from tui_attention.engine.errors import BadInput
from tui_attention.interaction.command import Command
from tui_attention.interaction.commands import BY_WORD
from tui_attention.interaction.controller import AskedKind
from tui_attention.interaction.typed import dial_and_number, split_names
from tui_attention.lessons.load import names
from tui_attention.plain.narration import terms
from tui_attention.walk.visible import VisibleLesson


def command(line: str, asked: AskedKind, visible: VisibleLesson) -> tuple[Command, str] | None:
    """The command that a line is, with its argument; None for an answer. Raises BadInput for an unclear beginning."""
    stripped = line.strip()
    word = BY_WORD.get(stripped.casefold())
    if word is not None:
        return word, ""
    first, _, rest = stripped.partition(" ")
    word = BY_WORD.get(first.casefold())
    takes = word is not None and word.argument.takes
    if word is not None and takes and (asked in ("nothing", "number") or fits(word, rest.strip(), visible)):
        return word, rest.strip()
    if asked == "nothing" and stripped.isascii() and stripped.isalpha() and stripped not in visible.names():
        return _begun(stripped.casefold())
    return None


def _begun(start: str) -> tuple[Command, str] | None:
    found = list(dict.fromkeys(word for name, word in BY_WORD.items() if name.startswith(start)))
    if len(found) > 1:
        raise BadInput(f"{start} may be {' or '.join(word.word for word in found)}; type more of it")
    return (found[0], "") if found else None


def fits(word: Command, rest: str, visible: VisibleLesson) -> bool:
    """Whether an argument is one that the command could take in this lesson."""
    match word.argument.takes:
        case "cell":
            return _located(visible, rest)
        case "names":
            parts = split_names(rest)
            return bool(parts) and all(part in visible.names() or _located(visible, part) for part in parts)
        case "place":
            stages = [text for stage in visible.outline() for text in (stage.id, stage.title, stage.number)]
            return rest.casefold() in map(str.casefold, stages) or rest in visible.names() or _located(visible, rest)
        case "dial":
            return _located(visible, dial_and_number(rest)[0])
        case "lesson":
            return rest in names()
        case "word":
            return bool(terms(visible, lambda text: rest.casefold() in text))
        case "all":
            return rest == "all"
        case _:
            return False


def _located(visible: VisibleLesson, text: str) -> bool:
    try:
        visible.locate(text)
    except BadInput:
        return False
    return True

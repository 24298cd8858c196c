"""A lesson file to begin with: its tables, a stage for each product that they allow, all that lint asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tui_attention.engine.errors import BadInput
from tui_attention.engine.formula import NAME
from tui_attention.engine.ops import OPERATIONS, PLAIN_NAMES

MOST_SIDE = 64
_SIZE = re.compile(r"([A-Za-z_]\w*)=(\d{1,4})(?:x(\d{1,4}))?", re.ASCII)
Shape = tuple[int, ...]


def shapes(text: str) -> dict[str, Shape]:
    """`X=3x4,Wq=4x4,b=4` as shapes by name. Raises BadInput."""
    found: dict[str, Shape] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        match = _SIZE.fullmatch(part)
        sizes = tuple(int(size) for size in match.groups()[1:] if size) if match else ()
        if not match or not all(1 <= size <= MOST_SIDE for size in sizes):
            wanted = f"X=3x4 (rows x columns, {MOST_SIDE} at most)"
            raise BadInput(f"--tables: {part[:40]!r} is no table; {wanted} was expected")
        name = match[1]
        if name in found or not NAME.fullmatch(name) or name in OPERATIONS or name in PLAIN_NAMES:
            raise BadInput(f"--tables: {name[:40]!r} stands twice, or is the name of an operation")
        found[name] = sizes
    if not found:
        raise BadInput("--tables: at least one table was expected, as in X=3x4")
    return found


def skeleton(lesson: str, tokens: str, tables: Mapping[str, Shape]) -> str:
    """The text of a lesson file that passes lint. Raises BadInput where no step can be made of the tables."""
    words = tokens.split()
    made = _Steps(words, tables)
    steps = made.made
    title = lesson.replace("-", " ")
    head = [f'format = 1\nid = "{lesson}"\ntitle = "{title}"\nsummary = "one line for the list of lessons"']
    if words:
        marks = ", ".join(f'"{word}"' for word in dict.fromkeys(words))
        most = max(len(words), 1)
        head.append(f'\n[vocabulary]\nmarks = [{marks}]\nsplit = "words"\nmost = {most}')
        head.append(f'\n[inputs]\nprompt = "{" ".join(words)}"')
    head.append("\n[defaults.results]     # decimals where a result says none of its own\nprints = 2\nasks = 2")
    return "\n".join([*head, *_tables(words, tables, made.along), *_stages(steps), *_expect(steps)]) + "\n"


def _tables(words: Sequence[str], tables: Mapping[str, Shape], along: Mapping[str, str]) -> Iterator[str]:
    """Tables of small made-up numbers, to be replaced by the author's."""
    distinct = list(dict.fromkeys(words))
    random = np.random.default_rng(0)
    for name, shape in tables.items():
        values = random.integers(-9, 10, shape) / 10
        rows = [values.tolist()] if len(shape) == 1 else values.tolist()
        lines = [f"  [{', '.join(f'{number:.1f}' for number in row)}]," for row in rows]
        yield f'\n[tables.{name}]\ntitle = "plain name of {name}"'
        if len(shape) == 1:
            yield f'axes = ["{along.get(name, "column of " + name)}"]\nvalues = {lines[0].strip().rstrip(",")}'
            continue
        yield f'axes = ["row of {name}", "column of {name}"]'
        if len(distinct) == shape[0] and words:
            yield _labels(distinct)
        yield "values = [\n" + "\n".join(lines) + "\n]"


def _labels(words: Sequence[str]) -> str:
    return "rows = [" + ", ".join(f'"{word}"' for word in words) + "]"


@dataclass(frozen=True, slots=True)
class _Made:
    """A step of the skeleton; `along` is what its last axis counts."""

    name: str
    formula: str
    caption: str
    shape: Shape
    along: str

    @property
    def cell(self) -> str:
        return f"{self.name}[{','.join('0' for _ in self.shape)}]" if self.shape else self.name


class _Steps:
    """Steps that read every table, each product as soon as there are rows of its width."""

    def __init__(self, words: Sequence[str], tables: Mapping[str, Shape]) -> None:
        self.made: list[_Made] = []
        self.along: dict[str, str] = {}
        self.taken = {*tables, "prompt", "other", "ticket", *OPERATIONS, *PLAIN_NAMES}
        distinct = len(dict.fromkeys(words))
        for name, shape in tables.items():
            if len(shape) == 2 and not self.made and (not words or shape[0] in (len(words), distinct)):
                self.first(name, shape, words, distinct)
            else:
                self.table(name, shape)
        self.attention()

    def add(self, wanted: str, formula: str, caption: str, shape: Shape, along: str) -> None:
        name = wanted if NAME.fullmatch(wanted) else f"{wanted}_out"
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        self.made.append(_Made(name, formula, caption, shape, along))

    def first(self, name: str, shape: Shape, words: Sequence[str], distinct: int) -> None:
        along = f"column of {name}"
        if not words:
            self.add("x", f"{name} * 1", "the rows as they are given", shape, along)
            return
        ids = "tokens(prompt)" if shape[0] == distinct else "slots(tokens(prompt))"
        self.add("x", f"{name}[{ids}]", "read each word's row", (len(words), shape[1]), along)

    def table(self, name: str, shape: Shape) -> None:
        after = name[1:].lower()
        wanted = after if name[0] == "W" and NAME.fullmatch(after) else f"{name.lower()}_out"
        rows = [*self.made[:1], *self.made[::-1]]
        row = next((step for step in rows if len(step.shape) == 2 and step.shape[-1] == shape[0]), None)
        if row and len(shape) == 2:
            caption = f"each row of {row.name} down every column of {name}"
            self.add(wanted, f"{row.name} @ {name}", caption, (row.shape[0], shape[1]), f"column of {name}")
        elif row:
            self.along[name] = row.along
            self.add(wanted, f"{row.name} + {name}", f"{name} added to each row of {row.name}", row.shape, row.along)
        else:
            self.add(wanted, f"sum({name})", f"the numbers of {name} added", shape[:-1], f"row of {name}")

    def attention(self) -> None:
        """Scores, shares and a blend, where there are rows to ask with and rows to be asked."""
        by_name = {step.name: step.shape for step in self.made}
        if "q" not in by_name or by_name.get("k") != by_name["q"]:
            return
        rows, width = by_name["q"]
        pairs = "pair, multiply, add, divide by the root of the width"
        self.add("scores", f"q @ k.T / sqrt({width})", pairs, (rows, rows), "other")
        self.add("shares", "softmax(scores)", "shares of each row", (rows, rows), "other")
        if by_name.get("v", (0,))[0] == rows:
            self.add("out", "shares @ v", "blend the rows by the shares", by_name["v"], "column of Wv")


def _stages(steps: Sequence[_Made]) -> Iterator[str]:
    for step in steps:
        yield f'''
[[stage]]
id = "stage-{step.name.replace("_", "-").strip("-")}"
title = "plain name of {step.name}"
wall = """
Say here what goes wrong without this step, in words that need no explaining.
"""
steps = """
{step.name} = {step.formula}     # {step.caption}
"""'''
        if "tokens" in step.formula:
            ask = "Which number stands first in the first row?"
        else:
            ask = f"The first number of {step.name}: {{line {step.cell}}}. What is it?"
        yield f'''
[[stage.check]]
ask = "{ask}"
cell = "{step.cell}"'''


def _expect(steps: Sequence[_Made]) -> Iterator[str]:
    yield f'''
[expect]     # numbers of your source, with their digits: `lint` says where the lesson gives others
# "{steps[-1].cell}" = 0.12'''

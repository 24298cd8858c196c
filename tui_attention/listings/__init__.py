"""Programs that are shown as they are, with the rows that they print: written anew, in plain loops, without numpy.

Nothing of the project is imported here, and nothing here computes what the lessons show.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files

PROGRAMS = ("forward_pass",)
"""The programs that a lesson can show by name."""

HIDDEN = "____"
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ROWS = (
    ("x after token + position", "x0", 2),
    ("first norm mean/spread", "mu1 sigma1", 4),
    ("a", "a", 2),
    ("q", "q", 2),
    ("k", "k", 2),
    ("v", "v", 2),
    ("head scores", "scores", 2),
    ("{count}-token shares", "shares", 2),
    ("attention projection", "y", 2),
    ("after attention add", "x1", 2),
    ("second norm", "b", 2),
    ("wide", "wide", 2),
    ("bend", "bend", 2),
    ("MLP projection", "m", 2),
    ("after block", "x2", 2),
    ("c", "c", 2),
    ("logits", "logits", 2),
    ("greedy next mark", "greedy", 0),
    ("chances", "chances", 3),
    ("cumulative", "cum", 3),
    ("ticket {ticket} picks mark", "drawn", 0),
)
_SEVERAL = frozenset({"mu1 sigma1", "scores", "shares", "greedy", "drawn"})
"""Rows that are printed as numbers side by side, not as one list."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a program is given: the tables by name, as rows of numbers, and the marks' whole numbers.

    `hidden` are the places that the last one does not see; `off` the names of what is left out or done otherwise.
    """

    dials: dict[str, list[list[float]]]
    ids: list[int]
    heads: int
    ticket: str
    hidden: set[int]
    off: frozenset[str]


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """One row that a program prints: its label, its numbers, and the tensors that it must agree with."""

    label: str
    text: str
    tensors: tuple[str, ...]

    def line(self, hidden: bool = False) -> str:
        return f"{self.label}: {HIDDEN if hidden else self.text}"


def source(name: str) -> list[str]:
    """The program as it runs, line by line, from its imports on."""
    text = files(__package__).joinpath(f"{name}.py").read_text(encoding="utf-8")
    lines = text.replace("  # fmt: skip", "").splitlines()
    return lines[lines.index("import math") :]


def run(name: str, given: Given) -> tuple[PrintedRow, ...]:
    """What the program prints for the last place of a prompt.

    With several tokens the score and the share of each head become lists: the last query against every key.
    """
    ids, ticket = given.ids, given.ticket
    forward = import_module(f"{__package__}.{name}").forward
    made = forward(given.dials, ids, given.heads, float(ticket), hidden=given.hidden, off=given.off)
    count = _COUNTS[len(ids)] if len(ids) < len(_COUNTS) else str(len(ids))
    found = []
    for label, tensors, decimals in _ROWS:
        names = tuple(tensors.split())
        rows = [[round(z, decimals) if decimals else int(z) for z in row] for one in names for row in made[one]]
        shown = [str(row[0] if len(row) == 1 else row) for row in rows] if tensors in _SEVERAL else [str(rows[0])]
        found.append(PrintedRow(label.format(count=count, ticket=ticket), " ".join(shown), names))
    return tuple(found)

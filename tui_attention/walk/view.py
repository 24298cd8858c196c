"""What a renderer receives: numbers that may be shown, and marks for the rest. Nothing else reaches it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from tui_attention.engine.decimals import BLANK, printed
from tui_attention.engine.operation import TracedArray
from tui_attention.engine.refs import CellRef
from tui_attention.engine.tensor import Axis, Index, Origin, address
from tui_attention.engine.working import Node, Ref, operands
from tui_attention.lessons.run import LessonRun

if TYPE_CHECKING:
    import numpy.typing as npt

SHOWN, COVERED, UNREACHED = 0, 1, 2
Digits = Literal["printed", "pencil", "all"]
DIGITS: tuple[Digits, ...] = ("printed", "pencil", "all")

COVER = "····"
OWN = "*"
"""Stands behind a number that is the learner's own."""


class PencilLine(NamedTuple):
    """The pencil line of a cell: `left = line = result`, the result blank while it is covered.

    `hand` is what the printed rows give by pencil where that differs from the machine's number, `way` says how:
    "rounding each product" where the same rows, worked exactly, give the machine's. `says` is the sentence of a cell
    that has no pencil line.
    """

    left: str
    line: str
    result: str
    hand: str = ""
    way: str = ""
    says: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """A tensor as it may be shown.

    Of a large table only a window is here: `start` is its first cell, `whole` the shape of all of it; `values` and
    its like are as large as the window. `values` holds NaN and `texts` an empty text wherever `states` is not SHOWN.
    `sources[index]` is the reference of the cell that this cell is: its own, or that of a view's source. `shares`:
    its rows add up to one. `dividers` are the columns at which a head begins, `turned` the cells set by hand.
    `marks`: its whole numbers choose among these. `owns` are the learner's own numbers, marked as such, where they
    are others than what the cell shows. `columns` are those that are shown where they do not stand side by
    side, and `which` says what they are. `heat` is the shade of each number, 0 for none.
    """

    name: str
    title: str
    standard: str
    axes: tuple[Axis, ...]
    origin: Origin
    values: npt.NDArray[np.float64]
    states: npt.NDArray[np.int8]
    texts: npt.NDArray[np.object_]
    sources: npt.NDArray[np.object_]
    decimals: int
    continued_from: int | None = None
    view: bool = False
    shares: bool = False
    dividers: frozenset[int] = frozenset()
    start: Index = ()
    whole: Index = ()
    turned: frozenset[Index] = frozenset()
    marks: tuple[str, ...] = ()
    owns: Mapping[Index, str] = field(default_factory=dict)
    columns: Index = ()
    which: str = ""
    heat: npt.NDArray[np.int8] | None = None

    @property
    def full(self) -> Index:
        """The shape of the whole tensor."""
        return self.whole or self.shape

    def place(self, index: Index) -> Index:
        """Where a cell of what is shown stands in the tensor."""
        if self.columns:
            return (*(at + first for at, first in zip(index[:-1], self.start, strict=False)), self.columns[index[-1]])
        return tuple(at + first for at, first in zip(index, self.start, strict=True)) if self.start else index

    def left_out(self) -> str:
        """`rows 12 to 23 of 64, columns 0 to 17 of 190` where only a part is shown."""
        if not self.start:
            return ""
        names = ("row", "column")[-len(self.shape) :]
        parts = zip(names, self.start[-2:], self.shape[-2:], self.whole[-2:], strict=True)
        told = (
            f"{name}s {first} to {first + size - 1} of {whole:,}" if size > 1 else f"{name} {first} of {whole:,}"
            for name, first, size, whole in parts
            if size < whole and not (self.columns and name == "column")
        )
        return ", ".join(filter(None, (*told, self.which)))

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(int(size) for size in self.values.shape)

    def text(self, index: Index) -> str:
        """The cell's text: its number, the covered mark, or nothing where no step has reached it.

        The learner's own number stands in place of the covered mark, and beside a number that shows.
        """
        state, own = self.states[index], self.owns.get(index, "")
        if state == SHOWN:
            return f"{self.texts[index]} {own}".rstrip()
        return own or COVER if state == COVERED else ""

    def mark(self, index: Index) -> str:
        """The mark that the cell's whole number stands for; empty where it stands for none or may not be shown."""
        return self.marks[int(self.values[index])] if self.marks and self.states[index] == SHOWN else ""

    def address(self, index: Index) -> str:
        return address(self.name, self.place(index))

    def short(self, index: Index) -> str:
        """The address for people: leading axes of length 1 are left out."""
        first = next((place for place, size in enumerate(self.full) if size != 1), len(self.full))
        return address(self.name, self.place(index)[first:])


@dataclass(frozen=True, eq=False, slots=True)
class Picture:
    """The numbers of one part of a plot: NaN where they may not be shown.

    `title` is its label, or the formula that it draws. `prints` is the decimals of its numbers; None: truth values.
    """

    title: str
    values: npt.NDArray[np.float64]
    axes: tuple[Axis, ...]
    hidden: bool
    prints: int | None = 3


def prints_of(traced: TracedArray, otherwise: int) -> int | None:
    """The decimals of a plot's numbers: those of the cells that it shows; `otherwise` where it computes its own."""
    if traced.values.dtype == np.bool_:
        return None
    cells = [node.cell for index in np.ndindex(*traced.shape) if isinstance(node := traced.at(index), Ref)]
    return max((cell.prints for cell in cells if cell.prints is not None), default=otherwise)


def node_shown(node: Node, shown: Callable[[CellRef], bool]) -> bool:
    """Whether every cell that the working reads may be shown."""
    if isinstance(node, Ref):
        return shown(CellRef(node.cell.tensor, node.cell.index))
    return all(shown(CellRef(cell.tensor, cell.index)) for cell in operands(node))


def text_of(run: LessonRun, ref: CellRef, digits: Digits, pencil: Callable[[CellRef], float]) -> str:
    """A cell's text in one of the three ways of showing digits."""
    cell = run.graph.cell(ref.tensor, ref.index)
    tensor = run.graph.tensor(cell.tensor)
    if tensor.truth:
        return "yes" if cell.value else "no"
    if np.isneginf(cell.value):
        return "-inf"
    if digits == "all" and not cell.exact:
        return printed(cell.value, max(6, cell.prints or 0))
    if digits == "pencil" and not cell.exact:
        return printed(pencil(CellRef(cell.tensor, cell.index)), cell.prints)
    return cell.printed


__all__ = [
    "BLANK",
    "COVER",
    "COVERED",
    "DIGITS",
    "SHOWN",
    "UNREACHED",
    "Digits",
    "Picture",
    "View",
    "node_shown",
    "prints_of",
    "text_of",
]

"""Which part of a table is shown, and in which order: some rows and columns around one cell."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from tui_attention.engine.tensor import Axis, Index

if TYPE_CHECKING:
    import numpy.typing as npt

MOST_CELLS = 400
"""A table of so many cells is shown whole."""
ROWS, COLUMNS = 12, 18
"""What is shown of a larger one: a screenful, and three groups of six."""


Shades = Literal["shares", "row", "log"]
SHADES: tuple[Shades, ...] = ("shares", "row", "log")
LEVELS = 5


class Arrangement(NamedTuple):
    """How tables are looked at. `largest`: the columns of a large one by the size of the numbers in the row of the
    cell that it is shown around, the largest first. `shades`: of shares alone, of every number by the largest of its
    row, or a shade for each factor of ten. `without_first`: the first key is left out, where most looks rest.
    """

    largest: bool = False
    shades: Shades = "shares"
    without_first: bool = False


AS_IT_STANDS = Arrangement()


class Window(NamedTuple):
    """A part of a tensor, as wide as it in no axis: `start` is its first cell, `shape` how far it goes.

    `columns` are those of the last axis where they do not stand side by side, `says` what they are. `around` is a
    cell that the same window is shown around.
    """

    start: Index
    shape: Index
    columns: Index = ()
    says: str = ""
    around: Index = ()

    def dividers(self, whole: frozenset[int]) -> frozenset[int]:
        """Of the columns of the whole at which a head begins, those inside, counted from the first that is shown."""
        first, size = self.start[-1], self.shape[-1]
        if self.columns:
            return frozenset()
        return frozenset(place - first for place in whole if first < place < first + size)

    def indices(self) -> product[Index]:
        """The indices of the tensor that are inside."""
        return product(*self._places())

    def _places(self) -> list[Index]:
        found = [tuple(range(at, at + size)) for at, size in zip(self.start, self.shape, strict=True)]
        return [*found[:-1], self.columns] if self.columns else found

    def axes(self, whole: tuple[Axis, ...]) -> tuple[Axis, ...]:
        """The axes with the labels of the part."""
        return tuple(
            replace(axis, labels=tuple(axis.labels[place] for place in places))
            for axis, places in zip(whole, self._places(), strict=True)
        )


def is_large(shape: tuple[int, ...]) -> bool:
    """Whether a tensor is shown in part only."""
    return prod(shape) > MOST_CELLS


def window_of(
    shape: tuple[int, ...], around: Index | None, order: npt.NDArray[np.int64] | None = None, says: str = ""
) -> Window | None:
    """The window around a cell; None for a tensor that is shown whole.

    Windows do not overlap: what the cursor does inside one changes nothing. A row is cut too, and of several matrices
    only the one of the cell is shown. `order` are the columns in another order, or some of them, and `says` which.
    """
    if not is_large(shape):
        if order is None:
            return None
        return Window((0,) * len(shape), (*shape[:-1], len(order)), _tuple(order), says)
    at = tuple(around or ())[: len(shape)]
    at = (*at, *(0,) * (len(shape) - len(at)))
    most = (*(1,) * (len(shape) - 2), ROWS, COLUMNS)[-len(shape) :]
    start, sizes = [], []
    for place, size, whole in zip(at, most, shape, strict=True):
        first = min(max(place, 0), whole - 1) // size * size
        start.append(first)
        sizes.append(min(size, whole - first))
    if order is None:
        return Window(tuple(start), tuple(sizes), around=tuple(start))
    first = max(rank_in(order, at[-1]), 0) // COLUMNS * COLUMNS
    columns = _tuple(order[first : first + COLUMNS])
    told = f"{says} {first + 1} to {first + len(columns)} of {len(order):,}"
    return Window((*start[:-1], 0), (*sizes[:-1], len(columns)), columns, told, (*at[:-1], columns[0]))


def rank_in(order: npt.NDArray[np.int64], column: int) -> int:
    """Where a column stands in an order; -1 where it is left out."""
    found = np.flatnonzero(order == column)
    return int(found[0]) if len(found) else -1


def ordered(
    how: Arrangement, shape: Index, axes: tuple[Axis, ...], values: npt.NDArray[Any], around: Index
) -> tuple[npt.NDArray[np.int64], str] | None:
    """The columns of a tensor as they are arranged, and what they are called; None where they stand as they are."""
    keys = bool(axes) and axes[-1].name in ("key", "asked")
    first = int(how.without_first and keys and shape[-1] > 1)
    if not (how.largest and is_large(shape)):
        return (np.arange(first, shape[-1]), "without key 0") if first else None
    row: Any = values
    for place in (*around, *(0,) * len(shape))[: len(shape) - 1]:
        row = row[place]
    order = by_size(np.asarray(row))
    return order[order >= first], "largest first,"


def by_size(row: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The places of a row, the largest number first, whatever its sign; what is masked comes last."""
    sizes = np.abs(np.asarray(row, np.float64))
    return np.argsort(-np.where(np.isfinite(sizes), sizes, -1.0), kind="stable")


def _tuple(places: npt.NDArray[np.int64]) -> Index:
    return tuple(int(place) for place in places)


def shaded(values: npt.NDArray[np.float64], shades: Shades) -> npt.NDArray[np.int8]:
    """The shade of each number from 1 (faint) to 5; 0 for what is covered or masked.

    `shares`: fifths of the whole. `row`: fifths of the largest of the row. `log`: a shade for each factor of ten,
    counted from the largest.
    """
    sizes = np.where(np.isfinite(values), np.abs(values), np.nan)
    there = np.isfinite(sizes)
    part = sizes
    if shades != "shares":
        axis = -1 if shades == "row" and values.ndim else None
        largest = np.max(np.where(there, sizes, 0.0), axis=axis, keepdims=True, initial=0.0)
        part = sizes / np.where(largest > 0, largest, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        level = 1 + LEVELS + np.floor(np.log10(part)) if shades == "log" else 1 + np.floor(part * LEVELS)
    level = np.clip(np.nan_to_num(level, nan=1.0, neginf=1.0, posinf=LEVELS), 1, LEVELS)
    return np.where(there, level, 0).astype(np.int8)


__all__ = [
    "AS_IT_STANDS", "COLUMNS", "MOST_CELLS", "ROWS", "SHADES", "Arrangement", "Shades", "Window", "by_size",
    "is_large", "ordered", "rank_in", "shaded", "window_of",
]  # fmt: skip

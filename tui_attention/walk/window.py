"""Which part of a large table is shown: some rows and columns around one cell. Nothing outside is looked at."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod
from typing import NamedTuple

from tui_attention.engine.tensor import Axis, Index

MOST_CELLS = 400
"""A table of so many cells is shown whole."""
ROWS, COLUMNS = 12, 18
"""What is shown of a larger one: a screenful, and three groups of six."""


class Window(NamedTuple):
    """A part of a tensor, as wide as it in no axis: `start` is its first cell, `shape` how far it goes."""

    start: Index
    shape: Index

    def indices(self) -> product[Index]:
        """The indices of the tensor that are inside."""
        return product(*(range(at, at + size) for at, size in zip(self.start, self.shape, strict=True)))

    def axes(self, whole: tuple[Axis, ...]) -> tuple[Axis, ...]:
        """The axes with the labels of the part."""
        return tuple(
            replace(axis, labels=tuple(axis.labels[place] for place in range(at, at + size)))
            for axis, at, size in zip(whole, self.start, self.shape, strict=True)
        )


def is_large(shape: tuple[int, ...]) -> bool:
    """Whether a tensor is shown in part only."""
    return prod(shape) > MOST_CELLS


def window_of(shape: tuple[int, ...], around: Index | None) -> Window | None:
    """The window around a cell; None for a tensor that is shown whole.

    Windows do not overlap: what the cursor does inside one changes nothing. A row is cut too, and of several matrices
    only the one of the cell is shown.
    """
    if not is_large(shape):
        return None
    at = tuple(around or ())[: len(shape)]
    at = (*at, *(0,) * (len(shape) - len(at)))
    most = (*(1,) * (len(shape) - 2), ROWS, COLUMNS)[-len(shape) :]
    start, sizes = [], []
    for place, size, whole in zip(at, most, shape, strict=True):
        first = min(max(place, 0), whole - 1) // size * size
        start.append(first)
        sizes.append(min(size, whole - first))
    return Window(tuple(start), tuple(sizes))


__all__ = ["COLUMNS", "MOST_CELLS", "ROWS", "Window", "is_large", "window_of"]

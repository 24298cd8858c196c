"""Arrays that are there by shape and become numbers when somebody looks: tables of weights, large products."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast, overload

import numpy as np
from numpy.typing import DTypeLike

from tui_attention.engine.tensor import Axis
from tui_attention.models.files import FloatArray


class LazyArray:
    """Looks like an array: `shape`, `dtype`, an index, and whatever numpy does with it. `make` gives the numbers.

    `cell` and `rows` give single numbers and rows where that is cheaper than all of them. Nothing is kept here;
    `make` may keep.
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        make: Callable[[], FloatArray],
        dtype: DTypeLike = np.float64,
        cell: Callable[[tuple[int, ...]], float] | None = None,
        rows: Callable[[FloatArray], FloatArray] | None = None,
    ) -> None:
        self.shape, self.dtype = shape, np.dtype(dtype)
        self.ndim, self.size = len(shape), int(np.prod(shape, initial=1))
        self._make, self._cell, self._rows = make, cell, rows

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> FloatArray:
        return np.asarray(self._make(), dtype or self.dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: Any) -> Any:
        whole = isinstance(index, tuple) and len(index) == self.ndim
        if self._cell is not None and whole and all(isinstance(place, int | np.integer) for place in index):
            return np.float64(self._cell(tuple(int(place) for place in index)))
        if self._rows is not None and isinstance(index, int | np.integer):
            return self._rows(np.array([int(index)]))[0]
        return np.asarray(self)[index]

    def take_rows(self, places: FloatArray) -> FloatArray:
        """Some places of the first axis."""
        return np.asarray(self)[places] if self._rows is None else self._rows(places)

    def astype(self, dtype: DTypeLike, copy: bool = True) -> FloatArray:
        return np.asarray(self).astype(dtype, copy=copy)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)  # numpy asks for several ways to an array; __array__ is the one
        return getattr(np.asarray(self), name)


class LazyLabels(Sequence[str]):
    """The labels of a long axis, each made when it is looked at; equal to the tuple of them."""

    def __init__(self, size: int, label: Callable[[int], str] = str) -> None:
        self.size, self.label = size, label

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...

    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        if isinstance(place, slice):
            return tuple(self.label(at) for at in range(self.size)[place])
        return self.label(range(self.size)[place])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LazyLabels):
            return (self.size, self.label) == (other.size, other.label)
        return isinstance(other, tuple) and len(other) == self.size and tuple(self) == other

    def __hash__(self) -> int:
        return hash((self.size, self.label))


def lazy_axis(name: str, size: int, label: Callable[[int], str] = str) -> Axis:
    """An axis whose labels are made when they are looked at: its numbers, or what `label` says."""
    return Axis(name, cast("tuple[str, ...]", LazyLabels(size, label)))


def is_lazy(values: Any) -> bool:
    """Whether the numbers are not there yet."""
    return isinstance(values, LazyArray)


def rows_of(values: Any, places: FloatArray) -> FloatArray:
    """Some places of the first axis, without the others where that can be."""
    found: FloatArray = values.take_rows(places) if is_lazy(values) else values[places]
    return found


def as_array(lazy: LazyArray) -> FloatArray:
    """The same object, for the types: numpy's functions take it as they take an array."""
    return cast("FloatArray", lazy)

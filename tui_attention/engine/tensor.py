"""A named array with axes, labels and printed decimals, and the addresses of its cells."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from tui_attention.engine.decimals import printed
from tui_attention.engine.errors import BadInput, NoPlaceError

if TYPE_CHECKING:
    import numpy.typing as npt

Index = tuple[int, ...]
Array: TypeAlias = "npt.NDArray[Any]"
Decimals = int | tuple[int, ...] | None
BLANK = "\u2423"
"""Stands for a space in a label that shows it."""
MOST_LISTED = 60
Origin = Literal["dial", "constant", "fact", "input", "step", "inner"]


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis: what it counts (`token`, `coordinate`) and a label for each place along it."""

    name: str
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.labels)


def plain_axis(name: str, size: int) -> Axis:
    """An axis whose labels are its numbers, 0 to size - 1."""
    return Axis(name, tuple(str(place) for place in range(size)))


@dataclass(frozen=True, eq=False, slots=True)
class Tensor:
    """A named array, read-only.

    `values` has one axis per entry of `axes`. `prints` and `asks` are decimals, one for all cells or one per
    place of the last axis; None means that the values are not numbers with decimals (truth values).
    """

    name: str
    values: Array
    axes: tuple[Axis, ...]
    prints: Decimals = None
    asks: Decimals = None
    origin: Origin = "step"
    title: str = ""
    standard: str = ""
    continued_from: int | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(int(size) for size in self.values.shape)

    @property
    def truth(self) -> bool:
        """Whether the cells are truth values."""
        return self.values.dtype == np.bool_

    def prints_at(self, index: Index) -> int | None:
        return _decimals(self.prints, index)

    def asks_at(self, index: Index) -> int | None:
        return _decimals(self.asks, index)

    def text(self, index: Index) -> str:
        """The cell as it is printed: a masked score is `-inf`, a truth value `True` or `False`."""
        value = self.values[index]
        if self.truth:
            return str(bool(value))
        return printed(float(value), self.prints_at(index), commas=self.prints_at(index) == 0)

    def short(self, index: Index) -> str:
        """The address for people: leading axes of length 1 are left out."""
        shape, rest = self.shape, list(index)
        while rest and shape[len(index) - len(rest)] == 1:
            rest.pop(0)
        return address(self.name, tuple(rest))


def _decimals(decimals: Decimals, index: Index) -> int | None:
    if isinstance(decimals, tuple):
        return decimals[index[-1]] if index else decimals[0]
    return decimals


def address(name: str, index: Index) -> str:
    """`q[0,2]`; the bare name for a scalar."""
    return f"{name}[{','.join(map(str, index))}]" if index else name


class Address(NamedTuple):
    """A typed address: a name and, for each axis, a whole number or a label."""

    name: str
    parts: tuple[int | str, ...]


_NAME = re.compile(r"\s*([A-Za-z_]\w*)\s*")
_PART = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([+-]?\d{1,9})|([^\s,\[\]"']+))\s*(,|\])""")


def parse_address(text: str) -> Address:
    """`q[0,2]`, `q[0][2]`, `splitter["."]`, `E[h,0]` or a bare name.

    Raises BadInput when the text has no such form.
    """
    shown = text if len(text) <= 60 else text[:57] + "..."
    name = _NAME.match(text)
    if not name:
        raise BadInput(f"{shown!r} is not the address of a cell; an address looks like q[0,2]")
    position, parts = name.end(), list[int | str]()
    while position < len(text):
        if text[position] != "[" or len(parts) > 8:
            raise BadInput(f"{shown!r} is not the address of a cell; an address looks like q[0,2]")
        position += 1
        while True:
            part = _PART.match(text, position)
            if not part:
                raise BadInput(f"{shown!r} is not the address of a cell; an address looks like q[0,2]")
            double, single, number, word, end = part.groups()
            parts.append(
                int(number) if number is not None else next(x for x in (double, single, word) if x is not None)
            )
            position = part.end()
            if end == "]":
                break
        while position < len(text) and text[position].isspace():
            position += 1
    return Address(name[1], tuple(parts))


def resolve(tensor: Tensor, parts: tuple[int | str, ...]) -> Index:
    """The index that the parts of an address mean in `tensor`; leading axes of length 1 may be left out.

    Raises BadInput, saying what would be legal, when there is no such cell.
    """
    shape = tensor.shape
    missing = len(shape) - len(parts)
    if missing < 0 or any(size != 1 for size in shape[:missing]):
        legal = f"{tensor.name}[{', '.join(axis.name for axis in tensor.axes)}]" if shape else tensor.name
        raise BadInput(
            f"{tensor.name} has {_count(len(shape))}, not {len(parts)}; write {legal}"
            + (f" with a shape of {'x'.join(map(str, shape))}" if shape else "")
        )
    return (0,) * missing + tuple(
        place(tensor.name, axis, part) for axis, part in zip(tensor.axes[missing:], parts, strict=True)
    )


def _count(axes: int) -> str:
    return "no axes" if axes == 0 else "1 axis" if axes == 1 else f"{axes} axes"


def place(name: str, axis: Axis, part: int | str) -> int:
    """Where along `axis` a number or a label stands. Raises NoPlaceError when it does not."""
    size = len(axis)
    if isinstance(part, int):
        if not -size <= part < size:
            raise NoPlaceError(f"{name} has no {axis.name} {part}; {_legal(axis)}")
        return part % size
    found = [position for position, label in enumerate(axis.labels) if label == part]
    if not found and " " in part:
        return place(name, axis, part.replace(" ", BLANK))
    if len(found) == 1:
        return found[0]
    if found:
        raise NoPlaceError(f"{name} has more than one {axis.name} called {part!r}; use a number, {_legal(axis)}")
    raise NoPlaceError(f"{name} has no {axis.name} {part!r}; {_legal(axis)}")


def _legal(axis: Axis) -> str:
    size = len(axis)
    numbers = "0 is the only one" if size == 1 else f"0 to {size - 1} are legal"
    named = size <= MOST_LISTED and axis.labels != tuple(map(str, range(size)))
    return numbers + (
        f" ({' '.join(repr(label) if ' ' in label else label for label in axis.labels)})" if named else ""
    )

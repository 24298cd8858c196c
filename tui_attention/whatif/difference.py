"""What moved from one run to another: cell by cell as printed, and how many moved below the printed digits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tui_attention.engine.graph import Graph
from tui_attention.engine.tensor import Array, Index, Tensor


@dataclass(frozen=True, slots=True)
class CellMove:
    """One cell that prints otherwise. `by` is after less before; None where one of them is minus infinity."""

    index: Index
    before: str
    after: str
    by: float | None


@dataclass(frozen=True, slots=True)
class TensorMove:
    """What moved in one tensor: cells that print otherwise in reading order, and how many moved only below that.

    `shapes` are both shapes where they differ: then the cells that both have are compared.
    """

    name: str
    cells: tuple[CellMove, ...]
    below: int = 0
    shapes: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    @property
    def moved(self) -> bool:
        return bool(self.cells or self.below or self.shapes)

    def largest_first(self) -> tuple[CellMove, ...]:
        """The cells by the size of their move; what came out of or went behind the mask stands first."""
        return tuple(sorted(self.cells, key=lambda cell: -abs(cell.by) if cell.by is not None else -np.inf))


def reached(before: Graph, after: Graph) -> frozenset[str]:
    """What a change reaches: the dials turned, inputs and steps that are others, and all that reads them.

    It looks at no number of what is computed, so it may be told while these are covered.
    """
    changed = {name for name, _ in dict(before.turned.items() ^ after.turned.items())}
    for name in ("prompt", "other", "ticket"):
        if getattr(before.inputs, name) != getattr(after.inputs, name):
            changed.add(name)
    old = before.program.by_name
    changed |= {step.name for step in after.program.steps if step.expr != old[step.name].expr}
    names = {step.name for step in after.program.steps if step.name in changed or after.reads(step.name) & changed}
    return frozenset(names | changed)


def moves(before: Graph, after: Graph) -> tuple[TensorMove, ...]:
    """What moved, tensor by tensor in the lesson's order; views are left out, since their cells are their source's.

    Tensors that both graphs share are not looked into.
    """
    found = []
    for name in after.names():
        if name not in before.names() or before.traced(name) is after.traced(name):
            continue
        if after.traced(name).view and before.traced(name).view:
            continue
        move = moved(before.tensor(name), after.tensor(name), before, after)
        if move.moved:
            found.append(move)
    return tuple(found)


def moved(one: Tensor, other: Tensor, before: Graph, after: Graph) -> TensorMove:
    """What moved in one tensor, over the cells that both have."""
    if len(one.shape) != len(other.shape):
        return TensorMove(other.name, (), shapes=(one.shape, other.shape))
    shared = tuple(slice(min(a, b)) for a, b in zip(one.shape, other.shape, strict=True))
    a, b = one.values[shared], other.values[shared]
    cells = []
    differing = np.argwhere(_differs(a, b))
    for place in differing:
        index = tuple(int(part) for part in place)
        was, now = before.cell(one.name, index), after.cell(other.name, index)
        if was.printed != now.printed:
            finite = np.isfinite(was.value) and np.isfinite(now.value)
            cells.append(CellMove(index, was.printed, now.printed, now.value - was.value if finite else None))
    shapes = (one.shape, other.shape) if one.shape != other.shape else None
    return TensorMove(other.name, tuple(cells), len(differing) - len(cells), shapes)


def _differs(a: Array, b: Array) -> Array:
    return np.asarray(a != b)


__all__ = ["CellMove", "TensorMove", "moved", "moves", "reached"]

"""What moved by the last change, as far as it may be shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tui_attention.engine.decimals import printed
from tui_attention.engine.refs import CellRef
from tui_attention.lessons.model import Stage
from tui_attention.walk.visible import COVERED, VisibleLesson
from tui_attention.whatif.difference import TensorMove, moves, reached


@dataclass(frozen=True, slots=True)
class MovedCell:
    """One cell before and after; `by` is the signed difference at its printed decimals, empty behind a mask."""

    ref: CellRef
    short: str
    before: str
    after: str
    by: str


@dataclass(frozen=True, slots=True)
class MovedTensor:
    """What may be told of one tensor: cells that print otherwise, how many moved only below the printed digits, and
    both shapes where these differ. Of a tensor that is `covered`, in whole or in part, no more than what shows.
    """

    name: str
    title: str
    cells: tuple[MovedCell, ...]
    covered: bool
    below: int
    shapes: str = ""


def moved_between(before: VisibleLesson, after: VisibleLesson, *, largest: bool = False) -> tuple[MovedTensor, ...]:
    """What moved, tensor by tensor; numbers only where they may be seen on both sides; `largest`: those first."""
    one, two = before._run.graph, after._run.graph
    found = {move.name: move for move in moves(one, two)}
    reach = reached(one, two)
    names = [name for name in two.names() if name in found or (name in reach and not two.traced(name).view)]
    told = (_tensor(found.get(name, TensorMove(name, ())), before, after, largest=largest) for name in names)
    return tuple(tensor for tensor in told if tensor.cells or tensor.below or tensor.covered or tensor.shapes)


def names_moved(before: VisibleLesson, after: VisibleLesson) -> frozenset[str]:
    """The tensors that the change between them reaches, whatever their numbers."""
    return reached(before._run.graph, after._run.graph)


def _tensor(move: TensorMove, before: VisibleLesson, after: VisibleLesson, *, largest: bool) -> MovedTensor:
    tensor = after._run.graph.tensor(move.name)
    cells, below = [], move.below
    covered = any(
        COVERED in (side.state(ref) for side in (before, after)) for ref in _shared(before, after, move.name)
    )
    if covered:
        below = 0
    for cell in move.largest_first() if largest else move.cells:
        ref = CellRef(move.name, cell.index)
        if COVERED in (before.state(ref), after.state(ref)):
            continue
        prints = tensor.prints_at(cell.index) or 0
        by = "" if cell.by is None else ("+" if cell.by >= 0 else "-") + printed(abs(cell.by), prints)
        cells.append(MovedCell(ref, after.short(ref), before.told(ref), after.told(ref), by))
    shapes = ""
    if move.shapes:
        shapes = " -> ".join("x".join(map(str, shape)) or "one" for shape in move.shapes)
    return MovedTensor(move.name, tensor.title, tuple(cells), covered, below, shapes)


def _shared(before: VisibleLesson, after: VisibleLesson, name: str) -> Iterator[CellRef]:
    """The cells that both sides have."""
    one, two = before._run.graph.tensor(name).shape, after._run.graph.tensor(name).shape
    if len(one) == len(two):
        yield from (CellRef(name, index) for index in np.ndindex(*map(min, one, two)))


def stages_moved(names: frozenset[str], stages: Sequence[Stage]) -> frozenset[int]:
    """The stages whose steps make something that a change reached."""
    return frozenset(n for n, stage in enumerate(stages) if any(step.name in names for step in stage.steps))


__all__ = ["MovedCell", "MovedTensor", "moved_between", "names_moved", "stages_moved"]

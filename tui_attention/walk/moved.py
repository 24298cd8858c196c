"""What moved by the last change, as far as it may be shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tui_attention.engine.refs import CellRef
from tui_attention.walk.visible import COVERED, VisibleLesson
from tui_attention.whatif.difference import TensorMove, moves


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
    """What may be told of one tensor: cells that print otherwise, how many of them are covered, how many moved only
    below the printed digits, and both shapes where these differ.
    """

    name: str
    title: str
    cells: tuple[MovedCell, ...]
    covered: int
    below: int
    shapes: str = ""


def moved_between(before: VisibleLesson, after: VisibleLesson, *, largest: bool = False) -> tuple[MovedTensor, ...]:
    """What moved, tensor by tensor; numbers only where they may be seen on both sides; `largest`: those first."""
    found = moves(before._run.graph, after._run.graph)
    return tuple(_tensor(move, before, after, largest=largest) for move in found)


def names_moved(before: VisibleLesson, after: VisibleLesson) -> frozenset[str]:
    """The tensors that moved, and the views of them."""
    names = {move.name for move in moves(before._run.graph, after._run.graph)}
    graph = after._run.graph
    views = {name for name in graph.names() if graph.traced(name).view and graph.reads(name) & names}
    return frozenset(names | views)


def _tensor(move: TensorMove, before: VisibleLesson, after: VisibleLesson, *, largest: bool) -> MovedTensor:
    tensor = after._run.graph.tensor(move.name)
    cells, covered = [], 0
    for cell in move.largest_first() if largest else move.cells:
        ref = CellRef(move.name, cell.index)
        if COVERED in (before.state(ref), after.state(ref)):
            covered += 1
            continue
        prints = tensor.prints_at(cell.index) or 0
        by = "" if cell.by is None else f"{cell.by:+.{prints}f}"
        cells.append(MovedCell(ref, after.short(ref), before.told(ref), after.told(ref), by))
    shapes = ""
    if move.shapes:
        shapes = " -> ".join("x".join(map(str, shape)) or "one" for shape in move.shapes)
    return MovedTensor(move.name, tensor.title, tuple(cells), covered, move.below, shapes)


def stages_moved(found: Sequence[MovedTensor] | frozenset[str], lesson: VisibleLesson) -> frozenset[int]:
    """The stages whose steps make something that moved."""
    names = found if isinstance(found, frozenset) else {tensor.name for tensor in found}
    return frozenset(
        place for place, stage in enumerate(lesson.stages) if any(step.name in names for step in stage.steps)
    )


__all__ = ["MovedCell", "MovedTensor", "moved_between", "names_moved", "stages_moved"]

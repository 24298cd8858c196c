"""The numbers of a whole tensor with their texts and sources: worked out once for all who walk over the same graph.

They hold covered numbers, too. `VisibleLesson.view` lets through what may be shown; nothing else reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tui_attention.engine.refs import CellRef
from tui_attention.engine.tensor import Index
from tui_attention.lessons.run import LessonRun
from tui_attention.walk.view import Digits, text_of

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, eq=False, slots=True)
class CellTable:
    """Values, texts and source cells of a tensor or a part of it, in its shape. `view`: the sources are elsewhere."""

    values: npt.NDArray[np.float64]
    texts: npt.NDArray[np.object_]
    sources: npt.NDArray[np.object_]
    view: bool


def table_of(
    run: LessonRun, name: str, shape: Index, places: Iterable[Index], text: Callable[[CellRef], str]
) -> CellTable:
    """The cells at these places, in their order, in an array of this shape."""
    graph = run.graph
    tensor = graph.tensor(name)
    values = np.empty(shape, dtype=np.float64)
    texts = np.empty(shape, dtype=object)
    sources = np.empty(shape, dtype=object)
    for index, place in zip(np.ndindex(*shape), places, strict=True):
        values[index] = float(tensor.values[place])
        texts[index] = text(CellRef(name, place))
        sources[index] = CellRef(*graph.source(name, place))
    for made in (values, texts, sources):
        made.flags.writeable = False  # others look at the same
    return CellTable(values, texts, sources, graph.traced(name).view)


def whole_table(run: LessonRun, name: str, digits: Digits) -> CellTable:
    """The whole tensor; made once for a graph and a way of showing digits."""
    key = CellTable, name, digits
    known = run.graph.tables.get(key)
    if not isinstance(known, CellTable):
        shape = run.graph.tensor(name).shape

        def text(ref: CellRef) -> str:
            return text_of(run, ref, digits, lambda cell: run.by_hand(cell.tensor, cell.index))

        known = table_of(run, name, shape, np.ndindex(*shape), text)
        run.graph.tables[key] = known
    return known


__all__ = ["CellTable", "table_of", "whole_table"]

"""Many dials at once: a row, a head's columns or a whole table zeroed, scaled or drawn anew."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tui_attention.engine.decimals import rounded
from tui_attention.engine.errors import BadInput
from tui_attention.engine.graph import Graph, Turned
from tui_attention.engine.tensor import Index
from tui_attention.whatif.scenario import LARGEST

_REGION = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\[\s*([^\[\],]+?)\s*\])?\s*(?:head\s+(\d+))?\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Region:
    """A table, one row of it, or the columns of one head; `says` is how it is called."""

    table: str
    cells: tuple[Index, ...]
    says: str


def region(graph: Graph, text: str) -> Region:
    """`Wq`, `Wq[2]` (a row, by number or label) or `Wq head 1`. Raises BadInput."""
    match = _REGION.fullmatch(text)
    tables = [name for name in graph.program.tables if name != "splitter"]
    if not match or match[1] not in tables:
        raise BadInput(f"{text.strip()[:40]!r} is no table; a table, a row Wq[2] or Wq head 1 of: {' '.join(tables)}")
    name = match[1]
    shape = graph.tensor(name).shape
    if match[2] is not None:
        _, index = graph.locate(f"{name}[{match[2]}{',0' * (len(shape) - 1)}]")
        return Region(name, tuple(i for i in np.ndindex(*shape) if i[0] == index[0]), f"{name}[{match[2]}]")
    if match[3] is not None:
        heads = graph.program.constants.get("n_heads")
        count, head = int(heads) if heads else 0, int(match[3])
        if not count or len(shape) != 2 or shape[1] % count or not head < count:
            raise BadInput(f"{name} has no head {head}; its columns belong to {count or 'no'} heads")
        width = shape[1] // count
        columns = range(head * width, head * width + width)
        cells = tuple((row, column) for row in range(shape[0]) for column in columns)
        return Region(name, cells, f"{name}, head {head}")
    return Region(name, tuple(np.ndindex(*shape)), name)


def zeroed(graph: Graph, where: Region) -> Graph:
    """Every dial of the region at 0. Raises BadInput where a step then has no value."""
    return _turned(graph, where, dict.fromkeys(where.cells, 0.0))


def scaled(graph: Graph, where: Region, by: float) -> Graph:
    """Every dial of the region times a number. Raises BadInput for a dial that becomes larger than is allowed."""
    values = graph.tensor(where.table).values
    new = {index: float(values[index]) * by for index in where.cells}
    if any(abs(value) > LARGEST for value in new.values()):
        raise BadInput(f"{where.says} times {by:g} would pass {LARGEST:g}")
    return _turned(graph, where, new, more=4)


def redrawn(graph: Graph, where: Region, seed: int) -> Graph:
    """The region drawn anew, evenly between the smallest and largest dial of its table, at its printed decimals."""
    values, prints = graph.tensor(where.table).values, graph.program.tables[where.table].prints
    low, high = float(values.min()), float(values.max())
    drawn = np.random.default_rng(seed).uniform(low, high, len(where.cells))
    return _turned(graph, where, {i: rounded(float(v), prints) for i, v in zip(where.cells, drawn, strict=True)})


def _turned(graph: Graph, where: Region, new: Mapping[Index, float], *, more: int = 0) -> Graph:
    prints = max(graph.program.tables[where.table].prints, more)
    turned: Turned = {**graph.turned, **{(where.table, index): (value, prints) for index, value in new.items()}}
    return graph.with_turned(turned)


__all__ = ["Region", "redrawn", "region", "scaled", "zeroed"]

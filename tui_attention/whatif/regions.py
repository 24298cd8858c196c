"""Many dials at once: a row, a head's columns or a whole table zeroed, scaled or drawn anew."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from tui_attention.engine.decimals import rounded
from tui_attention.engine.errors import BadInput
from tui_attention.engine.graph import LARGEST_DIAL, Graph, Turned
from tui_attention.engine.tensor import Index
from tui_attention.whatif.scenario import few

MOST_AT_ONCE = 40_000
"""Numbers that are changed at once: a head's columns in a trained model, and no whole table of one."""

_REGION = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\[\s*([^\[\],]+?)\s*\])?\s*(?:head\s+(\d{1,9}))?\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class DialRegion:
    """A table, one row of it, or the columns of one head; `says` is how it is called."""

    table: str
    cells: tuple[Index, ...]
    says: str


def region(graph: Graph, text: str) -> DialRegion:
    """`Wq`, `Wq[2]` (a row, by number or label) or `Wq head 1`. Raises BadInput."""
    match = _REGION.fullmatch(text)
    tables = [name for name in graph.program.tables if name != "splitter"]
    if not match or match[1] not in tables:
        raise BadInput(f"{text.strip()[:40]!r} is no table; a table, a row Wq[2] or Wq head 1 of: {few(tables)}")
    name = match[1]
    shape = graph.tensor(name).shape
    if match[2] is not None:
        _, index = graph.locate(f"{name}[{match[2]}{',0' * (len(shape) - 1)}]")
        return _region(name, ((index[0],), *map(range, shape[1:])), f"{name}[{match[2]}]")
    if match[3] is not None:
        count, head = _heads(graph, shape), int(match[3])
        if not count or len(shape) != 2 or shape[1] % count or not head < count:
            raise BadInput(f"{name} has no head {head}; its columns belong to {count or 'no'} heads")
        width = shape[1] // count
        columns = range(head * width, head * width + width)
        return _region(name, (range(shape[0]), columns), f"{name}, head {head}")
    return _region(name, tuple(map(range, shape)), name)


def _heads(graph: Graph, shape: Index) -> int:
    """How many heads a table's columns belong to: where keys and values have fewer than queries, theirs."""
    constants = graph.program.constants
    few, width = constants.get("n_kv_heads"), constants.get("head_width")
    shared = bool(few and width and len(shape) == 2 and shape[1] == few * width)
    return int((few if shared else constants.get("n_heads")) or 0)


def _region(name: str, axes: Sequence[Sequence[int]], says: str) -> DialRegion:
    count = prod(map(len, axes))
    if count > MOST_AT_ONCE:
        raise BadInput(
            f"{says} has {count:,} numbers, and {MOST_AT_ONCE:,} at most are changed at once; a row such as "
            f"{name}[0] or a head's columns, {name} head 0, can be"
        )
    return DialRegion(name, tuple(product(*axes)), says)


def zeroed(graph: Graph, where: DialRegion) -> Graph:
    """Every dial of the region at 0. Raises BadInput where a step then has no value."""
    return _turned(graph, where, dict.fromkeys(where.cells, 0.0))


def scaled(graph: Graph, where: DialRegion, by: float) -> Graph:
    """Every dial of the region times a number. Raises BadInput for a dial that becomes larger than is allowed."""
    values = graph.tensor(where.table).values
    new = {index: float(values[index]) * by for index in where.cells}
    if any(abs(value) > LARGEST_DIAL for value in new.values()):
        raise BadInput(f"{where.says} times {by:g} would pass {LARGEST_DIAL:g}")
    return _turned(graph, where, new, more=4)


def redrawn(graph: Graph, where: DialRegion, seed: int) -> Graph:
    """The region drawn anew, evenly between the smallest and largest dial of its table, at its printed decimals."""
    values, prints = graph.tensor(where.table).values, graph.program.tables[where.table].prints
    low, high = float(values.min()), float(values.max())
    drawn = np.random.default_rng(seed).uniform(low, high, len(where.cells))
    return _turned(graph, where, {i: rounded(float(v), prints) for i, v in zip(where.cells, drawn, strict=True)})


def _turned(graph: Graph, where: DialRegion, new: Mapping[Index, float], *, more: int = 0) -> Graph:
    prints = max(graph.program.tables[where.table].prints, more)
    turned: Turned = {**graph.turned, **{(where.table, index): (value, prints) for index, value in new.items()}}
    return graph.with_turned(turned)


__all__ = ["DialRegion", "redrawn", "region", "scaled", "zeroed"]

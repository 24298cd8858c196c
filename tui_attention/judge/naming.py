"""What a cell is called where it is spoken of: by the name that stands in the step's own formula."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tui_attention.engine import formula
from tui_attention.engine.graph import Graph, Working
from tui_attention.engine.tensor import address
from tui_attention.engine.working import Cell

MOST_CELLS = 2_000
"""Views larger than this keep the names of what they show."""


def short(graph: Graph, cell: Cell) -> str:
    """A cell's address for people; a line of a list is called by its label, since its number is what is asked."""
    tensor = graph.tensor(cell.tensor)
    if tensor.origin == "dial" and len(tensor.shape) == 1:
        return f'{tensor.name}["{tensor.axes[0].labels[cell.index[0]]}"]'
    return tensor.short(cell.index)


def names_on_screen(graph: Graph, working: Working) -> Mapping[str, str]:
    """The names by full address that views give to cells: `blend[2]` for `heads[0,0,2]`, where a step reads `blend`.

    The step's own formula, or the CHECK's, comes first, then those of the steps that it reads, however far back.
    """
    steps = graph.program.by_name
    tensor = working.cell.tensor
    found: dict[str, str] = {}
    seen = {tensor}
    left = [formula.names(steps[tensor].expr) if tensor in steps else working.names]
    while left:
        for name in sorted(left.pop() - seen):
            seen.add(name)
            if name not in steps:
                continue
            left.insert(0, formula.names(steps[name].expr))
            shown = graph.tensor(name)
            if graph.traced(name).view and shown.values.size <= MOST_CELLS:
                for index in np.ndindex(*shown.shape):
                    found.setdefault(address(*graph.source(name, index)), shown.short(index))
    return found

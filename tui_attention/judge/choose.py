"""Which cell of a tensor to ask: the one whose slips can be told from a right answer best."""

from __future__ import annotations

import numpy as np

from tui_attention.engine.graph import Working
from tui_attention.engine.tensor import address
from tui_attention.judge.verdict import Prepared, prepare
from tui_attention.lessons.run import LessonRun

MOST_TRIED = 12


def visibility(question: Prepared) -> float:
    """The share of slips, by weight, whose number can be told from an accepted one: 0 to 1."""
    whole = sum(group.weight for group in question.groups)
    seen = sum(group.weight for group in question.groups if question.visible(group))
    return seen / whole if whole else 0.0


def best_cell(run: LessonRun, tensor: str, exclude: frozenset[str] = frozenset()) -> str | None:
    """The full address of the cell of `tensor` to ask next; None when none is left.

    `exclude` are addresses. Of large tensors a dozen cells, evenly spread, are looked at: some 5 ms each.
    """
    graph = run.graph
    candidates: dict[str, Working] = {}
    for index in np.ndindex(*graph.tensor(tensor).shape):
        name, place = graph.source(tensor, index)
        where = address(name, place)
        if where not in exclude and where not in candidates:
            working = graph.working(name, place)
            if working.askable:
                candidates[where] = working
    names = list(candidates)
    step = max(1, -(-len(names) // MOST_TRIED))
    return max(names[::step], key=lambda where: visibility(prepare(run, candidates[where])), default=None)

"""Which cell of a tensor to ask: the one whose slips can be told from a right answer best."""

from __future__ import annotations

import numpy as np

from tui_attention.engine.graph import Graph, Working
from tui_attention.engine.tensor import address
from tui_attention.engine.working import EXACT_ON_PRINTED, FULL, Op, evaluate, noise, walk
from tui_attention.judge.groups import grouped
from tui_attention.judge.region import NOISES
from tui_attention.judge.slips import main_slips
from tui_attention.lessons.run import LessonRun

MOST_WORK = 120
"""Nodes of workings that are looked at for one choice, some 30 ms: a few long workings, or a dozen short ones."""
MOST_TRIED, LEAST_TRIED = 12, 2
WIDTHS = (1.0, 2.0, 4.0)


def visibility(graph: Graph, working: Working, width: float = 1.0) -> float:
    """The share of its operations' slips, by weight, whose number can be told from an accepted one: 0 to 1.

    `width` makes the accepted numbers reach so many times as far. One style by hand and the machine's are enough to
    compare cells by.
    """
    return _visible(graph, working, (width,))[0]


def _visible(graph: Graph, working: Working, widths: tuple[float, ...]) -> tuple[float, ...]:
    root = working.root
    if not isinstance(root, Op):
        return (0.0,) * len(widths)
    groups = grouped(main_slips(graph, working), root, working.asks, found=(FULL, EXACT_ON_PRINTED))
    low, high = sorted((evaluate(root), evaluate(root, EXACT_ON_PRINTED)))
    margin = 0.5 * 10.0**-working.asks + NOISES * noise(root, working.asks)
    whole = sum(group.weight for group in groups)

    def seen(reach: float) -> float:
        return sum(group.weight for group in groups if not low - reach <= group.exact <= high + reach)

    return tuple(seen(width * margin) / whole if whole else 0.0 for width in widths)


def best_cell(run: LessonRun | Graph, tensor: str, exclude: frozenset[str] = frozenset()) -> str | None:
    """The full address of the cell of `tensor` to ask next; None when none is left.

    `exclude` are addresses. Of cells that are alike, the one whose slips lie further off.
    Of large tensors some cells, evenly spread, are looked at: fewer where workings are long.
    """
    graph = run.graph if isinstance(run, LessonRun) else run
    places = (graph.source(tensor, index) for index in np.ndindex(*graph.tensor(tensor).shape))
    left = [place for place in dict.fromkeys(places) if address(*place) not in exclude]
    while left:
        longest = _length(graph.working(*left[-1]))
        step = max(1, -(-len(left) // min(max(MOST_WORK // longest, LEAST_TRIED), MOST_TRIED)))
        tried = {place: graph.working(*place) for place in left[::step]}
        asked = {place: working for place, working in tried.items() if working.askable}
        if asked:
            return address(*max(asked, key=lambda place: _visible(graph, asked[place], WIDTHS)))
        left = [place for place in left if place not in tried]
    return None


def _length(working: Working) -> int:
    return 1 if working.root is None else sum(1 for _ in walk(working.root))

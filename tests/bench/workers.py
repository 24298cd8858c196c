"""Which cells are asked, and lessons with redrawn dials: what benches and tests of the judge work on."""

from __future__ import annotations

import random

import numpy as np

from tests.bench.pupils.pens import kept
from tui_attention.engine.graph import Graph, Working
from tui_attention.engine.tensor import Index


def asked(graph: Graph, names: tuple[str, ...] | None = None) -> list[Working]:
    """Every computed cell of a graph, each once, counts and places left out."""
    found = []
    for step in graph.program.steps:
        if names is not None and step.name not in names:
            continue
        traced = graph.traced(step.name)
        if traced.view:
            continue
        for index in np.ndindex(*traced.shape):
            working = graph.working(step.name, index)
            if working.kind == "computed" and working.asks > 0:
                found.append(working)
    return found


def redrawn(graph: Graph, rng: random.Random) -> Graph:
    """The same lesson with fresh dials: as many decimals, about the same size, zeros as often."""
    turned: dict[tuple[str, Index], tuple[float, int]] = {}
    for name, table in graph.program.tables.items():
        if name == "splitter":
            continue
        most = float(np.abs(table.values).max())
        for index in np.ndindex(*table.values.shape):
            value = kept(rng.uniform(-most, most), table.prints)
            turned[name, index] = value, table.prints
    return graph.with_turned(turned)

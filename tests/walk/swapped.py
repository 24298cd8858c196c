"""A graph whose covered cells hold other numbers: whatever may be shown must come out the same with it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tui_attention.engine.graph import Graph
from tui_attention.engine.operation import TracedArray
from tui_attention.engine.tensor import Index, Tensor
from tui_attention.lessons.run import LessonRun
from tui_attention.walk.events import Outcome
from tui_attention.walk.ledger import Ledger
from tui_attention.walk.places import Place
from tui_attention.walk.refs import CellRef, Ref
from tui_attention.walk.statistics import Attempt
from tui_attention.walk.view import SHOWN
from tui_attention.walk.walk import Walk


class Swapped(Graph):
    """The graph of `base` with the cells `hidden` moved by an odd amount; `hidden` are source cells."""

    def __init__(self, base: Graph, hidden: frozenset[tuple[str, Index]]) -> None:
        super().__init__(base.program, base.inputs, base.turned)
        self.hidden = hidden
        self._swapped: dict[str, Tensor] = {}
        # What is computed on the spot, for a picture or in prose, is computed from the other numbers too.
        for step in base.program.steps:
            self.tensor(step.name)
        self._ready = True

    _ready = False

    def tensor(self, name: str) -> Tensor:
        if name not in self._swapped:
            self._swapped[name] = self._swap(super().tensor(name))
        return self._swapped[name]

    def traced(self, name: str) -> TracedArray:
        made = super().traced(name)
        return replace(made, values=self._swapped[name].values) if self._ready and name in self._swapped else made

    def _swap(self, tensor: Tensor) -> Tensor:
        values = tensor.values.copy()
        for index in np.ndindex(*tensor.shape):
            if self.source(tensor.name, index) not in self.hidden or np.isinf(float(values[index])):
                continue
            if tensor.truth:
                values[index] = not values[index]
            elif np.issubdtype(values.dtype, np.integer):
                values[index] = (values[index] + 1) % 3  # another one, and a mark's number in every lesson
            else:
                values[index] = -1.37 * values[index] + 17.25
        return replace(tensor, values=values)


class Given:
    """A keeper that hands out one ledger and keeps nothing."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def load(self, walk: Walk) -> Ledger:
        return self._ledger

    def place(self, walk: Walk) -> None: ...

    def ledger(self, walk: Walk) -> None: ...

    def answer(self, walk: Walk, outcome: Outcome, typed: str) -> None: ...

    def inputs(self, walk: Walk) -> None: ...

    def sentence(self, walk: Walk, ref: Ref, typed: str) -> None: ...

    def attempts(self) -> tuple[Attempt, ...]:
        return ()


def hidden_cells(walk: Walk) -> frozenset[tuple[str, Index]]:
    """The source cells that may not be shown at the walk's place."""
    graph, visible = walk.opened.run.graph, walk.visible
    made = [step.name for step in graph.program.steps if not graph.traced(step.name).view]
    return frozenset(
        (name, index)
        for name in made
        for index in np.ndindex(*graph.tensor(name).shape)
        if visible.state(CellRef(name, index)) != SHOWN
    )


def swapped(walk: Walk) -> Walk:
    """The same walk at the same place with the same ledger over other numbers wherever they are covered."""
    graph = Swapped(walk.opened.run.graph, hidden_cells(walk))
    run = LessonRun(walk.opened.run.lesson, graph)
    place = Place(walk.place.stage, walk.place.step)
    twin = Walk(run, cover=walk.covered, place=place, observer=Given(walk.ledger))
    twin.digits = walk.digits
    return twin

"""A lesson without its numbers: names, stages, inputs, the dials that were turned."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from tui_attention.engine.formula import Step
from tui_attention.engine.graph import Graph
from tui_attention.engine.operation import Vocabulary
from tui_attention.engine.program import Inputs
from tui_attention.engine.refs import CellRef
from tui_attention.engine.tensor import Index
from tui_attention.engine.traits import is_slow
from tui_attention.lessons.model import Block, Stage
from tui_attention.lessons.run import LessonRun
from tui_attention.walk import places
from tui_attention.walk.places import Place
from tui_attention.walk.questions import QuestionPlan
from tui_attention.walk.steps import StepView, step_view
from tui_attention.walk.window import is_large


class StageName(NamedTuple):
    """How a stage is called."""

    id: str
    title: str
    number: str


_ADDRESS = re.compile(r"\b([A-Za-z]\w*)\[(\d+(?:,\d+)*)\]")


@dataclass(frozen=True, eq=False, slots=True)
class LessonOutline:
    """What everybody may know of a lesson."""

    _plan: QuestionPlan = field(repr=False)

    @property
    def _run(self) -> LessonRun:
        return self._plan.run

    @property
    def _graph(self) -> Graph:
        return self._plan.run.graph

    def is_of(self, plan: QuestionPlan) -> bool:
        """Whether these are the questions and numbers of a walk."""
        return self._plan is plan

    @property
    def id(self) -> str:
        """The lesson's name."""
        return self._run.lesson.id

    @property
    def title(self) -> str:
        return self._run.lesson.title

    @property
    def variant(self) -> int:
        """Which variant of the lesson's numbers; 0 for its own."""
        return self._run.variant

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The nodes of the tree that group stages."""
        return self._run.lesson.blocks

    @property
    def stages(self) -> tuple[Stage, ...]:
        return self._run.lesson.stages

    @property
    def inputs(self) -> Inputs:
        """Prompt, other sentence and ticket."""
        return self._graph.inputs

    @property
    def vocabulary(self) -> Vocabulary:
        """The marks that a prompt is made of."""
        return self._graph.program.vocabulary

    @property
    def own(self) -> bool:
        """Whether prompt, ticket and dials are the lesson's own."""
        return self._graph.own

    def number(self, stage: int) -> str:
        """A stage's number in the tree; empty for what comes before the first."""
        return places.number(self._run.lesson, stage)

    def after(self, place: Place) -> Place:
        """The place one step on."""
        return places.after(self._run.lesson, place)

    def outline(self) -> tuple[StageName, ...]:
        """Id, title and number of every stage, in order."""
        return tuple(StageName(stage.id, stage.title, self.number(n)) for n, stage in enumerate(self.stages))

    def step_view(self, step: Step, *, measured: bool = True) -> StepView:
        """A step's formula, shapes and operands; `measured`: what takes time may be computed for it."""
        return step_view(self._graph, step, measured=measured)

    def names(self) -> tuple[str, ...]:
        """Every tensor, in the order in which they are made."""
        return self._graph.names()

    def locate(self, text: str) -> CellRef:
        """The cell that a typed address means. Raises BadInput, saying what would be legal."""
        return CellRef(*self._graph.locate(text))

    def example_dial(self) -> CellRef | None:
        """The first number of the first table that can be turned; None where there is none."""
        table = next((name for name in self._graph.program.tables if name != "splitter"), None)
        return CellRef(table, (0,) * len(self._graph.tensor(table).shape)) if table else None

    def source(self, ref: CellRef) -> CellRef:
        """The cell that a cell is: that of a view is its source's."""
        return CellRef(*self._graph.source(ref.tensor, ref.index))

    def short(self, ref: CellRef) -> str:
        """The address for people: leading axes of length 1 are left out."""
        return self._graph.tensor(ref.tensor).short(ref.index)

    def addressed(self, text: str) -> str:
        """A text with each address in the form for people, so that a cell has one address on a screen."""
        return _ADDRESS.sub(lambda found: self._shortened(found[0], found[1], found[2]), text)

    def _shortened(self, whole: str, name: str, places: str) -> str:
        graph, index = self._graph, tuple(int(place) for place in places.split(","))
        step = graph.program.by_name.get(name)
        waits = step is not None and (is_slow(step.expr) or graph.pending(name) > 0)
        if name not in graph.names() or waits or len(index) != len(graph.traced(name).shape):
            return whole
        return self.short(CellRef(name, index))

    def turned(self) -> tuple[tuple[CellRef, str], ...]:
        """The dials that were turned, in the order of turning, with the digits typed."""
        found = self._graph.turned.items()
        return tuple((CellRef(*dial), f"{value:.{decimals}f}") for dial, (value, decimals) in found)

    # ------------------------------------------------------------ sizes

    def is_large(self, name: str) -> bool:
        """Whether a screen shows a window of the tensor only."""
        return is_large(self._graph.traced(name).shape)

    def shape(self, name: str) -> Index:
        """The shape of a tensor."""
        return self._graph.traced(name).shape

    def along(self, name: str) -> str:
        """What a tensor's columns are; empty for a single number."""
        axes = self._graph.traced(name).axes
        return axes[-1].name if axes else ""

    def in_head(self, cell: CellRef, by: int) -> CellRef | None:
        """The same place so many heads on; None where there is none."""
        name, shape = cell.tensor, self.shape(cell.tensor)
        at = list(cell.index)
        if len(shape) == 3:
            at[0] += by
        elif starts := self._plan.dividers(name, shape[-1]) if shape else ():
            at[-1] += by * min(starts)
        fits = all(0 <= place < size for place, size in zip(at, shape, strict=True))
        return CellRef(name, tuple(at)) if fits and tuple(at) != cell.index else None

"""Names of the lesson at hand, so that what is shown as an example can be typed as it stands."""

from __future__ import annotations

from dataclasses import dataclass

from tui_attention.engine.graph import Graph
from tui_attention.engine.tensor import Index, address
from tui_attention.lessons.load import names
from tui_attention.walk.walk import Walk


@dataclass(frozen=True, slots=True)
class Examples:
    """A stage, a cell that may be asked, its tensor, a dial and its table, a lesson, a prompt; each may be empty."""

    stage: str
    cell: str
    tensor: str
    dial: str
    table: str
    lesson: str
    prompt: str


def examples(walk: Walk) -> Examples:
    """Examples for a walk's lesson, the same at every step."""
    graph, lesson = walk.run.graph, walk.run.lesson
    tensor, index = _asked(graph)
    table = next(iter(graph.program.tables), "")
    return Examples(
        lesson.stages[len(lesson.stages) // 2].id,
        address(tensor, index),
        tensor,
        address(table, (0,) * len(graph.tensor(table).shape)) if table else tensor,
        table,
        next((name for name in names() if name != lesson.id), lesson.id),
        lesson.program.inputs.prompt,
    )


def _asked(graph: Graph) -> tuple[str, Index]:
    """The first matrix that a pencil makes, and a cell of it; else the first tensor."""
    for step in graph.program.steps:
        shape = graph.traced(step.name).shape
        index = tuple(min(2, size - 1) if axis else 0 for axis, size in enumerate(shape))
        if (
            len(shape) > 1
            and graph.source(step.name, index)[0] == step.name
            and graph.working(step.name, index).askable
        ):
            return step.name, index
    first = graph.names()[0]
    return first, (0,) * len(graph.tensor(first).shape)

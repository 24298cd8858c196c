"""Steps that choose a mark: the one with the largest score, or the one that a ticket draws."""

from __future__ import annotations

from tui_attention.engine.formula import Step
from tui_attention.engine.graph import Graph
from tui_attention.engine.operation import Role
from tui_attention.engine.traits import role_of
from tui_attention.walk.steps import reads

GREEDY: Role = "greedy"
DRAWN: Role = "drawn"


def choosing(step: Step) -> Role:
    """GREEDY or DRAWN; empty for a step that chooses nothing."""
    role = role_of(step.expr)
    return role if role in (GREEDY, DRAWN) else ""


def marks_of(graph: Graph, name: str) -> tuple[str, ...]:
    """What the whole numbers of a tensor stand for: labels of the row that they were chosen from; else nothing."""
    step = graph.program.by_name.get(name)
    if step is None or not choosing(step):
        return ()
    labels = graph.traced(reads(step.expr)[0]).axes[-1].labels
    return () if all(label.isdigit() for label in labels) else labels

"""Where a small table stands among the steps of its stage."""

from __future__ import annotations

from collections.abc import Sequence

from tui_attention.engine.formula import Step
from tui_attention.lessons.model import TextTable
from tui_attention.walk.steps import reads


def stands_with(table: TextTable, steps: Sequence[Step]) -> str:
    """The name of the step that a small table stands beside; empty for the stage's end.

    A table of Phi that names no step stands with the first one that reads its numbers.
    """
    if table.phi_of and not table.at:
        return next((step.name for step in steps if table.phi_of in reads(step.expr)), "")
    return table.at

"""Names of the lesson at hand, so that what is shown as an example can be typed as it stands."""

from __future__ import annotations

from dataclasses import dataclass

from tui_attention.lessons.load import names
from tui_attention.walk.visible import VisibleLesson


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


def examples(visible: VisibleLesson) -> Examples:
    """Examples for a lesson, the same at every step."""
    cell, dial = visible.example_cell(), visible.example_dial()
    return Examples(
        visible.stages[len(visible.stages) // 2].id,
        visible.short(cell),
        cell.tensor,
        str(dial or cell.tensor),
        dial.tensor if dial else "",
        next((name for name in names() if name != visible.id), visible.id),
        visible.inputs.prompt,
    )

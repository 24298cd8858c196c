"""The working of one cell, line by line, as the pencil goes."""

from __future__ import annotations

from collections.abc import Sequence

from tui_attention.render.answer_panel import pencil_rows
from tui_attention.render.rows import EMPTY, CellKey, Row, Span, paragraph, text_row
from tui_attention.ui.screens.page import PageScreen
from tui_attention.walk.visible import VisibleLesson


def working_rows(visible: VisibleLesson, cell: CellKey, width: int) -> list[Row]:
    """The pencil line, then each line with one more operation done; the operands with their addresses."""
    rows = pencil_rows(visible, cell, width, 12)
    steps = visible.steps(cell.ref)
    if len(steps) > 1:
        rows += [EMPTY, text_row("step by step, from the printed rows", "section")]
        for step in steps:
            rows += paragraph(step, width, "pencil", (Span("  = ", "head"),))
    operands = visible.operands(cell.ref)
    if operands:
        rows += [EMPTY, text_row("from", "section")]
        for operand in operands:
            rows.append((Span(f"  {visible.short(operand):<14}", "name"), Span(visible.show(operand), "number")))
    return rows


class WorkingScreen(PageScreen):
    """Where one cell comes from."""

    def __init__(self, visible: VisibleLesson, cell: CellKey, short: str) -> None:
        super().__init__(f"where {short} comes from")
        self.lesson, self.cell = visible, cell

    def make(self, width: int) -> Sequence[Row]:
        return working_rows(self.lesson, self.cell, width)

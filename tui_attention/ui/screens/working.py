"""The working of one cell, line by line, as the pencil goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui_attention.render.answer_panel import pencil_rows
from tui_attention.render.rows import EMPTY, CellKey, Row, Span, paragraph, text_row
from tui_attention.ui.screens.page import PageScreen
from tui_attention.walk.visible import VisibleLesson

if TYPE_CHECKING:
    from tui_attention.ui.attention import AttentionApp


def working_rows(visible: VisibleLesson, cell: CellKey, width: int) -> list[Row]:
    """The pencil line, then each line with one more operation done; the operands with their addresses."""
    rows = pencil_rows(visible, cell, width, 12)
    steps = visible.steps(cell.name, cell.at)
    if len(steps) > 1:
        rows += [EMPTY, text_row("step by step, from the printed rows", "section")]
        for step in steps:
            rows += paragraph(step, width, "pencil", (Span("  = ", "head"),))
    operands = visible.operands(cell.name, cell.at)
    if operands:
        rows += [EMPTY, text_row("from", "section")]
        for operand in operands:
            rows.append((Span(f"  {operand.address:<14}", "name"), Span(visible.show(operand), "number")))
    return rows


def working_page(app: AttentionApp) -> PageScreen | None:
    """The working of the cell at the cursor as a layer."""
    cell = app.seat.cursor
    if cell is None:
        return None
    visible = app.seat.walk.visible
    title = f"where {app.seat.walk.run.graph.tensor(cell.name).short(cell.at)} comes from"
    return PageScreen(
        app.text_styles, title, lambda width: working_rows(visible, cell, width), ascii=app.main.panel.ascii
    )

"""The working of one cell, line by line, as the pencil goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui_attention.render.desk import pencil_rows
from tui_attention.render.rows import EMPTY, CellKey, Frag, Row, paragraph, text_row
from tui_attention.ui.screens.page import Page
from tui_attention.walk.sight import Sight

if TYPE_CHECKING:
    from tui_attention.ui.attention import AttentionApp


def working_rows(sight: Sight, cell: CellKey, width: int) -> list[Row]:
    """The pencil line, then each line with one more operation done; the operands with their addresses."""
    rows = pencil_rows(sight, cell, width, 12)
    steps = sight.steps(cell.name, cell.at)
    if len(steps) > 1:
        rows += [EMPTY, text_row("step by step, from the printed rows", "section")]
        for step in steps:
            rows += paragraph(step, width, "pencil", (Frag("  = ", "head"),))
    operands = sight.operands(cell.name, cell.at)
    if operands:
        rows += [EMPTY, text_row("from", "section")]
        for operand in operands:
            rows.append((Frag(f"  {operand.address:<14}", "name"), Frag(sight.show(operand), "number")))
    return rows


def working_page(app: AttentionApp) -> Page | None:
    """The working of the cell at the cursor as a layer."""
    cell = app.seat.cursor
    if cell is None:
        return None
    sight = app.seat.walk.sight
    title = f"where {app.seat.walk.course.graph.tensor(cell.name).short(cell.at)} comes from"
    return Page(app.inks, title, lambda width: working_rows(sight, cell, width), ascii=app.main.panel.ascii)

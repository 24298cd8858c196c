"""What a command answers at length, as a page; a line about a cell leads there."""

from __future__ import annotations

from collections.abc import Sequence

from tui_attention.interaction.messages import ReplyPage
from tui_attention.render.rows import Link, Row, Span, cut, paragraph
from tui_attention.ui.screens.page import PageScreen


class ReplyScreen(PageScreen):
    """A command's page."""

    LINKED = True

    def __init__(self, page: ReplyPage) -> None:
        super().__init__(page.title)
        self.page = page

    def make(self, width: int) -> Sequence[Row]:
        rows: list[Row] = []
        for line in self.page.lines:
            if line.ref is not None:
                rows.append(cut((Span(line.text, line.style, Link("goto", str(line.ref))),), width))
            else:
                rows += (
                    paragraph(line.text, width, line.style)
                    if line.style == "told"
                    else [cut((Span(line.text, line.style),), width)]
                )
        return rows

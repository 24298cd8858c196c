"""What is paid, borrowed and open: the ledger, and the end of a lesson."""

from __future__ import annotations

from collections.abc import Sequence

from tui_attention.interaction.summary import Summary
from tui_attention.render.ledger import ledger_rows, open_rows
from tui_attention.render.rows import EMPTY, Link, Row, Span, paragraph
from tui_attention.ui.screens.page import PageScreen


class LedgerScreen(PageScreen):
    """Counts by stage, and what is open, as links to where it is asked."""

    LINKED = True

    def __init__(self, summary: Summary, title: str = "ledger") -> None:
        super().__init__(title)
        self.summary = summary

    def make(self, width: int) -> Sequence[Row]:
        return [*ledger_rows(self.summary, width), EMPTY, *open_rows(self.summary, width)]


class EndScreen(LedgerScreen):
    """After the last step: counts, what is open, the next lesson."""

    def __init__(self, summary: Summary) -> None:
        super().__init__(summary, "the end")

    def make(self, width: int) -> Sequence[Row]:
        done = self.summary
        rows = [*paragraph(f"That was the last step of {done.title}.", width, "told"), EMPTY]
        if done.written:
            rows += [*paragraph(done.written, width, "good"), EMPTY]
        if done.following:
            link = Span(done.following_title, "name", Link("lesson", done.following))
            rows += [(Span("The next lesson: ", "section"), link), EMPTY]
        return [*rows, *super().make(width)]

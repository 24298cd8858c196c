"""What is paid, borrowed and open: the ledger, and the end of a lesson."""

from __future__ import annotations

from collections.abc import Sequence

from tui_attention.lessons.load import following, load
from tui_attention.render.ledger import ledger_rows, open_rows
from tui_attention.render.rows import EMPTY, Link, Row, Span, paragraph
from tui_attention.ui.screens.page import PageScreen
from tui_attention.walk.walk import Walk


class LedgerScreen(PageScreen):
    """Counts by stage, and what is open, as links to where it is asked."""

    LINKED = True

    def __init__(self, walk: Walk, title: str = "ledger") -> None:
        super().__init__(title)
        self.walk = walk

    def make(self, width: int) -> Sequence[Row]:
        return [*ledger_rows(self.walk, width), EMPTY, *open_rows(self.walk, width)]


class EndScreen(LedgerScreen):
    """After the last step: counts, what is open, the next lesson."""

    def __init__(self, walk: Walk) -> None:
        super().__init__(walk, "the end")

    def make(self, width: int) -> Sequence[Row]:
        lesson = self.walk.run.lesson
        coming = following(lesson)
        rows = [*paragraph(f"That was the last step of {lesson.title}.", width, "told"), EMPTY]
        if coming:
            link = Span(load(coming).title, "name", Link("lesson", coming))
            rows += [(Span("The next lesson: ", "section"), link), EMPTY]
        return [*rows, *super().make(width)]

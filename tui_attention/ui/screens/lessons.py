"""The list of lessons."""

from __future__ import annotations

from collections.abc import Sequence

from tui_attention.lessons.load import load, names
from tui_attention.render.rows import EMPTY, Link, Row, Span, paragraph
from tui_attention.ui.screens.page import PageScreen


def lessons_rows(width: int, here: str) -> list[Row]:
    """Each lesson's title and its one line; the one that is open is marked."""
    rows: list[Row] = []
    for name in names():
        lesson = load(name)
        mark = "▶ " if name == here else "  "
        rows.append(
            (Span(mark, "now"), Span(lesson.title, "title", Link("lesson", name)), Span(f"   {name}", "standard"))
        )
        rows += [(Span("  "), *row) for row in paragraph(lesson.summary, max(16, width - 2), "told")]
        rows.append(EMPTY)
    return rows


class LessonsScreen(PageScreen):
    """The lessons that come with the program; `here` is the one that is open."""

    LINKED = True

    def __init__(self, here: str) -> None:
        super().__init__("lessons")
        self.here = here

    def make(self, width: int) -> Sequence[Row]:
        return lessons_rows(width, self.here)

"""The list of lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui_attention.lessons.load import load, names
from tui_attention.render.rows import EMPTY, Link, Row, Span, paragraph
from tui_attention.ui.screens.page import PageScreen

if TYPE_CHECKING:
    from tui_attention.ui.attention import AttentionApp


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


def lessons_page(app: AttentionApp) -> PageScreen:
    """The lessons as a layer."""
    here = app.seat.walk.run.lesson.id

    def follow(link: Link) -> bool:
        app.change_lesson(link.argument)
        return True

    return PageScreen(
        app.text_styles, "lessons", lambda width: lessons_rows(width, here), ascii=app.main.panel.ascii, follow=follow
    )

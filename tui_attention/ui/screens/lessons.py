"""The list of lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui_attention.lessons.load import load, names
from tui_attention.render.rows import EMPTY, Frag, Link, Row, paragraph
from tui_attention.ui.screens.page import Page

if TYPE_CHECKING:
    from tui_attention.ui.attention import AttentionApp


def lessons_rows(width: int, here: str) -> list[Row]:
    """Each lesson's title and its one line; the one that is open is marked."""
    rows: list[Row] = []
    for name in names():
        lesson = load(name)
        mark = "▶ " if name == here else "  "
        rows.append(
            (Frag(mark, "now"), Frag(lesson.title, "title", Link("lesson", name)), Frag(f"   {name}", "standard"))
        )
        rows += [(Frag("  "), *row) for row in paragraph(lesson.summary, max(16, width - 2), "told")]
        rows.append(EMPTY)
    return rows


def lessons_page(app: AttentionApp) -> Page:
    """The lessons as a layer."""
    here = app.seat.walk.course.lesson.id

    def follow(link: Link) -> bool:
        app.change_lesson(link.argument)
        return True

    return Page(
        app.inks, "lessons", lambda width: lessons_rows(width, here), ascii=app.main.panel.ascii, follow=follow
    )

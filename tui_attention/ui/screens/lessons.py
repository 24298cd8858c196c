"""The list of lessons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tui_attention.engine.errors import LessonError
from tui_attention.lessons.load import Shelf, load, names
from tui_attention.models.opening import guided_outline
from tui_attention.render.rows import EMPTY, Link, Row, Span, paragraph
from tui_attention.ui.screens.page import PageScreen


def lessons_rows(width: int, here: str, own: Mapping[str, Path] | None = None) -> list[Row]:
    """Each lesson's title and its one line; the open one is marked. `own` are the own lessons' files by id."""
    rows: list[Row] = []
    files = own or {}
    for name in (*names(), *files):
        try:
            lesson = load(str(files.get(name, name)))
        except LessonError as error:
            rows += [(Span("  "), *row) for row in paragraph(str(error), max(16, width - 2), "told")]
            continue
        mark = "▶ " if name == here else "  "
        rows.append(
            (Span(mark, "now"), Span(lesson.title, "title", Link("lesson", name)), Span(f"   {name}", "standard"))
        )
        rows += [(Span("  "), *row) for row in paragraph(lesson.summary, max(16, width - 2), "told")]
        rows.append(EMPTY)
    guided = guided_outline()
    at = Span("▶ " if guided.id == here else "  ", "now")
    title = Span(guided.title, "title", None if guided.missing else Link("lesson", guided.id))
    rows.append((at, title, Span(f"   {guided.id}", "standard")))
    for told in filter(None, (guided.summary, guided.missing)):
        rows += [(Span("  "), *row) for row in paragraph(told, max(16, width - 2), "told")]
    rows.append(EMPTY)
    return rows


class LessonsScreen(PageScreen):
    """The lessons that come with the program, and the own ones; `here` is the one that is open."""

    LINKED = True

    def __init__(self, here: str, shelf: Shelf | None = None) -> None:
        super().__init__("lessons")
        self.here, self.shelf = here, shelf or Shelf()

    def make(self, width: int) -> Sequence[Row]:
        return lessons_rows(width, self.here, self.shelf.files())

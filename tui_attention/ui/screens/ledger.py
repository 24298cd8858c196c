"""What is paid, borrowed and open: the ledger, and the end of a lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui_attention.lessons.load import following, load
from tui_attention.render.ledger import ledger_rows, open_rows
from tui_attention.render.rows import EMPTY, Link, Row, Span, paragraph
from tui_attention.ui.screens.page import PageScreen
from tui_attention.walk.places import Place

if TYPE_CHECKING:
    from tui_attention.ui.attention import AttentionApp


def ledger_page(app: AttentionApp) -> PageScreen:
    """The ledger as a layer."""

    def rows(width: int) -> list[Row]:
        return [*ledger_rows(app.seat.walk, width), EMPTY, *open_rows(app.seat.walk, width)]

    return PageScreen(
        app.text_styles, "ledger", rows, ascii=app.main.panel.ascii, follow=lambda link: follow(app, link)
    )


def end_page(app: AttentionApp) -> PageScreen:
    """After the last step: counts, what is open, the next lesson."""
    lesson = app.seat.walk.run.lesson
    coming = following(lesson)

    def rows(width: int) -> list[Row]:
        told = paragraph(f"That was the last step of {lesson.title}.", width, "told")
        found = [*told, EMPTY]
        if coming:
            link = Span(load(coming).title, "name", Link("lesson", coming))
            found += [(Span("The next lesson: ", "section"), link), EMPTY]
        return [*found, *ledger_rows(app.seat.walk, width), EMPTY, *open_rows(app.seat.walk, width)]

    return PageScreen(
        app.text_styles, "the end", rows, ascii=app.main.panel.ascii, follow=lambda link: follow(app, link)
    )


def follow(app: AttentionApp, link: Link) -> bool:
    """To an open CHECK or another lesson."""
    if link.action == "lesson":
        app.change_lesson(link.argument)
        return True
    stage, _, step = link.argument.partition(".")
    app.seat.walk.move(Place(int(stage), int(step or 0)))
    app.seat.settle_in()
    app.main.chosen = int(stage)
    app.main.follow = True
    app.main.draw()
    return True

"""The glossary as a layer: a term leads to the stage that earns it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui_attention.lessons.load import glossary
from tui_attention.render.glossary import glossary_rows
from tui_attention.render.rows import Link
from tui_attention.ui.screens.page import PageScreen

if TYPE_CHECKING:
    from tui_attention.ui.attention import AttentionApp


def glossary_page(app: AttentionApp) -> PageScreen:
    """The glossary as a layer."""

    def follow(link: Link) -> bool:
        lesson, _, stage = link.argument.partition("/")
        app.change_lesson(lesson or app.seat.walk.run.lesson.id, stage)
        return True

    return PageScreen(
        app.text_styles,
        "glossary",
        lambda width: glossary_rows(glossary(), width),
        ascii=app.main.panel.ascii,
        follow=follow,
    )

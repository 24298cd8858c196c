"""The glossary as a layer: a term leads to the stage that earns it."""

from __future__ import annotations

from collections.abc import Sequence

from tui_attention.lessons.load import glossary
from tui_attention.render.glossary import glossary_rows
from tui_attention.render.rows import Row
from tui_attention.ui.screens.page import PageScreen
from tui_attention.walk.visible import VisibleLesson


class GlossaryScreen(PageScreen):
    """Plain names beside the standard ones, covered until they are earned."""

    LINKED = True

    def __init__(self, visible: VisibleLesson) -> None:
        super().__init__("glossary")
        self.lesson = visible

    def make(self, width: int) -> Sequence[Row]:
        return glossary_rows(self.lesson.terms(glossary()), width)

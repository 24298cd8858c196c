"""The glossary as a layer: a term leads to the stage that earns it."""

from __future__ import annotations

from collections.abc import Sequence

from tui_attention.lessons.load import glossary
from tui_attention.render.glossary import glossary_rows
from tui_attention.render.rows import Row
from tui_attention.ui.screens.page import PageScreen


class GlossaryScreen(PageScreen):
    """Plain names beside the standard ones."""

    LINKED = True

    def __init__(self) -> None:
        super().__init__("glossary")

    def make(self, width: int) -> Sequence[Row]:
        return glossary_rows(glossary(), width)

"""What every layer above the lesson is: framed rows that scroll, a footer with its keys, closed with Esc."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Final

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ScreenResultType

from tui_attention.render.pipeline import footer_row
from tui_attention.render.rows import Row, text_row, wrap
from tui_attention.ui.guards.layer import GuardedLayer
from tui_attention.ui.lines import BarLines, Lines

LEAST: Final = (20, 6)
"""Columns and rows below which a layer shows no more than that."""


def too_small(columns: int, rows: int, least: tuple[int, int]) -> list[Row]:
    """What is shown where a screen has no room."""
    says = f"{columns}x{rows} is too small: {least[0]}x{least[1]} is needed, or run tui-attention plain."
    return [text_row(line, "told") for line in wrap(says, max(8, columns))]


class Layer(GuardedLayer[ScreenResultType]):
    """A layer. What it shows is drawn by `paint`, which is never called with less room than `LEAST`."""

    CSS_PATH = str(Path(__file__).with_name("layer.tcss"))  # for subclasses elsewhere, too
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "close", show=False),
        Binding("ctrl+c", "copy_or_close", show=False),
    ]

    lines = getters.query_one("#body", Lines)
    bottom = getters.query_one("#keys", Lines)

    def __init__(self) -> None:
        super().__init__()
        self.top = 0

    def compose(self) -> ComposeResult:
        yield Lines(id="body")
        yield BarLines(id="keys")

    def draw(self) -> None:
        columns, rows = self.app.size
        small = columns < LEAST[0] or rows < LEAST[1]
        self.bottom.display = not small
        if small:
            self.lines.show(too_small(columns, rows, LEAST))
            return
        width, height = self.lines.size
        if width < LEAST[0] or height < LEAST[1] - 1:
            return  # its own new size is on the way, and is drawn when it is there
        self.paint(width, height)
        self.bottom.show([footer_row([("", key, word) for key, word in self.keys()], self.bottom.size.width)])

    def paint(self, width: int, height: int) -> None:
        """Show what there is on so many columns and rows."""

    def keys(self) -> Sequence[tuple[str, str]]:
        """The keys that the footer names, and what they do."""
        return ()

    # ------------------------------------------------------------ actions

    def action_close(self) -> None:
        self.dismiss(None)

    def action_copy_or_close(self) -> None:
        selected = self.get_selected_text()
        if selected:
            self.app.copy_to_clipboard(selected)
            self.clear_selection()
        else:
            self.action_close()

    def scroll_rows(self, by: int) -> None:
        """So many rows on or back."""
        self.top = max(0, self.top + by)
        self.redraw()

    def on_lines_wheeled(self, message: Lines.Wheeled) -> None:
        self.scroll_rows(3 * message.direction)

"""A layer that is a page of rows: it scrolls, and its links can be chosen and followed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from tui_attention.render.frame import frame
from tui_attention.render.rows import Link, Row
from tui_attention.ui.lines import Lines
from tui_attention.ui.screens.layer import Layer


class PageScreen(Layer[Link | None]):
    """A titled page; the link that is followed is its result. Its rows are made once for each width."""

    LINKED: ClassVar[bool] = False
    """Whether its links can be followed."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup,left_square_bracket,p", "turn_page(-1)", show=False),
        Binding("pagedown,right_square_bracket,space,n", "turn_page(1)", show=False),
        Binding("home", "end(-1)", show=False),
        Binding("end", "end(1)", show=False),
        Binding("enter", "choose", show=False),
    ]

    def __init__(self, title: str) -> None:
        super().__init__()
        self.page_title = title
        self.chosen = 0
        self._body = 1
        self._made: tuple[int, list[Row], list[int]] = (0, [], [])

    def make(self, width: int) -> Sequence[Row]:
        """The page's rows for so many columns."""
        raise NotImplementedError

    # ------------------------------------------------------------ drawing

    def paint(self, width: int, height: int) -> None:
        if self._made[0] != width:
            made = list(self.make(width - 4))
            linked = [y for y, row in enumerate(made) if self.LINKED and _link(row) is not None]
            self._made = width, made, linked
        _, made, linked = self._made
        rows = made
        if linked:
            self.chosen = min(self.chosen, len(linked) - 1)
            y = linked[self.chosen]
            chosen = (span._replace(style="chosen") if isinstance(span.key, Link) else span for span in made[y])
            rows = [*made[:y], tuple(chosen), *made[y + 1 :]]
        self.top = min(self.top, max(0, len(rows) - (height - 2)))
        framed = frame(rows, self.top, (), (width, height), title=self.page_title)
        self.top, self._body = framed.top, framed.body
        self.lines.show(framed.rows)

    def keys(self) -> Sequence[tuple[str, str]]:
        linked = [("up down", "choose"), ("enter", "go there")]
        return [*(linked if self._made[2] else [("up down", "scroll")]), ("esc", "close")]

    # ------------------------------------------------------------ actions

    def action_move(self, by: int) -> None:
        linked = self._made[2]
        if not linked:
            self.scroll_rows(by)
            return
        self.chosen = max(0, min(len(linked) - 1, self.chosen + by))
        y = linked[self.chosen]
        self.top = y if y < self.top else max(self.top, y - self._body + 1)
        self.redraw()

    def action_turn_page(self, by: int) -> None:
        self.scroll_rows(by * max(1, self._body - 2))

    def action_end(self, by: int) -> None:
        self.top = 0 if by < 0 else len(self._made[1])
        self.redraw()

    def action_choose(self) -> None:
        _, made, linked = self._made
        if linked:
            self.dismiss(_link(made[linked[min(self.chosen, len(linked) - 1)]]))

    def on_lines_clicked(self, message: Lines.Clicked) -> None:
        if not isinstance(message.key, Link):
            return
        if message.key.action in ("scroll_up", "scroll_down"):
            self.action_turn_page(-1 if message.key.action == "scroll_up" else 1)
        elif self.LINKED:
            self.dismiss(message.key)


def _link(row: Row) -> Link | None:
    return next((span.key for span in row if isinstance(span.key, Link)), None)

"""A layer of rows above the lesson: scrolls, follows links, closes with Esc."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from tui_attention.render.frame import frame
from tui_attention.render.pipeline import footer_row
from tui_attention.render.rows import Link, Row
from tui_attention.ui.colours import Styles
from tui_attention.ui.guarded import Layer
from tui_attention.ui.lines import Lines

Rows = Callable[[int], Sequence[Row]]
Follow = Callable[[Link], bool]


class PageScreen(Layer[None]):
    """A titled page. `rows` makes it for a width; `follow` takes a chosen link and tells whether to close."""

    CSS = """
    PageScreen { background: $background; overflow: hidden; }
    PageScreen #page { width: 100%; height: 1fr; }
    PageScreen #page-footer { dock: bottom; height: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss_page", "close", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup,left_square_bracket,p", "turn_page(-1)", show=False),
        Binding("pagedown,right_square_bracket,space,n", "turn_page(1)", show=False),
        Binding("home", "end(-1)", show=False),
        Binding("end", "end(1)", show=False),
        Binding("enter", "choose", show=False),
        Binding("ctrl+c", "copy_or_close", show=False),
    ]

    def __init__(
        self, text_styles: Styles, title: str, rows: Rows, *, ascii: bool = False, follow: Follow | None = None
    ) -> None:
        super().__init__()
        self.page_title, self.make, self.follow = title, rows, follow
        self.lines = Lines(text_styles, ascii=ascii, id="page", focus=True)
        self.bottom = Lines(text_styles, ascii=ascii, fill="bar", id="page-footer")
        self.top = 0
        self.chosen = 0
        self.body = 1

    def compose(self) -> ComposeResult:
        yield self.lines
        yield self.bottom

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.draw)

    def on_mount(self) -> None:
        self.call_after_refresh(self.draw)

    def links(self, rows: Sequence[Row]) -> list[int]:
        """The rows that hold a link."""
        return [y for y, row in enumerate(rows) if self.follow and any(isinstance(span.key, Link) for span in row)]

    def draw(self) -> None:
        width, height = self.lines.size
        if width < 8 or height < 4:
            return
        rows = list(self.make(width - 4))
        linked = self.links(rows)
        if linked:
            self.chosen = max(0, min(self.chosen, len(linked) - 1))
            y = linked[self.chosen]
            rows[y] = tuple(span._replace(style="chosen") if isinstance(span.key, Link) else span for span in rows[y])
        made = frame(rows, self.top, (), (width, height), title=self.page_title)
        self.top, self.body = made.top, made.body
        self.lines.show(made.rows)
        keys = [("", "up down", "choose"), ("", "enter", "go there")] if linked else [("", "up down", "scroll")]
        self.bottom.show([footer_row([*keys, ("", "esc", "close")], self.bottom.size.width)])

    def action_move(self, by: int) -> None:
        linked = self.links(list(self.make(self.lines.size.width - 4)))
        if linked:
            self.chosen = max(0, min(len(linked) - 1, self.chosen + by))
            y = linked[self.chosen]
            self.top = y if y < self.top else max(self.top, y - self.body + 1)
        else:
            self.top = max(0, self.top + by)
        self.draw()

    def action_turn_page(self, by: int) -> None:
        self.top = max(0, self.top + by * max(1, self.body - 2))
        self.draw()

    def action_end(self, by: int) -> None:
        self.top = 0 if by < 0 else 100_000
        self.draw()

    def action_choose(self) -> None:
        rows = list(self.make(self.lines.size.width - 4))
        linked = self.links(rows)
        if linked:
            self._go(next(span.key for span in rows[linked[self.chosen]] if isinstance(span.key, Link)))

    def _go(self, link: Link) -> None:
        if self.follow is not None and self.follow(link):
            self.dismiss(None)

    def action_dismiss_page(self) -> None:
        self.dismiss(None)

    def action_copy_or_close(self) -> None:
        selected = self.get_selected_text()
        if selected:
            self.app.copy_to_clipboard(selected)
            self.clear_selection()
        else:
            self.dismiss(None)

    def on_lines_clicked(self, message: Lines.Clicked) -> None:
        if isinstance(message.key, Link):
            if message.key.action in ("scroll_up", "scroll_down"):
                self.action_turn_page(-1 if message.key.action == "scroll_up" else 1)
            else:
                self._go(message.key)

    def on_lines_wheeled(self, message: Lines.Wheeled) -> None:
        self.top = max(0, self.top + 3 * message.direction)
        self.draw()

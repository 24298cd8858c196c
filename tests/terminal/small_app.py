"""A small Textual app that plugs in what `tui_attention.ui.terminal` offers, as the real one does."""

from __future__ import annotations

import os
import sys
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Footer, Input, Label, Static

from tui_attention.ui.guards.app import GuardedApp
from tui_attention.ui.guards.driver import TerminalBackground


class SmallApp(GuardedApp[None]):
    CSS = """
    Static { background: $primary; color: $text; height: 3; }
    Horizontal { height: 1; }
    Label { width: 12; }
    Input { width: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "step(1)", "next"),
        Binding("p", "step(-1)", "back"),
        Binding("e", "edit", "edit"),
        Binding("x", "crash", "crash"),
        Binding("q", "quit", "quit"),
        Binding("escape", "leave", "leave", show=False),
        Binding("ctrl+c", "quit", show=False, priority=True),
    ]
    AUTO_FOCUS = None
    ENABLE_COMMAND_PALETTE = False

    def __init__(self) -> None:
        super().__init__(os.environ)
        if self.policy.ansi:
            self.theme = "ansi-dark"
        self.step = 1

    def compose(self) -> ComposeResult:
        yield Static(Text("step 1", style="bold #ff8800 on #002244"), id="step")
        yield Static("unasked", id="background")
        with Horizontal():
            yield Label()
            yield Input(placeholder="answer", compact=True)
        yield Footer()

    def on_terminal_background(self, message: TerminalBackground) -> None:
        self.query_one("#background", Static).update("dark" if message.dark else "light")

    def action_step(self, by: int) -> None:
        self.step += by
        self.query_one("#step", Static).update(Text(f"step {self.step}", style="bold #ff8800"))

    def action_edit(self) -> None:
        line = self.query_one(Input)
        line.select_on_focus = False
        line.focus()

    def action_leave(self) -> None:
        self.set_focus(None)

    def on_descendant_focus(self) -> None:
        self.query_one(Label).update("your number" if isinstance(self.focused, Input) else "")

    def on_descendant_blur(self) -> None:
        self.query_one(Label).update("")

    def on_key(self, event: events.Key) -> None:
        """A digit, a sign, `(` or `=` opens the answer line, as in the real app."""
        if self.focused is None and event.character and event.character in "0123456789.-+(=":
            line = self.query_one(Input)
            line.value = event.character
            line.cursor_position = 1
            self.action_edit()

    def action_crash(self) -> None:
        if "may-crash" in sys.argv:
            raise RuntimeError("asked to crash")


if __name__ == "__main__":
    app = SmallApp()
    app.run()
    sys.exit(app.return_code or 0)

"""The app: one learner's session on a terminal, its themes, and the lesson's screen, where everything else is."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import BindingType

from tui_attention.session import Session
from tui_attention.ui.colours import ANSI, BOARD, OURS, PAPER
from tui_attention.ui.painting import PaintedApp
from tui_attention.ui.screens.main import MainScreen
from tui_attention.ui.terminal import background_from_env

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.theme import Theme

    from tui_attention.ui.guards.driver import TerminalBackground
    from tui_attention.ui.seat import Seat


class AttentionApp(PaintedApp[None], inherit_bindings=False):
    """Textual's app around a session. Its keys are the table's alone: Textual's own Ctrl+Q would quit at once."""

    TITLE = "tui-attention"
    # A default screen's own CSS is not loaded; whole, since subclasses are in other folders.
    CSS_PATH = str(Path(__file__).parent / "screens" / "main.tcss")
    BINDINGS: ClassVar[list[BindingType]] = []
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, session: Session) -> None:
        env = session.options.env
        super().__init__(env)
        self.session = session
        self._background = background_from_env(env) or "dark"
        self._chosen = session.setting("theme")
        self.register_theme(BOARD)
        self.register_theme(PAPER)
        self._followed = self._first_theme()
        self.theme = self._followed
        self.use_styles(self.current_theme)
        self.main = self.lesson_screen()

    @property
    def seat(self) -> Seat:
        """Where the learner sits now: another lesson is another seat."""
        return self.main.seat

    def lesson_screen(self) -> MainScreen:
        """The screen of the lesson."""
        return MainScreen(self.session, ascii=not self.speaks_unicode)

    def get_default_screen(self) -> Screen[Any]:
        return self.main

    def on_mount(self) -> None:
        self.theme_changed_signal.subscribe(self, self._recolour)
        self.set_timer(1.0, _tidy)

    # ------------------------------------------------------------ colours

    def _first_theme(self) -> str:
        if self.policy.ansi:
            return ANSI[self._background]
        if self._chosen in self.available_themes:
            return str(self._chosen)
        return OURS[self._background]

    def _recolour(self, theme: Theme) -> None:
        self.use_styles(theme)
        if theme.name != self._followed:
            self._chosen = theme.name
            self.session.set_setting("theme", theme.name)

    def on_terminal_background(self, message: TerminalBackground) -> None:
        """The terminal says whether it is dark: followed unless a theme was chosen."""
        self._background = "dark" if message.dark else "light"
        if not self._chosen:
            self._followed = self._first_theme()
            self.theme = self._followed


def _tidy() -> None:
    """The start is over: what it made is kept out of the way of the garbage collector, which works again."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()

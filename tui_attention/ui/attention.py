"""The app: one learner's session on a terminal. It opens screens and keeps what is to be kept; no lesson logic."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import SystemCommand
from textual.binding import BindingType
from textual.screen import Screen
from textual.worker import get_current_worker

from tui_attention.render.glyphs import speaks_unicode
from tui_attention.session import Session
from tui_attention.ui import terminal
from tui_attention.ui.colours import ANSI, BOARD, OURS, PAPER, Styles, styles_of
from tui_attention.ui.filters import AsciiOnly
from tui_attention.ui.guarded import GuardedApp
from tui_attention.ui.keys import KEYS
from tui_attention.ui.screens.main import MainScreen
from tui_attention.ui.seat import Seat
from tui_attention.walk.places import after

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.theme import Theme
    from textual.timer import Timer

    from tui_attention.ui.driver import TerminalBackground


LOOK_AHEAD_AFTER = 0.25
"""Seconds without a step after which the next ones are looked at."""
LOOK_AHEAD = 6
"""How many: some people read a while and then step on quickly."""


class AttentionApp(GuardedApp[None], inherit_bindings=False):
    """Textual's app around a session. Its keys are the table's alone: Textual's own Ctrl+Q would quit at once."""

    TITLE = "tui-attention"
    CSS_PATH = "screens/main.tcss"
    BINDINGS: ClassVar[list[BindingType]] = []
    ENABLE_COMMAND_PALETTE = True

    def __init__(self, session: Session) -> None:
        env = session.options.env
        self.session = session
        super().__init__(env)
        self._unicode = speaks_unicode(env)
        if not self._unicode:
            self._filters.append(AsciiOnly())
        self._background = terminal.background_from_env(env) or "dark"
        self._chosen = session.setting("theme")
        self._kept_draft = ("", "")
        self._ahead_timer: Timer | None = None
        self._told: str | None = None
        self.register_theme(BOARD)
        self.register_theme(PAPER)
        self._followed = self._first_theme()
        self.theme = self._followed
        self.text_styles: Styles = styles_of(self.current_theme, colourless=self.policy.colours == "none")
        self.seat = Seat(session.walk, ascii=not self._unicode)
        self.main = MainScreen(self.seat, self.text_styles, ascii=not self._unicode)

    @property
    def unsaved(self) -> bool:
        """Whether what is done now is lost at the end, though it was to be kept."""
        return self.session.options.save and not self.session.saves

    def trouble_to_tell(self) -> str | None:
        """The sentence on what is wrong with keeping progress, once."""
        trouble = self.session.trouble
        if trouble == self._told:
            return None
        self._told = trouble
        return trouble

    def get_default_screen(self) -> Screen[Any]:
        return self.main

    def on_mount(self) -> None:
        self.theme_changed_signal.subscribe(self, self._recolour)
        self._take_up()
        self.measure(self.seat)
        self.set_timer(1.0, _tidy)

    # ------------------------------------------------------------ colours

    def _first_theme(self) -> str:
        if self.policy.ansi:
            return ANSI[self._background]
        if self._chosen in self.available_themes:
            return str(self._chosen)
        return OURS[self._background]

    def _recolour(self, theme: Theme) -> None:
        self.text_styles = styles_of(theme, colourless=self.policy.colours == "none")
        for screen in self.screen_stack:
            for lines in screen.query("Lines"):
                lines.colour(self.text_styles)  # type: ignore[attr-defined]
        self.main.text_styles = self.text_styles
        if theme.name != self._followed:
            self._chosen = theme.name
            self.remember("theme", theme.name)

    def on_terminal_background(self, message: TerminalBackground) -> None:
        """The terminal says whether it is dark: followed unless a theme was chosen."""
        self._background = "dark" if message.dark else "light"
        if not self._chosen:
            self._followed = self._first_theme()
            self.theme = self._followed

    # ------------------------------------------------------------ keeping

    def remember(self, name: str, value: str) -> None:
        self.session.set_setting(name, value)

    def remember_draft(self) -> None:
        """Keep what is half typed, key by key: a kill may come after any of them, and a key costs 0.02 ms."""
        editor = self.seat.editor
        answers = editor is not None and editor.purpose in ("number", "sentence") and not editor.judged
        draft = (editor.target, editor.text) if editor is not None and answers else ("", "")
        if draft != self._kept_draft:
            self._kept_draft = draft
            self.session.save_draft(*draft)

    def _take_up(self) -> None:
        """An answer that was half typed when the lesson was left."""
        draft = self.session.draft
        self._kept_draft = ("", "")
        if draft is not None and draft.typed and self.seat.take_up(draft.cell, draft.typed):
            self._kept_draft = draft.cell, draft.typed

    # ------------------------------------------------------------ lessons and slow numbers

    def change_lesson(self, name: str, stage: str = "") -> None:
        """Another lesson, where it was left, or a stage of it. Raises BadInput."""
        if name != self.seat.walk.run.lesson.id:
            self.seat = Seat(self.session.change_lesson(name), ascii=not self._unicode)
            self.main.seat = self.seat
            self._take_up()
        if stage:
            self.seat.walk.goto(stage)
            self.seat.settle_in()
        self.main.chosen = self.seat.walk.place.stage
        self.main.follow = True
        self.main.fit(self.size.width, self.size.height)
        self.measure(self.seat)

    def measure(self, seat: Seat) -> None:
        """Compute what is measured when it is shown, beside the loop, and then show it."""
        from tui_attention.render.stage import needs_time

        last = seat.walk.place.step == len(seat.walk.stage.steps) - 1
        compare = bool(seat.walk.stage.compare) and last and not seat.compared
        if (needs_time(seat.walk) and not seat.slow) or compare:
            self.run_worker(lambda: self._measure(seat, compare), thread=True, exclusive=True, group="measure")

        self.look_ahead(seat)

    def look_ahead(self, seat: Seat) -> None:
        """While the learner reads, find out what the next steps will ask: that can take a tenth of a second."""
        if self._ahead_timer is not None:
            self._ahead_timer.stop()
        walk = seat.walk

        def look() -> None:
            worker, place = get_current_worker(), walk.place
            for _ in range(LOOK_AHEAD):
                place = after(walk.run.lesson, place)
                if worker.is_cancelled:
                    return
                walk.questions(place)

        def work() -> None:
            self.run_worker(look, thread=True, exclusive=True, group="ahead")

        self._ahead_timer = self.set_timer(LOOK_AHEAD_AFTER, work)

    def _measure(self, seat: Seat, compare: bool) -> None:
        from tui_attention.ui.measured import compared, warm

        warm(seat.walk)
        lines = compared(seat.walk) if compare else seat.compared
        self.call_from_thread(self._measured, seat, lines)

    def _measured(self, seat: Seat, lines: tuple[str, ...]) -> None:
        seat.slow, seat.compared = True, lines
        if seat is self.seat:
            self.main.draw()

    # ------------------------------------------------------------ layers

    def open_help(self) -> None:
        from tui_attention.ui.screens.help import help_page

        self.push_screen(help_page(self))

    def open_glossary(self) -> None:
        from tui_attention.ui.screens.glossary import glossary_page

        self.push_screen(glossary_page(self))

    def open_lessons(self) -> None:
        from tui_attention.ui.screens.lessons import lessons_page

        self.push_screen(lessons_page(self))

    def open_ledger(self) -> None:
        from tui_attention.ui.screens.ledger import ledger_page

        self.push_screen(ledger_page(self))

    def open_end(self) -> None:
        from tui_attention.ui.screens.ledger import end_page

        self.push_screen(end_page(self))

    def open_working(self) -> None:
        from tui_attention.ui.screens.working import working_page

        page = working_page(self)
        if page is not None:
            self.push_screen(page)

    def open_zoom(self) -> None:
        from tui_attention.ui.screens.zoom import ZoomScreen

        if self.seat.cursor is not None:
            self.push_screen(ZoomScreen(self))

    def save_stage(self) -> str:
        from tui_attention.ui.save import save_stage

        return save_stage(self)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Every action of the table of keys."""
        for key in KEYS:
            if key.palette:
                title = key.short.capitalize() + (f"  ({key.shown})" if key.shown else "")
                yield SystemCommand(title, key.tooltip, lambda action=key.id: self._from_palette(action))

    def _from_palette(self, action: str) -> None:
        """Do one action of the lesson's screen, with nothing above it: layers would pile up otherwise."""
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self.main.actions.run(action)


def _tidy() -> None:
    """The start is over: what it made is kept out of the way of the garbage collector, which works again."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()

"""An App and its upper screens without the faults that random keys find in Textual 8.2.8's own."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from traceback import format_exception
from typing import Any

from rich.text import Text
from textual import events, on, work
from textual.app import App, ComposeResult, ReturnType
from textual.await_complete import AwaitComplete
from textual.command import CommandList, CommandListItem, CommandPalette, SimpleProvider
from textual.css.query import NoMatches
from textual.driver import Driver
from textual.screen import ModalScreen, ScreenResultType
from textual.theme import ThemeProvider
from textual.widget import AwaitMount

from tui_attention.ui import terminal

CRASHED = "This is a fault of the program, not of yours."


class Layer(ModalScreen[ScreenResultType]):
    """The base of every screen of the app that dismisses itself.

    Textual's `dismiss` takes away whatever screen is on top: Enter and Escape in one burst dismiss a screen
    twice, and the second time takes the one below, or raises ScreenStackError and ends the app.
    """

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        if self.app.screen is not self:
            return _nothing()
        return super().dismiss(result)


class PaletteCommands(CommandList):
    """The palette's list, deaf to a click on a command that has just gone from it: Textual's ends the app."""

    async def _on_click(self, event: events.Click) -> None:
        if (event.style.meta.get("option") or 0) >= self.option_count:
            event.prevent_default().stop()


class Palette(CommandPalette):
    """The command palette: dismissed once (see `Layer`), and silent about a list that is not there.

    Textual's ends the app with KeyError on PageUp or PageDown before the list is drawn, and with NoMatches when
    it is dismissed before a search for what was typed last has begun.
    """

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield PaletteCommands() if isinstance(widget, CommandList) else widget

    def dismiss(self, result: None = None) -> AwaitComplete:
        if self.app.screen is not self:
            return _nothing()
        return super().dismiss(result)

    def _action_command_list(self, action: str) -> None:
        if action.startswith("page_") and not self.query_one(CommandList).scrollable_content_region:
            return
        super()._action_command_list(action)

    @work(exclusive=True, group=CommandPalette._GATHER_COMMANDS_GROUP)
    async def _gather_commands(self, search_value: str) -> None:
        with suppress(NoMatches):
            await _GATHER(self, search_value)


class GuardedApp(App[ReturnType]):
    """An App that reads any bytes, sends the colours the terminal has, and leaves by signals with their codes.

    `env` is the process's environment: TERM, COLORTERM and NO_COLOR count. `policy` is what came of it.
    """

    def __init__(self, env: Mapping[str, str], **options: Any) -> None:
        super().__init__(driver_class=terminal.driver_for(env), **options)
        self.policy = terminal.colour_policy(env)
        terminal.follow_colours(self, self.policy)

    def on_load(self) -> None:
        terminal.install_signal_exits(self)

    def _fatal_error(self) -> None:
        # Textual's shows a thousand lines with every local variable: covered numbers among them, and in colours.
        self._exit_renderables.append(Text("".join(format_exception(sys.exception() or self._exception)) + CRASHED))
        self._close_messages_no_wait()

    @on(Driver.SignalResume)
    def _repaint(self) -> None:
        """In the foreground again, the screen is empty: Textual's would draw only what changes from now on."""
        self.refresh(layout=True)

    async def on_event(self, event: events.Event) -> None:
        # A click on a widget that has just been removed: the selection looks for its parent and ends the app.
        if isinstance(event, events.MouseDown) and self._is_removed(event.x, event.y):
            return
        await super().on_event(event)

    def _is_removed(self, x: int, y: int) -> bool:
        if not self._screen_stack:
            return False
        widget, _ = self.screen.get_widget_and_offset_at(x, y)
        return widget is not None and widget is not self.screen and widget.parent is None

    def action_command_palette(self) -> None:
        # Without the id that Textual gives it: one that is still being taken away has it too, which ends the app.
        if self.use_command_palette and not isinstance(self.screen, Palette):
            self.push_screen(Palette())

    def search_commands(
        self, commands: Sequence[CommandListItem], placeholder: str = "Search for commands…"
    ) -> AwaitMount:
        # As Textual does: an instance, which stands for its class by being callable.
        provider: Any = SimpleProvider(self.screen, list(commands))
        return self.push_screen(Palette(providers=[provider], placeholder=placeholder))

    def search_themes(self) -> None:
        self.push_screen(Palette(providers=[ThemeProvider], placeholder="Search for themes…"))


_GATHER = CommandPalette._gather_commands.__wrapped__  # type: ignore[attr-defined]


def _nothing() -> AwaitComplete:
    done: AwaitComplete = AwaitComplete.nothing()  # type: ignore[no-untyped-call]
    return done

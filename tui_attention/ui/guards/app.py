"""An App whose input comes in one order, by one way, and not at all once leaving has begun.

What it guards against in Textual 8.2.8:

- A key travels through the queue of the widget that has the focus, then through those of all above it, and its
  action through another: keys that are typed while the focus changes, or that are bound, overtake one another
  (Textualize/textual#6605). Here a key is done with before the next one is looked at, whatever has the focus.
- Keys that come faster than they can be dealt with keep the screen as it was until the last of them: whoever takes
  them from the queue lets no other task run (no report found).
- A key reaches a screen that has not been laid out, and actions and sizes reach one that is being taken away: layers
  that open while the app ends keep it from ending (no report found).
- SIGTERM, SIGHUP and SIGQUIT leave raw mode, mouse reports and the alternate screen behind (Textualize/textual#5140).
- A crash prints a thousand lines with every local variable, covered numbers among them, and exits with 0
  (Textualize/textual#4325).
- In the foreground again (`fg`), only what changes from now on is drawn (Textualize/textual#1582).
- A window that has become smaller and larger again before the screen was told has the same size, but no longer the
  same contents: nothing is drawn (no report found).
- A click on a widget that has just been removed ends the app: the selection looks for its parent
  (Textualize/textual#5629).
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections import deque
from collections.abc import Mapping
from time import monotonic
from traceback import format_exception
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text
from textual import events, on
from textual.app import App, ReturnType
from textual.driver import Driver

from tui_attention.ui.guards.colours import follow_colours
from tui_attention.ui.guards.keyboard import Burst, EscapeTakenBack
from tui_attention.ui.guards.layer import GuardedScreen, is_leaving
from tui_attention.ui.terminal import asks_nothing, colour_policy

if TYPE_CHECKING:
    from textual.screen import Screen

CRASHED: Final = "This is a fault of the program, not of yours."
LONGEST_WAIT: Final = 0.05
"""Seconds that keys which come faster than they can be drawn may keep the screen as it was."""
PAINT_TURNS: Final = 4
"""Turns of the loop by which what has been drawn is painted: widget, screen and timer are tasks of their own."""
MOST_HELD: Final = 10_000
"""Keys kept for a screen that is not there yet."""


class GuardedApp(App[ReturnType]):
    """An App that reads any bytes, sends the colours the terminal has, and leaves by signals with their codes.

    `env` is the process's environment: TERM, COLORTERM and NO_COLOR count. `policy` is what came of it.
    """

    def __init__(self, env: Mapping[str, str], **options: Any) -> None:
        super().__init__(driver_class=_driver_for(env), **options)
        self.policy = colour_policy(env)
        self._held: deque[events.Event] = deque()
        self._drawn = 0.0
        follow_colours(self, self.policy)

    # ------------------------------------------------------------ input

    @property
    def leaving(self) -> bool:
        """Whether the app has been told to end or ends."""
        return is_leaving(self)

    def push_screen(self, screen: Any, callback: Any = None, *args: Any, **options: Any) -> Any:
        """As Textual's; what a screen leaves behind is heard as long as there is somebody to hear it."""

        def heard(result: Any) -> Any:
            return None if self.leaving else callback(result)

        return super().push_screen(screen, callback and heard, *args, **options)

    async def on_event(self, event: events.Event) -> None:
        if self.leaving and isinstance(event, events.InputEvent | events.Paste | events.Resize):
            return
        if isinstance(event, Burst):
            await self._at_once(event)
            return
        typed = isinstance(event, events.Key | events.Paste | EscapeTakenBack) and not event.is_forwarded
        if typed and isinstance(self._top, GuardedScreen):
            await self._typed(event)
            return
        if isinstance(event, events.MouseDown) and self._is_removed(event.x, event.y):
            return
        await super().on_event(event)

    async def _at_once(self, burst: Burst) -> None:
        """Marks that arrived at once: text where the screen takes it as one, else the keys in their order."""
        top = self._top
        if isinstance(top, GuardedScreen) and top.is_text(burst.text):
            await self._typed(events.Paste(burst.text))
            return
        for key in burst.keys:
            await self.on_event(key)

    @property
    def _top(self) -> Screen[Any] | None:
        return self._screen_stack[-1] if self._screen_stack else None

    async def _typed(self, event: events.Event) -> None:
        """One key or paste, in its turn: behind those that wait for a screen to be laid out."""
        if len(self._held) < MOST_HELD:
            self._held.append(event)
        await self._give_held()

    @property
    def _takes_input(self) -> bool:
        top = self._top
        return isinstance(top, GuardedScreen) and top.is_laid_out

    async def _give(self, event: events.Event) -> None:
        screen = self._top
        if not isinstance(screen, GuardedScreen):
            return
        taken = screen.take_input(event)
        if not taken and isinstance(event, events.Key):
            await self._check_bindings(event.key)
        screen.after_input()
        if self._draw_soon():
            for _ in range(PAINT_TURNS):
                await asyncio.sleep(0)

    async def on_laid_out(self) -> None:
        """What was typed for the screen meanwhile comes now, before anything that is typed later."""
        await self._give_held()

    async def _give_held(self) -> None:
        """What waits, as far as there is a screen that takes it: it may be another than the one it waited for."""
        while self._held and self._takes_input and not self.leaving:
            await self._give(self._held.popleft())
        if self.leaving:
            self._held.clear()

    # ------------------------------------------------------------ drawing

    def _draw_soon(self) -> bool:
        """Draw the screen when no further key is waiting, or now where it has waited for long enough."""
        top = self._top
        if not isinstance(top, GuardedScreen):
            return False
        top.stale = True
        waited = monotonic() - self._drawn >= LONGEST_WAIT
        if waited:
            self.on_idle()
        return waited

    def on_idle(self) -> None:
        top = self._top
        if isinstance(top, GuardedScreen) and not self.leaving and top.draw_if_stale():
            self._drawn = monotonic()

    def _check_resize(self) -> None:
        """Tell the screens the terminal's size; one that has it already draws itself anew all the same."""
        event = self._resize_event
        super()._check_resize()
        if event is not None and self._screen_stack and self.screen.outer_size == event.size and not self.leaving:
            self._repaint()

    # ------------------------------------------------------------ ends

    def on_load(self) -> None:
        """SIGTERM, SIGHUP, SIGQUIT and a SIGINT from outside end the app as `q` does, with 128 + their number.

        Ctrl+C is a key and not concerned. The caller of `app.run()` must hand on `app.return_code`.
        """
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
            loop.add_signal_handler(number, self._signalled, 128 + number)

    def _signalled(self, code: int) -> None:
        if self.return_code is None:  # the first reason counts
            self.exit(return_code=code)

    def _fatal_error(self) -> None:
        self._exit_renderables.append(Text("".join(format_exception(sys.exception() or self._exception)) + CRASHED))
        self._close_messages_no_wait()

    @on(Driver.SignalResume)
    def _repaint(self) -> None:
        self.refresh(layout=True)

    def _is_removed(self, x: int, y: int) -> bool:
        if not self._screen_stack:
            return False
        widget, _ = self.screen.get_widget_and_offset_at(x, y)
        return widget is not None and widget is not self.screen and widget.parent is None


def _driver_for(env: Mapping[str, str]) -> type[Driver] | None:
    """The driver class for this terminal; None: Textual's own choice, where there is no termios."""
    try:
        from tui_attention.ui.guards.driver import GuardedDriver, SilentDriver
    except ImportError:
        return None
    return SilentDriver if asks_nothing(env) else GuardedDriver

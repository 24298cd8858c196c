"""Textual's side of a remote terminal. All that is private in Textual 8.2 and needed for it is in this file:
`Driver._app`, `Driver._loop`, `Driver._size`, `App._capture_stdout`, `App._capture_stderr`, `App._exit_renderables`,
`App._exception`, `textual._context.active_app`, `App._print`, `Screen._compositor`.

A driver in a class never acts on the server's machine: it opens no browser, saves no file, handles no signal.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, BinaryIO, ClassVar, Final, Literal, TextIO

from textual import events
from textual._context import active_app
from textual.driver import Driver
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from tui_attention.classroom.auth.limits import Bucket
from tui_attention.output import speaks_unicode
from tui_attention.ui.guards.driver import TerminalBackground, is_dark
from tui_attention.ui.guards.keyboard import HALF_SEQUENCE, Keyboard
from tui_attention.ui.terminal import asks_nothing

if TYPE_CHECKING:
    from textual.app import App

    from tui_attention.classroom.terminal.remote import RemoteTerminal

EVENTS_RATE: Final = 40.0
EVENTS_BURST: Final = 80.0
"""Keys and mouse reports a client may cause a second, and at once: each costs the class its part of a core."""
PIECE: Final = 64
QUIET: Final = 0.1
LONGEST_PASTE: Final = 32 * 1024

_MOUSE_ON = "\x1b[?1000h\x1b[?1002h\x1b[?1006h"  # clicks and drags; not every movement
_MOUSE_OFF = "\x1b[?1006l\x1b[?1002l\x1b[?1000l"


class RemoteDriver(Driver):
    """Draws on a `RemoteTerminal` and reads from it."""

    def __init__(
        self,
        app: App[Any],
        *,
        terminal: RemoteTerminal,
        debug: bool = False,
        mouse: bool = False,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=False, mouse=mouse, size=size or terminal.size)
        self.terminal = terminal
        self.simple = asks_nothing(terminal.env)
        self.unicode = speaks_unicode(terminal.env)
        self.mouse = False
        self._keyboard = self._new_keyboard()
        self._alive = False
        self._out: list[str] = []
        self._draining = False
        self._events = Bucket(EVENTS_RATE, EVENTS_BURST, monotonic())
        self._fed_at = 0.0
        self._astray = False
        self._tick: asyncio.TimerHandle | None = None
        self._background_known = False

    # ------------------------------------------------------------ out

    def write(self, data: str) -> None:
        """What one turn of the loop writes goes out as one packet."""
        self._out.append(data)
        if not self._draining:
            self._draining = True
            self._loop.call_soon(self._drain)

    def _drain(self) -> None:
        self._draining = False
        if self._out:
            text = "".join(self._out)
            self._out.clear()
            self.terminal.send(text.encode("utf-8" if self.unicode else "ascii", "replace"))

    def skipping(self) -> AbstractContextManager[None]:
        """While it is open, the app draws nothing."""
        return self._app.batch_update()

    def repaint(self) -> None:
        """Draw everything: frames were skipped."""
        self._app.refresh(layout=True)

    # ------------------------------------------------------------ in

    def _new_keyboard(self) -> Keyboard:
        return Keyboard(self._answered, longest_paste=LONGEST_PASTE)

    def feed(self, data: bytes) -> None:
        """Bytes that the client typed. Beyond its rate they are dropped, up to where a key surely begins."""
        now = monotonic()
        if now - self._fed_at > QUIET:
            self._astray = False
        self._fed_at = now
        for start in range(0, len(data), PIECE):
            if not self._alive:
                return
            self._feed(data[start : start + PIECE], now)
        if self._keyboard.waiting and self._tick is None:
            self._tick = self._loop.call_later(HALF_SEQUENCE + 0.01, self._silence)

    def _feed(self, piece: bytes, now: float) -> None:
        if self._events.left(now) < 1 and not self._keyboard.waiting:
            self._astray = True
        if self._astray:
            begins = piece.find(b"\x1b")
            if begins < 0 or self._events.left(now) < 1:
                return
            self._astray = False
            piece = piece[begins:]
        for message in self._keyboard.feed(piece, now):
            if self._events.take(now):
                self.process_message(message)

    def _silence(self) -> None:
        self._tick = None
        if not self._alive:
            return
        for message in self._keyboard.tick(monotonic()):
            self.process_message(message)
        if self._keyboard.waiting:
            self._tick = self._loop.call_later(HALF_SEQUENCE, self._silence)

    def _answered(self, payload: bytes) -> None:
        dark = is_dark(payload)
        if dark is not None and not self._background_known:
            self._background_known = True
            self.send_message(TerminalBackground(dark))

    def process_message(self, message: Message) -> None:
        if isinstance(message, events.MouseEvent):
            columns, rows = self.terminal.size
            if not self.mouse or message.x >= columns or message.y >= rows:
                return
        super().process_message(message)

    def send_message(self, message: Message) -> None:
        """We are in the app's loop: no hop between threads, no task for each key."""
        self._app.post_message(message)

    def resize(self, columns: int, rows: int) -> None:
        self._size = columns, rows
        if self._alive:
            size = Size(columns, rows)
            self._app.post_message(events.Resize(size, size))

    def turn_mouse(self, on: bool) -> bool:
        """Whether clicks are reported from now on. Off at first: after a lost line a terminal keeps reporting."""
        if not self.simple and on != self.mouse:
            self.mouse = on
            self.write(_MOUSE_ON if on else _MOUSE_OFF)
        return self.mouse

    # ------------------------------------------------------------ begin and end

    def start_application_mode(self) -> None:
        self._alive = True
        self.write("\x1b[?1049h\x1b[?25l" if not self.simple else "\x1b[2J\x1b[?25l")
        if not self.simple:
            self.write("\x1b[?2004h\x1b[?7l\x1b[?2026$p\x1b]11;?\x1b\\")
        self.resize(*self.terminal.size)
        self.terminal.attach(self)

    def disable_input(self) -> None:
        self._alive = False
        if self._tick is not None:
            self._tick.cancel()
            self._tick = None

    def stop_application_mode(self) -> None:
        self.disable_input()
        self.terminal.detach()
        self._keyboard.close()
        self.write("".join(restoring(simple=self.simple, mouse=self.mouse)))
        self._drain()

    def close(self) -> None:
        self._drain()

    # ------------------------------------------------------------ never on the server

    def open_url(self, url: str, new_tab: bool = True) -> None:
        self._app.notify("Nothing is opened from here.", markup=False)

    def deliver_binary(
        self,
        binary: BinaryIO | TextIO,
        *,
        delivery_key: str,
        save_path: Path,
        open_method: Literal["browser", "download"] = "download",
        encoding: str | None = None,
        mime_type: str | None = None,
        name: str | None = None,
    ) -> None:
        binary.close()
        self._app.notify("Nothing is saved from here.", markup=False)


def restoring(*, simple: bool, mouse: bool = True) -> tuple[str, ...]:
    """What gives a terminal back as it was."""
    if simple:
        return ("\x1b[0m\x1b[2J\x1b[H\x1b[?25h",)
    return (_MOUSE_OFF if mouse else "", "\x1b[?2004l\x1b[?7h\x1b[0m\x1b[?1049l\x1b[?25h")


# ---------------------------------------------------------------- apps of one process


def put_on_wire(app: App[Any], terminal: RemoteTerminal) -> None:
    """Let this app, which does not run yet, draw on a remote terminal."""
    app.driver_class = partial(RemoteDriver, terminal=terminal)  # type: ignore[assignment]


def take_crash(app: App[Any]) -> str:
    """What an app would have printed about its end, as text; it prints it no more."""
    found = [str(renderable) for renderable in app._exit_renderables]
    app._exit_renderables.clear()
    return "\n".join(found)


def has_crashed(app: App[Any]) -> bool:
    """Whether it ended by an exception of its own."""
    return app._exception is not None


def picture_of(app: App[Any]) -> list[Strip]:
    """What is on an app's screen now, line by line."""
    if not app.is_running or not app.screen_stack:
        return []
    return list(app.screen_stack[-1]._compositor.render_strips())


class Router:
    """Standard output or error of a process of many apps: each app's to that app, everything else to the log.

    Textual lets every running app put itself in the place of `sys.stdout`; of overlapping apps the wrong one, or
    a dead one, stays there. With this in all their places it does not matter.
    """

    encoding: ClassVar[str] = "utf-8"

    def __init__(self, otherwise: Callable[[str], object], *, stderr: bool) -> None:
        self._otherwise = otherwise
        self._stderr = stderr

    def write(self, text: str) -> int:
        app = active_app.get(None)
        if app is not None and app.is_running:
            app._print(text, stderr=self._stderr)
        else:
            self._otherwise(text)
        return len(text)

    def flush(self) -> None:
        return

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        """Raises OSError: there is no file here."""
        raise OSError("not a file")


class Routed:
    """While it is open, the process's output is routed; `route` does it for an app."""

    def __init__(self, otherwise: Callable[[str], object]) -> None:
        self.out = Router(otherwise, stderr=False)
        self.err = Router(otherwise, stderr=True)
        self._before: tuple[IO[str], IO[str]] | None = None

    def route(self, app: App[Any]) -> None:
        """For an app that does not run yet."""
        app._capture_stdout = self.out  # type: ignore[assignment]
        app._capture_stderr = self.err  # type: ignore[assignment]

    def __enter__(self) -> Routed:
        self._before = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = self.out, self.err
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            sys.stdout, sys.stderr = self._before


__all__ = ["RemoteDriver", "Routed", "Router", "has_crashed", "picture_of", "put_on_wire", "restoring", "take_crash"]

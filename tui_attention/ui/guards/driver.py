"""Textual's Linux driver, kept alive by whatever the terminal sends, and quiet when the terminal is gone.

What it guards against, beside what `keyboard.py` does:

- The reading end of a closed terminal is for ever ready and empty: the input thread spins on one core, or, on
  EIO, prints a traceback at nobody and the app exits with 0 (Textualize/textual#6690).
- The first failing write ends the writing thread; thirty writes later its queue is full and the app hangs
  (Textualize/textual#6692 has the same queue).
- SIGCONT without a SIGTSTP before it (`kill -STOP`, then `fg`) starts a second input and output thread, and what has
  been typed since is thrown away; both signals
  are answered in the middle of whatever runs, where a write waits for ever for a lock that the interrupted write
  holds; while leaving, they start application mode anew (Textualize/textual#1582 brought them; no report of these).
- The handler of SIGWINCH measures, and then tells the app; interrupted by the next one between the two, it tells an
  old size last, and the app stays at it (no report found).
- Terminals without these modes get queries for synchronized output, in-band resizing and kitty's keys; some
  print them (Textualize/textual names one of them in its own code; no report found). In-band resizing is not asked
  for at all: SIGWINCH says the same through ssh and tmux, and once a terminal has claimed it, Textual listens to
  SIGWINCH no more.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import selectors
import signal
import sys
import termios
import threading
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, ClassVar

from textual.drivers.linux_driver import LinuxDriver
from textual.events import MouseEvent, Resize
from textual.geometry import Size
from textual.message import Message

from tui_attention.ui.guards.keyboard import HALF_SEQUENCE, Keyboard

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App

HANGUP_CODE = 128 + signal.SIGHUP
REPLY_WAIT = 0.5
"""Seconds after the question within which leaving waits for the terminal's answer."""

_ASK_BACKGROUND = "\x1b]11;?\x1b\\"
_REPLY = re.compile(rb"11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})")


class TerminalBackground(Message):
    """The terminal has said whether its background is dark; sent to the app at most once a start."""

    def __init__(self, dark: bool) -> None:
        self.dark = dark
        super().__init__()


def is_dark(payload: bytes) -> bool | None:
    """Whether the colour in an OSC 11 answer is a dark one; None if it is no such answer.

    The weights are those of relative luminance (ITU-R BT.709), on gamma-coded channels: enough for a half.
    """
    match = _REPLY.match(payload)
    if match is None:
        return None
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in match.groups())
    return bool(0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.5)


class TerminalFile:
    """The terminal's writing end, which goes on taking text after the terminal has gone."""

    def __init__(self, file: IO[str], gone: Callable[[], None]) -> None:
        self._file = file
        self._gone = gone
        self._closed = False

    def write(self, text: str) -> None:
        self._guarded(lambda: self._file.write(text))

    def flush(self) -> None:
        self._guarded(self._file.flush)

    def fileno(self) -> int:
        return self._file.fileno()

    def isatty(self) -> bool:
        return self._file.isatty()

    def _guarded(self, action: Callable[[], object]) -> None:
        if self._closed:
            return
        try:
            action()
        except BlockingIOError:
            # Somebody else's O_NONBLOCK on the shared terminal: part of this frame is lost, the app is not.
            return
        except (OSError, ValueError):
            self._closed = True
            self._gone()


class GuardedDriver(LinuxDriver):
    """LinuxDriver with its input read by `Keyboard` and its ends made safe."""

    asks: ClassVar[bool] = True
    """Whether this kind of terminal may be asked about modes and colours."""

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._hung_up = threading.Event()
        self._asked_at: float | None = None
        self._answered = threading.Event()
        self._on = False
        self._raw: list[Any] | None = None
        self._continued = 0
        assert self._file is not None
        # Asked now: once it has gone, a terminal no longer says that it is one.
        self._terminals = [
            stream.fileno() for stream in (sys.__stderr__, sys.__stdout__) if stream and stream.isatty()
        ]
        self._file = TerminalFile(self._file, self._hang_up)  # type: ignore[assignment]

    # ------------------------------------------------------------ coming and going

    def start_application_mode(self) -> None:
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self._on = self._writer_thread is not None and self._writer_thread.is_alive()  # not in the background
        if self._on:
            signal.signal(signal.SIGWINCH, self._sigwinch_application)
        with contextlib.suppress(termios.error):
            self._raw = termios.tcgetattr(self.fileno) if self._on else None
        if self._on and self.asks and self._asked_at is None:
            self._asked_at = monotonic()
            self.write(_ASK_BACKGROUND)
            self.flush()

    def stop_application_mode(self) -> None:
        self._on = False
        super().stop_application_mode()

    def disable_input(self) -> None:
        # An answer that comes after we have left would be typed into the shell.
        if self._asked_at is not None and not self._hung_up.is_set():
            self._answered.wait(max(0.0, self._asked_at + REPLY_WAIT - monotonic()))
        super().disable_input()

    def close(self) -> None:
        if self._leaving:  # nobody will be there who could put the terminal right after a stop
            for number in (signal.SIGTSTP, signal.SIGCONT):
                signal.signal(number, signal.SIG_DFL)
        super().close()

    @property
    def _leaving(self) -> bool:
        return bool(self._app._exit or self._app._closing or self._app._closed)

    # A handler only leaves word for the loop: what it interrupts may hold a lock that a write needs, or be a handler.

    def _sigwinch_application(self, *_: object) -> None:
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._measure)

    def _measure(self) -> None:
        """Tell the app the size that the terminal has now, which no older one can overtake."""
        size = Size(*self._get_terminal_size())
        self._app.post_message(Resize(size, size))

    def _sigtstp_application(self, *_: object) -> None:
        seen = self._continued
        with contextlib.suppress(RuntimeError):  # the loop has closed: too late to stop in good order
            self._loop.call_soon_threadsafe(self._stop, seen)

    def _sigcont_application(self, *_: object) -> None:
        self._continued += 1
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._go_on)

    def _stop(self, continued: int) -> None:
        """Give the terminal back and stop; not while leaving, nor where SIGCONT has come since."""
        if self._leaving or continued != self._continued:
            return
        if self._on and self._auto_restart:
            self.suspend_application_mode()
            self._must_signal_resume = True
        if continued == self._continued:  # giving the terminal back takes a tenth of a second
            os.kill(os.getpid(), signal.SIGSTOP)

    def _go_on(self) -> None:
        """Take the terminal again, whoever had it since, with one input thread and one output thread."""
        if self._leaving or not self._auto_restart:
            return
        if self._must_signal_resume:
            self.resume_application_mode()
        elif self._on:
            self._take_again()

    def _take_again(self) -> None:
        """Stopped without a word and continued: both threads are there still, but the terminal may be anybody's.

        Starting anew would throw away what has been typed since.
        """
        if self._raw is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, self._raw)
        self.write("\x1b[?1049h")
        self._enable_mouse_support()
        self.write("\x1b[?25l\x1b[?1004h\x1b[>25u")
        self._enable_bracketed_paste()
        self._disable_line_wrap()
        self.flush()
        self._app.post_message(self.SignalResume())

    # ------------------------------------------------------------ what is written

    def write(self, data: str) -> None:
        if not self.asks:  # kitty's keys, off and on
            data = data.replace("\x1b[<u", "").replace("\x1b[>25u", "")
        if self._writer_thread is not None and self._writer_thread.is_alive():
            super().write(data)

    def _query_in_band_window_resize(self) -> None:
        return

    def _request_terminal_sync_mode_support(self) -> None:
        if self.asks:
            super()._request_terminal_sync_mode_support()

    # ------------------------------------------------------------ what is read

    def process_message(self, message: Message) -> None:
        # A garbled report's click beyond the edge would take the focus from the answer.
        if isinstance(message, MouseEvent):
            columns, rows = self._get_terminal_size()
            if message.x >= columns or message.y >= rows:
                return
        super().process_message(message)

    def run_input_thread(self) -> None:
        """Reads the terminal until told to stop or until it is gone. Runs in the input thread."""
        keyboard = Keyboard(self._terminal_answered)
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(HALF_SEQUENCE / 2 if keyboard.waiting else HALF_SEQUENCE):
                    data = self._read()
                    if not data:
                        self._hang_up()
                        return
                    for message in keyboard.feed(data, monotonic()):
                        self.process_message(message)
                for message in keyboard.tick(monotonic()):
                    self.process_message(message)

    def _read(self) -> bytes:
        """What the terminal has sent; empty when it is gone."""
        try:
            return os.read(self.fileno, 4096)
        except OSError as error:
            if error.errno in {errno.EIO, errno.EBADF, errno.ENXIO}:
                return b""
            raise

    def _terminal_answered(self, payload: bytes) -> None:
        dark = is_dark(payload)
        if dark is not None and not self._answered.is_set():
            self._answered.set()
            self.send_message(TerminalBackground(dark))

    def _hang_up(self) -> None:
        """Ends the app with the code that SIGHUP would have given, without a word. For either thread."""
        if self._hung_up.is_set():
            return
        self._hung_up.set()
        # Whatever is still written, at exit too, must not fail: the interpreter would end with 120.
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            for descriptor in self._terminals:
                os.dup2(nowhere, descriptor)
            os.close(nowhere)
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._app.exit, None, HANGUP_CODE)


class SilentDriver(GuardedDriver):
    """For terminals that print what they don't understand: nothing is asked of them."""

    asks = False

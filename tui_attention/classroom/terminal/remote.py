"""A client's terminal as the server holds it: what may come in, what may wait to go out, and how large it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from time import monotonic
from typing import TYPE_CHECKING, Final, Protocol

from tui_attention.classroom.auth.limits import Bucket
from tui_attention.classroom.terminal.sizes import clamped

if TYPE_CHECKING:
    from tui_attention.classroom.terminal.driver import RemoteDriver

BYTES_RATE: Final = 8 * 1024
BYTES_BURST: Final = 32 * 1024
SLICE: Final = 1024
"""Bytes taken in one turn of the loop, so that the others have theirs."""
EARLY: Final = 4096
"""Bytes kept that were typed before the app was there."""
RESIZE_AFTER: Final = 0.05
STUCK_AFTER: Final = 60.0
"""Seconds for which a client may not read before its line is cut."""


class Wire(Protocol):
    """The line to a client. Nothing here waits or raises; `unsent` counts bytes that the client has not taken;
    `probe` finds out within a few seconds whether anybody is still there, and lets the line end if not.
    """

    def write(self, data: bytes) -> None: ...
    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...
    def unsent(self) -> int: ...
    def probe(self) -> None: ...
    def abort(self) -> None: ...


class RemoteTerminal:
    """One client's terminal. `held` while its line takes nothing more: frames are skipped until it does."""

    def __init__(self, wire: Wire, env: Mapping[str, str], size: tuple[int, int]) -> None:
        """`env` is what the client said of its terminal. `slow` is told when the line begins or ceases to be held,
        `ended` when it is gone.
        """
        self.wire = wire
        self.env = env
        self.size = clamped(*size)
        self.held = False
        self.frames = 0
        self.sent = 0
        self.typed_at = 0.0
        self.ended: Callable[[], None] | None = None
        self.slow: Callable[[bool], None] | None = None
        self.typed: Callable[[bytes], None] | None = None
        """Gets what is typed where there is no app but a conversation."""
        self._loop = asyncio.get_running_loop()
        self._driver: RemoteDriver | None = None
        self._early = bytearray()
        self._waiting = bytearray()
        self._bytes = Bucket(BYTES_RATE, BYTES_BURST, monotonic())
        self._paused = False
        self._reasons: set[str] = set()
        self._skipping: AbstractContextManager[None] | None = None
        self._stuck: asyncio.TimerHandle | None = None
        self._resizing: asyncio.TimerHandle | None = None
        self._painted: Callable[[], None] | None = None
        self._closed = False

    # ------------------------------------------------------------ the app comes and goes

    def attach(self, driver: RemoteDriver) -> None:
        """The app is there: it gets what was typed before."""
        self._driver = driver
        if self._early:
            early = bytes(self._early)
            self._early.clear()
            driver.feed(early)
        if self._reasons:
            self._hold()

    def ready(self) -> None:
        """A conversation is there: it gets what was typed before."""
        early = bytes(self._early)
        self._early.clear()
        if early and self.typed is not None:
            self.typed(early)

    def detach(self) -> None:
        """The app has gone: nothing is held for it any more."""
        self._driver = None
        self._let_go()

    # ------------------------------------------------------------ from the client

    def received(self, data: bytes) -> None:
        """Bytes from the client; more than it may send make it wait."""
        self.typed_at = monotonic()
        wait = self._bytes.owe(self.typed_at, len(data))
        if wait > 0 and not self._paused:
            self._paused = True
            self.wire.pause_reading()
            self._loop.call_later(wait, self._read_on)
        if self._driver is None and self.typed is None:
            self._early += data[: max(0, EARLY - len(self._early))]
            return
        empty = not self._waiting
        self._waiting += data
        if empty:
            self._feed()

    def _read_on(self) -> None:
        self._paused = False
        if not self._closed:
            self.wire.resume_reading()

    def _feed(self) -> None:
        part = bytes(self._waiting[:SLICE])
        if self._driver is not None:
            self._driver.feed(part)
        elif self.typed is not None:
            self.typed(part)
        del self._waiting[:SLICE]
        if self._waiting:
            self._loop.call_soon(self._feed)

    def resized(self, columns: int, rows: int) -> None:
        """The client's window has another size; the last one of a burst counts."""
        self.size = clamped(columns, rows)
        if self._resizing is None and not self._closed:
            self._resizing = self._loop.call_later(RESIZE_AFTER, self._resize)

    def _resize(self) -> None:
        self._resizing = None
        if self._driver is not None:
            self._driver.resize(*self.size)

    # ------------------------------------------------------------ to the client

    def send(self, data: bytes) -> None:
        """One frame."""
        self.frames += 1
        self.sent += len(data)
        self.wire.write(data)
        if self._painted is not None:
            told, self._painted = self._painted, None
            told()

    def on_next_frame(self, told: Callable[[], None]) -> None:
        """Call once, when something has been drawn; at once for a line that takes nothing now."""
        if self.held or self._closed or self._driver is None:
            told()
        else:
            self._painted = told

    # ------------------------------------------------------------ a line that takes nothing

    def hold(self, why: str) -> None:
        """The line is full, for this reason: draw nothing until every reason is gone."""
        self._reasons.add(why)
        if not self.held:
            self._hold()

    def release(self, why: str) -> None:
        self._reasons.discard(why)
        if self.held and not self._reasons:
            self._let_go()
            if self._driver is not None:
                self._driver.repaint()

    def _hold(self) -> None:
        if self._driver is None or self._skipping is not None:
            return
        self.held = True
        self._skipping = self._driver.skipping()
        self._skipping.__enter__()
        self._stuck = self._loop.call_later(STUCK_AFTER, self.abort)
        if self._painted is not None:
            told, self._painted = self._painted, None
            told()
        if self.slow is not None:
            self.slow(True)

    def _let_go(self) -> None:
        was, self.held = self.held, False
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
        if self._skipping is not None:
            skipping, self._skipping = self._skipping, None
            skipping.__exit__(None, None, None)
        if was and self.slow is not None and not self._closed:
            self.slow(False)

    # ------------------------------------------------------------ the end

    def lost(self) -> None:
        """The line is gone."""
        if self._closed:
            return
        self._closed = True
        self._waiting.clear()
        for timer in (self._stuck, self._resizing):
            if timer is not None:
                timer.cancel()
        if self._painted is not None:
            told, self._painted = self._painted, None
            told()
        if self.ended is not None:
            self.ended()

    def abort(self) -> None:
        """Cut the line."""
        self.wire.abort()

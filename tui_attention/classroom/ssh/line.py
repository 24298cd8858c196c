"""A connection's line: what asyncssh leaves open is bounded here, and all that is private in it is in this file.

- asyncssh ignores the transport's back-pressure: `pause_writing` of the connection does nothing. It is set here.
- It takes any number of environment variables of any length: `SSHServerChannel._env` is bounded here.
- It takes packets as fast as they come, before and after login: `data_received` is slowed here.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable
from time import monotonic
from typing import Any, Final

import asyncssh

from tui_attention.classroom.auth.limits import Bucket

HIGH: Final = 48 * 1024
LOW: Final = 16 * 1024
"""Unsent bytes of a channel above which frames are held back, and below which they go on."""
SEND_BUFFER: Final = 32 * 1024
NOT_SENT: Final = 16 * 1024
RATE: Final = 48 * 1024
BURST: Final = 512 * 1024
"""Bytes a connection may send a second, and at once: a key takes 36, a key exchange 2,000."""
KEEPALIVE: Final = 15
KEEPALIVE_COUNT: Final = 3
"""Seconds between two questions whether a silent client is there, and how many may stay unanswered."""
PROBED: Final = 5.0
MOST_NAMES: Final = 16
LONGEST: Final = 256


class ChannelLine:
    """The line to one channel, as a `RemoteTerminal` wants it."""

    def __init__(self, channel: asyncssh.SSHServerChannel[bytes], connection: asyncssh.SSHServerConnection) -> None:
        self._channel = channel
        self._connection = connection
        channel.set_write_buffer_limits(high=HIGH, low=LOW)

    def write(self, data: bytes) -> None:
        with contextlib.suppress(OSError):  # the client has just gone
            self._channel.write(data)

    def pause_reading(self) -> None:
        self._channel.pause_reading()

    def resume_reading(self) -> None:
        self._channel.resume_reading()

    def unsent(self) -> int:
        transport: Any = self._connection._transport
        return self._channel.get_write_buffer_size() + (transport.get_write_buffer_size() if transport else 0)

    def probe(self) -> None:
        self._connection.set_keepalive(1, 1)
        asyncio.get_running_loop().call_later(PROBED, self._connection.set_keepalive, KEEPALIVE, KEEPALIVE_COUNT)

    def abort(self) -> None:
        self._connection.abort()


def bound(connection: asyncssh.SSHServerConnection, hold: Callable[[], None], release: Callable[[], None]) -> None:
    """Small buffers, back-pressure told to `hold` and `release`, and a limit on what comes in."""
    sock = connection.get_extra_info("socket")
    if sock is not None:
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            if hasattr(socket, "TCP_NOTSENT_LOWAT"):
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, NOT_SENT)
    anyway: Any = connection  # its methods are replaced on this one object
    anyway.pause_writing, anyway.resume_writing = hold, release
    bucket = Bucket(RATE, BURST, monotonic())
    received = connection.data_received

    def slowed(data: bytes, datatype: object = None) -> None:
        wait = bucket.owe(monotonic(), len(data))
        received(data)
        transport: Any = connection._transport
        if wait > 0 and transport is not None:
            with contextlib.suppress(RuntimeError):
                transport.pause_reading()
                asyncio.get_running_loop().call_later(wait, _read_on, transport)

    anyway.data_received = slowed


def _read_on(transport: Any) -> None:
    if not transport.is_closing():
        with contextlib.suppress(RuntimeError):
            transport.resume_reading()


class FewNames(dict[bytes, bytes]):
    """An environment that a client may send: so many names, so long."""

    def __setitem__(self, name: bytes, value: bytes) -> None:
        if len(self) < MOST_NAMES and len(name) + len(value) <= LONGEST:
            super().__setitem__(name, value)


def bound_environment(channel: asyncssh.SSHServerChannel[bytes]) -> None:
    """Take few variables of this channel."""
    channel._env = FewNames()

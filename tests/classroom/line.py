"""A class's server and real ssh clients, in one loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from time import monotonic
from typing import Any

import asyncssh
import pyte

CODE, TOKEN = "ABCD2345", "a-token-for-the-tests"
PATIENCE = 60.0
"""Seconds after which something has failed for good, however busy the machine is."""
TURN = 0.01


class Client(asyncssh.SSHClientSession[bytes]):
    """A learner's ssh: everything that came, and the screen that it makes."""

    def __init__(self, size: tuple[int, int] = (80, 24)) -> None:
        self.got = b""
        self.errors = b""
        self.code: int | None = None
        self.gone = False
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.channel: asyncssh.SSHClientChannel[bytes]
        self.connection: asyncssh.SSHClientConnection

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        self.channel = chan

    def data_received(self, data: bytes, datatype: asyncssh.DataType) -> None:
        if datatype is not None:
            self.errors += data
            return
        self.got += data
        self._stream.feed(data.replace(b"\x1b[?2026$p", b""))

    def exit_status_received(self, status: int) -> None:
        self.code = status

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone = True

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def press(self, keys: str | bytes) -> None:
        self.channel.write(keys.encode() if isinstance(keys, str) else keys)

    async def until(self, wanted: str, seconds: float = PATIENCE) -> str:
        """Wait until the screen shows this; the screen."""
        end = monotonic() + seconds
        while wanted not in self.text:
            if monotonic() > end or self.gone:
                raise AssertionError(f"{wanted!r} is not on the screen (gone: {self.gone}):\n{self.text}")
            await asyncio.sleep(0.01)
        return self.text

    async def without(self, unwanted: str, seconds: float = PATIENCE) -> None:
        """Wait until the screen does not show this any more."""
        end = monotonic() + seconds
        while unwanted in self.text:
            assert monotonic() < end, f"{unwanted!r} stays on the screen:\n{self.text}"
            await asyncio.sleep(TURN)

    async def hears(self, wanted: str, seconds: float = PATIENCE) -> None:
        """Wait until this has come, on a screen or not; line breaks count as spaces."""
        end = monotonic() + seconds
        while wanted not in " ".join(self.got.decode(errors="replace").split()):
            assert monotonic() < end, f"{wanted!r} never came: {self.got[-2000:]!r}"
            assert not self.gone, f"gone before {wanted!r} came: {self.got[-2000:]!r}"
            await asyncio.sleep(0.01)

    async def quiet(self, still: float = 0.15, seconds: float = PATIENCE) -> int:
        """Wait until nothing more comes; how many bytes have come in all.

        Turns of the loop are counted, which is the server's too: on a busy machine time passes and nothing happens.
        """
        end, turns, count = monotonic() + seconds, 0, len(self.got)
        while monotonic() < end and turns < still / TURN:
            await asyncio.sleep(TURN)
            turns = turns + 1 if len(self.got) == count else 0
            count = len(self.got)
        return count

    async def ended(self, seconds: float = PATIENCE) -> int | None:
        end = monotonic() + seconds
        while not self.gone and monotonic() < end:
            await asyncio.sleep(0.01)
        assert self.gone, "the session goes on"
        return self.code


async def connect(port: int, name: str, password: str = CODE, **options: Any) -> asyncssh.SSHClientConnection:
    given = {"client_keys": None, "known_hosts": None, "config": None, "agent_path": None, "login_timeout": 15}
    return await asyncssh.connect("127.0.0.1", port, username=name, password=password, **(given | options))


@contextlib.asynccontextmanager
async def client(
    port: int,
    name: str,
    *,
    password: str = CODE,
    term: str | None = "xterm-256color",
    size: tuple[int, int] = (80, 24),
    command: str | None = None,
    env: dict[str, str] | None = None,
    window: int = 2 * 1024 * 1024,
    **options: Any,
) -> AsyncIterator[Client]:
    connection = await connect(port, name, password, **options)
    try:
        session = Client(size)
        await connection.create_session(
            lambda: session,
            command,
            term_type=term,
            term_size=size,
            encoding=None,
            window=window,
            env=[f"{name}={value}" for name, value in (env or {}).items()],
        )
        session.connection = connection
        yield session
    finally:
        connection.abort()
        await connection.wait_closed()

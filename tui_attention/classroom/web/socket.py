"""A WebSocket as the line of a remote terminal. What the page sends: JSON lists such as ["stdin", "n"]."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from aiohttp import WSCloseCode, WSMsgType, web

from tui_attention.classroom.auth.limits import Bucket

if TYPE_CHECKING:
    from tui_attention.classroom.terminal.remote import RemoteTerminal

HIGH: Final = 48 * 1024
LOW: Final = 16 * 1024
SEND_BUFFER: Final = 32 * 1024
NOT_SENT: Final = 16 * 1024
LONGEST: Final = 64 * 1024
MESSAGES_RATE: Final = 100.0
MESSAGES_BURST: Final = 300.0


class SocketLine:
    """Frames wait here until the browser has taken those before."""

    def __init__(self, page: web.WebSocketResponse, transport: asyncio.Transport | None) -> None:
        self._page = page
        self._transport = transport
        self._waiting = bytearray()
        self._sending = 0
        self._more = asyncio.Event()
        self._read_on = asyncio.Event()
        self._read_on.set()
        self._messages = Bucket(MESSAGES_RATE, MESSAGES_BURST, monotonic())
        self.terminal: RemoteTerminal | None = None
        sock = transport.get_extra_info("socket") if transport is not None else None
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
                if hasattr(socket, "TCP_NOTSENT_LOWAT"):
                    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, NOT_SENT)

    def write(self, data: bytes) -> None:
        self._waiting += data
        self._more.set()
        if self.unsent() > HIGH and self.terminal is not None:
            self.terminal.hold("socket")

    def pause_reading(self) -> None:
        self._read_on.clear()

    def resume_reading(self) -> None:
        self._read_on.set()

    def unsent(self) -> int:
        left = self._transport.get_write_buffer_size() if self._transport is not None else 0
        return len(self._waiting) + self._sending + left

    def probe(self) -> None:
        """The page's heartbeat finds out by itself."""

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    async def send(self) -> None:
        """Hand frames to the browser as it takes them, until cancelled or it is gone."""
        while True:
            await self._more.wait()
            self._more.clear()
            data = bytes(self._waiting)
            self._waiting.clear()
            self._sending = len(data)
            try:
                await self._page.send_bytes(data)
            except (ConnectionError, RuntimeError):
                return
            finally:
                self._sending = 0
            if self.unsent() < LOW and self.terminal is not None:
                self.terminal.release("socket")

    async def read(self, terminal: RemoteTerminal) -> None:
        """Take what the browser sends, until it is gone or sends what no page of ours does."""
        async for message in self._page:
            if message.type is not WSMsgType.TEXT or not await self._take(message.data, terminal):
                await self._page.close(code=WSCloseCode.POLICY_VIOLATION)
                return
            wait = self._messages.owe(monotonic(), 1)
            if wait > 0:
                await asyncio.sleep(wait)
            await self._read_on.wait()

    async def _take(self, text: str, terminal: RemoteTerminal) -> bool:
        match _parsed(text):
            case ["stdin", str(typed)]:
                terminal.received(typed.encode("utf-8", "replace"))
            case ["resize", {"width": int(width), "height": int(height)}]:
                terminal.resized(width, height)
            case ["ping", str(stamp)]:
                await self._page.send_str(json.dumps(["pong", stamp[:40]]))
            case ["focus"] | ["blur"]:
                pass
            case _:
                return False
        return True


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None

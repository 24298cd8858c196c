"""The app in a browser, for one person on their own machine: their own progress, on the loopback address only."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from tui_attention.classroom.auth import Doorkeeper, new_token
from tui_attention.classroom.guests import Farewell, Guest
from tui_attention.classroom.seats.reception import CRASHED
from tui_attention.classroom.seats.wired import WiredApp
from tui_attention.classroom.terminal.driver import Routed, has_crashed
from tui_attention.classroom.terminal.remote import RemoteTerminal
from tui_attention.classroom.web.server import Front, WebDoor, WebServer
from tui_attention.classroom.web.tickets import Tickets
from tui_attention.engine.errors import BadInput
from tui_attention.session import open_session

if TYPE_CHECKING:
    from tui_attention.options import Options

HOST = "127.0.0.1"
ELSEWHERE = "The lesson goes on in another page."


class Single:
    """The reception of one person: whoever comes last goes on, the page before is closed."""

    def __init__(self, options: Options, routed: Routed, log: Callable[[str], object]) -> None:
        self._options = options
        self._routed = routed
        self._log = log
        self._turn = asyncio.Lock()
        self._app: WiredApp | None = None

    async def receive(self, guest: Guest, terminal: RemoteTerminal) -> Farewell:
        if self._app is not None:
            self._app.exit()
        async with self._turn:
            with open_session(replace(self._options, env=terminal.env)) as session:
                app = self._app = WiredApp(session, self._routed, terminal=terminal, crashed=self._log)
                running = asyncio.ensure_future(app.run_async(size=terminal.size, mouse=False))
                try:
                    await asyncio.shield(running)
                except asyncio.CancelledError:
                    app.exit()
                    await asyncio.wait([running], timeout=5)
                    raise
                finally:
                    if self._app is app:
                        self._app = None
        return Farewell(CRASHED, 1) if has_crashed(app) else Farewell()

    async def converse(self, guest: Guest, terminal: RemoteTerminal) -> Farewell:
        return Farewell(ELSEWHERE, 1)


def run_alone(options: Options, port: int, say: Callable[[str], object]) -> int:
    """Serve until Ctrl+C; the exit code. Raises BadInput, also for a lesson or inputs that are not legal."""
    if not 0 <= port <= 65535:
        raise BadInput(f"{port} is no port; it should be from 0 to 65535")
    with open_session(replace(options, save=False)):
        pass  # what is asked for is checked before anything is served
    return asyncio.run(_serve(options, port, say))


async def _serve(options: Options, port: int, say: Callable[[str], object]) -> int:
    def log(text: str) -> None:
        if text.strip() and sys.__stderr__ is not None:
            sys.__stderr__.write(text.strip() + "\n")

    secret = new_token()
    with Routed(log) as routed:
        # The secret is the code: another user of this machine, or another page in the browser, does not know it.
        keeper = Doorkeeper("code", "", new_token())
        door = WebDoor(keeper, Single(options, routed, log), Tickets(secret), Front("tui-attention"), log, key=secret)
        server = WebServer(door, most=4)
        try:
            await server.open(HOST, port)
        except OSError as error:
            raise BadInput(f"{HOST} port {port} can't be listened on: {error.strerror or error}") from error
        say(f"Open http://{HOST}:{server.port}/open?key={secret} in a browser; Ctrl+C ends.")
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(number, ended.set)
        await ended.wait()
        await server.close()
    return 0

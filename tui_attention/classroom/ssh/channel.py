"""One ssh session: a terminal gets the app or the plain shell, everything else a sentence."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import asyncssh

from tui_attention.classroom.guests import Farewell, Guest, Reception
from tui_attention.classroom.ssh.line import ChannelLine, bound_environment
from tui_attention.classroom.terminal.remote import RemoteTerminal
from tui_attention.classroom.terminal.sizes import USUAL, environment

if TYPE_CHECKING:
    from tui_attention.classroom.ssh.server import Visitor

PLAIN: Final = "plain"
NO_TERMINAL: Final = (
    "This is a class, and it needs a terminal: connect with ssh -t, and nothing behind the host's name."
)
NOTHING_ELSE: Final = "This is a class and nothing else: no commands, no files, no forwarding. Connect with ssh -t."
_DUMB: Final = ("", "dumb", "unknown")
DRAINS_WITHIN: Final = 2.0
"""Seconds that a client has to take what is still to be said at the end."""


class ClassChannel(asyncssh.SSHServerSession[bytes]):
    """What asyncssh tells of a session, handed to a `RemoteTerminal` and the reception."""

    def __init__(self, visitor: Visitor, reception: Reception, failed: Callable[[str], object]) -> None:
        self._visitor = visitor
        self._reception = reception
        self._failed = failed
        self._term: str | None = None
        self._size = USUAL
        self._command: str | None = None
        self._other = False
        self.terminal: RemoteTerminal | None = None
        self._visit: asyncio.Task[None] | None = None

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan
        bound_environment(chan)

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        self._term = term_type
        self._size = term_size[:2]
        return True

    # Everything is taken, and answered with a sentence: a bare refusal tells nobody anything.
    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        self._command = command.strip()
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        self._other = True
        return True

    def session_started(self) -> None:
        if self._other or self._command not in (None, PLAIN):
            self._refuse(NOTHING_ELSE)
        elif self._term is None:
            self._refuse(NO_TERMINAL)
        else:
            self._visit = asyncio.get_running_loop().create_task(self._visited(self._term))

    def _refuse(self, says: str) -> None:
        self._channel.write_stderr(says.encode() + b"\r\n")
        self._channel.exit(1)

    async def _visited(self, term: str) -> None:
        env = environment(term, self._channel.get_environment())
        terminal = RemoteTerminal(ChannelLine(self._channel, self._visitor.connection), env, self._size)
        self.terminal = terminal
        plain = self._command == PLAIN or term in _DUMB
        farewell = Farewell("Something went wrong on the server; your work is kept. Please connect again.", 1)
        try:
            guest: Guest = self._visitor.guest()
            serve = self._reception.converse if plain else self._reception.receive
            farewell = await serve(guest, terminal)
        except Exception as error:  # noqa: BLE001 - one learner's fault is nobody else's: it goes to the log
            self._failed(f"a session failed: {error!r}")
        finally:
            await self._part(farewell, terminal)

    async def _part(self, farewell: Farewell, terminal: RemoteTerminal) -> None:
        if farewell.says:
            terminal.wire.write(farewell.says.replace("\n", "\r\n").encode("utf-8", "replace") + b"\r\n")
        waited = 0.0
        while terminal.wire.unsent() and waited < DRAINS_WITHIN and not self._channel.is_closing():
            await asyncio.sleep(0.05)
            waited += 0.05
        self._channel.exit(farewell.code)

    # ------------------------------------------------------------ while it goes on

    def data_received(self, data: bytes, datatype: asyncssh.DataType) -> None:
        if self.terminal is not None:
            self.terminal.received(data)

    def eof_received(self) -> bool:
        """The client closed its input: nothing can be typed any more."""
        if self._visit is not None:
            self._visit.cancel()
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        self._size = (width, height)
        if self.terminal is not None:
            self.terminal.resized(width, height)

    def pause_writing(self) -> None:
        if self.terminal is not None:
            self.terminal.hold("channel")

    def resume_writing(self) -> None:
        if self.terminal is not None:
            self.terminal.release("channel")

    def connection_lost(self, exc: Exception | None) -> None:
        if self.terminal is not None:
            self.terminal.lost()
        if self._visit is not None and not self._visit.done():
            self._visit.cancel()

"""The ssh server: who may connect, as whom, and that a connection opens one terminal and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

import asyncssh

from tui_attention.classroom.auth import Doorkeeper, Tries
from tui_attention.classroom.guests import Guest, Reception
from tui_attention.classroom.hub.names import clean_name, is_teacher
from tui_attention.classroom.hub.people import Role
from tui_attention.classroom.ssh.channel import NOTHING_ELSE, ClassChannel
from tui_attention.classroom.ssh.line import KEEPALIVE, KEEPALIVE_COUNT, bound

LOGIN_TIMEOUT: Final = 20
WINDOW: Final = 32 * 1024
PACKET: Final = 8 * 1024
MOST_PENDING: Final = 40
"""Connections that have not logged in yet, or as many as the class takes; of more, the oldest are cut."""
SPARE: Final = 30
"""Connections beyond the learners': teachers, those being told that the class is full, old lines not yet dead."""

Log = Callable[[str], object]


@dataclass(slots=True)
class LineCount:
    """The open connections of a server. `most` of them; those not logged in are in `pending`, oldest first."""

    most: int
    open: int = 0
    pending: dict[Visitor, None] = field(default_factory=dict)


class Visitor(asyncssh.SSHServer):
    """One connection, from its first byte on."""

    def __init__(
        self,
        keeper: Doorkeeper,
        reception: Reception,
        lines: LineCount,
        keys: asyncssh.SSHAuthorizedKeys | None,
        log: Log,
    ) -> None:
        self._keeper = keeper
        self._reception = reception
        self._lines = lines
        self._keys = keys
        self._log = log
        self._tries = Tries()
        self._name = ""
        self._role: Role | None = None
        self._key = ""
        self._counted = False
        self._channel: ClassChannel | None = None
        self.connection: asyncssh.SSHServerConnection

    # ------------------------------------------------------------ the connection

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self.connection = conn
        peer = conn.get_extra_info("peername")
        self._address = str(peer[0]) if peer else ""
        lines = self._lines
        if lines.open >= lines.most or not self._keeper.gate.may_connect(self._address, monotonic()):
            conn.abort()
            return
        lines.open += 1
        self._counted = True
        lines.pending[self] = None
        while len(lines.pending) > max(MOST_PENDING, lines.most - SPARE):
            oldest = next(iter(lines.pending))
            del lines.pending[oldest]
            oldest.connection.abort()
        bound(conn, lambda: self._line("hold"), lambda: self._line("release"))

    def _line(self, what: str) -> None:
        terminal = self._channel.terminal if self._channel is not None else None
        if terminal is not None:
            (terminal.hold if what == "hold" else terminal.release)("transport")

    def connection_lost(self, exc: Exception | None) -> None:
        self._lines.pending.pop(self, None)
        if self._counted:
            self._counted = False
            self._lines.open -= 1

    # ------------------------------------------------------------ who it is

    def begin_auth(self, username: str) -> bool:
        self._name = username
        if self._keeper.open_to(username):
            self._role = "learner"
            return False
        return True

    def auth_completed(self) -> None:
        self._lines.pending.pop(self, None)

    def password_auth_supported(self) -> bool:
        return self._keeper.takes_codes(self._name)

    def kbdint_auth_supported(self) -> bool:
        return self._keeper.takes_codes(self._name)

    def get_kbdint_challenge(
        self, username: str, lang: str, submethods: str
    ) -> tuple[str, str, str, list[tuple[str, bool]]]:
        return "", "", "", [(self._keeper.asks(username), False)]

    async def validate_kbdint_response(self, username: str, responses: Sequence[str]) -> bool:
        return len(responses) == 1 and await self.validate_password(username, responses[0])

    async def validate_password(self, username: str, password: str) -> bool:
        role = self._keeper.role(username, password)
        if role is not None:
            self._role, self._key = role, ""
            return True
        wait = self._keeper.gate.failed(self._address, monotonic())
        await asyncio.sleep(wait)
        if self._tries.failed():
            self._log(f"{self._address}: too many wrong codes, the connection is closed")
            self.connection.disconnect(asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE, "Too many wrong codes.")
        return False

    def public_key_auth_supported(self) -> bool:
        return self._keys is not None and not is_teacher(self._name)

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        if self._keys is None or is_teacher(username):
            return False
        if self._keys.validate(key, self._address, self._address) is None:
            return False
        # Asked before the signature is checked, too: the last key that is valid is the one that lets in.
        self._role, self._key = "learner", str(key.get_fingerprint())
        return True

    def guest(self) -> Guest:
        """Who is here; to be asked once they have logged in. Raises PermissionError before."""
        if self._role is None:
            raise PermissionError("nobody has logged in")
        return Guest(clean_name(self._name), self._role, self._key, self._address)

    # ------------------------------------------------------------ what it may open

    def session_requested(self) -> tuple[asyncssh.SSHServerChannel[bytes], ClassChannel]:
        if self._channel is not None:
            raise asyncssh.ChannelOpenError(
                asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED, "This is a class: one terminal for each connection."
            )
        channel = self.connection.create_server_channel(encoding=None, window=WINDOW, max_pktsize=PACKET)
        self._channel = ClassChannel(self, self._reception, self._log)
        return channel, self._channel

    def connection_requested(self, dest_host: str, dest_port: int, orig_host: str, orig_port: int) -> bool:
        raise asyncssh.ChannelOpenError(asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED, NOTHING_ELSE)

    def unix_connection_requested(self, dest_path: str) -> bool:
        raise asyncssh.ChannelOpenError(asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED, NOTHING_ELSE)

    def tun_requested(self, unit: int | None) -> bool:
        raise asyncssh.ChannelOpenError(asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED, NOTHING_ELSE)

    def tap_requested(self, unit: int | None) -> bool:
        raise asyncssh.ChannelOpenError(asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED, NOTHING_ELSE)

    def server_requested(self, listen_host: str, listen_port: int) -> bool:
        return False

    def unix_server_requested(self, listen_path: str) -> bool:
        return False


async def listen(
    host: str,
    port: int,
    key: asyncssh.SSHKey,
    keeper: Doorkeeper,
    reception: Reception,
    *,
    most: int,
    keys: asyncssh.SSHAuthorizedKeys | None = None,
    log: Log,
) -> asyncssh.SSHAcceptor:
    """Open the door for `most` learners. Raises OSError where the address can't be had."""
    lines = LineCount(most + SPARE)
    keeper.gate.expect(most)
    return await asyncssh.create_server(
        lambda: Visitor(keeper, reception, lines, keys, log),
        host,
        port,
        server_host_keys=[key],
        server_version="tui_attention",
        login_timeout=LOGIN_TIMEOUT,
        keepalive_interval=KEEPALIVE,
        keepalive_count_max=KEEPALIVE_COUNT,
        encoding=None,
        line_editor=False,
        agent_forwarding=False,
        x11_forwarding=False,
        allow_scp=False,
        sftp_factory=None,
        gss_host=None,
        host_based_auth=False,
        public_key_auth=keys is not None,
        kbdint_auth=True,
        password_auth=True,
        rekey_bytes=1 << 30,
        reuse_address=True,
        backlog=128,
    )


async def close(acceptor: asyncssh.SSHAcceptor) -> None:
    """Let nobody in any more."""
    acceptor.close()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(acceptor.wait_closed(), 2)


__all__ = ["LineCount", "Visitor", "close", "listen"]

"""Real ssh clients against the server, with the app as it is behind it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import asyncssh
import pytest

from tests.classroom.line import CODE, TOKEN, Client, client, connect
from tui_attention.classroom.auth import Auth, Doorkeeper
from tui_attention.classroom.guests import Farewell, Guest
from tui_attention.classroom.seats.wired import WiredApp
from tui_attention.classroom.ssh.hostkey import host_key
from tui_attention.classroom.ssh.server import close, listen
from tui_attention.classroom.terminal.driver import Routed, has_crashed
from tui_attention.classroom.terminal.remote import RemoteTerminal
from tui_attention.options import Options
from tui_attention.session import open_session


class Alone:
    """A reception that gives everybody the app by itself, and keeps what happened."""

    def __init__(self, routed: Routed) -> None:
        self.routed = routed
        self.guests: list[Guest] = []
        self.terminals: list[RemoteTerminal] = []
        self.apps: list[WiredApp] = []
        self.log: list[str] = []

    async def receive(self, guest: Guest, terminal: RemoteTerminal) -> Farewell:
        self.guests.append(guest)
        self.terminals.append(terminal)
        with open_session(Options(save=False, env=terminal.env)) as session:
            app = WiredApp(session, self.routed, terminal=terminal, crashed=self.log.append)
            self.apps.append(app)
            try:
                await app.run_async(size=terminal.size, mouse=False)
            except asyncio.CancelledError:
                app.exit()
                raise
        return Farewell("Crashed.", 1) if has_crashed(app) else Farewell(f"Bye, {guest.name}.")

    async def converse(self, guest: Guest, terminal: RemoteTerminal) -> Farewell:
        self.guests.append(guest)
        return Farewell("plain", 0)


Open = Callable[..., contextlib.AbstractAsyncContextManager[tuple[int, Alone]]]


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    @contextlib.asynccontextmanager
    async def opened(auth: Auth = "code", most: int = 10) -> AsyncIterator[tuple[int, Alone]]:
        log: list[str] = []
        with Routed(log.append) as routed:
            alone = Alone(routed)
            keeper = Doorkeeper(auth, CODE, TOKEN)
            server = await listen(
                "127.0.0.1", 0, host_key(tmp_path / "key"), keeper, alone, most=most, log=alone.log.append
            )
            try:
                yield server.get_port(), alone
            finally:
                await close(server)

    return opened


async def test_paint_key_resize_quit(opened: Open) -> None:
    """The one to look at when an update of Textual or asyncssh breaks a class."""
    async with opened() as (port, alone), client(port, "ada") as ada:
        await ada.until("n next")
        await ada.quiet()
        before = len(ada.got)
        ada.press("n")
        await ada.until("1 splitter ──")
        await ada.quiet()
        assert 500 < len(ada.got) - before < 8000
        ada.channel.change_terminal_size(60, 20)
        ada.screen.resize(20, 60)
        await ada.until("n next  p back  enter answer")
        assert alone.apps[0].size == (60, 20)
        ada.press("q")
        assert await ada.ended() == 0
        assert ada.got.endswith(b"\x1b[?1049l\x1b[?25hBye, ada.\r\n")
        assert ada.got.count(b"\x1b[?1049h") == ada.got.count(b"\x1b[?1049l") == 1
        assert b"\x1b[?1000h" not in ada.got  # no mouse unless asked for


@pytest.mark.slow
async def test_colours_and_marks_are_each_terminals_own(opened: Open) -> None:
    async with opened() as (port, _), contextlib.AsyncExitStack() as stack:

        async def screen(term: str, **env: str) -> bytes:
            one = await stack.enter_async_context(client(port, "x", term=term, env=env))
            await one.until("press")
            await one.quiet()
            return one.got

        true = await screen("xterm-kitty")
        few = await screen("xterm-256color")
        sixteen = await screen("linux")
        none = await screen("vt100")
        latin = await screen("xterm-256color", LANG="C")
        assert b"8;2;" in true
        assert b"8;2;" not in few + sixteen + none
        assert b"38;5;" in few
        assert b"38;5;" not in sixteen + none
        assert b"\x1b[?1049h" not in none
        assert "─".encode() in few
        assert latin.isascii()
        assert none.isascii()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "given"),
    [((0, 0), (80, 24)), ((9999, 9999), (240, 80)), ((1, 1), (20, 6)), ((2**32 - 1, 40), (240, 40))],
)
async def test_sizes_are_kept_within_reason(opened: Open, asked: tuple[int, int], given: tuple[int, int]) -> None:
    async with opened() as (port, alone):
        connection = await connect(port, "ada")
        await connection.create_session(Client, term_type="xterm", term_size=asked, encoding=None)
        while not alone.terminals:
            await asyncio.sleep(0.01)
        assert alone.terminals[0].size == given
        connection.abort()


async def test_what_is_no_terminal_gets_a_sentence(opened: Open) -> None:
    async with opened() as (port, alone):
        for command in ("id", "scp -t /tmp", "cat /etc/passwd", "plain; id", ""):
            async with client(port, "ada", term=None, command=command) as ada:
                assert await ada.ended() == 1
                assert b"This is a class" in ada.errors
        async with client(port, "ada", term="xterm", command="id") as ada:
            assert await ada.ended() == 1
            assert b"and nothing else" in ada.errors
        async with client(port, "ada", term=None, command="plain") as ada:
            assert await ada.ended() == 1
            assert b"needs a terminal" in ada.errors
        connection = await connect(port, "ada")
        with pytest.raises(asyncssh.Error):
            await connection.start_sftp_client()
        assert not alone.guests
        connection.abort()


async def test_nothing_is_forwarded(opened: Open) -> None:
    async with opened() as (port, _), client(port, "ada") as ada:
        await ada.until("press")
        connection = ada.connection
        with pytest.raises(asyncssh.ChannelOpenError, match="nothing else"):
            await connection.open_connection("127.0.0.1", port)
        with pytest.raises(asyncssh.ChannelOpenError, match="nothing else"):
            await connection.open_unix_connection("/tmp/x")
        with pytest.raises(asyncssh.ChannelListenError):
            await connection.forward_remote_port("127.0.0.1", 0, "127.0.0.1", port)
        with pytest.raises(asyncssh.ChannelListenError):
            await connection.forward_remote_path("/tmp/x", "/tmp/y")
        with pytest.raises(asyncssh.ChannelOpenError, match="one terminal"):
            await connection.create_session(Client, term_type="xterm", term_size=(80, 24), encoding=None)
        ada.press("n")
        await ada.until("1 splitter ──")


@pytest.mark.slow
async def test_a_whole_class_connects_before_anybody_has_logged_in(opened: Open) -> None:
    async with opened(most=70) as (port, _), contextlib.AsyncExitStack() as stack:
        lines = [await asyncio.open_connection("127.0.0.1", port) for _ in range(65)]
        for _, writer in lines:
            stack.callback(writer.close)
        for reader, _ in lines:
            assert (await asyncio.wait_for(reader.readline(), 60)).startswith(b"SSH-2.0-")
        await asyncio.sleep(0.1)
        assert not any(reader.at_eof() for reader, _ in lines)
        ada = await stack.enter_async_context(client(port, "ada"))
        await ada.until("n next")


async def test_the_role_is_earned(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui_attention.classroom.auth.gate.EACH_FAILURE", 0.01)
    async with opened() as (port, alone):
        for name, password in (
            ("teacher", CODE),
            ("Teacher ", CODE),
            ("ada", TOKEN),
            ("ada", ""),
            ("ada", "x" * 500),
        ):
            with pytest.raises(asyncssh.PermissionDenied):
                await connect(port, name, password)
        async with client(port, "Teacher", password=TOKEN) as one:
            await one.until("press")
        async with client(port, "Ada [@click=app.quit]", password=f" {CODE[:4]}-{CODE[4:]} ".lower()) as two:
            await two.until("press")
        assert [(guest.name, guest.role) for guest in alone.guests] == [
            ("Teacher", "teacher"),
            ("Ada clickapp.quit", "learner"),
        ]


@pytest.mark.slow
async def test_keys_of_a_standing_class(tmp_path: Path) -> None:
    hers, his = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
    keys = asyncssh.import_authorized_keys(hers.export_public_key().decode())
    log: list[str] = []
    with Routed(log.append) as routed:
        alone = Alone(routed)
        keeper = Doorkeeper("keys", CODE, TOKEN)
        server = await listen(
            "127.0.0.1", 0, host_key(tmp_path / "key"), keeper, alone, most=3, keys=keys, log=log.append
        )
        port = server.get_port()
        async with client(port, "ada", client_keys=[hers]) as ada:
            await ada.until("press")
        for name, key in (("bob", his), ("teacher", hers)):
            with pytest.raises(asyncssh.PermissionDenied):
                await connect(port, name, CODE, client_keys=[key])
        assert [guest.key for guest in alone.guests] == [hers.get_fingerprint()]
        async with client(port, "teacher", password=TOKEN) as teacher:
            await teacher.until("press")
        await close(server)


@pytest.mark.slow
async def test_without_codes_the_teacher_still_needs_the_token(opened: Open) -> None:
    async with opened("none") as (port, alone):
        async with client(port, "ada", password="") as ada:
            await ada.until("press")
        with pytest.raises(asyncssh.PermissionDenied):
            await connect(port, "teacher", "")
        assert [guest.role for guest in alone.guests] == ["learner"]


HOSTILE = {
    "a size in band": b"\x1b[48;9999;9999;1;1t" * 20,
    "no such character": b"\x1b[99999999u" * 20,
    "no utf-8": b"\xff\xfe\x80" * 700,
    "a paste without end": b"\x1b[200~" + b"x" * 30_000,
    "a flood of letters": b"a" * 100_000,
    "half sequences": (b"\x1b[" + b"1;" * 14) * 1000,
    "mouse moves": b"".join(b"\x1b[<35;%d;%dM" % (n % 80 + 1, n % 24 + 1) for n in range(2000)),
    "answers about colours": b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\" * 200,
    "commands to a terminal": b"\x1b]0;pwn\x07\x1b]52;c;cHduCg==\x07\x1bP+q\x1b\\" * 50,
}


@pytest.mark.slow
@pytest.mark.parametrize("what", HOSTILE)
async def test_whatever_is_typed_the_app_goes_on(opened: Open, what: str) -> None:
    async with opened() as (port, alone), client(port, "eve") as eve:
        await eve.until("n next")
        eve.press(HOSTILE[what])
        await asyncio.sleep(0.3)
        assert alone.apps[0].size == (80, 24)
        assert alone.apps[0].is_running
        assert not alone.log
        assert not eve.gone


@pytest.mark.slow
async def test_a_crash_reaches_that_learner_and_the_log_only(opened: Open, capfd: pytest.CaptureFixture[str]) -> None:
    async with opened() as (port, alone), client(port, "eve") as eve, client(port, "ada") as ada:
        await eve.until("n next")
        await ada.until("n next")
        alone.apps[0].call_later(lambda: 1 // 0)
        assert await eve.ended() == 1
        assert eve.got.endswith(b"\x1b[?1049l\x1b[?25hCrashed.\r\n")
        assert b"ZeroDivisionError" not in eve.got
        assert "ZeroDivisionError" in alone.log[0]
        ada.press("n")
        await ada.until("1 splitter ──")
    assert "ZeroDivisionError" not in "".join(capfd.readouterr())


@pytest.mark.slow
async def test_a_client_that_does_not_read_is_held_and_then_goes_on(opened: Open) -> None:
    async with opened() as (port, alone), client(port, "slow", window=32 * 1024) as slow:
        await slow.until("n next")
        slow.channel.pause_reading()
        terminal, most = alone.terminals[0], 0
        told: list[bool] = []
        terminal.slow = told.append
        for key in "np" * 200:
            slow.press(key)
            await asyncio.sleep(0.03)
            most = max(most, terminal.wire.unsent())
            if terminal.held:
                break
        assert told == [True]
        frames = terminal.frames
        for _ in range(10):
            slow.press("n")
            await asyncio.sleep(0.02)
            most = max(most, terminal.wire.unsent())
        assert terminal.frames == frames  # nothing is drawn for nobody
        assert most <= 100 * 1024
        slow.channel.resume_reading()
        await slow.quiet()
        assert told == [True, False]
        shown = "\n".join(
            "".join(s.text for s in strip) for strip in alone.apps[0].screen._compositor.render_strips()
        )
        assert slow.text.split() == shown.split()

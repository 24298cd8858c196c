"""A lesson in which five of the clients mean harm: the others notice nothing, and nothing on the server changes."""

from __future__ import annotations

import asyncio
import contextlib
import random
from pathlib import Path
from time import monotonic

import asyncssh
import pytest

from tests.classroom.line import client, connect
from tests.classroom.room import Room, room

pytestmark = pytest.mark.slow
SECONDS = 8.0
ESCAPES = (
    b"\x1b[48;9999;9999;1;1t",
    b"\x1b[99999999u",
    b"\xff\xfe\x80" * 50,
    b"\x1b[200~" + b"x" * 3000,
    b"\x1b[<35;5;5M" * 40,
    b"\x1b]52;c;cHduCg==\x07",
    b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\",
    b"\x1bP+q\x1b\\",
    b"\x03\x1a\x1c",
    b"\x1b[?1049l",
)
NAMES = (
    "[@click=app.quit]x[/]",
    "\u0430d\u0430 evil",
    "../../etc/passwd",
    "'; DROP TABLE answer;--",
    "=1+1",
    "a" * 300,
    "Teacher ",
)


async def floods(here: Room, over: asyncio.Event) -> None:
    async with client(here.port, "flood", password=here.code) as one:
        await one.until("n next")
        while not over.is_set() and not one.gone:
            one.press(b"anpcrh?LG\r" * 400)
            await asyncio.sleep(0.05)


async def escapes(here: Room, over: asyncio.Event) -> None:
    chance = random.Random(1)
    async with client(here.port, "escapes", password=here.code) as one:
        await one.until("n next")
        while not over.is_set() and not one.gone:
            one.press(chance.choice(ESCAPES))
            one.channel.change_terminal_size(chance.choice((0, 1, 80, 9999)), chance.choice((0, 1, 24, 9999)))
            await asyncio.sleep(0.02)


async def names(here: Room, over: asyncio.Event) -> None:
    while not over.is_set():
        for name in NAMES:
            with contextlib.suppress(asyncssh.Error, OSError, AssertionError):
                async with client(here.port, name, password=here.code, env={"LANG": "x" * 9000, "PATH": "/x"}) as one:
                    await one.quiet(0.1, 3)
                    one.press("q")
                    await asyncio.sleep(0.2)


async def forwards(here: Room, over: asyncio.Event) -> None:
    async with client(here.port, "forward", password=here.code) as one:
        while not over.is_set():
            for dial in (
                lambda: one.connection.open_connection("127.0.0.1", here.port),
                lambda: one.connection.open_unix_connection("/run/docker.sock"),
                lambda: one.connection.forward_remote_port("", 0, "127.0.0.1", 1),
                lambda: one.connection.run("id"),
                one.connection.start_sftp_client,
            ):
                with pytest.raises((asyncssh.Error, asyncssh.ChannelListenError)):
                    await dial()
            await asyncio.sleep(0.1)


async def guesses(here: Room, over: asyncio.Event) -> None:
    chance = random.Random(2)
    while not over.is_set():
        guess = "".join(chance.choices("ABCDEFGHJKLMNPQRSTUVWXYZ234567", k=8))
        with pytest.raises((asyncssh.Error, OSError)):
            await connect(here.port, chance.choice(("ada", "teacher")), guess)


def changed(home: Path) -> dict[Path, int]:
    """Everything outside the class's own store, and when it was written."""
    return {path: path.stat().st_mtime_ns for path in home.rglob("*") if path.is_file()}


async def test_the_others_notice_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, elsewhere = tmp_path / "class", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept.txt").write_text("as it was")
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr("webbrowser.open", lambda *a, **k: pytest.fail("a browser was opened"))
    async with room() as here:
        ada, bob = await here.come("ada"), await here.come("bob", term="xterm-kitty", size=(120, 40))
        dumb = await here.come("dumb", term="dumb", size=(60, 24))
        teacher = await here.come("teacher")
        await teacher.until("3 here")
        before, secrets = changed(elsewhere), changed(home)
        over = asyncio.Event()
        harm = [asyncio.ensure_future(does(here, over)) for does in (floods, escapes, names, forwards, guesses)]
        slowest, end, steps = 0.0, monotonic() + SECONDS, 0
        while monotonic() < end:
            for key, shown in (("n", "1 splitter ──"), ("P", "the route ──")):
                began = monotonic()
                teacher.press(key)
                await teacher.until(shown)
                for one in (ada, bob):
                    await one.until(shown)
                slowest, steps = max(slowest, monotonic() - began), steps + 1
                await asyncio.sleep(0.2)
        teacher.press("n")
        await ada.until("1 splitter ──")
        ada.press("8\r")
        await here.until(lambda: any(member.name == "ada" and member.count("paid") for member in here.hub.members))
        dumb.press("where\r")
        await dumb.hears("splitter")
        over.set()
        for task in harm:
            with contextlib.suppress(asyncssh.Error, OSError):
                await asyncio.wait_for(task, 60)
        assert steps > 4
        assert slowest < 5.0, slowest  # a stall of the class is tens of seconds; what a busy machine does is not
        assert not [one for one in (ada, bob, dumb, teacher) if one.gone]
        assert changed(elsewhere) == before
        kept = {path.name for path in changed(home)} - {path.name for path in secrets}
        assert all(name.startswith("learner-") for name in kept), kept
        for member in here.hub.members:
            assert member.name == "".join(mark for mark in member.name if mark.isalnum() or mark in " ._-")
            assert len(member.name) <= 24
        faults = [line for line in here.log if "wrong codes" not in line and "garbage" not in line]
        assert not faults, faults
        teacher.press("b")
        await teacher.until("asked now")
        assert any("app.quit" in member.name for member in here.hub.members)

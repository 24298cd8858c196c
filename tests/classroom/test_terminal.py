"""The pieces of a remote terminal by themselves."""

from __future__ import annotations

import asyncio
import gc
import sys
from time import monotonic

import pytest

from tui_attention.classroom.terminal.driver import Routed, restoring
from tui_attention.classroom.terminal.garbage import Collector
from tui_attention.classroom.terminal.remote import BYTES_BURST, BYTES_RATE, EARLY, RemoteTerminal
from tui_attention.classroom.terminal.rounds import Rounds
from tui_attention.classroom.terminal.sizes import clamped, environment


class Paper:
    """A line that keeps what is written on it."""

    def __init__(self) -> None:
        self.written = b""
        self.paused = 0
        self.resumed = 0
        self.cut = False

    def write(self, data: bytes) -> None:
        self.written += data

    def pause_reading(self) -> None:
        self.paused += 1

    def resume_reading(self) -> None:
        self.resumed += 1

    def unsent(self) -> int:
        return 0

    def probe(self) -> None:
        return

    def abort(self) -> None:
        self.cut = True


def test_what_a_client_says_of_its_terminal() -> None:
    env = environment("xterm-256color", {"LANG": "de_DE.UTF-8", "PATH": "/x", "LC_ALL": "y" * 80, "NO_COLOR": "1"})
    assert env == {"TERM": "xterm-256color", "LANG": "de_DE.UTF-8", "NO_COLOR": "1"}
    assert environment("vt100", {}) == {"TERM": "vt100", "LANG": "C.UTF-8"}
    assert environment("x\x1b[31m\n" + "y" * 100, {"LANG": "C"})["TERM"] == "x[31m" + "y" * 57
    assert clamped(80, 0) == (80, 24)
    assert clamped(-5, 10) == (80, 24)


async def test_more_than_a_client_may_send_makes_it_wait() -> None:
    paper = Paper()
    terminal = RemoteTerminal(paper, {}, (80, 24))
    terminal.received(b"x" * BYTES_BURST)
    assert paper.paused == 0
    terminal.received(b"x" * (BYTES_RATE // 10))
    terminal.received(b"x")
    assert paper.paused == 1
    await asyncio.sleep(0.15)
    assert paper.resumed == 1
    assert len(terminal._early) == EARLY


async def test_a_burst_of_sizes_is_one_resize() -> None:
    class Fake:
        sizes: list[tuple[int, int]] = []  # noqa: RUF012

        def resize(self, columns: int, rows: int) -> None:
            self.sizes.append((columns, rows))

    terminal, fake = RemoteTerminal(Paper(), {}, (80, 24)), Fake()
    terminal.attach(fake)  # type: ignore[arg-type]
    for columns in range(5000, 4000, -10):
        terminal.resized(columns, 5000)
    terminal.resized(100, 30)
    await asyncio.sleep(0.1)
    assert fake.sizes == [(100, 30)]


async def test_a_round_waits_for_each_and_a_newer_one_ends_it() -> None:
    told: list[tuple[str, float]] = []
    drawn = []

    def turn(name: str, paints: bool) -> object:
        def go(done: object) -> None:
            told.append((name, monotonic()))
            if paints:
                drawn.append(name)
                done()  # type: ignore[operator]

        return go

    rounds = Rounds()
    rounds.start([turn("a", True), turn("b", True), turn("never paints", False), turn("c", True)])  # type: ignore[list-item]
    await asyncio.sleep(0.05)
    assert [name for name, _ in told] == ["a", "b", "never paints"]
    while len(told) < 4:
        await asyncio.sleep(0.02)
    assert [name for name, _ in told] == ["a", "b", "never paints", "c"]
    assert told[3][1] - told[2][1] > 0.45
    rounds.start([turn("old", False), turn("old too", True)])  # type: ignore[list-item]
    await asyncio.sleep(0.02)
    rounds.start([turn("new", True)])  # type: ignore[list-item]
    await asyncio.sleep(0.6)
    assert [name for name, _ in told][4:] == ["old", "new"]


async def test_garbage_is_collected_when_nobody_types(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = [monotonic()]
    collector = Collector(lambda: typed[0], lambda text: None)
    now = monotonic()
    collector.someone_left = True
    typed[0] = now
    assert not collector.due(now + 0.3)  # somebody types
    assert not collector.due(now + 10)  # too soon
    assert collector.due(now + 21)
    typed[0] = now + 21
    assert not collector.due(now + 21.1)
    typed[0] = now + 121
    assert collector.due(now + 121)  # anyway
    before = gc.get_threshold()
    task = asyncio.create_task(collector.run())
    await asyncio.sleep(0)
    assert gc.get_threshold() != before
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert gc.get_threshold() == before


def test_what_nobodys_app_prints_goes_to_the_log() -> None:
    log: list[str] = []
    before = sys.stdout
    with Routed(log.append):
        print("hello")
    assert sys.stdout is before
    assert "".join(log) == "hello\n"


def test_a_terminal_is_given_back() -> None:
    assert "\x1b[?1049l" in restoring(simple=False)[1]
    assert "\x1b[?1000l" in restoring(simple=False)[0]
    assert "?" not in restoring(simple=True)[0].replace("\x1b[?25h", "")

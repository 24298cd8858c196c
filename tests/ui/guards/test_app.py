"""The same to plain Textual: a crash, signals, a terminal that has gone, a click on what has just gone."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from types import FrameType

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread
from textual.drivers.linux_driver import LinuxDriver
from textual.widgets import Static

from tests.bench.terminal import first_paint
from tests.terminal.harness import Session
from tui_attention.ui.guards.app import GuardedApp

ENV = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
AWAY = b"\x1b[?1049l"
"""Back from the alternate screen."""


# ---------------------------------------------------------------- a crash


class Plain(App[None]):
    def on_mount(self) -> None:
        covered = "0.4" + "27"  # a local variable, whose number stands nowhere else
        raise RuntimeError(f"crashed with {len(covered)} marks")


class Ours(GuardedApp[None]):
    def on_mount(self) -> None:
        covered = "0.4" + "27"
        raise RuntimeError(f"crashed with {len(covered)} marks")


@pytest.mark.parametrize(("app", "shown"), [(Plain(), True), (Ours(ENV), False)], ids=["textual", "ours"])
async def test_textual_still_shows_every_local_variable_of_a_crash(
    app: App[None], shown: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(RuntimeError):
        async with app.run_test():
            pass
    said = capsys.readouterr().err
    assert "crashed with 5 marks" in said
    assert ("0.427" in said) is shown


# ---------------------------------------------------------------- signals


@pytest.mark.terminal
def test_textual_still_answers_no_signal_that_ends_a_program() -> None:
    with Session([sys.executable, "-m", "tests.bench.hello"], screen=False) as session:
        first_paint(session)
        os.kill(session.process.pid, signal.SIGTERM)
        while session.read(0.2):
            pass
        assert session.process.wait(5) == -signal.SIGTERM
        assert AWAY not in session.sent  # tests/terminal/test_ends.py has ours


async def test_textual_still_answers_being_continued_in_the_middle_of_anything(
    driver: LinuxDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[str] = []
    monkeypatch.setattr(driver, "_auto_restart", True)
    monkeypatch.setattr(driver, "resume_application_mode", lambda: found.append("resumed"))
    handler = signal.getsignal(signal.SIGCONT)
    assert callable(handler)
    frame: FrameType | None = sys._getframe()
    handler(signal.SIGCONT, frame)  # as Python calls it, between any two instructions: no loop is asked
    assert found == ["resumed"]


async def test_textual_still_reads_a_closed_terminal_for_ever(driver: LinuxDriver) -> None:
    reading, writing = os.pipe()
    os.close(writing)
    try:
        driver.fileno = reading
        thread = threading.Thread(target=driver.run_input_thread, daemon=True)
        spent = time.process_time()
        thread.start()
        thread.join(0.2)
        assert thread.is_alive()
        assert time.process_time() - spent > 0.02  # it turns as fast as it can
        driver.exit_event.set()
        thread.join(5)
        assert not thread.is_alive()
    finally:
        os.close(reading)


def test_textuals_writer_still_waits_for_ever_once_its_thread_has_ended() -> None:
    class Gone:
        def write(self, text: str) -> None:
            raise OSError(5, "gone")

        def flush(self) -> None:
            return

    writer = WriterThread(Gone())  # type: ignore[arg-type]
    writer.run = lambda: None  # type: ignore[method-assign]
    writer.start()
    writer.join()
    for _ in range(MAX_QUEUED_WRITES):
        writer.write("x")
    assert writer._queue.full()


# ---------------------------------------------------------------- a click on what has just gone


class Clicked(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("gone in a moment")


class OursClicked(GuardedApp[None]):
    def compose(self) -> ComposeResult:
        yield Static("gone in a moment")


async def click_on_what_has_gone(app: App[None]) -> None:
    async with app.run_test() as pilot:
        await pilot.pause()
        await app.query_one(Static).remove()
        await app.on_event(events.MouseDown(app.screen, 0, 0, 0, 0, 1, False, False, False, screen_x=0, screen_y=0))


async def test_a_click_on_a_widget_that_has_just_been_removed_still_ends_a_textual_app() -> None:
    with pytest.raises((AttributeError, AssertionError)):
        await click_on_what_has_gone(Clicked())
    await click_on_what_has_gone(OursClicked(ENV))

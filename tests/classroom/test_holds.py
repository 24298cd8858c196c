"""A class goes on whatever happens to its teacher, to one line, or to the disk; and each may have own numbers."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import monotonic

import pytest

from tests.classroom.room import room
from tui_attention.classroom.keep import store

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


async def test_a_teacher_who_drops_off_and_comes_back() -> None:
    async with room() as here:
        ada = await here.come("ada")
        await ada.until("led, teacher away")
        teacher = await here.come("teacher")
        await teacher.until("1 here")
        await ada.without("teacher away")
        teacher.press("nnn")
        await ada.until("2 token row ──")
        teacher.press("a")
        await teacher.until("0 answered")
        await ada.until("the room is asked")
        teacher.connection.abort()
        await ada.until("teacher away")
        ada.press("0.28\r")  # answered all the same
        await ada.until("1 paid")
        ada.press("N")  # and the class stays where it stands
        await ada.until("has not gone there yet")
        again = await here.come("teacher")
        await again.until("2 token row ──")
        await ada.without("teacher away")
        again.press("v")
        await again.until("1 answered, 1 right, 0 not yet")
        again.press("\x1b")
        await again.until("a ask")
        second = await here.come("teacher")  # at the projector, say
        await second.until("1 here")
        second.press("n")
        await second.until("w reads it")
        second.press("N")
        await ada.until("3 slot row ──")
        second.connection.abort()
        await asyncio.sleep(0.1)
        assert "teacher away" not in ada.text
        assert not here.log


async def test_each_has_own_numbers() -> None:
    async with room(variants=True) as here:
        ada, bob = await here.come("ada", size=(120, 40)), await here.come("bob", size=(120, 40))
        teacher = await here.come("teacher", size=(120, 40))
        await teacher.until("2 here")
        teacher.press("gflatten\r")
        await teacher.until("4 flatten a copy ──")
        teacher.press("nn")
        await ada.until("a[0] = (")
        await bob.until("a[0] = (")
        asked = [next(line for line in one.text.split("\n") if "a[0] = (" in line) for one in (ada, bob)]
        assert asked[0] != asked[1]
        walks = [app.screen_of_lesson.seat.walk for app in here.maker._apps.values()]
        right = [f"{walk.opened.run.graph.cell('a', (0, 0)).value:.2f}" for walk in walks]
        assert right[0] != right[1]
        teacher.press("a")
        await teacher.until("0 answered")
        await bob.until("the room is asked")
        bob.press(f"{right[0]}\r")  # the neighbour's number helps nobody
        await teacher.until("1 answered, 0 right")
        bob.press("\x15" + f"{right[1]}\r")
        ada.press(f"{right[0]}\r")
        await teacher.until("2 answered, 2 right")
        ada.connection.abort()
        await here.until(lambda: here.hub.here == 1)
        back = await here.come("ada", size=(120, 40))
        await back.until(asked[0].strip("│ ").partition(" = __")[0])


async def test_a_stopped_client_costs_the_others_nothing() -> None:
    async with room() as here:
        ada = await here.come("ada")
        stopped = await here.come("stopped", window=32 * 1024)
        teacher = await here.come("teacher")
        await teacher.until("2 here")
        await stopped.until("led")
        stopped.channel.pause_reading()
        seat = here.maker._apps[2].terminal
        for _ in range(60):
            stopped.press("N")
            stopped.press("P")
            await asyncio.sleep(0.02)
            if seat.held:
                break
        took = []
        for _ in range(6):
            for key, shown in (("n", "1 splitter ──"), ("P", "the route ──")):
                began = monotonic()
                teacher.press(key)
                await ada.until(shown)
                took.append(monotonic() - began)
        # Each turn of a round is given up after half a second at most, so a stopped one would cost that each time.
        assert sorted(took)[len(took) // 2] < 0.45 or not seat.held
        assert seat.wire.unsent() <= 100 * 1024
        stopped.channel.resume_reading()
        await stopped.until("the route ──")


async def test_a_full_disk_is_said_and_the_class_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "RETRY_AFTER", 0.1)
    async with room() as here:
        ada = await here.come("ada")
        teacher = await here.come("teacher")
        await teacher.until("1 here")
        teacher.press("nnn")
        await ada.until("2 token row ──")
        disk = here.store._connection
        pages = disk.execute("PRAGMA page_count").fetchone()[0]
        disk.execute(f"PRAGMA max_page_count = {pages}")
        for number in range(120):
            here.hub.ask(here.hub.state.place, f"E[7,{number % 6}]", "E", "x" * 400)
        here.hub.close_question()
        await teacher.until("not kept")
        ada.press("0.28\r")
        await ada.until("1 paid")
        teacher.press("N")
        await ada.until("3 slot row ──")
        disk.execute("PRAGMA max_page_count = 1000000")
        await asyncio.sleep(0.2)
        ada.press("p")
        await here.until(lambda: here.store.trouble is None)
        await teacher.without("not kept")
        assert [answer.typed for answer in here.store.answers()] == ["0.28"]
        assert len(here.store.questions()) == 120

"""A class as a process of its own: killed and started again, and used for minutes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from pathlib import Path
from time import monotonic

import pytest

from tests.bench.classroom import memory
from tests.classroom.line import client
from tests.classroom.serving import served
from tests.lessons.toy import TOY

SOAK_SECONDS = 120.0
LEARNERS = 8


@pytest.mark.slow
async def test_killed_and_started_again(tmp_path: Path) -> None:
    with served(tmp_path) as first:
        code = first.code
        assert first.token not in first.said
        async with (
            client(first.port, "ada", password=code) as ada,
            client(first.port, "teacher", password=first.token) as teacher,
        ):
            await teacher.until("1 here", 30)
            teacher.press("nn")
            await ada.until("2 token row", 30)
            teacher.press("n")  # the wall is read
            await ada.until("CHECK", 30)
            ada.press("0.28\r")
            await ada.until("1 paid", 30)
            os.kill(first.pid, signal.SIGKILL)
            await ada.ended(20)
    with served(tmp_path) as second:
        assert second.code == code
        assert second.token == first.token
        async with client(second.port, "Ada", password=code) as ada:
            await ada.until("2 token row", 30)
            await ada.until("1 paid", 30)


@pytest.mark.slow
async def test_a_class_on_a_lesson_of_the_teachers_own(tmp_path: Path) -> None:
    """It is opened, listed by its title, judged, and gone over to line by line; no other file is."""
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "mine.toml").write_text(TOY.replace('"toy"', '"mine"').replace('title = "mine"', 'title = "Of my own"'))
    with served(tmp_path, "--lessons", str(folder)) as server:
        async with (
            client(server.port, "ada", password=server.code) as ada,
            client(server.port, "bob", password=server.code, term="xterm", command="plain") as bob,
            client(server.port, "teacher", password=server.token) as teacher,
        ):
            await teacher.until("2 here", 30)
            await bob.hears("A name says little")
            teacher.press("L")
            await teacher.until("Of my own", 30)
            teacher.press("\x1b[A" * 9 + "\r")
            await teacher.until("look it up", 30)
            teacher.press("n")
            await ada.until("How much is twice 0.25?", 30)
            ada.press("0.50\r")
            await ada.until("1 paid", 30)
            await bob.hears("How much is twice 0.25?")
            bob.press("lessons /etc/passwd\r")
            await bob.hears("the lessons are: mine press-h")


@pytest.mark.soak
async def test_two_minutes_without_growth(tmp_path: Path) -> None:
    """Learners type, leave and come back; after the first half the server's memory stays where it is.

    Every twelve seconds nobody types for a moment, as in any class: what those who left held is let go of then.
    """
    with served(tmp_path) as server:
        ended = asyncio.Event()

        async def learner(number: int) -> None:
            while not ended.is_set():
                async with client(server.port, f"s{number}", password=server.code) as one:
                    await one.until("n next", 60)
                    for key in "npnphdd" * 6:
                        if ended.is_set() or one.gone:
                            break
                        one.press(key)
                        rests = monotonic() % 12 < 1.5
                        await asyncio.sleep(1.6 if rests else 0.4)

        async with client(server.port, "teacher", password=server.token) as teacher:
            await teacher.until("here", 60)
            teacher.press("f")
            tasks = [asyncio.create_task(learner(number)) for number in range(LEARNERS)]
            curve = []
            for _ in range(8):
                await asyncio.sleep(SOAK_SECONDS / 8)
                curve.append(memory(server.pid))
            ended.set()
            for task in tasks:
                with contextlib.suppress(Exception):
                    await task
        middle, late = sum(curve[3:5]) / 2, sum(curve[6:8]) / 2
        assert late < middle * 1.1 + 5, curve
        print(f"MB: {[round(at) for at in curve]}")

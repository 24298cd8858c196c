"""Non-interference over the wire: with other numbers wherever they are covered, the same comes.

Key by key the bytes are the same. Where a key makes several frames, how they are cut depends on the moment; so over
all of them every number that was ever sent, and everything that is no text (a copy, say), must be the same.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.classroom.room import Room, room
from tests.walk.swapped import Swapped, hidden_cells
from tui_attention.classroom.hub.state import RoomPlace
from tui_attention.classroom.seats.maker import Maker
from tui_attention.engine.graph import Graph
from tui_attention.engine.tensor import Index
from tui_attention.lessons.run import LessonRun
from tui_attention.session import Session
from tui_attention.walk.places import Place, rank
from tui_attention.walk.walk import Walk

pytestmark = pytest.mark.slow

Hidden = Callable[[Walk], frozenset[tuple[str, Index]]]
STAGE, STEP = "flatten", 2
# Cover, borrow, every hint, copy, zoom, digits, the ledger, the palette, looking back and on, wrong numbers, cells of
# later stages, the glossary, help, a picture.
KEYS = (
    "c", "r", "h", "h", "h", "h", "h", "y", "Y", "z", "y", "d", "\x1b", "d", "d", "l", "\x1b", "\x10", "cover\r",
    "n", "p", "p", "n", "n", "0.58\r", "h", "k", "\x1b", "\x1b[C", "r", "0.2\r", "\x1b", "gx1[0,0]\r", "r", "N", "f",
    "gq[0,2]\r", "r", "h", "h", "h", "h", "h", "\r", "\x1b", "Y", "z", "\x1b", "G", "\x1b", "?", "\x1b", "s",
)  # fmt: skip
# Another prompt, a dial turned, a ticket, comparing, the next mark, predicting, the lens, switches, and all of it
# undone and done again, looked at, copied and asked for in between.
WHAT_IF = (
    "D", "\x1b", "Che\r", "\x1b", "K", "V", "\x1b", "o", "\x1b", "e", "\x1b", "ihe\r", "c", "r", "h", "h", "Y",
    "y", "D", "\x1b", "f", "n", "n", "z", "\x1b", "u", "U", "D", "\x1b", "u", "f", "gE[7,0]\r", "t0.5\r", "D",
    "\x1b", "f", "c", "Y", "z", "\x1b", "\x1b[C", "h", "r", "e", "\x1b", "Ch\r", "\x1b", "\x10", "moved\r",
    "\x1b", "u", "U", "X\r", "f", "T0.9\r", "D", "\x1b", "u", "O", "u", "f", "l", "\x1b", "d", "d", "Wscale\r",
    "D", "\x1b", "f", "Y", "u", "f", "Y", "?",
)  # fmt: skip


class Lasting(Swapped):
    """Stays with its other numbers whatever is changed."""

    def turn(self, name: str, index: Index, value: float, decimals: int) -> Graph:
        return Lasting(super().turn(name, index, value, decimals), self.hidden)

    def with_inputs(self, prompt: str | None = None, other: str | None = None, ticket: float | None = None) -> Graph:
        return Lasting(super().with_inputs(prompt, other, ticket), self.hidden)


def place_of(walk: Walk) -> Place:
    stage = next(number for number, stage in enumerate(walk.stages) if stage.id == STAGE)
    return Place(stage, STEP)


def covered_there(walk: Walk) -> frozenset[tuple[str, Index]]:
    """Everything that is covered at the place where the class stands."""
    run = walk.opened.run
    return hidden_cells(Walk(run, cover=True, place=place_of(walk)))


def asked_there(walk: Walk) -> frozenset[tuple[str, Index]]:
    """The table that the room is asked about."""
    graph = walk.opened.run.graph
    return frozenset(("a", index) for index in np.ndindex(*graph.tensor("a").shape))


def swap(monkeypatch: pytest.MonkeyPatch, hidden: Hidden) -> None:
    """From now on learners get a lesson whose covered numbers are others."""
    learners = Maker._learners

    def others(self: Maker, *given: object) -> Session:
        session: Session = learners(self, *given)  # type: ignore[arg-type]
        walk = session.walk
        run = walk.opened.run
        graph = Lasting(run.graph, hidden(walk))
        session.walk = Walk(
            LessonRun(run.lesson, graph), cover=walk.covered, place=walk.place, observer=session._observer
        )
        return session

    monkeypatch.setattr(Maker, "_learners", others)


def essence(sent: bytes) -> tuple[set[bytes], list[bytes]]:
    """Every number in what was sent, and every string that a terminal is to act on."""
    commands = re.findall(rb"\x1b\][^\x07\x1b]*", sent)
    text = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\\\)", b" ", sent)
    return set(re.findall(rb"\d+[.,]\d+", text)), commands


async def bytes_of(here: Room, keys: tuple[str, ...], *, led: bool) -> list[bytes]:
    """What a learner's terminal gets: at the start, when the room is asked, and after each key."""
    ada = await here.come("ada")
    await ada.until("n next")
    got: list[bytes] = []

    async def settled() -> None:
        # Turns of the loop are counted, not time: on a busy machine time passes and nothing happens.
        before, count, turns = sum(map(len, got)), 0, 0
        while turns < 12:
            turns = turns + 1 if len(ada.got) == count else 0
            count = len(ada.got)
            await asyncio.sleep(0.01)
        got.append(ada.got[before:])

    await settled()
    here.hub.lead(led)
    learner = only_walk(here)
    place = RoomPlace("press-h", STAGE, STEP)
    here.hub.step(place, rank(learner.stages, place_of(learner)))
    await settled()
    here.hub.ask(place, "a[0,0]", "a", "What is it?")
    await settled()
    for key in keys:
        ada.press(key)
        await settled()
    return got


def only_walk(here: Room) -> Walk:
    """The walk of the only learner."""
    (app,) = here.maker._apps.values()
    walk: Walk = app.screen_of_lesson.seat.walk
    return walk


@pytest.mark.parametrize(
    ("led", "hidden", "keys"),
    [
        (True, covered_there, KEYS),
        (False, asked_there, (*KEYS, "n", "n", "n", "c", "r", "Y", "N", "N")),
        (True, covered_there, WHAT_IF),
        (False, asked_there, WHAT_IF),
    ],
    ids=["led", "free", "led, what if", "free, what if"],
)
async def test_the_bytes_know_nothing_of_what_is_covered(
    led: bool, hidden: Hidden, keys: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "one"))
    async with room() as here:
        plainly = await bytes_of(here, keys, led=led)
        screens = [here.clients[0].text]
    swap(monkeypatch, hidden)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))
    async with room() as here:
        otherwise = await bytes_of(here, keys, led=led)
        screens.append(here.clients[0].text)
        swapped = only_walk(here)
        assert isinstance(swapped.opened.run.graph, Swapped)
        assert swapped.visible.edition > 8 or keys is not WHAT_IF  # what was to be changed was changed
    one, other = essence(b"".join(plainly)), essence(b"".join(otherwise))
    assert one[0] ^ other[0] == set()
    assert one[1] == other[1]
    same = sum(one == other for one, other in zip(plainly, otherwise, strict=True))
    assert same > 0.6 * len(plainly)
    assert screens[0] == screens[1]
    assert sum(map(len, plainly)) > 20_000


async def test_the_reveal_brings_the_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other side of it: with the cover lifted, swapped numbers are seen, so the test above looks at something."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    swap(monkeypatch, asked_there)
    async with room() as here:
        got = await bytes_of(here, (), led=True)
        assert b"1.73" not in b"".join(got)
        ada = here.clients[0]
        here.hub.reveal()
        await ada.until("14.8")  # 17.25 less 1.37 times 1.73

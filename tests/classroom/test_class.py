"""A class of a teacher and learners, over real ssh."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.classroom.room import room

FLATTEN = "nnnnnnnn"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("tui_attention.classroom.auth.gate.EACH_FAILURE", 0.01)


async def test_the_class_follows_its_teacher_and_may_look_back() -> None:
    async with room() as here:
        ada = await here.come("ada")
        await ada.until("led")
        teacher = await here.come("teacher")
        await teacher.until("1 here  led")
        teacher.press("nn")
        await ada.until("2 token row ──")
        late = await here.come("Late")
        await late.until("2 token row ──")
        ada.press("n")  # the wall is read first
        await ada.until("w reads it")
        ada.press("n")  # not before the teacher
        await ada.until("Your teacher leads and has not gone there yet")
        ada.press("p")
        await ada.until("1 splitter ──")
        await ada.until("f follows")
        teacher.press("n")  # the wall folds
        await teacher.until("w reads it")
        teacher.press("n")
        await late.until("3 slot row ──")
        assert "1 splitter ──" in ada.text
        ada.press("f")
        await ada.until("3 slot row ──")
        teacher.press("f")  # lets go
        await teacher.until("2 here  free")
        ada.press("N")
        await ada.until("4 flatten a copy ──")
        assert "3 slot row ──" in late.text
        teacher.press("f")  # leads again: whoever is beyond comes back
        await ada.until("3 slot row ──")


@pytest.mark.slow
async def test_cover_and_borrowing_are_the_teachers() -> None:
    async with room(lesson="press-h") as here:
        ada = await here.come("ada")
        teacher = await here.come("teacher")
        await teacher.until("1 here  led")
        teacher.press("gflatten\rnn")
        await ada.until("a[0] = (1.10")
        assert "····" in ada.text
        ada.press("c")
        await ada.until("Your teacher has covered the numbers for all")
        ada.press("r")
        await ada.until("has not opened borrowing")
        for _ in range(5):
            ada.press("h")
            await ada.quiet(0.05)
        await ada.until("has not opened borrowing")
        assert "····" in ada.text
        assert here.hub.members[0].count("borrowed") == 0
        teacher.press("B")
        await teacher.until("may take numbers")
        ada.press("r")
        await ada.until("Borrowed:")
        teacher.press("c")
        await ada.until("uncovered")
        assert "····" not in ada.text
        ada.press("c")  # may cover for oneself
        await ada.until(" covered")


@pytest.mark.slow
async def test_a_question_to_the_room() -> None:
    async with room() as here:
        ada = await here.come("ada")
        bob = await here.come("bob")
        teacher = await here.come("teacher")
        await teacher.until("2 here")
        teacher.press("f")
        await teacher.until("free")
        teacher.press("gflatten\rnn")
        await teacher.until("a[0] = (1.10")
        teacher.press("a")
        await teacher.until("0 answered, 0 right, 2 not yet")
        await ada.until("Your teacher asks the room this")
        await bob.until("4 flatten a copy ──")
        question = here.hub.state.question
        assert question is not None
        assert question.target == "a[0,0]"
        bob.press("n")  # walks on, and the answer stays covered
        await bob.until("5 three roles ──")
        bob.press("n")  # the wall is read
        await bob.until("····")
        ada.press("0.58\r")
        await teacher.until("1 answered, 0 right, 1 not yet")
        assert "0.58 ██" in teacher.text
        assert "backward" in teacher.text
        ada.press("1.73\r")
        await teacher.until("1 right")
        assert "1.73" not in teacher.text
        assert "1.73" not in bob.text
        teacher.press("r")
        await teacher.until("revealed")
        await teacher.until("right 1.73")
        await bob.until("1.73")
        teacher.press("x")
        await teacher.until("4 flatten a copy ──")
        await teacher.until("a    1.73   ····")  # the projector shows it, too
        teacher.press("p")
        await teacher.until("step 2 of 3")
        teacher.press("b")
        await teacher.until("ada")
        assert "asked now" in teacher.text


@pytest.mark.slow
async def test_a_number_that_stands_in_no_matrix_is_told_when_it_is_revealed() -> None:
    async with room() as here:
        ada = await here.come("ada")
        teacher = await here.come("teacher")
        await teacher.until("1 here")
        teacher.press("gheads\rnn")
        await teacher.until("How")
        teacher.press("a")
        await teacher.until("0 answered")
        await ada.until("Your teacher asks the room this")
        assert "64" not in ada.text
        teacher.press("r")
        await teacher.until("revealed: 64")
        await ada.until("Your teacher reveals the number: 64.")


@pytest.mark.slow
async def test_a_number_that_is_looked_up_stays_in_its_table() -> None:
    async with room() as here:
        ada = await here.come("ada")
        await ada.until("You are ada in the class test.")
        teacher = await here.come("teacher")
        await teacher.until("1 here")
        teacher.press("nnn")
        await teacher.until("CHECK 1/2")
        teacher.press("a")
        await teacher.until("0 answered")
        await ada.until("the room is asked")
        await ada.until("7 h     0.28")
        ada.press("r")
        await ada.until("The room is being asked this")
        ada.press("0.28\r")
        await teacher.until("1 right")


@pytest.mark.slow
async def test_reconnect_restart_and_forget() -> None:
    async with room() as here:
        ada = await here.come("Ada")
        await ada.until("led")
        teacher = await here.come("teacher")
        await teacher.until("1 here")
        teacher.press("nn")
        await ada.until("2 token row ──")
        ada.press("0.28\r")
        await ada.until("1 paid")
        ada.connection.abort()  # the line drops
        await here.until(lambda: here.hub.here == 0)
        again = await here.come("ada")
        await again.until("1 paid")
        code = here.code
    async with room() as here:  # the same name: everybody goes on
        assert here.code == code
        ada = await here.come("ADA")
        await ada.until("2 token row ──")
        await ada.until("1 paid")
        teacher = await here.come("teacher")
        await teacher.until("2 token row ──")
        assert len(here.hub.members) == 1
        teacher.press("E")
        await teacher.until("1 answers are in")
        (written,) = here.folder.path.glob("answers-*.csv")
        (head, row) = csv.reader(io.StringIO(written.read_text()))
        assert dict(zip(head, row, strict=True))["typed"] == "0.28"
        assert json.loads(written.with_suffix(".json").read_text())["answers"][0]["learner"] == "Ada"
        here.ending.set()
        assert await ada.ended() == 0
        assert b"The class has ended." in ada.got
        assert ada.got.rstrip().endswith(b"thank you for coming.")
        assert b"\x1b[?1049l" in ada.got
        assert await teacher.ended() == 0


@pytest.mark.slow
async def test_names_in_use_and_a_full_class() -> None:
    async with room(most=2) as here:
        ada = await here.come("ada")
        await ada.until("led")
        second = await here.come("ADA")
        assert await second.ended() == 1
        assert b"come in by another name, such as ADA-2" in second.got or b"such as ada-2" in second.got
        bob = await here.come("bob")
        await bob.until("led")
        eve = await here.come("eve")
        assert await eve.ended() == 1
        assert b"The class is full." in eve.got
        ada.press("q")
        assert await ada.ended() == 0
        eve = await here.come("eve")
        await eve.until("led")


@pytest.mark.slow
async def test_line_by_line() -> None:
    async with room() as here:
        dumb = await here.come("dumb", term="dumb", size=(60, 24))
        await dumb.hears("You are in the class test as dumb.")
        asked = await here.come("asked", term="xterm", command="plain")
        await asked.hears("Your teacher leads")
        assert b"\x1b" not in dumb.got + asked.got
        teacher = await here.come("teacher")
        await teacher.until("2 here")
        teacher.press("nn")
        await dumb.hears("token row")
        await dumb.hears("number>")
        dumb.press("0,5x\x7f8\r")
        await dumb.hears("Read: 0.58")
        await here.until(lambda: here.hub.members[0].tries == 1)
        dumb.press("reveal\r")
        await dumb.hears("has not opened borrowing")
        dumb.press("lessons /etc/passwd\r")
        await dumb.hears("has no lesson")
        dumb.press("quit\r")
        assert await dumb.ended() == 0
        asked.press("\x04")
        assert await asked.ended() == 0
        assert b"Goodbye" in asked.got
        assert here.hub.members[0].plain


@pytest.mark.slow
async def test_nothing_of_a_learner_reaches_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webbrowser.open", lambda *a, **k: pytest.fail("a browser was opened"))
    async with room() as here:
        before = {path.name for path in here.folder.path.iterdir()}
        ada = await here.come("ada")
        await ada.until("led")
        ada.press("ss")
        await ada.until("Nothing is saved on the class's machine")
        ada.press("L")
        await ada.until("lessons")
        ada.press("\x1b[B\r")
        await ada.until("Your teacher leads the class")
        after = {path.name for path in here.folder.path.iterdir()} - before
        assert all(name.startswith("learner-00001.sqlite3") for name in after)
        assert not list(Path.cwd().glob("press-h-*"))
        assert not here.log


@pytest.mark.slow
async def test_the_teacher_looks_at_a_learners_screen_who_is_told() -> None:
    async with room() as here:
        ada = await here.come("ada")
        await ada.until("led")
        teacher = await here.come("teacher")
        await teacher.until("1 here")
        teacher.press("b")
        await teacher.until("asked now")
        teacher.press("\r")
        await teacher.until("ada, as it is")
        await ada.until("Your teacher is looking at your screen")
        assert "watched" in ada.text
        teacher.press("\x1b")
        await teacher.until("1 here")
        await ada.without("watched")

"""In a class no key does two things, and what a class does not have is said wherever it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.classroom.room import room
from tui_attention.classroom.seats.commands import NOT_HERE, offered
from tui_attention.classroom.seats.learner import LearnerScreen
from tui_attention.classroom.seats.teacher import TeacherScreen
from tui_attention.interaction.commands import BY_ID, COMMANDS
from tui_attention.output import speaks_unicode
from tui_attention.render.rows import plain
from tui_attention.ui.screens.help import help_rows

SCREENS = (LearnerScreen, TeacherScreen)


@pytest.mark.parametrize("screen", SCREENS)
def test_no_key_of_a_class_does_two_things(screen: type[LearnerScreen | TeacherScreen]) -> None:
    taken = {key for command in offered() for key in command.keys}
    own = [key.key for key in screen.CLASS_KEYS]
    assert len(set(own)) == len(own)
    assert not taken & set(own)
    assert not {key.id for key in screen.CLASS_KEYS} & set(BY_ID)
    assert all(hasattr(screen, f"action_{key.action}") for key in screen.CLASS_KEYS)


def test_what_a_class_does_not_have_is_in_no_list_of_it() -> None:
    assert set(NOT_HERE) <= set(BY_ID)
    assert {command.id for command in offered()} == set(BY_ID) - set(NOT_HERE)
    # A command about models is one that a class does not have, whatever it will be called.
    assert {command.id for command in COMMANDS if "In a model" in command.help} <= set(NOT_HERE)
    said = "\n".join(plain(row) for row in help_rows(70, offered()))
    assert not [id for id in NOT_HERE if BY_ID[id].tooltip[:40] in said]
    assert speaks_unicode({"LANG": "C.UTF-8"})


def files(home: Path) -> set[Path]:
    """Every file below, but for what SQLite puts beside its own."""
    return {path for path in home.rglob("*") if not path.name.endswith(("-wal", "-shm"))}


@pytest.mark.slow
async def test_every_key_that_a_class_does_not_have_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    async with room() as here:
        ada = await here.come("ada", size=(120, 40))
        teacher = await here.come("teacher", size=(120, 40))
        await teacher.until("1 here")
        before = files(tmp_path)
        for client, screen in ((ada, LearnerScreen), (teacher, TeacherScreen)):
            own = {key.key for key in screen.CLASS_KEYS}
            for id, says in NOT_HERE.items():
                await client.until("n next")
                if BY_ID[id].shown not in own:
                    client.press(BY_ID[id].shown)
                    await client.until(says[:30])
                    client.press("\x1b")
                    await client.without(says[:30])
        ada.press("?")
        await ada.until("follow the teacher again")
        ada.press("\x1b")
        await ada.until("n next")
        ada.press("\x10")  # the palette
        await ada.until("every action by its name")
        ada.press("trained")
        await ada.until("Nothing is called that")
        ada.press("\x15follow\r")
        await ada.until("You follow your teacher")
        assert files(tmp_path) == before
        assert not here.log


@pytest.mark.slow
async def test_a_teachers_letters_are_keys_at_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    async with room() as here:
        ada = await here.come("ada")
        teacher = await here.come("teacher")
        await teacher.until("1 here")
        teacher.press("nnn")
        await teacher.until("CHECK 1/2")
        await teacher.until("a ask  v answers  R reveal  b board  f free")
        teacher.press("0.28\r")
        await teacher.until("Right")
        teacher.press("\r")  # on to the CHECK for a sentence
        await teacher.until("CHECK 2/2")
        teacher.press("a")
        await teacher.until("0 answered")
        question = here.hub.state.question
        assert question is not None
        assert question.target == "check:token-row.2"
        await ada.until("CHECK 2/2")
        teacher.press("\x1b")
        await teacher.until("a ask")
        teacher.press("dav")  # what comes at once is keys, too
        await teacher.until("0 answered")
        teacher.press("\x1b")
        await teacher.until("a ask")
        teacher.press("\r")
        await teacher.until("in your words")
        teacher.press("\x1b")
        await teacher.until("a ask")
        teacher.press("p")
        await ada.until("1 splitter ──")
        ada.press("p")
        await ada.until("n next  p back  f follow")


@pytest.mark.slow
async def test_a_learner_who_reviews_at_home_does_not_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    async with room() as here:
        dumb = await here.come("dumb", term="dumb")
        await dumb.hears("You are in the class")
        for word in ("review", "afresh", "reload", "deeper", "off 3.1", "pattern 1.1"):
            dumb.press(f"{word}\r")
            await dumb.hears(NOT_HERE[_of(word.split()[0])])
        dumb.press("lessons\r")
        await dumb.hears("press-h:")
        dumb.press("help\r")
        await dumb.hears("follow: to where your teacher is")
        assert b"deeper:" not in dumb.got
        assert b"/" + str(tmp_path).encode() not in dumb.got


def _of(word: str) -> str:
    return next(command.id for command in COMMANDS if command.word == word)

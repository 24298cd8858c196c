"""Answering with the keys: the line, the verdict, hints, borrowing, keeping, sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.seated import code, line, panel, screen_text, seated
from tui_attention.ui import meant
from tui_attention.ui.guards.keyboard import Burst, Keyboard
from tui_attention.ui.screens.main import MainScreen
from tui_attention.walk.refs import CellRef, parse_ref


async def test_a_right_answer_pays_and_opens_the_tensor() -> None:
    async with seated(stage="slot-row") as (app, pilot):
        await pilot.press("n", *"-.87", "enter")
        assert app.seat.walk.ledger.entry(parse_ref("x0[0,2]")).state == "paid"
        assert line(app) is None
        assert "x0   1.10   0.10  -0.87" in panel(app)
        assert "1 paid" in screen_text(app).split("\n")[0]


async def test_a_slip_is_named_and_its_cells_are_lit() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("n", "n", *"0.58", "enter")
        assert app.seat.editor is not None
        assert "divide backward" in panel(app).replace("\n", " ")
        assert app.main.panel.lights.slips
        await pilot.press("1")
        assert app.seat.editor.text == "1", "a new mark begins anew after a verdict"


async def test_letters_belong_to_the_open_line() -> None:
    async with seated(stage="flatten") as (app, pilot):
        place = app.seat.walk.place
        await pilot.press("1", *"qncNLG?")
        assert app.seat.editor is not None
        assert app.seat.editor.text == "1qncNLG?"
        assert app.seat.walk.place == place
        assert app.is_running
        await pilot.press("backspace", "left", "left", "delete", "home", "x", "end", "y")
        assert app.seat.editor.text == "x1qncNGy"
        await pilot.press("escape")
        assert line(app) is None
        await pilot.press("enter")
        assert app.seat.editor is not None
        assert app.seat.editor.text == "x1qncNGy", "what was typed is there again"
        await pilot.press("escape", "escape")
        assert app.is_running


async def test_the_text_stays_when_the_terminal_is_resized() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("1", ".")
        await pilot.resize_terminal(44, 16)
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert "your number 1." in panel(app)


async def test_enter_opens_the_answer_and_shows_the_working_of_a_shown_cell() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("enter")
        assert app.seat.editor is not None
        await pilot.press("escape", "c", "enter")
        for question in app.seat.walk.questions():
            app.seat.walk.reveal(question.ref)
            app.seat.changed()
        await pilot.press("enter")
        text = screen_text(app)
        assert "where mu1 comes from" in text
        assert "step by step" in text
        await pilot.press("escape")
        assert isinstance(app.screen, MainScreen)


async def test_hints_and_borrowing() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("n", "n", "h")
        assert "Hint 1 of 5" in panel(app)
        await pilot.press("h", "h", "h", "h")
        assert "is the number itself" in " ".join(panel(app).replace("│", " ").split())
        assert app.seat.walk.ledger.entry(parse_ref("a[0,0]")).state == "open"
        await pilot.press("enter")
        assert app.seat.walk.ledger.entry(parse_ref("a[0,0]")).state == "borrowed"
        await pilot.press("p", "r", "enter")
        assert app.seat.walk.ledger.entry(parse_ref("sigma1[0]")).state == "borrowed"
        assert "Borrowed: 0.5736" in panel(app)


async def test_keeping_ones_own_number() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("n", "n", "k")
        assert "none stands here" in panel(app)
        await pilot.press(*"0.58", "enter")
        assert "k keep mine" in screen_text(app).rstrip("\n").split("\n")[-1]
        await pilot.press("k")
        assert app.seat.walk.ledger.own[CellRef.parse("a[0,0]")] == 0.58
        assert "Kept" in panel(app)


async def test_letters_are_keys_again_once_a_number_is_judged() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("n", "n", *"0.5h", "enter", "backspace", "backspace", *"58", "enter", "h")
        assert "Hint 2 of 5" in panel(app)
        await pilot.press("q", "[", "0", "]")
        assert app.is_running
        assert "your number q[0]" in panel(app)
        await pilot.press("escape", *"0.58", "enter", "n")
        assert app.seat.walk.stage.id == "roles"


async def test_a_given_prompt_is_replaced_by_what_is_typed() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("i", *"had", "enter")
        assert app.seat.walk.opened.run.graph.inputs.prompt == "had"
        await pilot.press("i", "left", "right", *"h", "enter")
        assert app.seat.walk.opened.run.graph.inputs.prompt == "hadh"


async def test_keeping_it_after_the_line_is_left() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("n", "n", *"0.58", "enter", "escape")
        assert "k keeps your 0.58" in panel(app)
        await pilot.press("k")
        assert app.seat.walk.ledger.own[CellRef.parse("a[0,0]")] == 0.58


async def test_help_waits_until_the_next_question_is_seen() -> None:
    async with seated(stage="token-row") as (app, pilot):
        await pilot.press(*"hhhhh", "enter")
        assert "E[7,0] = 0.28" in panel(app)
        await pilot.press("h")
        assert "CHECK 2/2" in panel(app)
        await pilot.press("escape", "h")
        assert "say it in a sentence" in panel(app)
        await pilot.press("enter", "enter")
        assert "Nothing was typed" in panel(app)
        await pilot.press(*"sizes", "enter", "2")
        assert "CHECK 2/2" in panel(app)
        assert "Marked: partly." in panel(app)


async def test_a_digit_where_nothing_is_asked_is_answered() -> None:
    async with seated(stage="slot-row") as (app, pilot):
        await pilot.press("2")
        assert "Nothing is asked here" in panel(app)


async def test_a_sentence_is_marked_by_the_learner() -> None:
    async with seated(stage="slot-row") as (app, pilot):
        await pilot.press("n", *"-.87", "enter", "enter", "enter")
        assert app.seat.editor is not None
        assert app.seat.editor.purpose == "sentence"
        await pilot.press(*"same", "enter")
        assert "row of the token table is read twice" in " ".join(panel(app).replace("│", " ").split())
        assert "had it" in panel(app)
        await pilot.press("2")
        assert app.seat.walk.counts()["helped"] == 1


async def test_at_a_sentence_any_letter_opens_the_line_and_moves_nothing() -> None:
    async with seated(stage="token-row") as (app, pilot):
        await pilot.press(*"0.28", "enter", "enter")
        place, covered = app.seat.walk.place, app.seat.walk.covered
        await pilot.press(*"queries, because", "enter")
        assert app.is_running
        assert (app.seat.walk.place, app.seat.walk.covered) == (place, covered)
        assert app.seat.marking
        assert "You: queries, because" in panel(app)
        await pilot.press("1")
        assert "You: queries, because" in panel(app)
        assert "Marked: had it." in panel(app)


async def test_after_escape_letters_are_keys_and_doubled_they_walk() -> None:
    async with seated(stage="token-row") as (app, pilot):
        await pilot.press(*"0.28", "enter", "enter")
        assert "begins your sentence" in screen_text(app).rstrip("\n").split("\n")[-1]
        await pilot.press("n", "x", "escape", "n")
        assert app.seat.walk.stage.id == "slot-row"
        await pilot.press("p", "n", "n")
        assert app.seat.walk.stage.id == "slot-row"


async def test_a_burst_of_letters_is_text_wherever_a_question_is_open() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("n", "n")
        place = app.seat.walk.place
        app.post_message(burst("queries"))
        await pilot.pause()
        assert app.is_running
        assert app.seat.walk.place == place
        assert "reads as text" in panel(app).replace("\n", " ")
    async with seated(stage="token-row") as (app, pilot):
        await pilot.press(*"0.28", "enter", "enter")
        app.post_message(burst("because it is"))
        await pilot.pause()
        assert line(app) is not None
        assert app.seat.editor is not None
        assert app.seat.editor.text == "because it is"


@pytest.mark.parametrize("word", ["because", "success", "queries", "correct", "reveal", "guess", "For", "Or"])
async def test_a_word_typed_slowly_at_a_number_does_nothing_that_stays(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each letter by itself is a key; those that uncover, borrow, leave, write or begin anew wait first."""
    monkeypatch.chdir(tmp_path)
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press(*word)
        walk = app.seat.walk
        assert app.is_running
        assert walk.covered
        assert walk.counts() == {**dict.fromkeys(walk.counts(), 0), "open": walk.counts()["open"]}
        assert (walk.visible.variant, walk.visible.inputs.prompt) == (0, "h")
        assert not list(tmp_path.iterdir())


async def test_what_waits_is_done_by_enter_or_after_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("r")
        assert "counts as borrowed" in panel(app).replace("\n", " ")
        await pilot.press("left", "enter")
        assert app.seat.walk.counts()["borrowed"] == 0, "another key stops it"
        await pilot.press("escape", "r", "enter")
        assert app.seat.walk.counts()["borrowed"] == 1
        monkeypatch.setattr(meant, "GRACE", 0.01)
        await pilot.press("n", "c")
        await pilot.pause(0.1)
        assert not app.seat.walk.covered
        await pilot.press("c", "q")
        await pilot.pause(0.1)
        assert code(app) == 0


def burst(text: str) -> Burst:
    (found,) = Keyboard().feed(text.encode(), 0.0)
    assert isinstance(found, Burst)
    return found


def test_held_keys_and_single_ones_are_no_burst() -> None:
    for data in (b"nnnnnn", b"np", b"0.58", b"ab1\r", b"zq\x1b[A"):
        assert not any(isinstance(event, Burst) for event in Keyboard().feed(data, 0.0))

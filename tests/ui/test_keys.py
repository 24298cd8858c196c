"""Every key of the table, pressed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.seated import code, panel, screen_text, seated
from tui_attention.interaction.commands import COMMANDS, footer
from tui_attention.ui.screens.main import MainScreen
from tui_attention.ui.screens.palette import entries_of
from tui_attention.ui.screens.zoom import ZoomScreen


def test_the_table_is_sound() -> None:
    keys = [key for entry in COMMANDS for key in entry.keys]
    assert len(keys) == len(set(keys))
    assert len({entry.id for entry in COMMANDS}) == len(COMMANDS)
    never = {"ctrl+i", "ctrl+m", "ctrl+h", "ctrl+space", "ctrl+a", "ctrl+b", "ctrl+s", "ctrl+q"}
    assert not never & set(keys)
    assert all(entry.tooltip for entry in COMMANDS)
    assert len(footer()) <= 8


async def test_the_footer_fits_80_columns() -> None:
    async with seated() as (app, _):
        last = screen_text(app).rstrip("\n").split("\n")[-1]
        for key in footer():
            assert f"{key.shown} {key.short}" in last


@pytest.mark.parametrize(("on", "back"), [("n", "p"), ("space", "pageup"), ("pagedown", "p")])
async def test_steps(on: str, back: str) -> None:
    async with seated(stage="flatten") as (app, pilot):
        walk = app.seat.walk
        await pilot.press(on, on)
        assert (walk.stage.id, walk.place.step) == ("flatten", 2)
        assert "step 3 of 3" in panel(app)
        await pilot.press(back)
        assert walk.place.step == 1


async def test_stages() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("N")
        assert app.seat.walk.stage.id == "roles"
        await pilot.press("P")
        assert app.seat.walk.stage.id == "flatten"


async def test_arrows_move_the_cursor_and_light_what_it_reads() -> None:
    async with seated(stage="roles") as (app, pilot):
        assert app.seat.cursor is not None
        assert str(app.seat.cursor.source) == "q[0,0]"
        await pilot.press("right", "right")
        assert str(app.seat.cursor.source) == "q[0,2]"
        assert {"a[0,5]", "Wq[0,2]", "Wq[5,2]"} <= set(map(str, app.main.panel.lights.lit))
        assert "q[2] = " in panel(app)
        await pilot.press("up")
        assert str(app.seat.cursor.source) == "Wq[5,2]"
        assert "q[0] = " in panel(app), "the line at hand is the asked cell's"


async def test_the_cover() -> None:
    async with seated(stage="flatten") as (app, pilot):
        assert "····" in panel(app)
        await pilot.press("c", "enter")
        assert "uncovered" in screen_text(app).split("\n")[0]
        assert "····" not in panel(app)
        await pilot.press("c")
        assert app.seat.walk.covered


async def test_digits_cycle() -> None:
    async with seated(stage="flatten", cover=False) as (app, pilot):
        await pilot.press("d", "d")
        assert str(app.seat.walk.digits) == "all"
        assert "all digits" in screen_text(app).split("\n")[0]
        await pilot.press("d")
        assert app.seat.walk.digits == "printed"


async def test_going_to_a_place() -> None:
    async with seated() as (app, pilot):
        await pilot.press("g", *"q[0,3]", "enter")
        assert app.seat.walk.stage.id == "roles"
        assert app.seat.cursor is not None
        assert str(app.seat.cursor.source) == "q[0,3]"
        await pilot.press("g", *"nowhere", "enter")
        assert app.seat.editor is not None
        assert "neither a stage nor a cell" in panel(app).replace("\n", " ")
        await pilot.press("escape", "g", *"shares", "enter")
        assert app.seat.walk.stage.id == "shares"


async def test_the_pipeline() -> None:
    async with seated(stage="splitter") as (app, pilot):
        await pilot.press("tab", "down", "down", "up")
        assert app.main.chosen == 2
        assert app.seat.walk.stage.id == "splitter"
        await pilot.press("enter")
        assert app.seat.walk.stage.id == "token-row"
        assert not app.main.in_tree
        await pilot.press("tab", "escape")
        assert not app.main.in_tree


async def test_dials_turn_and_turn_back() -> None:
    async with seated(stage="slot-row", cover=False) as (app, pilot):
        await pilot.press("g", *"E[7,0]", "enter", "t", "ctrl+u", *"0.5", "enter")
        assert not app.seat.walk.opened.run.graph.own
        assert "E[7,0] = 0.5" in screen_text(app).split("\n")[0]
        await pilot.press("u")
        assert app.seat.walk.opened.run.graph.own


async def test_inputs_change() -> None:
    async with seated(stage="splitter") as (app, pilot):
        await pilot.press("i", "ctrl+u", *"ab", "enter")
        assert app.seat.walk.opened.run.graph.inputs.prompt == "ab"
        await pilot.press("i", "x", "enter")
        assert app.seat.editor is not None, "a mark outside the vocabulary is refused with a sentence"
        await pilot.press("escape", "T", "ctrl+u", *"0.7", "enter")
        assert app.seat.walk.opened.run.graph.inputs.ticket == 0.7
        await pilot.press("I")
        assert "one sentence only" in panel(app)
    async with seated("bank") as (app, pilot):
        await pilot.press("I", "ctrl+u", *"the", "space", *"bank", "enter")
        assert app.seat.walk.opened.run.graph.inputs.other == "the bank"


async def test_scrolling() -> None:
    async with seated(stage="token-row") as (app, pilot):
        await pilot.press("w")
        before = panel(app)
        await pilot.press("right_square_bracket")
        assert panel(app) != before
        assert "▲" in panel(app)
        await pilot.press("left_square_bracket", "left_square_bracket")
        assert panel(app) == before


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("question_mark", "Work out each covered number"),
        ("G", "residual stream"),
        ("L", "One word, two sentences"),
        ("l", "with help"),
    ],
)
async def test_layers_open_and_close(key: str, expected: str) -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press(key)
        await pilot.pause()
        assert expected in screen_text(app)
        await pilot.press("down", "pagedown", "pageup", "end", "home", "escape")
        assert isinstance(app.screen, MainScreen)


async def test_another_lesson() -> None:
    async with seated() as (app, pilot):
        await pilot.press("L", "down", "enter")
        await pilot.pause()
        assert app.seat.walk.opened.run.lesson.id == "bank"
        assert "One word, two sentences" in screen_text(app).split("\n")[0]


async def test_a_term_leads_to_its_stage() -> None:
    async with seated() as (app, pilot):
        await pilot.press("G", "down", "down", "down", "enter")
        await pilot.pause()
        assert app.seat.walk.stage.id == "slot-row"


async def test_zoom() -> None:
    async with seated(stage="roles") as (app, pilot):
        await pilot.press("z")
        await pilot.pause()
        assert isinstance(app.screen, ZoomScreen)
        await pilot.press("right", "y", "Y", "d", "d", "d", "z")
        assert isinstance(app.screen, MainScreen)
        assert app.seat.cursor is not None
        assert str(app.seat.cursor.source) == "q[0,1]"
        assert app.clipboard.count("\t") == 5


async def test_copying() -> None:
    async with seated(stage="slot-row") as (app, pilot):
        await pilot.press("n", "y")
        assert app.clipboard == "x0[0,2] = ····"
        await pilot.press("up", "y")
        assert app.clipboard == "p[0,2] = -0.80"
        await pilot.press("Y")
        assert app.clipboard.split("\t")[2] == "-0.80"
        assert "-0.80" in panel(app)
        assert "\t" not in panel(app)


async def test_what_a_terminal_obeys_is_never_painted() -> None:
    """A tab moves on and leaves what stood there before."""
    async with seated(stage="slot-row") as (app, pilot):
        app.main.seat.say("one\ttwo\x1b[2J")
        app.main.redraw()
        await pilot.pause()
        painted = "".join(strip.text for strip in app.main.panel.render_lines(app.main.panel.size.region))
        assert "one two\\x1b[2J" in painted


async def test_saving_a_stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("s")
        assert str(tmp_path) in panel(app).replace("\n", "").replace(" ", "").replace("│", "")
        await pilot.press("n", "s")
        assert not list(tmp_path.iterdir()), "another key in between, and it asks again"
        await pilot.press("p", "s", "s")
        assert not list(tmp_path.iterdir()), "nor does a double letter"
        await pilot.press("enter")
        assert "Saved" in panel(app)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["press-h-flatten-1.svg", "press-h-flatten-1.txt"]


async def test_the_palette_holds_every_action() -> None:
    async with seated() as (app, pilot):
        await pilot.press("ctrl+p")
        await pilot.pause()
        assert len(app.screen_stack) == 2
        await pilot.press("escape")
        said = [entry.says for entry in entries_of(COMMANDS)]
        assert said == [key.tooltip for key in COMMANDS if key.palette]


async def test_leaving() -> None:
    async with seated() as (app, pilot):
        await pilot.press("ctrl+c")
        assert "once more" in panel(app)
        await pilot.press("n", "ctrl+c")
        assert code(app) is None
        await pilot.press("ctrl+c")
        assert code(app) == 130
    async with seated() as (app, pilot):
        await pilot.press("q")
        assert code(app) == 0


async def test_the_end_of_a_lesson() -> None:
    async with seated(stage="retold") as (app, pilot):
        await pilot.press("n")
        await pilot.pause()
        text = screen_text(app)
        assert "That was the last step" in text
        assert "One word, two sentences" in text
        await pilot.press("down", "enter")
        assert isinstance(app.screen, MainScreen)


@pytest.mark.parametrize("lesson", ["press-h", "bank"])
async def test_an_open_check_is_what_is_asked_first(lesson: str) -> None:
    async with seated(lesson) as (app, pilot):
        walk = app.seat.walk
        walk.goto(walk.stages[0].id)
        while not walk.at_end:
            app.main.do("next")
            asked, question = walk.open_question(), app.seat.core.question()
            if asked is not None:
                assert question is not None
                assert question.ref == asked.ref, walk.place
        await pilot.pause()


def test_no_key_does_two_things() -> None:
    keys = [key for command in COMMANDS for key in command.keys]
    assert len(keys) == len(set(keys))

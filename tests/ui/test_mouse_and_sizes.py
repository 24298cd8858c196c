"""Clicks, the wheel, selecting, pasting; and screens of every size."""

from __future__ import annotations

import random

import pytest
from textual.events import MouseScrollDown, Paste

from tests.ui.seated import code, line, panel, screen_text, seated
from tui_attention.render.rows import CellKey, cells_of


async def test_a_click_sets_the_cursor() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("n", "n")
        y, x, _, key = next(found for found in cells_of(app.main.panel.rows) if str(found[3].source) == "x0[0,3]")
        await pilot.click("#panel", offset=(x + 2, y))
        assert app.seat.cursor == key
        assert isinstance(key, CellKey)


async def test_the_wheel_scrolls_and_the_mark_is_a_link() -> None:
    async with seated(stage="token-row") as (app, pilot):
        await pilot.press("w")
        before = panel(app)
        await pilot._post_mouse_events([MouseScrollDown], widget=app.main.panel)
        await pilot.pause()
        assert panel(app) != before
        y = next(y for y, row in enumerate(app.main.panel.rows) if any(span.style == "more" for span in row))
        x = panel(app).split("\n")[y].index("▲")
        await pilot.click("#panel", offset=(x + 1, y))
        assert panel(app) == before


async def test_tree_and_footer_take_clicks() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.click("#tree", offset=(6, 2))
        assert app.seat.walk.stage.id == "splitter"
        await pilot.click("#footer", offset=(2, 0))
        assert app.seat.walk.stage.id == "token-row"


async def test_selected_text_is_copied() -> None:
    async with seated(stage="flatten") as (app, pilot):
        app.screen.text_select_all()
        await pilot.press("ctrl+c")
        assert "mu1 = mean(x0)" in app.clipboard
        assert code(app) is None


async def test_a_paste_begins_an_answer_only_when_it_is_one() -> None:
    async with seated(stage="flatten") as (app, pilot):
        app.main.panel.post_message(Paste("quit\n"))
        await pilot.pause()
        assert line(app) is None
        app.main.panel.post_message(Paste("0.\n11"))
        await pilot.pause()
        assert app.seat.editor is not None
        assert app.seat.editor.text == "0. 11"


@pytest.mark.parametrize("lesson", ["press-h", "bank"])
async def test_no_row_is_wider_than_the_screen(lesson: str) -> None:
    async with seated(lesson) as (app, pilot):
        walk = app.seat.walk
        for size in ((40, 15), (60, 20), (80, 24), (120, 40), (200, 60)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            for stage in walk.stages:
                walk.goto(stage.id)
                app.seat.settle_in()
                app.main.panel.follow = True
                app.main.draw()
                for row in app.main.panel.rows:
                    assert sum(len(span.text) for span in row) == app.main.panel.size.width
                assert len(app.main.panel.rows) == app.main.panel.size.height


async def test_small_screens_are_refused_politely_and_large_ones_filled() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.resize_terminal(30, 8)
        await pilot.pause()
        assert "40x12" in screen_text(app)
        assert "plain" in screen_text(app)
        await pilot.press("n", "1", "escape")
        await pilot.resize_terminal(300, 80)
        await pilot.pause()
        assert "step 2 of 3" in screen_text(app)


NAMED = {"?": "question_mark", " ": "space"}


async def test_random_keys_and_sizes_do_no_harm() -> None:
    seed = 20260101
    chance = random.Random(seed)
    keys = [
        *"npNPchrdgGLzyYtuiITkl?0123456789.-=( ",
        "enter",
        "escape",
        "tab",
        "up",
        "down",
        "left",
        "right",
        "backspace",
    ]
    keys += ["pageup", "pagedown", "home", "end", "left_square_bracket", "right_square_bracket", "ctrl+u", "ctrl+w"]
    async with seated() as (app, pilot):
        for turn in range(40):
            pressed = [NAMED.get(key, key) for key in chance.choices(keys, k=12)]
            for key in pressed:
                app.simulate_key(key)
            if turn % 5 == 0:
                await pilot.resize_terminal(chance.randint(20, 200), chance.randint(5, 60))
            await pilot.pause()
            assert app.is_running, (seed, turn, pressed)


async def test_on_another_size_the_step_at_hand_is_what_shows() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("n", "1")
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        shown = screen_text(app)
        assert "sigma1" in shown
        assert "enter judge" in shown
        assert "your number 1" in shown


async def test_the_ledger_shows_every_number_at_40_columns() -> None:
    async with seated(size=(40, 15)) as (app, pilot):
        await pilot.press("l")
        await pilot.pause()
        shown = screen_text(app)
        assert "paid  help  borr.  open" in shown

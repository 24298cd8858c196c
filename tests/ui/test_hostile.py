"""Sequences that once crashed, froze or lost something, one by one; races with the delay put in on purpose."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from tests.ui.seated import code, line, panel, screen_text, seated
from tui_attention.options import Options
from tui_attention.render.rows import Row
from tui_attention.session import open_session
from tui_attention.ui.attention import AttentionApp
from tui_attention.ui.guards.keyboard import EscapeTakenBack
from tui_attention.ui.screens.ledger import EndScreen, LedgerScreen
from tui_attention.ui.screens.main import MainScreen
from tui_attention.ui.shots import ENV

PAGES = ("question_mark", "G", "L", "l", "z", "ctrl+p")


def burst(app: AttentionApp, *keys: str) -> None:
    """Keys that come faster than anything is done about them."""
    for key in keys:
        app.simulate_key(key)


# ---------------------------------------------------------------- held keys


@pytest.mark.parametrize("page", PAGES)
async def test_held_keys_never_pile_up_on_a_page(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rows are made once, and so many keys are drawn a few times only: Escape does not wait for them."""
    drawn = 0
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press(page)
        await pilot.pause()
        layer = app.screen
        assert not isinstance(layer, MainScreen)
        draw = layer.draw  # type: ignore[attr-defined]

        def counted() -> None:
            nonlocal drawn
            drawn += 1
            draw()

        monkeypatch.setattr(layer, "draw", counted)
        burst(app, *["down", "pagedown", "up"] * 100, "escape")
        await pilot.pause()
        assert isinstance(app.screen, MainScreen)
        assert drawn < 100


@pytest.mark.parametrize("kind", [EndScreen, LedgerScreen])
async def test_a_page_makes_its_rows_once_for_each_width(
    kind: type[LedgerScreen], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    make = kind.make

    def counted(self: LedgerScreen, width: int) -> Sequence[Row]:
        made.append(width)
        return make(self, width)

    monkeypatch.setattr(kind, "make", counted)
    async with seated("bank") as (app, pilot):
        if kind is LedgerScreen:
            await pilot.press("l")
        else:
            app.main.follow_link(None)
            app.seat.walk.goto(app.seat.walk.stages[-1].id)
            while not app.seat.walk.at_end:
                app.seat.walk.next()
            await pilot.press("n")
        await pilot.pause()
        burst(app, *["n"] * 200)
        await pilot.pause()
        assert len(made) == 1
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert len(made) == 2


# ---------------------------------------------------------------- half-typed answers


async def test_a_click_on_another_stage_keeps_what_is_typed() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press(*"12.5")
        await pilot.click("#tree", offset=(6, 2))
        assert app.seat.walk.stage.id == "splitter"
        await pilot.press("g", *"flatten", "enter", "enter")
        editor = line(app)
        assert editor is not None
        assert editor.text == "12.5"


async def test_next_from_the_palette_keeps_what_is_typed() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press(*"12.5")
        app.main.action_palette()
        await pilot.pause()
        await pilot.press(*"next", "enter")
        await pilot.pause()
        assert app.seat.walk.place.step == 1
        await pilot.press("p", "enter")
        editor = line(app)
        assert editor is not None
        assert editor.text == "12.5"


async def test_each_question_has_a_draft_of_its_own_and_the_next_start_has_them(tmp_path: Path) -> None:
    options = Options("press-h", named=True, env=dict(ENV))
    with open_session(options, tmp_path / "progress.db") as session:
        session.walk.goto("a[0,2]")
        app = AttentionApp(session)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press("1", "1", "escape", "right", "2", "2", "escape", "q")
            assert code(app) is None
            assert "Not sent yet" in panel(app)
            await pilot.press("q")
            assert code(app) == 0
    with open_session(options, tmp_path / "progress.db") as session:
        app = AttentionApp(session)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            editor = line(app)
            assert editor is not None
            assert editor.text == "22"
            await pilot.press("escape", "left", "enter")
            editor = line(app)
            assert editor is not None
            assert editor.text == "11"


async def test_a_sentence_that_was_said_is_kept(tmp_path: Path) -> None:
    options = Options("press-h", named=True, stage="token-row", env=dict(ENV))
    with open_session(options, tmp_path / "progress.db") as session:
        app = AttentionApp(session)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press("r", "enter", "enter", *"the row of h", "enter")
            assert "You: the row of h" in panel(app)
            assert session.sentences()
            assert list(session.sentences().values()) == ["the row of h"]


async def test_what_a_line_does_not_take_is_said() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("1")
        app.main.panel.post_message(events.Paste("2" * 300))
        app.post_message(events.Paste("2" * 300))
        await pilot.pause()
        editor = line(app)
        assert editor is not None
        assert len(editor.text) == 200
        assert "A line takes 200 characters" in panel(app)


# ---------------------------------------------------------------- the palette, and layers that come and go


async def test_keys_that_are_left_when_the_palette_closes_go_to_the_lesson() -> None:
    async with seated(stage="flatten") as (app, pilot):
        burst(app, "ctrl+p", "down", "pagedown", "escape", "pagedown", "up", "pageup", "enter", "escape")
        await pilot.pause()
        assert app.is_running
        burst(app, *["ctrl+p", "enter", "down", "escape", "pageup", "ctrl+p", "escape", "enter"] * 10)
        await pilot.pause()
        assert app.is_running


async def test_a_layer_that_comes_late_gets_its_keys_in_order() -> None:
    """The delay is put in: composing the palette waits, the keys do not."""
    from tui_attention.ui.screens.palette import PaletteScreen

    gate = asyncio.Event()

    class Late(PaletteScreen):
        async def _on_compose(self) -> None:  # type: ignore[override, unused-ignore]
            await gate.wait()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tui_attention.ui.screens.palette.PaletteScreen", Late)
        async with seated(stage="flatten") as (app, pilot):
            burst(app, "ctrl+p", *"zoom")
            await asyncio.sleep(0.05)
            assert isinstance(app.screen, Late)
            assert app.screen.editor.text == ""
            gate.set()
            for _ in range(200):
                await asyncio.sleep(0.01)
                if app.screen.editor.text == "zoom":
                    break
            assert app.screen.editor.text == "zoom"
            assert app.seat.walk.stage.id == "flatten"
            await pilot.press("escape")


# ---------------------------------------------------------------- windows that are next to nothing


@pytest.mark.parametrize("page", [*PAGES, "enter"])
async def test_a_page_in_a_window_of_next_to_nothing(page: str) -> None:
    async with seated(stage="roles") as (app, pilot):
        await pilot.press("up")
        for size in [(3, 20), (2, 50), (1, 1), (1, 24), (80, 1), (19, 5)]:
            await pilot.press(page)
            await pilot.pause()
            await pilot.resize_terminal(*size)
            await pilot.pause()
            await pilot.press("down", "up", "left", "pagedown", "end", "home", "down")
            assert app.is_running, size
            await pilot.press("escape", "escape")
            await pilot.resize_terminal(80, 24)
            await pilot.pause()
            assert "three roles" in screen_text(app), size


# ---------------------------------------------------------------- leaving


@pytest.mark.parametrize("behind", [("ctrl+p",), ("question_mark", "n"), ("1", "enter"), ("ctrl+c", "z")])
async def test_nothing_counts_once_leaving_has_begun(behind: tuple[str, ...]) -> None:
    async with seated(stage="flatten") as (app, pilot):
        burst(app, "ctrl+c", "ctrl+c", *behind)
        app.post_message(events.Resize(app.size, app.size))
        await pilot.pause()
        assert code(app) == 130
        assert len(app.screen_stack) <= 1


async def test_digits_keep_their_order_while_sizes_cross_the_smallest() -> None:
    async with seated(stage="flatten") as (app, pilot):
        typed = "1234567890" * 6
        for place, mark in enumerate(typed):
            app.simulate_key(mark)
            if place % 3 == 0:
                await resized(pilot, (39, 11) if place % 2 else (41, 13))
        await pilot.pause()
        editor = line(app)
        assert editor is not None
        assert editor.text == typed


async def resized(pilot: Pilot[None], size: tuple[int, int]) -> None:
    """A new size, and nothing waited for."""
    from textual.geometry import Size

    app = pilot.app
    assert app._driver is not None
    app._driver._size = size
    app.post_message(events.Resize(Size(*size), Size(*size)))
    await asyncio.sleep(0)


# ---------------------------------------------------------------- the keyboard


async def test_an_arrow_that_a_slow_link_has_cut_throws_nothing_away() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press(*"125", "escape")
        assert line(app) is None
        app.post_message(EscapeTakenBack())
        burst(app, "left", "7")
        await pilot.pause()
        editor = line(app)
        assert editor is not None
        assert editor.text == "1275"


async def test_a_letter_with_alt_is_no_text() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("1")
        app.post_message(events.Key("alt+n", None))
        await pilot.press("2")
        editor = line(app)
        assert editor is not None
        assert editor.text == "12"


# ---------------------------------------------------------------- writing files


async def test_saving_asks_says_where_and_never_writes_over_or_through_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, other = tmp_path / "work", tmp_path / "other.txt"
    work.mkdir()
    other.write_text("mine", "utf-8")
    (work / "press-h-flatten-1.txt").symlink_to(other)
    os.mkfifo(work / "press-h-flatten-1-2.svg")
    monkeypatch.chdir(work)
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("s")
        assert len(list(work.iterdir())) == 2
        await pilot.press("enter")
        assert other.read_text("utf-8") == "mine"
        assert {"press-h-flatten-1-3.svg", "press-h-flatten-1-3.txt"} <= {path.name for path in work.iterdir()}
        await pilot.press("s")
        assert (work / "press-h-flatten-1-4.txt").exists(), "asked once, not each time"
        assert "press-h-flatten-1-4.svg" in panel(app).replace("\n", "")


async def test_no_files_where_they_are_switched_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    options = Options("press-h", named=True, save=False, files=False, env=dict(ENV))
    with open_session(options) as session:
        app = AttentionApp(session)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press("s", "s")
            assert "switched off here" in panel(app)
            assert not list(tmp_path.iterdir())

"""A trained model on the screen: what takes long is worked out beside it, what changes the walk is kept as ever."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from tests.models import making
from tests.ui.seated import line, panel, screen_text, settled
from tui_attention.options import Options
from tui_attention.session import open_session
from tui_attention.ui.attention import AttentionApp
from tui_attention.ui.shots import ENV
from tui_attention.walk.refs import CellRef


@asynccontextmanager
async def opened(tmp_path: Path, *, cover: bool = False) -> AsyncIterator[tuple[AttentionApp, Pilot[None]]]:
    """The app on a small model, its progress kept on the disk."""
    path = tmp_path / "small.gguf"
    path.write_bytes(making.gguf(making.SMALL, making.small_tensors()))
    options = Options(str(path), named=True, prompt="the cat sat", cover=cover, env=dict(ENV))
    with open_session(options, tmp_path / "kept.sqlite") as session:
        app = AttentionApp(session)
        app.animation_level = "none"
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(app, pilot)
            yield app, pilot


async def press(app: AttentionApp, pilot: Pilot[None], *keys: str) -> None:
    """Keys, and all that is worked out for them."""
    await pilot.press(*keys)
    await settled(app, pilot)


def said(app: AttentionApp) -> str:
    """What was said last."""
    return " ".join(message.text for message in app.seat.core.said)


def thrown(app: AttentionApp) -> list[str]:
    """The heads that are off."""
    return list(app.seat.walk.opened.run.graph.program.switched)


async def test_a_head_is_switched_off_and_on_from_the_keyboard(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await press(app, pilot, "g", *"shares_1[2,3,1]", "enter")
        assert app.seat.cursor is not None
        assert str(app.seat.cursor.ref) == "shares_1[2,3,1]"
        await press(app, pilot, "x")
        assert "1.2 is off: the chance of" in said(app)
        assert thrown(app) == ["1.2"]
        await press(app, pilot, "D")
        assert "Block 0 is as before." in screen_text(app)
        await press(app, pilot, "escape")
        await press(app, pilot, "x")
        assert "1.2 is on again" in said(app)
        assert thrown(app) == []


async def test_writing_on_and_the_word_of_the_pages(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        before = app.seat.walk.visible.inputs.prompt
        await press(app, pilot, "O")
        assert "is written" in said(app) or "cut otherwise" in said(app)
        assert app.seat.walk.visible.inputs.prompt.startswith(before)
        await press(app, pilot, "v", *"the", "enter")
        assert said(app).startswith("'the': number")
        assert line(app) is None
        await press(app, pilot, "A")
        assert "add up to the logit of 'the'" in screen_text(app)
        await press(app, pilot, "escape", "v", *"xyz", "enter")
        assert said(app).startswith("'xyz' is 3 tokens")


async def test_a_covered_cell_is_answered(tmp_path: Path) -> None:
    async with opened(tmp_path, cover=True) as (app, pilot):
        await press(app, pilot, "g", *"q_1[2,3]", "enter")
        value = app.seat.walk.opened.run.graph.cell("q_1", (2, 3)).printed
        await press(app, pilot, *value, "enter")
        assert said(app) == f"Right: {value}. Paid."
        assert value in panel(app)


async def test_escape_leaves_what_is_worked_out(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await pilot.press("E", "escape")
        await settled(app, pilot)
        assert "what block" not in screen_text(app)
        assert not app.main.beside.at_work
        assert not app.main.beside.leave()


async def test_looks_go_along_with_the_cursor(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await press(app, pilot, "g", *"x2_1[2,3]", "enter", "S")
        assert "the largest of the cursor's row first" in said(app)
        await press(app, pilot, "slash", *"block 0 shares", "enter")
        assert app.seat.walk.stage.id == "share_0"
        await press(app, pilot, "j")
        assert app.seat.cursor is not None
        assert app.seat.cursor.ref == CellRef("shares_0", (0, 0, 1))
        assert "1 ␣" in screen_text(app)
        await press(app, pilot, "greater_than_sign")
        assert app.seat.cursor.ref == CellRef("shares_0", (1, 0, 1))
        assert "shares_0  head 1" in screen_text(app)

"""Tables that no screen holds: a window of them goes along with the cursor, and a key costs no more for them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.ui.seated import seated
from tui_attention.render.rows import cells_of
from tui_attention.ui.attention import AttentionApp
from tui_attention.walk.window import COLUMNS, MOST_CELLS, ROWS, window_of

LESSON = """format = 1
id = "wide"
title = "Wide"
[vocabulary]
marks = ["a", "b"]
split = "characters"
[inputs]
prompt = "ab"
[tables.V]
prints = 2
values = [{few}]
[tables.W]
prints = 2
values = [
{many}]
[[stage]]
id = "one"
title = "one"
wall = "A wall."
steps = \"\"\"
X = V @ W      # product
Y = softmax(X)  # shares
\"\"\"
[[stage.check]]
ask = "First?"
cell = "X[0,0]"
"""


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A lesson with a table of 64 rows and 190 columns."""
    rows = [[(7 * i + 3 * j) % 19 / 100 for j in range(190)] for i in range(64)]
    many = "".join("[" + ",\n".join(map(str, row)) + "],\n" for row in rows)
    few = ",".join("[" + ",\n".join(str((i + j) % 7 / 10) for j in range(64)) + "]" for i in range(2))
    path: Path = tmp_path_factory.mktemp("wide") / "wide.toml"
    path.write_text(LESSON.format(few=few, many=many), "utf-8")
    return str(path)


def test_windows_tile_a_tensor() -> None:
    assert window_of((10, 40), (3, 3)) is None
    assert MOST_CELLS == 400
    window = window_of((64, 190), (63, 189))
    assert window is not None
    assert window.start == (60, 180)
    assert window.shape == (4, 10)
    heads = window_of((3, 64, 190), (2, 13, 20))
    assert heads is not None
    assert (heads.start, heads.shape) == ((2, ROWS, COLUMNS), (1, ROWS, COLUMNS))
    assert window_of((64, 190), (999, -5)) == window_of((64, 190), (63, 0))


def drawn(app: AttentionApp) -> set[str]:
    """The cells that the panel shows."""
    return {str(key.source) for *_, key in cells_of(app.main.panel.rows)}


async def test_the_window_goes_along_with_the_cursor(wide: str) -> None:
    async with seated(wide, size=(100, 60)) as (app, pilot):
        assert app.seat.cursor is not None
        await pilot.press("g", *"W[11,17]", "enter")
        for key, cell in (("right", "W[11,18]"), ("down", "W[12,18]"), ("left", "W[12,17]"), ("up", "W[11,17]")):
            await pilot.press(key)
            await pilot.pause()
            assert str(app.seat.cursor.source) == cell
            assert cell in drawn(app), "the cursor is on the screen, whichever window it has gone to"
        assert len([key for *_, key in app.seat.document().cells if key.name == "W"]) == ROWS * COLUMNS


async def test_what_a_cell_reads_is_in_the_window(wide: str) -> None:
    async with seated(wide, size=(100, 60)) as (app, pilot):
        await pilot.press("g", *"X[1,100]", "enter")
        assert app.seat.cursor is not None
        assert str(app.seat.cursor.source) == "X[1,100]"
        assert "X[1,100]" in drawn(app)
        assert "W[0,100]" in {str(key.source) for *_, key in app.seat.document().cells}
        await pilot.press("z")
        await pilot.pause()
        await pilot.press("left", "y", "escape")
        assert app.clipboard.startswith("X[1,99] = ")


async def test_a_key_is_answered_as_quickly_as_in_a_small_table(wide: str) -> None:
    """Counted in work done, not in time gone by; with room for a machine that does six other things (was 5 s)."""
    async with seated(wide) as (app, pilot):
        await pilot.press("down", "right", "n", "p")
        spent = []
        for key in ("down", "right", "n", "down", "right", "p"):
            before = time.process_time()
            await pilot.press(key)
            await pilot.pause()
            spent.append(time.process_time() - before)
        assert sorted(spent)[len(spent) // 2] < 0.3
        before = time.process_time()
        app.seat.changed()
        app.seat.arrow(0, 1)
        app.seat.document()
        app.seat.answer_panel()
        assert time.process_time() - before < 0.3

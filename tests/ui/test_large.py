"""Tables that no screen holds: a window of them goes along with the cursor, and a key costs no more for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.seated import seated
from tui_attention.lessons import run
from tui_attention.render.rows import cells_of
from tui_attention.ui.attention import AttentionApp
from tui_attention.ui.lines import Lines
from tui_attention.walk.visible import VisibleLesson
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


async def test_a_key_costs_no_more_than_in_a_small_table(wide: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted: texts made of numbers, and rows drawn, of 12,160 numbers in 64 rows."""
    texts, rows = Counted(monkeypatch, VisibleLesson, "_text"), Counted(monkeypatch, Lines, "render_line")
    async with seated(wide) as (app, pilot):
        await pilot.press("down", "right")
        for key in ("down", "right", "n", "down", "right", "p"):
            texts.calls = rows.calls = 0
            await pilot.press(key)
            await pilot.pause()
            assert texts.calls <= 3 * MOST_CELLS
            assert rows.calls <= 2 * app.size.height


async def test_a_pencil_works_a_cell_once(wide: str, monkeypatch: pytest.MonkeyPatch) -> None:
    worked = Counted(monkeypatch, run, "evaluate")
    async with seated(wide) as (_, pilot):
        await pilot.press("n", "d")
        await pilot.pause()
        assert worked.calls <= 3 * MOST_CELLS
        worked.calls = 0
        await pilot.press("right", "left", "right")
        await pilot.pause()
        assert not worked.calls


class Counted:
    """How often a function has been called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> None:
        self.calls = 0
        real = getattr(owner, name)

        def counted(*given: object, **named: object) -> object:
            self.calls += 1
            return real(*given, **named)

        monkeypatch.setattr(owner, name, counted)

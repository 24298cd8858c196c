"""Leaving, and coming back to what was half typed."""

from __future__ import annotations

from pathlib import Path

from tests.ui.seated import code, seated
from tui_attention.options import Options
from tui_attention.session import open_session
from tui_attention.ui.attention import AttentionApp
from tui_attention.ui.shots import ENV


async def test_ctrl_c_asks_again_after_any_other_key() -> None:
    async with seated(stage="flatten") as (app, pilot):
        for other in ("right", "1", "n"):
            await pilot.press("ctrl+c", other)
            assert code(app) is None
        await pilot.press("ctrl+c", "ctrl+c")
        assert code(app) == 130


async def test_an_answer_to_any_cell_is_taken_up_again(tmp_path: Path) -> None:
    options = Options("press-h", named=True, env=dict(ENV))
    for typed, found in (("-1.", None), ("", "-1.")):
        with open_session(options, tmp_path / "progress.db") as session:
            if found is None:
                session.walk.goto("a[0,2]")
            app = AttentionApp(session)
            async with app.run_test(size=(80, 24)) as pilot:
                await pilot.pause()
                if found is not None:
                    assert app.seat.cursor is not None
                    assert str(app.seat.cursor.source) == "a[0,2]"
                    assert app.seat.editor is not None
                    assert app.seat.editor.text == found
                else:
                    await pilot.press("right", "right", *("minus", "1", "full_stop"))
                    assert app.seat.editor is not None
                    assert app.seat.editor.text == typed

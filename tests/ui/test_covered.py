"""No leak: whatever numbers stand under the cover, everything shown, saved and copied is the same bytes."""

from __future__ import annotations

import pytest

from tests.ui.seated import screen_text, seated
from tests.walk.swapped import hidden_cells, swapped
from tui_attention.interaction.commands import COMMANDS
from tui_attention.interaction.controller import LessonController
from tui_attention.ui.attention import AttentionApp
from tui_attention.ui.saving import stage_text
from tui_attention.ui.screens.help import help_rows
from tui_attention.ui.screens.palette import entries_of
from tui_attention.ui.screens.working import working_rows
from tui_attention.ui.seat import Seat
from tui_attention.ui.shots import stable
from tui_attention.walk.view import Digits
from tui_attention.walk.walk import Walk


def shown(app: AttentionApp, walk: Walk, *, picture: bool) -> list[object]:
    """Everything that the app shows, copies and saves at the walk's place."""
    seat = Seat(LessonController(walk))
    app.main.seat = seat
    seat.slow = True
    app.main.chosen = walk.place.stage
    app.main.panel.follow = True
    app.main.draw()
    found: list[object] = [screen_text(app), stage_text(seat), help_rows(70), entries_of(COMMANDS)]
    found += [seat.cell_text(seat.cursor), seat.matrix_text(seat.cursor)]
    if seat.cursor is not None:
        found.append(working_rows(walk.visible, seat.cursor, 70))
    if picture:
        found.append(stable(app.export_screenshot()))
    return found


@pytest.mark.parametrize(
    ("lesson", "prompt", "digits", "picture"),
    [
        ("press-h", None, "printed", True),
        ("bank", None, "printed", True),
        ("press-h", "h.a", "all", False),
        ("press-h", None, "pencil", False),
    ],
)
async def test_every_step(lesson: str, prompt: str | None, digits: Digits, picture: bool) -> None:
    async with seated(lesson, size=(120, 40), prompt=prompt) as (app, _):
        walk = app.seat.walk
        walk.goto(walk.stages[0].id)
        walk.digits = digits
        places = hidden = 0
        while True:
            twin = swapped(walk)
            assert shown(app, walk, picture=picture) == shown(app, twin, picture=picture), walk.place
            places += 1
            hidden += len(hidden_cells(walk))
            if walk.next().what == "nothing":
                break
        assert places > 20
        assert hidden > 100

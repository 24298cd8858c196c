"""The screen of every stage, as text at two sizes, covered and uncovered, and as a picture."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from tests.ui.kept import FOLDER, same
from tests.ui.seated import screen_text, seated, settled
from tui_attention.models.opening import guided_outline
from tui_attention.ui.attention import AttentionApp
from tui_attention.ui.screens import lessons
from tui_attention.ui.shots import stable
from tui_attention.walk.places import Place

SIZES = ((80, 24), (120, 40))
ALL_STATES = frozenset({"flatten", "roles", "shares", "logits", "raw"})
"""The stages whose picture is kept at both sizes, covered and uncovered."""


FIRST = {"general": 1}
"""Stages whose first step shows what differs between machines."""


async def go_to(app: AttentionApp, pilot: Pilot[None], stage: int, step: int) -> None:
    app.seat.walk.move(Place(stage, step))
    app.seat.compared = ("(What is measured here differs between machines.)",)
    app.seat.settle_in()
    app.main.arrived()
    await pilot.pause()
    await settled(app, pilot)


def state_name(lesson: str, size: tuple[int, int], cover: bool) -> str:
    return f"{lesson}-{size[0]}x{size[1]}-{'covered' if cover else 'uncovered'}"


@pytest.mark.parametrize("cover", [True, False], ids=["covered", "uncovered"])
@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40"])
@pytest.mark.parametrize("lesson", ["press-h", "bank"])
async def test_every_stage(lesson: str, size: tuple[int, int], cover: bool) -> None:
    """The text of each stage at its first and last step; pictures of its last step."""
    name = state_name(lesson, size, cover)
    texts: list[str] = []
    different: list[str] = []
    async with seated(lesson, size=size, cover=cover) as (app, pilot):
        for number, stage in enumerate(app.seat.walk.stages):
            last = max(0, len(stage.steps) - 1)
            for step in sorted({FIRST.get(stage.id, 0), last}):
                await go_to(app, pilot, number, step)
                texts.append(f"=== {stage.id}, step {step + 1}\n{screen_text(app)}")
            if stage.id in ALL_STATES or (size == SIZES[1] and cover):
                picture = f"{name}/{stage.id}.svg"
                if not same(picture, stable(app.export_screenshot(title="tui-attention"))):
                    different.append(picture)
    if not same(f"{name}.txt", "\n".join(texts)):
        different.append(f"{name}.txt")
    assert not different, f"look at the .found beside them in {FOLDER}"


@pytest.mark.parametrize("theme", ["board", "paper"])
async def test_layers(theme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The layers above the lesson, as text, and one picture of each in either theme."""
    # A new lesson is a folder of its own: the list is drawn from a fixed one here.
    monkeypatch.setattr("tui_attention.ui.screens.lessons.names", lambda: ("press-h", "bank"))
    # Whether its model is installed is of no account here.
    fixed = replace(guided_outline(), missing="")
    monkeypatch.setattr("tui_attention.ui.screens.lessons.guided_outline", lambda: fixed)
    different: list[str] = []
    # A lesson that is added makes no picture of the list another one.
    monkeypatch.setattr(lessons, "names", lambda: ("press-h", "bank"))
    for layer, keys in {
        "help": ("question_mark",),
        "glossary": ("G",),
        "lessons": ("L",),
        "ledger": ("l",),
        "zoom": ("z",),
        "named-slip": ("n", "n", *"0.58", "enter"),
    }.items():
        async with seated(stage="flatten", theme=theme) as (app, pilot):
            await pilot.press(*keys)
            await pilot.pause()
            if not same(f"layers/{layer}.txt", screen_text(app)):
                different.append(layer)
            if not same(f"layers/{layer}-{theme}.svg", stable(app.export_screenshot(title="tui-attention"))):
                different.append(f"{layer}-{theme}")
    assert not different, f"look at the .found beside them in {FOLDER}"

"""The README's pictures, drawn by the app itself without a terminal. The same call gives the same bytes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tui_attention import files
from tui_attention.options import Options
from tui_attention.session import open_session
from tui_attention.ui.attention import AttentionApp

ENV: Mapping[str, str] = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
"""The terminal that the pictures are drawn for."""
WIDE, USUAL = (120, 40), (80, 24)
_NAMES = re.compile(r"terminal-\d+")


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: where it is taken, the keys pressed before, the size and the background."""

    name: str
    lesson: str = "press-h"
    stage: str = "route"
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = USUAL
    light: bool = False
    cover: bool = True
    title: str = ""


SHOTS: tuple[Shot, ...] = (
    Shot("flatten", stage="flatten", keys=("n", "n")),
    Shot("wrong-and-named", stage="flatten", keys=("n", "n", *"0.58", "enter")),
    Shot("three-roles", stage="roles", keys=("n", "n"), size=WIDE),
    Shot("shares", stage="shares", keys=("n", "n", "n"), size=WIDE, light=True, cover=False),
    Shot("wired", lesson="bank", stage="raw", keys=("n",) * 6, size=WIDE, cover=False),
    Shot("glossary", stage="decoder", keys=("G",), size=WIDE, light=True),
)


def stable(svg: str) -> str:
    """The picture without the name that Textual makes anew each time."""
    return _NAMES.sub("terminal", svg)


async def taken(shot: Shot) -> tuple[str, str]:
    """The picture as SVG and as text."""
    options = Options(shot.lesson, named=True, stage=shot.stage, cover=shot.cover, save=False, env=dict(ENV))
    with open_session(options) as session:
        app = AttentionApp(session)
        app.animation_level = "none"
        async with app.run_test(size=shot.size) as pilot:
            app.theme = "paper" if shot.light else "board"
            await pilot.pause()
            await pilot.press(*shot.keys)
            await app.workers.wait_for_complete()
            await pilot.pause()
            return stable(app.export_screenshot(title=shot.title or "tui-attention")), screen_text(app)


def screen_text(app: AttentionApp) -> str:
    """What is on the screen, as lines of text."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips) + "\n"


def write(folder: str | Path) -> int:
    """Write every picture into a folder, which is made where it is missing; the exit code."""
    where = Path(folder)
    where.mkdir(parents=True, exist_ok=True)
    for shot in SHOTS:
        svg, _ = asyncio.run(taken(shot))
        files.replace(where, f"{shot.name}.svg", svg.encode())
    return 0

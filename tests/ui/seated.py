"""The app on a screen that is not there, with everything frozen that could differ between two runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from tui_attention.options import Options
from tui_attention.render.rows import plain
from tui_attention.session import open_session
from tui_attention.ui.attention import AttentionApp
from tui_attention.ui.editor import Editor
from tui_attention.ui.shots import ENV, screen_text


@asynccontextmanager
async def seated(
    lesson: str = "press-h",
    stage: str | None = None,
    *,
    size: tuple[int, int] = (80, 24),
    cover: bool = True,
    prompt: str | None = None,
    theme: str = "board",
    env: Mapping[str, str] = ENV,
) -> AsyncIterator[tuple[AttentionApp, Pilot[None]]]:
    """An app that keeps nothing, at a stage, its first frame drawn."""
    options = Options(lesson, named=True, stage=stage, prompt=prompt, cover=cover, save=False, env=dict(env))
    with open_session(options) as session:
        app = AttentionApp(session)
        app.animation_level = "none"
        async with app.run_test(size=size) as pilot:
            if theme != app.theme and not app.policy.ansi:
                app.theme = theme
            await settled(app, pilot)
            yield app, pilot


async def settled(app: AttentionApp, pilot: Pilot[None]) -> None:
    """Wait for what is measured beside the loop and for the frame that shows it."""
    await app.workers.wait_for_complete()
    await pilot.pause()


def panel(app: AttentionApp) -> str:
    return "\n".join(plain(row) for row in app.main.panel.rows)


def line(app: AttentionApp) -> Editor | None:
    """The line that is open to type on."""
    return app.seat.editor


def code(app: AttentionApp) -> int | None:
    return app.return_code


__all__ = ["code", "line", "panel", "screen_text", "seated", "settled"]

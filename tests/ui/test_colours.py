"""Whatever theme is chosen, text can be read; without colours nothing is coloured."""

from __future__ import annotations

import pytest
from rich.style import Style
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from tests.ui.seated import screen_text, seated
from tui_attention.ui.colours import BOARD, PAPER, inks_of, style_of
from tui_attention.ui.driver import TerminalBackground

THEMES = [BOARD, PAPER, *(theme for theme in BUILTIN_THEMES.values() if not theme.ansi)]
FAINT = {"border", "rule", "divider", "covered", "border-on", "selected"}
"""Lines and marks; no text that has to be read."""


def luminance(color: Color) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = color.normalized
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)


def contrast(style: Style) -> float:
    assert style.color is not None
    assert style.bgcolor is not None
    pair = [luminance(Color.from_rich_color(color)) for color in (style.color, style.bgcolor)]
    return (max(pair) + 0.05) / (min(pair) + 0.05)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_contrast(theme: Theme) -> None:
    inks = inks_of(theme, colourless=False)
    for name, style in inks.items():
        if name not in FAINT and style.color is not None and style.bgcolor is not None:
            assert contrast(style) >= 4.4, name
    for over in ("lit", "slip"):
        for name in ("number", "dial", "result"):
            assert contrast(inks[name] + inks[over]) >= 3.0, (name, over)


def test_every_set_has_the_same_inks() -> None:
    many = set(inks_of(BOARD, colourless=False))
    assert many == set(inks_of(BOARD, colourless=True))
    assert (
        all(style.color is None for style in inks_of(BUILTIN_THEMES["ansi-dark"], colourless=False).values()) is False
    )
    assert style_of(inks_of(BOARD, colourless=False), "no such ink") == inks_of(BOARD, colourless=False)[""]


async def test_no_colour_codes_without_colours() -> None:
    async with seated(stage="flatten", env={"TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": "1"}) as (
        app,
        pilot,
    ):
        await pilot.press("n", "n")
        for strip in app.screen._compositor.render_strips():
            for segment in strip:
                assert segment.style is None or (segment.style.color is None and segment.style.bgcolor is None)


async def test_ascii_where_the_terminal_has_no_more() -> None:
    for env in (
        {"TERM": "linux", "LANG": "C.UTF-8"},
        {"TERM": "xterm", "LANG": "C"},
        {"TERM": "vt100", "LANG": "C.UTF-8"},
    ):
        async with seated(stage="shares", env=env) as (app, pilot):
            await pilot.press("N", "n", "tab")
            assert screen_text(app).isascii()
            await pilot.press("tab", "question_mark")
            assert screen_text(app).isascii()


async def test_the_terminals_background_is_followed_until_a_theme_is_chosen() -> None:
    async with seated() as (app, pilot):
        app.post_message(TerminalBackground(dark=False))
        await pilot.pause()
        assert app.theme == PAPER.name
        assert app.session.setting("theme") is None
        app.theme = "nord"
        await pilot.pause()
        assert app.session.setting("theme") == "nord"
        app.post_message(TerminalBackground(dark=True))
        await pilot.pause()
        assert app.theme == "nord"

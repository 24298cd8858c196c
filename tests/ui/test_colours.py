"""Whatever theme is chosen, text can be read; without colours nothing is coloured."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.style import Style
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from tests.ui.seated import screen_text, seated
from tui_attention.interaction.controller import LessonController
from tui_attention.lessons.load import glossary
from tui_attention.lessons.run import open_run
from tui_attention.render.answer_panel import answer_panel_rows
from tui_attention.render.glossary import glossary_rows
from tui_attention.render.glyphs import ascii_text
from tui_attention.render.ledger import ledger_rows, open_rows
from tui_attention.render.pipeline import header_row, tree_rows
from tui_attention.render.plots.pen import COOL, SERIES, TIPS, WARM
from tui_attention.render.rows import FAINT, STRONG
from tui_attention.ui.colours import BOARD, PAPER, style_of, styles_of
from tui_attention.ui.guards.driver import TerminalBackground
from tui_attention.ui.screens.help import help_rows
from tui_attention.ui.screens.lessons import lessons_rows
from tui_attention.ui.seat import Seat
from tui_attention.walk.walk import Walk

PACKAGE = Path(__file__).resolve().parent.parent.parent / "tui_attention"
THEMES = [BOARD, PAPER, *(theme for theme in BUILTIN_THEMES.values() if not theme.ansi)]
QUIET = {"border", "rule", "divider", "covered", "border-on", "selected"}
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
    text_styles = styles_of(theme, colourless=False)
    for name, style in text_styles.items():
        if name not in QUIET and style.color is not None and style.bgcolor is not None:
            assert contrast(style) >= 4.4, name
    for over in ("lit", "slip"):
        for name in ("number", "dial", "result"):
            assert contrast(text_styles[name] + text_styles[over]) >= 3.0, (name, over)


def test_every_set_has_the_same_inks() -> None:
    many = set(styles_of(BOARD, colourless=False))
    assert many == set(styles_of(BOARD, colourless=True))
    assert (
        all(style.color is None for style in styles_of(BUILTIN_THEMES["ansi-dark"], colourless=False).values())
        is False
    )
    assert style_of(styles_of(BOARD, colourless=False), "no such ink") == styles_of(BOARD, colourless=False)[""]


@pytest.mark.parametrize("lesson", ["press-h", "bank"])
def test_every_ink_that_a_renderer_names_has_a_style(lesson: str) -> None:
    walk = Walk(open_run(lesson))
    seat = Seat(LessonController(walk))
    seat.size, seat.slow = (80, 40), True
    known = set(styles_of(BOARD, colourless=False))
    while True:
        seat.settle_in()
        rows = [*seat.document().rows, *answer_panel_rows(walk.visible, seat.answer_panel(), 76, 12)[0]]
        rows += [header_row(walk.visible, 80), *tree_rows(walk.visible, (26, 20), 0, True)]
        assert {span.style for row in rows for span in row} <= known, walk.place
        if walk.next().what == "nothing":
            break
    done = seat.core.summary()
    pages = [*help_rows(70), *ledger_rows(done, 70), *open_rows(done, 70), *glossary_rows(glossary(), 70)]
    assert {span.style for row in (*pages, *lessons_rows(70, lesson)) for span in row} <= known
    assert {*WARM, *COOL, *SERIES, *TIPS, FAINT, STRONG} <= known


def test_no_other_file_of_the_screen_names_a_colour() -> None:
    found = [
        path.name
        for folder in ("render", "ui", "walk", "plain")
        for path in (PACKAGE / folder).rglob("*.py")
        if re.search(r"#[0-9a-fA-F]{6}\b", path.read_text("utf-8"))
    ]
    assert found == ["colours.py"]


def test_every_mark_of_the_screen_has_a_stand_in_in_ascii() -> None:
    """But for the pictures' own, which draw themselves in ASCII where that is asked for."""
    files = [
        *(PACKAGE / "render").glob("*.py"),
        *(PACKAGE / "ui" / "screens").glob("*.py"),
        PACKAGE / "walk" / "view.py",
    ]
    marks = {mark for path in files for mark in path.read_text("utf-8") if not mark.isascii()}
    assert {mark for mark in marks if ascii_text(mark) == "?"} == set()
    assert {"·", "✓", "▶", "◐", "│"} <= marks


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

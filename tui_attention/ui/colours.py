"""Every colour of the app: our two themes, and the ink of each kind of text under whatever theme is chosen.

Renderers name inks ("covered", "head", "lit"); what they look like is decided here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping

from rich.style import Style
from textual.color import Color
from textual.theme import Theme

from tui_attention.render.contrast import luminance

BOARD = Theme(
    name="board",
    primary="#8fbcdc",
    secondary="#a8b5c2",
    accent="#ecb866",
    foreground="#e4e1d8",
    background="#15191d",
    surface="#1b2025",
    panel="#232a31",
    success="#97cf8f",
    warning="#ecb866",
    error="#f0908a",
    dark=True,
)
PAPER = Theme(
    name="paper",
    primary="#1d5c8a",
    secondary="#4a5763",
    accent="#8a5200",
    foreground="#22272b",
    background="#fbf9f4",
    surface="#f3f0e8",
    panel="#e9e5da",
    success="#21692b",
    warning="#8a5200",
    error="#ab241c",
    dark=False,
)
OURS = {"dark": BOARD.name, "light": PAPER.name}
ANSI = {"dark": "ansi-dark", "light": "ansi-light"}

Styles = Mapping[str, Style]


def styles_of(theme: Theme, *, colourless: bool) -> Styles:
    """The style of each ink under a theme; without colours, bold, underline and reverse alone."""
    if colourless or theme.ansi:
        return _few(theme.dark)
    return _many(theme)


def style_of(text_styles: Styles, style: str) -> Style:
    """The style of an ink; that of plain text where there is none of that name."""
    return text_styles.get(style, text_styles[""])


def _rich(color: Color) -> str:
    return color.hex6


def _readable(color: Color, back: Color, least: float = 4.5) -> Color:
    """The colour, moved towards black or white until it can be read on `back` (WCAG contrast)."""
    goal = max(_EXTREMES, key=lambda extreme: _contrast(extreme, back))
    for step in range(11):
        moved = color.blend(goal, step / 10)
        if _contrast(moved, back) >= least:
            return moved
    return goal


_EXTREMES = (Color(255, 255, 255), Color(0, 0, 0))


def _contrast(one: Color, other: Color) -> float:
    light, dark = sorted((luminance(*color.normalized) for color in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _many(theme: Theme) -> Styles:
    variables = theme.to_color_system().generate()

    def named(name: str) -> Color:
        return Color.parse(variables.get(name) or getattr(BOARD, name))

    back = named("background")
    fore = _readable(named("foreground"), back, 9.0)
    primary = _readable(named("primary"), back)
    accent = _readable(named("accent"), back)
    good = _readable(named("success"), back)
    bad = _readable(named("error"), back)
    quiet = _readable(back.blend(fore, 0.55), back, 4.6)
    faint = back.blend(fore, 0.22)
    strip = back.blend(fore, 0.07)
    lit = back.blend(primary, 0.24)
    slip = back.blend(bad, 0.30)
    away = back.blend(accent, 0.40)

    def style(color: Color, *, bold: bool = False, on: Color | None = None, italic: bool = False) -> Style:
        return Style(color=_rich(color), bgcolor=_rich(on or back), bold=bold or None, italic=italic or None)

    def overlay(on: Color, color: Color) -> Style:
        return Style(color=_rich(color), bgcolor=_rich(on), bold=True)

    series = (accent, primary, good, _readable(Color.parse("#c07ab8"), back))
    text_styles = {
        "": style(fore),
        **dict.fromkeys(
            ("label", "pencil", "ask", "told", "number", "wall", "note", "diagram", "plain-name", "typed"),
            style(fore),
        ),
        **dict.fromkeys(
            ("head", "corner", "shape", "title-of", "caption", "part", "standard", "invite", "masked"), style(quiet)
        ),
        **dict.fromkeys(
            ("behind", "ahead", "judged", "more-key", "rule-label", "step", "formula-small", "sum"), style(quiet)
        ),
        **dict.fromkeys(("border", "rule", "divider"), style(faint)),
        "covered": style(_readable(back.blend(primary, 0.62), back, 3.0)),
        "dial": style(fore),
        "turned": style(accent, bold=True) + Style(underline=True),
        "result": style(primary, bold=True),
        "name": style(accent, bold=True),
        "title": style(fore, bold=True),
        "formula": style(fore, bold=True),
        "now": style(accent, bold=True),
        "done": style(good),
        "section": style(primary, bold=True),
        "check": style(accent, bold=True),
        "answer": style(primary, bold=True),
        "blank": style(accent, bold=True),
        "caret": Style(color=_rich(_readable(back, accent)), bgcolor=_rich(accent)),
        "good": style(good, bold=True),
        "bad": style(bad),
        "hint": style(accent),
        "more": style(accent, bold=True),
        "key": style(_readable(primary, strip), bold=True, on=strip),
        "key-word": style(fore, on=strip),
        "bar": style(fore, on=strip),
        "bar-title": style(fore, bold=True, on=strip),
        "bar-quiet": style(_readable(quiet, strip), on=strip),
        "bar-good": style(_readable(good, strip), on=strip),
        "bar-warn": style(_readable(accent, strip), bold=True, on=strip),
        "border-on": style(back.blend(primary, 0.65)),
        "stage": style(fore),
        "stage-new": style(quiet),
        "stage-now": style(accent, bold=True),
        "open": style(accent),
        "borrowed": style(bad),
        "faint": style(quiet),
        "strong": style(primary, bold=True),
        "cursor": overlay(accent, _readable(back, accent)),
        "cursor-away": overlay(away, _readable(fore, away)),
        "lit": overlay(lit, _readable(fore, lit, 7.0)),
        "slip": overlay(slip, _readable(fore, slip, 7.0)),
        "chosen": overlay(lit, _readable(fore, lit)),
        "selected": Style(bgcolor=_rich(back.blend(primary, 0.40))),
    }
    for level, share in enumerate((0.06, 0.16, 0.28, 0.42, 0.58), 1):
        for name, hue in (("heat", accent), ("cool", primary)):
            shade = back.blend(hue, share)
            text_styles[f"{name}{level}"] = style(_readable(fore, shade, 7.0), on=shade)
    for number, hue in enumerate(series, 1):
        text_styles[f"series{number}"], text_styles[f"tip{number}"] = style(hue), style(hue, bold=True)
    return text_styles


def _few(dark: bool) -> Styles:
    """Sixteen colours or none, on the terminal's own background."""
    plain, bold = Style(), Style(bold=True)
    accent = Style(color="yellow" if dark else "magenta", bold=dark or None)
    primary = Style(color="cyan" if dark else "blue", bold=True)
    good, bad = Style(color="green", bold=True), Style(color="red", bold=True)
    texts = "label pencil ask told number wall note diagram plain-name typed dial covered stage stage-new faint"
    asides = "head corner shape title-of caption part standard invite masked behind ahead judged step sum"
    lines = "border rule divider more-key rule-label formula-small key-word bar bar-quiet"
    text_styles = dict.fromkeys(["", *f"{texts} {asides} {lines}".split()], plain)
    return {
        **text_styles,
        **dict.fromkeys(("title", "formula", "bar-title"), bold),
        **dict.fromkeys(("name", "now", "check", "blank", "hint", "more", "stage-now", "open"), accent),
        **dict.fromkeys(("result", "section", "answer", "key", "border-on"), primary),
        **dict.fromkeys(("done", "good", "bar-good"), good),
        **dict.fromkeys(("bad", "borrowed"), bad),
        "bar-warn": accent,
        "turned": Style(underline=True, bold=True),
        "caret": Style(reverse=True),
        "cursor": Style(reverse=True, bold=True),
        "cursor-away": Style(reverse=True),
        "lit": Style(underline=True, bold=True),
        "slip": Style(underline=True, bold=True, color="red"),
        "chosen": Style(reverse=True),
        "selected": Style(reverse=True),
        **{f"{name}{level}": bold if level > 3 else plain for name in ("heat", "cool") for level in range(1, 6)},
        **{f"series{number}": style for number, style in enumerate((accent, primary, good, bold), 1)},
        **{f"tip{number}": style for number, style in enumerate((accent, primary, good, bold), 1)},
        "strong": bold,
    }

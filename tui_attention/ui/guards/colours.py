"""Only the colours that the terminal has, whatever the app paints.

- For NO_COLOR, Textual 8.2.8 writes greys (`Monochrome`, which also raises on a segment without a style) or the codes
  of the default colours (`NoColor`); it takes an empty NO_COLOR for a set one (Textualize/textual#839 and #2829).
- The codes for fewer colours are kept in the Style itself, which all apps of one process share: the first app's
  number of colours would be everybody's (no report found).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter, Monochrome, NoColor

from tui_attention.ui.terminal import ColourPolicy


@lru_cache(4096)
def _without_colour(style: Style) -> Style:
    return style.without_color


@lru_cache(4096)
def _reduced(style: Style, system: ColorSystem) -> Style:
    color = None if style.color is None else style.color.downgrade(system)
    bgcolor = None if style.bgcolor is None else style.bgcolor.downgrade(system)
    return style + Style.from_color(color, bgcolor)


class NoColour(LineFilter):
    """Leaves bold, underline and reverse, and no colour codes at all."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            Segment(text, None if style is None else _without_colour(style), control)
            for text, style, control in segments
        ]


class FewColours(LineFilter):
    """Colours brought down to what the terminal has."""

    def __init__(self, system: ColorSystem) -> None:
        super().__init__()
        self._system = system

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        system = self._system
        return [
            Segment(text, None if style is None else _reduced(style, system), control)
            for text, style, control in segments
        ]


def follow_colours(app: App[Any], policy: ColourPolicy) -> None:
    """Makes `app` send only the colours of `policy`. Call at the end of the app's `__init__`.

    With 16 colours or none the app should also choose an `ansi-…` theme. `app.no_color` is set, so that the
    CSS pseudo-class `:nocolor` holds exactly when no colours are sent.
    """
    app.no_color = policy.colours == "none"
    kept = [part for part in app._filters if not isinstance(part, Monochrome | NoColor | NoColour | FewColours)]
    if policy.colours == "none":
        kept = [NoColour()]
    elif policy.colours != "truecolor":
        kept.append(FewColours(ColorSystem.STANDARD if policy.colours == "standard" else ColorSystem.EIGHT_BIT))
    app._filters[:] = kept
    app.console._color_system = ColorSystem.TRUECOLOR  # the filter has the last word

"""What remains of a style's colours on terminals with few or none."""

from __future__ import annotations

from functools import lru_cache

from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from tui_attention.render.glyphs import ascii_text


@lru_cache(4096)
def _without_colour(style: Style) -> Style:
    return style.without_color


@lru_cache(4096)
def _reduced(style: Style, system: ColorSystem) -> Style:
    color = None if style.color is None else style.color.downgrade(system)
    bgcolor = None if style.bgcolor is None else style.bgcolor.downgrade(system)
    return style + Style.from_color(color, bgcolor)


class NoColour(LineFilter):
    """Leaves bold, underline and reverse, and no colour codes at all.

    Textual's own filters for NO_COLOR write greys (`Monochrome`, which also raises on a segment without a
    style) or the codes of the default colours (`NoColor`).
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            Segment(text, None if style is None else _without_colour(style), control)
            for text, style, control in segments
        ]


class FewColours(LineFilter):
    """Colours brought down to what the terminal has.

    Textual leaves that to the last moment, where the codes are kept in the Style itself, which all apps of
    one process share: the first app's number of colours would be everybody's.
    """

    def __init__(self, system: ColorSystem) -> None:
        super().__init__()
        self._system = system

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        system = self._system
        return [
            Segment(text, None if style is None else _reduced(style, system), control)
            for text, style, control in segments
        ]


class AsciiOnly(LineFilter):
    """Every mark in ASCII: those too that Textual's own widgets draw, blocks, rules and a magnifying glass."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(ascii_text(text), style, control) for text, style, control in segments]

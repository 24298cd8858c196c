"""The same to plain Textual: greys without colours, and one app's number of colours for all."""

from __future__ import annotations

from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import Monochrome, NoColor

from tui_attention.ui.guards.colours import FewColours, NoColour

BACK = Color(0, 0, 0)
RED = Segment("x", Style(color="#ff0000", bgcolor="#002200", bold=True))


def test_textuals_filters_for_no_color_still_send_colour_codes() -> None:
    for textual in (Monochrome(), NoColor()):
        (segment,) = textual.apply([RED], BACK)
        assert segment.style is not None
        sent = segment.style.render("x", color_system=ColorSystem.TRUECOLOR)
        assert any(code in sent for code in ("38;", "48;", ";39", ";49", "[39", "[49")), textual
    (ours,) = NoColour().apply([RED], BACK)
    assert ours.style is not None
    assert ours.style.color is None
    assert ours.style.bgcolor is None
    assert ours.style.bold


def test_rich_still_keeps_the_codes_of_the_first_colour_system_in_the_style() -> None:
    style = Style(color="#8fbcdc", bgcolor="#15191d")
    few = style.render("x", color_system=ColorSystem.STANDARD)
    assert style.render("x", color_system=ColorSystem.TRUECOLOR) == few
    fresh = Style(color="#8fbcdc", bgcolor="#15191d")
    (ours,) = FewColours(ColorSystem.STANDARD).apply([Segment("x", fresh)], BACK)
    assert ours.style is not fresh
    assert "8;2;" in fresh.render("x", color_system=ColorSystem.TRUECOLOR)

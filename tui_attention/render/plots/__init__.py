"""A lesson's pictures as rows: what a figure in a book shows, drawn with characters."""

from __future__ import annotations

from textwrap import wrap

from tui_attention.lessons.model import Plot
from tui_attention.render.plots import bars, curve, heatmap, plane
from tui_attention.render.plots.pen import Pen
from tui_attention.render.rows import STRONG, Row
from tui_attention.walk.view import Picture

LEAST_WIDTH = 24


def plot_lines(
    plot: Plot,
    pictures: tuple[Picture, ...],
    width: int,
    *,
    ascii: bool = False,
    height: int | None = None,
) -> list[Row]:
    """The picture as lines of at most `width` columns (24 or more), under its title.

    `height` is the number of lines to aim at; None draws at the natural size for the width. `ascii` uses no other
    characters. Styles are names of inks. Numbers that may not be shown (NaN) are drawn as covered marks or are
    absent, and no scale depends on them.
    """
    pen = Pen(max(width, LEAST_WIDTH), None if height is None else height - bool(plot.title), ascii)
    title = [pen.line((part, STRONG)) for part in wrap(pen.word(plot.title), pen.width)]
    match plot.kind:
        case "heatmap":
            body = heatmap.lines(pen, pictures)
        case "bars":
            body = bars.lines(pen, pictures)
        case "curve":
            body = curve.lines(pen, plot, pictures)
        case "arrows" | "plane":
            body = plane.lines(pen, plot, pictures)
    return title + body


__all__ = ["LEAST_WIDTH", "plot_lines"]

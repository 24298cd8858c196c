"""A stage's plots as rows. Imported only where a stage has them."""

from __future__ import annotations

from tui_attention.lessons.model import Plot
from tui_attention.render.rows import Row, merged
from tui_attention.walk.visible import VisibleLesson


def plot_rows(visible: VisibleLesson, plot: Plot, width: int, *, ascii: bool = False) -> list[Row]:
    """The picture under its title."""
    from tui_attention.render.plots import plot_lines

    return [merged(row) for row in plot_lines(plot, visible.picture(plot), width, ascii=ascii)]

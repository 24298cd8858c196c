"""Lines over a row of labels, each point with its number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from rich.cells import cell_len

from tui_attention.lessons.model import Plot
from tui_attention.render.plots.canvas import Canvas
from tui_attention.render.plots.pen import Pen, finite, nice, tick
from tui_attention.render.rows import FAINT, Row, Span, trimmed
from tui_attention.walk.view import Picture


@dataclass(frozen=True, slots=True)
class _CurveFrame:
    """From a label's place and a number to dots. `columns` are the characters' columns of the labels."""

    columns: tuple[int, ...]
    low: float
    high: float
    bottom: int
    wide: int

    def dot(self, place: int, value: float) -> tuple[int, int]:
        share = (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
        return self.columns[place] * self.wide, self.bottom - round(share * self.bottom)


def lines(pen: Pen, plot: Plot, pictures: tuple[Picture, ...]) -> list[Row]:
    """One line for each picture over the labels of its axis, at equal distances; its name stands at its end.

    A number that may not be shown leaves a gap in its line.
    """
    pictures = tuple(picture for picture in pictures if picture.values.ndim == 1 and picture.values.size)
    if not pictures:
        return []
    shown = finite(pictures)
    low, high = float(shown.min(initial=0)), float(shown.max(initial=0))
    low, high = -nice(-low) if low < 0 else 0.0, nice(high) if high > 0 else float(low >= 0)
    ticks = (high, high / 2 + low / 2, low)
    gutter = max(len(tick(value)) for value in ticks) + 2
    heads = [pen.word(label) for label in pictures[0].axes[0].labels]
    height = (13 if pen.roomy else 9) if pen.height is None else min(max(pen.height - 4, 5), 24)
    canvas = Canvas(max(pen.width - gutter, 8), height, ascii=pen.ascii)
    tail = _tail(pen, pictures)
    frame = _CurveFrame(_columns(canvas.columns - tail, len(heads)), low, high, height * canvas.high - 1, canvas.wide)
    for number, picture in enumerate(pictures):
        _stroke(canvas, frame, picture, pen.series(number))
    for number, picture in enumerate(pictures):
        _mark(pen, canvas, frame, number, picture)
    for number, picture in enumerate(pictures):
        _write(pen, canvas, frame, number, picture)
    marked = {canvas.cell(frame.dot(0, y))[0]: tick(y) for y in ticks}
    covered = [line for number, picture in enumerate(pictures) for line in _covered(pen, number, picture)]
    return _framed(pen, plot, canvas, marked, _scale(pen, plot, canvas, frame, heads)) + covered


def _tail(pen: Pen, pictures: tuple[Picture, ...]) -> int:
    """The columns for the names behind the lines' ends."""
    return min(max(cell_len(pen.word(picture.title)) for picture in pictures) + 2, pen.width // 3)


def _columns(room: int, count: int) -> tuple[int, ...]:
    """The column of each label: spread over the room, with half a number's width free at both ends."""
    first, last = min(3, room // 2), max(room - 3, 0)
    return tuple(first + round((last - first) * place / max(count - 1, 1)) for place in range(count))


def _stroke(canvas: Canvas, frame: _CurveFrame, picture: Picture, style: str) -> None:
    values = [float(value) for value in picture.values[: len(frame.columns)]]
    for place, (here, there) in enumerate(pairwise(values)):
        if math.isfinite(here) and math.isfinite(there):
            canvas.stroke(frame.dot(place, here), frame.dot(place + 1, there), style)


def _mark(pen: Pen, canvas: Canvas, frame: _CurveFrame, number: int, picture: Picture) -> None:
    """A mark at each point, another one for each line."""
    mark = ("ox*+" if pen.ascii else "●■▲◆")[number % 4]
    for place, value in enumerate(picture.values[: len(frame.columns)]):
        if math.isfinite(value):
            canvas.write(*canvas.cell(frame.dot(place, float(value))), mark, pen.tip(number))


def _write(pen: Pen, canvas: Canvas, frame: _CurveFrame, number: int, picture: Picture) -> None:
    """The number over or under each point, and the line's name behind its last one."""
    last: tuple[int, int] | None = None
    for place, value in enumerate(picture.values[: len(frame.columns)]):
        if not math.isfinite(value):
            continue
        last = row, column = canvas.cell(frame.dot(place, float(value)))
        text = pen.number(picture, float(value))
        at = min(max(column - len(text) // 2, 0), canvas.columns - len(text))
        canvas.place(
            [(row - 1, at), (row + 1, at), (row - 2, at), (row + 2, at), (row, column + 2)], text, pen.series(number)
        )
    if last is not None:
        row, column = last
        name = pen.short(picture.title, _tail(pen, (picture,)))
        canvas.place([(row + way, column + 2) for way in (0, 1, -1, 2, -2)], name, pen.tip(number))


def _framed(pen: Pen, plot: Plot, canvas: Canvas, ticks: dict[int, str], scale: list[Row]) -> list[Row]:
    """The drawing between its axes; `ticks` are the numbers at its rows."""
    gutter = pen.width - canvas.columns
    name = f"{pen.glyph('↑', '^')} {pen.word(plot.y)}"
    found = [pen.line((" " * (gutter - 1) + pen.fitted(name, canvas.columns + 1), FAINT))] if plot.y else []
    return [*found, *pen.beside(canvas.lines(), gutter, ticks), *scale]


def _scale(pen: Pen, plot: Plot, canvas: Canvas, frame: _CurveFrame, heads: list[str]) -> list[Row]:
    """The lower axis, the labels under it as far as they fit, and its name."""
    gutter, end = pen.width - canvas.columns, min(frame.columns[-1] + 3, canvas.columns)
    rule = " " * (gutter - 1) + pen.glyph("└", "+") + pen.glyph("─", "-") * end
    under = Canvas(canvas.columns, 1, ascii=pen.ascii)
    for column, head in zip(frame.columns, heads, strict=True):
        under.place([(0, max(column - cell_len(head) // 2, 0))], head, FAINT)
    name = f"{pen.word(plot.x)} {pen.glyph('→', '->')}" if plot.x else ""
    under.place([(0, column) for column in range(end, canvas.columns)], name, FAINT)
    labels = trimmed((Span(" " * gutter), *under.lines()[0]))
    return [pen.line((rule, FAINT)), labels]


def _covered(pen: Pen, number: int, picture: Picture) -> list[Row]:
    """A line that says so, for a line of which some numbers may not be shown."""
    if not np.isnan(picture.values).any():
        return []
    mark = pen.number(picture, math.nan)
    name = pen.short(picture.title, pen.width - 5)
    return [pen.line((name, pen.series(number)), (f" {mark}", FAINT))]

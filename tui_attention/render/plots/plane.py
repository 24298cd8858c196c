"""Rows of numbers as arrows in the plane of two of their columns."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from rich.cells import cell_len

from tui_attention.lessons.model import Plot
from tui_attention.render.plots.canvas import Canvas
from tui_attention.render.plots.pen import Pen, nice, tick
from tui_attention.render.rows import FAINT, STRONG, Row, padded, width_of
from tui_attention.walk.view import Picture

_LONGEST = 22


@dataclass(frozen=True, slots=True)
class _Point:
    """One picture's place in the plane. NaN where it may not be shown."""

    label: str
    x: float
    y: float
    texts: tuple[str, str]

    @property
    def drawn(self) -> bool:
        return math.isfinite(self.x) and math.isfinite(self.y)


@dataclass(frozen=True, slots=True)
class _Scale:
    """From numbers to dots: equal lengths are equal on both axes, so that angles are true."""

    low: tuple[float, float]
    high: tuple[float, float]
    dots: float
    bottom: int

    def dot(self, x: float, y: float) -> tuple[int, int]:
        # Halves first: a difference may not fit in a float.
        right, up = ((value / 2 - low / 2) * self.dots * 2 for value, low in zip((x, y), self.low, strict=True))
        return round(right), self.bottom - round(up)


def lines(pen: Pen, plot: Plot, pictures: tuple[Picture, ...]) -> list[Row]:
    """The plane of `plot.x` and `plot.y`, both axes named and scaled, and a list of the numbers.

    `arrows` start at the origin. In a `plane` the first picture is where it began and the others are arrows from
    there; a dotted line marks where both columns are equal. What may not be shown is absent from the drawing and a
    covered mark in the list.
    """
    points = [_point(pen, plot, picture) for picture in pictures]
    drawn = [point for point in points if point.drawn]
    low = (_low([p.x for p in drawn]), _low([p.y for p in drawn]))
    high = (_high([p.x for p in drawn], low[0]), _high([p.y for p in drawn], low[1]))
    legend = _legend(pen, plot, points)
    beside = pen.roomy
    gutter = max(len(tick(value)) for value in (low[1], high[1], (low[1] + high[1]) / 2)) + 2
    taken = max(width_of(line) for line in legend) + 2 if beside else 0
    rows = 15 if pen.roomy else 12
    if pen.height is not None:
        rows = min(max(pen.height - 4 - (0 if beside else len(legend)), 5), 24)
    canvas, scale = _surface(pen, rows, pen.width - gutter - taken, low, high)
    _draw(pen, plot, canvas, scale, points)
    picture = _framed(pen, plot, canvas, scale, gutter)
    if not beside:
        return picture + legend
    start = min(max(width_of(line) for line in picture) + 4, pen.width - taken + 2)
    for place, line in enumerate(legend[: len(picture) - 2]):
        left = picture[place + 2]
        picture[place + 2] = (*padded(left, max(start, width_of(left))), *line)
    return picture + legend[len(picture) - 2 :]


def _point(pen: Pen, plot: Plot, picture: Picture) -> _Point:
    labels = picture.axes[-1].labels if picture.axes else ()
    row = picture.values.reshape(-1) if picture.values.ndim == 1 else np.full(len(labels), np.nan)
    places = [labels.index(name) if name in labels else place for place, name in enumerate((plot.x, plot.y))]
    x, y = (float(row[place]) if place < row.size else math.nan for place in places)
    if not (math.isfinite(x) and math.isfinite(y)):
        texts = (pen.number(picture, x), pen.number(picture, y))
        return _Point(pen.word(picture.title), math.nan, math.nan, texts)
    return _Point(pen.word(picture.title), x, y, (pen.number(picture, x), pen.number(picture, y)))


def _low(values: list[float]) -> float:
    least = min(values, default=0.0)
    return -nice(-least) if least < 0 else 0.0


def _high(values: list[float], low: float) -> float:
    most = max(values, default=0.0)
    return nice(most) if most > 0 else 1.0 if not low else 0.0


def _surface(
    pen: Pen, rows: int, columns: int, low: tuple[float, float], high: tuple[float, float]
) -> tuple[Canvas, _Scale]:
    """A canvas of that size or less high, and the largest scale that fits both axes."""
    canvas = Canvas(columns, rows, ascii=pen.ascii)
    # The labels of the rightmost tips need columns of their own.
    usable = max(columns - min(_LONGEST, columns // 2), 4) * canvas.wide - 1
    spans = high[0] / 2 - low[0] / 2, high[1] / 2 - low[1] / 2
    dots = min(usable / spans[0], (rows * canvas.high - 1) / spans[1]) / 2
    needed = min(max(math.ceil((dots * 2 * spans[1] + 1) / canvas.high), 3), rows)
    canvas = Canvas(columns, needed, ascii=pen.ascii)
    return canvas, _Scale(low, high, dots, needed * canvas.high - 1)


def _draw(pen: Pen, plot: Plot, canvas: Canvas, scale: _Scale, points: list[_Point]) -> None:
    (left, bottom), (right, top) = scale.low, scale.high
    if left < 0:
        canvas.stroke(scale.dot(0, bottom), scale.dot(0, top), FAINT, every=3)
    if bottom < 0:
        canvas.stroke(scale.dot(left, 0), scale.dot(right, 0), FAINT, every=3)
    start: tuple[float, float] = (0.0, 0.0)
    moved = plot.kind == "plane"
    if moved:
        both = max(left, bottom), min(right, top)
        if both[0] < both[1]:
            canvas.stroke(scale.dot(both[0], both[0]), scale.dot(both[1], both[1]), FAINT, every=4)
        if points and points[0].drawn:
            start = points[0].x, points[0].y
    arrows = points[1:] if moved else points
    begun = not moved or (bool(points) and points[0].drawn)
    for place, point in enumerate(points):
        if point.drawn and begun and point in arrows:
            canvas.stroke(scale.dot(*start), scale.dot(point.x, point.y), pen.series(place))
    tips = []
    for place, point in enumerate(points):
        if not point.drawn:
            continue
        tip = canvas.cell(scale.dot(point.x, point.y))
        away = (point.x - start[0], point.y - start[1])
        arrow = begun and point in arrows and any(away)
        canvas.write(*tip, _head(pen, away) if arrow else pen.glyph("●", "o"), pen.tip(place))
        tips.append((tip, away, point, pen.series(place)))
    for tip, away, point, style in tips:
        canvas.place(_spots(tip, away, cell_len(_short(pen, point))), _short(pen, point), style)
    if moved and both[0] < both[1]:
        row, column = canvas.cell(scale.dot(both[1], both[1]))
        canvas.place([(row, column + 2), (row + 1, column + 2)], f"{pen.word(plot.x)} = {pen.word(plot.y)}", FAINT)


def _short(pen: Pen, point: _Point) -> str:
    return point.label if cell_len(point.label) <= _LONGEST else pen.fitted(point.label, _LONGEST)


def _head(pen: Pen, away: tuple[float, float]) -> str:
    """The head of an arrow, by its direction."""
    eighth = round(math.atan2(away[1], away[0]) / (math.pi / 4)) % 8
    return (">^^^<vvv" if pen.ascii else "→↗↑↖←↙↓↘")[eighth]


def _spots(tip: tuple[int, int], away: tuple[float, float], size: int) -> list[tuple[int, int]]:
    """Where the label of a tip may stand, the best first: ahead of the arrow, then around it."""
    row, column = tip
    ahead, behind = (row, column + 2), (row, column - size - 1)
    over, under = (row - 1, column + 1), (row + 1, column + 1)
    far = [
        (row - 1, column - size),
        (row + 1, column - size),
        (row - 1, column - size // 2),
        (row + 1, column - size // 2),
    ]
    return [ahead, over, under, behind, *far] if away[0] >= 0 else [ahead, behind, over, under, *far]


def _framed(pen: Pen, plot: Plot, canvas: Canvas, scale: _Scale, gutter: int) -> list[Row]:
    """The canvas with its two axes: names, and numbers at both ends and in the middle."""
    (left, bottom), (right, top) = scale.low, scale.high
    rows = {canvas.cell(scale.dot(left, y))[0]: tick(y) for y in (bottom, (bottom + top) / 2, top)}
    corner, dash = pen.glyph("└", "+"), pen.glyph("─", "-")
    up, right_hand = pen.glyph("↑", "^"), pen.glyph("→", "->")
    found = [pen.line((" " * (gutter - 1) + pen.fitted(f"{up} {pen.word(plot.y)}", pen.width - gutter + 1), FAINT))]
    found += pen.beside(canvas.lines(), gutter, rows)
    end = canvas.cell(scale.dot(right, bottom))[1] + 1
    found.append(pen.line((" " * (gutter - 1) + corner + dash * end, FAINT)))
    numbers = [" "] * canvas.columns
    for x in (left, (left + right) / 2, right):
        text = tick(x)
        at = min(max(canvas.cell(scale.dot(x, bottom))[1] - len(text) // 2, 0), canvas.columns - len(text))
        numbers[at : at + len(text)] = text
    words = "".join(numbers).rstrip()
    name = f"{pen.word(plot.x)} {right_hand}"
    name = pen.fitted(name, max(min(cell_len(name), canvas.columns - len(words) - 2), 0))
    found.append(pen.line((f"{' ' * gutter}{words}  {name}", FAINT)))
    return found


def _aligned(points: list[_Point]) -> list[_Point]:
    """The same with their numbers filled up, so that the decimal points of a column stand below each other."""
    behind = [max((len(p.texts[k].partition(".")[2]) for p in points if p.drawn), default=0) for k in (0, 1)]

    def filled(text: str, most: int) -> str:
        return text + " " * (most - len(text.partition(".")[2]) + ("." not in text and most > 0))

    return [
        replace(p, texts=(filled(p.texts[0], behind[0]), filled(p.texts[1], behind[1]))) if p.drawn else p
        for p in points
    ]


def _legend(pen: Pen, plot: Plot, points: list[_Point]) -> list[Row]:
    """Every label with its two numbers, under the names of the axes."""
    names = pen.word(plot.x), pen.word(plot.y)
    points = _aligned(points)
    most = (pen.width - 4) // 2
    wishes = [max([cell_len(name), *(len(p.texts[place]) for p in points)]) + 2 for place, name in enumerate(names)]
    sizes = [min(wish, most) for wish in wishes]
    side = min(max((cell_len(point.label) for point in points), default=0), pen.width - sum(sizes), 32)
    head = [(pen.right(name, size), STRONG) for name, size in zip(names, sizes, strict=True)]
    found = [pen.line((" " * side, ""), *head)]
    for place, point in enumerate(points):
        texts = [
            (pen.right(text, size), "" if point.drawn else FAINT)
            for text, size in zip(point.texts, sizes, strict=True)
        ]
        found.append(pen.line((pen.fitted(point.label, side), pen.series(place)), *texts))
    return found

"""Numbers as horizontal bars, in groups that share one scale."""

from __future__ import annotations

import math

import numpy as np
from rich.cells import cell_len

from tui_attention.render.plots.pen import Part, Pen, finite
from tui_attention.render.rows import EMPTY, FAINT, STRONG, Row
from tui_attention.walk.view import Picture

_EIGHTHS = " ▏▎▍▌▋▊▉"


def lines(pen: Pen, pictures: tuple[Picture, ...]) -> list[Row]:
    """A title for each group, then a line for each bar: its label, its number, the bar.

    All bars are measured by one scale, so that groups can be compared; zero is its origin.
    """
    shown = finite(pictures)
    low, high = min(float(shown.min(initial=0)), 0.0), max(float(shown.max(initial=0)), 0.0)
    groups = [group for picture in pictures for group in _groups(pen, picture)]
    digits = max((len(text) for _, _, texts, _ in groups for text in texts), default=0)
    side = max((cell_len(label) for _, labels, _, _ in groups for label in labels), default=0)
    side = min(side, pen.width // 3, max(pen.width - digits - 5, 1))
    room = max(pen.width - side - digits - 3, 2)
    tight = pen.height is not None and pen.height < sum(len(texts) + 2 for _, _, texts, _ in groups)
    found: list[Row] = []
    for place, (title, labels, texts, values) in enumerate(groups):
        if place and not tight:
            found.append(EMPTY)
        found.append(pen.line((pen.fitted(title, pen.width), STRONG)))
        for label, text, value in zip(labels, texts, values, strict=True):
            bar = _bar(pen, value, (low, high), room, pen.series(place))
            number = (pen.right(text, digits + 1), "" if math.isfinite(value) else FAINT)
            found.append(pen.line((pen.fitted(label, side), ""), number, ("  ", ""), *bar))
    return found


def _groups(pen: Pen, picture: Picture) -> list[tuple[str, list[str], list[str], list[float]]]:
    """Title, labels, texts and numbers along the last axis, once for each place along the axes before it."""
    values = picture.values if picture.values.ndim else picture.values.reshape(1)
    labels = [pen.word(label) for label in picture.axes[-1].labels] if picture.axes else [""]
    found = []
    for index in np.ndindex(*values.shape[:-1]):
        names = [f"{axis.name} {axis.labels[place]}" for axis, place in zip(picture.axes, index, strict=False)]
        row = [float(value) for value in values[index]]
        title = pen.word(", ".join([picture.title, *names]))
        found.append((title, labels, [pen.number(picture, value) for value in row], row))
    return found


def _bar(pen: Pen, value: float, ends: tuple[float, float], room: int, style: str) -> list[Part]:
    """The bar in `room` columns: to the right of zero, or to its left for a number below zero."""
    low, high = ends
    # Halves first: high - low may not fit in a float.
    span = high / 2 - low / 2
    axis = pen.glyph("▏", "|")
    if not span:
        return [(axis, FAINT)]
    left = round((room - 1) * (-low / 2 / span)) if low < 0 else 0
    size = abs(value) / 2 / span * (room - 1) if math.isfinite(value) else 0.0
    if value < 0 and math.isfinite(value):
        length = min(max(round(size), 1), left)
        return [(" " * (left - length), ""), (pen.glyph("█", "=") * length, style), (axis, FAINT)]
    if math.isfinite(value) and value > 0 and not low:
        return [(_solid(pen, size), style)]
    return [(" " * left, ""), (axis, FAINT), (_solid(pen, min(size, room - 1 - left)), style)]


def _solid(pen: Pen, size: float) -> str:
    """A bar of that many columns, to an eighth of a column; in ASCII to a whole one. Never nothing."""
    if pen.ascii:
        return "=" * max(round(size), 1) if size else ""
    eighths = max(round(size * 8), 1) if size else 0
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()

"""The kinds of pictures that a lesson declares, laid out as shapes. A matrix has every number in its cell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tui_attention.engine.tensor import Axis
from tui_attention.export.scene import FAINT, INK, PAPER, Area, Box, Scene, Shape, Stroke, TextMark, arrow, disc
from tui_attention.export.values import label
from tui_attention.render.contrast import luminance

# Told apart also by people who see no difference between red and green.
COLOURS = ("#0b62a8", "#c4560a", "#3f7f5f", "#7a4a9e", "#8a6d00", "#555555")
POSITIVE, NEGATIVE, STRUCK = (11, 98, 168), (196, 86, 10), "#e3e6ea"
MARGIN, TITLE, CELL_HIGH, LETTER = 24.0, 44.0, 34.0, 8.0
DUSK = 0.207  # the luminance at which white letters and ink are read equally well

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """One array of a picture: its name, its numbers (minus infinity where masked), their texts and its axes."""

    name: str
    values: Numbers
    texts: npt.NDArray[np.object_]
    axes: tuple[Axis, ...]


def _frame(title: str, wide: float, high: float, shapes: Sequence[Shape]) -> Scene:
    wide = max(wide, 2 * MARGIN + LETTER * 1.15 * len(title))
    heading = TextMark(wide / 2, MARGIN, title, 16, bold=True)
    return Scene(wide, high, title, (heading, *shapes))


# ---------------------------------------------------------------- heatmap


def heatmap(title: str, parts: Sequence[Part]) -> Scene:
    """Matrices side by side. Blue is positive, orange negative, one scale of shades for all of them."""
    loud = max((float(np.abs(part.values[np.isfinite(part.values)]).max(initial=0)) for part in parts), default=0)
    shapes: list[Shape] = []
    x, high = MARGIN, 0.0
    for part in parts:
        made, wide, tall = _matrix(part, x, TITLE + MARGIN, loud)
        shapes += made
        x += wide + MARGIN
        high = max(high, tall)
    return _frame(title, x, TITLE + MARGIN + high + MARGIN, shapes)


def _matrix(part: Part, left: float, top: float, loud: float) -> tuple[list[Shape], float, float]:
    """The shapes of one matrix and its width and height, labels included."""
    rows, columns = part.axes
    names, heads = [label(text) for text in rows.labels], [label(text) for text in columns.labels]
    margin = LETTER * max(map(len, names)) + 36
    longest = max([len(str(text)) for text in part.texts.flat] + list(map(len, heads)))
    cell = max(44.0, LETTER * longest + 16)
    x, y = left + margin, top + 44
    # The name stands above the middle of the cells, and may reach out to both sides.
    reach = max(0.0, LETTER * len(part.name) - cell * len(columns)) / 2
    wide, tall = margin + cell * len(columns) + reach, 44 + CELL_HIGH * len(rows)
    shapes: list[Shape] = [
        TextMark(x + cell * len(columns) / 2, top - 8, part.name, 14, bold=True),
        TextMark(x + cell * len(columns) / 2, top + 12, columns.name, 12, fill=FAINT),
        TextMark(left + 8, y + CELL_HIGH * len(rows) / 2, rows.name, 12, fill=FAINT, turned=True),
    ]
    shapes += [TextMark(x + cell * (at + 0.5), top + 32, name) for at, name in enumerate(heads)]
    shapes += [TextMark(x - 8, y + CELL_HIGH * (at + 0.5), name, anchor="end") for at, name in enumerate(names)]
    for row, column in np.ndindex(len(rows), len(columns)):
        fill, style = _shade(float(part.values[row, column]), loud)
        corner = (x + cell * column, y + CELL_HIGH * row)
        shapes.append(Box(*corner, cell, CELL_HIGH, fill, PAPER))
        shapes.append(
            TextMark(corner[0] + cell / 2, corner[1] + CELL_HIGH / 2, str(part.texts[row, column]), fill=style)
        )
    return shapes, wide, tall


def _shade(value: float, loud: float) -> tuple[str, str]:
    """The colour of a cell and of the number in it."""
    if not math.isfinite(value):
        return STRUCK, FAINT
    depth = abs(value) / loud if loud else 0.0
    colour = POSITIVE if value >= 0 else NEGATIVE
    red, green, blue = (round(255 + (part - 255) * (0.05 + 0.95 * depth)) for part in colour)
    dark = luminance(red / 255, green / 255, blue / 255) < DUSK
    return f"#{red:02x}{green:02x}{blue:02x}", PAPER if dark else INK


# ---------------------------------------------------------------- bars


def bars(title: str, parts: Sequence[Part], names: Sequence[str]) -> Scene:
    """A group of bars for each array, one scale for all; each bar with its label below and its number at its end."""
    shapes: list[Shape] = []
    x, room, base = MARGIN, 180.0, TITLE + 36 + 180
    loud = max(float(np.abs(part.values).max(initial=0)) for part in parts) or 1.0
    lowest = 0.0
    for part, name in zip(parts, names, strict=True):
        labels = [label(text) for text in part.axes[0].labels]
        slot = max(58.0, LETTER * max(map(len, labels)) + 12)
        for at, value in enumerate(part.values.tolist()):
            tall = room * abs(value) / loud
            top = base - tall if value >= 0 else base
            left = x + slot * at + 7
            fill = COLOURS[0] if value >= 0 else COLOURS[1]
            shapes.append(Box(left, top, slot - 14, max(tall, 0.5), fill))
            end = top - 10 if value >= 0 else top + tall + 10
            shapes.append(TextMark(left + slot / 2 - 7, end, str(part.texts[at])))
            shapes.append(TextMark(left + slot / 2 - 7, base + 16 if value >= 0 else base - 12, labels[at]))
            lowest = max(lowest, tall if value < 0 else 0)
        wide = slot * len(labels)
        shapes.append(Stroke(((x, base), (x + wide, base)), FAINT))
        shapes.append(TextMark(x + wide / 2, TITLE + 8, name, 14, bold=True))
        x += max(wide, LETTER * len(name)) + MARGIN * 1.5
    return _frame(title, x - MARGIN / 2, base + max(lowest + 12, 16) + MARGIN, shapes)


# ---------------------------------------------------------------- points in a plane


SIDE = 380.0


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from `low` to `high`, five steps or fewer."""
    step = 10 ** math.floor(math.log10((high - low) / 2))
    step = next(step * times for times in (1, 2, 5, 10) if (high - low) / (step * times) <= 5)
    return [
        round(step * at, 10) + 0.0 for at in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    ]


def plane(title: str, parts: Sequence[Part], x: str, y: str, names: Sequence[str], *, arrows: bool) -> Scene:
    """Rows as arrows or points, seen from two of their coordinates; both axes have one scale.

    Where points are drawn, a dashed line leads from the first to each other: where the row went.
    """
    places = [tuple(float(part.values[part.axes[0].labels.index(axis)]) for axis in (x, y)) for part in parts]
    far = max([0.0, *(value for place in places for value in place)])
    low = min([0.0, *(value for place in places for value in place)])
    high = far + 0.12 * (far - low or 1)
    low = low - 0.12 * (high - low) if low < 0 else 0.0
    left, top = MARGIN + 56, TITLE + 16

    def at(place: tuple[float, float]) -> tuple[float, float]:
        across, up = ((value - low) / (high - low) for value in place)
        return left + SIDE * across, top + SIDE * (1 - up)

    shapes = _axes(left, top, low, high, (x, y))
    points = [at((a, b)) for a, b in places]
    taken: list[tuple[float, float, float]] = []
    labels: list[Shape] = []
    for place, (point, name) in enumerate(zip(points, names, strict=True)):
        colour = COLOURS[place % len(COLOURS)]
        if arrows:
            shapes += arrow(at((0.0, 0.0)), point, colour)
        else:
            if place:
                shapes.append(Stroke((points[0], point), colour, dashed=True))
            shapes.append(disc(*point, 6, colour))
        numbers = " ".join(str(parts[place].texts[parts[place].axes[0].labels.index(axis)]) for axis in (x, y))
        text = f"{name} ({numbers})"
        # A label makes way downwards for one that is already written there.
        spot = (point[0] + 12, point[1] - (14 if arrows else 8))
        while any(abs(spot[1] - b) < 16 and a - LETTER * len(text) < spot[0] < a + wide for a, b, wide in taken):
            spot = (spot[0], spot[1] + 16)
        taken.append((*spot, LETTER * len(text)))
        labels.append(TextMark(*spot, text, anchor="start", fill=colour, bold=True))
    # A label that lies across an arrow stays readable on paper of its own.
    shapes += [Box(a - 2, b - 8, wide - 4, 16, PAPER) for a, b, wide in taken]
    shapes += labels
    reach = max([left + SIDE, *(a + wide for a, _, wide in taken)])
    return _frame(title, reach + MARGIN, top + SIDE + 60, shapes)


def _axes(left: float, top: float, low: float, high: float, names: tuple[str, str]) -> list[Shape]:
    """Ticks, a grid and the names of a square plane from `low` to `high` both ways."""
    shapes: list[Shape] = []
    for tick in _ticks(low, high):
        part = SIDE * (tick - low) / (high - low)
        shade = FAINT if tick == 0 else STRUCK
        shapes.append(Stroke(((left + part, top), (left + part, top + SIDE)), shade))
        shapes.append(Stroke(((left, top + SIDE - part), (left + SIDE, top + SIDE - part)), shade))
        shapes.append(TextMark(left + part, top + SIDE + 14, f"{tick:g}", 12, fill=FAINT))
        shapes.append(TextMark(left - 8, top + SIDE - part, f"{tick:g}", 12, "end", FAINT))
    shapes.append(TextMark(left + SIDE / 2, top + SIDE + 38, names[0]))
    shapes.append(TextMark(left - 48, top + SIDE / 2, names[1], turned=True))
    return shapes


# ---------------------------------------------------------------- curves


def curve(title: str, parts: Sequence[Part], x: str, y: str, names: Sequence[str]) -> Scene:
    """Series over the labels of their axis, which stand at equal distances; the y axis begins at 0."""
    high = max(1.0, *(float(part.values.max()) for part in parts))
    low = min(0.0, *(float(part.values.min()) for part in parts))
    left, top = MARGIN + 56, TITLE + 16
    labels = parts[0].axes[0].labels
    across = SIDE * 1.2
    shapes: list[Shape] = []
    for tick in _ticks(low, high):
        line = top + SIDE - SIDE * (tick - low) / (high - low)
        shapes.append(Stroke(((left, line), (left + across, line)), FAINT if tick == 0 else STRUCK))
        shapes.append(TextMark(left - 8, line, f"{tick:g}", 12, "end", FAINT))
    places = [left + across * (at + 0.5) / len(labels) for at in range(len(labels))]
    shapes += [
        TextMark(place, top + SIDE + 14, text, 12, fill=FAINT) for place, text in zip(places, labels, strict=True)
    ]
    shapes.append(TextMark(left + across / 2, top + SIDE + 38, x))
    shapes.append(TextMark(left - 48, top + SIDE / 2, y, turned=True))
    for number, (part, name) in enumerate(zip(parts, names, strict=True)):
        colour = COLOURS[number % len(COLOURS)]
        heights = [top + SIDE - SIDE * (value - low) / (high - low) for value in part.values.tolist()]
        points = tuple(zip(places, heights, strict=True))
        shapes.append(Stroke(points, colour, 2.5))
        for at, point in enumerate(points):
            shapes.append(disc(*point, 5, colour) if number == 0 else _square(point, colour))
            shapes.append(TextMark(point[0] - 4, point[1] - 16, str(part.texts[at]), 12, fill=colour))
        shapes.append(TextMark(points[-1][0] + 14, points[-1][1], name, anchor="start", fill=colour, bold=True))
    reach = left + across + LETTER * max(map(len, names))
    return _frame(title, reach + MARGIN, top + SIDE + 60, shapes)


def _square(point: tuple[float, float], fill: str) -> Area:
    x, y = point
    return Area(((x - 5, y - 5), (x + 5, y - 5), (x + 5, y + 5), (x - 5, y + 5)), fill)

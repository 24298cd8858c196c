"""Tables of numbers with a shade behind each: who listens to whom, at a glance and to the digit."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from rich.cells import cell_len

from tui_attention.render.plots.pen import COOL, WARM, Numbers, Pen, finite
from tui_attention.render.rows import EMPTY, FAINT, STRONG, Row, Span, padded, width_of
from tui_attention.walk.view import Picture

_GAP = 2
_GROUP = 6


def lines(pen: Pen, pictures: tuple[Picture, ...]) -> list[Row]:
    """Each picture as a table with its axes named; side by side where they fit, else below each other.

    A picture with more than two axes is drawn as several tables. Tables that are too wide break into groups of
    columns, of six where that fits.
    """
    shown = finite(pictures)
    top = float(np.abs(shown).max()) if shown.size else 0.0
    tables = [table for picture in pictures for table in _tables(picture)]
    tall = _tall(pen, tables)
    parts = [part for table in tables for part in _parts(pen, table, len(tables), top, tall)]
    return _packed(pen, parts)


def _tables(picture: Picture) -> list[tuple[str, Picture]]:
    """The last two axes of the picture, once for each place along the axes before them."""
    if picture.values.ndim < 2:
        row = picture.values.reshape(1, -1)
        axis = picture.axes[-1] if picture.axes else None
        if axis is None:
            return []
        return [(picture.title, Picture("", row, (type(axis)("", ("",)), axis), picture.hidden, picture.prints))]
    lead = picture.values.shape[:-2]
    found = []
    for index in np.ndindex(*lead):
        names = [f"{axis.name} {axis.labels[place]}" for axis, place in zip(picture.axes, index, strict=False)]
        title = ", ".join([picture.title, *names])
        found.append(
            (title, Picture(title, picture.values[index], picture.axes[-2:], picture.hidden, picture.prints))
        )
    return found


def _tall(pen: Pen, tables: list[tuple[str, Picture]]) -> bool:
    """Whether cells may be three lines high: few rows, much room."""
    rows = max((table.values.shape[0] for _, table in tables), default=0)
    return pen.roomy and rows <= 4 and (pen.height is None or pen.height >= 3 * rows + 4)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """How wide labels and cells of a table are, how many columns stand in a part, and what it is shaded by."""

    side: int
    cell: int
    group: int
    top: float
    tall: bool


def _parts(pen: Pen, table: tuple[str, Picture], count: int, top: float, tall: bool) -> list[list[Row]]:
    """The table as one part, or as several where it is too wide; `count` tables should share a line."""
    title, picture = table
    rows, columns = picture.axes
    texts = [[pen.number(picture, float(value)) for value in row] for row in picture.values]
    corner = f"{pen.word(rows.name)} {pen.glyph('↓', 'v')}" if rows.name else ""
    labels, heads = [pen.word(label) for label in rows.labels], [pen.word(label) for label in columns.labels]
    side = min(max(map(cell_len, [corner, *labels])), pen.width // 3)
    digits = max((len(text) for row in texts for text in row), default=1)
    room = (pen.width - _GAP * (count - 1)) // count if count < 3 else pen.width
    if side + (digits + 1) * len(heads) > room:
        room = pen.width
    wish = max([digits, *map(cell_len, heads)]) + 2 + (4 if tall else 0)
    cell = min(wish, max((room - side) // max(len(heads), 1), digits + 1))
    fit = max((pen.width - side) // cell, 1)
    sheet = _Sheet(side, cell, fit if fit >= len(heads) else fit - fit % _GROUP or fit, top, tall)
    parts = []
    for first in range(0, len(heads), sheet.group):
        places = range(first, min(first + sheet.group, len(heads)))
        which = f", {columns.name} {first} to {places[-1]}" if sheet.group < len(heads) else ""
        part = _heading(pen, sheet, (title + which, columns.name, corner), [heads[c] for c in places])
        for r, label in enumerate(labels):
            part += _row(
                pen, sheet, pen.fitted(label, side), [texts[r][c] for c in places], picture.values[r, list(places)]
            )
        wide = side + cell * len(places)
        parts.append([padded(row, max(wide, width_of(row))) for row in part])
    return parts


def _heading(pen: Pen, sheet: _Sheet, names: tuple[str, str, str], heads: list[str]) -> list[Row]:
    """Title, the name of the columns' axis, and the line of column labels with the rows' axis in its corner."""
    title, across, corner = names
    wide = sheet.side + sheet.cell * len(heads)
    name = f"{pen.word(across)} {pen.glyph('→', '->')}" if across else ""
    return [
        pen.line((pen.fitted(pen.word(title), wide), STRONG)),
        pen.line((pen.fitted(" " * (sheet.side + 1) + name, wide), FAINT)),
        pen.line((pen.fitted(corner, sheet.side), FAINT), ("".join(pen.middle(h, sheet.cell) for h in heads), "")),
    ]


def _row(pen: Pen, sheet: _Sheet, label: str, texts: list[str], values: Numbers) -> list[Row]:
    # Blanks with a shade are part of the picture, so nothing is stripped here.
    blank, numbers = [Span(" " * cell_len(label))], [Span(label)]
    for text, value in zip(texts, values, strict=True):
        style = _shade(pen, float(value), sheet.top)
        blank.append(Span(" " * sheet.cell, style))
        numbers.append(Span(pen.middle(text, sheet.cell), style))
    return [tuple(blank), tuple(numbers), tuple(blank)] if sheet.tall else [tuple(numbers)]


def _shade(pen: Pen, value: float, top: float) -> str:
    """One of five heat levels by size; above zero and below zero differ in colour, as the numbers do in sign."""
    if not math.isfinite(value) or not top or not value:
        return FAINT
    ramp = WARM if value > 0 else COOL
    return ramp[min(int(abs(value) / top * len(ramp)), len(ramp) - 1)]


def _packed(pen: Pen, parts: list[list[Row]]) -> list[Row]:
    """Parts next to each other as long as they fit, then the next line of parts."""
    found: list[Row] = []
    bands: list[list[list[Row]]] = []
    used = pen.width + 1
    for part in parts:
        width = max(width_of(row) for row in part)
        if used + _GAP + width > pen.width:
            bands.append([])
            used = -_GAP
        bands[-1].append(part)
        used += _GAP + width
    for number, band in enumerate(bands):
        if number:
            found.append(EMPTY)
        for row in range(max(map(len, band))):
            line: list[Span] = []
            for place, part in enumerate(band):
                width = max(width_of(row) for row in part)
                piece = part[row] if row < len(part) else (Span(" " * width),)
                line += [Span(" " * _GAP if place else ""), *piece]
            found.append(tuple(line))
    return found

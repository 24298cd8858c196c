"""Small tables of texts, and the table of Phi that a stage needs beside its pencil, as rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np
from rich.cells import cell_len

from tui_attention.render.phi import phi_at
from tui_attention.render.rows import EMPTY, FAINT, STRONG, Row, Span, trimmed, wrap
from tui_attention.walk.view import COVER, View

_GAP = 2
PHI_GROUP = 6


def table_lines(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int,
) -> list[Row]:
    """Rows of texts (placeholders filled in) under their column names, in at most `width` columns.

    Columns of numbers stand at the right of their column, others at the left. A text that is too long for its column
    goes on below, never cut.
    """
    cells = [[_flat(text) for text in row] for row in (columns, *rows)]
    if not cells[0]:
        return []
    sizes = _sizes([list(column) for column in zip(*cells, strict=True)], width)
    right = [all(_number(row[place]) for row in cells[1:]) and len(cells) > 1 for place in range(len(columns))]
    rule = "─" * (sum(sizes) + _GAP * (len(sizes) - 1))
    lines = _row(cells[0], sizes, right, STRONG)
    lines.append((Span(rule, FAINT),))
    for row in cells[1:]:
        lines += _row(row, sizes, right, "")
    return lines


def _flat(text: str) -> str:
    return " ".join(text.split())


def _number(text: str) -> bool:
    return bool(text) and not text.strip("+-−0123456789.,·% ") and any(mark.isdigit() for mark in text)


def _sizes(columns: list[list[str]], width: int) -> list[int]:
    """The columns' widths: as wide as their texts where that fits, else the widest give way first.

    No column gets narrower than its longest word as long as another can give way.
    """
    sizes = [max(*map(cell_len, column), 1) for column in columns]
    words = [max((cell_len(word) for text in column for word in text.split()), default=1) for column in columns]
    room = max(width - _GAP * (len(columns) - 1), len(columns))
    while sum(sizes) > room:
        spare = [place for place, size in enumerate(sizes) if size > words[place]] or range(len(sizes))
        sizes[max(spare, key=lambda place: sizes[place])] -= 1
    return sizes


def _row(cells: list[str], sizes: list[int], right: list[bool], style: str) -> list[Row]:
    parts = [wrap(cell, size) for cell, size in zip(cells, sizes, strict=True)]
    lines = []
    for pieces in zip_longest(*parts, fillvalue=""):
        line: list[Span] = []
        for place, (piece, size, at_right) in enumerate(zip(pieces, sizes, right, strict=True)):
            blank = " " * (size - cell_len(piece))
            line.append(Span(" " * (_GAP if place else 0)))
            line.append(Span(blank + piece if at_right else piece + blank, style))
        lines.append(trimmed(tuple(line)))
    return lines


def phi_texts(view: View) -> tuple[list[str], list[str], list[str]]:
    """Labels, numbers and their Phi, row after row, of a tensor as it may be shown; covered ones as marks."""
    labels, numbers, values = [], [], []
    several = view.values.ndim > 1 and view.values[..., 0].size > 1
    for index in np.ndindex(*view.shape):
        label = view.axes[-1].labels[index[-1]] if index else ""
        labels.append(f"{','.join(map(str, index[:-1]))},{label}" if several else label)
        numbers.append(view.text(index))
        values.append(phi_at(view, index) or COVER)
    return labels, numbers, values


def phi_lines(
    z_texts: Sequence[str],
    phi_texts: Sequence[str],
    width: int,
    *,
    labels: Sequence[str] = (),
) -> list[Row]:
    """Each z above its Phi(z), as many side by side as fit in `width` columns, in groups of six where possible."""
    rows = [("", list(labels), FAINT)] if labels else []
    rows += [("z", list(z_texts), ""), ("Phi(z)", list(phi_texts), STRONG)]
    side = max(len(name) for name, _, _ in rows)
    count = len(z_texts)
    cell = max((cell_len(text) for _, texts, _ in rows for text in texts), default=1) + 2
    fit = max((width - side) // cell, 1)
    group = fit if fit >= count else fit - fit % PHI_GROUP or fit
    lines: list[Row] = []
    for first in range(0, count, group):
        if first:
            lines.append(EMPTY)
        for name, texts, style in rows:
            cells = (Span(_flat(text).rjust(cell), style) for text in texts[first : first + group])
            lines.append((Span(name.ljust(side)), *cells))
    return lines

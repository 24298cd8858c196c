"""Matrices as rows of text: labelled, aligned, and broken into labelled parts where they are too wide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from rich.cells import cell_len

from tui_attention.engine.decimals import printed
from tui_attention.engine.tensor import Index
from tui_attention.render.rows import EMPTY, CellKey, Row, Span, between, left, padded, right, width_of
from tui_attention.walk.view import COVER, SHOWN, UNREACHED, View

GAP = 3
"""Columns between two blocks side by side."""
HEAT_LEVELS = 5
GROUPS = (18, 12, 6, 3, 2, 1)
"""How many columns a part of a table that is too wide may have: whole heads or groups of six first."""


class MatrixBlock(NamedTuple):
    """A rectangle of rows that stays together."""

    rows: tuple[Row, ...]

    @property
    def width(self) -> int:
        return max((width_of(row) for row in self.rows), default=0)


class GridLine(NamedTuple):
    """One line of a grid: a label and the cells of a tensor along its last axis. `note` stands above it.

    `shares`: the line is shares of a whole; it shows its sum, and shades.
    """

    label: str
    view: View
    indices: tuple[Index, ...]
    style: str = "label"
    note: str = ""
    shares: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """Lines under one head of column labels. `dividers` are columns that a bar stands before.

    `named`: the corner holds the tensor's name.
    """

    title: Row
    corner: str
    labels: tuple[str, ...]
    lines: tuple[GridLine, ...]
    result: frozenset[str] = frozenset()
    dividers: frozenset[int] = field(default_factory=frozenset)
    named: bool = False


def label_text(label: str) -> str:
    """A label as it is shown: one that is blank stands in quotes."""
    return f'"{label}"' if not label or label.isspace() or label != label.strip() else label


def column_heads(grid: Grid) -> tuple[str, ...]:
    """What stands above the columns: single marks each behind its whole number (`1 b`), but for the list of both."""
    shown = tuple(label_text(label) for label in grid.labels)
    marks = len(grid.labels) > 1 and all(len(label) == 1 and not label.isdigit() for label in grid.labels)
    listed = any(line.view.name == "splitter" for line in grid.lines)
    window = next((line.view for line in grid.lines if line.view.start), None)
    first = 0 if window is None else window.start[-1]
    places = window.columns if window is not None and window.columns else range(first, first + len(shown))
    both = tuple(f"{number} {mark}" for number, mark in zip(places, shown, strict=False))
    return both if marks and not listed else shown


def cell_text(view: View, index: Index) -> str:
    """The cell as it stands in a matrix: a number that chooses a mark has the mark beside it, `1 b`."""
    mark = view.mark(index)
    return f"{view.text(index)} {label_text(mark)}" if mark else view.text(index)


def cell_width(view: View) -> int:
    """Columns for the numbers of a tensor, the same whether they are covered or not."""
    shown = [
        cell_len(cell_text(view, index))
        for index in np.ndindex(*view.shape)
        if view.texts[index] or index in view.owns
    ]
    widest = max(shown, default=1)
    if view.origin in ("dial", "constant", "fact"):
        return widest
    usual = view.decimals + 3 if view.decimals else 1
    return max(widest, usual, len(COVER))


def number_style(view: View, index: Index, result: frozenset[str]) -> str:
    """The ink of a cell by what it is and whether it may be shown."""
    state = view.states[index]
    if state != SHOWN:
        return "typed" if index in view.owns else "covered"
    if view.texts[index] == "-inf":
        return "masked"
    if view.place(index) in view.turned:
        return "turned"
    if view.name in result:
        return "result"
    return "dial" if view.origin in ("dial", "constant", "fact") else "number"


def heat_of(value: float) -> int:
    """The shade of a share from 0 to 1: 1 is the faintest."""
    return 1 if np.isnan(value) else 1 + min(HEAT_LEVELS - 1, max(0, int(value * HEAT_LEVELS)))


def sum_text(view: View, indices: Sequence[Index]) -> str:
    """The sum of a row of shares, as printed; the covered mark while one of them is covered."""
    if any(view.states[index] != SHOWN for index in indices):
        return COVER if any(view.states[index] != UNREACHED for index in indices) else ""
    return printed(float(sum(view.values[index] for index in indices)), max(2, view.decimals))


def grid_blocks(grid: Grid, block: int, width: int, *, dense: bool = False) -> tuple[MatrixBlock, ...]:
    """The grid as one block, or as labelled parts when it is wider than `width`.

    `dense`: columns stand closer together where that makes fewer parts, and parts are labelled by their heads alone.
    """
    label_width = max([cell_len(grid.corner), *(cell_len(line.label) for line in grid.lines)]) + 1
    widths = [cell_width(line.view) for line in grid.lines]
    heads = column_heads(grid)
    labels = [cell_len(head) for head in heads]
    column = max(widths + labels) + 2
    sums = [max(3, line.view.decimals + 2) + 3 for line in grid.lines if line.shares]
    extra = max(sums, default=0)
    room = width - label_width - extra - len(grid.dividers)
    count = len(grid.labels)
    if count * column > room >= count * (column - 1):
        column -= 1  # closer together rather than in parts
    elif dense and -(-count // max(1, room // (column - 1))) < -(-count // max(1, room // column)):
        column -= 1
    fit = max(1, room // column)
    per = max(1, count) if count <= fit else next(size for size in GROUPS if size <= fit)
    if not grid.dividers and (fewest := -(-count // fit)) < -(-count // per):
        per = -(-count // fewest)
    starts = range(0, count, per) if count else range(1)
    parts = []
    for start in starts:
        end = min(count, start + per)
        rows: list[Row] = []
        if per < count and not (dense and not grid.title):
            first, final = heads[start], heads[end - 1]
            span = f"columns {first} to {final} of {count}" if end - start > 1 else f"column {first} of {count}"
            which = next((line.view.which for line in grid.lines if line.view.columns), "")
            span = f"{which}: {first} to {final}" if which else span
            rows.append(_titled(grid.title if start == 0 else EMPTY, span, width))
        elif grid.title:
            rows.append(grid.title)
        rows += _part(grid, block, range(start, end), (label_width, column, extra if end == count else 0))
        parts.append(MatrixBlock(tuple(rows)))
    return tuple(parts)


def _titled(title: Row, span: str, width: int) -> Row:
    mark = (Span(span, "part"),)
    if not title:
        return mark
    if width_of(title) + 2 + cell_len(span) <= width:
        return (*title, Span("  "), *mark)
    kept = next((n for n in (2, 1) if width_of(title[:n]) + 2 + cell_len(span) <= width), 1)
    return between(title[:kept], mark, width)


def _part(grid: Grid, block: int, columns: range, sizes: tuple[int, int, int]) -> list[Row]:
    label_width, column, extra = sizes
    rows: list[Row] = []
    heads = column_heads(grid)
    if grid.labels != ("",):
        head = "".join(
            ("|" if j in grid.dividers and j > columns.start else "") + right(heads[j], column - 1) + " "
            for j in columns
        )
        total = f"{'sum':>{extra - 1}} " if extra else ""
        rows.append(
            (
                Span(left(grid.corner, label_width), "name" if grid.named else "corner"),
                Span(head.replace("|", " "), "head"),
                Span(total, "sum"),
            )
        )
    for line in grid.lines:
        if line.note:
            rows.append((Span(" " * label_width), Span(" " + line.note, "part")))
        spans = [Span(left(line.label, label_width), line.style)]
        for j in columns:
            if j in grid.dividers and j > columns.start:
                spans.append(Span("│", "divider"))
            spans.append(_cell(grid, line, block, line.indices[j], column))
        if extra and line.shares:
            spans.append(Span(f"{sum_text(line.view, line.indices):>{extra - 1}} ", "sum"))
        rows.append(tuple(spans))
    return rows


def _cell(grid: Grid, line: GridLine, block: int, index: Index, column: int) -> Span:
    view = line.view
    style = number_style(view, index, grid.result)
    if view.heat is not None and view.heat[index] and style in ("number", "result", "dial"):
        style = f"heat{view.heat[index]}"
    elif line.shares and style in ("number", "result"):
        style = f"heat{heat_of(float(view.values[index]))}"
    key = CellKey(block, view.name, view.place(index), view.sources[index])
    return Span(f"{cell_text(view, index):>{column - 1}} ", style, key)


def flow(blocks: Sequence[MatrixBlock], width: int, *, gap: bool = True) -> list[Row]:
    """Blocks from left to right, and below where there is no more room."""
    rows: list[Row] = []
    line: list[MatrixBlock] = []

    def put() -> None:
        if not line:
            return
        height = max(len(block.rows) for block in line)
        for y in range(height):
            spans: list[Span] = []
            for number, block in enumerate(line):
                row = block.rows[y] if y < len(block.rows) else EMPTY
                last = number == len(line) - 1
                spans += row if last else (*padded(row, block.width), Span(" " * GAP))
            rows.append(tuple(spans))
        line.clear()

    used = 0
    for block in blocks:
        needed = block.width + (GAP if line else 0)
        if line and used + needed > width:
            put()
            rows += [EMPTY] if gap else []
            used, needed = 0, block.width
        line.append(block)
        used += needed
    put()
    return rows

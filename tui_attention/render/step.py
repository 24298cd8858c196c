"""One step as matrices: what it reads, and what it makes, stacked under one head where the columns are the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby

from rich.cells import cell_len

from tui_attention.engine.tensor import Index
from tui_attention.render.matrix import (
    Grid,
    GridLine,
    MatrixBlock,
    cell_text,
    cell_width,
    flow,
    grid_blocks,
    label_text,
    number_style,
)
from tui_attention.render.rows import EMPTY, CellKey, Row, Span, width_of
from tui_attention.render.window import Focus, fitted
from tui_attention.walk.steps import StepView, shape_text
from tui_attention.walk.view import View

SCORED = (("query", "key"), ("asks", "asked"))
"""Axes of scores and shares: who asks, who is asked; the plain words until the others are earned."""
Look = Callable[[str], View]


def is_single(view: View) -> bool:
    """Whether the tensor is one number."""
    return view.values.size == 1 and len(view.full) <= 1 and not view.start


def is_row(view: View) -> bool:
    """Whether the tensor is shown as one line under a head, named at its left."""
    if len(view.full) == 1:
        return True
    return len(view.full) == 2 and view.full[0] == 1 and view.axes[0].name not in [asks for asks, _ in SCORED]


def title_row(view: View, width: int) -> Row:
    """Name, plain name, standard name, shape: as much of it as there is room for."""
    name, shape = Span(view.name, "name"), Span("  " + shape_text(view.full), "shape")
    title = called(view)
    if view.start:
        part = (Span("  " + view.left_out(), "part"),)
        whole = (name, Span(f"  {title}", "title-of"), shape, *part)
        return whole if title and width_of(whole) <= width else (name, *part)
    for names in (", ".join(text for text in (title, view.standard) if text), title):
        for tail in ((shape,), ()):
            row = (name, Span(f"  {names}", "title-of"), *tail)
            if names and width_of(row) <= width:
                return row
    return (name,)


def called(view: View) -> str:
    """The plain name; empty where the tensor's own name says the same."""
    return "" if view.title.casefold() == view.name.casefold() else view.title


def row_label(view: View, axis: int, place: int, numbered: bool = True) -> str:
    """A place along an axis: its number, and its label where that is another one."""
    labels = view.axes[axis].labels
    label = label_text(labels[place])
    number = place + (view.start[axis] if view.start else 0)
    return label if not numbered or labels[place].isdigit() else f"{number} {label}"


def corner_of(view: View) -> str:
    """What counts down the rows, and for scores and shares what counts along the columns too."""
    down, along = view.axes[-2].name, view.axes[-1].name
    return f"{down}\\{along}" if (down, along) in SCORED else down


def whole_grids(view: View, width: int, result: frozenset[str] = frozenset()) -> list[Grid]:
    """A tensor by itself: one grid, or one for each head. Heads of one row each are the lines of one grid."""
    shares = view.shares
    labels = view.axes[-1].labels if view.shape else ("",)
    if len(view.shape) < 2:
        indices: tuple[Index, ...] = tuple((j,) for j in range(len(labels))) if view.shape else ((),)
        line = GridLine(view.name, view, indices, "name", shares=shares)
        return [Grid(EMPTY, "", labels, (line,), result)]
    title, corner = title_row(view, width), corner_of(view)
    if len(view.shape) == 3 and view.shape[1] == 1:
        scored = "\\" in corner
        first = view.axes[0].name
        lines = [
            GridLine(
                f"{first} {h}" + (f"  {row_label(view, -2, 0)}" if scored else ""),
                view,
                tuple((h, 0, j) for j in range(view.shape[2])),
                shares=shares,
            )
            for h in range(view.shape[0])
        ]
        return [Grid(title, corner if scored else "", labels, tuple(lines), result)]
    grids = []
    for lead in _places(view.shape[:-2]):
        there = view.place((*lead, 0, 0))[:-2]
        where = " ".join(f"{axis.name} {place}" for axis, place in zip(view.axes, there, strict=False))
        lines = []
        for i in range(view.shape[-2]):
            note = f"continued from row {i} on" if view.continued_from == i and not lead else ""
            cells = tuple((*lead, i, j) for j in range(view.shape[-1]))
            lines.append(GridLine(row_label(view, -2, i), view, cells, "label", note, shares))
        part = (Span("  " + view.left_out(), "part"),) if view.start else ()
        head = (Span(view.name, "name"), Span(f"  {where}", "title-of"), *part) if where else title
        grids.append(Grid(head, corner, labels, tuple(lines), result, view.dividers))
    return grids


def _places(shape: Sequence[int]) -> list[Index]:
    found: list[Index] = [()]
    for size in shape:
        found = [(*place, i) for place in found for i in range(size)]
    return found


def row_grid(views: Sequence[View], result: frozenset[str]) -> Grid:
    """Rows of numbers under one head, each named at its left."""
    lines = []
    for view in views:
        if len(view.shape) == 1:
            indices: tuple[Index, ...] = tuple((j,) for j in range(view.shape[0]))
        else:
            indices = tuple((0, j) for j in range(view.shape[1]))
        lines.append(GridLine(view.name, view, indices, "name", view.left_out(), view.shares))
    return Grid(EMPTY, "", views[0].axes[-1].labels, tuple(lines), result, views[0].dividers)


def singles_block(views: Sequence[View], block: int, result: frozenset[str]) -> MatrixBlock:
    """Single numbers side by side: `mu1  0.1067   sigma1  0.5736`."""
    spans: list[Span] = []
    for view in views:
        index: Index = (0,) * len(view.shape)
        spans.append(Span(("   " if spans else "") + view.name + " ", "name"))
        key = CellKey(block, view.name, view.place(index), view.sources[index])
        spans.append(Span(f" {cell_text(view, index):>{cell_width(view)}} ", number_style(view, index, result), key))
    return MatrixBlock((tuple(spans),))


def grids_of(views: Sequence[View], width: int, result: str, product: bool) -> list[Grid]:
    """The matrices of a step in reading order; rows with the same columns share a head."""
    made = frozenset({result}) if result else frozenset()
    stacks: dict[tuple[str, ...], list[View]] = {}
    order: list[tuple[str, ...] | View] = []
    for number, view in enumerate(views):
        labels = view.axes[-1].labels
        alone = product and number == 0 and view.name != result
        if not is_row(view) or alone:
            order.append(view)
            continue
        if labels in stacks:
            stacks[labels].append(view)
            order.remove(labels)
        else:
            stacks[labels] = [view]
        order.append(labels)
    grids: list[Grid] = []
    for entry in order:
        if isinstance(entry, View):
            grids += [row_grid([entry], made)] if is_row(entry) else whole_grids(entry, width, made)
        else:
            grids.append(row_grid(stacks[entry], made))
    return _footed(grids) if product else grids


def _footed(grids: list[Grid]) -> list[Grid]:
    """A row times a table: the product is written under the table's columns, as one adds up a column."""
    if len(grids) < 2:
        return grids
    *before, table, row = grids
    fits = table.labels == row.labels and len(row.lines) == 1 and table.title and len(table.lines) > 1
    if not fits or any(line.shares for line in row.lines):
        return grids
    dividers = row.dividers or table.dividers
    return [
        *before,
        Grid(table.title, table.corner, table.labels, table.lines + row.lines, row.result, dividers),
    ]


def rows_of_views(
    views: Sequence[View],
    width: int,
    *,
    result: str = "",
    product: bool = False,
    block: int = 0,
    tight: bool = False,
    focus: Focus | None = None,
    instead: Sequence[Grid] = (),
) -> tuple[list[Row], int]:
    """Tensors as rows; also the next free block number. With `focus`, only as much as has to be on the screen.

    `instead` is another arrangement of the cells in focus.
    """
    made = frozenset({result}) if result else frozenset()
    singles = [view for view in views if is_single(view)]
    others = [view for view in views if not is_single(view)]
    rows: list[Row] = []
    last_single = bool(result) and bool(singles) and singles[-1].name == result and len(singles) > 1
    if singles and not (singles[-1].name == result and others):
        rows += _wrapped_singles(singles, block, made, width)
        block += 1
        singles = []
    elif last_single:
        rows += _wrapped_singles(singles[:-1], block, made, width)
        block += 1
        singles = singles[-1:]
    grids = [_tight(grid) if tight else grid for grid in grids_of(others, width, result, product)]
    if grids:
        rows += [EMPTY] if rows and not tight else []
        blocks = (
            _tailed(part, grid, width)
            for number, grid in enumerate(grids, block)
            for part in grid_blocks(grid, number, width)
        )
        whole = flow(list(blocks), width, gap=not tight)
        if focus is not None:
            left = replace(focus, rows=focus.rows - len(rows) - len(singles))
            whole = fitted(whole, grids, width, left, first=block, instead=instead)
        rows += whole
        block += len(grids)
    if singles:
        rows += ([EMPTY] if rows and not tight else []) + _wrapped_singles(singles, block, made, width)
        block += 1
    return rows, block


def _tight(grid: Grid) -> Grid:
    """Where rows are scarce, the name of a table stands in its corner instead of a line of its own."""
    of_a_head = len(grid.title) > 1 and grid.title[1].text.startswith("  head ")
    if not grid.title or "\\" in grid.corner or of_a_head:
        return grid
    name = grid.title[0]
    return replace(grid, title=EMPTY, corner=" ".join(name.text.split()), named=True)


def _wrapped_singles(views: Sequence[View], block: int, made: frozenset[str], width: int) -> list[Row]:
    rows: list[Row] = []
    line: list[View] = []
    for view in views:
        if line and singles_block([*line, view], block, made).width > width:
            rows.append(singles_block(line, block, made).rows[0])
            line = []
        line.append(view)
    return [*rows, singles_block(line, block, made).rows[0]] if line else rows


def _tailed(part: MatrixBlock, grid: Grid, width: int) -> MatrixBlock:
    """The plain name behind each row that is named by its letter, where there is room for all of them."""
    if grid.title or grid.named or not all(line.view.title for line in grid.lines):
        return part
    head = len(part.rows) - len(grid.lines)
    tails = [f"  {called(line.view)}" for line in grid.lines]
    if head < 0 or any(width_of(part.rows[head + n]) + cell_len(tail) > width for n, tail in enumerate(tails)):
        return part
    named = [(*part.rows[head + n], Span(tail, "title-of")) for n, tail in enumerate(tails)]
    return MatrixBlock((*part.rows[:head], *named))


def recap_rows(views: Sequence[View], width: int, *, block: int = 0, tight: bool = False) -> tuple[list[Row], int]:
    """Tensors shown again, in their order; neighbours with the same columns share a head."""
    rows: list[Row] = []
    for _, run in groupby(views, key=_columns):
        made, block = rows_of_views(list(run), width, block=block, tight=tight)
        rows += [EMPTY, *made] if rows else made
    return rows, block


def _columns(view: View) -> object:
    return "single" if is_single(view) else view.axes[-1].labels if is_row(view) else view.name


def step_rows(
    look: Look,
    step: StepView,
    width: int,
    *,
    block: int = 0,
    tight: bool = False,
    focus: Focus | None = None,
    instead: Sequence[Grid] = (),
) -> tuple[list[Row], int]:
    """The matrices of a step: what it reads, then what it makes. Also the next free block number.

    With `focus`, also the tensors of cells in focus that the step does not read by name, such as those that an inner
    step stands for; `instead` is another arrangement of the cells in focus.
    """
    views = [look(name) for name in (*step.reads, step.name)]
    if focus is not None:
        views = [*_missing(look, views, focus), *views]
    return rows_of_views(
        views,
        width,
        result=step.name,
        product=step.product,
        block=block,
        tight=tight,
        focus=focus,
        instead=instead,
    )


def _missing(look: Look, views: Sequence[View], focus: Focus) -> list[View]:
    """The tensors of the cells in focus that none of these views has."""
    there = {str(source.tensor) for view in views for source in view.sources.ravel().tolist()}
    missing = sorted({source.tensor for source in focus.wanted} - there)
    return [look(name) for name in sorted(missing, key=lambda name: name in focus.order and focus.order.index(name))]

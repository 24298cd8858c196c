"""A product as its two lines of numbers, each above its partner: for where the whole table does not fit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tui_attention.engine import formula
from tui_attention.engine.formula import Expr, Step
from tui_attention.engine.refs import CellRef
from tui_attention.engine.tensor import Index
from tui_attention.render.matrix import Grid, GridLine
from tui_attention.render.rows import EMPTY
from tui_attention.walk.view import View

Look = Callable[[str], View]


def aligned(look: Look, step: Step, asked: CellRef | None) -> tuple[Grid, ...]:
    """The row and the column whose products make the asked cell, under one head, and the row that it stands in.

    Empty where the step is no product of two tables, or makes another cell.
    """
    expr = step.expr
    if not (isinstance(expr, formula.Binary) and expr.op == "@"):
        return ()
    made = look(step.name)
    if made.start:
        return ()  # a window of a large table
    at = next((index for index in np.ndindex(*made.shape) if made.sources[index] == asked), None)
    if at is None or len(at) < 2:
        return ()
    row = _line(look, expr.left, at[-2], at[:-2], across=False)
    column = _line(look, expr.right, at[-1], at[:-2], across=True)
    if row is None or column is None or len(row.indices) != len(column.indices):
        return ()
    labels = row.view.axes[-1].labels
    result = GridLine(made.name, made, tuple((*at[:-1], j) for j in range(made.shape[-1])), "name")
    pair = Grid(EMPTY, "", labels, (row, column))
    return pair, Grid(EMPTY, "", made.axes[-1].labels, (result,), frozenset({made.name}))


def _line(look: Look, expr: Expr, place: int, lead: Index, *, across: bool) -> GridLine | None:
    """A row of a tensor, or `across` it one of its columns; a table that is turned over has them exchanged."""
    turned = isinstance(expr, formula.Transpose)
    base = expr.arg if isinstance(expr, formula.Transpose) else expr
    if not isinstance(base, formula.Name):
        return None
    view = look(base.name)
    if view.start or len(view.shape) < 2 or len(view.shape) - 2 > len(lead):
        return None
    head = lead[len(lead) - (len(view.shape) - 2) :]
    if across != turned:
        cells = tuple((*head, i, place) for i in range(view.shape[-2]))
        return GridLine(f"{base.name} column {view.axes[-1].labels[place]}", view, cells, "name")
    cells = tuple((*head, place, i) for i in range(view.shape[-1]))
    return GridLine(base.name, view, cells, "name")

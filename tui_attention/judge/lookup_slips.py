"""Reading a number off a table of dials: what goes wrong when nothing is computed."""

from __future__ import annotations

from collections.abc import Iterator

from tui_attention.engine.graph import Graph, Working
from tui_attention.engine.operation import FINAL, TABLE
from tui_attention.engine.ops.nodes import beside
from tui_attention.engine.working import Node, Op, Ref, number
from tui_attention.judge.applied import TEN, AppliedSlip

KINDS = ("neighbour-row", "neighbour-column", "neighbour-coordinate", "counted-from-one", "sign-lost", "point-moved")


def dial(graph: Graph, working: Working) -> Iterator[AppliedSlip]:
    """The slips of reading one cell of a table: a line or a column beside it, a lost minus, a moved point."""
    cell = working.cell
    own = Ref(cell)
    tensor = graph.tensor(cell.tensor)
    if not tensor.shape:
        return
    shape, index = tensor.shape, cell.index

    def there(axis: int, place: int) -> Node:
        return Ref(graph.cell(cell.tensor, (*index[:axis], place, *index[axis + 1 :])))

    last = len(shape) - 1
    for row in beside(index[0], shape[0]):
        yield AppliedSlip("neighbour-row", "the line beside it is read", TABLE, there(0, row))
    for column in beside(index[last], shape[last]) if last else ():
        yield AppliedSlip(
            "neighbour-coordinate", "the right line is read, one place beside", TABLE, there(last, column)
        )
        yield AppliedSlip("neighbour-column", "the right line is read, one place beside", TABLE, there(last, column))
    if len(shape) == 1 and cell.prints == 0:
        yield AppliedSlip("counted-from-one", "the lines are counted from 1", TABLE, number(cell.value + 1))
    if cell.value < 0:
        yield AppliedSlip("sign-lost", "the minus is lost", TABLE, Op("neg", (own,)))
    elif cell.value > 0:
        yield AppliedSlip("answer-sign", "a minus is put in front", FINAL, Op("neg", (own,)))
    if cell.value:
        yield AppliedSlip("point-moved", "the point moves one place to the right", FINAL, Op("*", (TEN, own)))
        yield AppliedSlip("point-moved", "the point moves one place to the left", FINAL, Op("/", (own, TEN)))

"""The number of a cell beside, above or below, or of the same place in a neighbouring table or head."""

from __future__ import annotations

from collections.abc import Iterator

from tui_attention.engine import formula
from tui_attention.engine.graph import Graph, Working
from tui_attention.engine.operation import FINAL, PAIRING, TABLE
from tui_attention.engine.tensor import Index
from tui_attention.engine.traits import operation_of
from tui_attention.engine.working import Op, Ref, operands
from tui_attention.judge.applied import AppliedSlip

KINDS = ("neighbour-cell", "other-token", "other-head", "same-place-elsewhere", "earlier-row")
SAYS = "{} is worked in its place"
WEIGHTS = {
    "neighbour-cell": FINAL,
    "other-token": TABLE,
    "other-head": PAIRING,
    "same-place-elsewhere": FINAL,
    "earlier-row": PAIRING,
}
MOST_TABLES = 3
MOST_ROWS = 7


def neighbours(graph: Graph, working: Working) -> Iterator[AppliedSlip]:
    """Each neighbour's own working. What is made later than the cell is no neighbour: nobody has it yet."""
    name, index = working.cell.tensor, working.cell.index
    if name not in graph.program.by_name:
        return
    shape = graph.tensor(name).shape
    for axis, size in enumerate(shape):
        last = axis == len(shape) - 1
        kind = (
            "neighbour-cell" if last and len(shape) > 1 else "other-head" if len(shape) - axis > 2 else "other-token"
        )
        for place in sorted((p for p in range(size) if p != index[axis]), key=lambda p: abs(p - index[axis])):
            near = abs(place - index[axis]) == 1
            if near or (not last and abs(place - index[axis]) <= MOST_ROWS):
                yield from _there(graph, kind, name, (*index[:axis], place, *index[axis + 1 :]))
    yield from _elsewhere(graph, working)


def _elsewhere(graph: Graph, working: Working) -> Iterator[AppliedSlip]:
    """The same place in tensors of the same shape that the same operation makes out of what is there already."""
    name, index = working.cell.tensor, working.cell.index
    program = graph.program
    own, order = program.by_name[name], program.order(name)
    shape, operation = graph.tensor(name).shape, operation_of(own.expr)
    if operation is None:
        return
    found = []
    reads = formula.names(own.expr)
    for step in program.steps:
        if step.name == name or step.inner or operation_of(step.expr) is not operation:
            continue
        if operation.role == "projection" and not reads & formula.names(step.expr):
            continue  # another row through another table is nowhere near
        far = abs(program.order(step.name) - order)
        ready = all(program.order(read) < order for read in formula.names(step.expr))
        if ready and graph.tensor(step.name).shape == shape and not graph.traced(step.name).view:
            found.append((far, step.name))
    for _, other in sorted(found)[:MOST_TABLES]:
        earlier = program.order(other) < order and operation.role in ("norm", "") and operation.name != "+"
        yield from _there(graph, "earlier-row" if earlier else "same-place-elsewhere", other, index)


def _there(graph: Graph, kind: str, name: str, index: Index) -> Iterator[AppliedSlip]:
    found = graph.working(name, index)
    if isinstance(found.root, Op) and operands(found.root):
        yield AppliedSlip(kind, SAYS, WEIGHTS[kind], found.root, (Ref(found.cell),), copied=True)

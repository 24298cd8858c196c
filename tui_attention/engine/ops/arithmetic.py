"""Plus, minus, times, divided by and the sign: what they give, and what goes wrong in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from tui_attention.engine.arrays import broadcast, elementwise
from tui_attention.engine.operation import (
    FINAL,
    PAIRING,
    TABLE,
    OpContext,
    Operation,
    Site,
    Slip,
    TracedArray,
    numbers,
)
from tui_attention.engine.ops import product, softmax
from tui_attention.engine.ops.nodes import beside, callers, full_width, moved, op, others, over, read, root_width
from tui_attention.engine.ops.shared import entry
from tui_attention.engine.working import Node, Op, OpKind, Ref, number

Build = Callable[[Site], Iterable[Node]]


def negate(context: OpContext, arg: TracedArray) -> TracedArray:
    """[...] -> [...]: the numbers with their signs changed."""
    return TracedArray(-numbers(arg, "the operand"), arg.axes, lambda index: Op("neg", (arg.at(index),)))


def _pair(site: Site) -> tuple[Node, Node]:
    node = site.node()
    if not isinstance(node, Op) or len(node.args) != 2:
        raise TypeError(f"not an operation on two operands: {node!r}")
    return node.args[0], node.args[1]


def _made(make: Callable[[Node, Node], Node]) -> Build:
    return lambda site: [make(*_pair(site))]


def _beside(kind: OpKind) -> Build:
    """The operation at the places before and after along the last axis."""

    def build(site: Site) -> Iterator[Node]:
        if site.index:
            size = max(arg.shape[-1] if arg.shape else 1 for arg in site.args)
            for place in beside(site.index[-1], size):
                index = moved(site.index, place)
                yield op(kind, read(site, 0, index), read(site, 1, index))
            return
        left, right = _pair(site)
        if not isinstance(left, Ref) or not isinstance(right, Ref) or not left.cell.index:
            return
        rows = site.find(left.cell.tensor), site.find(right.cell.tensor)
        if left.cell.index[-1:] == right.cell.index[-1:] and rows[0] is not None and rows[1] is not None:
            for place in beside(left.cell.index[-1], min(rows[0].shape[-1], rows[1].shape[-1])):
                yield op(kind, rows[0].at(moved(left.cell.index, place)), rows[1].at(moved(right.cell.index, place)))

    return build


# ---------------------------------------------------------------- adding


def _one_beside(site: Site) -> Iterator[Node]:
    """The sum with one of the two read from the place before or after, along the last axis."""
    pair = _pair(site)
    for which, arg in enumerate(site.args):
        if not site.index or arg.shape != site.args[1 - which].shape:
            continue
        for place in beside(site.index[-1], arg.shape[-1]):
            near = arg.at(moved(site.index, place))
            yield op("+", *(near if n == which else other for n, other in enumerate(pair)))


def _running(site: Site) -> bool:
    """Whether a correction is added to a running row, rather than rows of two tables to each other."""
    return bool(site.args[0].name) and not site.args[0].view


def _chained(site: Site) -> bool:
    """Whether more than two numbers are added in a row: no sentence may then speak of two."""
    return any(isinstance(part, Op) and part.kind == "+" for part in _pair(site))


def _only(which: int, *, running: bool) -> Build:
    return lambda site: [_pair(site)[which]] if _running(site) == running and not _chained(site) else []


def _pairwise(make: Callable[[Node, Node], Node]) -> Build:
    return lambda site: [] if _chained(site) else [make(*_pair(site))]


def _other_rows(site: Site) -> Iterator[Node]:
    pair = _pair(site)
    for which, ref in enumerate(pair):
        table = site.find(ref.cell.tensor) if isinstance(ref, Ref) and site.args[which].view else None
        if isinstance(ref, Ref) and table is not None and ref.cell.exact and len(ref.cell.index) == 2:
            for row in beside(ref.cell.index[0], table.shape[0]):
                swapped = table.at((row, ref.cell.index[1]))
                yield op("+", *(swapped if n == which else other for n, other in enumerate(pair)))


def _flattened(site: Site) -> Iterator[Node]:
    for row in callers(site, "norm", site.args[0].name) if _running(site) else ():
        yield op("+", read(site, 0, other=row), _pair(site)[1])


def _row_before(site: Site) -> Iterator[Node]:
    left = site.args[0]
    if left.op == "+" and _running(site):
        index = broadcast(*site.args).read(0, site.index)
        yield op("+", left.args[0].at(broadcast(*left.args).read(0, index)), _pair(site)[1])


def _twice(which: int) -> Build:
    def build(site: Site) -> Iterator[Node]:
        if _running(site):
            pair = _pair(site)
            yield op("+", op("+", *pair), pair[which])

    return build


def _both_rows(site: Site) -> Iterator[Node]:
    """The row from before the last addition is added beside the row itself."""
    left = site.args[0]
    if left.op == "+" and _running(site):
        index = broadcast(*site.args).read(0, site.index)
        yield op("+", op("+", left.args[0].at(broadcast(*left.args).read(0, index)), _pair(site)[0]), _pair(site)[1])


def _no_table(site: Site) -> Iterator[Node]:
    """The correction as it was before its table."""
    right = site.args[1]
    if _running(site) and right.role == "projection" and right.args[0].shape == right.shape:
        yield op("+", _pair(site)[0], right.args[0].at(broadcast(*site.args).read(1, site.index)))


def _other_tokens(site: Site) -> Iterator[Node]:
    """One of the two from the row of another token."""
    pair = _pair(site)
    for which, arg in enumerate(site.args):
        if len(site.index) < 2 or arg.shape != site.args[1 - which].shape:
            continue
        for row in others(site.index[-2], arg.shape[-2]):
            near = arg.at((*site.index[:-2], row, site.index[-1]))
            yield op("+", *(near if n == which else other for n, other in enumerate(pair)))


ADD = (
    Slip(
        "one-row-copied",
        "only the first row is copied and the second is not added",
        _only(0, running=False),
        TABLE,
        whole=True,
    ),
    Slip(
        "one-row-copied",
        "only the second row is copied and the first is not added",
        _only(1, running=False),
        TABLE,
        whole=True,
    ),
    Slip("residual-forgotten", "the correction stands alone, without the running row", _only(1, running=True)),
    Slip("correction-forgotten", "the running row stays as it was, without the correction", _only(0, running=True)),
    Slip("residual-twice", "the running row is added twice", _twice(0), PAIRING),
    Slip("correction-twice", "the correction is added twice", _twice(1), FINAL),
    Slip("both-residuals", "the row from before the last addition is added as well", _both_rows, FINAL),
    Slip("table-forgotten", "the correction is added before its table has mixed it", _no_table, PAIRING),
    Slip("other-token", "one of the two is taken from the row of another token", _other_tokens, PAIRING),
    Slip("subtracted", "the second is subtracted, not added", _pairwise(lambda a, b: op("-", a, b)), TABLE),
    Slip("multiplied", "they are multiplied, not added", _pairwise(lambda a, b: op("*", a, b)), FINAL),
    Slip("neighbour-coordinate", "the coordinate beside it is worked", _beside("+"), TABLE),
    Slip("neighbour-coordinate", "one of the two is read from the coordinate beside it", _one_beside, TABLE),
    Slip("neighbour-row", "one table is read a row too high or too low", _other_rows, TABLE),
    Slip("flattened-row", "the correction is added to the flattened row, not to the running one", _flattened, TABLE),
    Slip("row-before", "the correction is added to the row from before the last addition", _row_before, TABLE),
)
SUBTRACT = (
    Slip("backward", "the first is taken from the second", _made(lambda a, b: op("-", b, a))),
    Slip("sign-lost", "they are added, the minus between them lost", _made(lambda a, b: op("+", a, b)), TABLE),
    Slip("one-row-copied", "the first stays as it is, and nothing is taken off", _made(lambda a, b: a), TABLE),
    Slip("neighbour-coordinate", "the coordinate beside it is worked", _beside("-"), TABLE),
)
MULTIPLY = (
    Slip("added", "they are added, not multiplied", _made(lambda a, b: op("+", a, b))),
    Slip("factor-left-out", "one factor is left out", _made(lambda a, b: a), PAIRING),
    Slip("factor-left-out", "one factor is left out", _made(lambda a, b: b), PAIRING),
    Slip("neighbour-coordinate", "the coordinate beside it is worked", _beside("*"), TABLE),
)


# ---------------------------------------------------------------- dividing, above all by a root


def _by(which: int, *, root: bool) -> Build:
    """Divided by something other than the root of the width: 0 the width itself, 1 the full width, 2 the heads."""

    def build(site: Site) -> Iterator[Node]:
        width = root_width(site.args[1])
        if width is None:
            return
        divisor = width if which == 0 else number(full_width(site.args[0])[which - 1])
        if which == 0 or divisor != number(0):
            yield over(_pair(site)[0], op("sqrt", divisor) if root else divisor)

    return build


def _whole_dot(site: Site) -> Iterator[Node]:
    """The dot product over all heads, where one head's is asked."""
    if root_width(site.args[1]) is not None and site.args[0].role == "projection" and len(site.args[0].args) == 2:
        yield from (made for made in product.all_coordinates(site.args[0], site.index))


DIVIDE = (
    Slip("partial-result", "the dot product over all heads stands alone, not divided", _whole_dot, FINAL),
    Slip("divided-by-width", "it is divided by the width itself, not by its root", _by(0, root=False), TABLE),
    Slip(
        "root-full-width", "it is divided by the root of the whole width, not of one head's", _by(1, root=True), TABLE
    ),
    Slip("root-heads", "it is divided by the root of how many heads there are", _by(2, root=True), PAIRING),
    Slip("full-width", "it is divided by the whole width, without a root", _by(1, root=False), FINAL),
    Slip("multiplied", "it is multiplied, not divided", _made(lambda a, b: op("*", a, b)), FINAL),
    Slip("neighbour-coordinate", "the place beside it is worked", _beside("/"), TABLE),
    *softmax.BY_HAND,
)


def _signed(kind: OpKind) -> Callable[[Node, Node], Node]:
    return lambda left, right: Op(kind, (left, right))


def _between(sign: OpKind, function: np.ufunc, says: str, slips: tuple[Slip, ...], example: str) -> Operation:
    """A sign between two operands: [...], [...] -> [...], cell by cell."""
    run = elementwise(_signed(sign), function)
    return entry(sign, "left right", run, says, slips, shapes="[...], [...] -> [...]", example=example)


ENTRIES = (
    _between("+", np.add, "add", ADD, "X + Y"),
    _between("-", np.subtract, "subtract", SUBTRACT, "X - mean(X)"),
    _between("*", np.multiply, "multiply", MULTIPLY, "X * gain"),
    _between("/", np.divide, "divide", DIVIDE, "exp(X) / sum(exp(X))"),
    entry("neg", "x", negate, "change the sign", shapes="[...] -> [...]", example="-X"),
)

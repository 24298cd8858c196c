"""Over the last axis, row by row: sum, mean, spread, layer normalization, running total."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tui_attention.engine import formula
from tui_attention.engine.operation import TABLE, OpContext, OperandError, Site, Slip, TracedArray, numbers
from tui_attention.engine.ops.nodes import Row, added, cells, head_width, moved, op, others, over
from tui_attention.engine.ops.shared import entry, needs_row
from tui_attention.engine.tensor import Index
from tui_attention.engine.working import Const, Node, Op, number, walk


def total(context: OpContext, arg: TracedArray) -> TracedArray:
    """sum: [..., n] -> [...], each row's numbers added."""
    values = needs_row(arg, "'sum'").sum(axis=-1)
    return TracedArray(values, arg.axes[:-1], lambda index: Op("sum", cells(arg, index)))


def mean(context: OpContext, arg: TracedArray) -> TracedArray:
    """[..., n] -> [...]: the sum of a row over its length."""
    values = needs_row(arg, "'mean'").mean(axis=-1)
    count = number(arg.shape[-1])
    return TracedArray(values, arg.axes[:-1], lambda index: Op("/", (Op("sum", cells(arg, index)), count)))


EPSILON = 1e-5
SPECK = Const(EPSILON, f"{EPSILON:.5f}")


def spread(context: OpContext, arg: TracedArray) -> TracedArray:
    """[..., n] -> [...]: sqrt(mean((x - mean(x))^2) + 1e-5), as layer normalization takes it."""
    values = np.sqrt(needs_row(arg, "'spread'").var(axis=-1) + EPSILON)
    middle = context.twin("mean")
    count = number(arg.shape[-1])

    def at(index: Index) -> Node:
        squares = tuple(Op("square", (Op("-", (x, middle.at(index))),)) for x in cells(arg, index))
        return Op("sqrt", (Op("+", (Op("/", (Op("sum", squares), count)), SPECK)),))

    return TracedArray(values, arg.axes[:-1], at)


def layer_norm(context: OpContext, x: TracedArray, mu: TracedArray, sigma: TracedArray) -> TracedArray:
    """[..., n], [...], [...] -> [..., n]: (x - mean) / spread, row by row. No gains, no biases."""
    values = needs_row(x, "'layer_norm'")
    if mu.shape != x.shape[:-1] or sigma.shape != x.shape[:-1]:
        raise OperandError("'layer_norm' takes rows and, for each row, one mean and one spread")
    with np.errstate(all="ignore"):
        result = (values - numbers(mu, "the mean")[..., None]) / numbers(sigma, "the spread")[..., None]

    def at(index: Index) -> Node:
        return Op("/", (Op("-", (x.at(index), mu.at(index[:-1]))), sigma.at(index[:-1])))

    return TracedArray(result, x.axes, at)


def cumsum(context: OpContext, arg: TracedArray) -> TracedArray:
    """[..., n] -> [..., n]: the running total of each row."""
    values = needs_row(arg, "'cumsum'").cumsum(axis=-1)

    def at(index: Index) -> Node:
        parts = cells(arg, index[:-1])[: index[-1] + 1]
        return Op("sum", parts)

    return TracedArray(values, arg.axes, at)


# ---------------------------------------------------------------- what goes wrong


def _count(site: Site) -> Const:
    return number(site.args[0].shape[-1])


def _less_one(site: Site) -> Iterator[Const]:
    if site.args[0].shape[-1] > 1:
        yield number(site.args[0].shape[-1] - 1)


def _by_head(site: Site) -> Iterator[Const]:
    width = head_width(site)
    if width is not None and width != _count(site):
        yield width


def _mean_by(counts: Callable[[Site], Iterator[Const]]) -> Callable[[Site], Iterator[Node]]:
    return lambda site: (over(added(cells(site.args[0], site.index)), count) for count in counts(site))


def _absolute(site: Site) -> Iterator[Node]:
    row = cells(site.args[0], site.index)
    yield over(added(tuple(op("abs", x) for x in row)), _count(site))


MEAN = (
    Slip("n-minus-one", "one less than the count divides", _mean_by(_less_one)),
    Slip("divided-by-head-width", "the width of a head divides, not that of the row", _mean_by(_by_head)),
    Slip("all-positive", "every number counts as positive", _absolute, TABLE),
)


def _squares(site: Site) -> Row:
    """The squared distances from the mean, as the working has them."""
    return tuple(part for part in walk(site.node()) if isinstance(part, Op) and part.kind == "square")


def _spread_by(counts: Callable[[Site], Iterator[Const]]) -> Callable[[Site], Iterator[Node]]:
    return lambda site: (_root(over(added(_squares(site)), count)) for count in counts(site))


def _root(mean_square: Node) -> Node:
    return op("sqrt", op("+", mean_square, SPECK))


def _each(make: Callable[[Node, Node], Node]) -> Callable[[Site], Iterator[Node]]:
    """The spread with something else in place of each distance x - mean."""

    def build(site: Site) -> Iterator[Node]:
        distances = (part.args[0] for part in _squares(site) if isinstance(part, Op))
        squares = tuple(op("square", make(*d.args)) for d in distances if isinstance(d, Op))
        yield _root(over(added(squares), _count(site)))

    return build


def _absolute_distance(site: Site) -> Iterator[Node]:
    distances = tuple(op("abs", part.args[0]) for part in _squares(site) if isinstance(part, Op))
    yield over(added(distances), _count(site))


def _after_root(site: Site) -> Iterator[Node]:
    yield over(_root(added(_squares(site))), _count(site))


def _not_averaged(site: Site) -> Iterator[Node]:
    yield _root(added(_squares(site)))


def _range(site: Site) -> Iterator[Node]:
    row = cells(site.args[0], site.index)
    if len(row) > 1:
        yield op("-", op("max", *row), op("min", *row))


SPREAD = (
    Slip("not-divided", "the squares are added but not averaged", _not_averaged),
    Slip("n-minus-one", "one less than the count divides", _spread_by(_less_one)),
    Slip("divided-by-head-width", "the width of a head divides, not that of the row", _spread_by(_by_head)),
    Slip("mean-kept", "the mean is never subtracted", _each(lambda x, mu: x)),
    Slip("mean-added", "the mean is added instead of subtracted", _each(lambda x, mu: op("+", x, mu))),
    Slip("all-positive", "every number counts as positive", _each(lambda x, mu: op("-", op("abs", x), mu)), TABLE),
    Slip("mean-distance", "the distances are averaged, without squares and root", _absolute_distance),
    Slip("divided-after-root", "the count divides after the root is taken", _after_root),
    Slip("range", "the smallest is taken from the largest", _range),
)


def _parts(site: Site) -> tuple[Node, Node, Node]:
    """x, mean and spread of a flattened number."""
    x, mu, sigma = site.args
    return x.at(site.index), mu.at(site.index[:-1]), sigma.at(site.index[:-1])


def _norm(make: Callable[[Node, Node, Node], Node]) -> Callable[[Site], Iterator[Node]]:
    def build(site: Site) -> Iterator[Node]:
        yield make(*_parts(site))

    return build


def _sample(site: Site) -> Iterator[Node]:
    x, mu, sigma = _parts(site)
    for less in _less_one(site):
        yield over(op("-", x, mu), op("*", sigma, op("sqrt", over(_count(site), less))))


def _flat(x: Node, mu: Node, sigma: Node) -> Node:
    return over(op("-", x, mu), sigma)


def _other_coordinates(site: Site) -> Iterator[Node]:
    x, (_, mu, sigma) = site.args[0], _parts(site)
    for place in others(site.index[-1], x.shape[-1]):
        yield _flat(x.at(moved(site.index, place)), mu, sigma)


def _earlier_norms(site: Site) -> Iterator[tuple[TracedArray, TracedArray, TracedArray]]:
    """Operands of the layer norms that stand before this one in the lesson."""
    for name, expr in site.steps().items():
        match expr:
            case formula.Call(op="layer_norm", args=(formula.Name(name=x), _, _)):
                if x == site.args[0].name:
                    return
                made = site.find(name)
                if made is not None and made.shape == site.args[0].shape:
                    yield made.args[0], made.args[1], made.args[2]


def _earlier(site: Site) -> Iterator[Node]:
    x, _, _ = _parts(site)
    for _, mu, sigma in _earlier_norms(site):
        yield _flat(x, mu.at(site.index[:-1]), sigma.at(site.index[:-1]))


def _before_add(site: Site) -> Iterator[Node]:
    x, (_, mu, sigma) = site.args[0], _parts(site)
    if x.op == "+" and not x.args[0].view and x.args[0].shape == x.shape:
        old = x.args[0]
        yield _flat(old.at(site.index), mu, sigma)
        for row, first_mu, first_sigma in _earlier_norms(site):
            if row.name == old.name:
                lead = site.index[:-1]
                yield _flat(row.at(site.index), first_mu.at(lead), first_sigma.at(lead))


LAYER_NORM = (
    Slip("mean-kept", "the mean is never subtracted", _norm(lambda x, mu, sigma: over(x, sigma))),
    Slip("mean-added", "the mean is added", _norm(lambda x, mu, sigma: over(op("+", x, mu), sigma))),
    Slip(
        "divided-by-variance",
        "the square of the spread divides",
        _norm(lambda x, mu, sigma: over(op("-", x, mu), op("square", sigma))),
    ),
    Slip(
        "multiplied",
        "the spread multiplies instead of dividing",
        _norm(lambda x, mu, sigma: op("*", op("-", x, mu), sigma)),
    ),
    Slip("sample-spread", "the spread is made with one less than the count", _sample),
    Slip(
        "only-mean-divided",
        "only the mean is divided by the spread",
        _norm(lambda x, mu, sigma: op("-", x, over(mu, sigma))),
    ),
    Slip("mean-minus-x", "the number is taken from the mean", _norm(lambda x, mu, sigma: _flat(mu, x, sigma))),
    Slip(
        "mean-spread-exchanged",
        "mean and spread have changed places",
        _norm(lambda x, mu, sigma: _flat(x, sigma, mu)),
    ),
    Slip("neighbour-coordinate", "another coordinate is flattened", _other_coordinates, TABLE),
    Slip("earlier-norm", "mean and spread of an earlier flattening are used again", _earlier, TABLE),
    Slip("row-before-add", "the row from before the addition is flattened", _before_add, TABLE),
)


def _total_of_raw(site: Site) -> Iterator[Node]:
    if site.args[0].op == "exp":
        yield added(cells(site.args[0].args[0], site.index))


SUM = (Slip("exp-left-out", "the numbers are added as they stand, without exp", _total_of_raw),)


def _stopped(extra: int) -> Callable[[Site], Iterator[Node]]:
    def build(site: Site) -> Iterator[Node]:
        row, stop = cells(site.args[0], site.index[:-1]), site.index[-1] + 1 + extra
        if 0 < stop <= len(row):
            yield added(row[:stop])

    return build


def _rest(site: Site) -> Iterator[Node]:
    """What is left of 1 when the row adds up to that: the numbers behind this one, or 1 less the total."""
    row = cells(site.args[0], site.index[:-1])[site.index[-1] + 1 :]
    if row:
        yield added(row)
        yield op("-", number(1), site.node())


CUMSUM = (
    Slip("stopped-early", "the adding stops one early", _stopped(-1)),
    Slip("one-too-far", "the adding goes one too far", _stopped(1)),
    Slip("chance-itself", "only this one is taken, without those before it", lambda s: [s.args[0].at(s.index)]),
    Slip("the-rest", "only the rest is taken, what lies behind it", _rest),
)

ENTRIES = (
    entry("sum", "row", total, "add the row's numbers", SUM),
    entry("mean", "row", mean, "add the row's numbers, divide by how many there are", MEAN),
    entry(
        "spread",
        "row",
        spread,
        "average the squared distances from the mean, add a speck, take the root",
        SPREAD,
        standard="standard deviation",
    ),
    entry(
        "layer_norm",
        "row mean spread",
        layer_norm,
        "subtract the row's mean, then divide by the row's spread",
        LAYER_NORM,
        standard="layer normalization",
    ),
    entry("cumsum", "row", cumsum, "add the chances up to and with this one", CUMSUM),
)

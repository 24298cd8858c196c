"""Over the last axis, row by row: sum, largest, mean, spread, running total."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tui_attention.engine import formula
from tui_attention.engine.operation import FINAL, PAIRING, TABLE, OpContext, Site, Slip, TracedArray
from tui_attention.engine.ops.nodes import Row, added, cells, head_width, op, others, over
from tui_attention.engine.ops.norms import EPSILON, epsilon_of, rooted
from tui_attention.engine.ops.shared import entry, needs_row
from tui_attention.engine.tensor import Index
from tui_attention.engine.working import Const, Node, Op, Ref, evaluate, number, walk


def total(context: OpContext, arg: TracedArray) -> TracedArray:
    """sum: [..., n] -> [...], each row's numbers added."""
    values = needs_row(arg, "'sum'").sum(axis=-1)
    return TracedArray(values, arg.axes[:-1], lambda index: Op("sum", cells(arg, index)))


def largest(context: OpContext, arg: TracedArray) -> TracedArray:
    """max: [..., n] -> [...], the largest number of each row."""
    values = needs_row(arg, "'max'").max(axis=-1)  # [...]
    return TracedArray(np.asarray(values), arg.axes[:-1], lambda index: Op("max", cells(arg, index)))


def mean(context: OpContext, arg: TracedArray) -> TracedArray:
    """[..., n] -> [...]: the sum of a row over its length."""
    values = needs_row(arg, "'mean'").mean(axis=-1)
    count = number(arg.shape[-1])
    return TracedArray(values, arg.axes[:-1], lambda index: Op("/", (Op("sum", cells(arg, index)), count)))


def spread(context: OpContext, arg: TracedArray, epsilon: TracedArray | None = None) -> TracedArray:
    """[..., n] -> [...]: sqrt(mean((x - mean(x))^2) + 1e-5), as layer normalization takes it; or another speck."""
    eps = epsilon_of(epsilon, "'spread'")
    values = np.sqrt(needs_row(arg, "'spread'").var(axis=-1) + eps)  # [...]
    middle = context.twin("mean", 0)
    count = number(arg.shape[-1])

    def at(index: Index) -> Node:
        squares = tuple(Op("square", (Op("-", (x, middle.at(index))),)) for x in cells(arg, index))
        return rooted(Op("/", (Op("sum", squares), count)), eps)

    return TracedArray(values, arg.axes[:-1], at)


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


def _correction(site: Site) -> Iterator[Node]:
    """The mean of what was added last, without the running row."""
    x = site.args[0]
    if x.op == "+" and x.args[0].name and not x.args[0].view and x.args[1].shape == x.shape:
        yield over(added(cells(x.args[1], site.index)), _count(site))


MEAN = (
    Slip("residual-forgotten", "only the correction is averaged, without the running row", _correction, FINAL),
    Slip("n-minus-one", "it is divided by one less than the count", _mean_by(_less_one), TABLE),
    Slip("divided-by-head-width", "it is divided by the width of a head, not of the row", _mean_by(_by_head), FINAL),
    Slip("all-positive", "every number is counted as positive", _absolute, TABLE),
)


def _squares(site: Site) -> Row:
    """The squared distances from the mean, as the working has them."""
    return tuple(part for part in walk(site.node()) if isinstance(part, Op) and part.kind == "square")


def _spread_by(counts: Callable[[Site], Iterator[Const]]) -> Callable[[Site], Iterator[Node]]:
    return lambda site: (_root(site, over(added(_squares(site)), count)) for count in counts(site))


def _root(site: Site, mean_square: Node) -> Node:
    return rooted(mean_square, site.args[1].scalar() if len(site.args) > 1 else EPSILON)


def _each(make: Callable[[Node, Node], Node]) -> Callable[[Site], Iterator[Node]]:
    """The spread with something else in place of each distance x - mean."""

    def build(site: Site) -> Iterator[Node]:
        distances = (part.args[0] for part in _squares(site) if isinstance(part, Op))
        squares = tuple(op("square", make(*d.args)) for d in distances if isinstance(d, Op))
        yield _root(site, over(added(squares), _count(site)))

    return build


def _absolute_distance(site: Site) -> Iterator[Node]:
    distances = tuple(op("abs", part.args[0]) for part in _squares(site) if isinstance(part, Op))
    yield over(added(distances), _count(site))


def _after_root(site: Site) -> Iterator[Node]:
    yield over(_root(site, added(_squares(site))), _count(site))


def _not_averaged(site: Site) -> Iterator[Node]:
    yield _root(site, added(_squares(site)))


def _only_added(site: Site) -> Iterator[Node]:
    yield added(_squares(site))


def _other_means(earlier: bool) -> Callable[[Site], Iterator[Node]]:
    """The distances from the mean of an earlier row, or of another token's."""

    def build(site: Site) -> Iterator[Node]:
        own = [
            part.args[0].args[1] for part in _squares(site) if isinstance(part, Op) and isinstance(part.args[0], Op)
        ]
        if not own or not isinstance(own[0], Ref):
            return
        name, lead = own[0].cell.tensor, own[0].cell.index
        mine = site.find(name)
        found: list[Node] = []
        if earlier:
            for step, expr in site.steps().items():
                if step == name:
                    break
                made = site.find(step) if type(expr) is formula.Call and expr.op == "mean" else None
                if made is not None and mine is not None and made.shape == mine.shape:
                    found.append(made.at(lead))
        elif mine is not None and lead:
            found = [mine.at((*lead[:-1], row)) for row in others(lead[-1], mine.shape[-1])]
        for mean in found:
            squares = tuple(op("square", op("-", x, mean)) for x in cells(site.args[0], site.index))
            yield _root(site, over(added(squares), _count(site)))

    return build


def _range(site: Site) -> Iterator[Node]:
    row = cells(site.args[0], site.index)
    if len(row) > 1:
        yield op("-", op("max", *row), op("min", *row))


SPREAD = (
    Slip("not-divided", "the squares are added but not averaged", _not_averaged),
    Slip("n-minus-one", "it is divided by one less than the count", _spread_by(_less_one), TABLE),
    Slip(
        "divided-by-head-width", "it is divided by the width of a head, not of the row", _spread_by(_by_head), FINAL
    ),
    Slip("mean-kept", "the mean is never subtracted", _each(lambda x, mu: x)),
    Slip("mean-added", "the mean is added instead of subtracted", _each(lambda x, mu: op("+", x, mu)), PAIRING),
    Slip(
        "all-positive", "every number is counted as positive", _each(lambda x, mu: op("-", op("abs", x), mu)), TABLE
    ),
    Slip("squares-added", "the squares are only added: no division, no root", _only_added, PAIRING),
    Slip("earlier-mean", "the distances are taken from the mean of an earlier row", _other_means(True), PAIRING),
    Slip("other-token", "the distances are taken from another token's mean", _other_means(False), PAIRING),
    Slip("mean-distance", "the distances are averaged, without squares and root", _absolute_distance, TABLE),
    Slip("divided-after-root", "the division by the count comes after the root", _after_root, PAIRING),
    Slip("range", "the smallest number is taken from the largest", _range, FINAL),
)


def _total_of_raw(site: Site) -> Iterator[Node]:
    if site.args[0].role == "exponential":
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
    Slip("stopped-early", "the adding stops one early", _stopped(-1), TABLE),
    Slip("one-too-far", "the adding goes one too far", _stopped(1), PAIRING),
    Slip(
        "chance-itself", "only this one is given, without those before it", lambda s: [s.args[0].at(s.index)], TABLE
    ),
    Slip("the-rest", "only the rest is given, what lies behind it", _rest, FINAL),
)


def _place_of_largest(site: Site) -> Iterator[Node]:
    yield number(int(site.args[0].values[site.index].argmax()))


def _smallest(site: Site) -> Iterator[Node]:
    yield op("min", *cells(site.args[0], site.index))


def _largest_size(site: Site) -> Iterator[Node]:
    yield max(cells(site.args[0], site.index), key=lambda node: abs(evaluate(node)))


def _added(site: Site) -> Iterator[Node]:
    yield added(cells(site.args[0], site.index))


MAX = (
    Slip("smallest", "the smallest is taken, not the largest", _smallest),
    Slip("largest-size", "the largest without its sign is taken", _largest_size),
    Slip("place-not-value", "the place where the largest stands is taken, not the largest itself", _place_of_largest),
    Slip("added", "the numbers are added", _added),
)

_ROW = "[..., n] -> [...]"
ENTRIES = (
    entry("sum", "row", total, "add the row's numbers", SUM, shapes=_ROW, example="sum(exp(X))", role="total"),
    entry("max", "row", largest, "take the row's largest number", MAX, shapes=_ROW, example="max(X)"),
    entry(
        "mean",
        "row",
        mean,
        "add the row's numbers, divide by how many there are",
        MEAN,
        shapes=_ROW,
        example="mean(X)",
    ),
    entry(
        "spread",
        "row epsilon?",
        spread,
        "average the squared distances from the mean, add a speck, take the root",
        SPREAD,
        shapes="[..., n], number? -> [...]",
        example="spread(X)",
        standard="standard deviation",
    ),
    entry(
        "cumsum",
        "row",
        cumsum,
        "add the chances up to and with this one",
        CUMSUM,
        shapes="[..., n] -> [..., n]",
        example="cumsum(softmax(X))",
        plain="running_total",
        standard="cumulative sum",
        role="total",
    ),
)

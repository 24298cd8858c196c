"""Flattening a row: layer normalization and RMS normalization, each with a gain and a bias where a model has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tui_attention.engine import formula
from tui_attention.engine.operation import (
    FINAL,
    PAIRING,
    RARE,
    TABLE,
    OpContext,
    OperandError,
    Site,
    Slip,
    TracedArray,
    numbers,
)
from tui_attention.engine.ops.nodes import Places, added, beside, cells, further, moved, op, others, over
from tui_attention.engine.ops.shared import entry, needs_row
from tui_attention.engine.tensor import Array, Index
from tui_attention.engine.working import Const, Node, Op, number

EPSILON = 1e-5


def speck(epsilon: float) -> Const:
    """The number added under a root, written out: 0.00001."""
    return Const(epsilon, f"{epsilon:.10f}".rstrip("0") if epsilon else "0")


SPECK = speck(EPSILON)


def epsilon_of(given: TracedArray | None, what: str) -> float:
    """The number that is added under the root: 1e-5, or what the formula says. Raises OperandError."""
    if given is None:
        return EPSILON
    if given.shape or not 0 <= given.scalar() <= 1:
        raise OperandError(f"{what} takes a single number from 0 to 1 to add under the root")
    return given.scalar()


def rooted(mean_square: Node, epsilon: float) -> Node:
    """The root of a mean of squares, with the speck that is added before it is taken."""
    return op("sqrt", op("+", mean_square, speck(epsilon)) if epsilon else mean_square)


def rms(context: OpContext, arg: TracedArray, epsilon: TracedArray | None = None) -> TracedArray:
    """[..., n] -> [...]: sqrt(mean(x^2) + 1e-5), or another number in its place."""
    row, eps = needs_row(arg, "'rms'"), epsilon_of(epsilon, "'rms'")
    values = np.asarray(np.sqrt((row**2).mean(axis=-1) + eps))  # [...]
    count = number(arg.shape[-1])

    def at(index: Index) -> Node:
        squares = added(tuple(Op("square", (x,)) for x in cells(arg, index)))
        return rooted(Op("/", (squares, count)), eps)

    return TracedArray(values, arg.axes[:-1], at)


def _along(arg: TracedArray | None, row: TracedArray, what: str) -> tuple[Array, Callable[[int], Node]] | None:
    """A gain or a bias: one number for each place of the row. Raises OperandError."""
    if arg is None:
        return None
    shape = arg.shape
    if shape not in (row.shape[-1:], (1, *row.shape[-1:])):
        raise OperandError(f"{what} should be one row of {row.shape[-1]} numbers, one for each {row.axes[-1].name}")
    lead = (0,) * (len(shape) - 1)
    return arg.values.reshape(-1), lambda place: arg.at((*lead, place))


def _per_row(arg: TracedArray, row: TracedArray, what: str) -> Array:
    if arg.shape != row.shape[:-1]:
        says = f"'layer_norm' takes rows and, for each row, one mean and one spread; {what} does not fit"
        if row.shape and arg.shape == row.shape[-1:]:
            says += "; a gain and a bias stand behind them: layer_norm(x, mean(x), spread(x), gain, bias)"
        raise OperandError(says)
    return numbers(arg, what)[..., None]


def rms_norm(
    context: OpContext, x: TracedArray, gain: TracedArray | None = None, epsilon: TracedArray | None = None
) -> TracedArray:
    """[..., n], [n]? -> [..., n]: x / sqrt(mean(x^2) + 1e-5) * gain (Zhang and Sennrich 2019)."""
    row, eps = needs_row(x, "'rms_norm'"), epsilon_of(epsilon, "'rms_norm'")
    size = context.twin("rms", 0) if epsilon is None else context.twin("rms", 0, 2)
    scaled = _along(gain, x, "the gain")
    values = row / np.sqrt((row**2).mean(axis=-1, keepdims=True) + eps)  # [..., n]
    if scaled:
        values = values * scaled[0]

    def at(index: Index) -> Node:
        made = Op("/", (x.at(index), size.at(index[:-1])))
        return Op("*", (made, scaled[1](index[-1]))) if scaled else made

    return TracedArray(values, x.axes, at)


def layer_norm(context: OpContext, x: TracedArray, *given: TracedArray) -> TracedArray:
    """[..., n], [...]?, [...]?, [n]?, [n]? -> [..., n]: (x - mean) / spread * gain + bias (Ba and others 2016).

    Mean and spread are made where they are not given; without gain and bias the row is only flattened.
    """
    row = needs_row(x, "'layer_norm'")
    said: list[TracedArray | None] = [*given, None, None, None, None]
    mu, sigma, gain, bias = said[:4]
    mu = context.twin("mean", 0) if mu is None else mu
    if sigma is None and mu.shape != x.shape[:-1]:
        raise OperandError("'layer_norm' takes (row, mean, spread, gain, bias), or the row alone")
    sigma = context.twin("spread", 0) if sigma is None else sigma
    center, width = _per_row(mu, x, "the mean"), _per_row(sigma, x, "the spread")
    scaled, moved_by = _along(gain, x, "the gain"), _along(bias, x, "the bias")
    with np.errstate(all="ignore"):
        values = (row - center) / width  # [..., n]
    if scaled:
        values = values * scaled[0]
    if moved_by:
        values = values + moved_by[0]

    def at(index: Index) -> Node:
        made: Node = Op("/", (Op("-", (x.at(index), mu.at(index[:-1]))), sigma.at(index[:-1])))
        made = Op("*", (made, scaled[1](index[-1]))) if scaled else made
        return Op("+", (made, moved_by[1](index[-1]))) if moved_by else made

    return TracedArray(values, x.axes, at)


# ---------------------------------------------------------------- what goes wrong in a layer norm

_Flat = Callable[[Node, Node, Node], Node]


def _finished(site: Site, flat: Node) -> Node:
    """A flattened number with the gain and the bias that follow it."""
    for which, kind in ((3, "*"), (4, "+")):
        if len(site.args) > which:
            arg = site.args[which]
            flat = op("*" if kind == "*" else "+", flat, arg.at((*(0,) * (len(arg.shape) - 1), site.index[-1])))
    return flat


def _parts(site: Site) -> tuple[Node, Node, Node]:
    """x, mean and spread of a flattened number, as its working has them."""
    node = site.node()
    for _ in site.args[3:]:
        node = node.args[0] if isinstance(node, Op) else node
    if isinstance(node, Op) and isinstance(node.args[0], Op):
        return node.args[0].args[0], node.args[0].args[1], node.args[1]
    raise TypeError(f"not a flattened number: {node!r}")


def _norm(make: _Flat) -> Callable[[Site], Iterator[Node]]:
    def build(site: Site) -> Iterator[Node]:
        yield _finished(site, make(*_parts(site)))

    return build


def _sample(site: Site) -> Iterator[Node]:
    x, mu, sigma = _parts(site)
    count = site.args[0].shape[-1]
    if count > 1:
        corrected = op("*", sigma, op("sqrt", over(number(count), number(count - 1))))
        yield _finished(site, over(op("-", x, mu), corrected))


def _flat(x: Node, mu: Node, sigma: Node) -> Node:
    return over(op("-", x, mu), sigma)


def _other_coordinates(near: Places) -> Callable[[Site], Iterator[Node]]:
    def build(site: Site) -> Iterator[Node]:
        x, (_, mu, sigma) = site.args[0], _parts(site)
        for place in near(site.index[-1], x.shape[-1]):
            yield _finished(site, _flat(x.at(moved(site.index, place)), mu, sigma))

    return build


def _earlier_norms(site: Site) -> Iterator[tuple[TracedArray, TracedArray, TracedArray]]:
    """Operands of the layer norms that stand before this one in the lesson."""
    for name, expr in site.steps().items():
        match expr:
            case formula.Call(args=(formula.Name(name=x), _, _, *_)) if site.role(expr) == "norm":
                if x == site.args[0].name:
                    return
                made = site.find(name)
                if made is not None and made.shape == site.args[0].shape and len(made.args) > 2:
                    yield made.args[0], made.args[1], made.args[2]


def _earlier(site: Site) -> Iterator[Node]:
    x, _, _ = _parts(site)
    for _, mu, sigma in _earlier_norms(site):
        yield _finished(site, _flat(x, mu.at(site.index[:-1]), sigma.at(site.index[:-1])))


def _earlier_part(which: int) -> Callable[[Site], Iterator[Node]]:
    """Only the mean (0) or only the spread (1) of an earlier row, the other one fresh."""

    def build(site: Site) -> Iterator[Node]:
        x, mean, spread = _parts(site)
        for _, mu, sigma in _earlier_norms(site):
            old = (mu if which == 0 else sigma).at(site.index[:-1])
            yield _finished(site, _flat(x, old, spread) if which == 0 else _flat(x, mean, old))

    return build


def _other_tokens(site: Site) -> Iterator[Node]:
    """The mean and the spread of another token's row."""
    if len(site.args) > 2 and len(site.index) > 1:
        x = _parts(site)[0]
        for row in others(site.index[-2], site.args[0].shape[-2]):
            lead = (*site.index[:-2], row)
            yield _finished(site, _flat(x, site.args[1].at(lead), site.args[2].at(lead)))


def _by_size(site: Site) -> Iterator[Node]:
    """The root of the mean square divides, as RMS normalization has it."""
    row = cells(site.args[0], site.index[:-1])
    squares = added(tuple(op("square", x) for x in row))
    yield _finished(site, over(_parts(site)[0], rooted(over(squares, number(len(row))), 0)))


def _over_tokens(site: Site) -> Iterator[Node]:
    """Mean and spread are taken down the column, over the tokens."""
    x = site.args[0]
    if len(x.shape) > 1 and x.shape[-2] > 1:
        column = tuple(x.at((*site.index[:-2], t, site.index[-1])) for t in range(x.shape[-2]))
        count = number(len(column))
        middle = over(added(column), count)
        squares = added(tuple(op("square", op("-", z, middle)) for z in column))
        yield _finished(site, _flat(_parts(site)[0], middle, rooted(over(squares, count), EPSILON)))


def _before_add(site: Site) -> Iterator[Node]:
    x, (_, mu, sigma) = site.args[0], _parts(site)
    if x.op == "+" and not x.args[0].view and x.args[0].shape == x.shape:
        old = x.args[0]
        yield _finished(site, _flat(old.at(site.index), mu, sigma))
        for row, first_mu, first_sigma in _earlier_norms(site):
            if row.name == old.name:
                lead = site.index[:-1]
                yield _finished(site, _flat(row.at(site.index), first_mu.at(lead), first_sigma.at(lead)))


def _without(which: int) -> Callable[[Site], Iterator[Node]]:
    """The working without its gain (3) or its bias (4)."""

    def build(site: Site) -> Iterator[Node]:
        node = site.node()
        if len(site.args) <= which or not isinstance(node, Op):
            return
        if which == len(site.args) - 1:
            yield node.args[0]
        elif isinstance(node.args[0], Op):
            yield op("+", node.args[0].args[0], node.args[1])

    return build


def _bias_first(site: Site) -> Iterator[Node]:
    node = site.node()
    if len(site.args) == 5 and isinstance(node, Op) and isinstance(node.args[0], Op):
        flat, gain = node.args[0].args
        yield op("*", op("+", flat, node.args[1]), gain)


LAYER_NORM = (
    Slip("mean-kept", "the mean is never subtracted", _norm(lambda x, mu, sigma: over(x, sigma))),
    Slip("mean-added", "the mean is added", _norm(lambda x, mu, sigma: over(op("+", x, mu), sigma)), TABLE),
    Slip(
        "divided-by-variance",
        "it is divided by the square of the spread",
        _norm(lambda x, mu, sigma: over(op("-", x, mu), op("square", sigma))),
    ),
    Slip(
        "multiplied",
        "it is multiplied by the spread, not divided",
        _norm(lambda x, mu, sigma: op("*", op("-", x, mu), sigma)),
    ),
    Slip("sample-spread", "the spread is made with one less than the count", _sample, TABLE),
    Slip(
        "only-mean-divided",
        "only the mean is divided by the spread",
        _norm(lambda x, mu, sigma: op("-", x, over(mu, sigma))),
        PAIRING,
    ),
    Slip(
        "mean-minus-x",
        "the number is taken from the mean, not the mean from it",
        _norm(lambda x, mu, sigma: _flat(mu, x, sigma)),
        PAIRING,
    ),
    Slip(
        "mean-spread-exchanged",
        "mean and spread have changed places",
        _norm(lambda x, mu, sigma: _flat(x, sigma, mu)),
        RARE,
    ),
    Slip("neighbour-coordinate", "the coordinate beside it is flattened", _other_coordinates(beside), TABLE),
    Slip("neighbour-coordinate", "another coordinate is flattened", _other_coordinates(further), FINAL),
    Slip("earlier-norm", "mean and spread of an earlier flattening are used again", _earlier, TABLE),
    Slip("earlier-mean", "the mean is that of an earlier row", _earlier_part(0), PAIRING),
    Slip("earlier-spread", "the spread is that of an earlier row", _earlier_part(1), PAIRING),
    Slip("other-token", "mean and spread are those of another token's row", _other_tokens, TABLE),
    Slip("rms-norm", "it is divided by the root of the mean square, the mean left in", _by_size, PAIRING),
    Slip(
        "normalised-over-tokens", "mean and spread are taken down the column, over the tokens", _over_tokens, PAIRING
    ),
    Slip("row-before-add", "the row from before the addition is flattened", _before_add, TABLE),
    Slip("gain-forgotten", "the gain is left out", _without(3)),
    Slip("bias-forgotten", "the bias is left out", _without(4)),
    Slip("bias-before-gain", "the bias is added before the gain multiplies", _bias_first, TABLE),
)

# ---------------------------------------------------------------- what goes wrong in an RMS norm


def _squares(site: Site) -> tuple[Node, ...]:
    return tuple(op("square", x) for x in cells(site.args[0], site.index))


def _rms_eps(site: Site) -> float:
    return site.args[1].scalar() if len(site.args) > 1 else EPSILON


def _not_averaged(site: Site) -> Iterator[Node]:
    yield rooted(added(_squares(site)), _rms_eps(site))


def _n_minus_one(site: Site) -> Iterator[Node]:
    count = site.args[0].shape[-1]
    if count > 1:
        yield rooted(over(added(_squares(site)), number(count - 1)), _rms_eps(site))


def _after_root(site: Site) -> Iterator[Node]:
    yield over(rooted(added(_squares(site)), 0), number(site.args[0].shape[-1]))


def _mean_size(site: Site) -> Iterator[Node]:
    row = cells(site.args[0], site.index)
    yield over(added(tuple(op("abs", x) for x in row)), number(len(row)))


def _spread_instead(site: Site) -> Iterator[Node]:
    """The mean is taken off first, as a spread does."""
    row = cells(site.args[0], site.index)
    middle = over(added(row), number(len(row)))
    squares = tuple(op("square", op("-", x, middle)) for x in row)
    yield rooted(over(added(squares), number(len(row))), _rms_eps(site))


RMS = (
    Slip("not-averaged", "the squares are added but not averaged", _not_averaged),
    Slip("n-minus-one", "it is divided by one less than the count", _n_minus_one),
    Slip("divided-after-root", "the division by the count comes after the root", _after_root),
    Slip("mean-distance", "the sizes are averaged, without squares and root", _mean_size),
    Slip("mean-subtracted", "the mean is taken off first, as for a spread", _spread_instead),
)


def _ratio(site: Site) -> tuple[Node, Node, Node | None]:
    """x, the row's size and the gain, as the working has them."""
    node = site.node()
    gain = node.args[1] if len(site.args) > 1 and isinstance(node, Op) else None
    quotient = node.args[0] if gain is not None and isinstance(node, Op) else node
    if isinstance(quotient, Op) and len(quotient.args) == 2:
        return quotient.args[0], quotient.args[1], gain
    raise TypeError(f"not a row over its size: {node!r}")


def _rms_norm(make: Callable[[Node, Node], Node]) -> Callable[[Site], Iterator[Node]]:
    def build(site: Site) -> Iterator[Node]:
        x, size, gain = _ratio(site)
        made = make(x, size)
        yield op("*", made, gain) if gain is not None else made

    return build


def _gain_forgotten(site: Site) -> Iterator[Node]:
    x, size, gain = _ratio(site)
    if gain is not None:
        yield over(x, size)


def _gain_divides(site: Site) -> Iterator[Node]:
    x, size, gain = _ratio(site)
    if gain is not None:
        yield over(over(x, size), gain)


def _mean_first(site: Site) -> Iterator[Node]:
    x, size, gain = _ratio(site)
    row = cells(site.args[0], site.index[:-1])
    made = over(op("-", x, over(added(row), number(len(row)))), size)
    yield op("*", made, gain) if gain is not None else made


def _other_places(site: Site) -> Iterator[Node]:
    _, size, gain = _ratio(site)
    for place in others(site.index[-1], site.args[0].shape[-1]):
        made = over(site.args[0].at(moved(site.index, place)), size)
        yield op("*", made, gain) if gain is not None else made


RMS_NORM = (
    Slip("not-divided", "nothing divides the number", _rms_norm(lambda x, size: x)),
    Slip("multiplied", "the size multiplies instead of dividing", _rms_norm(lambda x, size: op("*", x, size))),
    Slip(
        "mean-square-divides",
        "the mean of the squares divides, without the root",
        _rms_norm(lambda x, s: over(x, op("square", s))),
    ),
    Slip("mean-subtracted", "the mean is taken off first, as layer normalization does", _mean_first),
    Slip("gain-forgotten", "the gain is left out", _gain_forgotten),
    Slip("gain-divides", "the gain divides instead of multiplying", _gain_divides),
    Slip("neighbour-coordinate", "another coordinate is flattened", _other_places, TABLE),
)

ENTRIES = (
    entry(
        "layer_norm",
        "row mean? spread? gain? bias?",
        layer_norm,
        "subtract the row's mean, then divide by the row's spread",
        LAYER_NORM,
        shapes="[..., n], [...]?, [...]?, [n]?, [n]? -> [..., n]",
        example="layer_norm(X, mean(X), spread(X), gain, bias)",
        plain="flatten_copy",
        standard="layer normalization",
        role="norm",
    ),
    entry(
        "rms",
        "row epsilon?",
        rms,
        "average the squares, add a speck, take the root",
        RMS,
        shapes="[..., n], number? -> [...]",
        example="rms(X)",
        plain="typical_size",
        standard="root mean square",
    ),
    entry(
        "rms_norm",
        "row gain? epsilon?",
        rms_norm,
        "divide by the root of the mean square, then multiply by the gain where there is one",
        RMS_NORM,
        shapes="[..., n], [n]?, number? -> [..., n]",
        example="rms_norm(X, gain)",
        plain="level_copy",
        standard="RMS normalization",
        role="norm",
    ),
)

"""How wrong a row of scores is about what really came: the loss."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tui_attention.engine.operation import TABLE, OpContext, OperandError, Site, Slip, TracedArray
from tui_attention.engine.ops.nodes import beside, op, over
from tui_attention.engine.ops.shared import entry, needs_row
from tui_attention.engine.tensor import Index
from tui_attention.engine.working import Const, Node, Op, number


def cross_entropy(context: OpContext, row: TracedArray, target: TracedArray) -> TracedArray:
    """[..., n], [...] -> [...]: minus the logarithm of the share that each row of scores gives to its target.

    `target` holds the place of what came, 0 to n - 1, one for each row. Raises OperandError where it does not.
    """
    scores, goals = needs_row(row, "'cross_entropy'"), target.values
    shape = row.shape[:-1]
    whole = np.issubdtype(goals.dtype, np.integer) or (goals == np.floor(goals)).all()
    if goals.shape not in (shape, ()) or not whole or goals.min() < 0 or goals.max() >= row.shape[-1]:
        raise OperandError(f"'cross_entropy' takes scores and, for each row, a place from 0 to {row.shape[-1] - 1}")
    places = np.broadcast_to(goals.astype(np.int64), shape)  # [...]
    shares = context.twin("softmax", 0)
    top = scores.max(axis=-1, keepdims=True)
    logs = scores - top - np.log(np.exp(scores - top).sum(axis=-1, keepdims=True))  # [..., n]
    values = -np.take_along_axis(logs, places[..., None], axis=-1)[..., 0]  # [...]

    def at(index: Index) -> Node:
        return Op("neg", (Op("log", (shares.at((*index, int(places[index]))),)),))

    return TracedArray(np.asarray(values), row.axes[:-1], at)


def _share(site: Site) -> Node:
    """The share whose logarithm is taken."""
    node = site.node()
    while isinstance(node, Op) and node.kind in ("neg", "log"):
        node = node.args[0]
    return node


def _of(make: Callable[[Node], Node]) -> Callable[[Site], Iterator[Node]]:
    def build(site: Site) -> Iterator[Node]:
        yield make(_share(site))

    return build


def _score(site: Site) -> Iterator[Node]:
    target = site.args[1]
    place = int(target.values[site.index] if target.shape else target.values[()])
    yield op("neg", site.args[0].at((*site.index, place)))
    for other in beside(place, site.args[0].shape[-1]):
        yield op("neg", site.args[0].at((*site.index, other)))


_LN10, _LN2 = Const(float(np.log(10)), "log(10)"), Const(float(np.log(2)), "log(2)")
SLIPS = (
    Slip("sign-lost", "the minus before the logarithm is lost", _of(lambda p: op("log", p)), TABLE),
    Slip("log-ten", "powers of 10 are counted, not of e", _of(lambda p: op("neg", over(op("log", p), _LN10)))),
    Slip("log-two", "powers of 2 are counted, not of e", _of(lambda p: op("neg", over(op("log", p), _LN2)))),
    Slip("share-itself", "the share itself stands there, without its logarithm", _of(lambda p: p)),
    Slip("rest-of-one", "the rest of 1 is taken, not the logarithm", _of(lambda p: op("-", number(1), p))),
    Slip(
        "log-of-rest",
        "the logarithm is taken of the rest of 1",
        _of(lambda p: op("neg", op("log", op("-", number(1), p)))),
    ),
    Slip("scores-not-shares", "the score is taken, before it was made a share", _score),
)

ENTRIES = (
    entry(
        "cross_entropy",
        "row target",
        cross_entropy,
        "take the logarithm of the share that the target got, and turn its sign",
        SLIPS,
        shapes="[..., n], [...] -> [...]",
        example="cross_entropy(X, ids)",
        plain="surprise",
        standard="cross-entropy loss",
    ),
)

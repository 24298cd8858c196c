"""Scores into shares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from tui_attention.engine.operation import FINAL, FORMULA, PAIRING, RARE, TABLE, OpContext, Site, Slip, TracedArray
from tui_attention.engine.ops.nodes import Row, added, cells, exps, full_width, op, over, root_width, seen, unmasked
from tui_attention.engine.ops.shared import entry, needs_row
from tui_attention.engine.tensor import Index
from tui_attention.engine.working import Masked, Node, Op, Stated, number


def softmax(context: OpContext, arg: TracedArray) -> TracedArray:
    """[..., n] -> [..., n]: exp of each score over the row's total of exps.

    A row with no score left gives zeros.
    """
    scores = needs_row(arg, "'softmax'")
    top = scores.max(axis=-1, keepdims=True)
    with np.errstate(all="ignore"):
        powers = np.where(np.isneginf(scores), 0.0, np.exp(scores - np.where(np.isfinite(top), top, 0.0)))
        totals = powers.sum(axis=-1, keepdims=True)
        values = np.where(totals > 0, powers / np.where(totals > 0, totals, 1.0), 0.0)

    @cache  # the shares of a row have their powers and their total in common
    def powers_of(lead: Index) -> tuple[Row, Node]:
        finite = scores[lead][np.isfinite(scores[lead])]
        # Past this size exp leaves the range of floats; the shares depend on differences only.
        far = float(np.abs(finite).max(initial=0.0)) > 600
        peak = arg.at((*lead, int(scores[lead].argmax())))

        def power(node: Node) -> Node:
            return Op("exp", (Op("-", (node, peak)) if far else node,))

        row = tuple(node if isinstance(node, Masked) else power(node) for node in cells(arg, lead))
        return row, added(seen(row))

    def at(index: Index) -> Node:
        if np.isneginf(scores[index]):
            if np.isneginf(scores[index[:-1]]).all():
                return Stated("stated", 0.0, "every score of this row is masked, so there is nothing to share: 0")
            return Stated("stated", 0.0, "this score is masked, so its share is 0")
        row, whole = powers_of(index[:-1])
        return Op("/", (row[index[-1]], whole))

    return TracedArray(values, arg.axes, at)


# ---------------------------------------------------------------- slips
# They are written for a row of scores and a place in it, so that a softmax by hand (exp, total, quotient in
# three steps) has them too.


@dataclass(frozen=True, slots=True)
class _Row:
    scores: TracedArray
    index: Index

    def row(self, scores: TracedArray | None = None, index: Index | None = None) -> Row:
        return seen(cells(scores or self.scores, (index or self.index)[:-1]))

    def own(self, scores: TracedArray | None = None, index: Index | None = None) -> Node:
        return (scores or self.scores).at(index or self.index)

    def place(self) -> int:
        """Where the own score stands among those that are seen."""
        before = cells(self.scores, self.index[:-1])[: self.index[-1]]
        return len(seen(before))

    def struck(self, scores: TracedArray) -> Row:
        """The row of other scores, without what is masked in these."""
        pairs = zip(cells(self.scores, self.index[:-1]), cells(scores, self.index[:-1]), strict=True)
        return tuple(other for score, other in pairs if not isinstance(score, Masked))


_Make = Callable[[_Row], Iterable[Node]]


def _shares(make: _Make) -> Callable[[Site], Iterable[Node]]:
    def build(site: Site) -> Iterable[Node]:
        row = _Row(site.args[0], site.index)
        if isinstance(row.own(), Masked) and make not in (_masked_counted, _masked_as_zero):
            return ()
        return make(row)

    return build


def _by_hand(make: _Make) -> Callable[[Site], Iterable[Node]]:
    def build(site: Site) -> Iterable[Node]:
        top, bottom = site.args
        if top.role == "exponential" and bottom.role == "total" and top.name and bottom.args[0].name == top.name:
            return make(_Row(top.args[0], site.index))
        return ()

    return build


def _share(own: Node, row: Row) -> Node:
    return over(op("exp", own), added(exps(row)))


def _no_exp(s: _Row) -> Iterator[Node]:
    yield over(s.own(), added(s.row()))
    yield over(s.own(), added(exps(s.row())))


def _score_itself(s: _Row) -> Iterator[Node]:
    yield s.own()


def _raw_total(s: _Row) -> Iterator[Node]:
    yield over(op("exp", s.own()), added(s.row()))


def _by_largest(s: _Row) -> Iterator[Node]:
    row = s.row()
    if len(row) > 1:
        yield over(op("exp", s.own()), op("max", *exps(row)))


def _by_others(s: _Row) -> Iterator[Node]:
    row, place = exps(s.row()), s.place()
    if len(row) > 1:
        yield over(row[place], added((*row[:place], *row[place + 1 :])))


def _is_square(s: _Row) -> bool:
    return len(s.index) > 1 and s.scores.shape[-1] == s.scores.shape[-2] > 1


def _column(s: _Row) -> Iterator[Node]:
    if len(s.index) > 1 and s.scores.shape[-2] > 1:
        *lead, _, place = s.index
        column = seen(tuple(s.scores.at((*lead, t, place)) for t in range(s.scores.shape[-2])))
        yield _share(s.own(), column)


def _transposed(s: _Row) -> Iterator[Node]:
    if _is_square(s):
        index = (*s.index[:-2], s.index[-1], s.index[-2])
        if not isinstance(s.own(index=index), Masked):
            yield _share(s.own(index=index), s.row(index=index))


def _zero(s: _Row) -> Iterator[Node]:
    row, place = s.row(), s.place()
    zero = number(0)
    yield _share(zero, (*row[:place], zero, *row[place + 1 :]))


def _minus(s: _Row) -> Iterator[Node]:
    yield _share(op("neg", s.own()), tuple(op("neg", node) for node in s.row()))


def _powers_of_two(s: _Row) -> Iterator[Node]:
    yield over(op("pow2", s.own()), added(tuple(op("pow2", node) for node in s.row())))


def _equal(s: _Row) -> Iterator[Node]:
    yield over(number(1), number(len(s.row())))


def _unscaled(s: _Row) -> Iterator[Node]:
    bare = unmasked(s.scores)
    if bare.op in ("/", "*"):
        other = bare.args[0] if bare.op == "/" or bare.args[0].shape else bare.args[1]
        yield _share(s.own(other), s.struck(other))


def _by_width(s: _Row) -> Iterator[Node]:
    bare = unmasked(s.scores)
    width = root_width(bare.args[1]) if bare.op == "/" else None
    if width is not None:
        row = s.struck(bare.args[0])
        yield _share(over(s.own(bare.args[0]), width), tuple(over(node, width) for node in row))


def _by_full_width(s: _Row) -> Iterator[Node]:
    """Scores that the root of the whole width divided, in place of one head's."""
    bare = unmasked(s.scores)
    full = full_width(bare.args[0])[0] if bare.op == "/" and root_width(bare.args[1]) is not None else 0
    if full:
        root = op("sqrt", number(full))
        row = s.struck(bare.args[0])
        yield _share(over(s.own(bare.args[0]), root), tuple(over(node, root) for node in row))


def _rest(s: _Row) -> Iterator[Node]:
    if len(s.row()) > 1:
        yield op("-", number(1), _share(s.own(), s.row()))


def _scaled(s: _Row) -> Iterator[Node]:
    if s.scores.role == "projection":
        root = op("sqrt", number(s.scores.args[0].shape[-1]))
        yield _share(over(s.own(), root), tuple(over(node, root) for node in s.row()))


def _masked_counted(s: _Row) -> Iterator[Node]:
    if s.scores.role == "mask" and len(s.row()) < s.scores.shape[-1]:
        yield _share(s.own(unmasked(s.scores)), s.row(unmasked(s.scores)))


def _masked_as_zero(s: _Row) -> Iterator[Node]:
    hidden = s.scores.shape[-1] - len(s.row())
    if hidden:
        own = s.own()
        yield _share(number(0) if isinstance(own, Masked) else own, (*s.row(), *(number(0),) * hidden))


def _both_heads(s: _Row) -> Iterator[Node]:
    if len(s.index) == 3 and s.scores.shape[0] > 1:
        rows = (s.row(index=(head, *s.index[1:])) for head in range(s.scores.shape[0]))
        yield _share(s.own(), tuple(node for row in rows for node in row))


def _other_head(s: _Row) -> Iterator[Node]:
    for head in range(s.scores.shape[0]) if len(s.index) == 3 else ():
        index = (head, *s.index[1:])
        if head != s.index[0]:
            yield _share(s.own(index=index), s.row(index=index))


_KINDS: tuple[tuple[str, str, _Make, float], ...] = (
    ("exp-left-out", "the score is divided as it stands, without exp", _no_exp, FORMULA),
    ("score-itself", "the score itself stands for its share", _score_itself, TABLE),
    ("divided-by-raw-scores", "it is divided by the sum of the scores, without exp", _raw_total, PAIRING),
    ("divided-by-largest", "it is divided by the largest of the row, not by the total", _by_largest, PAIRING),
    ("divided-by-others", "it is divided by the total of the others, without this one", _by_others, TABLE),
    ("column-not-row", "a column is shared out in place of the row", _column, TABLE),
    ("transposed", "query and key change places", _transposed, TABLE),
    ("replaced-by-zero", "0 stands in place of the score", _zero, PAIRING),
    ("minus-score", "exp is taken of minus the score", _minus, TABLE),
    ("powers-of-two", "2 is raised to each score, not e", _powers_of_two, PAIRING),
    ("equal-shares", "all of the row get equal shares", _equal, TABLE),
    ("unscaled", "the scores are shared out before their scaling", _unscaled, FORMULA),
    ("scaled-by-width", "the scores were divided by the width itself, not its root", _by_width, PAIRING),
    (
        "root-full-width",
        "the scores were divided by the root of the whole width, not one head's",
        _by_full_width,
        TABLE,
    ),
    ("one-minus-share", "the share is taken from 1: what is left for the others", _rest, PAIRING),
    ("scaled", "the scores are divided by the root of the width first, which is not done here", _scaled, FINAL),
    ("masked-counted", "the masked scores count in the total", _masked_counted, TABLE),
    ("masked-as-zero", "the masked scores count as 0, and exp makes 1 of each", _masked_as_zero, TABLE),
    ("mask-after-softmax", "the mask is laid over the shares only after the total is made", _masked_counted, FINAL),
    ("other-head-total", "the total counts both heads", _both_heads, RARE),
    ("other-head", "the scores of the other head are shared out", _other_head, TABLE),
)
BY_HAND = tuple(Slip(kind, says, _by_hand(make), weight) for kind, says, make, weight in _KINDS)
SLIPS = tuple(Slip(kind, says, _shares(make), weight) for kind, says, make, weight in _KINDS)

ENTRIES = (
    entry(
        "softmax",
        "row",
        softmax,
        "raise e to each score, divide by the row's total",
        SLIPS,
        shapes="[..., n] -> [..., n]",
        example="softmax(X)",
        plain="share_out",
        standard="softmax",
        role="shares",
    ),
)

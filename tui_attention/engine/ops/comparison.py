"""Comparing numbers with numbers, and the largest of a row: truth values, which serve as masks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tui_attention.engine.arrays import elementwise
from tui_attention.engine.operation import OpContext, Operation, TracedArray, whole
from tui_attention.engine.ops.shared import entry, needs_row
from tui_attention.engine.tensor import Array, Index
from tui_attention.engine.working import FULL, Node, Stated, evaluate, line

_KINDS: tuple[tuple[str, Callable[..., Array], str, str], ...] = (
    (">", np.greater, "larger than", "ask whether the first is larger"),
    ("<", np.less, "smaller than", "ask whether the first is smaller"),
    (">=", np.greater_equal, "at least", "ask whether the first is at least the second"),
    ("<=", np.less_equal, "at most", "ask whether the first is at most the second"),
    ("==", np.equal, "equal to", "ask whether the two are equal"),
    ("!=", np.not_equal, "other than", "ask whether the two differ"),
)


def _entry(sign: str, function: Callable[..., Array], words: str, says: str) -> Operation:
    def stated(left: Node, right: Node) -> Node:
        holds = bool(function(evaluate(left, FULL), evaluate(right, FULL)))
        return Stated("stated", float(holds), f"{line(left)} is {'' if holds else 'not '}{words} {line(right)}")

    return entry(
        sign,
        "left right",
        elementwise(stated, function),
        says,
        shapes="[...], [...] -> [...] truth values",
        example=f"X {sign} Y",
        role="mask maker",
    )


def top(context: OpContext, arg: TracedArray, count: TracedArray) -> TracedArray:
    """[..., n], k -> [..., n] truth values: which are the k largest of their row, the first of equals."""
    row = needs_row(arg, "'top'")
    k = whole(count, "how many are kept", 1, row.shape[-1])
    order = np.argsort(-row, axis=-1, kind="stable")  # [..., n]
    values = np.zeros(row.shape, dtype=np.bool_)
    np.put_along_axis(values, order[..., :k], True, axis=-1)

    def at(index: Index) -> Node:
        among = "is" if values[index] else "is not"
        return Stated(
            "stated", float(values[index]), f"{line(arg.at(index))} {among} among the {k} largest of its row"
        )

    return TracedArray(values, arg.axes, at)


ENTRIES = (
    *(_entry(*kind) for kind in _KINDS),
    entry(
        "top",
        "row k",
        top,
        "keep the largest few of the row",
        shapes="[..., n], k -> [..., n] truth values",
        example="top(X, 2)",
        standard="top-k",
        role="mask maker",
    ),
)

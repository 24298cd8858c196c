"""The causal mask: who may look at whom."""

from __future__ import annotations

import numpy as np

from tui_attention.engine.arrays import named
from tui_attention.engine.operation import OpContext, OperandError, TracedArray, numbers, whole
from tui_attention.engine.ops.shared import entry, one_axis
from tui_attention.engine.tensor import Axis, Index
from tui_attention.engine.working import Masked, Node, Stated

MOST_TOKENS = 500


def causal(context: OpContext, ids: TracedArray, window: TracedArray | None = None) -> TracedArray:
    """[tokens] -> [tokens, tokens] truth values: whether a query (row) may look at a key (column).

    With a window of w only at the w latest keys, its own place included (Beltagy and others 2020).
    """
    count = one_axis(ids, "'causal'")
    if count > MOST_TOKENS:
        raise OperandError(f"'causal' takes at most {MOST_TOKENS} tokens")
    axis = ids.axes[0]
    values = np.tril(np.ones((count, count), dtype=np.bool_))
    if window is not None:
        width = whole(window, "the window of 'causal'", 1, 1_000_000)
        values &= np.tril(np.ones_like(values), -width) == 0

    def at(index: Index) -> Node:
        may = "may look at" if values[index] else "comes before, so it may not look ahead at"
        if index[1] < index[0] and not values[index]:
            may = "has left behind, outside its window,"
        return Stated("stated", float(values[index]), f"token {index[0]} {may} token {index[1]}")

    return TracedArray(values, (Axis("query", axis.labels), Axis("key", axis.labels)), at)


def everyone(context: OpContext, ids: TracedArray) -> TracedArray:
    """[tokens] -> [tokens, tokens] truth values, all true: every query may look at every key."""
    count = one_axis(ids, "'everyone'")
    if count > MOST_TOKENS:
        raise OperandError(f"'everyone' takes at most {MOST_TOKENS} tokens")
    labels = ids.axes[0].labels

    def at(index: Index) -> Node:
        return Stated("stated", 1.0, "without a mask every token may look at every token")

    return TracedArray(np.ones((count, count), dtype=np.bool_), (Axis("query", labels), Axis("key", labels)), at)


def masked(context: OpContext, scores: TracedArray, mask: TracedArray) -> TracedArray:
    """[..., t, u], [..., t, u] -> [..., t, u]: minus infinity wherever the mask is false.

    A mask without leading axes serves every head. 0 and 1 count as false and true, and so do -inf and 0. Raises
    OperandError where it does not fit.
    """
    values = numbers(scores, "'masked'")
    given = numbers(mask, "the mask")
    may = ~np.isneginf(given) if np.isneginf(given).any() else given != 0
    rank = len(mask.shape)
    if not 1 <= rank <= values.ndim or values.shape[-rank:] != mask.shape:
        raise OperandError(
            f"{named(mask)} does not fit {named(scores)}: 'masked' takes scores and a mask of their rows and columns"
        )

    ahead = mask.role == "causal"
    why = "this score looks ahead, so it is masked" if ahead else f"{mask.name or 'the mask'} strikes this score out"

    def at(index: Index) -> Node:
        return scores.at(index) if may[index[-rank:]] else Masked(f"{why}: minus infinity, no pencil makes it")

    return TracedArray(np.where(may, values, -np.inf), scores.axes, at)


ENTRIES = (
    entry(
        "causal",
        "ids window?",
        causal,
        "a token looks at itself and back, never ahead",
        shapes="[t], w? -> [t, t] truth values",
        example="causal(ids)",
        plain="look_back",
        standard="causal mask",
        role="causal",
    ),
    entry(
        "everyone",
        "ids",
        everyone,
        "every token looks at every token",
        shapes="[t] -> [t, t] truth values",
        example="everyone(ids)",
        standard="no mask",
        role="mask maker",
    ),
    entry(
        "masked",
        "scores mask",
        masked,
        "strike out the scores that the mask forbids",
        shapes="[..., t, u], [t, u] -> [..., t, u]",
        example="masked(X @ X.T, causal(ids))",
        plain="strike_out",
        standard="masking",
        role="mask",
    ),
)

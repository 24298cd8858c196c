"""The causal mask: who may look at whom."""

from __future__ import annotations

import numpy as np

from tui_attention.engine.operation import OpContext, OperandError, TracedArray, numbers
from tui_attention.engine.ops.shared import entry, one_axis
from tui_attention.engine.tensor import Axis, Index
from tui_attention.engine.working import Masked, Node, Stated

MOST_TOKENS = 500


def causal(context: OpContext, ids: TracedArray) -> TracedArray:
    """[tokens] -> [tokens, tokens] truth values: whether a query (row) may look at a key (column)."""
    count = one_axis(ids, "'causal'")
    if count > MOST_TOKENS:
        raise OperandError(f"'causal' takes at most {MOST_TOKENS} tokens")
    axis = ids.axes[0]
    values = np.tril(np.ones((count, count), dtype=np.bool_))

    def at(index: Index) -> Node:
        may = "may look at" if index[1] <= index[0] else "comes before, so it may not look ahead at"
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
    """[..., t, u], [t, u] -> [..., t, u]: minus infinity wherever the mask is false."""
    values = numbers(scores, "'masked'")
    may = numbers(mask, "the mask") != 0
    if len(mask.shape) != 2 or values.shape[-2:] != mask.shape:
        raise OperandError("'masked' takes scores [... x t x u] and a mask [t x u]")

    def at(index: Index) -> Node:
        return scores.at(index) if may[index[-2:]] else Masked()

    return TracedArray(np.where(may, values, -np.inf), scores.axes, at)


ENTRIES = (
    entry("causal", "ids", causal, "a token looks at itself and back, never ahead", standard="causal mask"),
    entry("everyone", "ids", everyone, "every token looks at every token", standard="no mask"),
    entry("masked", "scores mask", masked, "strike out the scores that look ahead"),
)

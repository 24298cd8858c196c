"""Every operation that a lesson may call, its faces together. A new operation is one entry of a file in here.

Shapes: `[..., n]` is any array with a last axis of n numbers; an operation "over the last axis" works row by
row. Each entry carries its slips: the working that a person makes by mistake in place of its own.
"""

from __future__ import annotations

from tui_attention.engine.operation import Operation, Site
from tui_attention.engine.ops import (
    activations,
    arithmetic,
    comparison,
    decoding,
    functions,
    heads,
    loss,
    mask,
    measured,
    norms,
    product,
    reductions,
    rotation,
    softmax,
    text,
)
from tui_attention.engine.ops.norms import EPSILON
from tui_attention.engine.ops.text import split

_FAMILIES = (
    text, reductions, norms, softmax, decoding, activations, functions, heads, mask, comparison, rotation, loss,
    measured, arithmetic, product,
)  # fmt: skip
OPERATIONS: dict[str, Operation] = {entry.name: entry for family in _FAMILIES for entry in family.ENTRIES}
PLAIN_NAMES: dict[str, str] = {entry.plain: entry.name for entry in OPERATIONS.values() if entry.plain}
"""The operation that each plain name means; formulas may use either."""

__all__ = ["EPSILON", "OPERATIONS", "PLAIN_NAMES", "Site", "split"]

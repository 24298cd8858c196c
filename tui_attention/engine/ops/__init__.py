"""Every operation that a lesson may call, its faces together. A new operation is one entry of a file in here.

Shapes: `[..., n]` is any array with a last axis of n numbers; an operation "over the last axis" works row by
row. Each entry carries its slips: the working that a person makes by mistake in place of its own.
"""

from __future__ import annotations

from tui_attention.engine.operation import Operation, Site
from tui_attention.engine.ops import (
    activations,
    arithmetic,
    decoding,
    heads,
    mask,
    measured,
    reductions,
    softmax,
    text,
)
from tui_attention.engine.ops.reductions import EPSILON
from tui_attention.engine.ops.text import split

_FAMILIES = (text, reductions, softmax, decoding, activations, heads, mask, measured, arithmetic)
OPERATIONS: dict[str, Operation] = {entry.name: entry for family in _FAMILIES for entry in family.ENTRIES}

__all__ = ["EPSILON", "OPERATIONS", "Site", "split"]

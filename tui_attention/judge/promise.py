"""What a learner is promised, and how many decimals: said alike wherever it is said."""

from __future__ import annotations

PROMISE = "Keep at least as many decimals as are asked, at each step."
"""Whoever does counts as right, in whatever way the steps are worked."""


def decimals(count: int) -> str:
    """How many decimals, in words: `2 decimals`, `1 decimal`, `a whole number`."""
    return "a whole number" if count == 0 else f"{count} decimal{'s' * (count > 1)}"

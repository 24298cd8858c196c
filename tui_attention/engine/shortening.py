"""Long sums for reading: the largest few terms and what the rest comes to."""

from __future__ import annotations

from collections.abc import Callable

from tui_attention.engine.working import FULL, Cell, Const, Node, Op, evaluate, operands, rebuilt

MOST_TERMS = 40
"""A sum of more than these is shortened; a pencil's own sums are shorter."""
KEPT = 6


def shortened(node: Node, shown: Callable[[Cell], bool] = lambda cell: True) -> Node:
    """The working with its long sums cut: the largest terms in their order, the others as one number.

    While an operand is covered, the first terms stand there and the others have no number: which are the largest
    would tell. The result is for reading; the judge and `formula` take the whole working.
    """
    return rebuilt(node, lambda part: _cut(part, shown) if _long(part) else None)


def _long(node: Node) -> bool:
    return isinstance(node, Op) and node.kind == "sum" and len(node.args) > MOST_TERMS


def _cut(node: Node, shown: Callable[[Cell], bool]) -> Node:
    assert isinstance(node, Op)
    count = len(node.args) - KEPT
    if not all(map(shown, operands(node))):
        return Op("sum", (*node.args[:KEPT], Const(0.0, f"[{count:,} more]")))
    values = [evaluate(arg, FULL) for arg in node.args]
    largest = sorted(sorted(range(len(values)), key=lambda place: -abs(values[place]))[:KEPT])
    rest = sum(value for place, value in enumerate(values) if place not in largest)
    return Op("sum", (*(node.args[place] for place in largest), Const(rest, f"[{count:,} more: {rest:.4f}]")))

"""The same number by another honest way: quotients taken apart, reciprocals, squares before the mean.

All are equal with all digits; with rounding in between each may end a step or two away in the last place.
"""

from __future__ import annotations

from collections.abc import Iterator

from tui_attention.engine.working import Const, Node, Op, number, rebuilt, walk

MOST_NODES = 120
"""Longer workings are done in one way only: nobody regroups them by pencil."""


def regrouped(root: Node) -> Iterator[Node]:
    """Equal workings in which each quotient, or the spread, is worked another way."""
    if sum(1 for _ in walk(root)) > MOST_NODES:
        return
    for change in (_apart, _apart_inside, _reciprocal, _squares_first):
        made = rebuilt(root, change)
        if made is not root:
            yield made


def _apart(node: Node) -> Node | None:
    """(a - b) / c as a / c - b / c, and a mean as the sum of the shares of its numbers."""
    match node:
        case Op("/", (Op(kind, parts), bottom)) if kind in ("+", "-", "sum"):
            return Op(kind, tuple(Op("/", (part, bottom)) for part in parts))
        case _:
            return None


def _apart_inside(node: Node) -> Node | None:
    """(a * b + c * d) / e with the first factor of each product divided: a / e * b + c / e * d."""
    match node:
        case Op("/", (Op("sum", parts), bottom)) if all(isinstance(part, Op) and part.kind == "*" for part in parts):
            products = [part for part in parts if isinstance(part, Op)]
            return Op("sum", tuple(Op("*", (Op("/", (p.args[0], bottom)), *p.args[1:])) for p in products))
        case _:
            return None


def _reciprocal(node: Node) -> Node | None:
    """a / b as a times 1 / b."""
    match node:
        case Op("/", (top, bottom)) if not (isinstance(top, Const) and top.value == 1):
            one = Op("/", (number(1), bottom))
            return Op("*", (rebuilt(top, _reciprocal), one))
        case _:
            return None


def _squares_first(node: Node) -> Node | None:
    """The mean of (x - m)^2 as the mean of x^2, less m^2."""
    match node:
        case Op("/", (Op("sum", squares), count)) if squares:
            means = set()
            numbers = []
            for square in squares:
                match square:
                    case Op("square", (Op("-", (x, mean)),)):
                        numbers.append(x)
                        means.add(mean)
                    case _:
                        return None
            if len(means) != 1:
                return None
            mean_of_squares = Op("/", (Op("sum", tuple(Op("square", (x,)) for x in numbers)), count))
            return Op("-", (mean_of_squares, Op("square", (means.pop(),))))
        case _:
            return None

"""The slips that any working has, whatever operation made it: rewrites of the tree."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tui_attention.engine.decimals import quick_rounded
from tui_attention.engine.operation import FINAL, FORMULA, PAIRING, POINT, RARE
from tui_attention.engine.working import EXACT_ON_PRINTED, Const, Node, Op, Ref, evaluate, rebuilt, walk
from tui_attention.judge.applied import MOST_TERMS, TEN, AppliedSlip, Rebuild, places, terms
from tui_attention.judge.sums import of_sum

KINDS = (
    "sign-lost", "answer-sign", "point-moved", "point-forgotten", "digits-swapped", "backward", "not-divided",
    "root-not-taken", "exp-left-out", "powers-of-ten", "other-sentence",
)  # fmt: skip


def of_operations(root: Node) -> Iterator[AppliedSlip]:
    """The slips of quotients and roots, and of what is done to the result."""
    yield from _final(root)
    for node, rebuild in places(root):
        if isinstance(node, Op):
            yield from _operation(node, rebuild)


def generic(root: Node) -> Iterator[AppliedSlip]:
    """All slips that the tree alone gives."""
    yield from _final(root)
    yield from _no_exp(root)
    nested = 0
    for node, rebuild in places(root):
        if isinstance(node, Op):
            yield from _operation(node, rebuild)
            addends = terms(node)
            inside_chain = node is not root and node.kind == "+" and _is_chained(root, node)
            if 2 <= len(addends) <= MOST_TERMS and not inside_chain:
                nested += 1
                if nested <= 3:  # a sum of sums of sums is no longer read off the page term by term
                    yield from of_sum(addends, rebuild, whole=node is root or _is_over(root, node))
        elif nested <= 3:
            yield from _sign(node, rebuild)
    yield from _signs_everywhere(root)


def _is_over(root: Node, node: Node) -> bool:
    """Whether a sum is all that a quotient divides."""
    return isinstance(root, Op) and root.kind == "/" and root.args[0] is node


def _is_chained(root: Node, node: Op) -> bool:
    """Whether a `+` is a part of a longer chain of `+`."""
    return any(isinstance(p, Op) and p.kind == "+" and any(arg is node for arg in p.args) for p in walk(root))


def _final(root: Node) -> Iterator[AppliedSlip]:
    """What happens to a result when it is written down."""
    yield AppliedSlip("answer-sign", "the sign of the result is turned round", FINAL, Op("neg", (root,)))
    yield AppliedSlip(
        "point-moved", "the point of the result is one place too far right", FINAL, Op("*", (TEN, root))
    )
    yield AppliedSlip("point-moved", "the point of the result is one place too far left", FINAL, Op("/", (root, TEN)))
    yield AppliedSlip("point-forgotten", "the point of the result is forgotten", POINT, root, finish=_without_point)
    yield AppliedSlip("digits-swapped", "the last two digits change places", POINT, root, finish=_swapped)


def _without_point(value: float, asks: int) -> float:
    return quick_rounded(value, asks) * 10.0**asks if asks > 1 else math.nan


def _swapped(value: float, asks: int) -> float:
    if asks < 2:
        return math.nan
    unit = 10.0**-asks
    digits = round(quick_rounded(abs(value), asks) / unit) if abs(value) < 1e6 else 0
    tens, ones = digits // 10 % 10, digits % 10
    return math.copysign((digits + 9 * (ones - tens)) * unit, value)


def _no_exp(root: Node) -> Iterator[AppliedSlip]:
    def bare(node: Node) -> Node | None:
        return rebuilt(node.args[0], bare) if isinstance(node, Op) and node.kind == "exp" else None

    made = rebuilt(root, bare)
    if made is not root:
        yield AppliedSlip("exp-left-out", "the numbers are taken as they stand, without exp", FORMULA, made)
        ten = rebuilt(root, _powers_of_ten)
        yield AppliedSlip("powers-of-ten", "10 is raised to each number, not e", PAIRING, ten)


def _powers_of_ten(node: Node) -> Node | None:
    match node:
        case Op("exp", (power,)):
            return Op("pow10", (rebuilt(power, _powers_of_ten),))
        case _:
            return None


def _operation(node: Op, rebuild: Rebuild) -> Iterator[AppliedSlip]:
    if node.kind == "/":
        top, bottom = node.args
        # Nobody who takes a mean divides the count by the total.
        weight = RARE if isinstance(bottom, Const) else FORMULA
        yield AppliedSlip(
            "backward", "the division is done backward", weight, rebuild(Op("/", (bottom, top))), (node,)
        )
        yield AppliedSlip("not-divided", "the division is left undone", FORMULA, rebuild(top), (bottom,))
    elif node.kind == "sqrt":
        yield AppliedSlip("root-not-taken", "the root is not taken", FORMULA, rebuild(node.args[0]), (node,))


def _negative(node: Node) -> bool:
    match node:
        case Ref() | Const():
            return evaluate(node, EXACT_ON_PRINTED) < 0
        case _:
            return False


def _sign(node: Node, rebuild: Rebuild) -> Iterator[AppliedSlip]:
    if _negative(node):
        yield AppliedSlip("sign-lost", "the minus of {} is lost", FORMULA, rebuild(Op("neg", (node,))), (node,))


def _signs_everywhere(root: Node) -> Iterator[AppliedSlip]:
    """An operand that stands in several places, its minus lost in all of them."""
    seen: dict[Ref, int] = {}
    for part in walk(root):
        if isinstance(part, Ref):
            seen[part] = seen.get(part, 0) + 1
    for ref, count in seen.items():
        if count > 1 and len(seen) <= MOST_TERMS and _negative(ref):
            yield AppliedSlip("sign-lost", "the minus of {} is lost", FORMULA, _negated(root, ref), (ref,))


def _negated(root: Node, ref: Ref) -> Node:
    return rebuilt(root, lambda node: Op("neg", (ref,)) if node == ref else None)

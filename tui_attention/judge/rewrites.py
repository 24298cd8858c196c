"""The slips that any working has, whatever operation made it: rewrites of the tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tui_attention.engine.operation import FINAL, FORMULA, PAIRING, POINT, TABLE
from tui_attention.engine.ops.nodes import added
from tui_attention.engine.working import EXACT_ON_PRINTED, Const, Node, Op, Ref, evaluate, number, rebuilt, walk

# Sums longer than this get no slips term by term: nobody works them by pencil.
MOST_TERMS = 64
MOST_PAIRS = 12
# With a slipped point in every term of every sum, one random number in five would be named (20.5%; the bench allows
# 18%). These, the rarest slips, are named in short sums of products and in sums of plain numbers only.
MOST_POINTS = 4
MOST_PLAIN_POINTS = 10
TEN = number(10)

Rebuild = Callable[[Node], Node]


@dataclass(frozen=True, slots=True)
class AppliedSlip:
    """A slip made in one working: `root` is the working that it leads to, `part` what it rewrote.

    `says` follows on "is what comes out when"; each `{}` in it stands for the name of a part.
    """

    kind: str
    says: str
    weight: float
    root: Node
    part: tuple[Node, ...] = ()


KINDS = (
    "sign-lost", "all-positive", "term-left-out", "row-slid", "row-reversed", "partners-exchanged", "point-in-term",
    "answer-sign", "point-moved", "backward", "not-divided", "root-not-taken", "exp-left-out", "other-sentence",
)  # fmt: skip


def places(root: Node, rebuild: Rebuild = lambda node: node) -> Iterator[tuple[Node, Rebuild]]:
    """Every node with the function that puts another in its place and gives the whole tree."""
    yield root, rebuild
    if isinstance(root, Op):
        for position, arg in enumerate(root.args):
            yield from places(arg, _swapper(root, position, rebuild))


def _swapper(parent: Op, position: int, rebuild: Rebuild) -> Rebuild:
    def swapped(node: Node) -> Node:
        args = (*parent.args[:position], node, *parent.args[position + 1 :])
        return rebuild(Op(parent.kind, args))

    return swapped


def terms(node: Node) -> tuple[Node, ...]:
    """The addends of a sum, a chain of + taken apart; a node that is no sum is its own only term."""
    if isinstance(node, Op) and node.kind in ("+", "sum"):
        return tuple(part for arg in node.args for part in terms(arg)) if node.kind == "+" else node.args
    return (node,)


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
                    yield from _sum(addends, rebuild)
        elif nested <= 3:
            yield from _sign(node, rebuild)
    yield from _signs_everywhere(root)


def _is_chained(root: Node, node: Op) -> bool:
    """Whether a `+` is a part of a longer chain of `+`."""
    return any(isinstance(p, Op) and p.kind == "+" and any(arg is node for arg in p.args) for p in walk(root))


def _final(root: Node) -> Iterator[AppliedSlip]:
    yield AppliedSlip("answer-sign", "the sign of the result is turned round", FINAL, Op("neg", (root,)))
    yield AppliedSlip(
        "point-moved", "the point of the result moves one place to the right", FINAL, Op("*", (TEN, root))
    )
    yield AppliedSlip(
        "point-moved", "the point of the result moves one place to the left", FINAL, Op("/", (root, TEN))
    )


def _no_exp(root: Node) -> Iterator[AppliedSlip]:
    def bare(node: Node) -> Node | None:
        return rebuilt(node.args[0], bare) if isinstance(node, Op) and node.kind == "exp" else None

    made = rebuilt(root, bare)
    if made is not root:
        yield AppliedSlip("exp-left-out", "the numbers are taken as they stand, without exp", FORMULA, made)


def _operation(node: Op, rebuild: Rebuild) -> Iterator[AppliedSlip]:
    if node.kind == "/":
        top, bottom = node.args
        yield AppliedSlip(
            "backward", "the division is done backward", FORMULA, rebuild(Op("/", (bottom, top))), (node,)
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
        yield AppliedSlip("sign-lost", "the minus of {} is lost", TABLE, rebuild(Op("neg", (node,))), (node,))


def _signs_everywhere(root: Node) -> Iterator[AppliedSlip]:
    """An operand that stands in several places, its minus lost in all of them."""
    seen: dict[Ref, int] = {}
    for part in walk(root):
        if isinstance(part, Ref):
            seen[part] = seen.get(part, 0) + 1
    for ref, count in seen.items():
        if count > 1 and len(seen) <= MOST_TERMS and _negative(ref):
            yield AppliedSlip("sign-lost", "the minus of {} is lost", TABLE, _negated(root, ref), (ref,))


def _negated(root: Node, ref: Ref) -> Node:
    return rebuilt(root, lambda node: Op("neg", (ref,)) if node == ref else None)


def _sum(parts: tuple[Node, ...], rebuild: Rebuild) -> Iterator[AppliedSlip]:
    if any(evaluate(part, EXACT_ON_PRINTED) < 0 for part in parts):
        positive = added(tuple(Op("abs", (part,)) for part in parts))
        yield AppliedSlip("all-positive", "every term counts as positive", TABLE, rebuild(positive))
    for place, part in enumerate(parts):
        rest = added((*parts[:place], *parts[place + 1 :]))
        yield AppliedSlip("term-left-out", "the term {} is left out", PAIRING, rebuild(rest), (part,))
    yield from _paired(parts, rebuild)
    for place, part in enumerate(parts) if _points_named(parts) else ():
        for shifted, way in ((Op("*", (TEN, part)), "right"), (Op("/", (part, TEN)), "left")):
            slipped = added((*parts[:place], shifted, *parts[place + 1 :]))
            says = f"the point of the term {{}} slips one place to the {way}"
            yield AppliedSlip("point-in-term", says, POINT, rebuild(slipped), (part,))


def _points_named(parts: tuple[Node, ...]) -> bool:
    return len(parts) <= (MOST_PLAIN_POINTS if all(isinstance(part, Ref) for part in parts) else MOST_POINTS)


def _paired(parts: tuple[Node, ...], rebuild: Rebuild) -> Iterator[AppliedSlip]:
    """The second row against the first: slid, reversed, two of its numbers exchanged."""
    pairs = [part.args for part in parts if isinstance(part, Op) and part.kind == "*" and len(part.args) == 2]
    if len(pairs) < len(parts) or not all(isinstance(pair[1], Ref) for pair in pairs):
        return
    first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]

    def paired(row: list[Node], against: list[Node] = first) -> Node:
        return rebuild(added(tuple(Op("*", pair) for pair in zip(against, row, strict=True))))

    # The number that slides off one end comes in again at the other, or has no partner at all.
    for says, row in (("on", second[-1:] + second[:-1]), ("back", second[1:] + second[:1])):
        yield AppliedSlip("row-slid", f"the second row slides {says} by one place", PAIRING, paired(row))
    if len(second) > 2:
        yield AppliedSlip(
            "row-slid", "the second row slides on by one place", PAIRING, paired(second[:-1], first[1:])
        )
        yield AppliedSlip(
            "row-slid", "the second row slides back by one place", PAIRING, paired(second[1:], first[:-1])
        )
    yield AppliedSlip("row-reversed", "the second row is read from its other end", PAIRING, paired(second[::-1]))
    for a in range(len(second)):
        for b in range(a + 1, len(second)):
            if b == a + 1 or len(second) <= MOST_PAIRS:
                row = list(second)
                row[a], row[b] = row[b], row[a]
                says = "{} and {} change places"
                yield AppliedSlip("partners-exchanged", says, PAIRING, paired(row), (second[a], second[b]))

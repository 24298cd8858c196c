"""What goes wrong in a sum, above all one of products: terms left out, doubled, wrongly paired, a carry missed."""

from __future__ import annotations

from collections.abc import Iterator

from tui_attention.engine.operation import PAIRING, POINT, RARE, TABLE
from tui_attention.engine.ops.nodes import added
from tui_attention.engine.working import EXACT_ON_PRINTED, Node, Op, Ref, evaluate, number
from tui_attention.judge.applied import TEN, AppliedSlip, Rebuild

KINDS = (
    "all-positive", "term-left-out", "product-twice", "half-the-terms", "partial-result", "carry", "zero-as-one",
    "added", "row-slid", "row-reversed", "partners-exchanged", "point-in-term",
)  # fmt: skip
# In longer sums only neighbours change places.
MOST_PAIRS = 4
TENTHS, ONES, HUNDREDTHS = (0.1, -0.1), (1.0, -1.0), (0.01, -0.01)
# Apart from their families: on `tests.bench.judge` 92.5 % of all listed slips are named with them, and 81.5 % of
# others, where 2, 1.5 and 0.65 gave 91.8 % and 82.8 % with as many random numbers named.
LEFT_OUT, EXCHANGED, TWICE = 3.5, 2.5, 0.4


def of_sum(parts: tuple[Node, ...], rebuild: Rebuild, *, whole: bool) -> Iterator[AppliedSlip]:
    """The slips of one sum. `whole`: it is all of the working, or all that is divided at its end."""
    if any(evaluate(part, EXACT_ON_PRINTED) < 0 for part in parts):
        positive = added(tuple(Op("abs", (part,)) for part in parts))
        yield AppliedSlip("all-positive", "every term is counted as positive", TABLE, rebuild(positive))
    for place, part in enumerate(parts):
        rest = added((*parts[:place], *parts[place + 1 :]))
        yield AppliedSlip("term-left-out", "the term {} is left out", LEFT_OUT, rebuild(rest), (part,))
        twice = added((*parts, part))
        yield AppliedSlip("product-twice", "the term {} is added twice", TWICE, rebuild(twice), (part,))
        for shifted, way in ((Op("*", (TEN, part)), "right"), (Op("/", (part, TEN)), "left")):
            slipped = added((*parts[:place], shifted, *parts[place + 1 :]))
            says = f"the point in the term {{}} is one place too far {way}"
            yield AppliedSlip("point-in-term", says, POINT / 4, rebuild(slipped), (part,))
        yield from _factors(parts, place, rebuild)
        if len(parts) > 1 and isinstance(part, Op) and evaluate(part, EXACT_ON_PRINTED):
            yield AppliedSlip("partial-result", "the term {} stands alone, not yet added up", RARE, part, (part,))
    if len(parts) > 3:
        half = len(parts) // 2
        for which, some in (("first", parts[:half]), ("second", parts[half:])):
            says = f"only the {which} half of the terms is added"
            yield AppliedSlip("half-the-terms", says, RARE, rebuild(added(some)))
    if whole:
        yield from _carried(parts, rebuild)
    yield from _paired(parts, rebuild)


def _carried(parts: tuple[Node, ...], rebuild: Rebuild) -> Iterator[AppliedSlip]:
    """A carry forgotten, or counted twice: of a tenth, of a one in large sums, of a hundredth in long decimals."""
    large = abs(evaluate(added(parts), EXACT_ON_PRINTED)) >= 1
    fine = all(isinstance(part, Ref) and (part.cell.prints or 0) > 2 for part in parts)
    for carry in (*TENTHS, *(ONES if large else ()), *(HUNDREDTHS if fine else ())):
        says = f"a carried {abs(carry):g} is {'counted once too often' if carry > 0 else 'forgotten'}"
        weight = POINT if carry in TENTHS else POINT / 2
        yield AppliedSlip("carry", says, weight, rebuild(Op("+", (added(parts), number(carry)))))


def _factors(parts: tuple[Node, ...], place: int, rebuild: Rebuild) -> Iterator[AppliedSlip]:
    """One product that is worked wrongly: added, or with 0 taken as 1."""
    match parts[place]:
        case Op("*", (left, right)):
            pass
        case _:
            return

    def put(node: Node) -> Node:
        return rebuild(added((*parts[:place], node, *parts[place + 1 :])))

    plus = put(Op("+", (left, right)))
    yield AppliedSlip("added", "{} and {} are added, not multiplied", POINT, plus, (left, right))
    for factor, other in ((left, right), (right, left)):
        if isinstance(factor, Ref) and evaluate(factor, EXACT_ON_PRINTED) == 0:
            says = "times 0 is taken as times 1 in the term {}"
            yield AppliedSlip("zero-as-one", says, RARE, put(other), (parts[place],))


def _paired(parts: tuple[Node, ...], rebuild: Rebuild) -> Iterator[AppliedSlip]:
    """The second row against the first: a place apart, reversed, two of its numbers exchanged."""
    pairs = [part.args for part in parts if isinstance(part, Op) and part.kind == "*" and len(part.args) == 2]
    if len(pairs) < len(parts) or len(parts) < 2 or not all(isinstance(pair[1], Ref) for pair in pairs):
        return
    first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]

    def paired(row: list[Node], against: list[Node] = first) -> Node:
        return rebuild(added(tuple(Op("*", pair) for pair in zip(against, row, strict=True))))

    # The number that slides off one end comes in again at the other, or has no partner at all.
    slid = [(TABLE, paired(second[-1:] + second[:-1])), (TABLE, paired(second[1:] + second[:1]))]
    if len(second) > 2:
        slid += [(RARE, paired(second[:-1], first[1:])), (RARE, paired(second[1:], first[:-1]))]
    for weight, made in slid:
        yield AppliedSlip("row-slid", "the numbers are paired one place apart", weight, made)
    reverse = paired(second[::-1])
    yield AppliedSlip("row-reversed", "one of the two rows is taken in reverse order", PAIRING, reverse)
    for a in range(len(second)):
        for b in range(a + 1, len(second)):
            if b == a + 1 or len(second) <= MOST_PAIRS:
                row = list(second)
                row[a], row[b] = row[b], row[a]
                says = "{} and {} change places"
                yield AppliedSlip("partners-exchanged", says, EXCHANGED, paired(row), (second[a], second[b]))

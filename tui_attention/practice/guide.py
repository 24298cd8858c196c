"""The marking guide of one CHECK: what else counts as right, and the wrong numbers that a class will hand in."""

from __future__ import annotations

from tui_attention.engine.decimals import printed, rounded
from tui_attention.judge.groups import SlipGroup
from tui_attention.judge.question import Prepared
from tui_attention.judge.verdict import judge
from tui_attention.practice.paper import Mistake

MOST_MISTAKES = 8
_FAR = 40  # units of the last place to look for what else counts as right


def number_text(value: float, decimals: int) -> str:
    """A number as a learner writes it."""
    return printed(value, decimals, commas=decimals == 0)


def also_right(question: Prepared) -> str:
    """What else counts as right, in words: the other numbers at the asked decimals; empty where there are none."""
    asks, region = question.asks, question.region
    if region.exact:
        return ""
    unit, own = 10.0**-asks, rounded(region.full, asks)

    def text(step: int) -> str:
        return f"{own + step * unit + 0.0:.{asks}f}"

    def reach(way: int) -> int:
        """How many numbers in one direction are accepted without a gap."""
        far = 0
        while far < _FAR and judge(question, text(way * (far + 1))).accepted:
            far += 1
        return far

    down, up = reach(-1), reach(1)
    if down and up:
        return f"{text(-down)} to {text(up)}"
    if down > 1 or up > 1:
        return f"{text(-down)} to {text(-1)}" if down else f"{text(1)} to {text(up)}"
    return text(-1) if down else text(1) if up else ""


def mistakes(question: Prepared) -> tuple[Mistake, ...]:
    """The wrong numbers by the slips that give them, the likeliest first, each as the judge tells it.

    A slip that leads elsewhere when each step is rounded says where.
    """
    found: dict[str, Mistake] = {}
    for typed, rounded_on_the_way in _wrong_numbers(question).items():
        if len(found) == MOST_MISTAKES:
            break
        verdict = judge(question, typed)
        if verdict.kind == "slip":
            says = _fact(typed, verdict.slips[0].says)
            kind = verdict.slips[0].kind
            also = [other for other in rounded_on_the_way if _is_slip(question, other, kind)]
            says += f" With rounding on the way: {', '.join(also)}." if also else ""
            found[typed] = Mistake(typed, says)
    return tuple(found.values())


def _is_slip(question: Prepared, typed: str, kind: str) -> bool:
    verdict = judge(question, typed)
    return verdict.kind == "slip" and verdict.slips[0].kind == kind


def _fact(typed: str, says: str) -> str:
    """The sentence without its beginning: the number stands beside it."""
    rest = says.removeprefix(f"{typed} is what comes out when ")
    return says if rest == says else rest[:1].upper() + rest[1:]


def _wrong_numbers(question: Prepared) -> dict[str, list[str]]:
    """What each slip prints, once, and what else rounding makes of it.

    First those that the lesson has a sentence for, then the most usual ones. What can't be told from a right number
    is left out.
    """
    asks = question.asks

    def order(group: SlipGroup) -> tuple[bool, float]:
        return not any(kind in question.says for kind in group.kinds), -group.weight

    def text(value: float) -> str:
        return f"{rounded(value, asks) + 0.0:.{asks}f}"

    found: dict[str, list[str]] = {}
    for group in sorted((group for group in question.groups if question.visible(group)), key=order):
        own = text(group.exact)
        found.setdefault(own, sorted({text(value) for value in group.values} - {own}))
    return found

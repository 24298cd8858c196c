"""What is named is likelier than coincidence: how many near numbers are, and what is said of two slips."""

from __future__ import annotations

import pytest

from tests.bench.workers import asked
from tests.judge.asking import ask, question, run
from tui_attention.judge.number import Number
from tui_attention.judge.verdict import judge, prepare


def named_near(cell: str, prompt: str | None = None) -> float:
    """The share of the numbers within half a unit of the right one that are told as a slip."""
    made = question("press-h", cell, prompt)
    found = [judge(made, f"{made.region.full + step / 100:.2f}") for step in range(-50, 51)]
    wrong = [verdict for verdict in found if not verdict.accepted]
    return sum(verdict.kind == "slip" for verdict in wrong) / len(wrong)


@pytest.mark.parametrize("tensor", ["m", "y", "q", "k", "wide", "logits", "c", "bend"])
def test_few_near_numbers_are_named_however_many_slips_a_cell_can_have(tensor: str) -> None:
    cells = [f"{tensor}[0,{place}]" for place in range(6)]
    shares = [named_near(cell) for cell in cells]
    assert sum(shares) / len(shares) <= 0.15, shares


def test_a_longer_sum_sets_the_bar_higher() -> None:
    """A term left out of twelve is told less often than one left out of three."""

    def told(cell: str) -> float:
        made = question("press-h", cell)
        left_out = [group for group in made.groups if "term-left-out" in group.kinds and made.visible(group)]
        named = [made.likely.named(Number(round(group.exact, 2), 2, "")) for group in left_out]
        return sum(bool(found) for found in named) / len(named)

    assert told("m[0,0]") < told("dots[0,0,0]")


def test_slips_that_give_the_same_number_are_both_told_with_the_part_that_tells_them_apart() -> None:
    verdict = ask("press-h", "wide[0,4]", "-0.92")
    assert [slip.kind for slip in verdict.slips] == ["term-left-out", "term-left-out"]
    assert verdict.says == (
        "Several slips give -0.92: the term b[1]*Wf[1,4] is left out; or the term b[4]*Wf[4,4] is left out. "
        "Work out b[1]*Wf[1,4] alone."
    )
    assert all(slip.says.startswith("-0.92 is what comes out when ") for slip in verdict.slips)


@pytest.mark.parametrize(
    ("cell", "typed", "kind"),
    [
        ("x1[0,0]", "2.00", "table-forgotten"),
        ("y[0,0]", "0.90", "table-forgotten"),
        ("bend[0,0]", "0.41", ""),
        ("q[0,0]", "0.29", "digits-swapped"),
        ("x2[0,0]", "3.24", "residual-twice"),
        ("x2[0,0]", "2.94", "both-residuals"),
        ("b[0,0]", "1.94", "earlier-mean"),
        ("aside_shares[0,0]", "0.78", "one-minus-share"),
        ("sigma1", "1.97", "squares-added"),
        ("aside_exp[0,0]", "0.40", "powers-of-ten"),
        ("mu1", "10.67", ""),
    ],
)
def test_slips_that_a_class_makes_are_known(cell: str, typed: str, kind: str) -> None:
    verdict = ask("press-h", cell, typed)
    kinds = {kind for slip in verdict.slips for kind in (slip.kind, *slip.also)}
    assert (kind in kinds) if kind else verdict.kind in ("slip", "wrong"), verdict


def test_every_kind_says_a_fact_in_two_lines_and_never_the_number() -> None:
    where = run("press-h", "ha")
    for working in asked(where.graph)[::5]:
        made = prepare(where, working)
        for group in made.groups[::2]:
            verdict = judge(made, f"{group.exact:.{made.asks}f}")
            assert len(verdict.says) <= 160, verdict.says
            if verdict.kind == "slip":
                assert all(slip.says.startswith(verdict.read.numbers[0].text) for slip in verdict.slips)


@pytest.mark.parametrize(
    ("cell", "typed", "kind", "says"),
    [
        ("a[0,0]", "1.73999", "pencil", "1.73999: right to 1.74, the further digits are not"),
        ("x0[0,0]", "1.105", "wrong", ""),
        ("x0[0,0]", "1.104", "wrong", ""),
        ("shares[0,0,0]", "0.996", "wrong", ""),
        ("aside_total[0]", "3.004", "right", "right to 3.00, the further digits are not"),
        ("a[0,3]", "-0.09", "pencil", "cut off"),
        ("sigma1", "0.6", "one-more-decimal", "2 decimals are asked"),
        ("a[0,0]", "2", "one-more-decimal", "Right as far as it goes"),
        ("chances[0,1]", "0.190%", "percent", "leave the sign out"),
        ("aside_shares[0,0]", "25", "percent", "percent"),
    ],
)
def test_long_short_and_cut(cell: str, typed: str, kind: str, says: str) -> None:
    verdict = ask("press-h", cell, typed)
    assert verdict.kind == kind or (kind == "wrong" and not verdict.accepted), verdict
    assert says in verdict.says

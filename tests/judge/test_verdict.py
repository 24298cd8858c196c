"""The rule of the judge, verdict by verdict, on both documents' own numbers."""

from __future__ import annotations

import pytest

from tests.judge.asking import ask, question
from tui_attention.judge.verdict import Verdict

PAGE = [
    # the page's own CHECKs
    ('splitter["."]', "8", "right", ""),
    ('splitter["."]', "7", "slip", "neighbour-row"),
    ('splitter["."]', "9", "slip", "counted-from-one"),
    ("x0[0,2]", "-0.87", "right", ""),
    ("x0[0,2]", "+0.73", "slip", "sign-lost"),
    ("x0[0,2]", "0.73", "slip", "subtracted"),
    ("a[0,0]", "1.73", "right", ""),
    ("a[0,0]", "0.58", "slip", "backward"),
    ("a[0,0]", "0.5774", "slip", "backward"),
    ("a[0,0]", "1.92", "slip", "mean-kept"),
    ("a[0,0]", "0.99", "slip", "not-divided"),
    ("a[0,0]", "2.10", "slip", "mean-added"),
    ("a[0,0]", "3.02", "slip", "divided-by-variance"),
    ("a[0,0]", "-1.73", "slip", "mean-minus-x"),
    ("a[0,0]", "0.91", "slip", "only-mean-divided"),
    ("a[0,0]", "4.94", "slip", "mean-spread-exchanged"),
    ("a[0,0]", "-0.01", "slip", "neighbour-coordinate"),
    ("a[0,0]", "1.7", "one-more-decimal", ""),
    ("a[0,0]", "2", "one-more-decimal", ""),
    ("a[0,0]", "4", "wrong", ""),
    ("mu1", "0.11", "right", ""),
    ("mu1", "0.1067", "right", ""),
    ("mu1", "0.64", "slip", "not-divided"),
    ("mu1", "0.40", "slip", "all-positive"),
    ("mu1", "0.13", "slip", "n-minus-one"),
    ("mu1", "0.21", "slip", "divided-by-head-width"),
    ("sigma1", "0.57", "right", ""),
    ("sigma1", "0.5745", "right", ""),
    ("sigma1", "0.33", "slip", "root-not-taken"),
    ("sigma1", "0.63", "slip", "n-minus-one"),
    ("sigma1", "1.97", "slip", "range"),
    ("sigma1", "0.38", "slip", "mean-distance"),
    ("q[0,0]", "0.92", "right", ""),
    ("q[0,0]", "0.9170", "right", ""),
    ("q[0,0]", "-0.44", "slip", "sign-lost"),
    ("q[0,0]", "1.14", "slip", "all-positive"),
    ("q[0,0]", "0.24", "slip", "term-left-out"),
    ("q[0,0]", "0.53", "slip", "unflattened-row"),
    ("q[0,0]", "-0.49", "slip", "neighbour-table"),
    ("q[0,0]", "-0.39", "slip", "neighbour-column"),
    ("q[0,0]", "-0.92", "slip", "answer-sign"),
    ("q[0,0]", "9.2", "slip", "point-moved"),
    ("q[0,0]", "0.80", "early", ""),
    ("scores[0,0,0]", "-0.40", "right", ""),
    ("scores[0,0,0]", "-0.41", "pencil", ""),
    ("scores[0,0,0]", "-0.70", "slip", "not-divided"),
    ("scores[0,0,0]", "-0.71", "slip", "not-divided"),
    ("scores[0,0,0]", "-0.23", "slip", "divided-by-width"),
    ("scores[0,0,0]", "-0.29", "slip", "root-full-width"),
    ("scores[0,0,0]", "-0.50", "slip", "root-heads"),
    ("scores[0,0,0]", "-0.12", "slip", "full-width"),
    ("scores[0,0,0]", "-0.82", "slip", "all-coordinates"),
    ("scores[0,0,0]", "0.58", "slip", "query-with-query"),
    ("scores[0,0,0]", "0.76", "slip", "key-with-key"),
    ("dots[0,0,0]", "-0.71", "pencil", ""),
    ("dots[0,0,0]", "-0.70", "right", ""),
    ("aside_exp[0,0]", "0.67", "right", ""),
    ("aside_exp[0,0]", "1.49", "slip", "sign-lost"),
    ("aside_shares[0,0]", "0.22", "right", ""),
    ("aside_shares[0,0]", "22", "percent", ""),
    ("aside_shares[0,0]", "22%", "right", ""),
    ("aside_shares[0,0]", "0.33", "slip", "equal-shares"),
    ("aside_shares[0,0]", "0.55", "slip", "divided-by-largest"),
    ("shares[0,0,0]", "1", "right", ""),
    ("shares[0,0,0]", "100%", "right", ""),
    ("shares[0,0,0]", "100", "percent", ""),
    ("shares[0,0,0]", "exp(0)", "unfinished", ""),
    ("shares[0,0,0]", "0.67", "slip", "not-divided"),
    ("x1[0,0]", "1.41", "right", ""),
    ("x1[0,0]", "0.31", "slip", "residual-forgotten"),
    ("x1[0,0]", "1.10", "slip", "correction-forgotten"),
    ("x1[0,0]", "2.04", "slip", "flattened-row"),
    ("x1[0,0]", "0.79", "slip", "subtracted"),
    ("x2[0,0]", "1.83", "right", ""),
    ("x2[0,0]", "1.84", "pencil", ""),
    ("x2[0,0]", "1.53", "slip", "row-before"),
    ("b[0,0]", "1.73", "slip", "row-before-add"),
    ("bend[0,0]", "0.14", "slip", "no-bend"),
    ("bend[0,0]", "0.56", "slip", "phi-alone"),
    ("bend[0,1]", "0.00", "slip", "relu"),
    ("bend[0,1]", "-0.16", "pencil", ""),
    ("m[0,0]", "0.43", "right", ""),
    ("m[0,0]", "0.42", "pencil", ""),
    ("chances[0,1]", "0.190", "right", ""),
    ("chances[0,1]", "19", "percent", ""),
    ("chances[0,1]", "19.0%", "right", ""),
    ("chances[0,1]", "2.075", "slip", "not-divided"),
    ("chances[0,1]", "0.100", "slip", "equal-shares"),
    ("chances[0,1]", "0.235", "slip", "divided-by-others"),
    ("cum[0,3]", "0.492", "right", ""),
    ("cum[0,3]", "0.326", "slip", "stopped-early"),
    ("cum[0,3]", "0.619", "slip", "one-too-far"),
    ("cum[0,3]", "0.166", "slip", "chance-itself"),
    ("cum[0,3]", "0.508", "slip", "the-rest"),
    ("greedy", "1", "right", ""),
    ("greedy", "0.73", "slip", "value-not-place"),
    ("greedy", "2", "slip", "counted-from-one"),
    ("greedy", "5", "slip", "smallest"),
    ("drawn", "3", "right", ""),
    ("drawn", "1", "slip", "greedy-mark"),
    ("drawn", "2", "slip", "one-too-early"),
    ("drawn", "4", "slip", "one-too-late"),
    ("e[0,0]", "0.28", "right", ""),
    ("e[0,0]", "-0.58", "slip", "neighbour-row"),
    ("e[0,0]", "-0.23", "slip", "neighbour-coordinate"),
    ("ids", "8", "slip", "neighbour-row"),
    ("m[0,0]", "", "empty", ""),
    ("m[0,0]", "nan", "unreadable", ""),
    ("m[0,0]", "1_000", "unreadable", ""),
    ("m[0,0]", "0.9.2", "unreadable", ""),
]
BANK = [
    ("word_dots[3,1]", "0.540", "right", ""),
    ("word_dots[3,1]", ".54", "right", ""),
    ("word_dots[3,1]", "0,54", "right", ""),
    ("word_dots[3,1]", "5.4", "slip", "point-moved"),
    ("trio_shares[2]", "0.498", "right", ""),
    ("trio_shares[2]", "0.647", "slip", "exp-left-out"),
    ("trio_shares[2]", "2.691", "slip", "not-divided"),
    ("trio_shares[2]", "2.009", "slip", "backward"),
    ("sharp_shares[2]", "0.498", "slip", "unscaled"),
    ("S[0,2]", "0", "right", ""),
    ("scores[2,1]", "0.360", "slip", "transposed"),
    ("scores[2,1]", "1.146", "slip", "scaled"),
    ("scaled[2,2]", "1.080", "slip", "not-divided"),
    ("scaled[2,2]", "0.540", "slip", "divided-by-width"),
    ("weights[2,0]", "0.111", "slip", "unscaled"),
    ("weights[2,0]", "0.522", "slip", "transposed"),
    ("out[2,0]", "0.435", "right", ""),
    ("out[2,0]", "0.158", "slip", "other-sentence"),
    ("out[2,0]", "0.300", "slip", "kept-own-row"),
    ("out[2,0]", "0.400", "slip", "plain-average"),
    ("out[2,0]", "1.200", "slip", "no-shares"),
    ("mixed[2,0]", "0.400", "slip", "plain-average"),
    ("causal_weights[1,0]", "0.266", "slip", "masked-counted"),
    ("causal_mixed[1,2]", "0.150", "slip", "plain-average"),
    ("causal_mixed[1,2]", "0.426", "slip", "masked-counted"),
    ("per_head", "147,456", "right", ""),
    ("per_head", "147.456", "wrong", ""),
    ("gpt2_attention", "28,311,552", "right", ""),
    ("gpt2_attention", "28 311 552", "right", ""),
    ("outr[0,0]", "0.435", "right", ""),
]


def _kinds(verdict: Verdict) -> set[str]:
    return {kind for slip in verdict.slips for kind in (slip.kind, *slip.also)}


@pytest.mark.parametrize(("cell", "typed", "kind", "slip"), PAGE)
def test_the_page(cell: str, typed: str, kind: str, slip: str) -> None:
    verdict = ask("press-h", cell, typed)
    assert verdict.kind == kind, verdict
    assert not slip or slip in _kinds(verdict), verdict.slips
    assert bool(verdict.slips) == (kind == "slip")


@pytest.mark.parametrize(("cell", "typed", "kind", "slip"), BANK)
def test_the_workshop(cell: str, typed: str, kind: str, slip: str) -> None:
    verdict = ask("bank", cell, typed)
    assert verdict.kind == kind, verdict
    assert not slip or slip in _kinds(verdict), verdict.slips


@pytest.mark.parametrize(
    ("cell", "typed", "kind", "says"),
    [
        ("x0[0,0]", "1.105", "wrong", "1.105 has a digit too many: nothing is rounded here"),
        ("x0[0,0]", "1.1000", "right", "Right: 1.10."),
        ("x0[0,2]", "-0.8749", "wrong", "has a digit too many"),
        ("shares[0,0,0]", "0.996", "wrong", "has a digit too many"),
        ("shares[0,0,0]", "1.00", "right", "Right: 1.00."),
        ("aside_total[0]", "3.004", "right", "right to 3.00, the further digits are not"),
        ("greedy", "1.2", "wrong", "That is not the one: find the largest of the row."),
    ],
)
def test_no_digit_is_invented(cell: str, typed: str, kind: str, says: str) -> None:
    verdict = ask("press-h", cell, typed)
    assert verdict.kind == kind
    assert says in verdict.says


def test_the_token_table_is_the_one_that_tokens_are_looked_up_in() -> None:
    kinds = {group.members[0].kind for group in question("press-h", "wide[0,11]").groups}
    assert "tied-table" not in kinds  # the table of places has the same shape, turned over
    assert "tied-table" in {kind for group in question("press-h", "logits[0,9]").groups for kind in group.kinds}


def test_the_documents_sign_comes_first() -> None:
    verdict = ask("press-h", "x0[0,2]", "0.73")
    assert [slip.kind for slip in verdict.slips] == ["sign-lost"]
    assert verdict.slips[0].also == ("subtracted",)
    assert verdict.slips[0].cells == ("P[0,2]",)
    assert "0.73 is what comes out when" in verdict.says


def test_the_page_divided_backward() -> None:
    verdict = ask("press-h", "a[0,0]", "0.58")
    assert verdict.says == "0.58 is what comes out when the division is done backward: 0.5736 / (1.10 - 0.1067)."
    assert verdict.attempt
    assert not verdict.accepted


def test_both_numbers_are_said_when_the_pencil_differs() -> None:
    verdict = ask("press-h", "x2[0,0]", "1.84")
    assert verdict.accepted
    assert "1.84" in verdict.says
    assert "1.83" in verdict.says


def test_a_lone_share_is_no_exp_of_zero() -> None:
    verdict = ask("press-h", "shares[0,0,0]", "exp(0)")
    assert verdict.kind == "unfinished"
    assert not verdict.attempt
    assert "0 in the place of the score" in verdict.says
    assert "1" not in verdict.says.replace("[0,0,0]", "")


@pytest.mark.parametrize(
    ("cell", "typed", "leads"),
    [
        ("a[0,0]", "(1.10 - 0.1067) / 0.5736", True),
        ("a[0,0]", "(1.10 − 0.1067) ÷ 0.5736", True),
        ("a[0,0]", "(1.10 - 0.11) / 0.57", True),
        ("a[0,0]", "0.5736 / (1.10 - 0.1067)", False),
        ("a[0,0]", "(x0[0,0] - mu1) / sigma1", True),
        ("a[0,0]", "(x0[0] - mu1[0]) / sigma1[0]", True),
        ("scores[0,0,0]", "-0.71/root(3)", True),
        ("scores[0,0,0]", "-0.71/3", False),
        ("shares[0,0,0]", "exp(-0.40)/exp(-0.40)", True),
        ("bend[0,0]", "0.14 x Phi(0.14)", True),
        ("x2[0,0]", "x2[0,0] + 0", False),
        ("x1[0,0]", "sqrt(2)", False),  # 1.41, but not with the numbers of this line
        ("x1[0,0]", "1.41 * 1", False),
        ("x1[0,0]", "1.10 + 0.31", True),
        ("x1[0,0]", "1.10 + 0.30", False),
    ],
)
def test_arithmetic_is_free_and_its_value_unsaid(cell: str, typed: str, leads: bool) -> None:
    verdict = ask("press-h", cell, typed)
    assert verdict.kind == "unfinished"
    assert not verdict.attempt
    assert verdict.says.startswith("That set-up leads there.") is leads
    assert verdict.value is None


def test_a_number_of_ones_own_is_carried() -> None:
    verdict = ask("press-h", "q[0,0]", "0.69", own={"a[0,0]": 0.58})
    assert verdict.kind == "own-row"
    assert verdict.accepted
    assert verdict.own_cells == ("a[0,0]",)
    assert "a[0] = 0.58 where 1.73 is printed" in verdict.says


@pytest.mark.parametrize("own", [{"a[0,0]": 1.73}, {"k[0,0]": 0.58}, {"nothing[0]": 1.0}])
def test_prints_and_strangers_are_not_carried(own: dict[str, float]) -> None:
    assert ask("press-h", "q[0,0]", "0.57", own=own).kind != "own-row"


def test_a_zero_of_ones_own_is_carried_like_any_other_number() -> None:
    verdict = ask("press-h", "q[0,0]", "0.57", own={"a[0,0]": 0.0})
    assert verdict.kind == "own-row"
    assert "a[0] = 0.00 where 1.73 is printed" in verdict.says


def test_own_rows_go_through_inner_results() -> None:
    verdict = ask("press-h", "scores[0,0,0]", "0.11", own={"dots[0,0,0]": 0.19})
    assert verdict.kind == "own-row"
    assert verdict.own_cells == ("dots[0,0,0]",)


def test_the_printed_row_comes_before_ones_own() -> None:
    assert ask("press-h", "q[0,0]", "0.92", own={"a[0,0]": 0.58}).kind == "right"


def test_a_comma_is_read_both_ways() -> None:
    assert ask("bank", "out[2,0]", "0,435").kind == "right"
    assert ask("bank", "weights[2,1]", "0,500").kind == "right"
    assert ask("bank", "per_head", "147,456").value == 147456
    assert ask("bank", "outr[0,0]", "1,435").attempt


def test_at_most_two_groups_the_most_usual_first() -> None:
    for cell, typed, *_ in PAGE:
        weights = [slip.weight for slip in ask("press-h", cell, typed).slips]
        assert len(weights) <= 2
        assert weights == sorted(weights, reverse=True)


def test_a_wrong_number_gets_a_question_that_helps() -> None:
    verdict = ask("press-h", "q[0,0]", "7.77")
    assert (
        verdict.says == "No usual slip gives that. The part that weighs most is -1.70*(-0.4): what does it come to?"
    )
    assert verdict.cells == ("a[0,2]", "Wq[2,0]")


def test_a_slip_that_gives_the_right_number_is_no_blame() -> None:
    verdict = ask("press-h", "shares[0,0,0]", "1.00")
    assert verdict.kind == "right"
    assert not verdict.slips
    assert not verdict.ambiguous, "a share of one is one, however it is shared out"
    assert ask("press-h", "scores[0,0,0]", "-0.41").ambiguous, "the other head's score is -0.41 as well"


def test_a_slip_on_own_rows_is_told_with_own_numbers() -> None:
    own = {"mu2[0]": 0.3}
    verdict = ask("press-h", "b[0,0]", "0.60", own)
    assert (
        verdict.says
        == "With your own row, 0.60 is what comes out when the division is done backward: 0.6692 / (1.41 - 0.30)."
    )
    assert ask("press-h", "b[0,0]", "9.87", own).says.startswith("No usual slip gives that. Begin with 1.41 - 0.30")


def test_an_own_number_that_is_right_is_spoken_of_as_it_is_printed() -> None:
    verdict = ask("press-h", "a[0,0]", "1.51", {"mu1[0]": 0.11})
    assert verdict.says == "No usual slip gives that. Begin with 1.10 - 0.1067: what does it come to?"

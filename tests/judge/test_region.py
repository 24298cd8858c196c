"""What counts as right, at its edges: the print, the honest styles, one decimal fewer, percent."""

from __future__ import annotations

import pytest

from tests.judge.asking import ask, run, working
from tui_attention.engine.working import Op, number
from tui_attention.judge.number import Number
from tui_attention.judge.region import Accepted, certain, region, same, within
from tui_attention.judge.verdict import judge, prepare


def typed(text: str) -> Number:
    return Number(float(text), len(text.partition(".")[2]), text)


def test_a_half_is_printed_up_and_the_other_side_is_no_print() -> None:
    made = region(number(0.405), 2)
    assert made.accepted(typed("0.41")) == Accepted("right")
    assert made.accepted(typed("0.40")) == Accepted("pencil", "cut")
    assert made.accepted(typed("0.405")) == Accepted("right")
    assert made.accepted(typed("0.4051")) is None  # an exact number takes no invented digits


def test_binary_noise_makes_no_difference() -> None:
    assert same(0.1 + 0.2, 0.3)
    assert not same(0.3, 0.300001)
    assert within(1.1 + 2.2, 3.0, 3.0, 0.3)


def test_a_root_is_taken_from_any_usual_table() -> None:
    made = region(Op("/", (number(100), Op("sqrt", (number(3),)))), 2)
    found = {round(value, 3) for value in made.values}
    assert found >= {round(100 / root, 3) for root in (3**0.5, 1.7321, 1.732, 1.73)}
    assert made.accepts(typed("57.80"))
    assert not made.accepts(typed("58.82"))  # a root of one decimal is too coarse


def test_a_step_in_between_may_keep_as_many_decimals_as_are_asked_or_more() -> None:
    made = region(Op("*", (number(100), Op("/", (number(1), number(3))))), 1)
    assert {round(value, 3) for value in made.values} == {33.333, 33.3, 33.0, 30.0}
    assert made.accepts(typed("30.0"))


def test_phi_is_looked_up_with_four_decimals_or_fewer() -> None:
    made = region(Op("*", (number(1000), Op("phi", (number(0.15),)))), 1)
    assert {round(value, 3) for value in made.values} == {559.618, 559.6, 560.0, 600.0}


@pytest.mark.parametrize(
    ("text", "asks", "short"),
    [("2.3", 2, True), ("2.2", 2, False), ("2", 1, True), ("2", 2, True), ("3", 2, False), ("2.31", 2, False)],
)
def test_fewer_decimals_are_right_as_far_as_they_go(text: str, asks: int, short: bool) -> None:
    assert region(number(2.31), asks).short(typed(text)) is short
    assert certain(2.31, asks).short(typed(text)) is short


def test_a_bare_zero_goes_nowhere() -> None:
    assert not region(number(0.4), 2).short(typed("0"))
    assert region(number(0.04), 2).short(typed("0.0"))
    assert not region(number(0.06), 2).short(typed("0.0"))


def test_one_in_percent_is_a_hundredth() -> None:
    where = run("press-h")
    made = prepare(where, working(where, "x0[0,4]"), shares=True)  # prints 0.01
    assert judge(made, "1").kind == "percent"
    assert judge(made, "1%").kind == "right"
    assert judge(made, "0.9").kind != "percent"


def test_a_sum_of_shares_is_a_share() -> None:
    assert ask("bank", "row_sums[0]", "100%").accepted
    assert ask("bank", "row_sums[0]", "100").kind == "percent"
    assert ask("bank", "S[0,0]", "100%").kind == "unreadable"

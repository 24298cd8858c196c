"""Operations at their edges: masks, huge scores, decimals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.lessons import toy
from tui_attention.engine.decimals import printed, quick_rounded, rounded
from tui_attention.engine.errors import LessonError
from tui_attention.engine.formula import parse
from tui_attention.engine.graph import Graph
from tui_attention.engine.working import formula, line
from tui_attention.lessons.run import open_run


def value(text: str, prompt: str = "had") -> np.ndarray:
    return open_run("press-h", prompt=prompt).graph.evaluate(parse(text)).values


def test_masked_scores_are_minus_infinity_not_a_finite_stand_in() -> None:
    scores = open_run("press-h", prompt="had").graph.tensor("scores").values
    ahead = np.triu(np.ones((3, 3), bool), 1)
    assert np.isneginf(scores[:, ahead]).all()
    assert np.isfinite(scores[:, ~ahead]).all()


def test_a_fully_masked_row_gives_shares_of_zero_and_a_sentence() -> None:
    graph = open_run("press-h", prompt="ha").graph
    made = graph.evaluate(parse("softmax(masked(dots, causal(ids) * 0))"))
    assert made.values.tolist() == np.zeros((2, 2, 2)).tolist()
    node = made.at((0, 0, 0))
    assert "masked" in node.says  # type: ignore[union-attr]


@pytest.mark.parametrize("factor", ["1e100", "-1e100", "1e12"])
def test_softmax_survives_huge_scores(factor: str) -> None:
    text = (
        "softmax(aside * 1e12 * 1e12 * 1e12 * 1e12 * 1e12 * 1e12 * 1e12 * 1e12 * 1e4)"
        if "e100" in factor
        else "softmax(aside * 1e12)"
    )
    if factor.startswith("-"):
        text = text.replace("softmax(aside", "softmax(-aside")
    shares = value(text)
    assert np.isfinite(shares).all()
    assert shares.sum() == 1
    assert shares.max() == 1


def test_a_huge_score_can_be_recomputed_from_its_own_formula() -> None:
    node = open_run("press-h").graph.evaluate(parse("softmax(aside * 1e9)")).at((0, 1))
    text = formula(node)
    for column, number in enumerate((-0.40, 0.20, 0.10)):
        text = text.replace(f"aside[0,{column}]", f"({number})")
    assert eval(text, {"exp": math.exp}) == 1


@pytest.mark.parametrize(
    ("number", "decimals", "text"),
    [
        (0.915, 2, "0.92"),
        (-0.915, 2, "-0.92"),
        (2.675, 2, "2.68"),
        (0.125, 2, "0.13"),
        (1.005, 2, "1.01"),
        (-0.004, 2, "0.00"),
        (-0.0, 2, "-0.00"),
        (28311552, 0, "28,311,552"),
        (2.220446e-16, -2, "2.22e-16"),
        (-math.inf, 2, "-inf"),
    ],
)
def test_numbers_are_rounded_as_a_person_does(number: float, decimals: int, text: str) -> None:
    assert printed(number, decimals, commas=True) == text


@given(st.integers(-(10**7), 10**7), st.integers(0, 4), st.integers(1, 3))
def test_rounding_goes_half_away_from_zero_on_the_decimal_digits(whole: int, keep: int, more: int) -> None:
    # whole / 10^(keep + more) is what was typed; the exact answer comes from integers.
    number = whole / 10 ** (keep + more)
    unit = 10**more
    exact = (abs(whole) * 2 + unit) // (2 * unit) * (1 if whole >= 0 else -1)
    assert rounded(number, keep) * 10**keep == pytest.approx(exact, abs=1e-6)
    assert quick_rounded(number, keep) == pytest.approx(rounded(number, keep), abs=1e-12)


def test_turning_a_dial_recomputes_only_what_it_reaches() -> None:
    graph = open_run("press-h").graph
    for name in graph.names():
        graph.tensor(name)
    turned = graph.turn("Wf", (0, 0), 0.9, 1)
    assert turned.traced("q") is graph.traced("q")
    assert turned.traced("wide") is not graph.traced("wide")
    change = 0.7 * graph.tensor("b").values[0, 0]
    assert turned.tensor("wide").values[0, 0] == pytest.approx(graph.tensor("wide").values[0, 0] + change, abs=1e-12)
    assert turned.tensor("wide").values[0, 1] == graph.tensor("wide").values[0, 1]
    back = turned.with_turned({})
    assert np.array_equal(back.tensor("logits").values, graph.tensor("logits").values)


def test_changing_the_ticket_keeps_the_forward_pass() -> None:
    graph = open_run("press-h").graph
    first = graph.tensor("drawn").values[0]
    other = graph.with_inputs(ticket=0.9)
    assert other.traced("cum") is graph.traced("cum")
    assert (first, other.tensor("drawn").values[0]) == (3, 8)


def test_a_step_cannot_read_a_later_one() -> None:
    graph = open_run("press-h").graph
    with pytest.raises(LessonError, match="before the step that makes it"):
        graph.evaluate(parse("logits * 2"), before=3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a @ nothing", "nothing is called 'nothing'"),
        ("open(a)", "is not an operation"),
        ("a @ Wo @", "was expected"),
        ("a < q < k", "one comparison at a time was expected"),
        ("a[", "was expected"),
        ("a.real", "'.T'"),
        ("__import__", "nothing is called"),
        ("a[0,9]", "0 to 5 are legal"),
        ("a[7]", "0 is the only one"),
        ("a @ Wp", "6 columns (coordinate) against 12 rows (lane)"),
        ("split_heads(q, 4)", "cannot be split into 4"),
        ("prompt + 1", "is a text"),
        ("mean()", "takes (row)"),
        ("'x'", "a number, a name or '('"),
    ],
)
def test_what_is_no_formula_is_refused_with_a_column_and_what_was_expected(text: str, expected: str) -> None:
    graph: Graph = open_run("press-h").graph
    with pytest.raises(LessonError) as caught:
        graph.evaluate(parse(text))
    assert expected in str(caught.value)
    assert caught.value.column >= 1


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("pick(row, 0.25)", 0),  # reached exactly
        ("pick(row, 0.251)", 1),
        ("pick(row, 0.99)", 2),
        ("pick(row * 0.99, 1)", 2),  # a row that falls short of 1 is a full row all the same
        ("pick(row * 1.5984, 0.4)", 0),  # 0.3996 prints 0.400
        ("pick(row * 1.5976, 0.4)", 1),  # 0.3994 prints 0.399
        ("pick(row * 1.6, 0.4005)", 1),
        ("pick(row * 1.002, 0.251)", 0),  # 0.2505 prints 0.251, as a person rounds
    ],
)
def test_a_ticket_draws_the_first_total_that_prints_as_much(text: str, place: int) -> None:
    graph = toy.run(toy.steps("row = cumsum(abs_row)").replace("[[stage]]", PICKED + "[[stage]]")).graph
    assert int(graph.evaluate(parse(text)).values[0]) == place


PICKED = """
[tables.abs_row]
prints = 2
values = [[0.25, 0.50, 0.25]]
"""


@pytest.mark.parametrize(("text", "same"), [("1e-13", True), ("1e-11", False), ("0.01", False)])
def test_equal_is_within_a_hair(text: str, same: bool) -> None:
    assert bool(value(f"equal(x0, x0 + {text})")) is same


def test_a_stated_number_is_an_operand_like_any_other() -> None:
    """A place that is told in a sentence where it stands alone is a number in a line."""
    graph = toy.run(toy.steps("at = slots(tokens(prompt))[-1:]", "y = cos(at)")).graph
    working = graph.working("y", (0,))
    assert working.root is not None
    assert line(working.root) == "cos(1)"
    assert line(graph.definition("at").at((0,))) == "token 1 stands in slot 1"

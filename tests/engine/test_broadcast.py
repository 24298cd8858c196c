"""Arrays meet by the names of their axes: a total for each row divides its row, whatever the sizes are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.lessons.toy import run
from tui_attention.engine.errors import LessonError
from tui_attention.engine.working import operands
from tui_attention.lessons.run import LessonRun

SQUARE = """
format = 1
id = "square"
title = "square"
[tables.Z]
axes = ["word", "axis"]
values = [[1.0, 2.0], [0.5, -1.0]]
[tables.row]
axes = ["axis"]
values = [10.0, 20.0]
[tables.loose]
axes = ["lane"]
values = [10.0, 20.0]
[tables.twice]
axes = ["word", "word"]
values = [[1.0, 2.0], [3.0, 4.0]]
[tables.both]
axes = ["word"]
values = [1.0, 2.0]
[tables.wide]
axes = ["word", "lane"]
values = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
[[stage]]
id = "one"
title = "one"
wall = "A wall."
steps = '''
W = exp(Z)
total = sum(W)
A = W / total
'''
"""


@pytest.fixture(scope="module")
def square() -> LessonRun:
    return run(SQUARE)


def value(of: LessonRun, text: str) -> np.ndarray:
    return of.formula(text).values


def test_the_total_of_a_row_divides_its_row(square: LessonRun) -> None:
    assert value(square, "sum(A)").tolist() == pytest.approx([1, 1])
    assert np.allclose(value(square, "A"), value(square, "softmax(Z)"))


def test_words_against_words_too(square: LessonRun) -> None:
    for text in ("exp(Z @ Z.T) / sum(exp(Z @ Z.T))", "1 * exp(Z @ Z.T) / sum(exp(Z @ Z.T))"):
        assert value(square, f"sum({text})").tolist() == pytest.approx([1, 1])


def test_a_row_of_the_other_axis_goes_down_the_columns(square: LessonRun) -> None:
    assert value(square, "Z + row").tolist() == [[11, 22], [10.5, 19]]
    assert value(square, "row + Z").tolist() == [[11, 22], [10.5, 19]]
    assert value(square, "row - Z").tolist() == [[9, 18], [9.5, 21]]


def test_the_working_reads_the_cells_that_the_number_comes_from(square: LessonRun) -> None:
    root = square.graph.working("A", (1, 0)).root
    assert root is not None
    assert [cell.address for cell in operands(root)] == ["W[1,0]", "total[1]"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Z * loose", "loose (2 lane) could stand for each word or for each axis of Z (2 word x 2 axis)"),
        ("twice / both", "both (2 word) could stand for each axis 0 or for each axis 1 of twice (2 word x 2 word)"),
    ],
)
def test_where_names_do_not_decide_it_is_an_error_that_says_both_readings(
    square: LessonRun, text: str, says: str
) -> None:
    with pytest.raises(LessonError) as caught:
        value(square, text)
    assert says in str(caught.value)


def test_where_names_say_nothing_sizes_do_if_one_reading_is_left(square: LessonRun) -> None:
    assert value(square, "wide * row").tolist() == [[10, 20, 30], [80, 100, 120]]


def test_a_name_in_another_place_is_not_overruled_by_its_size(square: LessonRun) -> None:
    """A row of three words does not fit a matrix of two words and three lanes, though it has three lanes."""
    made = run(SQUARE.replace("[tables.both]", '[tables.three]\naxes = ["word"]\nvalues = [1, 2, 3]\n[tables.both]'))
    with pytest.raises(LessonError, match="do not fit each other"):
        value(made, "wide * three")


@given(st.integers(1, 4), st.integers(1, 4))
def test_rows_are_shared_out_whatever_the_sizes(rows: int, columns: int) -> None:
    values = [[0.1 * (i + 1) - 0.3 * j for j in range(columns)] for i in range(rows)]
    made = run(SQUARE.replace("[[1.0, 2.0], [0.5, -1.0]]", repr(values), 1))
    assert value(made, "sum(A)").tolist() == pytest.approx([1] * rows)
    assert value(made, "(Z - mean(Z)) / spread(Z)") == pytest.approx(value(made, "layer_norm(Z)"))

"""Small tables: aligned, wrapped, never cut, and silent about what is covered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_attention.lessons.run import open_run
from tui_attention.render.rows import plain as text_of
from tui_attention.render.rows import width_of
from tui_attention.render.tables import phi_lines, phi_texts, table_lines
from tui_attention.walk.ledger import Ledger
from tui_attention.walk.questions import QuestionPlan
from tui_attention.walk.view import View
from tui_attention.walk.visible import VisibleLesson

ROWS = (("possible tokens", "10", "50,257"), ("width", "6", "768"))


def plain(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...], width: int) -> list[str]:
    return [text_of(line) for line in table_lines(columns, rows, width)]


def test_numbers_stand_right_and_words_left() -> None:
    assert plain(("thing", "toy", "GPT-2 small"), ROWS, 54) == [
        "thing            toy  GPT-2 small",
        "─" * 33,
        "possible tokens   10       50,257",
        "width              6          768",
    ]


def test_a_narrow_table_wraps_between_words() -> None:
    assert plain(("thing", "toy", "GPT-2 small"), ROWS, 22) == [
        "thing     toy    GPT-2",
        "                 small",
        "─" * 22,
        "possible   10   50,257",
        "tokens",
        "width       6      768",
    ]


# What steers a terminal never comes from a lesson, and rich leaves it out.
texts = st.text(st.characters(exclude_categories=("Cc", "Cf", "Cs", "Mn", "Me")), max_size=30)


@given(
    st.lists(st.tuples(texts, texts), max_size=5),
    st.integers(8, 80),
)
def test_nothing_is_lost_and_nothing_too_wide(rows: list[tuple[str, str]], width: int) -> None:
    lines = table_lines(("a", "b"), rows, width)
    assert all(width_of(line) <= width for line in lines)
    shown = sorted("".join("".join(text_of(line) for line in lines).split()).replace("─", ""))
    assert shown == sorted("".join("".join(("a", "b", *(x for row in rows for x in row))).split()).replace("─", ""))


def wide(prompt: str, *, cover: bool) -> View:
    run = open_run("press-h", prompt=prompt)
    plan = QuestionPlan(run)
    now = plan.order("wide") if cover else 10**6
    return VisibleLesson(plan, Ledger(), cover, now, True).view("wide")


def test_each_number_stands_above_its_phi() -> None:
    labels, numbers, values = phi_texts(wide("h", cover=False))
    lines = [text_of(line) for line in phi_lines(numbers, values, 54, labels=labels)]
    assert lines[0].split() == ["0", "1", "2", "3", "4", "5"]
    assert lines[1].split() == ["z", "0.14", "-0.49", "0.98", "-0.25", "-0.96", "-0.25"]
    assert lines[2].split() == ["Phi(z)", "0.5557", "0.3121", "0.8365", "0.4013", "0.1685", "0.4013"]
    assert len(lines) == 7
    assert len(phi_lines(numbers, values, 110, labels=labels)) == 3


def test_phi_of_a_covered_number_is_covered() -> None:
    labels, numbers, values = phi_texts(wide("h", cover=True))
    assert set(numbers) == set(values) == {"····"}
    rows = [text_of(line) for line in phi_lines(numbers, values, 54, labels=labels)]
    assert {word for row in rows if row.startswith("Phi") for word in row.split()[1:]} == {"····"}


@pytest.mark.parametrize("width", [24, 54, 90])
def test_a_longer_prompt_names_its_tokens(width: int) -> None:
    labels, numbers, values = phi_texts(wide("ha", cover=False))
    assert labels[12] == "1,0"
    assert len(labels) == len(values) == 24
    assert all(width_of(line) <= width for line in phi_lines(numbers, values, width, labels=labels))

"""The ladder of hints."""

from __future__ import annotations

import re

import pytest

from tests.bench.workers import asked
from tests.judge.asking import ask, run, working
from tui_attention.judge.hint_levels import HINT_LEVELS
from tui_attention.judge.hints import first_level, hint_at_level


def says(cell: str, level: int, lesson: str = "press-h") -> str:
    where = run(lesson)
    return hint_at_level(where, working(where, cell), level).says


def test_the_ladder() -> None:
    assert says("a[0,0]", 1) == (
        "Subtract the row's mean, then divide by the row's spread. a = layer_norm(x0, mu1, sigma1)"
    )
    assert says("a[0,0]", 2) == "What goes in: x0[0], mu1, sigma1."
    assert says("a[0,0]", 3) == "The first of it: 1.10 - 0.1067 = 0.99."
    assert says("a[0,0]", 4) == "a[0] = 0.99 / 0.5736 = ____"  # the line itself is on the screen already
    assert says("a[0,0]", 5) == "a[0] = 1.73"


@pytest.mark.parametrize("lesson", ["press-h", "bank"])
def test_the_number_stands_on_the_last_rung_only(lesson: str) -> None:
    where = run(lesson)
    for name in where.graph.names():
        tensor = where.graph.tensor(name)
        for index in [tuple(size - 1 for size in tensor.shape)]:
            found = where.graph.working(*where.graph.source(name, index))
            if not found.askable:
                continue
            rungs = [hint_at_level(where, found, level) for level in range(1, HINT_LEVELS + 1)]
            assert [hint.level for hint in rungs] == [1, 2, 3, 4, 5]
            assert rungs[4].says.endswith(f"= {found.cell.printed}")
            assert all(hint.says for hint in rungs)
            assert "____" in rungs[3].says


def test_the_first_rungs_of_a_single_step_do_not_give_it_away() -> None:
    for cell in ("x0[0,2]", "heads[0,0,0]", "aside_exp[0,0]", "x2[0,0]"):
        where = run("press-h")
        printed = working(where, cell).cell.printed
        assert all(printed not in says(cell, level).split() for level in (1, 3)), cell


@pytest.mark.parametrize(
    ("cell", "level", "expected"),
    [
        ("scores[0,0,0]", 1, "Multiply in pairs along row and column, then add, then divide by the root."),
        ("x0[0,2]", 4, "x0[2] = -0.07 + (-0.80) = ____, between -0.9 and -0.8"),
        ("heads[0,0,0]", 4, "heads[0,0,0] = ____, between 0.8 and 1.0"),
        ("greedy", 3, "counting from 0: the first is -0.36, the second 0.73. Find the largest of the row."),
        ("drawn", 3, "Find the first running total that reaches the ticket; the ticket is 0.40."),
        ('splitter["."]', 3, "Put a finger on the line, and read across."),
        ("y[0,0]", 2, "What goes in: blend[0], Wo[0,0], blend[1], Wo[1,0], blend[2] and 7 more."),
    ],
)
def test_a_hint_says_what_helps_here(cell: str, level: int, expected: str) -> None:
    assert expected in says(cell, level)


def test_after_a_slip_the_second_level_stands_at_an_operand_never_at_the_cell_that_was_read_instead() -> None:
    where = run("press-h")
    verdict = ask("press-h", "a[0,0]", "-0.01")  # the coordinate beside
    hint = hint_at_level(where, working(where, "a[0,0]"), 2, verdict.slips[0])
    assert set(hint.cells) <= {"x0[0,0]", "mu1[0]", "sigma1[0]"}


@pytest.mark.parametrize("lesson", ["press-h", "bank"])
def test_no_hint_but_the_last_is_the_answer_or_longer_than_two_lines(lesson: str) -> None:
    where = run(lesson)
    for found in asked(where.graph):
        bare = found.cell.printed.removeprefix("-")
        for level in (1, 2, 3, 4):
            hint = hint_at_level(where, found, level)
            assert len(hint.says) <= 160, hint.says
            if level > 2:
                assert bare not in re.findall(r"\d[\d,]*(?:\.\d+)?", re.sub(r"\[[^\]]*\]", "", hint.says)), hint.says


def test_after_a_named_slip_the_ladder_starts_at_its_cells() -> None:
    where = run("press-h")
    verdict = ask("press-h", "q[0,0]", "-0.44")
    assert first_level(named=bool(verdict.slips)) == 2
    assert first_level(named=False) == 1
    hint = hint_at_level(where, working(where, "q[0,0]"), 2, verdict.slips[0])
    assert hint.cells == verdict.slips[0].cells == ("a[0,2]",)
    assert hint.says == "Look again at a[2]."

"""The ladder of hints."""

from __future__ import annotations

import pytest

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
    assert says("a[0,0]", 4) == "a[0] = (1.10 - 0.1067) / 0.5736 = ____"
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


def test_after_a_named_slip_the_ladder_starts_at_its_cells() -> None:
    where = run("press-h")
    verdict = ask("press-h", "q[0,0]", "-0.44")
    assert first_level(named=bool(verdict.slips)) == 2
    assert first_level(named=False) == 1
    hint = hint_at_level(where, working(where, "q[0,0]"), 2, verdict.slips[0])
    assert hint.cells == verdict.slips[0].cells == ("a[0,2]",)
    assert hint.says == "Look again at a[2]."

"""What the judge's constants decide, each on a number where another value would say something else."""

from __future__ import annotations

import pytest

from tui_attention.judge.verdict import Verdict, judge, prepare
from tui_attention.lessons.run import LessonRun, open_run


@pytest.fixture(scope="module")
def run() -> LessonRun:
    return open_run("press-h")


def of_cell(run: LessonRun, name: str, typed: str) -> Verdict:
    return judge(prepare(run, run.graph.working(*run.graph.locate(name))), typed)


def of_check(run: LessonRun, name: str, typed: str) -> Verdict:
    (check,) = [check for stage in run.lesson.stages for check in stage.checks if check.id == name]
    working = run.check_working(check)
    assert working is not None
    return judge(prepare(run, working), typed)


def test_a_usual_slip_beats_unlucky_rounding(run: LessonRun) -> None:
    # Unlucky rounding may give 0.58, too; of all slips of the cell one in thirteen keeps the mean.
    verdict = of_cell(run, "sigma1[0]", "0.58")
    assert (verdict.kind, verdict.slips[0].kind) == ("slip", "mean-kept")


def test_a_slip_far_less_likely_than_another_is_not_told_beside_it(run: LessonRun) -> None:
    # Multiplying gives 0.58, too, but thirty times less often than taking the difference backward.
    (slip,) = of_cell(run, "a[0,0]", "0.58").slips
    assert slip.kind == "backward"


def test_two_mistakes_are_told_of_at_most(run: LessonRun) -> None:
    assert len(of_check(run, "flatten.5", "1.22").slips) == 2


def test_a_check_speaks_of_cells_by_the_names_of_its_formula(run: LessonRun) -> None:
    # The page shows the rows as they are cut into heads, not the rows that they were cut from.
    assert of_check(run, "score.1", "-9.9").says.endswith("Which numbers did you take for qh[0,0,0] and kh[0,0,0]?")
    assert of_check(run, "score.1", "-0.70").slips[0].kind == "whole-sum"

"""What a right number means: said after it, true for every variant, and never of a number that is covered."""

from __future__ import annotations

import pytest

from tests.practice.test_worksheets import worksheet
from tui_attention.engine.decimals import rounded
from tui_attention.interaction.controller import LessonController
from tui_attention.lessons.run import LessonRun, open_run
from tui_attention.walk.view import COVER
from tui_attention.walk.walk import Walk

SHIPPED = ("press-h", "bank", "two-marks", "modern", "translate")


def core_at(where: str, lesson: str = "press-h", variant: int = 0) -> LessonController:
    walk = Walk(open_run(lesson, variant=variant))
    walk.goto(where)
    return LessonController(walk)


def right(core: LessonController) -> str:
    question = core.question()
    assert question is not None
    cell = core.walk.opened.working(question).cell
    asks = core.walk.opened.working(question).asks
    return f"{rounded(cell.value, asks):.{asks}f}"


@pytest.mark.parametrize("variant", [0, 7])
def test_it_is_said_after_a_right_number_and_holds_for_the_variant(variant: int) -> None:
    core = core_at("x1[0,0]", variant=variant)
    assert not [message for message in core.answer("99").messages if message.kind == "means"]
    (said,) = [message.text for message in core.answer(right(core)).messages if message.kind == "means"]
    graph = core.walk.opened.run.graph
    before, after = (graph.cell(name, (0, 0)).printed for name in ("x0", "x1"))
    assert said == f"The first coordinate was {before} before attention, and is {after} after it."


@pytest.mark.parametrize(
    ("lesson", "variant", "check", "says"),
    [
        ("press-h", 60, "output.3", "The first coordinate was 1.29 before attention, and is 1.29 after it."),
        ("bank", 25, "dots.5", "The share was 0.399. The same scores, only louder, give 0.399."),
        (
            "bank",
            8,
            "toy-world.3",
            "However far the row leans, it does so by itself: no word around it has had a say.",
        ),
    ],
)
def test_it_is_true_where_nothing_moves(lesson: str, variant: int, check: str, says: str) -> None:
    run = open_run(lesson, variant=variant)
    assert run.text(dict(numeric(run))[check]) == says


@pytest.mark.parametrize("lesson", SHIPPED)
def test_every_number_that_is_asked_has_a_meaning(lesson: str) -> None:
    stages = open_run(lesson).lesson.stages
    assert [check.id for stage in stages for check in stage.checks if not check.sentence and not check.means] == []


def test_nothing_is_said_of_a_covered_number() -> None:
    core = core_at("mixed", "bank")
    assert core.question() is not None
    core.walk.hint("mixed[2,0]")
    for _ in range(3):
        core.walk.hint("mixed[2,0]")  # the whole line is shown: only this cell opens
    said = [message.text for message in core.answer(right(core)).messages if message.kind == "means"]
    assert not any(COVER in text for text in said)
    assert said == []


def numeric(run: LessonRun) -> list[tuple[str, str]]:
    checks = (check for stage in run.lesson.stages for check in stage.checks)
    return [(check.id, check.means) for check in checks if check.means]


@pytest.mark.parametrize("lesson", SHIPPED)
def test_it_can_be_said_on_any_numbers(lesson: str) -> None:
    run = open_run(lesson)
    assert len(numeric(run)) > 6
    for number in (0, 1, run.lesson.variants.count):
        other = open_run(lesson, variant=number)
        for check, text in numeric(run):
            said = other.text(text)
            assert said, check
            assert "{" not in said, check


def test_a_sheet_says_nothing_of_it() -> None:
    sheet = worksheet("press-h", 0, "flatten").sheet()
    assert "have in common" not in repr(sheet)

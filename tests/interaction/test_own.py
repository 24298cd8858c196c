"""A learner's own number: it stands in its matrix, is called as the learner calls it, and can be asked again."""

from __future__ import annotations

from tui_attention.interaction.controller import LessonController
from tui_attention.lessons.run import open_run
from tui_attention.walk.walk import Walk


def at(where: str) -> LessonController:
    walk = Walk(open_run("press-h"))
    walk.goto(where)
    return LessonController(walk)


def said(core: LessonController) -> str:
    return " ".join(message.text for message in core.said)


def test_a_kept_number_shows_as_the_learners_own_until_it_is_paid() -> None:
    core = at("a")
    core.answer("0.58", "a[0,0]")
    assert said(core).startswith("0.58 is what comes out when you divide backward.")
    core.do("keep", "")
    assert "a[0] = 0.58 is yours, marked * in its matrix" in said(core)
    assert core.visible.view("a").text((0, 0)) == "0.58*"
    assert core.visible.view("a").text((0, 1)) == "····"
    core.do("next", "")
    assert core.visible.view("a").text((0, 0)) == "1.73 0.58*"
    core.do("back", "")
    question = core.open_question()
    assert question is not None
    assert str(question.ref) == "a[0,0]"
    core.answer("1.73", "a[0,0]")
    assert core.visible.view("a").text((0, 0)) == "1.73"


def test_what_follows_from_it_stands_beside_the_machines() -> None:
    core = at("sigma1")
    core.walk.keep("sigma1[0]", 0.65)
    core.do("next", "")
    core.answer("1.53", "a[0,0]")
    assert "own row" in said(core)
    assert core.visible.view("a").text((0, 0)) == "1.73 1.53*"


def test_a_message_keeps_the_name_that_was_typed() -> None:
    core = at("y")
    core.walk.call("heads[0,0,2]")
    core.walk.keep("heads[0,0,2]", 1.5)
    graph = core.walk.opened.run.graph
    moved = (1.5 - graph.cell("heads", (0, 0, 2)).value) * graph.cell("Wo", (2, 0)).value
    core.answer(f"{graph.cell('y', (0, 0)).value + moved:.2f}", "y[0,0]")
    assert "heads[0,0,2] = 1.50 where" in said(core)
    core.walk.call("blend[2]")
    assert core.walk.called(core.visible.locate("blend[2]")) == "blend[2]"

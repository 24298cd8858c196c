"""A lesson on paper: a moment that no walk comes to."""

from __future__ import annotations

from tui_attention.lessons.run import LessonRun
from tui_attention.walk.ledger import Ledger
from tui_attention.walk.questions import QuestionPlan
from tui_attention.walk.visible import VisibleLesson


def sheet(run: LessonRun, *, cover: bool) -> VisibleLesson:
    """A lesson on paper: nothing worked out and all of it covered but what is measured, or all of it open."""
    steps = run.lesson.program.steps
    measured = frozenset(step.name for step in steps if _measured(run, step.name)) if cover else frozenset()
    return VisibleLesson(QuestionPlan(run), Ledger(opened=measured), cover, 0 if cover else len(steps), False)


def _measured(run: LessonRun, name: str) -> bool:
    """Whether the numbers of a step are measured: nobody can fill them in."""
    traced = run.graph.traced(name)
    return not traced.view and run.graph.working(name, (0,) * len(traced.shape)).kind == "measured"


__all__ = ["sheet"]

"""A lesson with every number uncovered: for answer keys, measurements and tests, never for a learner's screen."""

from __future__ import annotations

from dataclasses import dataclass

from tui_attention.engine.graph import Working
from tui_attention.engine.traits import is_slow
from tui_attention.lessons.run import LessonRun
from tui_attention.walk.questions import Question, QuestionPlan


@dataclass(frozen=True, eq=False, slots=True)
class OpenLesson:
    """Whoever holds it can see everything; what a learner may see is a `VisibleLesson`. `before` the last change."""

    plan: QuestionPlan
    before: LessonRun | None = None

    @staticmethod
    def of(run: LessonRun) -> OpenLesson:
        """A lesson that nobody walks through."""
        return OpenLesson(QuestionPlan(run))

    @property
    def run(self) -> LessonRun:
        """The lesson with its numbers."""
        return self.plan.run

    def working(self, question: Question) -> Working:
        """The working that a question asks for. Raises BadInput for a sentence."""
        return self.plan.asked_working(question)

    def prepare(self) -> None:
        """One slice of the work that a tensor may wait for."""
        self.run.graph.prepare()

    def prepare_outline(self) -> bool:
        """One slice of the work on what happened in each block; False when there is none left."""
        return self.run.graph.prepare_outline()

    def measure(self, stage: int) -> None:
        """Compute what a stage measures when it is shown, so that drawing it finds the numbers ready."""
        for step in self.run.lesson.stages[stage].steps:
            if is_slow(step.expr):
                self.run.graph.tensor(step.name)

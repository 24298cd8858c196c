"""What was changed and can be taken back: whole runs, which share every number that a change did not reach."""

from __future__ import annotations

from typing import NamedTuple

from tui_attention.lessons.run import LessonRun

MOST_KEPT = 200


class History(NamedTuple):
    """The runs before this one, the latest last, and those that were taken back, the next one last."""

    past: tuple[LessonRun, ...] = ()
    future: tuple[LessonRun, ...] = ()

    def remember(self, run: LessonRun) -> History:
        """A change away from this run: what was taken back before is gone."""
        return History((*self.past, run)[-MOST_KEPT:])

    def back(self, run: LessonRun) -> tuple[History, LessonRun] | None:
        """The history one change earlier and the run that was left then; None at the beginning."""
        if not self.past:
            return None
        return History(self.past[:-1], (*self.future, run)), self.past[-1]

    def forward(self, run: LessonRun) -> tuple[History, LessonRun] | None:
        """The inverse of `back`; None where nothing was taken back."""
        if not self.future:
            return None
        return History((*self.past, run), self.future[:-1]), self.future[-1]


__all__ = ["History"]

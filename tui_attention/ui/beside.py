"""Long commands beside the screen: how far they are is said, Escape leaves them, and going elsewhere does too."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeVar

from textual.worker import Worker, get_current_worker

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.interaction.messages import LeftError, sentence
from tui_attention.walk.places import Place

if TYPE_CHECKING:
    from tui_attention.ui.screens.main import MainScreen

T = TypeVar("T")
SAID_EVERY: Final = 0.3
"""Seconds between two lines on how far the work is."""


class Beside:
    """One long command at a time, in a thread of its own."""

    def __init__(self, screen: MainScreen) -> None:
        self.screen = screen
        self._one = Lock()
        self._worker: Worker[None] | None = None

    @property
    def at_work(self) -> bool:
        """Whether something is being worked out."""
        return self._worker is not None and self._worker.is_running

    def do(self, work: Callable[[], T], done: Callable[[T], None]) -> None:
        """Begin; what was begun before is left. `done` takes what came of it, where the learner is still there.

        `work` is done in a thread: it changes nothing but by `LessonController.applied`.
        """
        self.screen.seat.say("This is worked out now ... Esc leaves it.")
        place = self.screen.seat.walk.place
        self._worker = self.screen.run_worker(
            lambda: self._work(work, done, place), thread=True, exclusive=True, group="beside"
        )

    def open(self, lesson: str) -> None:
        """Measure a lesson's numbers, and then go over to it."""
        self.screen.seat.say("Its numbers are measured now ... Esc leaves it.")
        place = self.screen.seat.walk.place

        def work() -> None:
            worker, refused = get_current_worker(), ""
            try:
                self.screen.session.prepare(lesson)
            except (BadInput, LessonError) as error:
                refused = str(error)
            if not worker.is_cancelled and self.screen.seat.walk.place == place:
                self._tell(lambda: self._opened(lesson, refused))

        self._worker = self.screen.run_worker(work, thread=True, exclusive=True, group="beside")

    def _opened(self, lesson: str, refused: str) -> None:
        if refused:
            self.screen.seat.say(sentence(refused), "bad")
        else:
            self.screen.change_lesson(lesson)
        self.screen.redraw()

    def leave(self) -> bool:
        """Give up what is at work; False where nothing is."""
        if not self.at_work or self._worker is None:
            return False
        self._worker.cancel()
        self._worker = None
        return True

    def _work(self, work: Callable[[], T], done: Callable[[T], None], place: Place) -> None:
        worker, core, last = get_current_worker(), self.screen.seat.core, monotonic()

        def tick(part: int, count: int) -> None:
            nonlocal last
            if worker.is_cancelled or self.screen.seat.walk.place != place:
                raise LeftError
            if monotonic() - last > SAID_EVERY:
                last = monotonic()
                self._tell(lambda: self._progressed(part, count, place))

        with self._one:  # what was left may still be in its last slice
            if worker.is_cancelled:
                return
            core.tick, core.apply = tick, self.screen.app.call_from_thread
            try:
                reply = work()
            except LeftError:
                return
            finally:
                core.tick = core.apply = None
        if not worker.is_cancelled:
            self._tell(lambda: done(reply))

    def _tell(self, what: Callable[[], None]) -> None:
        self.screen.app.call_from_thread(what)

    def _progressed(self, done: int, count: int, place: Place) -> None:
        if self.at_work and self.screen.seat.walk.place == place:
            self.screen.seat.say(f"This is worked out now, {done} of {count} ... Esc leaves it.")
            self.screen.redraw()


__all__ = ["Beside"]

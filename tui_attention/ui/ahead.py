"""What is computed while the learner reads: measurements that a stage shows, and what the next steps will ask."""

from __future__ import annotations

from time import monotonic, sleep
from typing import TYPE_CHECKING, Final

from textual.worker import get_current_worker

from tui_attention.render.pipeline import MOST_OPEN
from tui_attention.render.stage import needs_time

if TYPE_CHECKING:
    from textual.timer import Timer

    from tui_attention.ui.screens.main import MainScreen
    from tui_attention.ui.seat import Seat
    from tui_attention.walk.walk import Walk

LOOK_AHEAD_AFTER: Final = 0.25
"""Seconds without a step after which the next ones are looked at."""
PROGRESS_EVERY: Final = 0.3
"""Seconds between two lines on how far the work is."""
LOOK_AHEAD: Final = 6
"""How many: some people read a while and then step on quickly."""


class LookAhead:
    """Beside the loop, for the lesson's screen."""

    def __init__(self, screen: MainScreen) -> None:
        self.screen = screen
        self._timer: Timer | None = None

    def look(self) -> None:
        """The place is another one: measure what it shows, and then look at what comes."""
        seat = self.screen.seat
        last = seat.walk.place.step == len(seat.walk.stage.steps) - 1
        compare = bool(seat.walk.stage.compare) and last and not seat.compared
        if (needs_time(seat.walk.visible) and not (seat.slow and not self._pending(seat))) or compare:
            self.screen.run_worker(lambda: self._measure(seat, compare), thread=True, exclusive=True, group="measure")
        if len(seat.walk.visible.blocks) > MOST_OPEN:
            self.screen.run_worker(lambda: self._outline(seat), thread=True, exclusive=True, group="outline")
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.screen.set_timer(LOOK_AHEAD_AFTER, lambda: self._look_on(seat))

    def _look_on(self, seat: Seat) -> None:
        walk = seat.walk

        def look() -> None:
            worker, place = get_current_worker(), walk.place
            for _ in range(LOOK_AHEAD):
                place = walk.visible.after(place)
                if worker.is_cancelled:
                    return
                walk.questions(place)

        self.screen.run_worker(look, thread=True, exclusive=True, group="ahead")

    def _measure(self, seat: Seat, compare: bool) -> None:
        if self._pending(seat):
            if self._prepare(seat):
                self.screen.app.call_from_thread(self._arrived, seat)
            return
        seat.walk.opened.measure(seat.walk.place.stage)
        lines = compared(seat.walk) if compare else seat.compared
        self.screen.app.call_from_thread(self._measured, seat, lines)

    def _pending(self, seat: Seat) -> int:
        """How many slices of work the step at hand waits for."""
        step = seat.walk.step
        return 0 if step is None else seat.walk.visible.pending(step.name)

    def _prepare(self, seat: Seat) -> bool:
        """Work out what the step at hand waits for, slice by slice; False where the learner has gone on."""
        worker, opened, last = get_current_worker(), seat.walk.opened, monotonic()
        while self._pending(seat):
            if worker.is_cancelled:
                return False
            opened.prepare()
            if monotonic() - last > PROGRESS_EVERY:
                last = monotonic()
                self.screen.app.call_from_thread(self._progressed, seat)
        return not worker.is_cancelled

    def _outline(self, seat: Seat) -> None:
        """What happened in each block, for the tree, once the step at hand has its numbers."""
        worker, opened = get_current_worker(), seat.walk.opened
        made = False
        while not worker.is_cancelled:
            if self._pending(seat):
                sleep(PROGRESS_EVERY)
            elif opened.prepare_outline():
                made = True
            else:
                break
        if made and not worker.is_cancelled:
            self.screen.app.call_from_thread(self.screen.redraw)

    def _progressed(self, seat: Seat) -> None:
        seat.changed()
        self.screen.redraw()

    def _measured(self, seat: Seat, lines: tuple[str, ...]) -> None:
        seat.slow, seat.compared = True, lines
        self.screen.redraw()

    def _arrived(self, seat: Seat) -> None:
        """What the step waited for is there: the cursor may stand in it."""
        seat.changed()
        focus = seat.core.focus
        if focus is None or not seat.point_at(focus):
            seat.home()
        self.screen.redraw()


def compared(walk: Walk) -> tuple[str, ...]:
    """How far our head is from another implementation's, in sentences."""
    from tui_attention.export.compare import compare, told

    return (told(compare(walk.opened.run)),)

"""What is computed while the learner reads: measurements that a stage shows, and what the next steps will ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.worker import get_current_worker

from tui_attention.render.stage import needs_time

if TYPE_CHECKING:
    from textual.timer import Timer

    from tui_attention.ui.screens.main import MainScreen
    from tui_attention.ui.seat import Seat
    from tui_attention.walk.walk import Walk

LOOK_AHEAD_AFTER: Final = 0.25
"""Seconds without a step after which the next ones are looked at."""
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
        if (needs_time(seat.walk.visible) and not seat.slow) or compare:
            self.screen.run_worker(lambda: self._measure(seat, compare), thread=True, exclusive=True, group="measure")
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
        seat.walk.opened.measure(seat.walk.place.stage)
        lines = compared(seat.walk) if compare else seat.compared
        self.screen.app.call_from_thread(self._measured, seat, lines)

    def _measured(self, seat: Seat, lines: tuple[str, ...]) -> None:
        seat.slow, seat.compared = True, lines
        self.screen.redraw()


def compared(walk: Walk) -> tuple[str, ...]:
    """How far our head is from another implementation's, in sentences."""
    from tui_attention.export.compare import compare, told

    return (told(compare(walk.opened.run)),)

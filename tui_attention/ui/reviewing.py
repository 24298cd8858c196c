"""A review at the lesson's screen: its questions sit down where the lesson sat, and the lesson's seat waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tui_attention.engine.errors import BadInput
from tui_attention.interaction.controller import LessonController
from tui_attention.ui.seat import Seat
from tui_attention.walk.refs import CellRef

# The judge and the scheduler are loaded with the first review: the first screen does not wait for them.
if TYPE_CHECKING:
    from tui_attention.practice.review import Review
    from tui_attention.ui.screens.main import MainScreen

LOOK_AFTER: Final = 0.6
"""Seconds after the first frame in which what is due is counted."""


class Reviewing:
    """Beside the lesson's screen: whether a review is going on, and what the header says of it."""

    def __init__(self, screen: MainScreen) -> None:
        self.screen = screen
        self.review: Review | None = None
        self._due = 0
        self._waits: Seat | None = None

    def count(self) -> None:
        """Count what is due, and say it where the lesson's state stands."""
        store = self.screen.session.store
        if not any(answer.kinds for answer in store.answers()):
            return  # nothing was ever named
        from tui_attention.practice.review import due_count

        self._due = due_count(store, where=self.screen.session.kept_at)
        if self._due:
            self.screen.redraw()

    def label(self) -> str:
        """What the header says."""
        if self.review is None:
            return f"{self._due} to review: R" if self._due else ""
        state = self.review.state()
        more = f", {state.left} more" if state.left else ""
        return f"review: {state.done} done{more}"

    # ------------------------------------------------------------ beginning and ending

    def toggle(self, kinds: frozenset[str] | None = None, minutes: float | None = None) -> None:
        """Begin, or end early: what was not settled stays due."""
        from tui_attention.practice.review import ENDED, MINUTES, NOTHING_DUE, Review

        if self.review is not None:
            self._end(ENDED)
            return
        try:
            store = self.screen.session.store
            review = Review(
                store, minutes=MINUTES if minutes is None else minutes, kinds=kinds, where=self.screen.session.kept_at
            )
        except BadInput as error:
            self.screen.seat.say(f"{str(error)[:1].upper()}{str(error)[1:]}.")
            return
        if not review.next():
            self.screen.seat.say(NOTHING_DUE)
            return
        self.review, self._waits = review, self.screen.seat
        self._sit()

    def goes_on(self) -> bool:
        """`n`, or Enter on a settled question: the next one; whether that is what the key means now."""
        review = self.review
        if review is None:
            return False
        if review.next():
            self._sit()
        else:
            self._end(review.summed_up())
        return True

    @property
    def settled(self) -> bool:
        """Whether the question of a review has been settled, so that Enter goes on."""
        return self.review is not None and self.review.settled

    def keep_typed(self) -> bool:
        """Keep what is half typed at a review's question; False where there is no review."""
        if self.review is None:
            return False
        self.review.save_typed(self.screen.seat.half_typed().get(str(self.review.ref), ""))
        return True

    def _sit(self) -> None:
        review = self.review
        if review is None or review.walk is None or review.ref is None or review.key is None:
            return
        from tui_attention.practice.review import ReviewCover

        core = LessonController(review.walk, policy=ReviewCover())
        core.only = review.ref
        seat = Seat(core, ascii=self.screen.ascii)
        seat.fold_wall()
        self.screen.seat = seat
        seat.home()
        if isinstance(review.ref, CellRef):
            seat.cursor = seat.find(review.ref) or seat.cursor
        variant = review.walk.visible.variant
        where = f" on variant {variant}" if variant else ""
        seat.say(f"Review{where}. n goes on, R ends it.")
        seat.afterwards = review.was
        if review.typed:
            seat.take_up(str(review.ref), review.typed)
        self.screen.arrived()

    def _end(self, says: str) -> None:
        waits, self.review, self._waits = self._waits, None, None
        if waits is not None:
            self.screen.seat = waits
            waits.changed()
        self.screen.seat.say(says)
        self.count()
        self.screen.arrived()

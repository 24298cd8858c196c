"""A review: the cards that are due, one question after the other, each on fresh numbers.

Whatever is done at a question is in the store when the call that did it returns, in one row that is counted when it
gets its grade: a kill loses nothing, and nothing counts twice.
"""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.practice.asking import AskedAt, Where, again, find
from tui_attention.practice.scheduling import (
    GOOD,
    CardKey,
    ReviewCard,
    cards,
    due,
    grade_of,
    record,
    require,
)
from tui_attention.store import Answer, Reviewed, Store
from tui_attention.walk.events import Outcome
from tui_attention.walk.lead import Lead
from tui_attention.walk.ledger import Entry, Ledger
from tui_attention.walk.places import rank
from tui_attention.walk.refs import Ref
from tui_attention.walk.statistics import Attempt
from tui_attention.walk.walk import Walk

MINUTES: Final = 10.0
NOTHING_DUE: Final = "Nothing is due: what goes wrong comes back here a day later, on fresh numbers."
ENDED: Final = "The review is over; what was left stays due."
STAYS: Final = "a review stays at its step; review once more ends it"
_OPEN_FOR: Final = 2 * 86_400.0  # seconds in which a question that was left is taken up again


@dataclass(frozen=True, slots=True)
class ReviewState:
    """How far a review is: questions graded, cards still due, minutes left."""

    done: int
    left: int
    minutes: float


class Review:
    """One learner's review. `walk` is at the question at hand, None when there is none."""

    def __init__(
        self,
        store: Store,
        *,
        minutes: float = MINUTES,
        kinds: frozenset[str] | None = None,
        now: Callable[[], float] | None = None,
        where: Where = str,
    ) -> None:
        """`where` says where a lesson is, by the name that its progress is kept under. `kinds`: three
        questions on these kinds, due or not. Raises BadInput without the scheduler.
        """
        require()
        self._store = store
        self._now = now or time.time
        self._where = where
        self._until = self._now() + 60 * minutes
        self._row: Reviewed | None = None
        self._ref: Ref | None = None
        self.walk: Walk | None = None
        self.done = 0
        self.grades: list[int] = []
        self._queue = self._chosen(kinds)
        self._taken_up = kinds is not None

    def _chosen(self, kinds: frozenset[str] | None) -> list[CardKey]:
        found = here(all_cards(self._store), self._where)
        if kinds is None:
            return [card.key for card in due(found, self._now())]
        wanted = [card.key for card in found if card.key.kind in kinds]
        return [wanted[number % len(wanted)] for number in range(3)] if wanted else []

    # ------------------------------------------------------------ the question at hand

    @property
    def ref(self) -> Ref | None:
        """What is asked; None when there is nothing."""
        return self._ref

    @property
    def key(self) -> CardKey | None:
        """The card that is asked."""
        row = self._row
        return None if row is None else CardKey(row.lesson, row.step, row.kind)

    @property
    def was(self) -> str:
        """What the card is about: said once the question is settled, since it would warn of the slip before."""
        return f"Once it went wrong by '{self._row.kind.replace('-', ' ')}'." if self._row else ""

    @property
    def typed(self) -> str:
        """What stood on the line when the question was left."""
        return self._row.typed if self._row else ""

    @property
    def settled(self) -> bool:
        """Whether the question at hand has been answered or borrowed."""
        walk, ref = self.walk, self._ref
        return walk is not None and ref is not None and walk.ledger.entry(ref).settled

    def state(self) -> ReviewState:
        """How far it is."""
        return ReviewState(self.done, len(self._queue), max(0.0, (self._until - self._now()) / 60))

    # ------------------------------------------------------------ going on

    def next(self) -> bool:
        """The next question; False at the end: nothing is due any more, or the time is over.

        A question that is left unsettled is not counted; it stays due.
        """
        self.walk, self._ref, self._row = None, None, None
        left, self._taken_up = (None if self._taken_up else self._left_open()), True
        if left is not None:
            with contextlib.suppress(BadInput, LessonError, OSError):  # a lesson that is no longer there
                return self._open(left, again(left, self._where))
        while self._queue and self._now() < self._until:
            key, uid = self._queue.pop(0), uuid.uuid4().hex
            with contextlib.suppress(BadInput, LessonError, OSError):
                asked = find(key, self._store.reviewed(), uid, self._where)
                row = Reviewed(uid, key.lesson, key.step, key.kind, asked.run.variant, str(asked.ref))
                return self._open(row, asked)
        return False

    def _left_open(self) -> Reviewed | None:
        """The question in whose middle the last review ended."""
        rows = [row for row in self._store.reviewed() if not row.rating and self._now() - row.at < _OPEN_FOR]
        row = rows[-1] if rows else None
        if row is not None:
            key = CardKey(row.lesson, row.step, row.kind)
            self._queue = [other for other in self._queue if other != key]
        return row

    def _open(self, row: Reviewed, asked: AskedAt) -> bool:
        self._row, self._ref = row, asked.ref
        self._store.save_reviewed(row)
        self.walk = Walk(asked.run, cover=True, learner=self._store.learner, place=asked.place, observer=self)
        self.walk.follow(Lead(front=rank(self.walk.stages, asked.place), beyond=STAYS))
        return True

    def save_typed(self, typed: str) -> None:
        """Keep what is half typed."""
        if self._row is not None and not self._row.rating and typed != self._row.typed:
            self._keep(self._row._replace(typed=typed))

    def summed_up(self) -> str:
        """How it went, once it is over."""
        well, count = sum(grade >= GOOD for grade in self.grades), len(self.grades)
        if not count:
            return ENDED
        return f"The review is over: {count} done, {well} of them well. What slipped comes back soonest."

    # ------------------------------------------------------------ what the walk tells

    def load(self, walk: Walk) -> Ledger:
        """A fresh ledger, with the hints that were climbed before a kill."""
        row, ref = self._row, self._ref
        if row is None or ref is None or not (row.hints or row.named):
            return Ledger()
        return Ledger({ref: Entry(hints=row.hints, kinds=row.named)})

    def ledger(self, walk: Walk) -> None:
        """A hint, a number borrowed, an answer: kept, and graded once it is settled."""
        row, ref = self._row, self._ref
        if row is None or ref is None or row.rating:
            return
        entry = walk.ledger.entry(ref)
        new = row._replace(hints=max(row.hints, entry.hints))
        if entry.settled:
            borrowed = entry.state == "borrowed"
            new = new._replace(rating=grade_of(new, borrowed=borrowed), typed="")
            self.done += 1
            self.grades.append(new.rating)
        if new != row:
            self._keep(new)

    def answer(self, walk: Walk, outcome: Outcome, typed: str) -> None:
        """A wrong answer counts, and the slips that were named in it."""
        row = self._row
        if row is None or row.rating or outcome.question.ref != self._ref:
            return
        verdict = outcome.verdict
        if verdict.attempt and not verdict.accepted:
            named = tuple(dict.fromkeys((*row.named, *(slip.kind for slip in verdict.slips))))
            self._keep(row._replace(wrong=row.wrong + 1, named=named, typed=""))

    def place(self, walk: Walk) -> None:
        """The place of a review is not kept."""

    def inputs(self, walk: Walk) -> None:
        """Nor are its inputs."""

    def sentence(self, walk: Walk, ref: Ref, typed: str) -> None:
        """A review asks no sentences."""

    def attempts(self) -> tuple[Attempt, ...]:
        """Those of the lessons are not these."""
        return ()

    def _keep(self, row: Reviewed) -> None:
        self._row = row
        self._store.save_reviewed(row)


class ReviewCover:
    """The cover of a review: it stays on, and a number is borrowed one by one."""

    def may_uncover(self, walk: Walk) -> str:
        """Nothing is uncovered as a whole."""
        return "in a review the cover stays on; reveal borrows the number that is asked"

    def may_reveal(self, walk: Walk, ref: Ref) -> str:
        """Borrowing is allowed; it counts."""
        return ""


def all_cards(store: Store) -> tuple[ReviewCard, ...]:
    """Every card of a learner. Raises BadInput where the scheduler is not installed."""
    from tui_attention.session.persistence import attempts

    answers: list[Answer] = []
    for lesson in dict.fromkeys(answer.lesson for answer in store.answers()):
        answers += attempts(store, lesson)
    return cards(record(answers, store.reviewed()))


def here(found: Iterable[ReviewCard], where: Where) -> tuple[ReviewCard, ...]:
    """The cards whose lessons are here."""
    kept = tuple(found)
    lessons = {card.key.lesson for card in kept}
    for lesson in tuple(lessons):
        try:
            where(lesson)
        except BadInput:
            lessons.remove(lesson)
    return tuple(card for card in kept if card.key.lesson in lessons)


def due_count(store: Store, now: float | None = None, where: Where = str) -> int:
    """How many cards of lessons that are here are due; 0 without the scheduler, and where nothing was ever named."""
    try:
        return len(due(here(all_cards(store), where), time.time() if now is None else now))
    except BadInput:
        return 0


__all__ = ["MINUTES", "Review", "ReviewCover", "ReviewState", "all_cards", "due_count", "here"]

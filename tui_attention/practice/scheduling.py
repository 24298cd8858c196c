"""When each kind of mistake comes back: cards made of the record, their times by FSRS, imported nowhere else.

A card is a lesson, a step and a kind of slip. It is never stored: it is what the record gives when it is gone through
in order of time, so that two machines with the same record have the same cards. FSRS (the free spaced repetition
scheduler) says from four grades when a thing is about to be forgotten, and four grades are what a paid cell gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from tui_attention.engine.errors import BadInput
from tui_attention.store import Answer, Reviewed
from tui_attention.walk.refs import CheckRef

if TYPE_CHECKING:
    from fsrs import Scheduler

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4
THREE_WRONG: Final = 3
MANY_HINTS: Final = 3
LONGEST_DAYS: Final = 365
BACK_AGAIN: Final = 2
"""Times that a kind was met again after its first, from which it is said to keep coming back."""


@dataclass(frozen=True, slots=True, order=True)
class CardKey:
    """What a card is about: a lesson's id, a tensor (or a CHECK's key), a kind of slip."""

    lesson: str
    step: str
    kind: str


@dataclass(frozen=True, slots=True)
class Met:
    """Something of the record that counts for a card: a slip named (AGAIN), or a review with its grade."""

    key: CardKey
    at: float
    grade: int
    review: bool = False


@dataclass(frozen=True, slots=True)
class ReviewCard:
    """A card as it stands: when it is due (Unix seconds), the days until then, times met again, times reviewed."""

    key: CardKey
    due: float
    days: float
    lapses: int
    reviews: int


def grade_of(one: Reviewed, *, borrowed: bool) -> int:
    """The grade of a review by how its number was paid.

    Borrowed or three wrong: again. A slip named and then right, two wrong, or hint 3 and up: hard. One hint or one
    retry: good. At the first try: easy.
    """
    if borrowed or one.wrong >= THREE_WRONG:
        return AGAIN
    if one.named or one.hints >= MANY_HINTS or one.wrong > 1:
        return HARD
    return GOOD if one.hints or one.wrong else EASY


def record(answers: Iterable[Answer], reviewed: Iterable[Reviewed]) -> list[Met]:
    """What counts, in order of time: each kind once for each cell of a lesson on which it was named, and each review.

    A review in which another kind was named counts for that kind's card as well.
    """
    found: list[Met] = []
    seen: set[tuple[str, str, str, str]] = set()
    for answer in answers:
        for kind in answer.kinds:
            if (met := (answer.lesson, answer.dials, answer.cell, kind)) not in seen:
                seen.add(met)
                found.append(Met(CardKey(answer.lesson, step_of(answer.cell), kind), answer.when, AGAIN))
    for one in reviewed:
        if one.rating:
            found.append(Met(CardKey(one.lesson, one.step, one.kind), one.at, one.rating, review=True))
            others = (kind for kind in one.named if kind != one.kind)
            found += [Met(CardKey(one.lesson, one.step, kind), one.at, AGAIN) for kind in others]
    return sorted(found, key=lambda met: (met.at, met.key, met.grade))


def step_of(cell: str) -> str:
    """The step that a card is about: the tensor of a cell, or the key of a CHECK."""
    return cell if CheckRef.parse(cell) else cell.partition("[")[0]


def installed() -> bool:
    """Whether the scheduler is there."""
    return find_spec("fsrs") is not None


def require() -> None:
    """Raises BadInput where the scheduler is not installed."""
    if not installed():
        raise BadInput("review needs the fsrs package: pip install '.[review]'")


def cards(met: Iterable[Met]) -> tuple[ReviewCard, ...]:
    """Every card that the record gives, the one that is due first first. Raises BadInput without the scheduler."""
    require()
    from fsrs import Card, Rating

    scheduler = _scheduler()
    found: dict[CardKey, ReviewCard] = {}
    held: dict[CardKey, Card] = {}
    for one in met:
        when = datetime.fromtimestamp(max(one.at, 0.0), UTC)
        card = held.get(one.key) or Card(card_id=len(held) + 1, due=when)
        card, _ = scheduler.review_card(card, Rating(one.grade), when)
        held[one.key] = card
        before = found.get(one.key, ReviewCard(one.key, 0.0, 0.0, -1, 0))
        found[one.key] = replace(
            before,
            due=card.due.timestamp(),
            days=(card.due - when) / timedelta(days=1),
            lapses=before.lapses + (one.grade == AGAIN),
            reviews=before.reviews + one.review,
        )
    return tuple(sorted(found.values(), key=lambda card: (card.due, card.key)))


def _scheduler() -> Scheduler:
    """Whole days, nothing random: the same record gives the same times on every machine."""
    from fsrs import Scheduler

    return Scheduler(learning_steps=(), relearning_steps=(), maximum_interval=LONGEST_DAYS, enable_fuzzing=False)


def due(found: Iterable[ReviewCard], now: float) -> tuple[ReviewCard, ...]:
    """The cards that are due by now, the most overdue in proportion to their days first."""
    late = (card for card in found if card.due <= now)
    return tuple(sorted(late, key=lambda card: (-(now - card.due) / max(card.days, 1.0), card.key)))


def coming_back(found: Iterable[ReviewCard]) -> dict[str, int]:
    """The kinds that were met again and again, with how often, over all lessons; the most frequent first."""
    counts: Mapping[str, int] = {}
    for card in found:
        counts = {**counts, card.key.kind: counts.get(card.key.kind, 0) + card.lapses}
    often = {kind: count for kind, count in counts.items() if count >= BACK_AGAIN}
    return dict(sorted(often.items(), key=lambda item: (-item[1], item[0])))

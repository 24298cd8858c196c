"""The people of a class, as the teacher's board sees them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from tui_attention.classroom.hub.state import RoomPlace

Role = Literal["learner", "teacher"]
CheckMark = Literal["open", "wrong", "paid", "helped", "borrowed"]
Line = Literal["here", "slow", "away"]

STUCK_AFTER = 60.0
"""Seconds without a step or a right answer from which somebody counts as stuck."""


@dataclass(frozen=True, slots=True)
class Member:
    """One learner of the class. Times are Unix seconds.

    `checks` is the state of every CHECK of the lesson at hand by its id, in the lesson's order. `tries` counts wrong
    answers to what is asked now, `moved` is when something last went forward.
    """

    id: int
    name: str
    key: str = ""
    joined: float = 0.0
    seen: float = 0.0
    line: Line = "away"
    place: RoomPlace = field(default_factory=lambda: RoomPlace(""))
    following: bool = True
    asked: str = ""
    tries: int = 0
    moved: float = 0.0
    checks: tuple[tuple[str, CheckMark], ...] = ()
    plain: bool = False

    def count(self, mark: CheckMark) -> int:
        """How many CHECKs are in a state."""
        return sum(found == mark for _, found in self.checks)

    def stuck(self, now: float) -> float:
        """How stuck somebody is, for sorting: minutes without progress and wrong tries, one for one; 0 when away,
        when nothing is asked, and before a minute is over without a wrong try.
        """
        idle = now - self.moved
        if self.line == "away" or not self.asked or (idle < STUCK_AFTER and not self.tries):
            return 0.0
        return self.tries + idle / 60

    def answered(self, *, accepted: bool, attempt: bool, now: float) -> Member:
        """After an answer: right ones are progress, wrong ones are tries."""
        if accepted:
            return replace(self, tries=0, moved=now, seen=now)
        return replace(self, tries=self.tries + attempt, seen=now)


def by_need(members: tuple[Member, ...], now: float) -> tuple[Member, ...]:
    """Whoever is stuck first, then the others that are here, by name; those away last."""
    return tuple(sorted(members, key=lambda m: (m.line == "away", -m.stuck(now), m.name.casefold(), m.id)))


def anonymous(members: tuple[Member, ...]) -> dict[int, str]:
    """A name for the projector for each member, by id: the order of joining, so that it stays."""
    order = sorted(members, key=lambda member: member.id)
    return {member.id: f"learner {number}" for number, member in enumerate(order, 1)}

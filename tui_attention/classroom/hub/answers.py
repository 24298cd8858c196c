"""The answers of a class in memory: what the board counts. Bounded; everything else is in the store."""

from __future__ import annotations

from collections.abc import Iterable

from tui_attention.classroom.hub.state import RoomAnswer
from tui_attention.classroom.hub.tally import RoomSlips, RoomTally, tally

MOST_TARGETS = 1000
"""Cells whose answers are held; the one answered longest ago goes first."""


class Answers:
    """Each learner's answer that counts, for each cell, and the slips of each lesson."""

    def __init__(self, answers: Iterable[RoomAnswer] = ()) -> None:
        self._latest: dict[tuple[str, str], dict[int, RoomAnswer]] = {}
        self._slips: dict[str, dict[str, dict[int, RoomAnswer]]] = {}
        for answer in answers:
            self.add(answer)

    def add(self, answer: RoomAnswer) -> None:
        """One answer more. What could not be judged, and what comes after a right one, does not count."""
        key = answer.place.lesson, answer.target
        latest = self._latest.pop(key, {})
        self._latest[key] = latest
        if len(self._latest) > MOST_TARGETS:
            del self._latest[next(iter(self._latest))]
        before = latest.get(answer.member)
        if answer.attempt and not (before is not None and before.accepted):
            latest.pop(answer.member, None)  # the order is that of time
            latest[answer.member] = answer
        if answer.attempt and not answer.accepted:
            slips = self._slips.setdefault(answer.place.lesson, {})
            for kind in answer.kinds:
                slips.setdefault(kind, {})[answer.member] = answer

    def tally(self, lesson: str, target: str) -> RoomTally:
        return tally(self._latest.get((lesson, target), {}).values())

    def slips(self, lesson: str) -> tuple[RoomSlips, ...]:
        found = [
            RoomSlips(kind, tuple(by), tuple(dict.fromkeys(a.value for a in by.values())), _says(kind, by))
            for kind, by in self._slips.get(lesson, {}).items()
        ]
        return tuple(sorted(found, key=lambda count: (-len(count.members), count.kind)))

    def forget(self, member: int) -> None:
        """Nothing of one learner is left."""
        for by in self._latest.values():
            by.pop(member, None)
        for slips in self._slips.values():
            for kind in [kind for kind, by in slips.items() if by.pop(member, None) is not None and not by]:
                del slips[kind]


def _says(kind: str, by: dict[int, RoomAnswer]) -> str:
    for answer in reversed(by.values()):
        place = answer.kinds.index(kind)
        if place < len(answer.says):
            return answer.says[place]
    return ""

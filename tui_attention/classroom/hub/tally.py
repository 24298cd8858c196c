"""The room's answers to one question, counted: by value, and by the slip that each value matched."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tui_attention.classroom.hub.state import RoomAnswer


@dataclass(frozen=True, slots=True)
class ValueCount:
    """How many gave one value. `value` is empty for the right ones: that number stays covered."""

    value: str
    members: tuple[int, ...]
    right: bool = False
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoomSlips:
    """Whose number matched one kind of slip; `says` is the sentence that one of them was told."""

    kind: str
    members: tuple[int, ...]
    values: tuple[str, ...] = ()
    says: str = ""


@dataclass(frozen=True, slots=True)
class RoomTally:
    """Each learner counts once, by the last attempt; a right answer stays right whatever is typed after it."""

    values: tuple[ValueCount, ...] = ()
    slips: tuple[RoomSlips, ...] = ()
    answered: int = 0
    right: int = 0


def tally(answers: Iterable[RoomAnswer]) -> RoomTally:
    """Count answers to one question, given in the order of time."""
    last: dict[int, RoomAnswer] = {}
    for answer in answers:
        if answer.attempt and not (answer.member in last and last[answer.member].accepted):
            last[answer.member] = answer
    found: dict[tuple[bool, str], list[RoomAnswer]] = {}
    for answer in last.values():
        found.setdefault((answer.accepted, "" if answer.accepted else answer.value), []).append(answer)
    values = [
        ValueCount(value, tuple(a.member for a in group), right, () if right else group[0].kinds)
        for (right, value), group in found.items()
    ]
    values.sort(key=lambda count: (not count.right, -len(count.members), count.value))
    right = sum(answer.accepted for answer in last.values())
    return RoomTally(tuple(values), slips_of(last.values()), len(last), right)


def slips_of(answers: Iterable[RoomAnswer]) -> tuple[RoomSlips, ...]:
    """The slips that wrong answers matched, the commonest first; a member counts once for each kind."""
    found: dict[str, list[RoomAnswer]] = {}
    for answer in answers:
        for kind in answer.kinds if answer.attempt and not answer.accepted else ():
            found.setdefault(kind, []).append(answer)
    counts = [
        RoomSlips(
            kind,
            tuple(dict.fromkeys(a.member for a in group)),
            tuple(dict.fromkeys(a.value for a in group)),
            next((a.says[a.kinds.index(kind)] for a in group if a.kinds.index(kind) < len(a.says)), ""),
        )
        for kind, group in found.items()
    ]
    return tuple(sorted(counts, key=lambda count: (-len(count.members), count.kind)))

"""Where the class stands, as frozen values. `RoomState.seq` counts every change, so that whoever gets them late or
twice knows which is the newest.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RoomPlace:
    """A place of a lesson: its id (or path), a stage's id, a step counted from 0."""

    lesson: str
    stage: str = ""
    step: int = 0


@dataclass(frozen=True, slots=True)
class RoomQuestion:
    """A question to the room. `target` is a cell's address or a CHECK's key, `tensor` the table that it is in."""

    number: int
    place: RoomPlace
    target: str
    tensor: str
    text: str
    asked: float
    revealed: bool = False


@dataclass(frozen=True, slots=True)
class RoomState:
    """The class at one moment.

    `place` is the teacher's, `front` the furthest that the teacher has been in that lesson (`order` of its steps,
    counted over the whole lesson). `covered`: the teacher's cover is on for all. `borrowing`: learners may take a
    number without working for it. `shown` are the (lesson, target) that the teacher has revealed.
    """

    name: str
    place: RoomPlace
    seq: int = 0
    front: int = 0
    led: bool = True
    covered: bool = True
    borrowing: bool = False
    shown: frozenset[tuple[str, str]] = frozenset()
    question: RoomQuestion | None = None
    teacher: bool = False
    ended: bool = False

    @property
    def held(self) -> RoomQuestion | None:
        """The question whose answer stays covered, whatever else a learner's walk would show."""
        return self.question if self.question is not None and not self.question.revealed else None


@dataclass(frozen=True, slots=True)
class RoomAnswer:
    """One typed answer of one learner.

    `value` is the number as judged, as text; empty where none was read. `says` are the sentences of the slips, which
    are shown and not kept. `question` is the number of the question to the room that it answers, 0 for none.
    """

    member: int
    at: float
    place: RoomPlace
    target: str
    typed: str
    verdict: str
    accepted: bool
    value: str = ""
    kinds: tuple[str, ...] = ()
    hints: int = 0
    state: str = "open"
    question: int = 0
    attempt: bool = True
    says: tuple[str, ...] = field(default=(), compare=False)

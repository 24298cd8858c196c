"""The hub: the one place that changes the class. Plain calls in one event loop's thread; nothing here waits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Protocol

from tui_attention.classroom.hub.answers import Answers
from tui_attention.classroom.hub.names import clean_name, identity
from tui_attention.classroom.hub.people import CheckMark, Line, Member
from tui_attention.classroom.hub.state import RoomAnswer, RoomPlace, RoomQuestion, RoomState
from tui_attention.classroom.hub.tally import RoomSlips, RoomTally

Tell = Callable[[RoomState], None]


class Record(Protocol):
    """Whoever keeps the class. No call of it raises for the disk's sake."""

    def save_state(self, state: RoomState, fronts: Mapping[str, int]) -> None: ...
    def save_member(self, member: Member) -> None: ...
    def save_answer(self, answer: RoomAnswer) -> None: ...
    def save_question(self, question: RoomQuestion) -> None: ...
    def forget_member(self, member: int) -> None: ...


class NameRefusedError(Exception):
    """Somebody may not come in under this name now; the text is the sentence for them."""


class Hub:
    """A class: its state, its people, its answers. Whoever subscribes is told of every change of the state."""

    def __init__(
        self,
        state: RoomState,
        *,
        record: Record | None = None,
        members: Iterable[Member] = (),
        answers: Answers | None = None,
        fronts: Mapping[str, int] | None = None,
        questions: int = 0,
        most: int = 240,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`most` is how many different names the class takes; `questions` how many were put to the room before."""
        self.state = state
        self.roster = 0
        self._record = record
        self._members = {member.id: replace(member, line="away") for member in members}
        self._answers = answers if answers is not None else Answers()
        self._fronts = dict(fronts or {})
        self._questions = questions
        self._most = most
        self._clock = clock
        self._listeners: list[Tell] = []

    # ------------------------------------------------------------ listening

    def subscribe(self, tell: Tell) -> Callable[[], None]:
        """Be told of every change of the state; returns what ends it."""
        self._listeners.append(tell)
        return lambda: self._listeners.remove(tell) if tell in self._listeners else None

    def _change(self, state: RoomState) -> None:
        self.state = replace(state, seq=self.state.seq + 1)
        if self._record is not None:
            self._record.save_state(self.state, self._fronts)
        for tell in tuple(self._listeners):
            tell(self.state)

    # ------------------------------------------------------------ what the teacher does

    def step(self, place: RoomPlace, order: int) -> None:
        """The teacher stands at a place; `order` is the number of its step in the whole lesson."""
        front = max(order, self._fronts.get(place.lesson, 0))
        if place == self.state.place and front == self.state.front:
            return
        self._fronts[place.lesson] = front
        self._change(replace(self.state, place=place, front=front))

    def lead(self, on: bool) -> None:
        """Lead the class, or let go of it."""
        if on != self.state.led:
            self._change(replace(self.state, led=on))

    def cover(self, on: bool) -> None:
        """Cover or uncover everything for all."""
        if on != self.state.covered:
            self._change(replace(self.state, covered=on))

    def allow_borrowing(self, on: bool) -> None:
        """Whether learners may take a number without working for it."""
        if on != self.state.borrowing:
            self._change(replace(self.state, borrowing=on))

    def ask(self, place: RoomPlace, target: str, tensor: str, text: str) -> RoomQuestion:
        """Put a cell or a CHECK before everyone; its answer is held from now on."""
        self._questions += 1
        question = RoomQuestion(self._questions, place, target, tensor, text, self._clock())
        if self._record is not None:
            self._record.save_question(question)
        shown = self.state.shown - {(place.lesson, target)}
        self._change(replace(self.state, question=question, shown=shown))
        return question

    def reveal(self, lesson: str = "", target: str = "") -> bool:
        """Show a cell to all; without one, that of the question to the room. False where there is nothing to."""
        question = self.state.question
        if not target:
            if question is None:
                return False
            lesson, target = question.place.lesson, question.target
        if question is not None and (question.place.lesson, question.target) == (lesson, target):
            question = replace(question, revealed=True)
            if self._record is not None:
                self._record.save_question(question)
        shown = self.state.shown | {(lesson, target)}
        if (question, shown) != (self.state.question, self.state.shown):
            self._change(replace(self.state, question=question, shown=shown))
        return True

    def close_question(self) -> None:
        """The room is asked nothing more."""
        if self.state.question is not None:
            self._change(replace(self.state, question=None))

    def teacher_here(self, on: bool) -> None:
        """A teacher has come in, or the last one has left: the class stands as it is either way."""
        if on != self.state.teacher:
            self._change(replace(self.state, teacher=on))

    def end(self) -> None:
        """The class is over."""
        if not self.state.ended:
            self._change(replace(self.state, ended=True))

    # ------------------------------------------------------------ people

    @property
    def members(self) -> tuple[Member, ...]:
        return tuple(self._members.values())

    @property
    def here(self) -> int:
        """How many learners have a line now."""
        return sum(member.line != "away" for member in self._members.values())

    def member(self, number: int) -> Member | None:
        return self._members.get(number)

    def known(self, name: str) -> Member | None:
        """The member of this name, whoever asks."""
        wanted = identity(name)
        return next((member for member in self._members.values() if identity(member.name) == wanted), None)

    def join(self, name: str, key: str = "") -> Member:
        """Somebody comes in, for the first time or again. `key` is their key's fingerprint, where one was offered.

        Raises NameRefusedError: the name is in use, or the key does not fit it, or the class has had too many names.
        """
        now, found = self._clock(), self.known(name)
        if found is None:
            if len(self._members) >= self._most:
                raise NameRefusedError("This class has had all the names that it takes; ask your teacher.")
            number = max(self._members, default=0) + 1
            found = Member(number, clean_name(name), key, joined=now, moved=now)
        elif found.line != "away":
            raise NameRefusedError(
                f"Somebody called {found.name} is in the class already; come in by another name, such as "
                f"{self.free_name(found.name)}."
            )
        elif found.key and found.key != key:
            raise NameRefusedError(f"The name {found.name} belongs to somebody with another key; take another name.")
        if key and (other := self._of_key(key)) is not None and other.id != found.id:
            raise NameRefusedError(f"Your key is {other.name}'s here; come in by that name.")
        self._put(replace(found, key=found.key or key, line="here", seen=now, moved=now))
        return self._members[found.id]

    def _of_key(self, key: str) -> Member | None:
        return next((member for member in self._members.values() if member.key == key), None)

    def free_name(self, name: str) -> str:
        """A name like this one that nobody has."""
        cleaned = clean_name(name)
        return next(
            free for n in range(2, len(self._members) + 3) if self.known(free := f"{cleaned[:20]}-{n}") is None
        )

    def line(self, number: int, line: Line) -> None:
        """How somebody's line is: here, slow, or away."""
        member = self._members.get(number)
        if member is not None and member.line != line:
            self._put(replace(member, line=line, seen=self._clock()))

    def stands(
        self,
        number: int,
        place: RoomPlace,
        *,
        asked: str,
        following: bool,
        forward: bool = False,
        plain: bool = False,
    ) -> None:
        """Where somebody is, and what they are asked there; `forward` is progress."""
        member = self._members.get(number)
        if member is None:
            return
        moved = self._clock() if forward else member.moved
        tries = member.tries if asked == member.asked else 0
        new = replace(member, place=place, asked=asked, following=following, moved=moved, tries=tries, plain=plain)
        if new != member:
            self._put(replace(new, seen=self._clock()), keep=new.place != member.place)

    def checks(self, number: int, checks: tuple[tuple[str, CheckMark], ...]) -> None:
        """How somebody stands with each CHECK of their lesson."""
        member = self._members.get(number)
        if member is not None and member.checks != checks:
            self._put(replace(member, checks=checks))

    def _put(self, member: Member, *, keep: bool = True) -> None:
        self._members[member.id] = member
        self.roster += 1
        if keep and self._record is not None:
            self._record.save_member(member)

    def forget(self, number: int) -> bool:
        """Delete one learner and all their answers; not while they have a line."""
        member = self._members.get(number)
        if member is None or member.line != "away":
            return False
        del self._members[number]
        self._answers.forget(number)
        self.roster += 1
        if self._record is not None:
            self._record.forget_member(number)
        return True

    # ------------------------------------------------------------ answers

    def answered(self, answer: RoomAnswer) -> None:
        """A learner has typed an answer; those to the question to the room are counted as such."""
        member = self._members.get(answer.member)
        if member is None:
            return
        question = self.state.question
        to_room = question is not None and (question.place.lesson, question.target) == (
            answer.place.lesson,
            answer.target,
        )
        answer = replace(answer, question=question.number if question is not None and to_room else 0)
        self._answers.add(answer)
        if self._record is not None:
            self._record.save_answer(answer)
        self._put(member.answered(accepted=answer.accepted, attempt=answer.attempt, now=self._clock()), keep=False)

    def tally(self, lesson: str, target: str) -> RoomTally:
        """The room's answers to one cell or CHECK."""
        return self._answers.tally(lesson, target)

    def slips(self, lesson: str) -> tuple[RoomSlips, ...]:
        """The slips of a lesson so far, the commonest first."""
        return self._answers.slips(lesson)

"""A learner's walk in a class, without a screen: what the teacher's policy allows, and what the class is told."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui_attention.classroom.hub.hub import Hub
from tui_attention.classroom.hub.people import CheckMark
from tui_attention.classroom.hub.state import RoomAnswer, RoomPlace, RoomQuestion, RoomState
from tui_attention.engine.decimals import printed
from tui_attention.interaction.controller import LessonController
from tui_attention.interaction.messages import Reply
from tui_attention.walk.lead import Lead
from tui_attention.walk.places import Place, rank
from tui_attention.walk.refs import CellRef, CheckRef, Ref, parse_ref

if TYPE_CHECKING:
    from tui_attention.lessons.run import LessonRun
    from tui_attention.session import Session
    from tui_attention.walk.events import Outcome
    from tui_attention.walk.walk import Walk

COVERED_FOR_ALL = "your teacher has covered the numbers for all; they show when your teacher reveals them"
NO_BORROWING = "your teacher has not opened borrowing; work it out, or ask for a hint"
ASKED_OF_ALL = "the room is being asked this; it shows when your teacher reveals it"
REVEALED = "Your teacher reveals the number: {number}."
BEYOND = "your teacher leads and has not gone there yet; you may look back, and f follows again"


def lead_of(state: RoomState, lesson: str) -> Lead:
    """What the state of a class means for a walk through a lesson."""
    refs = (_cell(target) for at, target in state.shown if at == lesson)
    question = state.held
    held = (
        {question.tensor} if question is not None and question.place.lesson == lesson and question.tensor else set()
    )
    front = state.front if state.led and state.place.lesson == lesson else None
    return Lead(frozenset(held), frozenset(ref for ref in refs if ref is not None), front, BEYOND)


def _cell(target: str) -> CellRef | None:
    try:
        ref = parse_ref(target)
    except ValueError:
        return None
    return ref if isinstance(ref, CellRef) else None


def formula_number(run: LessonRun, question: RoomQuestion) -> str:
    """The number of a question that stands in no matrix; empty for a cell, a sentence, and in another lesson."""
    checks = {str(CheckRef(check.id)): check for stage in run.lesson.stages for check in stage.checks}
    check = checks.get(question.target) if question.place.lesson == run.lesson.id else None
    working = run.check_working(check) if check is not None else None
    return "" if working is None else printed(working.cell.value, working.asks, commas=working.asks == 0)


class RoomPolicy:
    """Whether a learner may uncover and borrow: as the teacher has it."""

    def __init__(self, hub: Hub, lesson: str) -> None:
        self._hub = hub
        self._lesson = lesson

    def may_uncover(self, walk: Walk) -> str:
        """Not before the teacher has uncovered for all."""
        return COVERED_FOR_ALL if self._hub.state.covered else ""

    def may_reveal(self, walk: Walk, ref: Ref) -> str:
        """Never what the room is being asked; else if the teacher allows it."""
        state, target = self._hub.state, (self._lesson, str(ref))
        held = state.held
        if held is not None and (held.place.lesson, held.target) == target:
            return ASKED_OF_ALL
        return "" if state.borrowing or target in state.shown else NO_BORROWING


@dataclass(frozen=True, slots=True)
class RoomObserver:
    """Tells the class of every answer of one learner."""

    hub: Hub
    member: int
    lesson: str

    def answer(self, walk: Walk, outcome: Outcome, typed: str) -> None:
        verdict = outcome.verdict
        value = ""
        if verdict.value is not None:
            decimals = verdict.decimals
            value = f"{verdict.value:g}" if decimals is None else f"{verdict.value:.{decimals}f}"
        self.hub.answered(
            RoomAnswer(
                self.member,
                time.time(),
                place_of(walk, self.lesson),
                str(outcome.question.ref),
                typed[:200],
                verdict.kind,
                verdict.accepted,
                value,
                tuple(slip.kind for slip in verdict.slips),
                walk.ledger.entry(outcome.question.ref).hints,
                outcome.state,
                attempt=verdict.attempt,
                says=tuple(slip.says for slip in verdict.slips),
            )
        )


class RoomController(LessonController):
    """The controller of a learner in a class: led by the state of the class, and heard by it."""

    def __init__(self, walk: Walk, hub: Hub, member: int, lesson: str, *, asks_uncovered: bool = True) -> None:
        observers = (RoomObserver(hub, member, lesson),)
        super().__init__(walk, policy=RoomPolicy(hub, lesson), observers=observers, asks_uncovered=asks_uncovered)
        self.hub = hub
        self.member = member
        self.lesson = lesson
        self._covered = walk.covered
        self.take(hub.state)

    def take(self, state: RoomState) -> None:
        """What the class decides about this walk from now on. The cover follows when the teacher changes it."""
        self.walk.follow(lead_of(state, self.lesson))
        if state.covered != self._covered:
            self._covered = state.covered
            if self.walk.covered != state.covered:
                self.walk.toggle_cover()

    def answer(self, typed: str, target: Ref | str | None = None) -> Reply:
        reply = super().answer(typed, target)
        asked = self.answered
        if asked is not None and any(message.kind == "marked" for message in reply.messages):
            entry = self.walk.ledger.entry(asked.ref)
            place = place_of(self.walk, self.lesson)
            self.hub.answered(
                RoomAnswer(
                    self.member,
                    time.time(),
                    place,
                    str(asked.ref),
                    entry.typed,
                    "mark",
                    entry.state == "paid",
                    entry.typed,
                    state=entry.state,
                )
            )
        return reply


def place_of(walk: Walk, lesson: str) -> RoomPlace:
    """Where a walk stands, as the class calls it."""
    return RoomPlace(lesson, walk.stage.id, walk.place.step)


def order_of(walk: Walk) -> int:
    """The number of the walk's place in its lesson."""
    return rank(walk.stages, walk.place)


def to_place(walk: Walk, place: RoomPlace) -> Place | None:
    """The class's place in this walk's lesson, the lesson's beginning where the class has not begun; None where the
    lesson has no such stage.
    """
    if not place.stage:
        return Place()
    stage = next((number for number, stage in enumerate(walk.stages) if stage.id == place.stage), None)
    return None if stage is None else Place(stage, place.step)


def put_before(core: LessonController, target: str) -> CellRef | None:
    """Leave aside whatever else is asked at the place; the cell that the room is asked for, if it is one."""
    here = [asked.ref for asked in core.walk.questions()]
    if any(str(ref) == target for ref in here):
        core.passed = frozenset(ref for ref in here if str(ref) != target)
    return _cell(target)


def checks_of(walk: Walk) -> tuple[tuple[str, CheckMark], ...]:
    """Every CHECK of the lesson and how the learner stands with it."""
    found: list[tuple[str, CheckMark]] = []
    for number, stage in enumerate(walk.stages):
        for place, (ref, state) in enumerate(walk.stage_states(number), 1):
            mark: CheckMark = state
            if state == "open" and walk.ledger.entry(ref).typed:
                mark = "wrong"
            found.append((f"{stage.id}.{place}", mark))
    return tuple(found)


def stage_numbers(walk: Walk) -> dict[str, str]:
    """The numbers of the stages by their ids."""
    return {stage.id: walk.stage_number(number) for number, stage in enumerate(walk.stages)}


@dataclass(slots=True)
class Report:
    """What the class was last told of a learner: only what is new is told again."""

    hub: Hub
    member: int
    plain: bool = False
    _last: tuple[object, ...] = ()
    _checked: object = None

    def tell(self, core: LessonController, session: Session, *, following: bool) -> None:
        """Where the learner is, what is asked there, and how the CHECKs stand."""
        walk = core.walk
        asked = core.answered or core.open_question()
        key = (walk.place, walk.ledger, following, asked.ref if asked else None)
        if all(a is b or a == b for a, b in zip(key, self._last, strict=False)) and self._last:
            return
        forward = not self._last or walk.place != self._last[0]
        self._last = key
        self.hub.stands(
            self.member,
            place_of(walk, session.lesson),
            asked=str(asked.ref) if asked else "",
            following=following,
            forward=forward,
            plain=self.plain,
        )
        if walk.ledger is not self._checked:
            self._checked = walk.ledger
            self.hub.checks(self.member, checks_of(walk))

"""Where a card is asked: a variant that its learner has not had for longest, and a cell on which the slip shows."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.judge.verdict import prepare
from tui_attention.lessons.load import load
from tui_attention.lessons.run import LessonRun, on_variant
from tui_attention.practice.scheduling import CardKey
from tui_attention.store import Reviewed
from tui_attention.walk.places import Place, home
from tui_attention.walk.questions import QuestionPlan
from tui_attention.walk.refs import CellRef, CheckRef, Ref, parse_ref

MOST_VARIANTS = 4
"""Variants that are looked through for a cell on which the slip shows."""
MOST_CELLS = 12

Where = Callable[[str], str]
"""Where a lesson is now, by the name that its progress is kept under. Raises BadInput where it is not here."""


@dataclass(frozen=True, eq=False, slots=True)
class AskedAt:
    """A question of a review: the run on its variant, the place of its step, and what is asked."""

    run: LessonRun
    place: Place
    ref: Ref


def variants_for(count: int, before: Iterable[int], uid: str) -> tuple[int, ...]:
    """The variants, those that were asked least first, else in an order that hangs on `uid` alone."""
    used = Counter(before)

    def order(number: int) -> tuple[int, bytes]:
        return used[number], hashlib.sha256(f"{uid}\0{number}".encode()).digest()

    return tuple(sorted(range(1, count + 1), key=order)) or (0,)


def find(key: CardKey, before: Iterable[Reviewed], uid: str, where: Where = str) -> AskedAt:
    """A question for a card. Raises BadInput or LessonError where the lesson is gone or no longer has the step."""
    lesson = load(where(key.lesson))
    had = [one.variant for one in before if one.lesson == key.lesson]
    first: AskedAt | None = None
    for number in variants_for(lesson.variants.count, had, uid)[:MOST_VARIANTS]:
        run = on_variant(lesson, number)
        for ref in _refs(run, key.step, uid):
            first = first or _at(run, ref)
            if shows(run, ref, key.kind):
                return _at(run, ref)
    if first is None:
        raise BadInput(f"{key.lesson} no longer asks for {key.step}")
    return first


def again(one: Reviewed, where: Where = str) -> AskedAt:
    """The question that was left in the middle. Raises BadInput or LessonError where the lesson no longer has it."""
    run = on_variant(load(where(one.lesson)), one.variant)
    try:
        ref = parse_ref(one.cell)
    except ValueError:
        raise BadInput(f"{one.lesson} no longer asks for {one.cell[:40]}") from None
    if isinstance(ref, CellRef):
        ref = CellRef(*run.graph.locate(str(ref)))
    return _at(run, ref)


def _at(run: LessonRun, ref: Ref) -> AskedAt:
    if isinstance(ref, CellRef):
        place = home(run.lesson, ref.tensor)
        if place is None:
            raise BadInput(f"{run.lesson.id} no longer makes {ref.tensor}")
        return AskedAt(run, place, ref)
    plan = QuestionPlan(run)
    for number, stage in enumerate(run.lesson.stages):
        for check in stage.checks:
            if check.id == ref.id and plan.present(check):
                return AskedAt(run, Place(number, plan.step_of(stage, check)), ref)
    raise BadInput(f"{run.lesson.id} no longer has the question {ref.id}")


def _refs(run: LessonRun, step: str, uid: str) -> Iterator[Ref]:
    """The questions that a step gives, in an order that hangs on `uid` and the variant."""
    if check := CheckRef.parse(step):
        yield check
        return
    graph = run.graph
    if step not in graph.program.by_name:
        return
    cells = [CellRef(step, index) for index in np.ndindex(*graph.traced(step).shape)]
    cells.sort(key=lambda ref: hashlib.sha256(f"{uid}\0{run.variant}\0{ref}".encode()).digest())
    asked = (ref for ref in cells if graph.working(ref.tensor, ref.index).askable)
    yield from (ref for _, ref in zip(range(MOST_CELLS), asked, strict=False))


def shows(run: LessonRun, ref: Ref, kind: str) -> bool:
    """Whether the slip would give a number that can be told from a right one."""
    try:
        if isinstance(ref, CellRef):
            working = run.graph.working(ref.tensor, ref.index)
        else:
            check = next(check for stage in run.lesson.stages for check in stage.checks if check.id == ref.id)
            found = run.check_working(check)
            if found is None:
                return False
            working = found
        question = prepare(run, working)
        return any(kind in group.kinds and question.visible(group) for group in question.groups)
    except (BadInput, LessonError, StopIteration):
        return False

"""What follows from an answer: a ledger goes in, and another one comes out. Nothing is kept here."""

from __future__ import annotations

from collections.abc import Container

from tui_attention.lessons.model import Check
from tui_attention.walk import places
from tui_attention.walk.ledger import Ledger
from tui_attention.walk.places import Place
from tui_attention.walk.questions import Question, QuestionPlan
from tui_attention.walk.refs import CellRef, CheckRef


def seen_before(ledger: Ledger, plan: QuestionPlan, question: Question, shown: Container[CellRef] = ()) -> bool:
    """Whether the number was on screen before it was given; what a CHECK has the learner read off is none.

    `shown` are cells that whoever leads has shown.
    """
    cell = question.cell
    if cell is not None and cell in shown:
        return True
    if cell is None or cell.tensor not in ledger.seen:
        return False
    return plan.order(cell.tensor) >= _asked_at(plan, question)


def _asked_at(plan: QuestionPlan, question: Question) -> int:
    """The number of the step at which a question's CHECK is asked; -1 for a cell without one."""
    lesson = plan.run.lesson
    for number, stage in enumerate(lesson.stages):
        if question.check in stage.checks:
            return places.now(lesson, Place(number, plan.step_of(stage, question.check)))
    return -1


def settled(ledger: Ledger, plan: QuestionPlan, place: Place, question: Question) -> tuple[Ledger, str]:
    """The ledger after a question of a place was settled, and the tensor that shows as a whole now, or no name.

    A tensor opens when its last CHECK here is paid; after a worked example a sibling is asked instead. The same
    ledger where nothing follows.
    """
    cell = question.cell
    if question.check is None or cell is None:
        return ledger, ""
    if not ledger.entry(question.ref).worked:
        return _with_sibling(ledger, plan, question.check, cell), ""
    here = (asked for asked in plan.at(place, ledger) if asked.cell is not None and asked.check != question.check)
    same = [asked for asked in here if asked.cell is not None and asked.cell.tensor == cell.tensor]
    if all(ledger.entry(asked.ref).settled for asked in same) and cell.tensor not in ledger.opened:
        return ledger.with_opened(cell.tensor), cell.tensor
    return ledger, ""


def _with_sibling(ledger: Ledger, plan: QuestionPlan, check: Check, cell: CellRef) -> Ledger:
    """A neighbour is asked from now on."""
    if cell.tensor in ledger.opened | ledger.seen:
        return ledger  # what has been seen is not worked out, so a neighbour would teach nothing
    taken = ledger.chosen.get(CheckRef(check.id), (cell,))
    if cell != taken[-1]:
        return ledger
    sibling = plan.choose(cell.tensor, frozenset(taken) | frozenset(ledger.settled_cells))
    return ledger if sibling is None else ledger.with_chosen(CheckRef(check.id), (*taken, sibling))


__all__ = ["seen_before", "settled"]

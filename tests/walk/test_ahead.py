"""Asked ahead: verdicts and hints tell nothing of operands that are covered."""

from __future__ import annotations

import numpy as np
import pytest

from tests.walk.swapped import swapped
from tui_attention.judge.hint_levels import HINT_LEVELS
from tui_attention.judge.verdict import prepare
from tui_attention.lessons.run import open_run
from tui_attention.walk.refs import CellRef
from tui_attention.walk.view import COVERED
from tui_attention.walk.walk import Walk

TYPED = ("-987.65", "0.17", "1.10 - 0.82", "sqrt(2)", "1.41 + 0.43", "exp(0)", "nothing")


def ahead(walk: Walk) -> list[CellRef]:
    """For each tensor, its first and last covered cell that a pencil makes from a covered one."""
    found = []
    for name in walk.visible.names():
        shape = walk.visible.view(name).shape
        for index in {(0,) * len(shape), tuple(size - 1 for size in shape)}:
            ref = walk.visible.source(CellRef(name, index))
            working = walk.opened.run.graph.working(ref.tensor, ref.index)
            if not working.askable or walk.visible.state(ref) != COVERED:
                continue
            if walk.visible.covered_operands(walk.question(ref)):
                found.append(ref)
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("lesson", ["press-h", "bank"])
def test_what_is_said_is_the_same_whatever_numbers_are_covered(lesson: str) -> None:
    walk = Walk(open_run(lesson))
    said = 0
    for stage in range(1, len(walk.stages), 5):
        walk.move(type(walk.place)(stage))
        walk = Walk(walk.opened.run, place=walk.place)
        twin = swapped(walk)
        for ref in ahead(walk)[::6]:
            for typed in TYPED:
                ours, theirs = walk.answer(ref, typed).verdict, twin.answer(ref, typed).verdict
                if not ours.accepted and not theirs.accepted and ours.kind == theirs.kind:
                    assert (ours.says, ours.cells, ours.slips) == (theirs.says, theirs.cells, theirs.slips), ref
                    said += 1
            for _ in range(HINT_LEVELS):
                assert walk.hint(ref) == twin.hint(ref), ref
    assert said > 25


@pytest.mark.parametrize("lesson", ["press-h", "bank"])
def test_where_it_is_asked_no_slip_tells_of_what_is_covered(lesson: str) -> None:
    run = open_run(lesson)
    first = Walk(run)
    places = [type(first.place)(n, k) for n, stage in enumerate(first.stages) for k in range(len(stage.steps))]
    said = 0
    for place in places[::3]:
        walk = Walk(run, place=place)
        twin = swapped(walk)
        for asked in [asked for asked in walk.questions() if not asked.sentence][:1]:
            question = prepare(run, walk.opened.working(asked))
            for typed in [f"{group.exact:.{question.asks}f}" for group in question.groups[::3]]:
                ours, theirs = walk.answer(asked.ref, typed).verdict, twin.answer(asked.ref, typed).verdict
                if not ours.accepted:
                    assert (ours.says, ours.cells, ours.slips) == (theirs.says, theirs.cells, theirs.slips), asked
                    said += 1
            hints = [(walk.hint(asked.ref), twin.hint(asked.ref)) for _ in range(HINT_LEVELS - 1)]
            assert all(ours == theirs for ours, theirs in hints if ours.level < HINT_LEVELS), asked
    assert said > 35


def test_another_sentence_is_no_slip_before_it_has_been_worked() -> None:
    walk = Walk(open_run("bank"))
    walk.goto("out")
    other = walk.opened.run.graph.cell("out2", (2, 0)).printed
    assert "other-sentence" not in {slip.kind for slip in walk.answer("out[2,0]", other).verdict.slips}
    walk.goto("out2")
    walk.next()
    assert "other-sentence" in {slip.kind for slip in walk.answer("out[2,0]", other).verdict.slips}


def test_it_says_what_to_work_out_first_and_the_hints_stop_there() -> None:
    walk = Walk(open_run("press-h"))
    walk.goto("x0")
    outcome = walk.answer("a[0,0]", "0.58")
    assert outcome.verdict.says == (
        "That is not it. x0[0,0], mu1[0] and sigma1[0] are still covered: work them out first."
    )
    assert not outcome.verdict.slips
    hints = [walk.hint("a[0,0]") for _ in range(6)]
    assert [hint.level for hint in hints] == [1, 2, 2, 2, 2, 2]
    assert walk.ledger.entry(CellRef("a", (0, 0))).state == "open"
    assert walk.answer("a[0,0]", "1.73").verdict.accepted
    assert np.isnan(walk.view("mu1").values).all()

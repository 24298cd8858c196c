"""What is noted of a learner: states that count apart, and whose sentences speak of a cell."""

from __future__ import annotations

import pytest

from tests.lessons import toy
from tui_attention.lessons.run import open_run
from tui_attention.walk.ledger import Entry, Ledger
from tui_attention.walk.places import Place
from tui_attention.walk.questions import Question, QuestionPlan
from tui_attention.walk.refs import CellRef, CheckRef
from tui_attention.walk.settling import seen_before
from tui_attention.walk.statistics import Attempt, habits
from tui_attention.walk.walk import Walk

SLIPPED = ("backward",)
FIRST, BESIDE = CellRef("a", (0, 0)), CellRef("a", (0, 1))


@pytest.mark.parametrize(
    ("entry", "recovered"),
    [
        pytest.param(Entry("paid", kinds=SLIPPED), True, id="by oneself"),
        pytest.param(Entry("paid"), False, id="without a slip"),
        pytest.param(Entry("paid", hints=1, kinds=SLIPPED), False, id="with a hint"),
        pytest.param(Entry("helped", kinds=SLIPPED), False, id="with help"),
        pytest.param(Entry("borrowed", kinds=SLIPPED), False, id="borrowed"),
        pytest.param(Entry("open", kinds=SLIPPED), False, id="not yet"),
    ],
)
def test_recovered_is_right_without_help_after_a_slip(entry: Entry, recovered: bool) -> None:
    assert entry.recovered is recovered


def test_what_was_seen_stays_seen() -> None:
    ledger = Ledger().with_seen(frozenset({"a"})).with_seen(frozenset({"b"}))
    assert ledger.seen == {"a", "b"}
    assert ledger.with_seen(frozenset({"a"})) is ledger


def test_a_cells_own_sentences_are_those_of_the_check_that_asks_for_it() -> None:
    plan = QuestionPlan(open_run("press-h"))
    speaking = {check.id for check in plan.speaking(Question(FIRST), Ledger())}
    assert speaking
    checks = {check.id: check for stage in plan.run.lesson.stages for check in stage.checks}
    assert {checks[name].cell for name in speaking} == {"a[0,0]"}
    assert plan.speaking(Question(BESIDE), Ledger()) == ()
    assert plan.speaking(Question(CheckRef("flatten.9")), Ledger()) == ()


def test_a_check_speaks_for_itself_alone_and_never_of_a_sibling() -> None:
    plan = QuestionPlan(open_run("press-h"))
    silent = next(
        question
        for stage, room in enumerate(plan.run.lesson.stages)
        for step in range(max(1, len(room.steps)))
        for question in plan.at(Place(stage, step), Ledger())
        if question.check is not None and question.cell is not None and not question.check.says
    )
    assert silent.check is not None
    assert plan.speaking(silent, Ledger()) == (silent.check,)
    assert plan.speaking(silent._replace(sibling=True), Ledger()) == ()


def test_what_a_check_chooses_is_spoken_of_at_that_cell_alone() -> None:
    plan = QuestionPlan(open_run("press-h"))
    checks = [check for stage in plan.run.lesson.stages for check in stage.checks if check.of and check.says]
    assert checks
    for check in checks:
        chosen = plan.of_check(check, Ledger())[0].ref
        assert isinstance(chosen, CellRef)
        assert check in plan.speaking(Question(chosen), Ledger())
        other = CellRef(chosen.tensor, tuple(0 if place else 1 for place in chosen.index))
        assert check not in plan.speaking(Question(other), Ledger())


def test_a_check_of_the_lessons_own_numbers_says_nothing_on_another_prompt() -> None:
    chosen = toy.TOY.replace('cell = "y[0,0]"', 'of = "y"')
    says = chosen + 'page_only = true\n[[stage.check.says]]\nslip = "neighbour-cell"\ntext = "Beside it."\n'
    for prompt, count in (("ab", 1), ("ba", 0)):
        plan = QuestionPlan(toy.run(says, prompt))
        (check,) = plan.run.lesson.stages[0].checks
        cell = plan.of_check(check, Ledger())[0].ref
        assert isinstance(cell, CellRef)
        assert len(plan.speaking(Question(cell), Ledger())) == count


# ---------------------------------------------------------------- what a walk notes


@pytest.fixture
def walk() -> Walk:
    walk = Walk(open_run("press-h"))
    walk.goto("a[0,0]")
    return walk


def test_a_page_of_its_own_counts_as_seen_only_while_nothing_is_covered(walk: Walk) -> None:
    walk.see(frozenset({"logits"}))
    assert "logits" not in walk.ledger.seen
    walk.toggle_cover()
    walk.see(frozenset({"logits"}))
    assert "logits" in walk.ledger.seen


def test_of_a_tensor_that_was_seen_no_neighbour_is_asked(walk: Walk) -> None:
    walk.toggle_cover()
    walk.toggle_cover()
    assert "a" in walk.ledger.seen
    walk.reveal("a[0,0]")
    assert not any(question.sibling for question in walk.questions())


def test_what_is_settled_is_not_borrowed_any_more(walk: Walk) -> None:
    assert walk.answer("a[0,0]", "1.73").verdict.accepted
    assert walk.reveal("a[0,0]").what == "nothing"
    assert walk.ledger.entry(FIRST).state == "paid"


def test_the_furthest_stage_stays_whoever_goes_back(walk: Walk) -> None:
    there = walk.furthest
    assert there == walk.place.stage > 0
    walk.move(Place(0))
    assert walk.furthest == there


def test_what_whoever_leads_has_shown_counts_as_seen() -> None:
    plan = QuestionPlan(open_run("press-h"))
    assert not seen_before(Ledger(), plan, Question(FIRST))
    assert seen_before(Ledger(), plan, Question(FIRST), {FIRST})


def test_a_slip_named_twice_on_one_answer_is_no_habit() -> None:
    once = Attempt(FIRST, "flatten", ("backward", "backward"))
    assert habits([once]) == ()
    (slip,) = habits([once, Attempt(BESIDE, "flatten", ("backward",))])
    assert (slip.times, slip.where) == (2, (("flatten", FIRST), ("flatten", BESIDE)))


def test_a_slip_named_at_one_question_makes_no_hint_of_another_stronger(walk: Walk) -> None:
    assert walk.answer("a[0,0]", "0.58").verdict.slips
    assert walk.hint("a[0,1]").level == 1
    assert walk.hint("a[0,0]").level > 1


def test_a_hint_to_what_is_paid_costs_nothing(walk: Walk) -> None:
    walk.answer("a[0,0]", "1.73")
    before = walk.ledger.entry(FIRST)
    walk.hint("a[0,0]")
    assert walk.ledger.entry(FIRST) == before

"""The walk: stepping, the cover, paying, borrowing, siblings, dials."""

from __future__ import annotations

import numpy as np
import pytest

from tests.lessons import toy
from tui_attention.engine.errors import BadInput
from tui_attention.lessons.run import open_run
from tui_attention.walk.places import Place
from tui_attention.walk.refs import CellRef, parse_ref
from tui_attention.walk.statistics import habits
from tui_attention.walk.view import COVER, COVERED, SHOWN, UNREACHED
from tui_attention.walk.walk import Walk


@pytest.fixture
def walk() -> Walk:
    walk = Walk(open_run("press-h"))
    walk.goto("a[0,0]")
    return walk


def states(walk: Walk, name: str) -> set[int]:
    return set(walk.view(name).states.ravel().tolist())


@pytest.mark.parametrize("lesson", ["press-h", "bank"])
def test_next_visits_every_step_once_and_back_returns_the_same_way(lesson: str) -> None:
    walk = Walk(open_run(lesson))
    there = [walk.place]
    while walk.next().what != "nothing":
        there.append(walk.place)
    assert len(there) == sum(max(1, len(stage.steps)) for stage in walk.stages)
    assert walk.at_end
    back = [walk.place]
    while walk.back().what != "nothing":
        back.append(walk.place)
    assert back == there[::-1]


def test_the_current_step_and_all_later_ones_are_covered(walk: Walk) -> None:
    assert walk.step is not None
    assert walk.step.name == "a"
    assert states(walk, "sigma1") == {SHOWN}
    assert states(walk, "a") == states(walk, "q") == states(walk, "logits") == {COVERED}
    assert np.isnan(walk.view("a").values).all()
    assert walk.view("a").text((0, 0)) == COVER


def test_what_is_left_behind_shows_and_stays_open(walk: Walk) -> None:
    walk.next()
    assert states(walk, "a") == {SHOWN}
    assert not walk.ledger.entry(parse_ref("a[0,0]")).settled


def test_paying_the_check_shows_its_whole_tensor(walk: Walk) -> None:
    outcome = walk.answer("a[0,0]", "1.73")
    assert (outcome.state, outcome.opened) == ("paid", "a")
    assert states(walk, "a") == {SHOWN}
    assert states(walk, "q") == {COVERED}


def test_a_cell_without_a_check_shows_alone(walk: Walk) -> None:
    assert walk.answer("a[0,3]", "-0.10").state == "paid"
    view = walk.view("a")
    assert view.states[0].tolist() == [COVERED, COVERED, COVERED, SHOWN, COVERED, COVERED]


def test_a_borrowed_cell_shows_alone_and_a_sibling_is_asked(walk: Walk) -> None:
    walk.reveal("a[0,0]")
    assert walk.ledger.entry(parse_ref("a[0,0]")).state == "borrowed"
    assert walk.view("a").states[0].tolist() == [SHOWN] + [COVERED] * 5
    siblings = [asked for asked in walk.questions() if asked.sibling]
    assert len(siblings) == 1
    sibling = siblings[0]
    assert sibling.cell is not None
    value = walk.opened.run.graph.tensor("a").text(sibling.cell.index)
    assert walk.answer(sibling.ref, value).opened == "a"
    assert states(walk, "a") == {SHOWN}


def test_a_borrowed_sibling_brings_another_until_none_is_left(walk: Walk) -> None:
    for _ in range(6):
        asked = walk.open_question()
        assert asked is not None
        if asked.cell is not None and asked.cell.tensor == "a":
            walk.reveal(asked.ref)
    assert states(walk, "a") == {SHOWN}
    assert all(walk.ledger.entry(parse_ref(f"a[0,{n}]")).state == "borrowed" for n in range(6))


def test_the_whole_line_is_a_worked_example_so_a_sibling_follows(walk: Walk) -> None:
    for _ in range(4):
        walk.hint("a[0,0]")
    assert walk.answer("a[0,0]", "1.73").state == "helped"
    assert walk.view("a").states[0].tolist().count(SHOWN) == 1
    assert any(asked.sibling for asked in walk.questions())


def test_the_last_hint_is_the_number_and_borrows_the_cell(walk: Walk) -> None:
    hints = [walk.hint("a[0,0]") for _ in range(5)]
    assert [hint.level for hint in hints] == [1, 2, 3, 4, 5]
    assert "1.73" in hints[4].says
    assert not any("1.73" in hint.says for hint in hints[:4])
    assert walk.ledger.entry(parse_ref("a[0,0]")).state == "borrowed"


def test_what_was_seen_through_the_open_cover_is_paid_with_help_at_most(walk: Walk) -> None:
    walk.toggle_cover()
    assert states(walk, "a") == {SHOWN}
    assert states(walk, "q") == {UNREACHED}
    walk.toggle_cover()
    assert states(walk, "a") == {COVERED}
    outcome = walk.answer("a[0,0]", "1.73")
    assert (outcome.state, outcome.seen) == ("helped", True)
    assert walk.ledger.entry(parse_ref("a[0,0]")).seen


def test_with_the_cover_off_a_jump_computes_up_to_where_it_lands() -> None:
    walk = Walk(open_run("press-h"), cover=False)
    walk.goto("y[0,0]")
    assert states(walk, "heads") == states(walk, "y") == {SHOWN}
    assert states(walk, "x1") == {UNREACHED}


def test_a_view_is_paid_and_covered_together_with_its_source() -> None:
    walk = Walk(open_run("press-h"))
    walk.goto("q[0,0]")
    assert states(walk, "qh") == {COVERED}
    walk.answer("qh[0,0,0]", "0.92")
    assert states(walk, "qh") == states(walk, "q") == {SHOWN}


def test_a_masked_or_measured_cell_is_not_asked() -> None:
    walk = Walk(open_run("press-h", prompt="ha"))
    walk.goto("scores")
    with pytest.raises(BadInput, match="masked"):
        walk.answer("scores[0,0,1]", "0")
    assert walk.view("scores").text((0, 0, 1)) == "-inf"


def test_a_sentence_is_marked_by_the_learner(walk: Walk) -> None:
    walk.goto("mlp")
    walk.move(Place(walk.place.stage, 99))
    sentence = next(asked for asked in walk.questions() if asked.sentence)
    for mark, state in (("not yet", "open"), ("partly", "helped"), ("had", "paid")):
        walk.mark(sentence.ref, mark)  # type: ignore[arg-type]
        assert walk.ledger.entry(sentence.ref).state == state
    with pytest.raises(BadInput):
        walk.mark("x2[0,0]", "had")


def test_prose_and_pencil_lines_hold_marks_for_covered_numbers() -> None:
    walk = Walk(open_run("press-h"))
    walk.goto("flatten")
    assert walk.text("mean {mu1}") == f"mean {COVER}"
    assert walk.line(CellRef("a", (0, 0))).line == f"(1.10 - {COVER}) / {COVER}"
    assert walk.line(CellRef("a", (0, 0))).result == "____"


def test_a_turned_dial_makes_another_ledger_and_undo_brings_the_first_back(walk: Walk) -> None:
    walk.answer("a[0,0]", "1.73")
    walk.turn("E[h,0]", 0.5, 1)
    assert walk.identity
    assert states(walk, "a") == {COVERED}
    assert walk.opened.run.graph.tensor("x0").text((0, 0)) == "1.32"
    walk.undo()
    assert walk.identity == ""
    assert states(walk, "a") == {SHOWN}


@pytest.mark.parametrize("text", ["nowhere", "q[9,9]", "a[0,6]", "", "[[["])
def test_a_jump_to_nowhere_says_what_would_be_legal(walk: Walk, text: str) -> None:
    before = walk.place
    with pytest.raises(BadInput):
        walk.goto(text)
    assert walk.place == before


def test_stages_count_from_the_first_that_computes() -> None:
    walk = Walk(open_run("press-h"))
    assert [walk.stage_number(stage) for stage in (0, 1, 4)] == ["", "1", "4"]
    walk.goto("4")
    assert walk.stage.id == "flatten"


ROOTS = (
    toy.HEAD
    + '''
[tables.T]
prints = 1
values = [[1.0, 4.0], [9.0, -4.0], [0.0, 1.0]]
[[stage]]
id = "one"
title = "one"
steps = """
x = T[tokens(prompt)]
y = sqrt(x)
"""
[[stage.check]]
ask = "Which root?"
cell = "y[0,1]"
'''
)


def test_a_dial_or_prompt_that_leaves_a_step_without_a_value_is_refused_and_changes_nothing() -> None:
    walk = Walk(toy.run(ROOTS, "a"))
    walk.goto("y")
    before = walk.opened.run, walk.place, walk.ledger
    with pytest.raises(BadInput, match=r"^then y = sqrt\(x\) can't be worked out: 'sqrt' has no value") as refusal:
        walk.turn("T[0,0]", -1.0, 1)
    assert "\n" not in str(refusal.value)
    with pytest.raises(BadInput, match="can't be worked out"):
        walk.change_inputs("ab")
    assert (walk.opened.run, walk.place, walk.ledger) == before
    assert walk.undo().what == "nothing"
    assert walk.answer("y[0,1]", "2.00").state == "paid"
    walk.turn("T[0,0]", 9.0, 1)
    assert walk.opened.run.graph.tensor("y").values[0, 0] == 3


@pytest.mark.parametrize("cover", [True, False])
def test_in_a_stage_without_steps_the_next_step_is_not_there_yet(cover: bool) -> None:
    walk = Walk(open_run("press-h"), cover=cover)
    assert walk.step is None
    first = walk.opened.run.lesson.program.steps[0].name
    assert states(walk, first) == {COVERED if cover else UNREACHED}
    # Also where the next step makes what is merely stated.
    stated = Walk(toy.run(STATED), cover=cover)
    stated.next_stage()
    assert stated.step is None
    assert states(stated, "mask") == {COVERED if cover else UNREACHED}
    stated.next_stage()
    assert states(stated, "mask") == {SHOWN}


STATED = (
    toy.steps("ids = tokens(prompt)")
    + "\n[[stage]]\nid = 'two'\ntitle = 'two'\nwall = 'w'\n"
    + "[[stage]]\nid = 'three'\ntitle = 'three'\nsteps = 'mask = causal(ids)'\n"
)


# ---------------------------------------------------------------- siblings, and when a tensor opens

CHECK = """
[[stage.check]]
ask = "Which number?"
cell = "%s"
"""
TWO = toy.steps("x = E[tokens(prompt)]", "y = x * 2") + CHECK % "y[0,0]" + CHECK % "y[0,1]"


def at_y(toml: str) -> Walk:
    walk = Walk(toy.run(toml))
    walk.goto("y")
    return walk


def asked_for(walk: Walk) -> tuple[str, ...]:
    """The cells asked for the only CHECK that has been given a sibling."""
    (cells,) = walk.ledger.chosen.values()
    return tuple(map(str, cells))


def test_a_tensor_opens_when_its_last_check_here_is_settled() -> None:
    walk = at_y(TWO)
    assert walk.answer("y[0,0]", "0.50").opened == ""
    assert states(walk, "y") == {SHOWN, COVERED}
    assert walk.answer("y[0,1]", "-1.00").opened == "y"
    assert states(walk, "y") == {SHOWN}


def test_a_borrowed_cell_answered_after_all_asks_no_further_sibling(walk: Walk) -> None:
    walk.reveal("a[0,0]")
    chosen = asked_for(walk)
    assert len(chosen) == 2
    assert walk.answer("a[0,0]", "1.73").state == "borrowed"
    assert asked_for(walk) == chosen


def test_a_cell_that_is_settled_already_is_no_sibling(walk: Walk) -> None:
    twin = Walk(walk.opened.run, place=walk.place)
    twin.reveal("a[0,0]")
    first = asked_for(twin)[-1]
    walk.reveal(first)  # as a cell, not for the CHECK
    walk.reveal("a[0,0]")
    assert asked_for(walk)[-1] not in ("a[0,0]", first)


def test_a_tensor_that_shows_as_a_whole_brings_no_sibling() -> None:
    later = "\n[[stage]]\nid = 'two'\ntitle = 'two'\nsteps = 'z = y + 1'\n" + CHECK % "y[0,1]"
    walk = at_y(toy.steps("x = E[tokens(prompt)]", "y = x * 2") + CHECK % "y[0,0]" + later)
    assert walk.answer("y[0,0]", "0.50").opened == "y"
    walk.next_stage()
    walk.reveal("y[0,1]")
    assert [str(asked.ref) for asked in walk.questions()] == ["y[0,1]"]


def test_an_accepted_number_is_carried_on_and_a_wrong_one_is_not(walk: Walk) -> None:
    walk.answer("a[0,0]", "0.58")
    assert walk.ledger.own == {}
    walk.answer("a[0,0]", "1.74")
    assert walk.ledger.own == {CellRef("a", (0, 0)): 1.74}


def test_a_slip_named_on_one_answer_is_no_habit(walk: Walk) -> None:
    walk.answer("a[0,0]", "0.58")
    assert "backward" in walk.ledger.entry(parse_ref("a[0,0]")).kinds
    assert habits(walk.attempts()) == ()
    walk.answer("a[0,1]", "-86.04")
    walk.answer("a[0,2]", "-0.59")
    assert [slip.kind for slip in habits(walk.attempts())] == ["backward"]


def test_after_a_named_slip_the_hints_begin_at_its_cells(walk: Walk) -> None:
    assert walk.hint("a[0,1]").level == 1
    walk.answer("a[0,0]", "0.58")
    assert walk.hint("a[0,0]").level == 2


def test_a_paid_cell_shows_no_steps_while_what_it_reads_is_covered(walk: Walk) -> None:
    assert walk.answer("q[0,0]", "0.92").state == "paid"
    assert walk.visible.shown(CellRef("q", (0, 0)))
    (line,) = walk.visible.steps(CellRef("q", (0, 0)))
    assert line.count(COVER) == 6
    walk.answer("a[0,0]", "1.73")
    assert len(walk.visible.steps(CellRef("q", (0, 0)))) > 1


def test_a_turned_dial_shows_all_the_digits_typed() -> None:
    walk = Walk(open_run("press-h"))
    walk.turn("P[0,0]", 0.8251, 4)
    assert walk.view("P").text((0, 0)) == "0.8251"
    assert walk.view("P").text((0, 1)) == "0.33"
    walk.goto("x0")
    assert walk.line(CellRef("x0", (0, 0))).line.endswith("+ 0.8251")
    walk.turn("P[0,0]", 0.8, 1)
    assert walk.view("P").text((0, 0)) == "0.80"


def test_all_digits_are_those_of_what_is_computed_and_a_dial_has_no_more_than_it_prints() -> None:
    walk = Walk(open_run("press-h"))
    walk.goto("a")
    walk.digits = "all"
    assert walk.view("E").text((7, 0)) == "0.28"
    assert walk.view("sigma1").text((0,)) == "0.573555"


def test_another_dial_or_ticket_is_another_ledger() -> None:
    walk = Walk(open_run("press-h"))
    assert walk.identity == ""
    seen = set()
    for dial, value in (("E[0,0]", 0.5), ("E[0,0]", 0.6), ("E[0,1]", 0.6)):
        walk.turn(dial, value, 2)
        seen.add(walk.identity)
    walk.change_inputs(prompt="ha")
    seen.add(walk.identity)
    walk.change_inputs(ticket=0.9)
    seen.add(walk.identity)
    assert len(seen) == 5

"""Tensors that are worked out once for all who look: what each may see of them is that walk's own."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tui_attention.engine.refs import CellRef
from tui_attention.lessons.run import open_run
from tui_attention.walk.lead import Lead
from tui_attention.walk.ledger import Entry
from tui_attention.walk.places import Place
from tui_attention.walk.steps import step_view
from tui_attention.walk.view import SHOWN
from tui_attention.walk.walk import Walk

LEADS = (
    Lead(),
    Lead(frozenset({"a"}), frozenset({CellRef("a", (0, 2)), CellRef("q", (0, 1))})),
)


@pytest.mark.parametrize(("cover", "lead"), list(product((True, False), LEADS)))
def test_a_whole_table_is_seen_as_its_cells_are(cover: bool, lead: Lead) -> None:
    run = open_run("press-h")
    for stage in range(len(run.lesson.stages)):
        for step in range(max(1, len(run.lesson.stages[stage].steps))):
            walk = Walk(run, cover=cover, place=Place(stage, step))
            walk.follow(lead)
            walk._set(CellRef("a", (0, 1)), Entry("paid"))
            walk._set(CellRef("k", (0, 3)), Entry("borrowed"))
            visible = walk.visible
            for name in ("E", "ids", "a", "q", "qh", "k", "scores", "gx1"):
                if name not in visible.names():
                    continue
                view = visible.view(name)
                for index in np.ndindex(*view.shape):
                    ref = CellRef(name, index)
                    state = visible.state(ref)
                    assert view.states[index] == state, (stage, step, ref)
                    assert view.texts[index] == (visible.show(ref) if state == SHOWN else "")
                    assert np.isnan(view.values[index]) == (state != SHOWN)


def test_one_graph_and_two_walks() -> None:
    run = open_run("press-h")
    ada, bob = (Walk(run, cover=True, place=Place(4, 2)) for _ in range(2))
    before = bob.view("E").texts.tolist()
    ada.toggle_cover()
    assert "" not in ada.view("a").texts.ravel().tolist()
    assert set(bob.view("a").texts.ravel().tolist()) == {""}
    ada.turn("E[7,0]", 5.0, 1)
    assert float(ada.view("E").values[7, 0]) == 5.0
    assert bob.view("E").texts.tolist() == before


def test_nothing_is_seen_as_it_was_before_a_change() -> None:
    walk = Walk(open_run("press-h"), cover=True, place=Place(4, 2))
    assert walk.visible is walk.visible
    before = walk.visible
    for change in (
        walk.toggle_cover,
        lambda: setattr(walk, "digits", "all"),
        lambda: walk.follow(Lead(frozenset({"a"}))),
        walk.next,
        lambda: walk.turn("E[7,0]", 5.0, 1),
        lambda: walk._set(CellRef("a", (0, 1)), Entry("paid")),
    ):
        change()
        assert walk.visible is not before
        before = walk.visible


def test_who_looks_up_the_numbers_of_marks_sees_the_list() -> None:
    for lesson in ("press-h", "two-marks", "modern"):
        run = open_run(lesson)
        step = run.graph.program.by_name["ids"]
        assert step_view(run.graph, step).reads == ("splitter",), lesson
        assert "splitter" not in step_view(run.graph, run.graph.program.steps[1]).reads

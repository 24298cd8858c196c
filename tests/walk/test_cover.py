"""Non-interference: what a renderer receives is the same whatever numbers stand under the cover."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from tests.walk.swapped import hidden_cells, swapped
from tui_attention.lessons.run import open_run
from tui_attention.walk.places import Place
from tui_attention.walk.refs import CellRef
from tui_attention.walk.view import SHOWN
from tui_attention.walk.walk import Walk


def received(walk: Walk) -> list[object]:
    """Everything that a renderer can ask for at this place."""
    visible, graph = walk.visible, walk.opened.run.graph
    found: list[object] = []
    for name in graph.program.by_name:
        view = visible.view(name)
        found += [view.texts.tolist(), view.states.tolist(), view.sources.tolist(), repr(view.values.tolist())]
        index = (0,) * len(view.shape)
        for place in (index, tuple(size - 1 for size in view.shape)):
            cell = CellRef(name, place)
            found += [visible.line(cell), visible.steps(cell), visible.operands(cell)]
    stage = walk.stage
    for note in (*stage.notes, *stage.diagrams):
        found.append(visible.text(note.text, page_only=note.page_only))
    found += [visible.text(text) for text in stage.wall]
    found += [visible.text(text) for table in stage.tables for row in table.rows for text in row]
    for plot in stage.plots:
        found += [(part.title, repr(part.values.tolist()), part.hidden) for part in visible.picture(plot)]
    found += [(asked.ref, walk.ask(asked)) for asked in walk.questions()]
    found += [walk.stage_mark(number) for number in range(len(walk.stages))]
    return found


@pytest.mark.parametrize(("prompt", "digits"), [(None, "pencil"), ("ha", "all")])
def test_press_h_hands_out_the_same_whatever_is_covered(prompt: str | None, digits: str) -> None:
    walk_through(Walk(open_run("press-h", prompt=prompt)), digits, every=3)


def test_bank_hands_out_the_same_whatever_is_covered() -> None:
    walk_through(Walk(open_run("bank")), "printed", every=2)


@pytest.mark.slow
@pytest.mark.parametrize("lesson", ["press-h", "bank", "two-marks", "modern", "translate"])
def test_at_every_step_the_same_is_handed_out(lesson: str) -> None:
    walk_through(Walk(open_run(lesson)), "printed")


def test_an_uncovered_walk_hands_out_nothing_of_later_steps() -> None:
    walk_through(Walk(open_run("press-h"), cover=False), "printed", every=3)


def walk_through(walk: Walk, digits: str, every: int = 1) -> None:
    """To the end; looked at after so many steps each, and at the first."""
    walk.digits = digits  # type: ignore[assignment]
    checked = 0
    for number in count():
        if number % every == 0:
            assert received(walk) == received(swapped(walk)), walk.place
            checked += len(hidden_cells(walk))
        if walk.next().what == "nothing":
            break
    assert checked > 100


def test_a_paid_cell_is_received_and_its_covered_neighbours_are_not() -> None:
    walk = Walk(open_run("press-h"), place=Place(4, 2))
    walk.answer("a[0,3]", "-0.10")
    view = walk.view("a")
    assert (view.states == SHOWN).sum() == 1
    assert np.isnan(view.values).sum() == 5
    assert received(walk) == received(swapped(walk))


def test_the_swapped_graph_really_holds_other_numbers() -> None:
    walk = Walk(open_run("press-h"), place=Place(4, 2))
    twin = swapped(walk)
    gap = twin.opened.run.graph.tensor("a").values - walk.opened.run.graph.tensor("a").values
    assert (np.abs(gap) > 1).all()
    assert (twin.opened.run.graph.tensor("x0").values == walk.opened.run.graph.tensor("x0").values).all()
    gap = twin.opened.run.formula("a * 1").values - walk.opened.run.formula("a * 1").values
    assert (np.abs(gap) > 1).all()
    twin.toggle_cover()
    walk.toggle_cover()
    assert received(walk) != received(twin)

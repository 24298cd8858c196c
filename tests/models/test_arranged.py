"""Tables of a model: largest first, by heads, shaded, without the first key; stages found by their words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.models import making
from tui_attention.interaction.controller import LessonController
from tui_attention.models.opening import open_named
from tui_attention.ui.seat import Seat
from tui_attention.walk.refs import CellRef
from tui_attention.walk.walk import Walk
from tui_attention.walk.window import Arrangement, shaded

CONFIG = {**making.CASES["llama"], "hidden_size": 96, "intermediate_size": 60}


@pytest.fixture
def core(tmp_path: Path) -> LessonController:
    """A model with rows of 96 numbers, at the output of its second block."""
    folder = making.folder(tmp_path / "m", CONFIG)
    core = LessonController(Walk(open_named(str(folder), "3 1 4 1 5"), cover=False))
    core.do("goto", "x2_1[0,0]")
    return core


def test_the_largest_of_a_row_stand_first_and_arrows_follow_them(core: LessonController) -> None:
    row = np.asarray(core.walk.opened.run.graph.tensor("x2_1").values)[3]
    order = np.argsort(-np.abs(row), kind="stable").tolist()
    assert "the largest of the cursor's row first" in core.do("order").messages[0].text
    core.do("order")
    seat = Seat(core)
    seat.cursor = seat.find(CellRef("x2_1", (3, 40)))
    seat.perform("order")
    assert seat.cursor is not None
    assert seat.cursor.ref == CellRef("x2_1", (3, order[0]))  # where reading begins
    view = core.visible.view("x2_1", core.visible.window_at(CellRef("x2_1", (3, order[0]))))
    assert list(view.columns) == order[:18]
    assert [view.place((3, j)) for j in range(18)] == [(3, column) for column in order[:18]]
    assert [float(text) for text in view.texts[3]] == pytest.approx(row[order[:18]], abs=6e-4)
    assert view.left_out() == "largest first, 1 to 18 of 96"
    assert list(view.axes[-1].labels) == [str(column) for column in order[:18]]
    for rank in range(1, 20):  # past the end of the window, too
        assert seat.arrow(1, 0)
        assert seat.cursor is not None
        assert seat.cursor.at == (3, order[rank])
    assert seat.arrow(0, 1)
    assert seat.cursor is not None
    assert seat.cursor.at == (4, order[19])
    assert core.visible.beside("x2_1", (3, order[-1]), 1) is None
    core.do("order")
    assert core.visible.view("x2_1", (3, order[0])).columns == ()


def test_an_order_tells_nothing_of_what_is_covered(core: LessonController) -> None:
    core.do("order")
    core.walk.toggle_cover()
    assert core.visible.view("x2_1", (3, 0)).columns == ()
    core.walk.arrangement = Arrangement()
    reply = core.do("order")
    assert reply.refused
    assert "their order would give them away" in reply.messages[0].text


def test_the_first_key_is_left_out_of_looks_and_of_nothing_else(core: LessonController) -> None:
    whole = core.visible.view("shares_1", ())
    core.do("first_key")
    view = core.visible.view("shares_1", ())
    assert view.shape == (4, 5, 4)
    assert (view.values == whole.values[..., 1:]).all()
    assert view.place((2, 3, 0)) == (2, 3, 1)
    assert view.left_out() == "without key 0"
    assert view.heat is not None
    assert core.visible.view("q_1", (0, 0)).columns == ()
    seat = Seat(core)
    core.do("goto", "shares_1[2,3,1]")
    seat.settle_in()
    assert all(key.at[-1] > 0 for *_, key in seat.document().cells if key.name == "shares_1")
    core.do("first_key")
    assert core.visible.view("shares_1", ()).shape == (4, 5, 5)


def test_shades_by_row_and_by_factors_of_ten() -> None:
    values = np.array([[10.0, -9.0, 3.0, 0.0], [22552.0, 150.0, 1.0, np.nan], [-np.inf, 1e-3, 2e-3, 1e-9]])
    assert shaded(values, "row").tolist() == [[5, 5, 2, 1], [5, 1, 1, 0], [0, 3, 5, 1]]
    assert shaded(values, "log").tolist() == [[2, 2, 2, 1], [5, 3, 1, 0], [0, 1, 1, 1]]
    assert shaded(np.array([0.0, 0.19, 0.5, 1.0]), "shares").tolist() == [1, 1, 3, 5]


def test_every_number_is_shaded_where_that_is_asked_for(core: LessonController) -> None:
    seat = Seat(core)
    seen = []
    for _ in range(3):
        heat = core.visible.view("x2_1", (0, 0)).heat
        assert (heat is None) == (core.walk.arrangement.shades == "shares")
        styles = {span.style for row in seat.document().rows for span in row if span.key is not None}
        seen.append((core.walk.arrangement.shades, any(style.startswith("heat") for style in styles)))
        seat.perform("shades")
    assert seen == [("shares", False), ("row", True), ("log", True)]
    assert core.visible.view("ids", ()).heat is None


@pytest.mark.parametrize(
    ("cell", "command", "wanted"),
    [
        ("shares_1[1,2,0]", "head_on", "shares_1[2,2,0]"),
        ("q_1[2,25]", "head_back", "q_1[2,1]"),
        ("k_1[2,3]", "head_on", "k_1[2,27]"),
        ("blend_1[0,71]", "head_on", "blend_1[0,95]"),
        ("shares_1[3,2,0]", "head_on", ""),
        ("m_1[0,0]", "head_on", ""),
    ],
)
def test_from_head_to_head(core: LessonController, cell: str, command: str, wanted: str) -> None:
    core.do("goto", cell)
    seat = Seat(core)
    seat.settle_in()
    assert seat.point_at(CellRef(*core.walk.opened.run.graph.locate(cell)))
    reply = seat.perform(command)
    assert reply.refused == (wanted == "")
    assert seat.cursor is not None
    assert str(CellRef(seat.cursor.name, seat.cursor.at)) == (wanted or cell)


def test_a_stage_is_found_by_its_words(core: LessonController) -> None:
    def found(words: str) -> str:
        reply = core.do("find", words)
        return reply.messages[0].text if reply.refused else core.walk.stage.id

    assert found("block 2 shares") == "share_2"
    assert found("") == "share_2"
    assert found("Wd") == "No stage has 'Wd' in its words."
    assert found("shares") == "share_0"
    assert found("") == "share_1"
    assert found("qr_2") == "turn_2"
    graph = core.walk.opened.run.graph
    while graph.prepare_outline():
        pass
    assert found("#1").endswith(("_0", "_1", "_2"))
    assert core.visible.block_notes()[core.visible.stage.block][0] == "#1"

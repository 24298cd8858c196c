"""What moved: exactly the cells that print otherwise, and how many moved below that."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tui_attention.engine.graph import Graph
from tui_attention.lessons.run import open_run
from tui_attention.whatif.difference import moves

BASE = open_run("press-h", "he").graph
TABLES = [name for name in BASE.program.tables if name not in ("splitter", "aside")]


def printed(graph: Graph, name: str) -> dict[tuple[int, ...], str]:
    return {index: graph.cell(name, index).printed for index in np.ndindex(*graph.tensor(name).shape)}


@settings(max_examples=15, deadline=None)
@given(table=st.sampled_from(TABLES), at=st.integers(0, 10**6), value=st.integers(-99, 99))
def test_random_turns_incremental_is_fresh_and_the_diff_is_exact(table: str, at: int, value: int) -> None:
    shape = BASE.tensor(table).shape
    index = tuple(int(part) for part in np.unravel_index(at % int(np.prod(shape)), shape))
    turned = BASE.turn(table, index, value / 100, 2)
    fresh = Graph(BASE.program, BASE.inputs, turned.turned)
    found = {move.name: move for move in moves(BASE, turned)}
    for name in BASE.names():
        one, two = BASE.tensor(name), turned.tensor(name)
        assert np.array_equal(two.values, fresh.tensor(name).values)
        if two.origin == "step" and BASE.traced(name).view:
            assert name not in found
            continue
        was, now = printed(BASE, name), printed(turned, name)
        # A dial typed with more digits than it had prints otherwise, but it has not moved.
        wanted = {place for place in was if was[place] != now[place] and one.values[place] != two.values[place]}
        move = found.get(name)
        assert {cell.index for cell in move.cells} == wanted if move else not wanted
        differing = int((one.values != two.values).sum())
        assert (move.below if move else 0) == differing - len(wanted)
    back = turned.with_turned({})
    assert all(np.array_equal(back.tensor(name).values, BASE.tensor(name).values) for name in BASE.names())


def test_the_edited_cell_stands_first_and_the_logits_behind() -> None:
    found = [move.name for move in moves(BASE, BASE.turn("E", (7, 0), 0.9, 1))]
    assert found[:3] == ["E", "e", "x0"] or found[:2] == ["E", "x0"]
    assert found.index("x0") < found.index("logits")
    assert "Wq" not in found


def test_another_prompt_is_compared_where_both_have_cells() -> None:
    found = {move.name: move for move in moves(BASE, BASE.with_inputs("heb"))}
    assert found["x0"].shapes == ((2, 6), (3, 6))
    assert found["x0"].cells == ()
    assert found["x0"].moved


def test_the_largest_move_comes_first_and_the_masks_before_it() -> None:
    found = {move.name: move for move in moves(BASE, BASE.turn("mask", (0, 1), 1, 0))}
    first = found["scores"].largest_first()[0]
    assert (first.index[1:], first.by) == ((0, 1), None)
    by = [abs(cell.by) for cell in found["logits"].largest_first() if cell.by is not None]
    assert by == sorted(by, reverse=True)

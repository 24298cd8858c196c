"""Other formulas for named steps, cells of a mask set by hand, and what is then computed anew."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tui_attention.engine.errors import BadInput
from tui_attention.engine.graph import Graph
from tui_attention.engine.switch import Switch, switched
from tui_attention.lessons.run import open_run

SCALE = Switch("scale", "no division by the root", {"scores": "masked(dots, mask)"})
MASK = Switch("mask", "no causal mask", {"mask": "everyone(ids)"})
HEAD0 = Switch("head0", "head 0 off", {"heads": "without_head(heads, 0)"})
HEAD1 = Switch("head1", "head 1 off", {"heads": "without_head(heads, 1)"})
TANH = Switch("tanh", "the tanh form", {"bend": "gelu_tanh(wide)"})
RELU = Switch("relu", "ReLU", {"bend": "relu(wide)"})


def graph(prompt: str = "heb") -> Graph:
    return open_run("press-h", prompt).graph


def under(base: Graph, *switches: Switch) -> Graph:
    return base.with_program(switched(base.program, switches))


def values(which: Graph, name: str) -> np.ndarray:
    return np.asarray(which.tensor(name).values)


def test_a_switch_changes_its_step_and_what_reads_it() -> None:
    base = graph()
    off = under(base, SCALE)
    assert np.array_equal(values(off, "q"), values(base, "q"))
    finite = np.isfinite(values(base, "scores"))
    assert np.allclose(values(off, "scores")[finite], values(base, "scores")[finite] * math.sqrt(3), atol=1e-12)
    assert not np.array_equal(values(off, "logits"), values(base, "logits"))
    own = open_run("press-h").graph
    assert own.own
    assert not under(own, SCALE).own


def test_only_dependents_are_made_again() -> None:
    base = graph()
    for name in base.names():
        base.tensor(name)
    off = under(base, TANH)
    for name in base.names():
        same = off.traced(name) is base.traced(name)
        # An inner step is never kept: its workings would look at the older graph.
        assert same == (name not in {"bend", "dots"} and "bend" not in base.reads(name)), name


def test_both_heads_off_leave_the_running_row_as_it_was() -> None:
    base = graph()
    off = under(base, HEAD0, HEAD1)
    assert not values(off, "heads").any()
    assert np.array_equal(values(off, "x1"), values(base, "x0"))
    assert off.program.by_name["heads"].text == "without_head(without_head(shares @ vh, 0), 1)"


def test_two_switches_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(BadInput, match="tanh and relu can't be had together: both say what bend is"):
        under(graph(), TANH, RELU)


def test_without_a_mask_every_token_looks_at_every_token() -> None:
    off = under(graph(), MASK)
    assert np.isfinite(values(off, "scores")).all()
    assert np.allclose(values(off, "shares").sum(axis=-1), 1, atol=1e-12)


def test_back_to_the_lessons_own_program_is_the_lesson_again_bit_for_bit() -> None:
    base = graph()
    wanted = {name: values(base, name) for name in base.names()}
    again = under(base, SCALE, HEAD1).with_program(base.program)
    assert not again.program.switched
    for name, array in wanted.items():
        assert np.array_equal(array, values(again, name)), name


def test_the_tanh_form_and_its_working() -> None:
    off = under(graph(), TANH)
    z = values(off, "wide")
    formula = 0.5 * z * (1 + np.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))
    assert np.allclose(values(off, "bend"), formula, atol=1e-12)
    assert abs(values(off, "bend") - values(graph(), "bend")).max() > 1e-5


def test_a_cell_of_the_mask_is_set_by_hand() -> None:
    base = graph()
    turned = base.turn("mask", (0, 1), 1, 0)
    assert np.isfinite(values(turned, "scores")[:, 0, 1]).all()
    assert np.isneginf(values(turned, "scores")[:, 0, 2]).all()
    assert turned.working("mask", (0, 1)).says == "set by hand"
    assert not turned.own
    back = turned.with_turned({})
    assert np.array_equal(values(back, "mask"), values(base, "mask"))
    with pytest.raises(BadInput, match="0 or 1 was expected"):
        base.turn("mask", (0, 1), 0.5, 1)
    with pytest.raises(BadInput, match="is not a dial"):
        base.turn("scores", (0, 0, 0), 1, 0)
    assert values(turned.with_inputs("h"), "mask").shape == (1, 1)


def test_a_cell_shut_for_all_leaves_no_share() -> None:
    shut = graph("h").turn("mask", (0, 0), 0, 0)
    assert not values(shut, "shares").any()

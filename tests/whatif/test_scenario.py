"""Scenarios as they are written on a command line, and what is refused."""

from __future__ import annotations

import re
import shlex

import numpy as np
import pytest

from tui_attention import cli
from tui_attention.engine.errors import BadInput
from tui_attention.lessons.run import LessonRun
from tui_attention.whatif.regions import region, scaled
from tui_attention.whatif.scenario import Scenario, applied, command_line, open_scenario, scenario_of, throw


def run(*words: str, prompt: str | None = None, lesson: str = "press-h", **more: object) -> LessonRun:
    return open_scenario(lesson, prompt, scenario=Scenario(tuple(words), **more))  # type: ignore[arg-type]


def values(which: LessonRun, name: str) -> np.ndarray:
    return np.asarray(which.graph.tensor(name).values)


def test_a_dial_is_set_by_place_or_by_label() -> None:
    assert values(run("E[7,0]=0.5"), "x0")[0, 0] == 0.5 + 0.82
    assert np.array_equal(values(run("E[h,0] = 0.5"), "x0"), values(run("E[7,0]=.5"), "x0"))
    assert values(run("E[7,0]=−0.5"), "x0")[0, 0] == -0.5 + 0.82


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("E[7,0]", "sets no cell"),
        ("=3", "sets no cell"),
        ("E[7,0]=", "one number such as -0.5"),
        ("E[7,0]=nan", "one number such as -0.5"),
        ("E[7,0]=inf", "one number such as -0.5"),
        ("E[7,0]=1e4", "from -1000 to 1000"),
        ("E[7,0]=-1000.5", "from -1000 to 1000"),
        ("E[7,0]=1,234", "1234 or 1.234"),
        ("E[7,0]=0.5 0.6", "one number such as -0.5"),
        ("E[17,0]=1", "E has no mark 17"),
        ("E[7]=1", "E"),
        ("Q[0,0]=1", "no tensor 'Q'"),
        ("x0[0,0]=1", "it is no cell of an input table"),
        ("scores[0,0,0]=1", "it is no cell of an input table"),
        ("n_heads=1", "it is no cell of an input table"),
        ("splitter[0]=1", "it is no cell of an input table"),
        ("mask[0,0]=0.5", "0 or 1 was expected"),
    ],
)
def test_what_sets_no_dial_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=re.escape(why)):
        run(text)


def test_the_command_line_refuses_with_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["values", "press-h", "x0", "--set", "E[7,0]=inf"]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)


def test_a_switch_that_the_lesson_lacks_is_refused() -> None:
    with pytest.raises(BadInput, match="bank has no switch 'norm'; its switches are: scale mask reverse"):
        run(lesson="bank", without=("norm",))
    with pytest.raises(BadInput, match="has no switch 'head7'"):
        run(without=("head7",))
    with pytest.raises(BadInput, match="bank has no bend to choose"):
        run(lesson="bank", bend="gelu")


SWITCHES = ("head0", "head1", "scale", "mask", "residual", "norm", "positions", "tanh", "relu", "reverse")


@pytest.mark.parametrize("name", SWITCHES)
def test_every_switch_reaches_the_logits(name: str) -> None:
    base = run(prompt="heb")
    assert not np.array_equal(values(throw(base, [name]), "logits"), values(base, "logits"))


def test_without_positions_a_token_alone_cannot_tell_where_it_stands() -> None:
    one, two = run(prompt="he", without=("positions", "mask")), run(prompt="eh", without=("positions", "mask"))
    assert np.allclose(values(one, "logits")[0], values(two, "logits")[1], atol=1e-12)


def test_reversed_is_the_prompt_read_from_its_other_end() -> None:
    assert np.array_equal(values(run(prompt="he", reverse=True), "logits"), values(run(prompt="eh"), "logits"))


def test_no_residual_and_no_norm_do_what_they_say() -> None:
    off = run(prompt="he", without=("residual", "norm"))
    assert np.array_equal(values(off, "x1"), values(off, "y"))
    assert np.array_equal(values(off, "x2"), values(off, "m"))
    assert np.array_equal(values(off, "b"), values(off, "x1"))
    assert np.allclose(values(off, "q"), values(off, "x0") @ values(off, "Wq"), atol=1e-12)


def test_the_lessons_own_bend_changes_nothing() -> None:
    assert run(bend="gelu").graph.own


def test_a_scenario_can_be_handed_on_as_a_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    first = run("E[7,0]=0.50", "mask[0,1]=1", prompt="he", without=("head1", "scale"), bend="relu", reverse=True)
    words = shlex.split(command_line(first, verb="values"))
    assert words[:3] == ["tui-attention", "values", "press-h"]
    assert cli.main([*words[1:], "logits", "--json"]) == 0
    shown = capsys.readouterr().out
    again = open_scenario("press-h", "he", scenario=scenario_of(first))
    assert np.array_equal(values(again, "logits"), values(first, "logits"))
    assert repr(float(values(first, "logits")[0, 0])) in shown
    assert command_line(applied(again, Scenario())) == command_line(first)


def test_the_lessons_own_state_is_the_lessons_name() -> None:
    assert command_line(run()) == "tui-attention press-h"


def test_a_worksheet_says_that_it_is_changed(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["plain", "press-h", "--all", "--cover", "--stage", "token-row"]
    assert cli.main([*words, "--set", "E[7,0]=0.5", "--without", "scale"]) == 0
    assert "This sheet is changed: E[7,0] = 0.5;" in capsys.readouterr().out
    assert cli.main(words) == 0
    assert "changed" not in capsys.readouterr().out


@pytest.mark.parametrize("text", ["E[7,0]=1/3", "E[7,0]=1e-7", "E[7,0]=-0.123456789", "E[7,0]=-0"])
def test_a_number_handed_on_is_the_number_itself(text: str) -> None:
    one = run(text)
    assert np.array_equal(values(run(*scenario_of(one).sets), "E"), values(one, "E"))


def test_a_scaled_table_is_handed_on_with_all_of_its_digits() -> None:
    one = run()
    one = one.with_graph(scaled(one.graph, region(one.graph, "E"), 0.3337))
    assert np.array_equal(values(run(*scenario_of(one).sets), "E"), values(one, "E"))

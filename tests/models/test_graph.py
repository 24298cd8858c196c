"""A model as a lesson: the law in the lesson language gives the numbers of the law in Python, every cell explains."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.models import making
from tui_attention.engine.errors import BadInput
from tui_attention.engine.shortening import shortened
from tui_attention.engine.working import FULL, Op, evaluate, line
from tui_attention.export.explain import explain
from tui_attention.lessons.run import LessonRun
from tui_attention.models.checkpoint import open_checkpoint
from tui_attention.models.graph import ModelGraph, model_run
from tui_attention.models.opening import is_model, open_named
from tui_attention.models.running import Model, Switches
from tui_attention.whatif.scenario import Scenario, applied

PROMPT = "3 1 4 1 5 9 2"
IDS = (3, 1, 4, 1, 5, 9, 2)


def opened(tmp_path: Path, case: str, prompt: str = PROMPT) -> LessonRun:
    """A random model as a lesson."""
    return model_run(open_checkpoint(making.folder(tmp_path / case, making.CASES[case])), prompt)


def _number(operands: Mapping[str, object], match: re.Match[str]) -> str:
    return repr(operands[match[0]])


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def _phi(x: float) -> float:
    return (1 + math.erf(x / math.sqrt(2))) / 2


def finite(values: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The numbers with masked scores as 0."""
    found = np.asarray(values, np.float64)
    return np.where(np.isneginf(found), 0.0, found)


@pytest.mark.parametrize("case", making.CASES)
def test_the_law_as_it_is_written_gives_every_number(tmp_path: Path, case: str) -> None:
    run = opened(tmp_path, case)
    graph = run.graph
    assert isinstance(graph, ModelGraph)
    for step in run.lesson.program.steps:
        made, shown = graph._evaluated(step.name), graph.traced(step.name)
        assert made.shape == shown.shape, step
        assert len(shown.axes) == len(shown.shape), step
        assert np.abs(finite(made.values) - finite(shown.values)).max() < 1e-11, step
    exact = Model(open_checkpoint(tmp_path / case), dtype=np.float64)
    rows = exact.run(IDS)
    assert np.abs(graph.tensor("logits").values - exact.logits(rows.outputs[-1])).max() < 1e-11


@pytest.mark.parametrize("case", ["gpt2", "gpt2-untied-gelu", "llama-llama3", "mistral-window", "qwen3", "qwen2"])
def test_every_cell_is_what_its_formula_gives(tmp_path: Path, case: str) -> None:
    run = opened(tmp_path, case)
    names: dict[str, Callable[[float], float]] = {
        "exp": math.exp,
        "sqrt": math.sqrt,
        "tanh": math.tanh,
        "cos": math.cos,
        "sin": math.sin,
    }
    names |= {"logistic": _logistic, "Phi": _phi}
    stream, explained = random.Random(case), 0
    for step in run.lesson.program.steps:
        shape = run.graph.tensor(step.name).shape
        index = tuple(stream.randrange(size) for size in shape)
        found = explain(run, f"{step.name}[{','.join(map(str, index))}]")
        if not found.steps:
            continue
        operands = {cell.address: value for cell, value in found.operands}
        formula = re.sub(r"[A-Za-z_]\w*\[[\d,]+\]", partial(_number, operands), found.formula)
        assert eval(formula, {"__builtins__": {}}, names) == pytest.approx(found.value, abs=1e-9), found.asked
        explained += 1
    assert explained > 30


def test_a_long_sum_shows_its_largest_terms(tmp_path: Path) -> None:
    config = {**making.CASES["llama"], "hidden_size": 96}
    run = model_run(open_checkpoint(making.folder(tmp_path / "m", config)), PROMPT)
    found = explain(run, "q_1[3,2]")
    assert found.formula.count("*") == 96
    assert len(found.operands) == 192
    assert "[90 more: " in found.line
    assert found.line.count("*") == 6
    root = run.graph.working("q_1", (3, 2)).root
    assert root is not None
    short = shortened(root)
    assert isinstance(root, Op)
    assert isinstance(short, Op)
    terms = sorted((abs(evaluate(term, FULL)) for term in root.args), reverse=True)
    assert sorted((abs(evaluate(term, FULL)) for term in short.args[:6]), reverse=True) == terms[:6]
    assert evaluate(short, FULL) == pytest.approx(evaluate(root, FULL), abs=1e-12)


def test_a_cut_sum_tells_nothing_of_what_is_covered(tmp_path: Path) -> None:
    config = {**making.CASES["llama"], "hidden_size": 96}
    run = model_run(open_checkpoint(making.folder(tmp_path / "m", config)), PROMPT)
    root = run.graph.working("q_1", (3, 2)).root
    assert isinstance(root, Op)
    covered = shortened(root, lambda cell: cell.tensor != "a_1")
    assert isinstance(covered, Op)
    assert covered.args[:6] == root.args[:6]
    assert line(covered).endswith("[90 more]")


def test_a_head_that_is_off_is_off_in_the_lesson_too(tmp_path: Path) -> None:
    run = applied(opened(tmp_path, "llama"), Scenario(without=("1.2", "0.mlp")))
    exact = Model(open_checkpoint(tmp_path / "llama"), dtype=np.float64)
    rows = exact.run(IDS, Switches(frozenset({(1, 2)}), frozenset({(0, "mlp")})))
    assert np.abs(run.graph.tensor("logits").values - exact.logits(rows.outputs[-1])).max() < 1e-11
    for step in run.graph.program.steps:
        made, shown = run.graph.definition(step.name), run.graph.traced(step.name)
        assert np.abs(finite(made.values) - finite(shown.values)).max() < 1e-11, step
    assert "without_head" in run.graph.program.by_name["heads_1"].text
    assert (np.asarray(run.graph.tensor("heads_1").values)[2] == 0).all()


@pytest.mark.parametrize("cell", ["Wq_1[0,3]", "E[4,2]", "g3[1]", "Wd_2[5,1]", "Wlm[3,7]"])
def test_a_turned_weight_moves_what_reads_it(tmp_path: Path, cell: str) -> None:
    run = opened(tmp_path, "llama")
    turned = run.graph.turn(*run.graph.locate(cell), 1.25, 2)
    assert turned.cell(*turned.locate(cell)).value == 1.25
    assert turned.cell(*turned.locate(cell)).printed == "1.2500"
    before, after = run.graph.tensor("logits").values, turned.tensor("logits").values
    assert np.abs(before - after).max() > 1e-4
    for name in ("x0", "q_1", "m_2", "c", "logits"):
        made = turned.definition(name)
        assert np.abs(np.asarray(made.values) - turned.tensor(name).values).max() < 1e-11
    assert np.abs(turned.with_turned({}).tensor("logits").values - before).max() == 0


def test_what_is_no_weight_is_not_turned(tmp_path: Path) -> None:
    run = opened(tmp_path, "llama")
    with pytest.raises(BadInput, match="is no weight"):
        run.graph.turn("q_0", (0, 0), 1.0, 1)


def test_another_prompt(tmp_path: Path) -> None:
    run = opened(tmp_path, "llama")
    other = run.graph.with_inputs(prompt="7 8")
    assert other.tensor("ids").values.tolist() == [7, 8]
    assert other.tensor("shares_0").shape == (4, 2, 2)
    with pytest.raises(BadInput, match="the prompt is empty"):
        run.graph.with_inputs(prompt=" ")
    with pytest.raises(BadInput, match="should be ids"):
        run.graph.with_inputs(prompt="a b")
    with pytest.raises(BadInput, match="no token 97"):
        run.graph.with_inputs(prompt="97").tensor("x0")


def test_a_model_opens_where_a_lesson_does(tmp_path: Path) -> None:
    folder = making.folder(tmp_path / "m", making.CASES["gpt2"])
    assert is_model(str(folder))
    assert is_model("smollm2")
    assert not is_model("press-h")
    assert not is_model("x" * 5000)
    run = open_named(str(folder), "5 6")
    assert run.lesson.summary.startswith("GPT-2: 3 blocks, rows of 24, 4 heads, 97 tokens")
    assert open_named("press-h").lesson.id == "press-h"
    with pytest.raises(BadInput, match="--ticket"):
        open_named(str(folder), ticket=0.5)


def test_walls_find_their_numbers(tmp_path: Path) -> None:
    for case in ("gpt2", "qwen3"):
        run = opened(tmp_path, case)
        for stage in run.lesson.stages:
            for wall in stage.wall:
                text = run.text(wall)
                assert text is not None
                assert "{" not in text

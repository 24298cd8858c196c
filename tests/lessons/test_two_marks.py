"""The lesson of two marks: the first lesson's dials, a second place, and heads glued place by place."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

from tui_attention.lessons.lint import lint
from tui_attention.lessons.run import LessonRun, open_run

FILE = Path("tui_attention/lessons/data/two-marks/lesson.toml")


@pytest.fixture(scope="module")
def run() -> LessonRun:
    return open_run("two-marks")


def test_it_repeats_no_dial() -> None:
    raw = tomllib.loads(FILE.read_text("utf-8"))
    assert not {"tables", "constants", "facts", "vocabulary"} & set(raw)
    assert lint("two-marks") == []


def test_its_numbers_are_those_of_the_first_lesson(run: LessonRun) -> None:
    parent = open_run("press-h", "he").graph
    for step in run.lesson.program.steps:
        wanted = np.asarray(parent.tensor(step.name).values, dtype=float)
        assert np.array_equal(np.asarray(run.graph.tensor(step.name).values, dtype=float), wanted), step.name


def test_the_first_place_is_the_lone_mark_bit_for_bit(run: LessonRun) -> None:
    alone = open_run("press-h").graph
    for name in ("x0", "a", "q", "x1", "wide", "x2", "c"):
        assert np.allclose(run.graph.tensor(name).values[0], alone.tensor(name).values[0], rtol=0, atol=1e-12), name


def test_there_is_a_choice(run: LessonRun) -> None:
    shares = run.graph.tensor("shares").values
    assert ((shares[:, 1] > 0.3) & (shares[:, 1] < 0.7)).all()
    assert (shares[:, 0] == [1, 0]).all()


def test_heads_are_glued_place_by_place_not_as_they_lie_in_memory(run: LessonRun) -> None:
    heads, blend = run.graph.tensor("heads").values, run.graph.tensor("blend").values
    assert np.array_equal(blend[1], np.concatenate([heads[0, 1], heads[1, 1]]))
    in_memory = np.ascontiguousarray(heads).reshape(blend.shape)
    assert abs(in_memory - blend).max() > 0.3
    wrong = in_memory @ run.graph.tensor("Wo").values
    assert abs(wrong - run.graph.tensor("y").values).max() > 0.05
    # With a lone mark the fault would not show.
    alone = open_run("press-h").graph
    lone = np.asarray(alone.tensor("heads").values).reshape(1, 6)
    assert np.array_equal(lone, alone.tensor("blend").values)


def test_switches_come_with_it(run: LessonRun) -> None:
    assert {"head0", "mask", "positions", "tanh", "reverse"} <= set(run.lesson.switches)

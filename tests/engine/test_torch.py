"""Operations against PyTorch 2.13 on random inputs: its numbers are kept, and ours agree to twelve digits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.lessons import toy
from tui_attention.engine.evaluate import Evaluation
from tui_attention.engine.graph import Graph
from tui_attention.engine.naming import parse
from tui_attention.engine.operation import TracedArray
from tui_attention.engine.tensor import Index, plain_axis
from tui_attention.engine.working import FULL, Cell, Node, Ref, Stated, evaluate

KEPT: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "data" / "torch_operations.json").read_text("utf-8")
)
AXES = {1: ("token",), 2: ("token", "coordinate"), 3: ("head", "token", "coordinate")}


class Given(Graph):
    """A lesson's scope that holds other arrays beside its own."""

    def traced(self, name: str) -> TracedArray:
        return given(name) if name in KEPT["inputs"] else super().traced(name)

    def names(self) -> tuple[str, ...]:
        return (*super().names(), *KEPT["inputs"])


def given(name: str) -> TracedArray:
    values = np.array(KEPT["inputs"][name])
    axes = ("coordinate",) if name in ("gain", "bias") else AXES[values.ndim]

    def at(index: Index) -> Node:
        return Ref(Cell(name, index, float(values[index]), None, exact=True))

    return TracedArray(
        values, tuple(plain_axis(axis, size) for axis, size in zip(axes, values.shape, strict=True)), at, name=name
    )


class Names(Evaluation):
    def _name(self, name: str, column: int) -> TracedArray:
        return self.graph.traced(name)


def worked(text: str) -> TracedArray:
    lesson = toy.run(toy.TOY).lesson
    return Names(Given(lesson.program)).value(parse(text))


@pytest.mark.parametrize("text", KEPT["outputs"])
def test_the_numbers_agree(text: str) -> None:
    wanted = np.array(KEPT["outputs"][text])
    made = worked(text)
    assert made.values.shape == wanted.shape
    assert np.abs(made.values.astype(float) - wanted.astype(float)).max() <= 1e-12


@pytest.mark.parametrize("text", KEPT["outputs"])
def test_the_working_of_every_cell_gives_its_number(text: str) -> None:
    made = worked(text)
    for index in np.ndindex(*made.values.shape):
        node = made.at(index)
        value = node.value if isinstance(node, Stated) else evaluate(node, FULL)
        assert value == pytest.approx(float(made.values[index]), abs=1e-9)

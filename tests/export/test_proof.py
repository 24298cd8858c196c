"""The program of the proof stage: it agrees with the engine, shares nothing with it, and would show a difference."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import numpy as np
import pytest

from tui_attention import listings
from tui_attention.export import proof
from tui_attention.lessons.run import LessonRun, open_run
from tui_attention.whatif.scenario import throw

DATA = Path(__file__).resolve().parent.parent / "data"


def printed_numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text.partition(": ")[2])]


def agrees(run: LessonRun, line: str, tensors: tuple[str, ...], decimals: int) -> bool:
    wanted: list[float] = []
    for name in tensors:
        values = np.asarray(run.graph.tensor(name).values, dtype=np.float64)
        rows = values[:, -1, :] if values.ndim == 3 else values[-1]
        wanted += [round(value, decimals) for value in np.ravel(rows).tolist() if np.isfinite(value)]
    return printed_numbers(line) == pytest.approx(wanted, abs=1.0001 * 10**-decimals if decimals else 0)


def test_the_page_prints_what_the_page_printed() -> None:
    assert proof.lines(open_run("press-h")) == (DATA / "proof.txt").read_text().splitlines()


@pytest.mark.parametrize("prompt", ["a", "he", "ha b.", "abcdefgh. ab"])
@pytest.mark.parametrize(
    "switches",
    [(), ("head0",), ("scale", "relu"), ("residual", "norm"), ("positions", "reverse"), ("tanh",), ("mask",)],
)
def test_it_agrees_with_the_engine(prompt: str, switches: tuple[str, ...]) -> None:
    run = throw(open_run("press-h", prompt=prompt), switches)
    decimals = {name: digits for _, names, digits in listings._ROWS for name in names.split()}
    for row in listing_rows(run):
        assert agrees(run, row.line(), row.tensors, decimals[row.tensors[0]]), row


def listing_rows(run: LessonRun) -> tuple[listings.PrintedRow, ...]:
    from tui_attention.lessons.listing import printed_rows

    return printed_rows(run, "forward_pass")


def test_a_turned_dial_and_a_hidden_place_reach_it() -> None:
    run = open_run("press-h", prompt="he")
    graph = run.graph.turn("Wq", (0, 0), 0.9, 1)
    turned = LessonRun(run.lesson, graph)
    before, after = (proof.lines(each) for each in (run, turned))
    moved = [line.partition(":")[0] for line, other in zip(before, after, strict=True) if line != other]
    assert moved[:2] == ["q", "head scores"]
    hidden = LessonRun(run.lesson, run.graph.with_turned({("mask", (1, 0)): (0.0, 0)}))
    assert [line for line in proof.lines(hidden) if line.startswith("two-token shares")] == [
        "two-token shares: [0.0, 1.0] [0.0, 1.0]"
    ]


def test_it_shares_no_line_with_the_engine() -> None:
    folder = Path(listings.__file__).parent
    for path in folder.glob("*.py"):
        tree = ast.parse(path.read_text())
        names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
        names += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        assert not [name for name in names if name.startswith(("tui_attention", "numpy"))]


def test_a_wrong_engine_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows come from the inputs alone: a wrong number in the lesson's rows stays wrong beside them."""
    run = open_run("press-h")
    right = proof.lines(run)
    tensor = run.graph.tensor("q")
    tensor.values.setflags(write=True)
    tensor.values[0, 0] += 1.0
    assert proof.lines(run) == right
    assert not agrees(run, right[3], ("q",), 2)


def test_the_listing_is_what_runs() -> None:
    lines = proof.listing()
    assert lines[0] == "import math"
    space: dict[str, object] = {"__name__": "shown"}
    assert compile("\n".join(lines), "shown", "exec")
    assert not space.get("forward")

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from tui_attention.engine.tensor import address
from tui_attention.export import explain as export
from tui_attention.export.explain import explain
from tui_attention.lessons.run import LessonRun, open_run

COURSES = [
    ("press-h", "h"),
    ("press-h", ". "),
    ("press-h", "had"),
    ("bank", "the river bank"),
    ("bank", "bank"),
    ("bank", "money the bank bank"),
]
FUNCTIONS = {"sqrt": math.sqrt, "exp": math.exp, "Phi": lambda x: (1 + math.erf(x / math.sqrt(2))) / 2}
NAME = re.compile(r"[A-Za-z_]\w*(?:\[[\d,]+\])?")
LEGAL = re.compile(r"(?:[A-Za-z_]\w*(?:\[[\d,]+\])?|[\d.]+(?:e[-+]?\d+)?|[-+*/(), ])*")


def cells(run: LessonRun) -> list[str]:
    graph = run.graph
    names = [*graph.names(), *run.lesson.facts]
    return [address(name, index) for name in names for index in np.ndindex(*graph.tensor(name).shape)]


def recomputed(formula: str, values: dict[str, float]) -> float:
    """The formula as somebody would who has the operands alone."""
    assert LEGAL.fullmatch(formula), formula

    def text(match: re.Match[str]) -> str:
        return match[0] if match[0] in FUNCTIONS else f"({values[match[0]]!r})"

    return float(eval(NAME.sub(text, formula), {"__builtins__": {}}, FUNCTIONS))


@pytest.mark.parametrize(("lesson", "prompt"), COURSES)
def test_every_cell_recomputes_from_its_own_operands(lesson: str, prompt: str) -> None:
    run = open_run(lesson, prompt=prompt)
    for cell in cells(run):
        found = export.payload(explain(run, cell))
        assert list(found) == ["cell", "value", "prints", "line", "formula", "steps", "operands"]
        assert isinstance(found["prints"], str)
        assert found["prints"]
        assert found["line"]
        source = explain(run, found["cell"])
        assert source.value == found["value"]
        operands = {operand["cell"]: operand["value"] for operand in found["operands"]}
        assert len(operands) == len(found["operands"])
        if found["value"] is None:
            assert (found["formula"], operands, found["prints"]) == ("-inf", {}, "-inf")
            continue
        for operand, value in operands.items():
            assert explain(run, operand).value == value
        assert abs(recomputed(found["formula"], operands) - found["value"]) <= 1e-12 * max(1, abs(found["value"])), (
            cell
        )
        if found["steps"]:
            assert found["steps"][0] == found["line"]
            assert operands or not NAME.search(found["formula"])


def test_a_pencil_line_and_its_formula() -> None:
    found = explain(open_run("press-h"), "a[0,0]")
    assert found.line == "(1.10 - 0.1067) / 0.5736"
    assert found.formula == "(x0[0,0] - mu1[0]) / sigma1[0]"
    assert [operand.address for operand, _ in found.operands] == ["x0[0,0]", "mu1[0]", "sigma1[0]"]
    assert found.prints == "1.73"
    assert found.value == pytest.approx(1.7318879704811263, abs=1e-12)


def test_a_view_is_its_source_cell_and_the_text_tells_both() -> None:
    found = explain(open_run("press-h"), "qh[1,0,2]")
    assert (found.cell, found.asked) == ("q[0,5]", "qh[1,0,2]")
    assert "qh[1,0,2]" in export.text(found)
    assert export.payload(found)["cell"] == "q[0,5]"


@pytest.mark.parametrize(
    ("lesson", "cell", "value", "prints", "says"),
    [
        ("press-h", 'splitter["."]', 8, "8", "dial"),
        ("press-h", 'E["b",3]', 0.0, "-0.00", "dial"),
        ("press-h", "n_heads", 2, "2", "constant"),
        ("press-h", "gpt2_vocab", 50257, "50,257", "fact"),
        ("press-h", "greedy[1]", None, None, "largest"),
        ("press-h", "scores[0,0,1]", None, "-inf", "masked"),
        ("press-h", "shares[0,0,1]", 0, "0.00", "masked"),
        ("press-h", "mask[0,1]", False, "False", "look ahead"),
        ("bank", "order_blind", True, "True", "agree"),
        ("bank", "scaling[0,2]", None, "0.522", "measured"),
    ],
)
def test_what_no_pencil_makes_says_so(lesson: str, cell: str, value: object, prints: str | None, says: str) -> None:
    found = explain(open_run(lesson, prompt="ha" if lesson == "press-h" else None), cell)
    assert not found.operands
    assert not found.steps
    assert says in found.says
    assert value is None or found.value == value
    assert prints is None or found.prints == prints
    assert found.line == (found.prints if found.kind == "dial" else found.says)
    assert found.says.split()[0] in export.text(found)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_text_shows_the_pencil_and_the_machine_beside(width: int) -> None:
    shown = export.text(explain(open_run("press-h"), "qh[1,0,2]"), width)
    lines = shown.splitlines()
    assert max(map(len, lines)) <= width
    assert any("machine" in line and "-0.2109648769411574" in line for line in lines)
    assert "gets -0.22" in shown
    equals = {line.index("=") for line in lines if " = " in line}
    assert len(equals) == 1


def test_a_whole_number_by_pencil_is_written_as_it_is_printed() -> None:
    found = explain(open_run("bank"), "gpt2_attention")
    assert found.steps[-1] == found.prints == "28,311,552"
    assert "rounding at every step" not in export.text(found)

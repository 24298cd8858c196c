"""What authors are given: expected values, slips of their own, the reference, a file to begin with."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.lessons.toy import run
from tui_attention import cli
from tui_attention.engine.errors import BadInput
from tui_attention.engine.naming import parse
from tui_attention.engine.ops import OPERATIONS
from tui_attention.engine.working import FULL, Op, evaluate
from tui_attention.judge.expected import unexpected
from tui_attention.judge.slips import any_working, kinds
from tui_attention.judge.verb import judge_cell
from tui_attention.lessons import reference
from tui_attention.lessons.declare import keys
from tui_attention.lessons.lint import lint
from tui_attention.lessons.load import load, names
from tui_attention.lessons.parts import LessonPart
from tui_attention.lessons.run import PLACEHOLDERS, LessonRun, open_run
from tui_attention.lessons.skeleton import shapes, skeleton

OWN = """
format = 1
id = "own"
title = "own"
[tables.Q]
values = [[1.0, 2.0], [0.5, -1.0]]
[tables.K]
values = [[0.3, 0.7], [1.1, 0.2]]
[constants]
d = 2
[defaults]
prints = 3
[defaults.dials]
prints = 1
[[tensors.A.slip]]
kind = "a-tenth"
value = "A * 0.1 + 0.05"
text = "That is a tenth and a bit, see {S[0,0]}."
[[stage]]
id = "one"
title = "scores"
wall = "A wall."
steps = '''
S = Q @ K.T
A = softmax(S / sqrt(d))
'''
[[stage.check]]
ask = "How much?"
cell = "A[0,0]"
[[stage.check.slip]]
kind = "a-third"
value = "A[0,0] / 3"
text = "That is a third of it."
"""
EXPECT = """
[expect]
"S[0,0]" = 1.70
"S" = [[1.7, 1.5], [-0.55, 0.35]]
"A[0]" = [0.535, 0.465]
"sum(A[1])" = 1.0000
"Q[1,1]" = -1
[[expect.answer]]
cell = "A[0,0]"
typed = "0.178"
verdict = "slip"
slip = "a-third"
says = "a third of it"
[[expect.answer]]
check = "one.1"
typed = "0.535"
verdict = "right"
"""


def findings(toml: str) -> list[str]:
    return [finding.says for finding in unexpected(run(toml))]


def test_what_is_expected_comes_out() -> None:
    assert findings(OWN + EXPECT) == []


@pytest.mark.parametrize("name", names())
def test_what_our_lessons_expect_comes_out(name: str) -> None:
    assert [str(finding) for finding in unexpected(open_run(name))] == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("= 1.70", "= 1.71", "[expect]: S[0,0] is 1.70 (1.700000), not 1.71"),
        ("= 1.70", "= 1.700001", "[expect]: S[0,0] is 1.700000 (1.7000000000), not 1.700001"),
        ("0.535, 0.465]", "0.535, 0.466]", "[expect]: A[0][1] is 0.465 (0.4647035), not 0.466"),
        ("0.535, 0.465]", "0.535]", "[expect]: A[0] holds 2 numbers, and a list of 1 stands here"),
        ('"Q[1,1]"', '"Q[1]"', "[expect]: Q[1] is 2; a list of numbers was expected"),
        ('"Q[1,1]"', '"Q[9,1]"', "[expect]: Q[9,1]: there is no cell Q[9,1]; Q is 2x2; its rows are 0 to 1"),
        ('"Q[1,1]"', '"P[1,1]"', "[expect]: P[1,1]: nothing is called 'P' here"),
        ('"1.70', '"x', "[expect]: S[0,0]: a number was expected, not 'x'"),
        ('slip = "a-third"\nsays', 'slip = "backward"\nsays', "the slips named are a-third, not 'backward'"),
        ('verdict = "slip"', 'verdict = "wrong"', "the verdict is 'slip', not 'wrong': That is a third of it."),
        ('verdict = "slip"', 'verdict = "wring"', "there is no verdict 'wring'; there are: right pencil"),
        ('says = "a third', 'says = "a half', "what is said has no 'a half of it'"),
        (
            'check = "one.1"',
            'check = "one.7"',
            "it cannot be asked: there is no CHECK 'one.7'; the CHECKs are: one.1",
        ),
        ('check = "one.1"', 'check = "one.1"\ncell = "A[0,0]"', "either 'cell' or 'check' was expected"),
    ],
)
def test_what_comes_out_otherwise_is_said(old: str, new: str, says: str) -> None:
    text = EXPECT.replace("= 1.70", '= "1.70"') if old == '"1.70' else EXPECT
    assert old in text
    found = findings(OWN + text.replace(old, new, 1))
    assert len(found) == 1
    assert says in found[0]


def test_lint_runs_them_and_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN + EXPECT.replace("0.465", "0.466"))
    assert cli.main(["lint", str(file)]) == 1
    line = file.read_text().splitlines().index('"A[0]" = [0.535, 0.466]') + 1
    assert capsys.readouterr().out == f"{file}:{line}:18: [expect]: A[0][1] is 0.465 (0.4647035), not 0.466\n"


# ---------------------------------------------------------------- slips of one's own


@pytest.mark.parametrize(
    ("cell", "typed", "says"),
    [
        ("A[0,0]", "0.178", "That is a third of it."),
        ("A[0,0]", "0.104", "That is a tenth and a bit, see 1.700."),
        ("A[1,1]", "0.115", "That is a tenth and a bit, see S[0,0]."),
    ],
)
def test_own_slips_are_judged_like_any_other(cell: str, typed: str, says: str) -> None:
    report = judge_cell(run(OWN), cell, typed)
    assert report.payload["verdict"] == "slip"
    assert report.payload["says"] == says


def test_a_slip_of_one_check_is_not_that_of_another_cell() -> None:
    third = round(float(run(OWN).graph.tensor("A").values[1, 1]) / 3, 3)
    assert all(slip["kind"] != "a-third" for slip in judge_cell(run(OWN), "A[1,1]", f"{third}").payload["slips"])


def linted(toml: str, folder: Path) -> list[str]:
    file = folder / "lesson.toml"
    file.write_text(toml)
    return [finding.says for finding in lint(str(file), slips=kinds())]


def test_lint_says_when_a_slip_cannot_be_told_from_the_right_number(tmp_path: Path) -> None:
    found = linted(OWN.replace("A[0,0] / 3", "A[0,0] + 0.0001"), tmp_path)
    assert found == ["check one.1: the slip 'a-third' gives the right number, 0.535, on the own dials"]
    assert linted(OWN, tmp_path) == []


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("Q[0]", "one number or 2x2 of them, as A has was expected, not 2"),
        ("Q[0,0] +", "a number, a name or '(' was expected"),
        ("Qq[0,0]", "nothing is called 'Qq' here; did you mean 'Q'?"),
    ],
)
def test_an_own_slip_that_is_no_formula_for_the_cell(value: str, says: str, tmp_path: Path) -> None:
    assert any(says in text for text in linted(OWN.replace("A[0,0] / 3", value), tmp_path))


# ---------------------------------------------------------------- language


def test_the_reference_names_everything_that_there_is() -> None:
    told = reference.payload(any_working())
    assert [entry["name"] for entry in told["operations"]] == list(OPERATIONS)
    assert {kind for entry in told["operations"] for kind in entry["slips"]} | set(any_working()) == kinds()
    tables = {entry["table"]: {key["key"] for key in entry["keys"]} for entry in told["keys"]}
    assert tables[""] == {key.name for key in keys(LessonPart)}
    assert {"ask", "cell", "slip", "says"} <= tables["[[stage.check]]"]
    assert {"values", "values_from", "prints"} <= tables["[tables.NAME]"]
    assert len(told["placeholders"]) == len(PLACEHOLDERS)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_says_what_it_takes_and_its_example_runs(name: str) -> None:
    operation, example = OPERATIONS[name], reference.example_run()
    assert operation.says
    assert "->" in operation.shapes
    made = example.graph.evaluate(parse(operation.example))
    assert made.op == name
    assert np.isfinite(np.where(np.isneginf(made.values.astype(float)), 0, made.values)).all()
    for index in np.ndindex(*made.values.shape):
        node = made.at(index)
        if isinstance(node, Op):
            assert evaluate(node, FULL) == pytest.approx(float(made.values[index]), abs=1e-9)


@pytest.mark.parametrize("name", [name for name, operation in OPERATIONS.items() if operation.slips])
def test_the_slips_of_an_operation_come_to_another_number(name: str) -> None:
    example = reference.example_run()
    made = example.graph.evaluate(parse(OPERATIONS[name].example))
    differ = 0
    for index in np.ndindex(*made.values.shape):
        node = made.at(index)
        site = getattr(node, "site", None)
        for slip in site.op.slips if site is not None else ():
            for wrong in slip.build(site):
                differ += abs(evaluate(wrong, FULL) - float(made.values[index])) > 1e-9
    assert differ


def test_the_verb_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["language"]) == 0
    text = capsys.readouterr().out
    assert "rope(x, theta, places?)" in text
    assert "[[expect.answer]]" in text
    assert "{line q[0,2]}" in text
    assert cli.main(["language", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["example_tables"] == reference.EXAMPLE


# ---------------------------------------------------------------- a file to begin with


@pytest.mark.parametrize(
    ("tokens", "tables"),
    [
        ("the cat sat", "X=3x4,Wq=4x4,Wk=4x4,Wv=4x4"),
        ("a b a", "E=2x3,P=3x3,Wq=3x2,Wk=3x2"),
        ("", "X=3x4,W1=4x5,b=5,Z=7x2"),
        ("", "b=3"),
        ("one", "X=1x2"),
        ("x y", "x=2x2,q=2x2,sum_=2x3"),
    ],
)
def test_a_skeleton_has_no_fault(tokens: str, tables: str, tmp_path: Path) -> None:
    made = linted(skeleton("new", tokens, shapes(tables)), tmp_path)
    assert made == []
    read: LessonRun = open_run(str(tmp_path / "lesson.toml"))
    for name, shape in shapes(tables).items():
        assert read.graph.tensor(name).shape == shape


@pytest.mark.parametrize(
    "text", ["", "X", "X=0x3", "X=3x4x5", "X=3x4,X=2x2", "softmax=2x2", "X=3x900", "1X=2x2", "X=" + "9" * 5000]
)
def test_what_are_no_tables_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="--tables: "):
        shapes(text)


def test_new_writes_a_file_and_no_file_over_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "my lesson.toml"
    words = ["new", str(file), "--tokens", "the cat sat", "--tables", "X=3x4,Wq=4x4,Wk=4x4"]
    assert cli.main(words) == 0
    assert load(str(file)).id == "my-lesson"
    written = file.read_text()
    assert cli.main(words) == 2
    assert "is there already" in capsys.readouterr().err
    assert file.read_text() == written
    assert cli.main(["new", str(tmp_path / "x.txt"), "--tables", "X=1x1"]) == 2

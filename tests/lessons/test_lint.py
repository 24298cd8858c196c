"""Faults that a lesson file can have beyond its form, each found and named."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest

from tests.lessons.toy import TOY
from tui_attention import cli
from tui_attention.engine.errors import BadInput
from tui_attention.judge.slips import kinds
from tui_attention.lessons.lint import Finding, lint, typed_numbers
from tui_attention.lessons.load import load, names


@pytest.mark.parametrize("name", names())
def test_our_lessons_have_no_faults(name: str) -> None:
    assert [str(finding) for finding in lint(name, slips=kinds())] == []
    assert lint(load(name), slips=kinds()) == []


def found(toml: str, folder: Path, slips: frozenset[str] | None = None) -> list[str]:
    path = folder / "lesson.toml"
    path.write_text(toml, "utf-8")
    return [
        re.sub(rf"^{re.escape(str(path))}:\d+(:\d+)?: ", "", str(finding)) for finding in lint(str(path), slips=slips)
    ]


SECOND = """
[[stage]]
id = 'two'
title = 'two'
steps = "z = y + y"
[[stage.check]]
ask = "And twice that?"
cell = "z[0,0]"
"""
CHECK = 'ask = "How much is twice {x[0,0]}?"\ncell = "y[0,0]"\n'
LONG = "word " * 101
FAULTS: dict[str, tuple[Callable[[str], str], str]] = {
    # formulas
    "unknown name": (
        lambda t: t.replace("y = x * 2", "y = x * z"),
        "step y: nothing is called 'z' here",
    ),
    "used too early": (
        lambda t: t.replace("x = E[", "x = y + E["),
        "step x: 'y' is used before the step that makes it",
    ),
    "numbers without end": (
        lambda t: t.replace("y = x * 2", "y = x / (x * 0)"),
        "step y: y[0,0] has no finite value: it divides by E[0,0]*0, which is 0",
    ),
    "a check asked too early": (
        lambda t: t.replace('cell = "y[0,0]"', 'value = "y[0,0] + z[0,0]"') + SECOND,
        "check one.1: z is made later, in stage two",
    ),
    "settings of nothing": (lambda t: t + "[tensors.q]\nprints = 2\n", "[tensors.q]: no step makes q"),
    "axes that do not fit": (
        lambda t: t + '[tensors.y]\naxes = ["a"]\n',
        "step y: y has 2 axes (token, coordinate), and [tensors.y] names 1 of them",
    ),
    "a dial that nobody reads": (lambda t: t + "[tables.W]\nvalues = [[1]]\n", "[tables.W]: no step reads W"),
    "a fact without a source": (
        lambda t: t + '[facts.f]\nvalue = 1\nsource = " "\n',
        "[facts.f]: a fact says where it is from; 'source' is empty",
    ),
    # keys
    "unknown key": (
        lambda t: t.replace('cell = "y[0,0]"', 'cell = "y[0,0]"\npage_onyl = true'),
        "check one.1: the key 'page_onyl' means nothing here; did you mean 'page_only'?",
    ),
    "unknown key at the top": (
        lambda t: "autor = 'me'\n" + t,
        "the lesson: the key 'autor' means nothing here; the keys here are: block constants",
    ),
    "unknown key of a table": (
        lambda t: t.replace("prints = 2", "print = 2"),
        "[tables.E]: the key 'print' means nothing here; did you mean 'prints'?",
    ),
    # prose
    "unknown reference": (
        lambda t: t.replace("{x[0,1]}", "{z[0,1]}"),
        "stage one, wall 1, {z[0,1]}: nothing is called 'z' in this lesson",
    ),
    "reference outside": (
        lambda t: t.replace("{x[0,1]}", "{x[0,3]}"),
        "stage one, wall 1: the lesson's own prompt lacks the cell of {x[0,3]}",
    ),
    "token outside": (
        lambda t: t.replace("{x[0,1]}", "{line y[2,0]}"),
        "stage one, wall 1: the lesson's own prompt lacks the cell of {line y[2,0]}",
    ),
    "lone brace": (lambda t: t.replace("{x[0,1]}", "{x[0,1]"), "stage one, wall 1: a brace has no partner"),
    "typed number": (
        lambda t: t.replace("{x[0,1]}", "0.25 and {x[0,1]}"),
        "stage one, wall 1: the number 0.25 is typed by hand",
    ),
    "typed number in a caption": (
        lambda t: t.replace("# twice", "# 2 times"),
        "stage one, step y: the number 2 is typed by hand",
    ),
    "typed number in an answer": (
        lambda t: t + '[[stage.check]]\nask = "Why?"\nanswer = "Because of 7."\n',
        "check one.2, answer: the number 7 is typed by hand",
    ),
    "long paragraph": (
        lambda t: t.replace("A wall", LONG),
        "stage one, wall 1: 516 characters; at most 500 are easy to read",
    ),
    "wide diagram": (
        lambda t: t + '[[stage.diagram]]\ntext = "' + "-" * 57 + '"\n',
        "stage one, diagram 1: it is 57 columns wide; 56 fit",
    ),
    "diagram that is wide once filled": (
        lambda t: t + '[[stage.diagram]]\ntext = "' + "-" * 52 + '{E[0,1]}"\n',
        "stage one, diagram 1: it is 57 columns wide; 56 fit",
    ),
    "diagram beyond ASCII": (
        lambda t: t + '[[stage.diagram]]\ntext = "a → b"\n',
        "stage one, diagram 1: a diagram is drawn in ASCII",
    ),
    # places
    "at nothing": (
        lambda t: t + '[[stage.note]]\nat = "E"\ntext = "n"\n',
        "stage one: something stands 'at' 'E', which is no step of this stage",
    ),
    "recap of nothing": (
        lambda t: t + '[[stage.recap]]\nof = ["x", "q"]\n',
        "stage one, recap: nothing is called 'q'",
    ),
    "block that is none": (
        lambda t: t.replace('title = "one"', 'title = "one"\nblock = "b"'),
        "stage one: 'block' names 'b', which is no block",
    ),
    "next lesson": (lambda t: 'next = "bonk"\n' + t, "the lesson: 'next' names 'bonk', which is no lesson"),
    "comparison of nothing": (
        lambda t: t + '[[stage.compare]]\nours = "z"\nquery = "x"\nkey = "x"\nvalue = "x"\n',
        "stage one, compare: nothing is called 'z'",
    ),
    # tables
    "table without rows": (
        lambda t: t + '[[stage.table]]\ncolumns = ["a"]\n',
        "stage one, table 1: it has no 'columns' or no 'rows'",
    ),
    "typed number in a table": (
        lambda t: t + '[[stage.table]]\ncolumns = ["a", "b"]\nrows = [["width", "768"]]\n',
        "stage one, table 1: the number 768 is typed by hand",
    ),
    "Phi of nothing": (
        lambda t: t + '[[stage.table]]\nphi_of = "wide"\n',
        "stage one, table 1: 'phi_of' names 'wide', which nothing makes",
    ),
    # pictures
    "picture of nothing": (
        lambda t: t + '[[stage.plot]]\nkind = "bars"\nof = ["q"]\n',
        "stage one, plot 1, q: nothing is called 'q' here",
    ),
    "picture of other axes": (
        lambda t: t + '[[stage.plot]]\nkind = "curve"\nof = ["x"]\n',
        "stage one, plot 1: a picture of kind curve cannot show 'x' with 2 axes",
    ),
    "picture of a column that is none": (
        lambda t: t + '[[stage.plot]]\nkind = "plane"\nof = ["x[0]"]\nx = "0"\ny = "up"\n',
        "stage one, plot 1: 'x[0]' has no 'up'; it has: 0 1 2",
    ),
    "labels that do not fit": (
        lambda t: t + '[[stage.plot]]\nkind = "bars"\nof = ["x"]\nlabels = ["a", "b"]\n',
        "stage one, plot 1: 2 'labels' for 1 of 'of'",
    ),
    "two pictures in one file": (
        lambda t: t + '[[stage.plot]]\nkind = "bars"\nof = ["x"]\nfile = "f"\n' * 2,
        "the lesson: 2 pictures are called 'f'",
    ),
    # CHECKs
    "check of a cell that is not there": (
        lambda t: t.replace('cell = "y[0,0]"', 'cell = "y[0,7]"'),
        "check one.1: the lesson's own prompt lacks the cell that it asks for",
    ),
    "check of a table": (
        lambda t: t.replace('cell = "y[0,0]"', 'value = "y * 2"'),
        "check one.1: 'y * 2' should be one number, not 6",
    ),
    "check of a truth value": (
        lambda t: t.replace("# twice", "\ns = equal(x, y)").replace('cell = "y[0,0]"', 'cell = "s"'),
        "check one.1: no pencil makes s (stated)",
    ),
    "check of a measurement": (
        lambda t: t.replace("# twice", "\ns = max_gap(x, y)").replace('cell = "y[0,0]"', 'of = "s"'),
        "check one.1: no cell of s can be asked",
    ),
    "check of a masked score": (
        lambda t: t.replace("# twice", "\ns = masked(x @ x.T, causal(tokens(prompt)))").replace(
            'cell = "y[0,0]"', 'cell = "s[0,1]"'
        ),
        "check one.1: no pencil makes s[0,1] (masked)",
    ),
    "check without an answer": (
        lambda t: t.replace('cell = "y[0,0]"', 'value = "x[0,0] / x[1,1]"'),
        "check one.1: x[0,0] / x[1,1] is nan, which nobody can answer",
    ),
    "check of nothing": (lambda t: t.replace('cell = "y[0,0]"', 'of = "q"'), "check one.1: 'of' names 'q'"),
    "check of a constant": (
        lambda t: t.replace('cell = "y[0,0]"', 'value = "1 + 1"'),
        "check one.1: its answer depends on nothing in the lesson",
    ),
    "decimals of a cell": (
        lambda t: t.replace('cell = "y[0,0]"', 'cell = "y[0,0]"\nasks = 1'),
        "check one.1: 'asks' belongs to 'value'",
    ),
    "no number asked": (
        lambda t: t.replace(CHECK, 'ask = "Why?"\nanswer = "So."\n'),
        "stage one: it has steps, but no",
    ),
    "unknown slip": (
        lambda t: t + '[[stage.check.says]]\nslip = "bakward"\ntext = "That."\n',
        "check one.1: there is no slip of kind 'bakward'",
    ),
    "a slip said twice": (
        lambda t: t + '[[stage.check.says]]\nslip = "backward"\ntext = "That."\n' * 2,
        "check one.1: 2 sentences for the slip 'backward'; only one is ever said",
    ),
    "slips of a sentence": (
        lambda t: (
            t.replace(CHECK, 'ask = "Why?"\nanswer = "So."\n')
            + '[[stage.check.says]]\nslip = "backward"\ntext = "No."\n'
        ),
        "check one.1: a sentence CHECK has no slips",
    ),
}


def test_the_toy_has_no_faults(tmp_path: Path) -> None:
    assert found(TOY, tmp_path, kinds()) == []


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_and_named(name: str, tmp_path: Path) -> None:
    change, says = FAULTS[name]
    assert change(TOY) != TOY
    assert any(text.startswith(says) for text in found(change(TOY), tmp_path, kinds())), found(change(TOY), tmp_path)


def test_what_follows_from_a_broken_step_is_not_told_again(tmp_path: Path) -> None:
    assert len(found(TOY.replace("x = E[", "x = F["), tmp_path)) == 2, "the step, and E that nothing reads now"


def test_an_entry_of_the_glossary_needs_its_stage() -> None:
    lesson = load("bank")
    from dataclasses import replace

    short = replace(lesson, stages=lesson.stages[:2])
    assert any("which is no stage of bank" in str(finding) for finding in lint(short))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("GPT-2 and x0, mu1 and Wq", []),
        ("q[0] and x0[0,2] and exp(0)", []),
        ("`run 3` {n_heads} {x[0,1]} block 1", []),
        ("12 heads", ["12"]),
        ("0.5 of it, 1,024 places and 3.", ["0.5", "1,024", "3"]),
        ("five times", []),
        ("5x", ["5"]),
        ("10% of -4", ["10", "4"]),
    ],
)
def test_numbers_typed_by_hand(text: str, numbers: list[str]) -> None:
    assert typed_numbers(text) == numbers


def test_a_finding_reads_as_a_sentence() -> None:
    assert str(Finding("stage one", "it is empty")) == "stage one: it is empty"


def test_a_file_of_the_wrong_form_is_a_finding_with_its_place(tmp_path: Path) -> None:
    broken = found(TOY.replace("y = x * 2", "y = x * "), tmp_path)
    assert broken == ["a number, a name or '(' was expected, not 'the end of the formula'"]
    with pytest.raises(BadInput, match="there is no lesson 'nowhere'"):
        lint("nowhere")


def test_the_verb_prints_what_it_finds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (resources.files("tui_attention.lessons") / "data" / "bank" / "lesson.toml").read_text("utf-8")
    path = tmp_path / "lesson.toml"
    path.write_text(text.replace("scaled = scores / sqrt(d_k) ", "scaled = scores / sqrt(d_q) "), "utf-8")
    assert cli.main(["lint", str(path)]) == 1
    assert "nothing is called 'd_q' here" in capsys.readouterr().out
    assert cli.main(["lint", "bank"]) == 0

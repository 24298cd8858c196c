"""What the README claims about keys, verbs, files, lessons and operations is so."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from tui_attention.cli import main
from tui_attention.engine import ops
from tui_attention.engine.ops import activations
from tui_attention.export.explain import explain
from tui_attention.interaction.commands import readme_table
from tui_attention.judge.hint_levels import HINT_LEVELS
from tui_attention.judge.hints import hint_at_level
from tui_attention.judge.promise import PROMISE
from tui_attention.judge.slips import kinds
from tui_attention.judge.verdict import judge, prepare
from tui_attention.lessons.lint import lint
from tui_attention.lessons.run import LessonRun, open_run
from tui_attention.ui.screens.help import INTRODUCTION
from tui_attention.verbs.table import APP, VERBS, parser_of

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def block(language: str, holding: str) -> str:
    """The fenced block of a language that holds a text."""
    found = [text for text in re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL) if holding in text]
    assert len(found) == 1
    return str(found[0])


def test_the_table_of_keys_is_made_from_the_table_of_commands() -> None:
    before, _, rest = README.partition("<!-- keys -->\n")
    table, _, behind = rest.partition("<!-- /keys -->")
    if os.environ.get("UPDATE_SNAPSHOTS"):
        made = f"{before}<!-- keys -->\n{readme_table()}\n<!-- /keys -->{behind}"
        (ROOT / "README.md").write_text(made, "utf-8")
        table = f"{readme_table()}\n"
    assert table == f"{readme_table()}\n"


def test_the_list_of_verbs_names_every_verb_and_no_other() -> None:
    lines = [line.split() for line in block("text", "tui-attention lessons").splitlines()]
    assert {words[1] for words in lines if not words[1].startswith("[")} == set(VERBS)


def test_the_list_of_verbs_names_options_that_there_are() -> None:
    for line in block("text", "tui-attention lessons").splitlines():
        name = line.split()[1]
        legal = parser_of(VERBS.get(name, APP))._option_string_actions
        assert {option for option in re.findall(r"--[a-z-]+", line) if option not in legal} == set(), line


def test_every_place_that_it_names_is_there() -> None:
    where = README.partition("## Where things are")[2]
    paths = {path.replace("<lesson>", "bank") for path in re.findall(r"`((?:tui_attention|\.ci)/[^`]*)`", where)}
    assert len(paths) > 15
    assert {path for path in paths if not (ROOT / path).exists()} == set()


def test_it_counts_the_hints_right() -> None:
    assert f"ladder of {('no', 'one', 'two', 'three', 'four', 'five', 'six')[HINT_LEVELS]} hints" in README


def test_its_examples_print_what_they_print(capsys: pytest.CaptureFixture[str]) -> None:
    examples = re.split(r"^\$ tui-attention ", block("console", "explain press-h"), flags=re.MULTILINE)[1:]
    assert len(examples) >= 2
    for example in examples:
        words, _, wanted = example.partition("\n")
        main(shlex.split(words))
        assert capsys.readouterr().out == wanted


def test_its_lesson_has_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "two-dots.toml"
    file.write_text(block("toml", "two-dots"), "utf-8")
    assert lint(str(file), slips=kinds()) == []
    assert open_run(str(file)).graph.tensor("S").text((0, 0)) == "0.82"


LEAKY = """
format = 1
id = "leaky"
title = "leaky"
[vocabulary]
marks = ["a", "b"]
[inputs]
prompt = "ab"
[tables.T]
prints = 1
values = [[1.0, -4.0], [9.0, -2.0]]
[[stage]]
id = "one"
title = "one"
wall = "A wall."
steps = '''
x = T[tokens(prompt)]
y = leaky(x)
'''
[[stage.check]]
ask = "What is left of {x[0,1]}?"
cell = "y[0,1]"
[[stage.check.says]]
slip = "nothing-leaks"
text = "This one lets a tenth through."
"""


def test_its_operation_works_everywhere_by_one_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = dict(vars(activations))  # as if it stood in that file
    exec(block("python", "ENTRIES"), written)
    monkeypatch.setitem(ops.OPERATIONS, "leaky", written["ENTRIES"][0])
    file = tmp_path / "leaky.toml"
    file.write_text(LEAKY, "utf-8")
    assert lint(str(file), slips=kinds()) == []
    run: LessonRun = open_run(str(file))
    assert run.graph.tensor("y").values.tolist() == [[1, -0.4], [9, -0.2]]
    found = explain(run, "y[0,1]")
    assert (found.line, found.formula, found.prints) == ("0.1*(-4.0)", "0.1*T[0,1]", "-0.40")
    working = run.graph.working("y", (0, 1))
    assert hint_at_level(run, working, 1).says == "Keep what is positive, take a tenth of the rest. y = leaky(x)"
    question = prepare(run, working)
    assert judge(question, "-0.40").accepted
    assert judge(question, "0").slips[0].kind == "nothing-leaks"


def test_one_promise_stands_everywhere() -> None:
    readme = " ".join(README.split())
    assert PROMISE in readme
    assert PROMISE in INTRODUCTION

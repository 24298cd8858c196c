"""From a file to a lesson: what is read, and what each fault says."""

from __future__ import annotations

import math
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from tests.lessons.toy import HEAD, TABLE, TOY, run
from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.engine.graph import Graph
from tui_attention.engine.working import Cell, operands
from tui_attention.lessons.load import glossary, load, names, read
from tui_attention.lessons.run import LessonRun


def refused(toml: str) -> LessonError:
    with pytest.raises(LessonError) as caught:
        read(toml.encode(), "toy.toml")
    return caught.value


def test_the_lessons_that_come_with_the_program() -> None:
    assert names()[0] == "press-h"
    assert {"press-h", "bank", "two-marks"} <= set(names())
    for name in names():
        lesson = load(name)
        assert lesson.id == name
        assert lesson.title
        assert lesson.summary


def test_a_lesson_is_a_folder_or_a_file(tmp_path: Path) -> None:
    (tmp_path / "lesson.toml").write_text(TOY)
    (tmp_path / "other.toml").write_text(TOY)
    assert load(str(tmp_path)).id == load(str(tmp_path / "other.toml")).id == "toy"
    with pytest.raises(BadInput, match="there is no lesson 'toy'; the lessons are: press-h "):
        load("toy")


STAGES = {
    "press-h": "route splitter token-row slot-row flatten roles heads score shares output mlp stack logits"
    " shapes proof decoder retold",
    "bank": "toy-world dots raw wired scaling general",
}


@pytest.mark.parametrize("name", STAGES)
def test_every_stage_of_both_documents_is_there(name: str) -> None:
    assert " ".join(stage.id for stage in load(name).stages) == STAGES[name]


def test_every_entry_of_the_glossary_leads_to_its_stage() -> None:
    terms = glossary()
    assert len(terms) > 20
    for term in terms:
        assert term.plain
        assert term.lesson in names()
        assert load(term.lesson).stage_index(term.see) >= 0


def test_prose_is_cut_into_paragraphs_and_diagrams_keep_their_lines() -> None:
    wall = 'wall = """One\n line.\n\nTwo."""'
    diagram = '[[stage.diagram]]\ntext = """\n  a\n b\n"""\n'
    stage = read((HEAD + TABLE + f"[[stage]]\nid = 'a'\ntitle = 'a'\n{wall}\n{diagram}").encode(), "f").stages[0]
    assert stage.wall == ("One line.", "Two.")
    assert stage.diagrams[0].text == "  a\n b"


def test_a_negative_zero_of_a_table_keeps_its_sign() -> None:
    tensor = run(TOY).graph.tensor("E")
    assert tensor.text((2, 1)) == "-0.00"
    assert np.signbit(float(tensor.values[2, 1]))


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("format = 1", "format = 2", 0, "'format = 1' was expected, not '2'"),
        ("y = x * 2 ", "y = x * 2)", 22, "an operator or the end of the formula was expected, not '\\)'"),
        ("y = x * 2 ", "y : x * 2 ", 22, "a step 'name = formula' was expected"),
        ("y = x * 2 ", "x = x * 2 ", 22, "the name 'x' stands twice"),
        ("y = x * 2 ", "E = x * 2 ", 22, "the name 'E' stands twice"),
        ("y = x * 2 ", "y = mean(x ", 22, "',' or '\\)' was expected, not"),
        ("[inputs]", "split = 'words'\n[inputs]", 0, "no word should hold a space"),
        ("format = 1\n", "", 0, "'format = 1' was expected$"),
        (
            "[[stage.check]]",
            "[[stage.plot]]\nkind = 'pie'\n[[stage.check]]",
            0,
            "stage one, plot 1: 'kind' is one",
        ),
        ('cell = "y[0,0]"', "", 0, "exactly one of cell, of, value, answer, not none"),
        ('cell = "y[0,0]"', 'cell = "y[0,0]"\nof = "y"', 0, "not cell and of"),
        ('marks = ["a", "b", " "]', 'marks = ["a", "a"]', 0, "'marks' should be a list of different texts"),
        ('marks = ["a", "b", " "]', 'marks = ["ab"]', 0, "every mark should be one character"),
        ('prompt = "ab"', 'prompt = "abc"', 0, "'c' is not a mark of this lesson"),
        (
            "[1.00, 0.00, -0.10]",
            "[1.00, 0.00]",
            0,
            "row 1 has 2 numbers and row 0 has 3; all of one length were expected",
        ),
        ('rows = ["a", "b", " "]', 'rows = ["a"]', 0, "'rows' should name all 3 of them"),
        ("prints = 2", "prints = true", 0, "'prints' should be a whole number"),
        ("prints = 2", "prints = 99", 0, "a number of decimals from 0 to 12"),
        ('title = "one"', "title = 3", 0, "'title' should be a text"),
        ('id = "one"', 'id = "o ne"', 0, "'id' should be letters, digits"),
    ],
)
def test_a_fault_says_where_it_is_and_what_was_expected(old: str, new: str, line: int, says: str) -> None:
    assert TOY.count(old) == 1
    error = refused(TOY.replace(old, new))
    assert error.file == "toy.toml"
    assert line in (0, error.line)
    with pytest.raises(LessonError, match=says):
        raise error


def test_a_fault_that_shows_when_computed_names_the_file_too() -> None:
    made = run(TOY.replace("y = x * 2 ", "y = x @ x "))
    with pytest.raises(LessonError) as caught:
        made.graph.tensor("y")
    assert str(caught.value).startswith("toy.toml:22:7: ")


def test_a_mark_at_the_start_of_the_file_is_no_fault() -> None:
    assert read(b"\xef\xbb\xbf" + TOY.encode(), "f").id == "toy"


def test_bytes_that_are_no_text_are_refused_with_their_line() -> None:
    with pytest.raises(LessonError, match="f:2: text in UTF-8 was expected"):
        read(b"format = 1\n\xff", "f")


# ---------------------------------------------------------------- extends

CHILD = """
format = 1
extends = "bank"
id = "child"
title = "child"
[inputs]
prompt = "money bank"
[tables.words]
values = [[0, 0, 0, 2], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
[constants]
d_k = 4
[[stage]]
id = "only"
title = "only"
steps = "X = words[tokens(prompt)]"
"""


def test_a_lesson_extends_another_and_reuses_its_dials() -> None:
    lesson = read(CHILD.encode(), "child.toml")
    parent = load("bank")
    graph = Graph(lesson.program)
    assert [stage.id for stage in lesson.stages] == ["only"]
    assert graph.tensor("Wq").values.tolist() == Graph(parent.program).tensor("Wq").values.tolist()
    assert graph.tensor("d_k").values == 4
    assert graph.tensor("X").values.tolist() == [[0, 1, 0, 0], [0, 0, 1, 0]]
    assert graph.tensor("X").title == parent.program.settings["X"].title
    assert lesson.program.inputs.other == "the money bank"
    assert lesson.facts.keys() == parent.facts.keys()


def test_without_stages_it_has_those_of_the_other() -> None:
    lesson = read(CHILD[: CHILD.index("[[stage]]")].encode(), "child.toml")
    assert [stage.id for stage in lesson.stages] == [stage.id for stage in load("bank").stages]
    assert Graph(lesson.program).tensor("A").shape == (2, 2)


# ---------------------------------------------------------------- repeated blocks

BLOCKS = (
    HEAD
    + TABLE
    + """
[tables.W]
values = [[0.5, -0.2, 0.1], [0.3, 0.4, -0.6], [-0.1, 0.2, 0.9]]
[tables.W_b]
values = [[0.1, 0.2, 0.3], [-0.4, 0.5, 0.6], [0.7, -0.8, 0.9]]
[tables.W_c]
values = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
[tensors.n]
title = "flattened"
prints = 4
asks = 2
[[block]]
id = "block"
title = "block 1"
copy_title = "block {n}"
carry = ["x0", "x1"]
copies = [{W = "W_b"}, {W = "W_c"}]
[[stage]]
id = "rows"
title = "rows"
steps = "x0 = E[tokens(prompt)]"
[[stage]]
id = "law"
title = "the law"
block = "block"
wall = "Once."
steps = '''
m = mean(x0)
s = spread(x0)
n = layer_norm(x0, m, s)       # flatten
x1 = x0 + gelu(n @ W)          # add
'''
[[stage]]
id = "last"
title = "last"
steps = "out = softmax(x1)"
"""
)


def test_a_block_is_repeated_with_its_own_dials() -> None:
    lesson = read(BLOCKS.encode(), "f")
    assert [stage.id for stage in lesson.stages] == ["rows", "law", "law_2", "law_3", "last"]
    assert [(block.id, block.title) for block in lesson.blocks] == [
        ("block", "block 1"),
        ("block_2", "block 2"),
        ("block_3", "block 3"),
    ]
    second, last = lesson.stages[2], lesson.stages[4]
    assert [f"{step.name} = {step.text}" for step in second.steps] == [
        "m_2 = mean(x1)",
        "s_2 = spread(x1)",
        "n_2 = layer_norm(x1, m_2, s_2)",
        "x1_2 = x1 + gelu(n_2 @ W_b)",
    ]
    assert second.block == "block_2"
    assert second.steps[2].caption == "flatten"
    assert last.steps[0].text == "softmax(x1_3)"
    assert (second.wall, second.checks) == ((), ())


def test_copies_compute_what_numpy_does() -> None:
    graph = Graph(read(BLOCKS.encode(), "f").program)
    dials = {name: graph.tensor(name).values.astype(float) for name in ("E", "W", "W_b", "W_c")}
    x = dials["E"][[0, 1]]
    erf = np.vectorize(math.erf)
    for name in ("W", "W_b", "W_c"):
        flat = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
        z = flat @ dials[name]
        x = x + z * 0.5 * (1 + erf(z / np.sqrt(2)))
    np.testing.assert_allclose(graph.tensor("x1_3").values.astype(float), x, atol=1e-12)
    shares = np.exp(x) / np.exp(x).sum(-1, keepdims=True)
    np.testing.assert_allclose(graph.tensor("out").values.astype(float), shares, atol=1e-12)


def test_a_copy_prints_as_its_original_does_and_explains_itself() -> None:
    made = run(BLOCKS)
    assert made.graph.tensor("n_2").prints == 4
    assert made.graph.tensor("n_2").title == "flattened"
    assert made.graph.working("n_3", (0, 0)).asks == 2
    cells = {cell.address for cell in operands_of(made, "n_3")}
    assert cells == {"x1_2[0,0]", "m_3[0]", "s_3[0]"}


def operands_of(made: LessonRun, name: str) -> tuple[Cell, ...]:
    root = made.graph.working(name, (0, 0)).root
    assert root is not None
    return operands(root)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            'carry = ["x0", "x1"]',
            'carry = ["x0", "x9"]',
            "'carry' ends in 'x9', which the block 'block' does not make",
        ),
        (
            'carry = ["x0", "x1"]',
            'carry = ["m", "x1"]',
            "'carry' begins with 'm', which the block 'block' makes itself",
        ),
        ('carry = ["x0", "x1"]\n', "", "'carry' should be a pair of names"),
        ('{W = "W_c"}', "{W = 3}", "'copies' should be tables"),
        ('{W = "W_c"}', '{n = "W_c"}', "'copies' should be tables"),
        ('id = "last"', 'id = "law_2"', "the stage id 'law_2' stands twice"),
    ],
)
def test_faults_of_a_repeated_block(old: str, new: str, says: str) -> None:
    assert BLOCKS.count(old) == 1
    with pytest.raises(LessonError, match=says):
        read(BLOCKS.replace(old, new).encode(), "f")


def test_dials_that_a_copy_lacks_are_a_fault_of_its_formula() -> None:
    lesson = read(BLOCKS.replace('{W = "W_c"}', '{W = "W_d"}').encode(), "f")
    with pytest.raises(LessonError, match="nothing is called 'W_d' here"):
        Graph(lesson.program).tensor("x1_3")


def test_the_data_of_the_package_holds_nothing_but_lessons() -> None:
    data = resources.files("tui_attention.lessons") / "data"
    others = {entry.name for entry in data.iterdir() if not (entry / "lesson.toml").is_file()}
    assert others == {"glossary.toml"}

"""Sheets and keys: what is blank, what is given, that the key is right, that the files are the same every time."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.walk.swapped import Swapped
from tui_attention.cli import main
from tui_attention.engine.errors import BadInput
from tui_attention.judge.verdict import judge, prepare
from tui_attention.lessons.load import load, names
from tui_attention.lessons.run import LessonRun, open_run
from tui_attention.practice import as_text, sheets, typeset
from tui_attention.practice.paper import Paper, PaperQuestion, PaperTable
from tui_attention.practice.worksheet import Worksheet, chosen_cells, places_of

Capture = pytest.CaptureFixture[str]


def worksheet(lesson: str, variant: int = 0, *stages: str, prompt: str | None = None) -> Worksheet:
    own = open_run(lesson, prompt)
    places = places_of(own.lesson, stages)
    return Worksheet(open_run(lesson, prompt, variant=variant), places, chosen_cells(own, places))


@pytest.fixture(scope="module")
def seventh() -> tuple[Worksheet, Paper, Paper]:
    made = worksheet("press-h", 7)
    return made, made.sheet(), made.key()


def tables(paper: Paper) -> dict[str, list[PaperTable]]:
    found: dict[str, list[PaperTable]] = {}
    for table in (*paper.given, *(table for stage in paper.stages for step in stage.steps for table in step.tables)):
        found.setdefault(table.name, []).append(table)
    return found


def questions(paper: Paper) -> list[PaperQuestion]:
    return [question for stage in paper.stages for question in stage.questions]


# ---------------------------------------------------------------- blank and given


def test_what_a_step_makes_is_blank_and_what_it_reads_is_given(seventh: tuple[Worksheet, Paper, Paper]) -> None:
    found = tables(seventh[1])
    for name in ("ids", "e", "p", "x0", "a", "q", "scores", "y", "wide", "logits", "greedy", "cum", "drawn"):
        assert all(text == "" for table in found[name] for row in table.rows for text in row), name
    for name in ("splitter", "E", "P", "Wq", "Wlm", "aside", "mask"):
        assert all(text != "" for table in found[name] for row in table.rows for text in row), name
    assert "qh" not in found  # the learner's own numbers once more
    assert "Wc" not in found  # three tables that stand there already


def test_measured_and_stated_numbers_are_given() -> None:
    found = tables(worksheet("bank").sheet())
    for name in ("scaling", "same_row", "S_symmetric", "order_blind", "mask"):
        assert sum(table.blanks for table in found[name]) == 0, name
    assert found["same_row"][0].rows == (("yes",),)
    assert found["S"][0].blanks == 9


def test_stages_left_out_are_given() -> None:
    sheet = worksheet("press-h", 0, "flatten").sheet()
    found = tables(sheet)
    assert [stage.title for stage in sheet.stages] == ["4 flatten a copy"]
    assert found["x0"][0].rows == (("1.10", "0.10", "-0.87", "0.05", "0.01", "0.25"),)
    assert found["a"][0].blanks == 6
    assert "E" not in found
    assert next(q.ask for q in questions(sheet) if "flattened coordinate" in q.ask).startswith(
        "The first flattened coordinate is (1.10 - mu1) / sigma1."
    )


@pytest.mark.parametrize("lesson", names())
def test_no_covered_number_reaches_a_sheet(lesson: str) -> None:
    made = worksheet(lesson, 2)
    graph = made.run.graph
    steps = [step.name for step in graph.program.steps if not graph.traced(step.name).view]
    hidden = frozenset(
        (name, index)
        for name in steps
        for index in np.ndindex(*graph.tensor(name).shape)
        if graph.working(name, index).askable
    )
    assert len(hidden) > 50
    other = LessonRun(made.run.lesson, Swapped(graph, hidden))
    assert Worksheet(other, made.places, made.cells).sheet() == made.sheet()


def test_several_tokens_make_several_rows() -> None:
    made = worksheet("press-h", 3, "score", prompt="had")
    found = tables(made.sheet())
    first, second = found["scores"]
    assert (first.labels, first.columns) == (("h", "a", "d"), ("h", "a", "d"))
    assert first.title != second.title
    assert [text for row in first.rows for text in row if text] == ["-inf"] * 3
    assert found["qh"][0].blanks == 0


# ---------------------------------------------------------------- the key


def test_the_numbers_of_a_key_are_those_of_the_variant(seventh: tuple[Worksheet, Paper, Paper]) -> None:
    made, _, key = seventh
    graph = made.run.graph
    for name, (table, *_) in tables(key).items():
        if name == "Phi":  # of round numbers, the same on every variant
            continue
        traced = graph.traced(name)
        if traced.values.ndim == 2 and not graph.tensor(name).truth:
            for i, row in enumerate(table.rows):
                assert row == tuple(graph.cell(name, (i, j)).printed for j in range(traced.shape[1])), name
    cell = made.cells["logits.1"]
    (answer,) = [question.answer for question in questions(key) if cell.replace("0,", "") in question.ask]
    assert answer == graph.cell(*graph.locate(cell)).printed


def test_phi_is_given_where_a_stage_needs_it() -> None:
    (table,) = [table for table in worksheet("press-h", 7, "mlp").sheet().given if table.name == "Phi"]
    found = dict(zip(table.columns, table.rows[0], strict=True))
    assert found["0.0"] == "0.5000"
    assert found["1.0"] == "0.8413"
    assert not [table for table in worksheet("press-h", 7, "flatten").sheet().given if table.name == "Phi"]


def test_a_longer_working_has_more_room() -> None:
    asked = [one for stage in worksheet("press-h", 7, "flatten", "mlp").sheet().stages for one in stage.questions]
    room = {one.ask.split(":")[0][:24]: one.room for one in asked}
    assert sorted(set(room.values())) == [1, 2, 4]
    assert room["Narrow"] == 4
    assert "#v(2.90cm)" in typeset._asked(next(one for one in asked if one.room == 4))


def test_sheet_and_key_ask_the_same(seventh: tuple[Worksheet, Paper, Paper]) -> None:
    _, sheet, key = seventh
    assert [(q.number, q.decimals) for q in questions(sheet)] == [(q.number, q.decimals) for q in questions(key)]
    assert [q.number for q in questions(sheet)] == list(range(1, len(questions(sheet)) + 1))
    assert all(not (q.answer or q.line or q.also or q.mistakes) for q in questions(sheet))
    assert all(q.answer for q in questions(key))


def test_the_marking_guide_tells_the_slip_behind_a_wrong_number() -> None:
    (question,) = [q for q in questions(worksheet("press-h", 0, "flatten").key()) if "flattened coordinate" in q.ask]
    assert question.line == "(1.10 - 0.1067) / 0.5736"
    assert (question.answer, question.also) == ("1.73", "1.72 to 1.74")
    guide = {slip.number: slip.says for slip in question.mistakes}
    assert "backward" in guide["0.58"]
    assert "divide" in guide["0.99"] or "distance from the mean" in guide["0.99"]


def test_the_marking_guide_has_what_rounding_makes_of_a_slip() -> None:
    """The page's own -0.71 of its score before it is divided, beside the -0.70 of its printed rows."""
    (question,) = [q for q in questions(worksheet("press-h", 0, "score").key()) if "against itself" in q.ask]
    says = {slip.number: slip.says for slip in question.mistakes}["-0.70"]
    assert "bare sum" in says
    assert "With rounding on the way: -0.71" in says


def test_the_guide_and_the_judge_agree(seventh: tuple[Worksheet, Paper, Paper]) -> None:
    made, _, key = seventh
    run = made.run
    checks = {
        " ".join((run.text(check.ask) or "").split()): check for stage in run.lesson.stages for check in stage.checks
    }
    looked = 0
    for question in questions(key):
        check = checks.get(question.ask)
        if question.decimals is None or check is None or check.of:
            continue
        working = run.check_working(check)
        assert working is not None
        prepared = prepare(run, working)
        assert judge(prepared, question.answer.replace(",", "")).accepted, question
        for text in re.findall(r"-?\d+\.\d+", question.also):
            assert judge(prepared, text).accepted, question
        for slip in question.mistakes:
            assert not judge(prepared, slip.number).accepted, slip
            looked += 1
    assert looked > 50


# ---------------------------------------------------------------- files


def test_a_pdf_is_the_same_in_every_process() -> None:
    pytest.importorskip("typst")
    code = (
        "import hashlib\nfrom tests.practice.test_worksheets import worksheet\n"
        "from tui_attention.practice.typeset import pdf\nmade = worksheet('press-h', 3, 'heads')\n"
        "data = pdf(made.sheet(), 'letter') + pdf(made.key())\n"
        "assert data.startswith(b'%PDF')\nprint(hashlib.sha256(data).hexdigest())"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=120).stdout
        for _ in range(2)
    ]
    assert runs[0] == runs[1] != ""


def test_sheets_for_a_class(tmp_path: Path, capsys: Capture) -> None:
    pytest.importorskip("typst")
    folder = tmp_path / "out"
    assert main(["worksheet", "press-h", str(folder), "--variants", "1-2", "--stages", "flatten,heads"]) == 0
    assert "4 files in" in capsys.readouterr().out
    made = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert sorted(made) == [f"press-h-{n}-{kind}.pdf" for n in (1, 2) for kind in ("key", "sheet")]
    assert len({hashlib.sha256(data).digest() for data in made.values()}) == 4
    assert main(["worksheet", "press-h", str(folder), "--variant", "2", "--stages", "flatten,heads"]) == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == made


def test_sheets_for_names(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "names.txt"
    file.write_text("Ada\n\nGrace\nada\n")
    assert (
        main(["worksheet", "press-h", str(tmp_path / "out"), "--for", str(file), "--text", "--stage", "score"]) == 0
    )
    said = capsys.readouterr().out
    assert "Ada: variant 33\nGrace: variant 26\n" in said
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        f"press-h-{n}-{kind}.txt" for n in (26, 33) for kind in ("sheet", "key")
    }


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "precious"
    other.write_text("mine")
    (tmp_path / "press-h-0-sheet.txt").symlink_to(other)
    assert main(["worksheet", "press-h", str(tmp_path), "--text", "--stages", "flatten"]) == 0
    assert other.read_text() == "mine"
    assert "Worksheet" in (tmp_path / "press-h-0-sheet.txt").read_text()


def test_without_typst_one_sentence_and_nothing_is_made(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typeset, "find_spec", lambda name: None)
    assert main(["worksheet", "press-h", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "pip install '.[paper]'" in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


BAD = [
    (["--variants", "9-1"], "names no variants"),
    (["--variants", "1-61"], "there is no variant 61; there are 60"),
    (["--variant", "3", "--variants", "1-2"], "one of them was expected"),
    (["--stages", "flatten,nowhere"], "has no stage 'nowhere'"),
    (["--for", "/nonexistent/names"], "cannot be read"),
    (["--paper", "a5"], "invalid choice"),
]


@pytest.mark.parametrize(("words", "says"), BAD)
def test_bad_orders_are_one_sentence(tmp_path: Path, capsys: Capture, words: list[str], says: str) -> None:
    assert main(["worksheet", "press-h", str(tmp_path / "out"), "--text", *words]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_numbers_of_variants() -> None:
    assert sheets.numbers_in("1-3", 60) == (1, 2, 3)
    assert sheets.numbers_in("7, 1-2,7", 60) == (7, 1, 2)
    assert len(sheets.numbers_in("all", 60)) == 60
    for wrong in ("", "a", "1-", "-1", "1--2", "99999"):
        with pytest.raises(BadInput):
            sheets.numbers_in(wrong, 60)


@pytest.mark.parametrize("lesson", names())
def test_text_stays_within_its_width(lesson: str) -> None:
    made = worksheet(lesson, 1, *[stage.id for stage in load(lesson).stages if stage.steps][-2:])
    for paper in (made.sheet(), made.key()):
        lines = as_text.text(paper).splitlines()
        assert max(map(len, lines)) <= as_text.WIDTH
        assert not any(line.endswith(" ") for line in lines)
    assert as_text.text(made.sheet()).count("______") > 10


@given(text=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40))
@settings(max_examples=25, deadline=None)
def test_no_text_of_a_lesson_is_markup(text: str) -> None:
    typst = pytest.importorskip("typst")
    question = PaperQuestion(1, text, None, answer=text)
    paper = Paper("toy", text, 1, True, (text,), (PaperTable("E", text, text, (text,), (text,), ((text,),)),), ())
    markup = typeset.markup(paper) + typeset._key(question)
    found = typst.query(markup.encode(), "<none>", ignore_system_fonts=True)
    assert found == "[]"


def test_a_wide_table_is_broken_behind_a_group_of_six() -> None:
    wide = PaperTable("qkv", "", "token", tuple(map(str, range(18))), ("h",), (tuple("1" * 18),))
    parts = list(typeset._parts(wide))
    assert [len(part.columns) for part in parts] == [12, 6]
    assert [part.columns[0] for part in parts] == ["0", "12"]
    heads = [line.split()[1:] for line in as_text._table(replace(wide, rows=(("-0.44",) * 18,))) if "token" in line]
    assert [len(line) for line in heads] == [6, 6, 6]

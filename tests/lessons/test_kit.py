"""The rest of what authors may write: decimals by default, files beside the lesson, no text, copies that ask."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from tests.lessons.test_authors import linted
from tests.lessons.test_load import BLOCKS
from tests.lessons.toy import TOY, run
from tui_attention import cli
from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.engine.naming import parse
from tui_attention.engine.working import line, number
from tui_attention.lessons.beside import _npy
from tui_attention.lessons.load import load, read
from tui_attention.lessons.positions import locate
from tui_attention.lessons.run import open_run
from tui_attention.verbs.authors import changes

PLAIN = """format = 1
id = "plain"
title = "plain"
[tables.X]
values = [[1.25, 2.0], [0.5, -1.0]]
[[stage]]
id = "one"
title = "one"
wall = "A wall."
steps = "y = X * 2"
[[stage.check]]
ask = "How much?"
cell = "y[0,0]"
"""


def test_a_lesson_needs_no_text(tmp_path: Path) -> None:
    assert linted(PLAIN, tmp_path) == []
    lesson = run(PLAIN)
    assert "splitter" not in lesson.graph.names()
    with pytest.raises(BadInput, match="works on no text"):
        open_run(str(tmp_path / "lesson.toml"), prompt="a")


@pytest.mark.parametrize(
    ("defaults", "prints", "asks", "dials"),
    [
        ("", 2, 2, 2),
        ("[defaults]\nprints = 3\n", 3, 3, 3),
        ("[defaults]\nprints = 4\nasks = 2\n", 4, 2, 4),
        ("[defaults.results]\nprints = 1\n", 1, 1, 2),
        ("[defaults]\nprints = 3\n[defaults.dials]\nprints = 2\n", 3, 3, 2),
        ("[defaults.results]\nasks = 1\n", 2, 1, 2),
    ],
)
def test_decimals_by_default(defaults: str, prints: int, asks: int, dials: int) -> None:
    graph = run(PLAIN.replace("[tables.X]", defaults + "[tables.X]")).graph
    assert (graph.tensor("y").prints, graph.working("y", (0, 0)).asks) == (prints, asks)
    assert graph.tensor("X").prints == dials


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[tables.X]", "[tables.X]\nprints = 1", "6:12: [tables.X]: 'prints = 1' hides digits of 1.25; prints = 2"),
        ("[[stage]]", "[tensors.y]\nprints = 1\nasks = 3\n[[stage]]", "8:8: [tensors.y]: 'asks = 3' is more than"),
        ("[0.5, -1.0]", '["0.5", -1.0]', "5:25: [tables.X]: row 1 holds '0.5', which is no number"),
        ("[0.5, -1.0]", "[0.5]", "5:24: [tables.X]: row 1 has 1 numbers and row 0 has 2"),
        ("y = X * 2", "max = X * 2", "'max' is the name of an operation"),
        ("y = X * 2", "y = Xx * 2", "10:14: step y: nothing is called 'Xx' here; did you mean 'X'?"),
        ("y = X * 2", "y = X[tokens(prompt)]", "nothing is called 'prompt' here; a [vocabulary] and [inputs]"),
        ("y = X * 2", "y = X / (X - X)", "y[0,0] has no finite value: it divides by X[0,0] - X[0,0], which is 0"),
        ("y = X * 2", "y = X @ [1]", "a number, a name or '(' was expected"),
        (
            'cell = "y[0,0]"',
            'cell = "y[0,7]"',
            "check one.1: there is no cell y[0,7]; y is 2x2; its rows are 0 to 1, its columns are 0 to 1",
        ),
        ("[[stage]]", "[stage]", "'stage' should be written [[stage]]"),
        ("[tables.X]", "[tables.X]\nvalue = 1", "the key 'value' means nothing here; did you mean 'values'?"),
        ("format = 1", "format = 1\nformat = 1", "not a TOML file"),
    ],
)
def test_errors_stop_every_verb_with_the_sentence_of_lint(
    old: str, new: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "plain.toml"
    file.write_text(PLAIN.replace(old, new, 1))
    assert cli.main(["lint", str(file)]) == 1
    sentence = capsys.readouterr().out.splitlines()[0]
    assert says in sentence
    for verb in (["values"], ["explain"], ["plain"]):
        assert cli.main([*verb, str(file), *(["y[0,0]"] if verb == ["explain"] else [])]) == 2
        assert capsys.readouterr().err == f"tui-attention: {sentence}\n"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('wall = "A wall."\n', "", "stage one: it has no wall"),
        ("A wall.", "A wall of 7.", "the number 7 is typed by hand"),
        ("[[stage]]", "[constants]\nunused = 3\n[[stage]]", "[constants]: unused is never used and never shown"),
        (
            '"y = X * 2"',
            "'''\ny = X * 2\nz = softmax(masked(y, X))'''",
            "the mask X holds 1.25; 0 and 1 were expected",
        ),
        ('"y = X * 2"', "'''\nw = X * 2\ny = w[:1]'''", "y[0,0] is a cell of w seen again, and that is on screen"),
    ],
)
def test_complaints_are_lint_s_alone(
    old: str, new: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "plain.toml"
    file.write_text(PLAIN.replace(old, new, 1))
    assert cli.main(["lint", str(file)]) == 1
    assert says in capsys.readouterr().out
    assert cli.main(["values", str(file)]) == 0


def test_a_prompt_that_breaks_is_found(tmp_path: Path) -> None:
    found = linted(TOY.replace("y = x * 2 ", "y = x * x[1] "), tmp_path)
    assert any(text.startswith("[inputs]: a prompt of 1 mark is legal and breaks: y = x * x[1]") for text in found)


def test_rows_in_another_order_than_the_vocabulary_are_refused() -> None:
    with pytest.raises(LessonError, match=r"row 0 is called 'b', and the vocabulary has 'a' there"):
        read(TOY.replace('rows = ["a", "b", " "]', 'rows = ["b", "a", " "]').encode(), "f")


# ---------------------------------------------------------------- files beside the lesson


@pytest.mark.parametrize("kind", ["<f4", ">f8", "<i2", "|u1"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_is_read_as_numpy_reads_it(kind: str, order: str, tmp_path: Path) -> None:
    saved = np.asarray([[1, 2, 3], [4, 5, 6]], dtype=kind, order="F" if order == "F" else "C")
    np.save(tmp_path / "x.npy", saved)
    assert np.array_equal(_npy((tmp_path / "x.npy").read_bytes()), saved)
    np.save(tmp_path / "x.npy", saved[0])
    assert np.array_equal(_npy((tmp_path / "x.npy").read_bytes()), saved[0])


def test_numbers_from_a_file(tmp_path: Path) -> None:
    text = PLAIN.replace("values = [[1.25, 2.0], [0.5, -1.0]]", 'values_from = "x.csv"')
    (tmp_path / "x.csv").write_text("1.25, 2.0\n0.5, -1.0\n")
    assert linted(text, tmp_path) == []
    np.save(tmp_path / "x.npy", np.array([[1.25, 2.0], [0.5, -1.0]]))
    assert linted(text.replace("x.csv", "x.npy"), tmp_path) == []
    assert open_run(str(tmp_path / "lesson.toml")).graph.tensor("y").text((0, 0)) == "2.50"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("../x.csv", "is outside the lesson's folder"),
        ("/etc/passwd", "is outside the lesson's folder"),
        ("none.csv", "cannot be read: No such file"),
        ("x.txt", "a .csv or .npy file was expected"),
        ("bad.csv", "line 2, place 1: 'a' is no number"),
        ("ragged.csv", "line 2 has 1 numbers, the first has 2"),
        ("empty.csv", "it holds no numbers"),
        ("bad.npy", "'bad.npy'"),
        ("link.csv", "is outside the lesson's folder"),
        ("nan.csv", "numbers from -1e12 to 1e12 were expected"),
        ("latin.csv", "text in UTF-8 was expected"),
        ("loop.csv", "cannot be read"),
        ("pipe.csv", "is no ordinary file"),
        ("none.npy", "an array of numbers was expected"),
        ("huge.npy", "an array of numbers was expected"),
        ("more.npy", "2,000,000 numbers were expected, as its header says"),
        ("objects.npy", "an array of numbers was expected"),
        ("cube.npy", "an array of numbers was expected"),
    ],
)
def test_files_that_cannot_be_taken(name: str, says: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "x.csv").write_text("1\n")
    (home / "link.csv").symlink_to(tmp_path / "x.csv")
    for file, text in (("bad.csv", "1,2\na,b"), ("ragged.csv", "1,2\n3"), ("empty.csv", "\n"), ("nan.csv", "nan")):
        (home / file).write_text(text)
    (home / "bad.npy").write_bytes(b"\x93NUMPY")
    (home / "latin.csv").write_bytes(b"\xe9")
    (home / "loop.csv").symlink_to("loop.csv")
    os.mkfifo(home / "pipe.csv")
    (home / "none.npy").write_bytes(b"")
    np.save(home / "objects.npy", np.array([None]))
    np.save(home / "cube.npy", np.ones((2, 2, 2)))
    np.save(home / "more.npy", np.ones(2))
    for file, shape in (("huge.npy", b"(1000000000000,)"), ("more.npy", b"(2000000,)")):
        header = (home / "more.npy").read_bytes()
        (home / file).write_bytes(header.replace(b"(2,), }" + b" " * (len(shape) - 4), shape + b", }", 1))
    text = PLAIN.replace("values = [[1.25, 2.0], [0.5, -1.0]]", f'values_from = "{name}"')
    assert any(says in found for found in linted(text, home))


# ---------------------------------------------------------------- copies


def test_copies_have_walls_and_checks() -> None:
    text = BLOCKS.replace(
        'wall = "Once."',
        'wall = "Once."\nwall_in_copies = "Copy {n} reads {x0[0,0]} and makes {x1[0,0]:+}."',
    ).replace(
        '[[stage]]\nid = "last"',
        '[[stage.check]]\nask = "How much is {line m[0]}?"\ncell = "m[0]"\nin_copies = true\n[[stage]]\nid = "last"',
    )
    lesson = read(text.encode(), "f")
    second, third = lesson.stages[2], lesson.stages[3]
    assert second.wall == ("Copy 2 reads {x1[0,0]} and makes {x1_2[0,0]:+}.",)
    assert third.wall == ("Copy 3 reads {x1_2[0,0]} and makes {x1_3[0,0]:+}.",)
    assert [(check.id, check.cell, check.ask) for check in third.checks] == [
        ("law_3.1", "m_3[0]", "How much is {line m_3[0]}?")
    ]


# ---------------------------------------------------------------- places, watching


def test_every_value_of_our_lessons_has_its_place() -> None:
    origin = load("bank").origin
    assert origin is not None
    located = origin.main.located
    for path, spot in located.spots.items():
        value: object = origin.raw
        for part in path:
            value = value[part]  # type: ignore[index]
        if isinstance(value, int | float) and not isinstance(value, bool):
            assert float(located.text[spot.start : spot.end]) == value, path


@pytest.mark.parametrize(
    ("text", "path", "place"),
    [
        ("a = 1\nbb = 2", ("bb",), (2, 6)),
        ("[x]\na = [1,\n  2]", ("x", "a", 1), (3, 3)),
        ("[[x]]\na=1\n[[x]]\na = {b = 3}", ("x", 1, "a", "b"), (4, 10)),
        ("a = '''x\n]'''\nb = \"\\\"]\" # [\nc = 1", ("c",), (4, 5)),
        ("[a.b]\n'c d'.e = 1", ("a", "b", "c d", "e"), (2, 11)),
    ],
)
def test_places_in_toml(text: str, path: tuple[str | int, ...], place: tuple[int, int]) -> None:
    assert locate(text).of(path) == place


def test_what_a_save_changes() -> None:
    assert changes(None, []) == ["nothing to complain of"]
    assert changes(None, ["f:1:1: a"]) == ["f:1:1: a"]
    assert changes(["f:1:1: a", "f:2:1: b"], ["f:3:1: b"]) == ["mended: a", "1 as before"]
    assert changes(["f:1:1: a"], ["f:2:2: a"]) == ["saved; 1 as before"]
    assert changes(["f:1:1: a"], ["f:1:1: a", "f:5:5: c"]) == ["f:5:5: c", "1 as before"]
    assert changes(["f:1:1: a"], []) == ["mended: a", "nothing to complain of"]


def test_values_as_the_lesson_prints_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plain.toml"
    file.write_text(PLAIN.replace("y = X * 2", "y = X / 3"))
    assert cli.main(["values", str(file), "y", "--printed"]) == 0
    assert [line.split()[1:] for line in capsys.readouterr().out.splitlines()[2:]] == [
        ["0.42", "0.67"],
        ["0.17", "-0.33"],
    ]


def test_small_numbers_of_a_formula_are_written_out() -> None:
    graph = run(PLAIN.replace("y = X * 2", "y = X * 0.00001")).graph
    root = graph.evaluate(parse("X * (1 / 100000)")).at((0, 0))
    assert number(0.00001).text == "0.00001"
    assert "e-05" not in line(root)


def test_a_lesson_without_a_text_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plain.toml"
    file.write_text(PLAIN)
    assert cli.main(["plain", str(file), "--all"]) == 0
    out = capsys.readouterr().out
    assert "It works on no text." in out
    assert "Prompt" not in out

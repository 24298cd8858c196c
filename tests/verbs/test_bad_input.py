from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.verbs.running import Capture, ran
from tui_attention.engine.errors import BadInput

LONG = "h" * 13
BAD: list[tuple[list[str], str]] = [
    (
        ["nonsense"],
        r"no verb or lesson 'nonsense'; the lessons are: press-h bank[^;]*; the verbs are: lessons values",
    ),
    (["vales", "press-h"], r"'vales' is no verb, and the app takes one lesson only; the verbs are: lessons"),
    (["values"], r"required: LESSON;"),
    (["", "--no-save"], r"no verb or lesson ''"),
    (["values", "x" * 5000], r"no lesson 'x{60}'; the lessons are: press-h bank[^;]*; a path should be"),
    (["values", "."], r"a path should be that of a .toml file, or of a folder with a lesson.toml"),
    (["values", "nonsense"], r"no lesson 'nonsense'; the lessons are: press-h bank"),
    (["values", "press-h", "zz"], r"no tensor 'zz'; its tensors are: .*x0"),
    (["values", "press-h", "--stage", "zz"], r"press-h has no stage 'zz'; its stages are: route splitter"),
    (["press-h", "--stage", "zz"], r"press-h has no stage 'zz'"),
    (["explain", "press-h"], r"required: CELL"),
    (["explain", "press-h", "zz"], r"no tensor 'zz'"),
    (["explain", "press-h", "zz[0,0]"], r"no tensor 'zz'"),
    (["explain", "press-h", "q[0,6]"], r"q has no coordinate 6; 0 to 5 are legal"),
    (["explain", "press-h", "q[1,0]"], r"q has no token 1; 0 is the only one"),
    (["explain", "press-h", "q[0,0,0]"], r"q has 2 axes, not 3"),
    (["explain", "press-h", "E[0]"], r"E has 2 axes, not 1"),
    (["explain", "press-h", 'splitter["x"]'], r"no mark 'x'; 0 to 9 are legal"),
    (["explain", "press-h", "q[0,"], r"not the address of a cell; an address looks like q\[0,2\]"),
    (["explain", "press-h", ""], r"not the address of a cell"),
    (["explain", "press-h", "q[0,0]", "extra"], r"'extra' is too much"),
    (["explain", "press-h", "-0,87"], r"-0,87 looks like an option; write -- before it"),
    (["explain", "press-h", "-87/100"], r"write -- before it"),
    (["explain", "press-h", "--zz"], r"--zz is no option here"),
    (["proof", "--prompt", ""], r"the prompt is empty; write 1 to 12 marks out of: a b c"),
    (["proof", "--prompt", "hx"], r"'x' is not a mark of this lesson; its marks are: a b c"),
    (["proof", "--prompt", "H"], r"'H' is not a mark"),
    (["proof", "--prompt", LONG], r"13 marks; at most 12 are legal"),
    (["proof", "--ticket", "1.5"], r"the ticket is 1.5; it should be from 0 to 1"),
    (["proof", "--ticket", "-0.1"], r"the ticket is -0.1; it should be from 0 to 1"),
    (["proof", "--ticket", "nan"], r"the ticket is 'nan'; it should be from 0 to 1"),
    (["proof", "--ticket", "1e400"], r"the ticket is '1e400'; it should be from 0 to 1"),
    (["proof", "--ticket", "1,234"], r"1,234 may be 1234 or 1.234; type it with a point"),
    (["proof", "--stage", "route"], r"the program prints no number of stage route"),
    (["proof", "--ticket", "1_0"], r"the ticket is '1_0'"),
    (["proof", "--ticket"], r"--ticket: expected one argument"),
    (["proof", "--other", "h"], r"one prompt only"),
    (["proof", "press-h"], r"'press-h' is too much"),
    (["log", "--prompt", "the boat"], r"'boat' is not a word of this lesson; its words are: the river money bank"),
    (["log", "--other", " "], r"the prompt is empty; write 1 to 12 words"),
    (["log", "--prompt", "the " * 13], r"13 words; at most 12"),
    (["log", "--ticket", "0.4"], r"draws no ticket"),
    (["log", "--stage", "mlp"], r"bank has no stage 'mlp'"),
    (["lessons", "--prompt", "xyz"], r"no lesson takes these inputs"),
    (["judge", "press-h", "q[0,0]", "-0,87"], r"-0,87 looks like an option; write -- before it"),
    (["judge", "press-h", "q[0,0]"], r"required: TYPED"),
    (["judge", "press-h", "q[0,0]", "1", "--own"], r"--own: expected one argument"),
    (["judge", "press-h", "q[0,0]", "1", "--own", "x"], r"'x' is no number of one's own; write a cell, ="),
    (["judge", "press-h", "q[0,0]", "1", "--own=x"], r"'x' is no number of one's own"),
    (["figures"], r"required: DIR"),
    (["figures", ""], r"a folder to write to was expected, not ''"),
    (["screenshots", ""], r"a folder to write to was expected, not ''"),
    (["explain", "bank", "weights[the,bank]", "--prompt", "the the bank"], r"more than one asks called 'the'"),
    (["figures", "out", "--format", "gif"], r"invalid choice: 'gif' \(choose from"),
    (["figures", "out", "--of", "zz"], r"'zz' is no matrix of bank: nothing is called 'zz' here"),
    (["figures", "out", "--of", "d_k"], r"'d_k' is a single number"),
    (["figures", "out", "--of", "A["], r"'A\[' is no matrix of bank"),
    (["figures", "out", "--of", "A[7]"], r"'A\[7\]' reads a cell that this prompt lacks"),
    (["figures", "out", "--stage", "toy-world"], r"stage toy-world of bank declares no pictures; --of NAME"),
    (["--learner", "", "press-h"], r"learner's name"),
    (["progress", "--learner", "a/b"], r"learner's name"),
    (["reset", "nonsense"], r"no lesson 'nonsense'"),
    (["--frob"], r"--frob is no option here"),
    (["press-h", "--pro", "h"], r"--pro is no option here"),
    (["press-h", "--cover", "--no-cover"], r"not allowed with argument"),
    (["lint", "nowhere.toml"], r"no lesson 'nowhere.toml'"),
]


@pytest.mark.parametrize(("words", "says"), BAD, ids=[" ".join(words)[:40] for words, _ in BAD])
def test_bad_input_is_one_sentence_and_exit_2(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    found = ran(capsys, *words)
    assert found.code == 2
    assert found.out == ""
    assert found.err.startswith("tui-attention: ")
    assert found.err.count("\n") == 1
    assert re.search(says, found.err), found.err
    assert list(tmp_path.iterdir()) == []


def test_unknown_stage_of_a_course() -> None:
    from tui_attention.lessons.load import load

    assert load("bank").stage_named("raw") == 2
    with pytest.raises(BadInput, match="its stages are: toy-world dots raw"):
        load("bank").stage_named("score")

"""A folder of own lessons: in the list, open by their ids, next after one another, extended."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.lessons.toy import TOY
from tui_attention import cli
from tui_attention.engine.errors import BadInput
from tui_attention.lessons.load import Shelf, beside, following, load, names
from tui_attention.lessons.run import open_run
from tui_attention.options import Options
from tui_attention.plain import run as plain_run
from tui_attention.session.opening import open_session


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.toml").write_text(TOY.replace('id = "toy"', 'id = "first-own"'))
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "lesson.toml").write_text(TOY.replace('id = "toy"', 'id = "second-own"'))
    (tmp_path / "notes.txt").write_text("no lesson")
    return tmp_path


def test_own_lessons_are_in_the_list(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shelf = Shelf((folder,))
    assert shelf.names() == (*names(), "second-own", "first-own")
    assert shelf.resolved("first-own") == str(folder / "one.toml")
    assert shelf.resolved("bank") == "bank"
    assert cli.main(["lessons", "--lessons", str(folder)]) == 0
    assert "first-own" in capsys.readouterr().out
    assert cli.main(["values", "second-own", "y", "--lessons", str(folder)]) == 0


def test_a_clash_is_refused_by_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "clash.toml").write_text(TOY.replace('id = "toy"', 'id = "bank"'))
    with pytest.raises(BadInput, match=r"clash.toml: the id 'bank' is that of a lesson of the program"):
        Shelf((folder,)).files()
    (folder / "clash.toml").write_text(TOY.replace('id = "toy"', 'id = "first-own"'))
    assert cli.main(["lessons", "--lessons", str(folder)]) == 2
    assert "is also that of" in capsys.readouterr().err


def test_what_is_no_folder_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["lessons", "--lessons", str(folder / "one.toml")]) == 2
    assert "--lessons: a folder of lesson files was expected" in capsys.readouterr().err


def test_the_next_one_is_the_next_of_the_folder(folder: Path) -> None:
    lesson = load(str(folder / "one.toml"))
    assert beside(lesson).folders == (folder,)
    assert following(lesson) == "second-own"
    (folder / "one.toml").write_text("next = 'bank'\n" + TOY.replace('id = "toy"', 'id = "first-own"'))
    assert following(load(str(folder / "one.toml"))) == "bank"


def test_one_may_extend_another_and_chains_end(folder: Path) -> None:
    head = 'format = 1\nid = "child"\ntitle = "child"\n'
    for parent in ("one.toml", "one", "deep"):
        (folder / "child.toml").write_text(f'{head}extends = "{parent}"\n')
        assert open_run(str(folder / "child.toml")).graph.tensor("y").text((0, 0)) == "0.50"
    (folder / "child.toml").write_text(f'{head}extends = "child"\n')
    assert cli.main(["lint", str(folder / "child.toml")]) == 1


def test_a_session_goes_over_to_an_own_lesson_and_reads_it_again(folder: Path) -> None:
    session = open_session(Options("bank", named=True, save=False, lessons=(folder,)))
    walk = session.change_lesson("first-own")
    walk.next()
    place = walk.place
    (folder / "one.toml").write_text(
        TOY.replace('id = "toy"', 'id = "first-own"').replace("y = x * 2 ", "y = x * 4 ")
    )
    again = session.reload()
    assert again.place == place
    assert again.opened.run.graph.tensor("y").text((0, 0)) == "1.00"
    session.close()


def test_plain_lists_own_lessons_goes_over_to_one_and_names_them_all(folder: Path) -> None:
    out = io.StringIO()
    words = io.StringIO("lessons\nlessons first-own\nwhere\nlessons nothing\nquit\n")
    assert plain_run(Options("bank", named=True, save=False, lessons=(folder,)), words, out) == 0
    said = " ".join(out.getvalue().split())
    assert "second-own: toy." in said
    assert "toy. Stage 1 of 1, one, step 1 of 2." in said
    assert "There is no lesson 'nothing'; the lessons are: press-h bank modern" in said
    assert "two-marks second-own first-own." in said

"""A review of own lessons: from their folder, wherever it is now, and only where files may be opened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.lessons.toy import TOY
from tui_attention import cli
from tui_attention.engine.errors import BadInput
from tui_attention.lessons.load import Shelf
from tui_attention.options import Options
from tui_attention.practice.review import Review, due_count
from tui_attention.session.opening import Session, open_session
from tui_attention.store import Answer

pytest.importorskip("fsrs")

DAY = 86_400.0
START = 1_700_000_000.0
VARIANTS = """
[variants]
[[variants.draw]]
tables = ["E"]
from = -0.9
to = 0.9
decimals = 2
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "shelf"
    made.mkdir()
    (made / "own.toml").write_text(TOY.replace('id = "toy"', 'id = "my-own"') + VARIANTS)
    assert cli.main(["lint", str(made / "own.toml"), "--variants", "4"]) == 0
    return made


def session_in(folder: Path, *, files: bool = True) -> Session:
    return open_session(Options(lessons=(folder,), save=False, files=files))


def slip(session: Session, lesson: Path) -> None:
    kept = Answer(str(lesson), "one", "y[0,0]", "-0.50", "slip", ("answer-sign",), 0, START, "", "{}")
    session.store.add_answer(kept)


def test_a_slip_in_an_own_lesson_comes_back_on_its_variants(folder: Path) -> None:
    session = session_in(folder)
    slip(session, folder / "own.toml")
    review = Review(session.store, where=session.kept_at)
    assert review.next()
    assert review.walk is not None
    assert review.walk.opened.run.lesson.id == "my-own"
    assert 1 <= review.walk.opened.run.variant <= 4
    session.close()


def test_it_is_found_by_its_name_where_its_folder_has_moved(folder: Path) -> None:
    session = session_in(folder)
    slip(session, Path("/elsewhere/shelf/own.toml"))
    assert due_count(session.store, where=session.kept_at) == 1
    assert Review(session.store, where=session.kept_at).next()
    session.close()


def test_a_lesson_that_is_gone_is_not_due(folder: Path) -> None:
    session = session_in(folder)
    slip(session, Path("/elsewhere/other.toml"))
    assert due_count(session.store, where=session.kept_at) == 0
    assert not Review(session.store, where=session.kept_at).next()
    session.close()


def test_without_files_only_lessons_of_the_folders_are_reviewed(folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.toml"
    outside.write_text(TOY)
    shelf = Shelf((folder,))
    assert shelf.kept(str(outside)) == str(outside)
    with pytest.raises(BadInput, match="the lesson 'outside' is not here"):
        shelf.kept(str(outside), paths=False)
    assert shelf.kept(str(folder / "own.toml"), paths=False) == str(folder / "own.toml")
    session = session_in(folder, files=False)
    slip(session, outside)
    assert due_count(session.store, where=session.kept_at) == 0
    session.close()


def test_progress_and_review_take_the_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = open_session(Options(lessons=(folder,)))
    slip(session, Path("/elsewhere/own.toml"))
    session.close()
    capsys.readouterr()
    for more, count in (([], 0), (["--lessons", str(folder)], 1)):
        assert cli.main(["progress", "--json", *more]) == 0
        assert json.loads(capsys.readouterr().out)["review"]["due"] == count
    assert cli.main(["review", "--plain", "--lessons", str(folder / "own.toml")]) == 2
    assert "a folder of lesson files was expected" in capsys.readouterr().err

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.lessons.test_lint import SECOND
from tests.lessons.toy import TOY
from tests.verbs.running import Capture, ran


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def keep_something(learner: str | None = None) -> None:
    from tui_attention.store import SavedPlace, Store, default_path

    with Store.open(default_path(learner), learner) as store:
        store.save_place(SavedPlace("press-h", "flatten", 1))


def test_progress_of_nobody_leaves_no_file(capsys: Capture, home: Path) -> None:
    assert ran(capsys, "progress").out == "Nothing has been worked out yet.\n"
    assert json.loads(ran(capsys, "progress", "--json").out)["lessons"] == []
    assert list(home.iterdir()) == []


def test_progress_of_a_learner(capsys: Capture, home: Path) -> None:
    keep_something("ann")
    assert "stage flatten, step 2" in ran(capsys, "progress", "--learner", "Ann").out
    found = json.loads(ran(capsys, "progress", "--json", "--learner", "ann").out)
    assert found["lessons"][0]["place"] == {"lesson": "press-h", "stage": "flatten", "step": 1}
    assert "Nothing" in ran(capsys, "progress").out


@pytest.mark.parametrize(
    ("answer", "left"),
    [("yes\n", False), ("y\n", False), ("no\n", True), ("\n", True), ("", True), ("yesterday\n", True)],
)
def test_reset_asks_first(
    capsys: Capture, home: Path, monkeypatch: pytest.MonkeyPatch, answer: str, left: bool
) -> None:
    keep_something()
    monkeypatch.setattr(sys, "stdin", io.StringIO(answer))
    found = ran(capsys, "reset", "press-h")
    assert found.code == 0
    assert "press-h" in found.out
    assert ("Nothing was forgotten" in found.out) is left
    assert bool(json.loads(ran(capsys, "progress", "--json").out)["lessons"]) is left


def test_reset_of_another_lesson_or_without_a_question(capsys: Capture, home: Path) -> None:
    keep_something()
    assert "nothing to forget" in ran(capsys, "reset", "bank").out
    assert ran(capsys, "reset", "--yes").out == "Forgotten: press-h.\n"
    assert "nothing to forget" in ran(capsys, "reset", "--yes").out


def test_a_lesson_of_ones_own_is_forgotten_by_any_of_its_paths(
    capsys: Capture, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "lesson.toml").write_text(TOY + SECOND)
    monkeypatch.chdir(tmp_path)
    for path in ("own", "own/lesson.toml", "./own"):
        monkeypatch.setattr(sys, "stdin", io.StringIO("goto two\n"))
        assert ran(capsys, "plain", path).code == 0
    assert len(json.loads(ran(capsys, "progress", "--json").out)["lessons"]) == 1
    assert ran(capsys, "reset", "--yes", "nothing").code == 2
    assert ran(capsys, "reset", "--yes", "own").out.startswith("Forgotten: ")
    assert json.loads(ran(capsys, "progress", "--json").out)["lessons"] == []

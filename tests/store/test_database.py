"""The file of progress goes away, is replaced or is held by somebody, in the middle of a session."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tui_attention.store import Answer, CellState, Draft, SavedPlace, Store
from tui_attention.store.database import GONE, REPLACED

ANSWER = Answer("press-h", "flatten", "a[0,0]", "0.73", "slip", ("backward",), 2, 12.5, "page", "h")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "down" / "progress.db"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is tried again at every write, and leaving does not wait."""
    monkeypatch.setattr("tui_attention.store.database.RETRY_SECONDS", 0.0)
    monkeypatch.setattr("tui_attention.store.database.LONGEST_WAIT", 0.0)
    monkeypatch.setattr("tui_attention.store.database.LAST_PATIENCE", 0.0)


def typed(file: Path) -> list[str]:
    with Store.open(file) as store:
        assert (store.trouble, store.saves) == (None, True)
        return [answer.typed for answer in store.answers()]


def _file_removed(file: Path) -> None:
    file.unlink()


def _all_removed(file: Path) -> None:
    shutil.rmtree(file.parent)


def _moved(file: Path) -> None:
    file.rename(file.with_name("elsewhere.db"))


@pytest.mark.parametrize("vanish", [_file_removed, _all_removed, _moved])
def test_a_file_that_vanishes_is_written_anew(file: Path, vanish: Callable[[Path], None]) -> None:
    store = Store.open(file)
    store.add_answer(ANSWER._replace(typed="before"))
    store.save_place(SavedPlace("press-h", "flatten", 2))
    vanish(file)
    store.add_answer(ANSWER._replace(typed="after"))
    assert store.trouble == GONE
    assert store.saves
    # As after a kill: nothing more is written by leaving.
    with contextlib.closing(sqlite3.connect(file)) as other:
        assert other.execute("SELECT typed FROM answer ORDER BY id").fetchall() == [("before",), ("after",)]
    store.close()
    assert typed(file) == ["before", "after"]
    with Store.open(file) as store:
        assert store.load_place() == SavedPlace("press-h", "flatten", 2)


def test_a_directory_in_its_place_is_said_and_left_when_it_is_gone(file: Path, impatient: None) -> None:
    with Store.open(file) as store:
        store.add_answer(ANSWER._replace(typed="before"))
        _file_removed(file)
        file.mkdir()
        store.add_answer(ANSWER._replace(typed="meanwhile"))
        assert not store.saves
        assert "is no plain file" in (store.trouble or "")
        assert [answer.typed for answer in store.answers()] == ["before", "meanwhile"]
        file.rmdir()
        store.add_answer(ANSWER._replace(typed="after"))
        assert (store.saves, store.trouble) == (True, None)
    assert typed(file) == ["before", "meanwhile", "after"]


def test_a_file_put_in_its_place_is_joined(file: Path, tmp_path: Path) -> None:
    with Store.open(file) as store:
        store.add_answer(ANSWER._replace(typed="old", when=1.0))
        store.save_cell(CellState("press-h", "page", "a[0,0]", "open", 1, seen=False))
    shutil.copy(file, tmp_path / "backup.db")
    with Store.open(file) as store:
        store.add_answer(ANSWER._replace(typed="new", when=2.0))
        store.save_cell(CellState("press-h", "page", "a[0,0]", "paid", 1, seen=False))
        (tmp_path / "backup.db").replace(file)
        store.save_draft("press-h", "a[0,1]", "0.5")
        assert (store.trouble, store.saves) == (REPLACED, True)
        assert [answer.typed for answer in store.answers()] == ["old", "new"]
        assert store.cells("press-h", "page")[0].state == "paid"
    assert typed(file) == ["old", "new"]


def test_a_lock_by_another_program_is_short_and_comes_to_an_end(file: Path, impatient: None) -> None:
    with Store.open(file) as store, contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        store.add_answer(ANSWER._replace(typed="before"))
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        store.add_answer(ANSWER._replace(typed="first"))
        assert time.monotonic() - began < 1.0  # it waits a tenth of a second, where it once was five
        for number in range(5):
            store.add_answer(ANSWER._replace(typed=str(number)))
        assert not store.saves
        assert (store.trouble or "").startswith("Another program")
        other.execute("ROLLBACK")
        store.save_draft("press-h", "a[0,1]", "0.5")
        assert (store.saves, store.trouble) == (True, None)
    assert typed(file) == ["before", "first", "0", "1", "2", "3", "4"]


def test_what_was_let_go_in_memory_does_not_come_back_from_the_disk(file: Path, impatient: None) -> None:
    with Store.open(file) as store, contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        store.save_draft("press-h", "a[0,1]", "0.5")
        other.execute("BEGIN IMMEDIATE")
        store.save_draft("press-h", "a[0,1]", "")
        assert (store.trouble or "").startswith("Another program")
        other.execute("ROLLBACK")
        store.save_place(SavedPlace("press-h", "flatten", 2))
        assert store.trouble is None
        assert store.drafts("press-h") == ()


def test_a_start_at_a_locked_file_is_quick_and_leaving_joins_what_was_done(file: Path) -> None:
    with Store.open(file) as store:
        store.add_answer(ANSWER._replace(typed="before"))
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        store = Store.open(file)
        assert time.monotonic() - began < 2.0
        assert not store.saves
        assert [answer.typed for answer in store.answers()] == ["before"]
        store.add_answer(ANSWER._replace(typed="meanwhile"))
        other.execute("ROLLBACK")
        store.close()
    assert typed(file) == ["before", "meanwhile"]


def test_a_file_that_is_waited_for_is_not_tried_at_every_key(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Path] = []
    with Store.open(file) as store:
        _file_removed(file)
        file.mkdir()
        store.save_draft("press-h", "a[0,1]", "1")
        monkeypatch.setattr("tui_attention.store.database.open_file", lambda path, **_: tried.append(path))
        for number in range(50):
            store.save_draft("press-h", "a[0,1]", "1" * number)
        assert not tried
        monkeypatch.undo()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_as_the_file_does_not_hang(file: Path) -> None:
    file.parent.mkdir()
    os.mkfifo(file)
    with Store.open(file) as store:
        assert not store.saves
        assert "is no plain file" in (store.trouble or "")
        store.save_draft("press-h", "a[0,1]", "0.5")
        assert store.load_draft("press-h") == Draft("press-h", "a[0,1]", "0.5")


def test_closing_leaves_the_file_that_took_its_place_whole(file: Path) -> None:
    """An old connection must not take away the log of the file that lies there now."""
    store = Store.open(file)
    store.add_answer(ANSWER._replace(typed="before"))
    _file_removed(file)
    with Store.open(file) as other:
        other.add_answer(ANSWER._replace(typed="other"))
        store.close()
        other.add_answer(ANSWER._replace(typed="more"))
    assert set(typed(file)) == {"before", "other", "more"}

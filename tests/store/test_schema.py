"""A file of every former schema is taken over as it is, step by step, and then is like a new one."""

from __future__ import annotations

import contextlib
import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from tui_attention.store import Draft, Own, SavedPlace, Store
from tui_attention.store.schema import SCHEMA, STEPS, migrate

KEPT = Path(__file__).resolve().parents[1] / "data" / "store"
FORMER = tuple(range(1, SCHEMA))
TYPED = ["0.58", "0,58", "1.73", "-0,08", "0.5", "0.6", "9.9"]


@pytest.fixture(params=FORMER)
def former(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of the file that a former version left behind."""
    return Path(shutil.copy(KEPT / f"schema-{request.param}.db", tmp_path / "progress.db"))


def tables(path: Path) -> dict[str, str]:
    """Every table and index as it was made, blanks and quotes aside; columns added later stand at the end."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    return {name: re.sub(r"[\s\"]+", "", sql) for name, sql in rows}


def version(path: Path) -> int:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def test_every_former_schema_has_a_kept_file() -> None:
    assert [version(KEPT / f"schema-{number}.db") for number in FORMER] == list(FORMER)


def test_a_former_file_becomes_like_a_new_one(former: Path, tmp_path: Path) -> None:
    before = version(former)
    Store.open(former).close()
    Store.open(tmp_path / "new.db").close()
    assert before < version(former) == version(tmp_path / "new.db") == SCHEMA
    assert tables(former) == tables(tmp_path / "new.db")


def test_a_former_file_loses_nothing(former: Path) -> None:
    with Store.open(former, "ada") as store:
        assert (store.trouble, store.saves) == (None, True)
        assert [answer.typed for answer in store.answers("press-h")] == TYPED
        assert store.answers("press-h")[0].kinds == ("backward",)
        assert store.load_place() == SavedPlace("bank", "raw", 0)
        assert {cell.cell: cell.state for cell in store.cells("press-h", "")} == {
            "a[0,0]": "paid",
            "b[0,0]": "open",
            "c[0,0]": "open",
            "check:token-row.2": "helped",
            "mu1[0]": "open",
            "q[0,0]": "open",
            "sigma1[0]": "borrowed",
        }
        assert store.own("press-h", "") == (Own("a[0,0]", "1.73", 1.73), Own("q[0,0]", "-0,08", -0.08))
        assert store.marks("press-h") == {"token-row.2": "partly"}
        assert store.load_draft("press-h") == Draft("press-h", "a[0,1]", "-0.0")
        assert (store.setting("theme"), store.setting("digits")) == ("nord", "pencil")
        assert {note.kind for note in store.notes("press-h", "")} == {"furthest", "opened", "seen", "start"}


def test_a_former_file_that_cannot_be_written_is_shown_all_the_same(former: Path) -> None:
    with contextlib.closing(sqlite3.connect(former, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("BEGIN IMMEDIATE")
        with Store.open(former, "ada") as store:
            assert not store.saves
            assert len(store.answers("press-h")) == 7
            store.save_draft("press-h", "a[0,1]", "-0.02")
        other.execute("ROLLBACK")
        assert other.execute("PRAGMA user_version").fetchone()[0] < SCHEMA


def test_a_step_that_fails_leaves_the_file_as_it_was(former: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, was = tables(former), version(former)
    twice = "INSERT INTO place (learner, lesson, stage, step, at) SELECT learner, lesson, stage, step, at FROM place"
    broken = (*STEPS[:-1], (*STEPS[-1], twice))
    monkeypatch.setattr("tui_attention.store.schema.STEPS", broken)
    with Store.open(former, "ada") as store:
        assert not store.saves
    assert (tables(former), version(former)) == (before, was)


def test_steps_can_be_taken_one_at_a_time() -> None:
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for step in STEPS:
            for statement in step:
                connection.execute(statement)
        one_by_one = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, 0)
        assert connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall() == one_by_one

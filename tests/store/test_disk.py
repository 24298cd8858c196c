"""A disk that is full, closed, damaged or someone else's, sessions side by side, and kills."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tui_attention.store import Answer, Draft, SavedPlace, Store
from tui_attention.store.disk import Cause, cause_of

ROOT = Path(__file__).resolve().parents[2]
ANSWER = Answer("press-h", "flatten", "a[0,0]", "0.73", "slip", ("backward",), 2, 12.5, "page", "h")

CHILD = """
import sys
from pathlib import Path
from tui_attention.store import Answer, SavedPlace, Store
path, times = Path(sys.argv[1]), int(sys.argv[2])
answer = Answer("press-h", "flatten", "a[0,0]", "", "slip", ("backward",), 2, 12.5, "page", "h")
store = Store.open(path)
for number in range(times):
    store.add_answer(answer._replace(typed=str(number), dials="x" * 200))
    store.save_draft("press-h", "a[0,1]", "0." + "1" * (number + 1))
    print(number, store.trouble or "", flush=True)
"""


def child(path: Path, times: int, code: str = CHILD) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, str(path), str(times)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "progress.db"


def answered(path: Path, count: int = 3) -> None:
    with Store.open(path) as store:
        for number in range(count):
            store.add_answer(ANSWER._replace(typed=str(number)))
        store.save_place(SavedPlace("press-h", "flatten", 2))


class Failing:
    """A connection on which writing fails from now on, as a disk does."""

    def __init__(self, inner: sqlite3.Connection, message: str) -> None:
        self._inner = inner
        self._message = message

    def execute(self, sql: str, *rest: Any) -> sqlite3.Cursor:
        if sql.startswith(("INSERT", "DELETE", "BEGIN")):
            raise sqlite3.OperationalError(self._message)
        return self._inner.execute(sql, *rest)

    def backup(self, target: sqlite3.Connection, **options: Any) -> None:
        self._inner.backup(target, **options)

    def close(self) -> None:
        self._inner.close()


def still_works(store: Store, before: int) -> None:
    """It goes on in memory, says so in one sentence, and holds what it held."""
    assert not store.saves
    assert store.trouble is not None
    assert store.trouble.endswith("kept only until you quit.")
    assert len(store.answers()) == before
    said = store.trouble
    store.add_answer(ANSWER)
    store.save_draft("press-h", "a[0,1]", "0.5")
    assert len(store.answers()) == before + 1
    assert store.load_draft("press-h") == Draft("press-h", "a[0,1]", "0.5")
    assert store.trouble == said
    assert store.summary().path is None


def test_killed_in_the_middle_nothing_confirmed_is_lost(file: Path) -> None:
    running = child(file, 100_000)
    assert running.stdout is not None
    confirmed = -1
    for line in running.stdout:
        confirmed = int(line.split()[0])
        if confirmed == 150:
            os.kill(running.pid, signal.SIGKILL)
            break
    confirmed = max([confirmed, *(int(line.split()[0]) for line in running.stdout if line.endswith("\n"))])
    assert running.wait(10) == -signal.SIGKILL
    with Store.open(file) as store:
        assert store.trouble is None
        assert store.saves
        typed = [answer.typed for answer in store.answers()]
        assert typed == [str(number) for number in range(len(typed))]
        assert len(typed) > confirmed
        draft = store.load_draft("press-h")
        assert draft is not None
        assert len(draft.typed) >= confirmed + 3


def test_sessions_side_by_side_lose_nothing(file: Path) -> None:
    running = [child(file, 60) for _ in range(3)]
    for one in running:
        out, _ = one.communicate(timeout=60)
        assert one.returncode == 0
        assert not any(line.split(maxsplit=1)[1:] for line in out.splitlines())
    with Store.open(file) as store:
        assert len(store.answers()) == 180


def test_many_open_a_new_file_at_once(file: Path) -> None:
    running = [child(file, 1) for _ in range(6)]
    assert [one.communicate(timeout=60)[0].strip() for one in running] == ["0"] * 6
    assert len(list(file.parent.glob("*.damaged*"))) == 0


def test_a_full_disk_in_the_middle(file: Path) -> None:
    answered(file)
    with Store.open(file) as store:
        pages = store._database._connection.execute("PRAGMA page_count").fetchone()[0]
        store._database._connection.execute(f"PRAGMA max_page_count = {pages}")
        count = 3
        while store.saves:
            store.add_answer(ANSWER._replace(typed="x" * 1000))
            count += 1
            assert count < 1000
        assert store.trouble is not None
        assert store.trouble.startswith("The disk is full")
        still_works(store, count)
    with Store.open(file) as store:  # when leaving there was room again
        assert store.trouble is None
        assert len(store.answers()) == count + 1


def test_a_file_that_may_not_grow(file: Path) -> None:
    code = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n" + CHILD
    out, _ = child(file, 300, code).communicate(timeout=60)
    lines = out.splitlines()
    assert len(lines) == 300
    assert "kept only until you quit." in lines[-1]
    saved = sum(not line.split(maxsplit=1)[1:] for line in lines)
    with Store.open(file) as store:
        assert store.trouble is None
        assert len(store.answers()) >= saved > 0


def test_a_disk_that_is_full_from_the_start(file: Path) -> None:
    code = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n" + CHILD
    out, _ = child(file, 5, code).communicate(timeout=60)
    assert [line.split()[0] for line in out.splitlines()] == list("01234")
    assert out.splitlines()[0].endswith("kept only until you quit.")


@pytest.mark.parametrize(
    ("message", "start"),
    [("database or disk is full", "The disk is full"),
     ("attempt to write a readonly database", "Progress cannot be written"),
     ("database is locked", "Another program"),
     ("disk I/O error", "The file of your progress cannot")],
)  # fmt: skip
def test_trouble_in_the_middle(file: Path, message: str, start: str) -> None:
    answered(file)
    store = Store.open(file)
    store._database._connection = Failing(store._database._connection, message)  # type: ignore[assignment]
    store.add_answer(ANSWER)
    assert store.trouble is not None
    assert store.trouble.startswith(start)
    still_works(store, 4)
    assert store.load_place() == SavedPlace("press-h", "flatten", 2)


def test_reset_is_whole_or_not_at_all(file: Path) -> None:
    answered(file)
    store = Store.open(file)
    store._database._connection.execute(
        "CREATE TRIGGER stop BEFORE DELETE ON answer BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    with pytest.raises(sqlite3.IntegrityError):
        store.reset()
    assert store.load_place("press-h") is not None
    assert store.saves


@pytest.mark.parametrize("place", ["under a file", "a directory", "/proc/nothing/progress.db", "/dev/full/x.db"])
def test_nowhere_to_write(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "dir.db").mkdir()
    path = {"under a file": tmp_path / "file" / "progress.db", "a directory": tmp_path / "dir.db"}.get(
        place, Path(place)
    )
    with Store.open(path) as store:
        still_works(store, 0)


@contextlib.contextmanager
def _as_nobody() -> Iterator[None]:
    """Without root's leave to write anywhere."""
    root = os.geteuid() == 0
    if root:
        os.setegid(65534)
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
            os.setegid(0)


@pytest.mark.skipif(not hasattr(os, "seteuid"), reason="needs users")
@pytest.mark.parametrize("killed", [False, True])
def test_a_read_only_disk_shows_what_there_was(killed: bool) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder, path = Path(name), Path(name) / "progress.db"
        answered(path)
        if killed:  # leaves its log behind, unmerged
            one = child(path, 100_000)
            assert one.stdout is not None
            one.stdout.readline()
            one.kill()
            one.wait()
        for each in folder.iterdir():
            each.chmod(0o444)
        folder.chmod(0o555)
        with _as_nobody(), Store.open(path) as store:
            assert store.trouble is not None
            assert store.trouble.startswith("Progress cannot be written")
            assert len(store.answers()) >= 3
            still_works(store, len(store.answers()))
        folder.chmod(0o755)


def _garbage(path: Path) -> None:
    path.write_bytes(b"this is no database at all" * 100)


def _torn(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    path.write_bytes(data)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


@pytest.mark.parametrize("damage", [_garbage, _torn, _cut])
def test_a_damaged_file_is_set_aside(file: Path, damage: Callable[[Path], None]) -> None:
    answered(file, 50)
    damage(file)
    damaged = file.read_bytes()
    with Store.open(file) as store:
        (aside,) = file.parent.glob("*.damaged-*")
        assert store.saves
        assert store.trouble is not None
        assert aside.name in store.trouble
        assert aside.read_bytes() == damaged
        assert store.answers() == ()
        store.add_answer(ANSWER)
    with Store.open(file) as store:
        assert store.trouble is None
        assert store.answers() == (ANSWER,)


def test_damage_never_covers_earlier_damage(file: Path) -> None:
    for _ in range(3):
        _garbage(file)
        Store.open(file).close()
    assert len(list(file.parent.glob("progress.db.damaged-*"))) == 3


def test_damage_found_in_the_middle(file: Path) -> None:
    answered(file)
    store = Store.open(file)
    store._database._connection = Failing(store._database._connection, "database disk image is malformed")  # type: ignore[assignment]
    store.add_answer(ANSWER)
    assert store.trouble is not None
    assert ".damaged-" in store.trouble
    assert store.saves
    assert store.answers() == (ANSWER,)


def test_an_empty_file_is_a_new_one(file: Path) -> None:
    file.touch()
    with Store.open(file) as store:
        store.add_answer(ANSWER)
        assert (store.trouble, store.saves) == (None, True)


def test_a_newer_schema_is_left_alone(file: Path) -> None:
    answered(file)
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA user_version = 99")
    before = file.read_bytes()
    with Store.open(file) as store:
        assert "newer version" in (store.trouble or "")
        still_works(store, 0)
    assert file.read_bytes() == before


def test_a_database_of_another_program_is_left_alone(file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE cookies (name)")
    before = file.read_bytes()
    with Store.open(file) as store:
        assert "another program" in (store.trouble or "")
        still_works(store, 0)
    assert file.read_bytes() == before


def test_a_file_that_stays_locked(file: Path) -> None:
    answered(file)
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        with Store.open(file) as store:
            other.execute("BEGIN EXCLUSIVE")
            started = time.monotonic()
            store.add_answer(ANSWER)
            assert store.trouble is not None
            assert store.trouble.startswith("Another program")
            still_works(store, 4)
        with Store.open(file) as store:
            still_works(store, 3)
        assert time.monotonic() - started < 3


def test_a_file_locked_before_it_is_ours(file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with Store.open(file) as store:
            still_works(store, 0)


def test_others_on_the_machine_cannot_read_it(tmp_path: Path) -> None:
    Store.open(tmp_path / "new" / "progress.db").close()
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) & 0o077 == 0


def test_an_error_without_words_is_no_riddle() -> None:
    assert cause_of(sqlite3.OperationalError("something new")) is Cause.BROKEN

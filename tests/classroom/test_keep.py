from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_attention.classroom.hub import Member, RoomAnswer, RoomPlace, RoomState
from tui_attention.classroom.keep import ClassFolder, ClassStore, as_csv, as_json
from tui_attention.classroom.keep.export import rows_of, safe_cell
from tui_attention.classroom.keep.folder import read_secret, valid_class, write_secret
from tui_attention.engine.errors import BadInput

FLATTEN = RoomPlace("press-h", "flatten", 2)
NEW = RoomState("7b", RoomPlace("press-h"))


def wrong(member: int, typed: str = "0.58") -> RoomAnswer:
    return RoomAnswer(member, 1.0, FLATTEN, "a[0,0]", typed, "slip", False, typed, ("backward",), 1)


def test_a_class_goes_on_where_it_was_left(tmp_path: Path) -> None:
    store = ClassStore(tmp_path / "class.sqlite3")
    hub = store.hub(NEW, most=10)
    ada = hub.join("Ada", "SHA256:k")
    hub.step(FLATTEN, 9)
    hub.lead(False)
    asked = hub.ask(FLATTEN, "a[0,0]", "a", "The first?")
    hub.answered(wrong(ada.id))
    hub.reveal("press-h", "a[0,1]")
    hub.stands(ada.id, FLATTEN, asked="a[0,0]", following=False)
    hub.teacher_here(True)
    before = hub.state
    del store, hub  # not closed: as after a kill

    store = ClassStore(tmp_path / "class.sqlite3")
    again = store.hub(NEW, most=10)
    assert again.state.seq == before.seq
    assert (again.state.place, again.state.led, again.state.front) == (FLATTEN, False, 9)
    assert again.state.question == asked
    assert again.state.shown == {("press-h", "a[0,1]")}
    assert not again.state.teacher
    (member,) = again.members
    assert (member.name, member.key, member.line, member.place) == ("Ada", "SHA256:k", "away", FLATTEN)
    assert again.tally("press-h", "a[0,0]").slips[0].kind == "backward"
    assert again.join("ada", "SHA256:k").id == ada.id
    again.close_question()
    assert again.ask(FLATTEN, "a[0,0]", "a", "?").number == 2
    assert next(store.answers()).question == asked.number


def test_a_full_disk_is_said_and_nothing_is_lost(tmp_path: Path) -> None:
    now = [0.0]
    store = ClassStore(tmp_path / "class.sqlite3", clock=lambda: now[0])
    hub = store.hub(NEW, most=10)
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    ada = hub.join("ada")
    for number in range(200):
        hub.answered(wrong(ada.id, f"0.{number}" + "5" * 60))
    assert store.trouble is not None
    assert "full" in store.trouble
    assert "the class goes on" in store.trouble
    assert hub.tally("press-h", "a[0,0]").answered == 1  # the class itself knows
    store._connection.execute("PRAGMA max_page_count = 100000")
    now[0] += 6
    hub.answered(wrong(ada.id, "7"))
    after: str | None = store.trouble
    assert after is None
    assert len(list(store.answers())) == 201


def test_a_held_key_does_not_fill_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui_attention.classroom.keep.store.MOST_ANSWERS", 5)
    store = ClassStore(tmp_path / "class.sqlite3")
    for _ in range(9):
        store.save_answer(wrong(1))
    assert len(list(store.answers())) == 5
    store.close()
    store = ClassStore(tmp_path / "class.sqlite3")
    store.save_answer(wrong(1))
    assert len(list(store.answers())) == 5


def test_a_forgotten_learner_is_in_no_file(tmp_path: Path) -> None:
    folder = ClassFolder("7b", tmp_path)
    folder.make()
    store = ClassStore(folder.database)
    hub = store.hub(NEW, most=10)
    ada, bob = hub.join("Adalovelace"), hub.join("bob")
    folder.progress(ada.id).write_text("hers")
    folder.progress(bob.id).write_text("his")
    for number in range(50):
        hub.answered(wrong(ada.id, f"31415926{number}"))
    hub.answered(wrong(bob.id))
    hub.line(ada.id, "away")
    assert hub.forget(ada.id)
    folder.forget_progress(ada.id)
    store.close()
    left = b"".join(path.read_bytes() for path in folder.path.iterdir())
    assert b"delovelace" not in left
    assert b"31415926" not in left
    assert b"bob" in left
    assert not folder.progress(ada.id).exists()
    assert folder.progress(bob.id).exists()


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "class.sqlite3"
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 7")
    other.execute("CREATE TABLE t (x)")
    other.close()
    with pytest.raises(BadInput, match="another program"):
        ClassStore(path)
    path.write_bytes(b"no database at all, but long enough to be looked at" * 40)
    with pytest.raises(BadInput, match="can't be kept there"):
        ClassStore(path)


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "class.sqlite3"
    ClassStore(path).close()
    newer = sqlite3.connect(path)
    newer.execute("PRAGMA user_version = 99")
    newer.commit()
    newer.close()
    with pytest.raises(BadInput, match="newer version"):
        ClassStore(path)


# ---------------------------------------------------------------- the folder


def test_nobody_else_may_read_the_class(tmp_path: Path) -> None:
    folder = ClassFolder("7b", tmp_path / "classes")
    old = os.umask(0)
    try:
        folder.make()
        ClassStore(folder.database).close()
        write_secret(folder.token, "secret")
    finally:
        os.umask(old)
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    assert stat.S_IMODE(folder.database.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.token.stat().st_mode) == 0o600
    assert read_secret(folder.token) == "secret"
    folder.token.chmod(0o644)
    with pytest.raises(BadInput, match="chmod 600"):
        read_secret(folder.token)


def test_a_secret_is_never_written_through_a_link(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("untouched")
    (tmp_path / "token").symlink_to(target)
    write_secret(tmp_path / "token", "secret")
    assert target.read_text() == "untouched"
    (tmp_path / "token").unlink()
    (tmp_path / "token").symlink_to(target)
    with pytest.raises(BadInput):
        read_secret(tmp_path / "token")
    assert read_secret(tmp_path / "nothing") is None


def test_one_server_at_a_time(tmp_path: Path) -> None:
    folder = ClassFolder("7b", tmp_path)
    folder.make()
    hold = (
        "import sys; from pathlib import Path; from tui_attention.classroom.keep import ClassFolder;"
        f"f = ClassFolder('7b', Path({str(tmp_path)!r})); f.lock(); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(BadInput, match="running already"):
            folder.lock()
        with pytest.raises(BadInput, match="running already"):
            folder.forget()
        other.kill()
        other.wait()
        folder.lock()
        folder.unlock()
    folder.forget()
    assert not folder.path.exists()


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "-x", ".hidden", "a" * 41, "a b", "a\x00", "ü"])
def test_a_class_name_is_no_path(name: str) -> None:
    with pytest.raises(BadInput, match="class's name"):
        valid_class(name)


# ---------------------------------------------------------------- taking away


@pytest.mark.parametrize(
    ("typed", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("  =1", "'  =1"),
        ("\t=1", "' =1"),
        ("-0.44", "-0.44"),
        ("+0,5", "+0,5"),
        ("-1e5", "-1e5"),
        ("0.58", "0.58"),
        ("", ""),
    ],
)
def test_cells_that_begin_like_formulas(typed: str, cell: str) -> None:
    assert safe_cell(typed) == cell


@given(st.text(max_size=40))
def test_no_cell_is_a_formula(text: str) -> None:
    (_, row) = csv.reader(io.StringIO(as_csv(rows_of([wrong(1, text)], [Member(1, "ada")]))))
    typed = row[7]
    assert not typed.lstrip().startswith(("=", "@", "|", "%", "\t", "\r"))
    if typed.startswith(("+", "-")):
        assert typed[1:].replace(",", ".").replace("e", "").replace("E", "").strip("+-")


def test_csv_and_json_say_the_same(tmp_path: Path) -> None:
    store = ClassStore(tmp_path / "class.sqlite3")
    hub = store.hub(NEW, most=10)
    ada = hub.join("ada")
    hub.ask(FLATTEN, "a[0,0]", "a", "The first?")
    hub.answered(wrong(ada.id, "=0.58"))
    rows = list(rows_of(store.answers(), hub.members))
    head, line = list(csv.reader(io.StringIO(as_csv(rows))))
    found = dict(zip(head, line, strict=True))
    assert found["learner"] == "ada"
    assert found["typed"] == "'=0.58"
    assert (found["slips"], found["hints"], found["accepted"], found["question"]) == ("backward", "1", "no", "1")
    document = json.loads(as_json("7b", rows, store.questions()))
    assert document["answers"][0]["typed"] == "=0.58"
    assert document["questions"][0]["asked"] == "a[0,0]"
    assert document["answers"][0]["slips"] == ["backward"]
    named = list(rows_of(store.answers(), hub.members, names={ada.id: "learner 1"}))
    assert named[0]["learner"] == "learner 1"

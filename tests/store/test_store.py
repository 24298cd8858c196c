"""What a learner leaves behind comes back: everything the store keeps, and whose it is."""

from __future__ import annotations

import sqlite3
import statistics
import time
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui_attention.store import (
    Answer,
    BadLearnerError,
    CellMark,
    CellState,
    Draft,
    MarkKind,
    Own,
    Reviewed,
    SavedPlace,
    Store,
    default_path,
    valid_learner,
)

ANSWER = Answer("press-h", "flatten", "a[0,0]", "0.73", "slip", ("backward",), 2, 12.5, "page", "h")
CELL = CellState("press-h", "page", "a[0,0]", "helped", 2, seen=False)


@pytest.fixture(params=["file", "memory"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    return tmp_path / "deep" / "down" / "progress.db" if request.param == "file" else None


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "progress.db"


def fill(store: Store) -> None:
    store.save_place(SavedPlace("press-h", "flatten", 2))
    store.add_answer(ANSWER)
    store.save_cell(CELL)
    store.save_own("press-h", "page", Own("a[0,0]", "0,73", 0.73))
    store.save_mark("press-h", "flatten.2", "partly")
    store.save_draft("press-h", "a[0,1]", "-0.0")
    store.set_setting("theme", "nord")


def contents(store: Store) -> tuple[object, ...]:
    return (
        store.load_place("press-h"),
        store.answers("press-h"),
        store.cells("press-h", "page"),
        store.own("press-h", "page"),
        store.marks("press-h"),
        store.load_draft("press-h"),
    )


FULL = (
    SavedPlace("press-h", "flatten", 2),
    (ANSWER,),
    (CELL,),
    (Own("a[0,0]", "0,73", 0.73),),
    {"flatten.2": "partly"},
    Draft("press-h", "a[0,1]", "-0.0"),
)
EMPTY: tuple[object, ...] = (None, (), (), (), {}, None)


def test_everything_comes_back(path: Path | None) -> None:
    with Store.open(path) as store:
        assert contents(store) == EMPTY
        assert store.setting("theme") is None
        assert store.setting("theme", "auto") == "auto"
        fill(store)
        assert contents(store) == FULL
        assert store.setting("theme") == "nord"
        assert store.trouble is None
        assert store.saves is (path is not None)


def test_everything_survives_a_restart(file: Path) -> None:
    with Store.open(file) as store:
        fill(store)
    with Store.open(file) as store:
        assert contents(store) == FULL
        assert store.setting("theme") == "nord"
        assert store.trouble is None


def test_memory_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Store.open(None) as store:
        fill(store)
    assert list(tmp_path.iterdir()) == []


def test_later_takes_the_place_of_earlier(path: Path | None) -> None:
    store = Store.open(path)
    fill(store)
    store.save_place(SavedPlace("press-h", "heads", 0))
    store.save_cell(CELL._replace(state="paid", hints=0, seen=True))
    store.save_own("press-h", "page", Own("a[0,0]", "0.74", 0.74))
    store.save_mark("press-h", "flatten.2", "had")
    store.save_draft("press-h", "a[0,2]", "1")
    store.set_setting("theme", "dracula")
    assert store.load_place("press-h") == SavedPlace("press-h", "heads", 0)
    assert store.cells("press-h", "page") == (CELL._replace(state="paid", hints=0, seen=True),)
    assert store.own("press-h", "page") == (Own("a[0,0]", "0.74", 0.74),)
    assert store.marks("press-h") == {"flatten.2": "had"}
    assert store.load_draft("press-h") == Draft("press-h", "a[0,2]", "1")
    assert store.setting("theme") == "dracula"


def test_things_are_let_go(path: Path | None) -> None:
    store = Store.open(path)
    fill(store)
    store.save_draft("press-h", "a[0,1]", "")
    store.set_setting("theme", None)
    assert store.load_draft("press-h") is None
    assert store.setting("theme") is None


def test_a_draft_belongs_to_its_question(path: Path | None) -> None:
    with Store.open(path) as store:
        store.save_draft("press-h", "a[0,0]", "1")
        store.save_draft("press-h", "check:route.1", "in the")
        store.save_draft("press-h", "a[0,0]", "1.7")
        assert store.drafts("press-h") == (
            Draft("press-h", "a[0,0]", "1.7"),
            Draft("press-h", "check:route.1", "in the"),
        )
        store.save_draft("press-h", "a[0,0]", "")
        assert store.drafts("press-h") == (Draft("press-h", "check:route.1", "in the"),)


def test_one_session_does_not_let_go_of_what_another_types(file: Path) -> None:
    with Store.open(file) as one, Store.open(file) as two:
        one.save_draft("press-h", "a[0,0]", "1.7")
        two.save_draft("press-h", "a[0,0]", "0.5")
        one.save_draft("press-h", "a[0,0]", "")
        assert two.drafts("press-h") == (Draft("press-h", "a[0,0]", "0.5"),)
    with Store.open(file) as later:  # it takes up what a session before it left, and lets go of that one too
        assert later.load_draft("press-h") == Draft("press-h", "a[0,0]", "0.5")
        later.save_draft("press-h", "a[0,0]", "0.58")
        later.save_draft("press-h", "a[0,0]", "")
    with Store.open(file) as later:
        assert later.drafts("press-h") == ()


def test_a_clock_that_is_set_back_changes_no_order(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(file) as store:
        for number, now in enumerate((2e9, 1e9, 1e9 + 5, 1e9 + 5)):
            monkeypatch.setattr(time, "time", lambda now=now: now)
            lesson = ("press-h", "bank")[number % 2]
            store.save_place(SavedPlace(lesson, "raw", number))
            assert store.load_place() == SavedPlace(lesson, "raw", number)
            store.add_answer(ANSWER._replace(typed=str(number), when=now))
            store.save_draft("press-h", f"a[0,{number}]", "1")
            draft = store.load_draft("press-h")
            assert draft is not None
            assert draft.cell == f"a[0,{number}]"
        assert [answer.typed for answer in store.answers()] == ["0", "1", "2", "3"]


def test_what_is_written_again_is_later_than_before_wherever_the_clock_stands(
    path: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was written last wins when two files of a learner are joined."""
    with Store.open(path) as here, Store.open(None) as elsewhere:
        monkeypatch.setattr(time, "time", lambda: 2e9)
        here.set_setting("theme", "nord")
        elsewhere.take(here.everything())
        monkeypatch.setattr(time, "time", lambda: 1e9)
        here.set_setting("theme", "board")
        assert elsewhere.take(here.everything()) == 1
        assert elsewhere.setting("theme") == "board"
        assert elsewhere.take(here.everything()) == 0


def test_of_two_states_of_one_time_the_one_with_more_done_is_taken(path: Path | None) -> None:
    with Store.open(path) as here:
        here.save_cell(CELL._replace(state="open"))
        rows = here.everything()
        done = {**rows, "cell": [{**rows["cell"][0], "state": "helped"}]}
        assert here.take(done) == 1
        assert here.take(rows) == 0
        assert [cell.state for cell in here.cells("press-h", "page")] == ["helped"]


def test_reset_forgets_what_was_reviewed(path: Path | None) -> None:
    with Store.open(path) as store:
        store.save_reviewed(Reviewed("1", "press-h", "a", "backward", 0, "a[0,0]"))
        store.save_reviewed(Reviewed("2", "bank", "Q", "mean-kept", 0, "Q[0,0]"))
        store.reset("bank")
        assert [one.uid for one in store.reviewed()] == ["1"]
        store.reset()
        assert store.reviewed() == ()


def test_dials_and_lessons_are_kept_apart(path: Path | None) -> None:
    store = Store.open(path)
    fill(store)
    assert store.cells("press-h", "turned") == ()
    assert store.own("press-h", "turned") == ()
    assert store.cells("bank", "page") == ()
    assert store.answers("bank") == ()
    store.add_answer(ANSWER._replace(lesson="bank"))
    assert [answer.lesson for answer in store.answers()] == ["press-h", "bank"]


def test_the_last_place_of_all(path: Path | None) -> None:
    store = Store.open(path)
    assert store.load_place() is None
    store.save_place(SavedPlace("bank", "raw", 1))
    time.sleep(0.002)
    store.save_place(SavedPlace("press-h", "flatten", 2))
    time.sleep(0.002)
    assert store.load_place() == SavedPlace("press-h", "flatten", 2)
    store.save_place(SavedPlace("bank", "raw", 2))
    assert store.load_place() == SavedPlace("bank", "raw", 2)


def test_every_state_and_mark_is_kept(path: Path | None) -> None:
    store = Store.open(path)
    for state in get_args(CellMark):
        store.save_cell(CELL._replace(cell=state, state=state))
    for mark in get_args(MarkKind):
        store.save_mark("press-h", mark, mark)
    assert {cell.cell: cell.state for cell in store.cells("press-h", "page")} == {
        state: state for state in get_args(CellMark)
    }
    assert store.marks("press-h") == {mark: mark for mark in get_args(MarkKind)}


def test_reset_of_one_lesson_and_of_all(path: Path | None) -> None:
    store = Store.open(path)
    fill(store)
    store.save_place(SavedPlace("bank", "raw", 1))
    store.reset("press-h")
    assert contents(store) == EMPTY
    assert store.load_place("bank") == SavedPlace("bank", "raw", 1)
    fill(store)
    store.reset()
    assert contents(store) == EMPTY
    assert store.load_place() is None
    assert store.setting("theme") == "nord"


def test_summary(file: Path) -> None:
    store = Store.open(file, "Ana")
    assert store.summary().lessons == ()
    fill(store)
    store.add_answer(ANSWER._replace(kinds=("backward", "mean kept"), when=20.0))
    store.add_answer(ANSWER._replace(kinds=(), verdict="right", when=30.0))
    store.save_cell(CELL._replace(cell="a[0,1]", state="paid"))
    store.save_cell(CELL._replace(cell="a[0,1]", dials="turned", state="paid"))
    store.save_draft("bank", "A[0,0]", "1")
    found = store.summary()
    assert (found.learner, found.path, found.trouble) == ("ana", str(file), None)
    bank, press = found.lessons
    assert (bank.lesson, bank.place, bank.answers, bank.last) == ("bank", None, 0, None)
    assert press.place == SavedPlace("press-h", "flatten", 2)
    assert press.cells == {"helped": 1, "paid": 2}
    assert (press.answers, press.last) == (3, 30.0)


def test_learners_of_one_file_are_kept_apart(file: Path) -> None:
    with Store.open(file, "ana") as ana, Store.open(file, "ben") as ben, Store.open(file) as nobody:
        fill(ana)
        assert contents(ben) == contents(nobody) == EMPTY
        assert ben.summary().lessons == ()
        ben.reset()
        assert contents(ana) == FULL
        assert ben.setting("theme") is None


def test_two_sessions_see_each_other(file: Path) -> None:
    with Store.open(file) as one, Store.open(file) as two:
        for number in range(20):
            (one, two)[number % 2].add_answer(ANSWER._replace(typed=str(number)))
        assert one.answers() == two.answers()
        assert len(one.answers()) == 20
        assert one.trouble is two.trouble is None


def test_closing_twice_is_fine(path: Path | None) -> None:
    store = Store.open(path)
    store.close()
    store.close()
    with pytest.raises(sqlite3.ProgrammingError):
        store.answers()


ANY_TEXT = st.text(st.characters(), max_size=50)


@given(typed=ANY_TEXT, cell=ANY_TEXT)
@settings(max_examples=100, deadline=None)
def test_any_text_can_be_kept(typed: str, cell: str) -> None:
    with Store.open(None) as store:
        store.add_answer(ANSWER._replace(typed=typed, cell=cell, kinds=(typed, cell)))
        store.save_draft(typed, cell, typed + "1")
        assert store.load_draft(typed) is not None
        (answer,) = store.answers()
        if typed.isprintable():
            assert answer.typed == typed
        assert answer.kinds == (typed, cell)


def test_raw_bytes_can_be_kept() -> None:
    with Store.open(None) as store:
        store.add_answer(ANSWER._replace(typed="0.\udcff\ud800\x00\x1b"))
        assert store.answers()[0].typed == "0.\\udcff\\ud800\x00\x1b"


def test_a_write_takes_no_time_that_is_felt(file: Path) -> None:
    with Store.open(file) as store:
        times: list[float] = []
        for number in range(100):
            started = time.perf_counter()
            store.save_draft("press-h", "a[0,0]", str(number))
            times.append(time.perf_counter() - started)
    assert statistics.median(times) < 0.016  # one frame; it is some tenths of a millisecond on a quiet machine


@pytest.mark.parametrize("name", ["ana", "Ana", "Zoë", "李雷", "user@school.example", "3b", "O Neill", "a_b-c.d"])
def test_a_learner_has_a_file_of_their_own(name: str) -> None:
    path = default_path(name)
    assert path.parent == default_path().parent / "learners"
    assert path.name.isascii()
    assert path != default_path(name + "x")


def test_capitals_and_ways_to_write_an_accent_are_one_learner() -> None:
    assert valid_learner("Ana") == valid_learner("ANA ") == "ana"
    assert default_path("Zoe\u0308") == default_path("ZOË")
    assert valid_learner(None) == ""


def test_names_that_differ_in_a_letter_are_two_learners() -> None:
    assert valid_learner("Weiß") == valid_learner("WEIẞ") != valid_learner("weiss") == valid_learner("WEISS")
    assert default_path("Weiß") != default_path("weiss")
    assert default_path("ﬁnn") != default_path("finn")


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "..",
        "../x",
        "a/b",
        "a\\b",
        ".a",
        "-a",
        "a\0",
        "a\nb",
        "\ud800",
        "C:x",
        "a" * 33,
        "*",
        "𝕏" * 32,
    ],
)
def test_a_bad_name_is_explained(name: str) -> None:
    with pytest.raises(BadLearnerError, match=r"^A learner's name has .* digit$"):
        valid_learner(name)
    with pytest.raises(BadLearnerError):
        Store.open(None, name)

"""Review: cards from the record, their times, fresh numbers each time, kills, and learners simulated over weeks."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import textwrap
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui_attention.cli import main
from tui_attention.engine.decimals import rounded
from tui_attention.engine.errors import BadInput
from tui_attention.options import Options
from tui_attention.practice import scheduling, transfer
from tui_attention.practice.asking import find, shows, variants_for
from tui_attention.practice.report import lines, report
from tui_attention.practice.review import Review, all_cards, due_count
from tui_attention.practice.scheduling import (
    AGAIN,
    EASY,
    GOOD,
    HARD,
    CardKey,
    Met,
    cards,
    coming_back,
    due,
    grade_of,
    record,
)
from tui_attention.session import open_session
from tui_attention.store import Answer, Reviewed, Store
from tui_attention.walk.refs import CellRef
from tui_attention.walk.walk import Walk

pytest.importorskip("fsrs")

DAY = 86_400.0
START = 1_800_000_000.0
KEY = CardKey("press-h", "a", "backward")
ANSWER = Answer("press-h", "flatten", "a[0,0]", "0.58", "slip", ("backward",), 0, START, "", "{}")
ROW = Reviewed("u", "press-h", "a", "backward", 1, "a[0,0]")


class Clock:
    """A clock that the test turns."""

    def __init__(self, at: float = START) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    turned = Clock()
    monkeypatch.setattr("time.time", turned)
    return turned


def right(walk: Walk, ref: object) -> str:
    working = walk.opened.working(walk.question(ref))  # type: ignore[arg-type]
    return f"{rounded(working.cell.value, working.asks):.{working.asks}f}"


# ---------------------------------------------------------------- grades, cards, times


@pytest.mark.parametrize(
    ("row", "borrowed", "grade"),
    [
        (ROW, False, EASY),
        (ROW._replace(hints=1), False, GOOD),
        (ROW._replace(hints=2), False, GOOD),
        (ROW._replace(wrong=1), False, GOOD),
        (ROW._replace(wrong=1, named=("backward",)), False, HARD),
        (ROW._replace(hints=3), False, HARD),
        (ROW._replace(wrong=2), False, HARD),
        (ROW._replace(wrong=3), False, AGAIN),
        (ROW._replace(hints=5), True, AGAIN),
        (ROW, True, AGAIN),
    ],
)
def test_how_it_was_paid_is_its_grade(row: Reviewed, borrowed: bool, grade: int) -> None:
    assert grade_of(row, borrowed=borrowed) == grade


def test_a_kind_counts_once_for_a_cell_and_once_more_for_another() -> None:
    again = [ANSWER, ANSWER._replace(typed="0.59", when=START + 5), ANSWER._replace(cell="a[0,1]", when=START + 9)]
    assert record(again, ()) == [Met(KEY, START, AGAIN), Met(KEY, START + 9, AGAIN)]
    check = ANSWER._replace(cell="check:flatten.4", kinds=("not-divided",))
    assert [met.key.step for met in record([check], ())] == ["check:flatten.4"]


def test_another_kind_that_is_named_in_a_review_is_met_as_well() -> None:
    done = ROW._replace(rating=HARD, named=("backward", "mean-kept"), at=START + DAY)
    assert record((), (done,)) == [
        Met(KEY, START + DAY, HARD, review=True),
        Met(replace(KEY, kind="mean-kept"), START + DAY, AGAIN),
    ]
    assert record((), (done._replace(rating=0),)) == []


def test_it_comes_the_next_day_and_then_later_and_later() -> None:
    met, at, waits = [Met(KEY, START, AGAIN)], START, []
    for _ in range(5):
        (card,) = cards(met)
        waits.append(round(card.days))
        at = card.due
        met.append(Met(KEY, at, GOOD, review=True))
    assert waits[0] == 1
    assert waits == sorted(waits)
    assert waits[-1] > 30
    met.append(Met(KEY, at + DAY, AGAIN, review=True))
    assert cards(met)[0].days < waits[-1] / 5
    assert cards(met)[0].lapses == 1


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 60), st.sampled_from((1, 2, 3, 4))), max_size=25),
    st.randoms(),
)
@settings(max_examples=20, deadline=None)
def test_the_same_record_gives_the_same_cards_in_any_order(
    found: list[tuple[int, int, int]], order: random.Random
) -> None:
    rows = [
        ROW._replace(uid=str(n), step=f"s{step}", at=START + day * DAY + n, rating=grade)
        for n, (step, day, grade) in enumerate(found)
    ]
    mixed = list(rows)
    order.shuffle(mixed)
    assert cards(record((), rows)) == cards(record((), mixed))


def test_what_keeps_coming_back() -> None:
    found = cards(
        [Met(replace(KEY, step=step), START + n * DAY, AGAIN) for n, step in enumerate(("a", "a", "b", "b", "c"))]
        + [Met(CardKey("bank", "A", "transposed"), START, AGAIN)]
    )
    assert coming_back(found) == {"backward": 2}
    late, later = (
        replace(found[0], key=replace(KEY, step=step), due=START, days=days) for step, days in (("x", 9), ("y", 2))
    )
    assert due((late, later), START + DAY) == (later, late)
    assert due((late, later), START - 1) == ()


# ---------------------------------------------------------------- fresh numbers


def test_every_review_is_on_numbers_that_were_not_had() -> None:
    had: list[int] = []
    for number in range(60):
        had.append(variants_for(60, had, str(number))[0])
    assert sorted(had) == list(range(1, 61))
    assert variants_for(60, had, "x") != variants_for(60, had, "y")
    assert variants_for(0, (), "x") == (0,)


def test_a_card_is_asked_where_its_slip_shows() -> None:
    for uid in ("one", "two", "three"):
        asked = find(KEY, (), uid)
        assert isinstance(asked.ref, CellRef)
        assert asked.ref.tensor == "a"
        assert asked.run.variant > 0
        assert shows(asked.run, asked.ref, "backward")
    with pytest.raises(BadInput, match="no longer asks for nothing"):
        find(replace(KEY, step="nothing"), (), "one")


# ---------------------------------------------------------------- a review


def slipped(store: Store, *cells: str) -> None:
    for cell in cells or ("a[0,0]",):
        store.add_answer(ANSWER._replace(cell=cell))


def test_a_review_from_its_first_question_to_its_end(clock: Clock) -> None:
    store = Store.open(None)
    slipped(store)
    slipped_too = ANSWER._replace(cell="q[0,0]", kinds=("transposed",), typed="0.3")
    store.add_answer(slipped_too)
    assert due_count(store) == 0
    clock.at += 1.1 * DAY
    assert due_count(store) == 2
    review = Review(store)
    assert review.next()
    assert review.walk is not None
    assert review.walk.covered
    first = review.key
    walk, ref = review.walk, review.ref
    walk.answer(ref, right(walk, ref))  # type: ignore[arg-type]
    assert review.settled
    assert review.next()
    assert review.key != first
    walk, ref = review.walk, review.ref
    assert walk is not None
    assert ref is not None
    walk.reveal(ref)
    assert not review.next()
    assert sorted(review.grades) == [AGAIN, EASY]
    assert due_count(store) == 0
    assert {one.rating for one in store.reviewed()} == {AGAIN, EASY}


def test_it_stays_at_its_step_and_covered(clock: Clock) -> None:
    store = Store.open(None)
    slipped(store)
    clock.at += 2 * DAY
    review = Review(store)
    assert review.next()
    assert review.walk is not None
    with pytest.raises(BadInput, match="a review stays at its step"):
        review.walk.next()


def test_ten_minutes_are_enough(clock: Clock) -> None:
    store = Store.open(None)
    slipped(store, *(f"a[0,{n}]" for n in range(3)), "b[0,0]", "c[0,0]")
    clock.at += 3 * DAY
    review = Review(store, minutes=10)
    assert review.next()
    assert review.state().left == 2
    clock.at += 601
    assert not review.next()
    assert len(store.reviewed()) == 1
    assert not store.reviewed()[0].rating


def test_three_fresh_cells_for_one_kind(clock: Clock) -> None:
    store = Store.open(None)
    slipped(store)
    review = Review(store, kinds=frozenset({"backward"}))
    asked = []
    while review.next():
        assert review.walk is not None
        asked.append((review.walk.opened.run.variant, review.ref))
    assert len({variant for variant, _ in asked}) == 3
    assert not Review(store, kinds=frozenset({"nothing"})).next()


@pytest.mark.parametrize(
    "when",
    [pytest.param("asked", marks=pytest.mark.slow), pytest.param("hinted", marks=pytest.mark.slow), "wrong", "paid"],
)
def test_a_kill_in_the_middle_loses_nothing_and_counts_nothing_twice(tmp_path: Path, when: str) -> None:
    path = tmp_path / "progress.db"
    with Store.open(path) as store:
        slipped(store)
    code = f"""
    import os, signal, time
    from pathlib import Path
    time.time = lambda: {START + 2 * DAY}
    from tests.practice.test_review import right
    from tui_attention.practice.review import Review
    from tui_attention.store import Store
    store = Store.open(Path({str(path)!r}))
    review = Review(store)
    assert review.next()
    walk, ref = review.walk, review.ref
    if {when!r} in ("hinted", "wrong"):
        walk.hint(ref)
    if {when!r} == "wrong":
        walk.answer(ref, "99"), walk.answer(ref, "98")
        review.save_typed("0.4")
    if {when!r} == "paid":
        walk.answer(ref, right(walk, ref))
    os.kill(os.getpid(), signal.SIGKILL)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=False, timeout=120)
    assert done.returncode == -signal.SIGKILL
    with Store.open(path) as store:
        (row,) = store.reviewed()
        now = Clock(START + 2 * DAY + 60)
        review = Review(store, now=now)
        if when == "paid":
            assert row.rating == EASY
            assert not review.next()
            assert len(store.reviewed()) == 1
            return
        assert row.rating == 0
        assert review.next()
        assert (str(review.ref), review.walk and review.walk.opened.run.variant) == (row.cell, row.variant)
        assert review.walk is not None
        walk, ref = review.walk, review.ref
        assert ref is not None
        assert walk.ledger.entry(ref).hints == (when != "asked")
        assert review.typed == ("0.4" if when == "wrong" else "")
        walk.answer(ref, right(walk, ref))
        grades = {"asked": EASY, "hinted": GOOD, "wrong": HARD}
        assert [one.rating for one in store.reviewed()] == [grades[when]]
        assert not review.next()


# ---------------------------------------------------------------- weeks


def simulated(days: int, fails: float, mastered: int, seed: int) -> tuple[list[int], Counter[str], Counter[str]]:
    """Reviews a day of somebody with 30 cards who masters the kind `good` and fails `bad` so often; each kind's last
    and all reviews.
    """
    rng = random.Random(seed)
    steps = ("a", "q", "k", "v", "scores", "shares", "y", "b", "wide", "m", "c", "logits", "chances", "S", "A")
    met = [Met(CardKey("press-h", step, kind), START, AGAIN) for step in steps for kind in ("good", "bad")]
    per_day, last, every = [], Counter[str](), Counter[str]()
    for day in range(1, days + 1):
        now = START + day * DAY + 3600
        todo = due(cards(met), now)[:20]
        for card in todo:
            failed = card.key.kind == "bad" and (day > mastered) and rng.random() < fails
            met.append(Met(card.key, now, AGAIN if failed else GOOD, review=True))
            every[card.key.kind] += 1
            last[card.key.kind] += day > days - 20
        per_day.append(len(todo))
    return per_day, last, every


def test_sixty_days_stay_bounded_and_what_is_mastered_fades() -> None:
    per_day, last, every = simulated(60, 0.4, 0, 1)
    assert max(per_day) <= 20
    assert sum(per_day[-20:]) / 20 < 10
    assert last["bad"] > 3 * last["good"]
    assert every["good"] < 15 * 9


def test_a_kind_that_slips_again_comes_back() -> None:
    calm, _, _ = simulated(60, 1.0, 60, 2)
    relapsed, last, _ = simulated(60, 1.0, 10, 2)
    assert sum(relapsed[-20:]) > sum(calm[-20:])
    assert last["bad"] > last["good"]


# ---------------------------------------------------------------- to another machine


def worked(store: Store, seed: int) -> None:
    rng = random.Random(seed)
    for number in range(12):
        cell = f"a[0,{rng.randrange(6)}]"
        store.add_answer(ANSWER._replace(cell=cell, when=START + rng.random() * DAY, typed=f"{seed}.{number}"))
        uid = f"{seed}-{number}"
        store.save_reviewed(ROW._replace(uid=uid, cell=cell, rating=rng.randint(1, 4), variant=rng.randrange(60)))


def test_two_machines_that_exchange_what_they_have_agree(tmp_path: Path) -> None:
    one, two = Store.open(tmp_path / "one.db"), Store.open(tmp_path / "two.db")
    worked(one, 1)
    worked(two, 2)
    with open_session(Options(lesson="press-h", named=True), tmp_path / "one.db") as session:
        session.walk.goto("a[0,0]")
        session.walk.reveal("a[0,0]")
    first, second = transfer.written(one), transfer.written(two)
    two.take(transfer.read(first, "one"))
    one.take(transfer.read(second, "two"))
    assert one.take(transfer.read(transfer.written(two), "two")) == 0

    def same(store: Store) -> dict[str, set[str]]:
        return {name: {json.dumps(row, sort_keys=True) for row in rows} for name, rows in store.everything().items()}

    assert same(one) == same(two)
    assert all_cards(one) == all_cards(two)
    assert len(one.reviewed()) == 24
    assert two.load_place("press-h") is not None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nonsense", "no JSON file"),
        ("[]", '"format": 1 and "tables" were expected'),
        ('{"format": 2, "tables": {}}', '"format": 1'),
        ('{"format": 1, "tables": {"cookies": []}}', "'cookies' was not expected"),
        ('{"format": 1, "tables": {"mark": [{}]}}', "mark 1: the fields lesson question mark at were expected"),
        ('{"format": 1, "tables": {"mark": [{"lesson": 1, "question": "", "mark": "", "at": 0}]}}', "lesson: a text"),
        (
            '{"format": 1, "tables": {"mark": [{"lesson": "\\ud800", "question": "", "mark": "", "at": 0}]}}',
            "lesson: a text",
        ),
        ("[" * 100_000, "no JSON file"),
    ],
)
def test_what_is_no_export_is_one_sentence(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        transfer.read(text, "file")


def test_progress_exports_imports_and_says_what_is_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "here"))
    with open_session(Options(lesson="press-h", named=True)) as session:
        slipped(session.store)
        session.store.add_answer(ANSWER._replace(cell="b[0,0]", when=START - 9 * DAY))
        session.store.add_answer(ANSWER._replace(cell="b[0,1]", when=START - 3 * DAY))
        session.store.add_answer(ANSWER._replace(cell="b[0,2]", when=START - 2 * DAY))
    assert main(["progress"]) == 0
    said = capsys.readouterr().out
    assert "to review: 0 due, of 2 in all" in said or "to review: 2 due, of 2 in all" in said
    assert "keeps coming back: backward (2 times)" in said
    assert main(["progress", "--export", str(tmp_path / "mine.json")]) == 0
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "there"))
    assert main(["progress", "--import", str(tmp_path / "mine.json")]) == 0
    capsys.readouterr()
    assert main(["progress", "--json"]) == 0
    payload = json.loads(capsys.readouterr().out)
    assert payload["review"]["cards"] == 2
    assert payload["lessons"][0]["answers"] == 4
    assert main(["progress", "--export", str(tmp_path / "mine.json")]) == 2
    assert "is there already" in capsys.readouterr().err


def test_without_the_scheduler_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "find_spec", lambda name: None)
    store = Store.open(None)
    slipped(store)
    with pytest.raises(BadInput, match=r"pip install '\.\[review\]'"):
        Review(store)
    assert due_count(store) == 0
    monkeypatch.setattr("tui_attention.practice.report.installed", lambda: False)
    assert lines(report(store)) == []

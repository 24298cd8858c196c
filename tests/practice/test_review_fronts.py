"""Review and fresh numbers at the two front ends."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

from tests.practice.test_review import ANSWER, DAY, Clock, right
from tests.ui.seated import panel, screen_text, settled
from tui_attention.cli import main
from tui_attention.options import Options
from tui_attention.plain import run as plain_run
from tui_attention.render.rows import Link
from tui_attention.session import Session, open_session
from tui_attention.ui.attention import AttentionApp
from tui_attention.ui.shots import ENV

pytest.importorskip("fsrs")
HERE = Options("press-h", named=True, stage="flatten", env=dict(ENV))


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of progress in which a slip was named twice, two days before now."""
    clock = Clock()
    monkeypatch.setattr("time.time", clock)
    file = tmp_path / "progress.db"
    with open_session(HERE, file) as session:
        session.store.add_answer(ANSWER)
        session.store.add_answer(ANSWER._replace(cell="b[0,0]"))
    clock.at += 2 * DAY
    return file


def answer(session: Session, app: AttentionApp) -> str:
    review = app.main.reviewing.review
    assert review is not None
    assert review.walk is not None
    return right(review.walk, review.ref)


async def test_what_is_due_is_said_in_the_header_and_r_reviews_it(path: Path) -> None:
    with open_session(HERE, path) as session:
        app = AttentionApp(session)
        async with app.run_test(size=(100, 30)) as pilot:
            await settled(app, pilot)
            lesson = app.seat
            assert len(app.screen_stack) == 1
            await pilot.pause(0.7)
            await settled(app, pilot)
            assert "2 to review: R" in screen_text(app).split("\n")[0]
            await pilot.press("R")
            assert "review: 0 done, 1 more" in screen_text(app).split("\n")[0]
            assert "Review on variant" in panel(app)
            assert "went wrong by" not in panel(app).replace("\n", " ")
            assert app.seat is not lesson
            await pilot.press("N", "c")
            assert "cover stays on" in panel(app).replace("\n", " ")
            await pilot.press(*answer(session, app), "enter")
            assert app.main.reviewing.settled
            assert "Once it went wrong by 'backward'. n goes on" in panel(app).replace("\n", " ")
            await pilot.press("enter")
            assert "review: 1 done" in screen_text(app).split("\n")[0]
            await pilot.press("r", "enter", "n")
            assert app.seat is lesson
            assert "2 done, 1 of them well" in panel(app)
    with open_session(HERE, path) as session:
        assert sorted(one.rating for one in session.store.reviewed()) == [1, 4]
        assert not any(entry.settled for entry in session.walk.ledger.entries.values())


async def test_what_is_asked_stands_there_and_not_the_wall(path: Path) -> None:
    with open_session(HERE, path) as session:
        session.store.add_answer(ANSWER._replace(lesson="modern", stage="level", cell="r1[2]", kinds=("no-root",)))
    options = replace(HERE, lesson="modern", stage="rows")
    with open_session(options, path) as session:
        app = AttentionApp(session)
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(app, pilot)
            app.main.reviewing.toggle(frozenset({"no-root"}))
            await settled(app, pilot)
            shown = panel(app)
            assert "____" in shown
            assert "People tried leaving the mean in" not in shown
            await pilot.press("r", "enter")
            assert "n goes on" in panel(app)
            assert "the next CHECK" not in panel(app)


async def test_it_ends_early_without_loss_and_keeps_what_is_half_typed(path: Path) -> None:
    with open_session(HERE, path) as session:
        app = AttentionApp(session)
        async with app.run_test(size=(100, 30)) as pilot:
            await settled(app, pilot)
            await pilot.press("R", *"12.5")
            assert session.store.reviewed()[0].typed == "12.5"
            assert session.drafts == ()
    with open_session(replace(HERE, review=10.0), path) as session:
        app = AttentionApp(session)
        async with app.run_test(size=(100, 30)) as pilot:
            await settled(app, pilot)
            await pilot.pause(0.7)
            await settled(app, pilot)
            assert app.seat.editor is not None
            assert app.seat.editor.text == "12.5"
            await pilot.press("escape", "R")
            assert "what was left stays due" in panel(app).replace("\n", " ")
        assert {one.rating for one in session.store.reviewed()} == {0}


async def test_the_ledger_leads_to_three_fresh_cells(path: Path) -> None:
    with open_session(HERE, path) as session:
        app = AttentionApp(session)
        async with app.run_test(size=(100, 30)) as pilot:
            await settled(app, pilot)
            await pilot.press("l")
            assert "backward, 2 times" in screen_text(app)
            await pilot.press("escape")
            app.main.follow_link(_link(app))
            await settled(app, pilot)
            review = app.main.reviewing.review
            assert review is not None
            assert review.key is not None
            assert review.key.kind == "backward"
            assert review.state().left == 2


def _link(app: AttentionApp) -> Link:
    """What the ledger's line about a kind of slip leads to."""
    from tui_attention.render.ledger import ledger_rows

    rows = ledger_rows(app.seat.core.summary(), 80)
    keys = [span.key for row in rows for span in row if isinstance(span.key, Link)]
    (link,) = [key for key in keys if key.action == "review"]
    return link


async def test_fresh_numbers_at_a_key(path: Path) -> None:
    with open_session(HERE, path) as session:
        app = AttentionApp(session)
        async with app.run_test(size=(100, 30)) as pilot:
            await settled(app, pilot)
            await pilot.press("n", "F", "enter")
            assert app.seat.walk.visible.variant == 1
            assert app.seat.walk.stage.id == "flatten"
            assert app.seat.walk.place.step == 0
            assert "Variant 1: this stage on fresh numbers" in panel(app).replace("\n", " ")
            await pilot.press("F", "enter")
            assert app.seat.walk.visible.variant == 2


def conversation(options: Options, path: Path, *lines: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("tui_attention.session.opening.default_path", lambda learner=None: path)
    out = io.StringIO()
    assert plain_run(options, io.StringIO("\n".join(lines) + "\n"), out) == 0
    return " ".join(out.getvalue().split())


def test_it_works_line_by_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = conversation(HERE, path, "review", "reveal", "next", "review", "quit", monkeypatch=monkeypatch)
    assert "To review: 2. Type review for them." in said
    assert "what was left stays due" in said
    assert "Review, 1 more after this. next goes on, review ends it. When you" in said
    warned, _, told = said.partition("Borrowed:")
    assert "backward" not in warned
    assert "Once it went wrong by 'backward'. Type next to go on, or review to end it." in told
    assert "Stage 4 of 16, flatten a copy." in said
    assert "Now its neighbour" not in said
    with open_session(HERE, path) as session:
        assert sorted(one.rating for one in session.store.reviewed()) == [0, 1]
    said = conversation(HERE, path, "afresh", "quit", monkeypatch=monkeypatch)
    assert "Variant 1: this stage on fresh numbers." in said


def test_the_verb_needs_the_scheduler(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("tui_attention.practice.scheduling.find_spec", lambda name: None)
    assert main(["review"]) == 2
    assert "pip install '.[review]'" in capsys.readouterr().err
    assert main(["review", "--minutes", "0"]) == 2
    assert "a review takes minutes" in capsys.readouterr().err

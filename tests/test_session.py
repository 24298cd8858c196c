"""The session: what survives quitting, a kill, another session, another prompt, a disk that will not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from tui_attention.engine.errors import BadInput
from tui_attention.engine.graph import Graph
from tui_attention.options import Options
from tui_attention.session import Session, open_session
from tui_attention.session.progress import progress, reset
from tui_attention.store import CellMark, MarkKind
from tui_attention.walk.ledger import BY_MARK, STATES, Mark, State
from tui_attention.walk.refs import CellRef, parse_ref
from tui_attention.walk.walk import Walk

HERE = Options(lesson="press-h", named=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "progress.db"


def right(walk: Walk, key: str) -> str:
    """The printed number of a question."""
    working = walk.opened.working(walk.question(key))
    return f"{working.cell.value:.{working.asks}f}"


def test_a_fresh_start_is_the_first_stage_covered(path: Path) -> None:
    with open_session(HERE, path) as session:
        assert session.walk.stage.id == "route"
        assert session.walk.covered
        assert not session.resumed
        assert session.trouble is None
        assert session.saves


def test_place_answers_hints_marks_and_own_rows_are_there_again(path: Path) -> None:
    with open_session(HERE, path) as session:
        walk = session.walk
        walk.goto("a[0,0]")
        walk.hint("mu1[0]")
        walk.answer("a[0,0]", "9.99")
        walk.answer("a[0,0]", right(walk, "a[0,0]"))
        walk.reveal("sigma1[0]")
        walk.keep("q[0,0]", 0.5)
        walk.mark("check:token-row.2", "partly")
        before, place = walk.ledger, walk.place
    with open_session(HERE, path) as session:
        assert session.resumed
        assert session.walk.place == place
        assert session.walk.ledger == before
        assert session.walk.ledger.entry(parse_ref("a[0,0]")).state == "paid"
        assert session.walk.ledger.entry(parse_ref("check:token-row.2")).state == "helped"
        assert session.walk.ledger.own[CellRef.parse("q[0,0]")] == 0.5
        assert "a" in session.walk.ledger.opened


def test_the_same_number_typed_again_is_one_attempt_after_a_restart_too(path: Path) -> None:
    with open_session(HERE, path) as session:
        session.walk.goto("a[0,0]")
        for typed in ("0.58", ".580", "0,58"):
            assert session.walk.answer("a[0,0]", typed).verdict.kind == "slip"
        before = session.walk.ledger.entry(parse_ref("a[0,0]"))
        assert len(before.kinds) == 1
    with open_session(HERE, path) as session:
        assert session.walk.ledger.entry(parse_ref("a[0,0]")).kinds == before.kinds


def test_the_furthest_stage_is_remembered_when_one_has_gone_back(path: Path) -> None:
    with open_session(HERE, path) as session:
        session.walk.goto("mlp")
        session.walk.goto("splitter")
        furthest = session.walk.furthest
    with open_session(HERE, path) as session:
        assert session.walk.stage.id == "splitter"
        assert session.walk.furthest == furthest


def test_inputs_and_dials_come_back_and_turns_can_still_be_taken_back(path: Path) -> None:
    with open_session(replace(HERE, prompt="ab"), path) as session:
        session.walk.turn("E[h,0]", 0.5, 1)
        session.walk.turn("E[a,0]", 0.25, 2)
        session.walk.goto("a[0,0]")
        session.walk.answer("a[0,0]", right(session.walk, "a[0,0]"))
        identity = session.walk.identity
    with open_session(HERE, path) as session:
        walk = session.walk
        assert walk.identity == identity
        assert walk.ledger.entry(parse_ref("a[0,0]")).state == "paid"
        walk.undo()
        assert walk.ledger.entry(parse_ref("a[0,0]")).state == "open"
        assert list(walk.opened.run.graph.turned.values()) == [(0.5, 1)]
        walk.undo()
        assert not walk.opened.run.graph.turned
        assert walk.opened.run.graph.inputs.prompt == "ab"


def test_what_is_asked_for_by_name_stands_above_what_was_kept(path: Path) -> None:
    with open_session(replace(HERE, prompt="ab"), path) as session:
        session.walk.goto("mlp")
        session.walk.turn("E[h,0]", 0.5, 1)
    with open_session(replace(HERE, prompt="h", stage="heads"), path) as session:
        assert session.walk.opened.run.graph.own
        assert session.walk.stage.id == "heads"
        assert not session.resumed


def test_the_lesson_that_was_open_last_is_opened_when_none_is_named(path: Path) -> None:
    unnamed = Options()
    with open_session(unnamed, path) as session:
        assert session.lesson == "press-h"
        session.change_lesson("bank")
        session.walk.next()
    with open_session(unnamed, path) as session:
        assert session.lesson == "bank"
        assert session.walk.place.step == 1
    with open_session(replace(unnamed, prompt="ab"), path) as session:
        assert session.lesson == "press-h"


def test_a_lesson_file_that_is_gone_does_not_keep_anybody_out(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    text = Path("tui_attention/lessons/data/bank/lesson.toml").read_text()
    (folder / "lesson.toml").write_text(text)
    with open_session(Options(lesson=str(folder), named=True), path) as session:
        session.walk.next()
    with open_session(Options(), path) as session:
        assert session.lesson == str(folder)
    (folder / "lesson.toml").unlink()
    with open_session(Options(), path) as session:
        assert session.lesson == "press-h"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (replace(HERE, stage="nowhere"), "has no stage 'nowhere'"),
        (replace(HERE, prompt=""), "."),
        (replace(HERE, learner="/etc/passwd"), "A learner's name"),
        (replace(HERE, lesson="nothing"), "there is no lesson"),
        (replace(HERE, ticket=2.0), "."),
    ],
)
def test_bad_input_is_one_sentence(options: Options, says: str, path: Path) -> None:
    with pytest.raises(BadInput, match=says):
        open_session(options, path)


def test_changing_to_a_lesson_that_is_not_there_changes_nothing(path: Path) -> None:
    with open_session(HERE, path) as session:
        walk = session.walk
        with pytest.raises(BadInput):
            session.change_lesson("nothing")
        assert session.walk is walk
        assert session.lesson == "press-h"


def test_what_is_seen_through_an_open_cover_is_paid_with_help_after_a_restart_too(path: Path) -> None:
    with open_session(HERE, path) as session:
        session.walk.goto("a[0,0]")
        session.walk.toggle_cover()
    with open_session(HERE, path) as session:
        walk = session.walk
        assert walk.covered
        assert walk.answer("a[0,0]", right(walk, "a[0,0]")).state == "helped"


def test_without_saving_nothing_is_written(path: Path) -> None:
    with open_session(replace(HERE, save=False), path) as session:
        session.walk.next()
        assert not session.saves
        assert session.trouble is None
    assert not path.exists()


def test_two_learners_are_kept_apart_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for learner, stage in (("ada", "mlp"), ("grace", "heads")):
        with open_session(replace(HERE, learner=learner)) as session:
            session.walk.goto(stage)
    for name, left in (("ada", "mlp"), ("grace", "heads"), (None, "route")):
        with open_session(replace(HERE, learner=name)) as session:
            assert session.walk.stage.id == left


def test_two_sessions_at_once_both_keep_their_answers(path: Path) -> None:
    with open_session(HERE, path) as one, open_session(HERE, path) as two:
        one.walk.goto("a[0,0]")
        two.walk.goto("a[0,0]")
        one.walk.answer("a[0,0]", right(one.walk, "a[0,0]"))
        two.walk.answer("mu1[0]", right(two.walk, "mu1[0]"))
    with open_session(HERE, path) as session:
        assert session.walk.ledger.entry(parse_ref("a[0,0]")).state == "paid"
        seen = session.walk.ledger.entry(parse_ref("mu1[0]"))
        assert (seen.state, seen.seen) == ("helped", True)


def test_drafts_and_settings(path: Path) -> None:
    with open_session(HERE, path) as session:
        session.save_draft("a[0,0]", "1.7")
        session.set_setting("digits", "all")
    with open_session(HERE, path) as session:
        assert session.draft is not None
        assert (session.draft.cell, session.draft.typed) == ("a[0,0]", "1.7")
        assert session.walk.digits == "all"
        session.save_draft("a[0,0]", "")
        session.set_setting("digits", "no such way")
    with open_session(HERE, path) as session:
        assert session.draft is None
        assert session.walk.digits == "printed"


def test_a_damaged_file_is_set_aside_and_said(path: Path) -> None:
    path.write_bytes(b"not a database at all" * 400)
    with open_session(HERE, path) as session:
        assert session.trouble is not None
        assert "set aside" in session.trouble
        session.walk.next()
    with open_session(HERE, path) as session:
        assert session.walk.stage.id == "splitter"


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_cannot_be_written_is_said_and_the_walk_goes_on(path: Path) -> None:
    path.parent.chmod(0o500)
    try:
        with open_session(HERE, path) as session:
            assert session.trouble is not None
            session.walk.next()
    finally:
        path.parent.chmod(0o700)


def test_a_variant_has_a_record_of_its_own_and_is_where_it_was_left(path: Path) -> None:
    with open_session(replace(HERE, variant=7), path) as session:
        session.walk.goto("a[0,0]")
        session.walk.answer("a[0,0]", right(session.walk, "a[0,0]"))
        session.walk.turn("E[h,0]", 0.5, 1)
        session.walk.undo()
    with open_session(HERE, path) as session:
        assert session.walk.opened.run.variant == 7
        assert session.walk.ledger.entry(parse_ref("a[0,0]")).state == "paid"
    with open_session(replace(HERE, variant=0), path) as session:
        assert session.walk.opened.run.graph.own
        assert session.walk.ledger.entry(parse_ref("a[0,0]")).state == "open"
    with open_session(replace(HERE, variant="Ada"), path) as session:
        assert session.walk.opened.run.variant == 33
    payload, text = progress(Options(), path)
    assert payload["lessons"][0]["inputs"]["variant"] == 33
    assert "settled with other numbers, prompts or dials: 1" in text


def test_a_draft_stays_with_its_question(path: Path) -> None:
    with open_session(HERE, path) as session:
        session.save_draft("a[0,0]", "1.7")
        session.save_draft("check:route.1", "by the place")
        assert [draft.cell for draft in session.drafts] == ["check:route.1", "a[0,0]"]
    with open_session(HERE, path) as session:
        assert session.draft is not None
        assert (session.draft.cell, session.draft.typed) == ("check:route.1", "by the place")
        session.walk.goto("a[0,0]")
        session.walk.answer("a[0,0]", "1.7 or so what")  # no number: it stays on the line
        assert len(session.drafts) == 2
        session.walk.answer("a[0,0]", "1.8")
        assert [draft.cell for draft in session.drafts] == ["check:route.1"]


def test_what_is_said_to_a_sentence_check_is_kept_and_is_no_attempt(path: Path) -> None:
    with open_session(HERE, path) as session:
        session.walk.goto("token-row")
        session.save_draft("check:token-row.2", "that marks have si")
        session.walk.say("check:token-row.2", "that h is seven times b")
        session.walk.say("check:token-row.2", "that marks have sizes")
        assert session.drafts == ()
        session.walk.mark("check:token-row.2", "partly")
    with open_session(HERE, path) as session:
        assert session.sentences() == {"check:token-row.2": "that marks have sizes"}
        first, _ = session._store.answers("press-h")
        assert (first.typed, first.stage, first.inputs[:14]) == (
            "that h is seven times b",
            "token-row",
            '{"prompt": "h"',
        )
    payload, _ = progress(Options(), path)
    assert payload["lessons"][0]["slips"] == []


def test_a_clock_that_was_set_back_opens_no_other_lesson(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_session(HERE, path) as session:
        session.walk.next()
    monkeypatch.setattr("time.time", lambda: 1e9)
    with open_session(replace(HERE, lesson="bank"), path) as session:
        session.walk.next()
    with open_session(Options(), path) as session:
        assert session.lesson == "bank"


def test_a_kill_in_the_middle_loses_nothing_that_was_done(path: Path) -> None:
    code = f"""
    import os, signal
    from pathlib import Path
    from tui_attention.options import Options
    from tui_attention.session import open_session
    session = open_session(Options(lesson="press-h", named=True), Path({str(path)!r}))
    session.walk.goto("sigma1")
    session.walk.reveal("sigma1[0]")
    session.save_draft("a[0,0]", "1.")
    os.kill(os.getpid(), signal.SIGKILL)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    with open_session(HERE, path) as session:
        assert session.trouble is None
        assert session.walk.step is not None
        assert session.walk.step.name == "sigma1"
        assert session.walk.ledger.entry(parse_ref("sigma1[0]")).state == "borrowed"
        assert session.draft is not None
        assert session.draft.typed == "1."


@pytest.mark.parametrize(
    "turned", ["[" * 100_000, '[["E", [7, 0], 1e999, 3]]', '[["E", [7, 0], 1e30, 3]]', '[["E", [1e999, 0], 1, 3]]']
)
def test_dials_that_cannot_be_are_not_turned(path: Path, turned: str) -> None:
    from tui_attention.store import KeptNote

    text = f'{{"prompt": "h", "other": null, "ticket": 0.4, "turned": {turned}}}'
    with open_session(HERE, path) as session:
        session._store.save_note("press-h", "", KeptNote("start", "", text))
    with open_session(HERE, path) as session:
        assert session.walk.opened.run.graph.own
        assert session.walk.counts()


def test_a_loop_of_links_is_a_name_like_another(tmp_path: Path) -> None:
    from tui_attention.session.opening import key_of

    (tmp_path / "loop").symlink_to("loop")
    assert key_of(str(tmp_path / "loop")) == str(tmp_path.resolve() / "loop")


def damaged(session: Session) -> None:
    """Notes that no longer fit the lesson."""
    from tui_attention.store import CellState, KeptNote

    store = session._store
    store.save_note(
        "press-h", "", KeptNote("start", "", '{"prompt": "xyz", "other": null, "ticket": null, "turned": []}')
    )
    store.save_note("press-h", "", KeptNote("chosen", "roles.2", '["nothing[0,9]"]'))
    store.save_note("press-h", "", KeptNote("furthest", "", "no-such-stage"))
    store.save_cell(CellState("press-h", "", "gone[0]", "no such state", 0, False))  # type: ignore[arg-type]


def test_what_no_longer_fits_the_lesson_is_left_out(path: Path) -> None:
    with open_session(HERE, path) as session:
        damaged(session)
    with open_session(HERE, path) as session:
        assert session.walk.opened.run.graph.own
        assert session.walk.ledger.chosen == {}
        assert session.walk.ledger.entry(parse_ref("gone[0]")).state == "open"


def test_progress_counts_by_stage_and_names_what_was_met_twice(path: Path) -> None:
    with open_session(HERE, path) as session:
        walk = session.walk
        walk.goto("a[0,0]")
        walk.answer("a[0,0]", right(walk, "a[0,0]"))
        walk.reveal("sigma1[0]")
        from tui_attention.session.persistence import start_of
        from tui_attention.store import Answer

        for cell in ("a[0,0]", "a[0,1]", "a[0,1]"):
            inputs = start_of(walk.opened.run).text()
            session._store.add_answer(
                Answer("press-h", "flatten", cell, "1", "slip", ("backward",), 0, 1.0, "", inputs)
            )
    payload, text = progress(Options(), path)
    (lesson,) = json.loads(json.dumps(payload, allow_nan=False))["lessons"]
    assert lesson["place"] == {"lesson": "press-h", "stage": "flatten", "step": 2}
    assert lesson["counts"]["paid"] == 1
    assert lesson["counts"]["borrowed"] == 1
    flatten = next(stage for stage in lesson["stages"] if stage["stage"] == "flatten")
    assert (flatten["paid"], flatten["borrowed"]) == (1, 1)
    assert lesson["slips"] == [
        {
            "kind": "backward",
            "times": 2,
            "where": [{"stage": "flatten", "cell": "a[0,0]"}, {"stage": "flatten", "cell": "a[0,1]"}],
        }
    ]
    assert "1 paid, 1 borrowed" in text
    assert "met 2 times: backward (a[0,0] in flatten, a[0,1] in flatten)" in text


def test_progress_of_nobody_makes_no_file(path: Path) -> None:
    payload, text = progress(Options(), path)
    assert payload["lessons"] == []
    assert text == "Nothing has been worked out yet."
    assert not path.exists()


def test_reset_forgets_one_lesson_and_leaves_the_settings(path: Path) -> None:
    with open_session(HERE, path) as session:
        session.walk.goto("mlp")
        session.set_setting("theme", "nord")
        session.change_lesson("bank")
        session.walk.next()
    assert reset(Options(), "press-h", path) == ("press-h",)
    with open_session(HERE, path) as session:
        assert session.walk.stage.id == "route"
        assert session.setting("theme") == "nord"
    assert reset(Options(), None, path) == ("bank", "press-h")
    assert progress(Options(), path)[0]["lessons"] == []


def test_opening_computes_no_experiment(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    plain = Graph._make

    def noted(graph: Graph, name: str) -> object:
        made.append(name)
        return plain(graph, name)

    monkeypatch.setattr(Graph, "_make", noted)
    with open_session(Options(lesson="bank", named=True), path):
        assert "scaling" not in made


def test_the_store_and_the_ledger_speak_of_the_same_states_and_marks() -> None:
    assert set(get_args(CellMark)) == set(get_args(State)) == set(STATES)
    assert set(get_args(MarkKind)) == set(get_args(Mark)) == set(BY_MARK)

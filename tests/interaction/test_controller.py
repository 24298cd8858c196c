"""The core alone: commands and answers go in, changes and messages come out."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.interaction.json_front_end import converse
from tests.walk.swapped import swapped
from tui_attention.engine.errors import BadInput
from tui_attention.interaction import typed
from tui_attention.interaction.controller import LessonController
from tui_attention.interaction.messages import Message, Reply
from tui_attention.lessons.run import open_run
from tui_attention.walk.events import Outcome
from tui_attention.walk.places import Place
from tui_attention.walk.refs import CellRef, CheckRef, Ref
from tui_attention.walk.walk import Walk


def at(place: str, lesson: str = "press-h") -> LessonController:
    core = LessonController(Walk(open_run(lesson)))
    core.do("goto", place)
    return core


def said(reply: Reply, kind: str) -> str:
    return " ".join(message.text for message in reply.messages if message.kind == kind)


# ---------------------------------------------------------------- a front end of its own

LINES = [
    {"do": "goto", "argument": "a[0,0]"},
    {"answer": "0.58"},
    {"do": "keep"},
    {"do": "hint"},
    {"answer": "1.73", "cell": "a[0,0]"},
    {"do": "next"},
    {"do": "where"},
    {"answer": "0.92", "cell": "q[0,0]"},
    {"do": "nowhere-near"},
]


def test_a_front_end_that_speaks_json_needs_nothing_but_the_core() -> None:
    core = LessonController(Walk(open_run("press-h")))
    answers = [json.loads(line) for line in converse(core, map(json.dumps, LINES[:-1]))]
    moved, wrong, kept, hinted, right, onward, where, ahead = answers
    assert (moved["changes"], moved["stage"], moved["step"]) == (["stage"], "flatten", 2)
    assert moved["asks"]["kind"] == "number"
    assert moved["asks"]["decimals"] == 2
    (verdict,) = [message for message in wrong["messages"] if message["kind"] == "verdict"]
    assert "divide backward" in verdict["text"]
    assert (verdict["style"], verdict["cells"]) == ("bad", ["x0[0,0]", "mu1[0]", "sigma1[0]"])
    assert kept["messages"][0]["kind"] == "kept"
    assert hinted["messages"][0]["kind"] == "hint"
    assert right["changes"] == ["cell", "tensor"]
    assert right["tensors"]["a"][0][0] == "1.73"
    assert onward["stage"] == "roles"
    assert "flatten a copy" not in where["messages"][0]["text"]
    assert any(message["kind"] == "verdict" for message in ahead["messages"])
    with pytest.raises(KeyError):
        list(converse(core, [json.dumps(LINES[-1])]))


def test_what_it_sends_is_the_same_whatever_numbers_are_covered() -> None:
    walk = Walk(open_run("press-h"))
    walk.goto("q[0,0]")
    lines = [json.dumps(line) for line in ({"do": "where"}, {"do": "why"}, {"do": "checks"}, {"do": "hint"})]
    twin = swapped(walk)
    ours = list(converse(LessonController(walk), lines))
    assert ours == list(converse(LessonController(twin), lines))
    assert "What goes in" not in ours[-1]


def test_the_core_loads_no_screen_and_no_store() -> None:
    code = (
        "import sys, tui_attention.interaction.controller\n"
        "print([name for name in ('textual', 'rich', 'sqlite3') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_what_comes_out_is_frozen() -> None:
    reply = at("a[0,0]").answer("0.58")
    with pytest.raises(AttributeError):
        reply.messages[0].text = "other"  # type: ignore[misc]
    assert hash(reply.messages) == hash(tuple(reply.messages))


# ---------------------------------------------------------------- answers


def test_a_cell_gets_the_lessons_own_sentence_wherever_it_is_asked_from() -> None:
    sentence = said(at("a[0,0]").answer("0.58"), "verdict")
    assert sentence == said(at("q[0,0]").answer("0.58", "a[0,0]"), "verdict")
    assert sentence == said(at("q[0,0]").answer("a[0,0] = 0.58"), "verdict")
    assert "distance from the mean" in sentence


def test_a_number_that_is_kept_leaves_its_check_aside_and_in_reach() -> None:
    core = at("a[0,0]")
    core.answer("0.58")
    assert core.offer is not None
    assert "Kept: a[0] = 0.58" in said(core.do("keep"), "kept")
    question = core.open_question()
    assert question is not None
    assert question.ref != CellRef("a", (0, 0))
    core.focus = CellRef("a", (0, 0))
    pointed = core.question()
    assert pointed is not None
    assert pointed.ref == CellRef("a", (0, 0))
    assert core.walk.ledger.own == {CellRef("a", (0, 0)): 0.58}
    assert "whose slip was named" in said(core.do("keep"), "refused")


def test_a_sentence_is_committed_marked_and_never_revealed_by_nothing() -> None:
    core = at("token-row")
    core.answer("0.28")
    core.go_on()
    assert core.asking().kind == "sentence"
    assert "Nothing was typed" in said(core.answer("  "), "refused")
    assert not core.marking
    committed = core.answer("marks would  have sizes")
    assert [message.kind for message in committed.messages] == ["yours", "answer"]
    assert said(committed, "yours") == "You: marks would have sizes"
    assert core.asking().kind == "mark"
    assert "That is no mark" in said(core.answer("4"), "refused")
    marked = core.answer("2")
    assert said(marked, "marked") == "Marked: partly. Paid with help."
    assert marked.messages[:2] == committed.messages, "both stay readable"
    assert core.walk.ledger.entry(CheckRef("token-row.2")).state == "helped"


def test_a_sentence_that_is_revealed_is_borrowed() -> None:
    core = at("token-row")
    core.answer("0.28")
    reply = core.do("reveal", "check:token-row.2")
    assert [message.kind for message in reply.messages] == ["answer", "borrowed"]
    assert core.walk.ledger.entry(CheckRef("token-row.2")).state == "borrowed"


def test_a_number_seen_by_stepping_on_and_back_is_paid_with_help_and_marked() -> None:
    core = at("a[0,0]")
    core.do("next")
    core.do("back")
    assert "on screen before" in said(core.answer("1.73"), "notice")
    entry = core.walk.ledger.entry(CellRef("a", (0, 0)))
    assert (entry.state, entry.seen) == ("helped", True)


def test_what_a_check_has_the_learner_read_off_is_paid_in_full() -> None:
    core = at("token-row")
    assert said(core.answer("0.28"), "state") == "Paid."


def test_help_waits_until_the_next_question_was_seen() -> None:
    core = at("token-row")
    core.answer("0.28")
    assert core.asking().settled
    assert core.do("hint") == Reply()
    assert core.asking().kind == "sentence"


def test_sentences_and_slips_made_good_are_counted_apart() -> None:
    core = at("token-row")
    core.answer("0.28")
    core.go_on()
    core.answer("they would have sizes")
    core.answer("had")
    core.do("goto", "a[0,0]")
    core.answer("0.58")
    core.answer("1.73")
    tally = core.visible.tally()
    assert (tally.judged["paid"], tally.marked["paid"], tally.recovered) == (2, 1, 1)
    assert core.visible.counts()["paid"] == 3
    told = [message.text for message in core.summary().messages()]
    assert told[0].startswith("This was the last step. In this lesson: 2 paid, 0 paid with help")
    assert told[1].startswith("Sentences, marked by yourself: 1 had it, ")
    assert told[2] == "Slipped, then right without help: 1."
    (flatten,) = [stage for stage in core.summary().stages if stage.id == "flatten"]
    assert flatten.judged["paid"] == 1


def test_a_check_keeps_its_number_beside_its_sibling_and_where_others_are_left_out() -> None:
    core = at("a[0,0]")
    core.do("reveal")
    core.go_on()
    asking = core.asking()
    assert asking.question is not None
    assert asking.question.sibling
    assert (asking.place, asking.count) == (1, 3)
    numbers: dict[str, set[tuple[Place, int, int]]] = {}
    for prompt in ("h", "ha"):
        walk = Walk(open_run("press-h", prompt=prompt))
        for stage in range(len(walk.stages)):
            for step in range(max(1, len(walk.stages[stage].steps))):
                walk.move(Place(stage, step))
                for asked in walk.questions():
                    assert asked.check is not None
                    numbers.setdefault(asked.check.id, set()).add((walk.place, *walk.visible.numbered(asked)))
    assert len(numbers) > 30
    assert all(len(found) == 1 for found in numbers.values())


def test_the_end_is_told_once_for_all() -> None:
    core = at("retold")
    core.walk.move(Place(99, 99))
    reply = core.do("next")
    assert reply.wish == "end"
    assert reply.messages[0].text.startswith("This was the last step. In this lesson: 0 paid, 0 paid with help")
    assert core.summary().following == "bank"


# ---------------------------------------------------------------- numbers as typed


@pytest.mark.parametrize(
    ("text", "value", "shown"),
    [
        ("0.5", 0.5, "0.5"),
        ("0,5", 0.5, "0.5"),
        ("1/4", 0.25, "0.25"),
        ("1/3", 0.3333, "0.3333"),
        ("-.50", -0.5, "-0.50"),
    ],
)
def test_a_dial_is_one_number_everywhere_and_used_as_it_is_shown(text: str, value: float, shown: str) -> None:
    core = at("x0")
    reply = core.do("turn", f"E[h,0] {text}")
    assert f"E[7,0] is {shown} now." in said(reply, "notice")
    assert core.walk.opened.run.graph.tensor("E").values[7, 0] == value


@pytest.mark.parametrize("text", ["1,234", "1,234,567"])
def test_what_may_be_two_numbers_is_refused_in_a_sentence(text: str) -> None:
    core = at("x0")
    reply = core.do("turn", f"E[h,0] {text}")
    if text == "1,234":
        assert said(reply, "refused").startswith("1,234 may be 1234 or 1.234")
        assert core.walk.opened.run.graph.own
    else:
        assert "E[7,0] can't be 1.23457e+06" in said(reply, "refused")


def test_a_ticket_is_read_and_shown_with_its_digits() -> None:
    core = at("drawn")
    core.do("ticket", "0.405")
    assert "Ticket: 0.405." in said(core.do("where"), "notice")
    for text in ("1.5", "0,405,1", "half"):
        assert core.do("ticket", text).refused
    with pytest.raises(BadInput, match="from 0 to 1"):
        typed.ticket("7")


# ---------------------------------------------------------------- who may uncover, who looks on


class Led:
    """The one who leads uncovers."""

    def may_uncover(self, walk: Walk) -> str:
        return "the cover is lifted for all at once"

    def may_reveal(self, walk: Walk, ref: Ref) -> str:
        return "" if ref == CellRef("a", (0, 0)) else "answers are shown to all at once"


class Looking:
    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []

    def answer(self, walk: Walk, outcome: Outcome, typed: str) -> None:
        self.seen.append((str(outcome.question.ref), typed))


def test_a_policy_says_who_may_uncover_and_borrow() -> None:
    core = LessonController(Walk(open_run("press-h")), policy=Led())
    core.do("goto", "a[0,0]")
    reply = core.do("cover")
    assert said(reply, "refused") == "The cover is lifted for all at once."
    assert core.visible.cover
    assert core.do("reveal", "a[0,1]").refused
    assert not core.do("reveal").refused


def test_who_looks_on_hears_of_every_answer() -> None:
    looking = Looking()
    core = LessonController(Walk(open_run("press-h")), observers=(looking,))
    core.do("goto", "a[0,0]")
    core.answer("0.58")
    core.answer("q[0,1] = 3")
    assert looking.seen == [("a[0,0]", "0.58"), ("q[0,1]", "q[0,1] = 3")]


def test_refusals_keep_the_small_letter_of_a_cell() -> None:
    core = at("x0")
    assert said(core.do("turn", "a[0,0] 1"), "refused").startswith("a[0] is not a dial")
    assert said(core.do("goto", "nowhere"), "refused").startswith("'nowhere' is neither")
    assert isinstance(core.said[0], Message)

"""What if, through the one core: changes taken back, switches, many dials, what moved, predictions, writing on."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tui_attention.interaction.commands import COMMANDS
from tui_attention.interaction.controller import LessonController
from tui_attention.interaction.messages import Reply
from tui_attention.lessons.run import LessonRun, open_run
from tui_attention.walk.refs import CellRef
from tui_attention.walk.walk import Walk

END = "drawn"


def core(prompt: str = "he", *, cover: bool = False, at: str = END) -> LessonController:
    walk = Walk(open_run("press-h", prompt), cover=cover)
    walk.goto(at)
    return LessonController(walk)


def said(reply: Reply) -> str:
    return " ".join(message.text for message in reply.messages)


def page(reply: Reply) -> str:
    assert reply.page is not None, said(reply)
    return "\n".join(line.text for line in reply.page.lines)


def logits(which: LessonController | LessonRun) -> np.ndarray:
    run = which.walk.opened.run if isinstance(which, LessonController) else which
    return np.asarray(run.graph.tensor("logits").values)


def test_undo_and_redo_go_through_every_kind_of_change_and_back_bit_for_bit() -> None:
    here = core()
    states = [logits(here)]
    for command, argument in (
        ("turn", "E[h,0] 0.5"),
        ("switch", "scale"),
        ("zero", "Wq head 1"),
        ("scale", "Wk[2] 0.5"),
        ("redraw", "Wv 7"),
        ("prompt", "hab"),
        ("switch", "relu"),
    ):
        reply = here.do(command, argument)
        assert not reply.refused, said(reply)
        states.append(logits(here))
    for wanted in states[-2::-1]:
        here.do("undo")
        assert np.array_equal(logits(here), wanted)
    assert "No" in said(here.do("undo"))
    for wanted in states[1:]:
        here.do("redo")
        assert np.array_equal(logits(here), wanted)
    assert "Nothing was taken back" in said(here.do("redo"))


def test_one_dial_or_everything_is_set_back() -> None:
    here = core()
    own = logits(here)
    here.do("turn", "E[h,0] 0.5")
    here.do("turn", "E[h,1] 0.5")
    here.do("switch", "mask")
    here.do("reset_dials", "E[h,0]")
    assert [str(cell) for cell, _ in here.visible.turned()] == ["E[7,1]"]
    here.do("reset_dials")
    assert np.array_equal(logits(here), own)
    assert "was not changed" in said(here.do("reset_dials", "E[h,0]"))


def test_a_switch_is_thrown_and_put_back_and_makes_way_for_its_opposite() -> None:
    here = core()
    own = logits(here)
    assert "relu" in page(here.do("switch"))
    here.do("switch", "relu")
    here.do("switch", "tanh")
    assert here.walk.opened.run.graph.program.switched == ("tanh",)
    here.do("switch", "tanh")
    assert np.array_equal(logits(here), own)
    assert here.do("switch", "nothing").refused


def test_whole_regions_are_changed_at_once() -> None:
    here = core()
    here.do("zero", "Wq head 1")
    table = np.asarray(here.walk.opened.run.graph.tensor("Wq").values)
    assert not table[:, 3:].any()
    assert table[:, :3].any()
    here.do("zero", "Wq[2]")
    assert not np.asarray(here.walk.opened.run.graph.tensor("Wq").values)[2].any()
    for wrong in ("Qq", "Wq head 2", "E head 0 0", "Wq[9]"):
        assert here.do("zero", wrong).refused, wrong
    assert here.do("scale", "Wq").refused
    assert here.do("scale", "Wq 1e9").refused


def test_what_moved_stands_before_beside_after_down_to_the_logits() -> None:
    here = core()
    assert "Nothing was changed" in said(here.do("moved"))
    here.do("turn", "E[h,0] 0.5")
    text = page(here.do("moved"))
    assert "E[7,0]  0.28 -> 0.50  +0.22" in text
    assert "logits (final scores)" in text
    assert "Wq" not in text
    assert "still covered" not in text


def test_covered_cells_stay_covered_in_what_moved_and_in_a_comparison() -> None:
    here = core(cover=True, at="x0")
    here.do("turn", "E[h,0] 0.5")
    for reply in (here.do("moved"), here.do("compare", "ha")):
        lines = page(reply).splitlines()
        assert any("still covered" in line for line in lines)
        moved_names = {line.split()[0].split("[")[0] for line in lines if "->" in line and line.startswith("  ")}
        assert moved_names <= {"E", "P", "e", "p", "ids", "x0"} - {"x0"}, moved_names


@pytest.mark.parametrize("command", ["next_token", "write_on", "lens"])
def test_what_would_give_the_scores_away_waits_until_they_show(command: str) -> None:
    assert "covered" in said(core(cover=True, at="c").do(command))
    assert not core(cover=True, at="shapes").do(command).refused


def test_a_number_is_predicted_before_it_is_seen() -> None:
    here = core()
    cell = CellRef("q", (0, 0))
    assert "Change something" in said(here.do("predict", "q[0,0]"))
    reply = here.do("turn", "E[h,0] 0.9")
    assert "what is q[0,0] now" in said(reply)
    assert not here.visible.shown(cell)
    assert not here.visible.shown(CellRef("logits", (0, 0)))
    assert here.visible.shown(CellRef("P", (1, 0))), "what does not depend on it stays in sight"
    wanted = here.walk.opened.run.graph.cell("q", (0, 0)).printed
    assert "still covered" in page(here.do("moved"))
    verdict = here.answer(f"q[0,0] = {wanted}")
    assert any(message.kind == "verdict" and message.style == "good" for message in verdict.messages)
    assert here.visible.shown(CellRef("logits", (0, 0)))
    assert "still covered" not in page(here.do("moved"))


def test_a_prediction_can_be_borrowed_or_dropped() -> None:
    here = core()
    here.do("predict", "q[0,0]")
    here.do("switch", "norm")
    here.do("reveal", "q[0,0]")
    assert here.walk.predicting is None
    here.do("predict", "q[0,0]")
    here.do("switch", "scale")
    here.do("undo")
    assert not here.walk.held
    assert here.do("predict", "E[0,0]").refused


def test_the_strip_shows_where_the_ticket_lands() -> None:
    here = core("h")
    text = page(here.do("next_token"))
    assert "> d          0.166  from 0.326 to 0.492" in text
    assert text.count("<- ticket") == 1
    assert "greedy" in said(here.do("sampling", "temperature 0"))
    assert "> b" in page(here.do("next_token"))
    assert here.do("sampling", "temperature -1").refused
    assert "0 is used" in said(here.do("sampling", "temperature 1 top-k -3"))


def test_it_writes_on_and_says_what_is_kept() -> None:
    here = core("h")
    here.do("sampling", "temperature 0")
    reply = here.do("write_on")
    assert here.visible.inputs.prompt == "hb"
    assert "The first 1 row is kept" in said(reply)
    for _ in range(10):
        here.do("write_on")
    assert len(here.visible.inputs.prompt) == 12
    assert "12 slots" in said(here.do("write_on"))


def test_tickets_of_a_seed_are_the_same_for_everybody() -> None:
    texts = []
    for _ in range(2):
        here = core("h")
        here.do("sampling", "seed 5")
        for _ in range(4):
            here.do("write_on")
        texts.append(here.visible.inputs.prompt)
    assert texts[0] == texts[1]


def test_the_lens_ends_at_the_lessons_own_logits() -> None:
    here = core("he")
    text = page(here.do("lens"))
    assert text.count("after block 1, MLP") == 2
    best = here.visible.vocabulary.marks[int(np.argmax(logits(here)[-1]))]
    assert f'"{best}" is number 1' in text
    assert here_is_final(here)


def here_is_final(here: LessonController) -> bool:
    from tui_attention.whatif.lens import through

    lens = here.walk.opened.run.lesson.lens
    assert lens is not None
    return bool(np.allclose(through(here.walk.opened.run.graph, lens)[-1].logits, logits(here), atol=1e-12))


def test_the_command_line_is_ready_to_copy() -> None:
    here = core("he")
    here.do("turn", "E[h,0] 0.5")
    here.do("switch", "scale")
    assert said(here.do("hand_on")) == "tui-attention press-h --prompt he --set 'E[7,0]=0.5' --without scale"


def test_no_two_commands_share_a_key() -> None:
    keys = [key for command in COMMANDS for key in command.keys]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("command", ["next_token", "write_on", "lens"])
@pytest.mark.parametrize("at", ["greedy", "chances", "drawn"])
def test_what_the_lesson_makes_of_the_scores_is_not_given_away_either(command: str, at: str) -> None:
    here = core(cover=True, at=at)
    assert "is covered, and this would give it away" in said(here.do(command))
    here.walk.next_stage()
    assert not here.do(command).refused


def test_a_second_change_gives_nothing_away_of_what_is_to_be_predicted() -> None:
    here = core(at="drawn")
    here.do("predict", "logits[0,3]")
    here.do("turn", "E[h,0] 0.5")
    here.do("ticket", "0.7")
    assert not any(here.visible.shown(CellRef(name, (0, 0))) for name in ("a", "logits", "chances"))
    here.do("reveal", "logits[0,3]")
    assert here.visible.shown(CellRef("chances", (0, 0)))


def test_a_refused_setting_leaves_the_others_as_they_were() -> None:
    here = core()
    for argument in ("temperature -1", "seed -1", "seed 3 top-k 1.5", "seed 3 temperature -1"):
        assert here.do("sampling", argument).refused, argument
    assert "Temperature 1, top-k all, top-p 1, the lesson's ticket." in said(here.do("sampling"))
    assert not here.do("next_token").refused


def test_what_is_written_by_powers_of_ten_moves_so_too() -> None:
    walk = Walk(open_run("bank"), cover=False)
    walk.goto("loop_gap_masked")
    here = LessonController(walk)
    here.do("turn", "words[bank,0] 0.7")
    moved = page(here.do("moved"))
    assert re.search(r"loop_gap +\S+e-\d+ -> \S+e-\d+  [+-]\S+e-\d+", moved), moved


@pytest.mark.parametrize("number", ["1001", "-1e29"])
def test_a_dial_is_turned_no_further_than_a_command_line_can_say(number: str) -> None:
    here = core()
    assert "a number from -1000 to 1000 was expected" in said(here.do("turn", f"E[h,0] {number}"))


def test_what_comes_further_on_is_not_called_covered_where_the_cover_is_off() -> None:
    for cover, says in ((True, "are covered"), (False, "come further on; go to their step first")):
        core = LessonController(Walk(open_run("press-h"), cover=cover))
        for command in ("next_token", "lens"):
            assert says in " ".join(message.text for message in core.do(command).messages)

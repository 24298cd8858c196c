"""What each block and head did: the pages' numbers against runs that are done the long way."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.models import making
from tui_attention.interaction.controller import LessonController
from tui_attention.interaction.messages import Reply
from tui_attention.models.checkpoint import open_checkpoint
from tui_attention.models.graph import ModelGraph
from tui_attention.models.looking import block_lines, direct, entropy, head_effects
from tui_attention.models.opening import open_named
from tui_attention.models.running import Model, Switches, shares_of
from tui_attention.walk.refs import CellRef
from tui_attention.walk.walk import Walk


@pytest.mark.parametrize("case", ["gpt2", "gpt2-untied-gelu", "llama", "llama-tied-bias", "qwen3"])
def test_the_parts_of_a_logit_add_up_to_it(tmp_path: Path, case: str) -> None:
    model = Model(open_checkpoint(making.folder(tmp_path / case, making.CASES[case])), dtype=np.float64)
    rows = model.run(making.IDS)
    logits = model.next_logits(rows)
    for token in (0, 5, 96):
        parts = [part for step in direct(model, rows, token) for part in step]
        assert sum(part.logit for part in parts) == pytest.approx(float(logits[token]), abs=1e-9)
    heads = {part.name: part.logit for step in direct(model, rows, 5) for part in step}
    off = model.run(making.IDS, Switches(frozenset({(model.spec.blocks - 1, 1)})))
    x, without = rows.outputs[-1][-1], model.trace(off, model.spec.blocks - 1)["y"][-1]
    moved = model.trace(rows, model.spec.blocks - 1)["y"][-1] - without
    assert heads[f"{model.spec.blocks - 1}.1"] != pytest.approx(0.0, abs=1e-6)
    assert np.abs(moved).max() > 1e-6
    assert x.shape == moved.shape


@pytest.mark.parametrize("case", ["gpt2", "mistral-window"])
def test_an_effect_is_that_of_a_whole_run(tmp_path: Path, case: str) -> None:
    model = Model(open_checkpoint(making.folder(tmp_path / case, making.CASES[case])))
    rows = model.run(making.IDS)
    token = int(np.argmax(model.next_logits(rows)))
    found = {effect.name: effect for effect in head_effects(model, rows, token, 1)}
    assert list(found) == ["1.0", "1.1", "1.2", "1.3", "1.attn", "1.mlp"]
    for name, switches in (
        ("1.2", Switches(frozenset({(1, 2)}))),
        ("1.attn", Switches(parts=frozenset({(1, "attn")}))),
        ("1.mlp", Switches(parts=frozenset({(1, "mlp")}))),
    ):
        whole = shares_of(model.next_logits(model.run(making.IDS, switches)))[token]
        assert found[name].after == pytest.approx(float(whole), abs=1e-6)
    assert len({effect.after for effect in found.values()}) == 6


def test_entropy_is_in_bits() -> None:
    rows = np.array([[1.0, 0, 0, 0], [0.25, 0.25, 0.25, 0.25], [0.5, 0.5, 0, 0]])
    assert entropy(rows).tolist() == [0.0, 2.0, 1.0]


def test_a_block_line_is_what_inspect_says(tmp_path: Path) -> None:
    model = Model(open_checkpoint(making.folder(tmp_path / "m", making.CASES["llama"])))
    rows = model.run(making.IDS)
    lines = block_lines(model, rows)
    assert [line.block for line in lines] == [0, 1, 2]
    assert lines[-1].rank == 1
    assert lines[1].norm == pytest.approx(float(np.linalg.norm(rows.outputs[2][-1])), rel=1e-6)


# ---------------------------------------------------------------- the commands


@pytest.fixture
def core(tmp_path: Path) -> LessonController:
    """A small model with a tokenizer, at the shares of its second block."""
    path = tmp_path / "small.gguf"
    path.write_bytes(making.gguf(making.SMALL, making.small_tensors()))
    walk = Walk(open_named(str(path), "the cat sat"), cover=False)
    walk.goto("share_1")
    return LessonController(walk)


def lines(reply: Reply) -> list[str]:
    """The lines of a page."""
    assert reply.page is not None, reply.messages
    return [line.text for line in reply.page.lines]


def graph_of(core: LessonController) -> ModelGraph:
    graph = core.walk.opened.run.graph
    assert isinstance(graph, ModelGraph)
    return graph


def test_the_pages(core: LessonController) -> None:
    pattern = lines(core.do("pattern", "1.2"))
    assert len(pattern) == 2 + len(graph_of(core).tokens)
    assert pattern[2].split()[:2] == ["the", "1.00"]
    assert len(lines(core.do("heads"))) == 1 + 4
    assert lines(core.do("heads", "0"))[1].startswith("0.0")
    effects = lines(core.do("effects"))
    assert len(effects) == 1 + 6
    changes = [abs(float(line.split()[-1])) for line in effects[1:]]
    assert changes == sorted(changes, reverse=True)
    assert "add up to the logit" in lines(core.do("sources"))[0]
    assert "follows the first" in lines(core.do("sources", " sat"))[0]
    lens = lines(core.do("lens"))
    assert [line.split()[0] for line in lens[1:]] == ["embedding", "0", "1"]
    assert lens[-1].endswith("  1")
    assert any(line.endswith("<- taken") for line in lines(core.do("next_token")))


def test_a_head_is_switched_off_and_on(core: LessonController) -> None:
    before = graph_of(core).tensor("logits").values
    reply = core.do("head_off", "1.2")
    assert "1.2 is off: the chance of" in reply.messages[0].text
    assert graph_of(core).program.switched == ("1.2",)
    assert np.abs(graph_of(core).tensor("logits").values - before).max() > 1e-4
    assert "is on again" in core.do("head_off", "1.2").messages[0].text
    assert np.abs(graph_of(core).tensor("logits").values - before).max() == 0
    core.do("head_off", "0.mlp")
    assert graph_of(core).switches.parts == {(0, "mlp")}
    core.do("undo")
    assert graph_of(core).program.switched == ()


def test_the_same_stage_of_the_other_block(core: LessonController) -> None:
    core.do("block_back")
    assert core.walk.stage.id == "share_0"
    assert "no block on that side" in core.do("block_back").messages[0].text
    core.do("block_on")
    assert core.walk.stage.id == "share_1"


def test_writing_on_keeps_rows(core: LessonController) -> None:
    before = graph_of(core)
    reply = core.do("write_on")
    after = graph_of(core)
    if reply.refused:
        assert "cut otherwise" in reply.messages[0].text
        return
    assert after.ids[:-1] == before.ids
    kept, fresh = after.painted_rows(), after.painted.run(after.ids)
    assert len(kept.past) == 2
    for one, other in zip(kept.outputs, fresh.outputs, strict=True):
        assert np.abs(one - other).max() < 1e-4


@pytest.mark.parametrize("command", ["pattern", "heads", "sources", "effects", "lens", "next_token"])
def test_nothing_is_told_under_the_cover(core: LessonController, command: str) -> None:
    core.walk.toggle_cover()
    reply = core.do(command)
    assert reply.page is None
    assert "covered" in reply.messages[0].text
    assert core.visible.block_notes() == {}


@pytest.mark.parametrize("command", ["pattern", "heads", "sources", "effects", "head_off"])
def test_a_lesson_has_no_such_page(command: str) -> None:
    core = LessonController(Walk(open_named("press-h"), cover=False))
    assert "only a trained model" in core.do(command).messages[0].text


def test_the_outline_and_the_slices(core: LessonController) -> None:
    graph = graph_of(core)
    assert graph.pending("x2_1") == 2
    graph.prepare()
    assert (graph.pending("x2_0"), graph.pending("x2_1"), graph.pending("logits")) == (0, 1, 1)
    while graph.pending("logits"):
        graph.prepare()
    assert graph.outline() == {}
    while graph.prepare_outline():
        pass
    assert list(graph.outline()) == ["block-0", "block-1"]
    assert graph.outline()["block-1"][0] == "#1"


def test_the_word_that_the_pages_are_about(core: LessonController) -> None:
    graph = graph_of(core)
    logits = graph.painted.next_logits(graph.painted.run(graph.ids))
    token = 257  # "the"; there is none with a blank before it
    reply = core.do("word", "the")
    rank = 1 + int((logits > logits[token]).sum())
    assert reply.messages[0].text.startswith(f"'the': number {rank} of 260, chance {shares_of(logits)[token]:.3g}")
    assert "of the logit of 'the'" in lines(core.do("sources"))[0].replace("to the logit", "of the logit")
    assert "rank of 'the'" in lines(core.do("lens"))[0]
    assert lines(core.do("effects"))[0].startswith("chance of 'the':")
    assert "chance of 'the' goes from" in core.do("head_off", "1.2").messages[0].text
    core.do("undo")
    assert core.do("word", '"c"').messages[0].text.startswith("'c': number")
    assert core.do("word", "").messages[0].text.startswith("The pages are about the answer again")
    assert core.word == ""
    assert core.do("word", "xyz").messages[0].text.startswith("'xyz' is 3 tokens; ")


def test_a_head_is_the_one_of_the_cell_that_is_pointed_at(core: LessonController) -> None:
    for cell, head in (
        ("shares_1[3,2,1]", "1.3"), ("q_1[2,17]", "1.2"), ("kh_1[1,2,0]", "1.2"), ("v_1[0,5]", "1.0"),
        ("blend_0[1,31]", "0.3"),
    ):  # fmt: skip
        core.do("goto", cell)
        core.focus = CellRef(*graph_of(core).locate(cell))
        assert core.do("head_off").messages[0].text.startswith(f"{head} is off:"), cell
        core.do("undo")
    core.focus = CellRef("x2_1", (0, 0))
    reply = core.do("head_off")
    assert reply.refused
    assert "number of a head was expected" in reply.messages[0].text


def test_another_prompt_beside_this_one(core: LessonController) -> None:
    page = core.do("compare", "the dog sat").page
    assert page is not None
    assert page.title == '"the cat sat" beside "the dog sat"'
    last = [line for line in page.lines if line.text.startswith("1 ")]
    assert len(last) == 1
    graph = graph_of(core)
    rows = [graph.painted.run(one.ids) for one in (graph, graph.with_inputs("the dog sat"))]
    norms = [float(np.linalg.norm(one.outputs[-1][-1])) for one in rows]
    assert [float(part) for part in last[0].text.split()[2:5:2]] == pytest.approx(norms, abs=0.06)
    assert core.do("compare").refused
    assert core.do("compare", "a\ud800").refused
    assert core.walk.opened.run.graph is graph


def test_what_moved_by_a_head_that_was_switched_off(core: LessonController) -> None:
    assert "Nothing was changed" in core.do("moved").messages[0].text
    core.do("head_off", "1.1")
    assert "Block 0 is as before." in lines(core.do("moved"))
    core.do("head_off", "0.1")
    moved = lines(core.do("moved"))
    assert moved[0].startswith("The next token")
    assert sum(line.split()[0] in ("0", "1") for line in moved) == 2
    before = next(line for line in moved if line.startswith("0 "))
    assert before.split()[2] != before.split()[4]


def test_what_is_to_be_predicted_is_told_on_no_page(core: LessonController) -> None:
    core.do("predict", "x2_1[0,3]")
    core.do("turn", "Wq_0[0,0] 2")
    for command in ("moved", "pattern", "lens", "sources", "word"):
        assert core.do(command, "the" if command == "word" else "").refused, command


@pytest.mark.parametrize(
    ("command", "argument", "says"),
    [
        ("zero", "Wq_1 head 2", "Wq_1, head 2 is zero now"),
        ("zero", "Wk_1 head 1", "Wk_1, head 1 is zero now"),
        ("zero", "Wk_1 head 2", "has no head 2"),
        ("scale", "E[4] 0.5", "E[4] is 0.5 times"),
        ("redraw", "g1_0 3", "drawn anew with seed 3"),
        ("zero", "nothing", "is no table"),
    ],
)
def test_many_weights_at_once(core: LessonController, command: str, argument: str, says: str) -> None:
    assert says in core.do(command, argument).messages[0].text


def test_no_more_weights_are_changed_at_once_than_can_be(core: LessonController, monkeypatch: Any) -> None:
    monkeypatch.setattr("tui_attention.whatif.regions.MOST_AT_ONCE", 500)
    reply = core.do("zero", "Wq_1")
    assert reply.refused
    assert "Wq_1 has 1,024 numbers, and 500 at most are changed at once" in reply.messages[0].text


def test_the_command_line_brings_the_state_back(core: LessonController) -> None:
    core.do("head_off", "1.2")
    core.do("turn", "Wq_0[0,0] 2")
    (message,) = core.do("hand_on").messages
    assert message.kind == "command"
    words = shlex.split(message.text)
    path = graph_of(core).house.checkpoint.path
    assert words == [
        "tui-attention",
        str(path),
        "--prompt",
        "the cat sat",
        "--set",
        "Wq_0[0,0]=2",
        "--without",
        "1.2",
    ]

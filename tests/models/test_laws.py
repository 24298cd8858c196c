"""The laws against held numbers of another implementation, on checkpoints that are written here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.models import making
from tui_attention.engine.errors import BadInput
from tui_attention.models.checkpoint import open_checkpoint
from tui_attention.models.law import frequencies
from tui_attention.models.running import Model, Switches
from tui_attention.models.spec import Rope

HELD: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data/models/laws.json").read_text(encoding="utf-8"))


def opened(tmp_path: Path, case: str, dtype: type = np.float32, megabytes: float = 600) -> Model:
    """The random model of one case."""
    return Model(open_checkpoint(making.folder(tmp_path / case, making.CASES[case])), megabytes, dtype)


@pytest.mark.parametrize("case", making.CASES)
def test_float32_is_the_reference(tmp_path: Path, case: str) -> None:
    model = opened(tmp_path, case)
    rows = model.run(making.IDS)
    assert np.abs(model.next_logits(rows) - HELD[case]["logits32"]).max() < 1e-4
    assert model.next_logits(rows).dtype == np.float32


@pytest.mark.parametrize("case", making.CASES)
def test_float64_is_the_reference(tmp_path: Path, case: str) -> None:
    model, held = opened(tmp_path, case, np.float64), HELD[case]
    rows = model.run(making.IDS)
    assert np.abs(model.next_logits(rows) - held["logits64"]).max() < 1e-9
    shares = model.trace(rows, model.spec.blocks - 1)["shares"][1]
    assert np.abs(shares.ravel() - held["attention"]).max() < 1e-9
    norms = [np.linalg.norm(output[-1]) for output in rows.outputs]
    assert np.abs(np.array(norms[:-1]) - held["norms"][: len(norms) - 1]).max() < 1e-9


@pytest.mark.parametrize("case", ["gpt2", "llama-llama3", "mistral-window", "qwen2-window", "qwen3"])
def test_kept_rows_give_what_a_run_gives(tmp_path: Path, case: str) -> None:
    model = opened(tmp_path, case, np.float64)
    whole = model.run(making.IDS)
    grown = model.run(making.IDS[:3])
    model.extend(grown, making.IDS[3:4])
    model.extend(grown, making.IDS[4:])
    assert grown.ids == whole.ids
    for one, other in zip(grown.outputs, whole.outputs, strict=True):
        assert np.abs(one - other).max() < 1e-11


@pytest.mark.parametrize("dtype", ["F16", "BF16", "F64"])
def test_other_storages_open(tmp_path: Path, dtype: str) -> None:
    config = making.CASES["llama"]
    whole = Model(open_checkpoint(making.folder(tmp_path / "a", config)))
    stored = Model(open_checkpoint(making.folder(tmp_path / "b", config, dtype)))
    exact = whole.tables(0)("Wq")
    found = stored.tables(0)("Wq")
    assert exact is not None
    assert found is not None
    wanted = {
        "F16": exact.astype(np.float16).astype(np.float32),
        "BF16": (np.ascontiguousarray(exact).view(np.uint32) & 0xFFFF0000).view(np.float32),
        "F64": exact,
    }[dtype]
    assert (found == wanted).all()


def test_a_small_budget_changes_no_number(tmp_path: Path) -> None:
    model, tight = opened(tmp_path, "llama"), opened(tmp_path, "llama", megabytes=0.001)
    rows, others = model.run(making.IDS), tight.run(making.IDS)
    assert tight.memory.used <= 1000
    assert (model.next_logits(rows) == tight.next_logits(others)).all()
    for block in range(3):
        assert (model.trace(rows, block)["shares"] == tight.trace(others, block)["shares"]).all()


def test_a_head_that_is_off_adds_nothing(tmp_path: Path) -> None:
    model = opened(tmp_path, "llama", np.float64)
    on, off = model.run(making.IDS), model.run(making.IDS, Switches(frozenset({(1, 2)})))
    assert (on.outputs[1] == off.outputs[1]).all()
    before, after = model.trace(on, 1), model.trace(off, 1)
    wo = model.tables(1)("Wo")
    assert wo is not None
    share = before["heads"][2] @ wo[12:18]
    assert np.abs(before["y"] - share - after["y"]).max() < 1e-12
    assert np.abs(before["y"] - after["y"]).max() > 1e-3


def test_a_block_that_is_off_hands_its_row_on(tmp_path: Path) -> None:
    model = opened(tmp_path, "gpt2")
    rows = model.run(making.IDS, Switches(parts=frozenset({(1, "attn"), (1, "mlp")})))
    assert (rows.outputs[2] == rows.outputs[1]).all()
    assert (rows.outputs[3] != rows.outputs[2]).any()
    half = model.run(making.IDS, Switches(parts=frozenset({(1, "mlp")})))
    assert (half.outputs[2] == model.trace(half, 1)["x1"]).all()
    assert (half.outputs[2] != half.outputs[1]).any()


def test_a_traced_block_is_the_block_that_ran(tmp_path: Path) -> None:
    model = opened(tmp_path, "qwen3")
    rows = model.run(making.IDS)
    for block in range(3):
        trace = model.trace(rows, block)
        assert (trace["x"] == rows.outputs[block]).all()
        assert (trace["x2"] == rows.outputs[block + 1]).all()
        assert np.allclose(trace["shares"].sum(-1), 1, atol=1e-6)


@pytest.mark.parametrize(("ids", "said"), [((), "at least one token"), ((97,), "no token 97"), ((-1,), "no token")])
def test_strange_tokens_are_refused(tmp_path: Path, ids: tuple[int, ...], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        opened(tmp_path, "gpt2").run(ids)


def test_a_place_past_the_last_is_refused(tmp_path: Path) -> None:
    model = opened(tmp_path, "gpt2")
    rows = model.run([1] * 32)
    with pytest.raises(BadInput, match="places for 32"):
        model.extend(rows, [1])
    with pytest.raises(BadInput, match="places for 32"):
        model.run([1] * 33)


def test_llama3_leaves_fast_pairs_and_slows_slow_ones() -> None:
    plain = frequencies(Rope(500.0), 16)
    scaled = frequencies(Rope(500.0, "llama3", 8.0, 1.0, 4.0, 16), 16)
    turns = 16 * plain / (2 * np.pi)
    assert (scaled[turns > 4] == plain[turns > 4]).all()
    assert np.allclose(scaled[turns < 1], plain[turns < 1] / 8)
    assert ((scaled <= plain) & (scaled >= plain / 8)).all()

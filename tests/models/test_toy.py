"""The toy of press-h, saved as a GPT-2 checkpoint and opened as a trained model, gives press-h's numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.models import making
from tui_attention.lessons.run import LessonRun, open_run
from tui_attention.models.graph import open_model_run

SAME = {
    "ids": "ids", "x0": "x0", "mu1": "mu1_0", "sigma1": "sigma1_0", "a": "a_0", "q": "q_0", "k": "k_0", "v": "v_0",
    "qh": "qh_0", "kh": "kh_0", "vh": "vh_0", "scores": "scores_0", "shares": "shares_0", "heads": "heads_0",
    "blend": "blend_0", "y": "y_0", "x1": "x1_0", "b": "b_0", "wide": "wide_0", "bend": "bend_0", "m": "m_0",
    "x2": "x2_0", "c": "c", "logits": "logits", "chances": "chances",
}  # fmt: skip
"""A tensor of the lesson, and what the law of GPT-2 calls it in block 0."""


def saved(run: LessonRun, folder: Path) -> Path:
    """The lesson's tables as a checkpoint of GPT-2's layout, float64, with a tokenizer that knows its marks alone."""
    table = {name: np.asarray(run.graph.tensor(name).values, np.float64) for name in run.lesson.program.tables}
    marks = run.lesson.program.vocabulary.marks
    d, wide = table["Wf"].shape
    config = {
        "model_type": "gpt2", "vocab_size": len(marks), "n_embd": d, "n_layer": 1, "n_head": 2, "n_inner": wide,
        "n_positions": len(table["P"]), "activation_function": "gelu", "layer_norm_epsilon": 1e-5,
        "tie_word_embeddings": False,
    }  # fmt: skip
    at = "transformer.h.0."
    tensors = {
        "transformer.wte.weight": table["E"],
        "transformer.wpe.weight": table["P"],
        at + "attn.c_attn.weight": np.concatenate([table["Wq"], table["Wk"], table["Wv"]], axis=1),
        at + "attn.c_proj.weight": table["Wo"],
        at + "mlp.c_fc.weight": table["Wf"],
        at + "mlp.c_proj.weight": table["Wp"],
        "lm_head.weight": table["Wlm"].T,
    }
    for name, shape in making.shapes(config).items():  # the toy has no gains and no biases
        plain = np.ones if "ln_" in name and name.endswith("weight") else np.zeros
        tensors.setdefault(name, plain(shape))
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "model.safetensors").write_bytes(making.safetensors(tensors, "F64"))
    vocabulary = {
        "type": "BPE",
        "vocab": {mark.replace(" ", "\u0120"): i for i, mark in enumerate(marks)},
        "merges": [],
    }
    cut = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
    (folder / "tokenizer.json").write_text(json.dumps({"model": vocabulary, "pre_tokenizer": cut}), encoding="utf-8")
    return folder


@pytest.mark.parametrize("prompt", ["h", "he", "a bad cab.ha"])
def test_the_toy_as_a_checkpoint_gives_the_lessons_numbers(tmp_path: Path, prompt: str) -> None:
    toy = open_run("press-h", prompt)
    model = open_model_run(saved(toy, tmp_path / "toy"), prompt)
    for name, other in SAME.items():
        one, two = toy.graph.tensor(name).values, np.asarray(model.graph.tensor(other).values)
        assert one.shape == two.shape, name
        finite = np.isfinite(one)
        assert (finite == np.isfinite(two)).all(), name
        assert np.abs(one[finite] - two[finite]).max() < 1e-12, name
    assert model.graph.tensor("ids").axes[0].labels == tuple(prompt.replace(" ", "␣"))

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tui_attention.export import compare as comparing
from tui_attention.export import log, proof
from tui_attention.export.compare import LOOP, TORCH, Comparison, compare
from tui_attention.lessons.run import open_run

DATA = Path(__file__).resolve().parent.parent / "data"
VERSION_LINE, MEASURED, COMPARED = 3, (86, 88), 85


@pytest.fixture
def no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "_torch", lambda: None)


def wanted() -> list[list[str]]:
    return [line.split() for line in (DATA / "results_log.txt").read_text().splitlines()]


def written(**inputs: str) -> list[str]:
    return list(log.write(open_run("bank", inputs.get("prompt"), inputs.get("other"))).lines)


def test_the_log_token_for_token(no_torch: None) -> None:
    lines = [line.split() for line in written()]
    reference = wanted()
    assert len(lines) == len(reference)
    for number, (line, golden) in enumerate(zip(lines, reference, strict=True), 1):
        if number == VERSION_LINE:
            text = " ".join(line)
            assert re.fullmatch(r"torch not installed \| numpy \S+ \| matplotlib .+ \| python \S+ \| seed 0", text)
        elif number == COMPARED:
            assert " ".join(line) == "ours vs an independent loop (torch not installed):"
        elif number in MEASURED:
            assert line[:-1] == golden[:-1]
            assert 0 <= float(line[-1]) <= 1e-15
        else:
            assert line == golden, number


def test_with_torch_the_log_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "compare", lambda run, seed: Comparison(TORCH, "9.9+cpu", 2.22e-16, 0.0, "these"))
    lines = written()
    assert lines[VERSION_LINE - 1].startswith("torch 9.9+cpu | numpy ")
    assert lines[COMPARED - 1].split() == wanted()[COMPARED - 1]
    assert lines[MEASURED[0] - 1].split() == wanted()[MEASURED[0] - 1]


def test_running_versions(no_torch: None) -> None:
    assert f"numpy {np.__version__} " in written()[VERSION_LINE - 1]


def test_a_package_that_is_missing_is_said_to_be(no_torch: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def version(package: str) -> str:
        if package == "matplotlib":
            raise PackageNotFoundError
        return "1"

    monkeypatch.setattr(log, "version", version)
    assert "| matplotlib not installed |" in written()[VERSION_LINE - 1]


@pytest.mark.parametrize(
    "inputs",
    [
        {"prompt": "bank"},
        {"prompt": "the", "other": "the"},
        {"other": "river"},
        {"prompt": " ".join(["money", "river", "the", "bank"] * 3), "other": "bank bank"},
    ],
)
def test_other_sentences_are_used_throughout(no_torch: None, inputs: dict[str, str]) -> None:
    run = open_run("bank", inputs.get("prompt"), inputs.get("other"))
    text = "\n".join(log.write(run).lines)
    prompt, other = run.graph.inputs.prompt, run.graph.inputs.other
    assert text.count(f'"{prompt}"') >= 5
    assert f'"{other}"' in text
    if "prompt" in inputs:
        assert "takes half its update" not in text
    for name in ("S", "A", "A2", "scores", "weights", "causal_weights"):
        tensor = run.graph.tensor(name)
        assert all(tensor.text(index) in text for index in np.ndindex(*tensor.shape))


def test_one_section(no_torch: None) -> None:
    found = log.write(open_run("bank"), "raw")
    whole = written()
    start = whole.index(found.lines[0])
    assert list(found.lines) == whole[start : start + len(found.lines)]
    assert found.lines[0].startswith("[S3]")
    assert found.note == ""


def test_the_note_states_seed_and_inputs(no_torch: None) -> None:
    note = log.write(open_run("bank")).note
    assert "default_rng(0)" in note
    assert '"the river bank"' in note


# ---------------------------------------------------------------- the comparison


def test_the_loop_stands_in_for_torch(no_torch: None) -> None:
    for seed in (None, 0, 1):
        found = compare(open_run("bank"), seed)
        assert (found.label, found.torch) == (LOOP, None)
        assert max(found.gap, found.masked_gap) <= 1e-14
    assert compare(open_run("bank"), 0) == compare(open_run("bank"), 0)


def test_redrawn_dials_are_what_is_compared() -> None:
    run = open_run("bank")
    drawn = comparing.redrawn(run, 0)
    generator = np.random.default_rng(0)
    assert (drawn.graph.tensor("words").values == generator.standard_normal((4, 4))).all()
    assert (drawn.graph.tensor("Wq").values == generator.standard_normal((4, 2))).all()
    assert (run.graph.tensor("Wv").values == np.eye(4)).all()


def test_torch_is_given_our_rows_and_our_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the module, which attends as it does and notes what it was given."""
    masks = []

    def attend(q: np.ndarray, k: np.ndarray, v: np.ndarray, attn_mask: np.ndarray | None = None) -> np.ndarray:
        masks.append(attn_mask)
        scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
        powers = np.exp(scores if attn_mask is None else np.where(attn_mask, scores, -np.inf))
        return np.asarray(powers / powers.sum(axis=-1, keepdims=True) @ v)

    functional = SimpleNamespace(scaled_dot_product_attention=attend)
    torch = SimpleNamespace(
        __version__="9.9",
        float64=np.float64,
        tensor=lambda rows, dtype=None: np.array(rows, dtype),
        nn=SimpleNamespace(functional=functional),
    )
    monkeypatch.setattr(comparing, "_torch", lambda: torch)
    found = compare(open_run("bank"), 0)
    assert (found.label, found.torch) == (TORCH, "9.9")
    assert max(found.gap, found.masked_gap) <= 1e-14
    assert [mask if mask is None else mask.tolist() for mask in masks] == [None, np.tri(3, dtype=bool).tolist()]
    assert comparing.told(found).startswith(f"Compared now with PyTorch 9.9, {TORCH}, on ")


def test_what_is_compared_and_redrawn_is_what_the_lesson_names() -> None:
    run = open_run("bank")
    assert [(one.ours, one.mask) for one in comparing.compared(run)] == [("mixed", ""), ("causal_mixed", "mask")]
    assert comparing.dials(run) == ("words", "Wq", "Wk", "Wv")
    assert comparing.compared(open_run("press-h")) == ()


def test_torch_agrees() -> None:
    pytest.importorskip("torch")
    found = compare(open_run("bank"), 0)
    assert found.label == TORCH
    assert found.torch
    assert max(found.gap, found.masked_gap) <= 1e-15


# ---------------------------------------------------------------- the proof


def test_the_proof_digit_for_digit() -> None:
    assert proof.lines(open_run("press-h")) == (DATA / "proof.txt").read_text().splitlines()


@pytest.mark.parametrize("prompt", ["a", " ", "ha", "had a. bad c"])
def test_the_proof_of_another_prompt_is_its_last_position(prompt: str) -> None:
    run = open_run("press-h", prompt=prompt)
    lines = dict(line.split(": ", 1) for line in proof.lines(run) if ": " in line)
    labels = [line.split(": ")[0] for line in (DATA / "proof.txt").read_text().splitlines()]
    several = len(prompt) > 1
    assert [label for label in lines if "token shares" not in label] == [
        label for label in labels if "token shares" not in label
    ]

    def rounded(name: str, decimals: int) -> str:
        return str([round(float(value), decimals) for value in run.graph.tensor(name).values[-1]])

    assert lines["x after token + position"] == rounded("x0", 2)
    assert lines["logits"] == rounded("logits", 2)
    assert lines["cumulative"] == rounded("cum", 3)
    assert lines["greedy next mark"] == str(run.graph.tensor("greedy").values[-1])
    assert lines["ticket 0.40 picks mark"] == str(run.graph.tensor("drawn").values[-1])
    assert lines["head scores"].count("[") == (2 if several else 0)


def test_the_proof_counts_its_tokens_and_says_its_ticket() -> None:
    lines = proof.lines(open_run("press-h", prompt="ha", ticket=0.405))
    assert any(line.startswith("two-token shares: [") for line in lines)
    assert lines[-1].startswith("ticket 0.405 picks mark: ")


def test_the_proof_of_one_stage() -> None:
    run = open_run("press-h")
    assert [line.split(":")[0] for line in proof.lines(run, "mlp")][-1] == "after block"
    assert proof.lines(run, "route") == []

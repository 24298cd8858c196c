"""Model files: every kind of damage is one sentence with file and byte, nothing opens in silence, nothing is run."""

from __future__ import annotations

import json
import os
import pickle
import random
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.bench import corrupted
from tests.models import making
from tui_attention.engine.errors import BadInput
from tui_attention.models.checkpoint import open_checkpoint
from tui_attention.models.files import MappedFile, ModelFileError
from tui_attention.models.gguf import read_gguf
from tui_attention.models.running import Model
from tui_attention.models.weights import STORAGES, StoredTensor


def small(tmp_path: Path, **changes: object) -> Path:
    """A small GGUF model; a key given as None is left out."""
    keys = {**making.SMALL, **{name.replace("__", "."): value for name, value in changes.items()}}
    path = tmp_path / "small.gguf"
    path.write_bytes(making.gguf({n: v for n, v in keys.items() if v is not None}, making.small_tensors()))
    return path


def refusal(path: Path) -> str:
    """The sentence with which a model is refused."""
    with pytest.raises(BadInput) as caught:
        Model(open_checkpoint(path)).run([1, 2])
    assert "\n" not in str(caught.value)
    return str(caught.value)


# ---------------------------------------------------------------- storages


def scalar(storage: str, raw: bytes) -> list[float]:
    """One block decoded weight by weight, as the format's description has it."""

    def half(at: int) -> float:
        return float(struct.unpack("<e", raw[at : at + 2])[0])

    if storage == "Q8_0":
        return [half(0) * q for q in struct.unpack("<32b", raw[2:])]
    start = 4 if storage == "Q4_1" else 2
    nibbles = [byte & 15 for byte in raw[start:]] + [byte >> 4 for byte in raw[start:]]
    if storage == "Q4_1":
        return [float(np.float32(np.float32(half(0)) * np.float32(q)) + np.float32(half(2))) for q in nibbles]
    return [half(0) * (q - 8) for q in nibbles]


@pytest.mark.parametrize("storage", ["Q8_0", "Q4_0", "Q4_1"])
def test_a_block_is_decoded_to_the_last_bit(storage: str, tmp_path: Path) -> None:
    kind = next(kind for kind in STORAGES if kind.name == storage)
    stream = random.Random(3)
    blocks = []
    for _ in range(600):
        scales = b"".join(struct.pack("<e", stream.uniform(-2, 2)) for _ in range(2 if storage == "Q4_1" else 1))
        blocks.append(scales + stream.randbytes(kind.size - len(scales)))
    path = tmp_path / "blocks"
    path.write_bytes(b"".join(blocks))
    found = StoredTensor("w", (600, 32), kind, MappedFile(path), 0).whole()
    assert found.dtype == np.float32
    assert found.tolist() == [[float(np.float32(w)) for w in scalar(storage, block)] for block in blocks]


@pytest.mark.parametrize("storage", ["F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1"])
def test_every_storage_runs_and_is_near_the_plain_one(storage: str, tmp_path: Path) -> None:
    logits = {}
    for kind in ("F32", storage):
        path = tmp_path / f"{kind}.gguf"
        path.write_bytes(making.gguf(making.SMALL, making.small_tensors(kind)))
        model = Model(open_checkpoint(path))
        logits[kind] = model.next_logits(model.run([1, 2, 3]))
    far = {"F32": 0.0, "F16": 0.02, "BF16": 0.2, "Q8_0": 0.2, "Q4_0": 4.0, "Q4_1": 4.0}[storage]
    assert np.abs(logits[storage] - logits["F32"]).max() <= far


def test_rotary_pairs_of_a_gguf_llama_are_put_in_halves(tmp_path: Path) -> None:
    path = small(tmp_path)
    stored = {name: np.frombuffer(raw, "<f4").reshape(shape) for name, _, shape, raw in making.small_tensors()}
    model = Model(open_checkpoint(path))
    wq, raw = model.tables(0)("Wq"), stored["blk.0.attn_q.weight"]
    assert wq is not None
    assert (wq[:, 8 + 1] == raw[8 + 2]).all()  # head 1, pair 1, first half
    assert (wq[:, 8 + 4 + 1] == raw[8 + 3]).all()  # the same pair, second half
    weight = model.checkpoint.table("Wq", 0)
    assert weight is not None
    assert all((weight.column(place) == wq[:, place]).all() for place in range(32))


def test_a_number_that_is_not_finite_is_found_on_use(tmp_path: Path) -> None:
    tensors = [
        (name, kind, shape, b"\0\0\xc0\x7f" + raw[4:] if name == "blk.1.ffn_up.weight" else raw)
        for name, kind, shape, raw in making.small_tensors()
    ]
    path = tmp_path / "nan.gguf"
    path.write_bytes(making.gguf(making.SMALL, tensors))
    open_checkpoint(path)
    assert "blk.1.ffn_up.weight holds a number that is not finite (nan) (byte" in refusal(path)


def test_more_than_memory_opens_at_once(tmp_path: Path) -> None:
    config = {**making.CASES["llama"], "vocab_size": 1 << 24, "hidden_size": 24}
    header, at = {}, 0
    for name, shape in making.shapes(config).items():
        size = 4 * int(np.prod(shape))
        header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with (tmp_path / "model.safetensors").open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + at)  # a sparse file of 3 GB
    model = Model(open_checkpoint(tmp_path), 50)
    assert model.embedded([5, 1 << 23]).shape == (2, 24)
    assert at > 3_000_000_000


# ---------------------------------------------------------------- refusals by name

REFUSALS = [
    ({"general__architecture": "gemma3"}, "gemma3 model; GPT-2, Llama, Mistral, Qwen2 and Qwen3"),
    ({"llama__rope__scaling__type": "yarn"}, "'yarn' would give wrong angles"),
    ({"llama__block_count": 3}, "blk.2.attn_norm.weight is missing"),
    ({"llama__block_count": 0}, "llama.block_count is 0"),
    ({"llama__block_count": None}, "llama.block_count is missing"),
    ({"llama__block_counu": 2, "llama__block_count": None}, "'llama.block_counu' seems damaged"),
    ({"llama__strange": 1}, "llama.strange can't be honoured"),
    ({"llama__attention__head_count_kv": 3}, "can't share 3"),
    ({"llama__attention__head_count": "4"}, "llama.attention.head_count is '4'"),
    ({"llama__feed_forward_length": 60}, "blk.0.ffn_gate.weight is 64x32, where 60x32 was expected"),
    ({"tokenizer__ggml__pre": "tekken"}, "'tekken'"),
    ({"tokenizer__ggml__model": "t5"}, "'t5'"),
    ({"tokenizer__ggml__tokens": ["a", "b"], "llama__vocab_size": 260}, "has 2 texts, where 260"),
    ({"tokenizer__ggml__merges": ["t h", "th q"]}, "merge 1"),
    ({"tokenizer__ggml__token_type": [1] * 259 + [9]}, "token_type"),
    ({"general__alignment": 24}, "a power of 2"),
    ({"split__count": 4}, "one of 4 parts"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "said"), REFUSALS)
def test_what_cannot_be_honoured_is_named(changes: dict[str, object], said: str, tmp_path: Path) -> None:
    assert said in refusal(small(tmp_path, **changes))


def test_a_storage_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = small(tmp_path)
    raw = path.read_bytes()
    at = raw.index(b"blk.1.ffn_down.weight") + len("blk.1.ffn_down.weight") + 4 + 16
    path.write_bytes(raw[:at] + struct.pack("<I", 13) + raw[at + 4 :])
    said = refusal(path)
    assert "blk.1.ffn_down.weight is stored as Q5_K, which can't be read (can: F32, F16, BF16" in said


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "pointer file"),
        (b"PK\x03\x04" + b"\0" * 60, "convert it to safetensors"),
        (b"\x80\x02}q\x00" + b"\0" * 60, "convert it to safetensors"),
        (b"lmgg" + b"\0" * 60, "convert it to GGUF"),
        (b"", "empty"),
        (b"hello, this is a text about models", "no model file"),
    ],
)
@pytest.mark.parametrize("name", ["model.safetensors", "pytorch_model.bin", "some.gguf"])
def test_what_is_no_model_file_is_named(head: bytes, said: str, name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(head)
    found = refusal(tmp_path / name)
    assert said in found or (name == "model.safetensors" and "no safetensors file" in found)


def test_nothing_is_ever_unpickled(tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path.touch, (tmp_path / "ran",))

    for name in ("model.safetensors", "pytorch_model.bin", "model.gguf"):
        (tmp_path / name).write_bytes(pickle.dumps(Bomb()))
        assert refusal(tmp_path / name)
    assert "pickle" in refusal(tmp_path / "pytorch_model.bin")
    assert not (tmp_path / "ran").exists()


def test_a_folder_without_a_model_says_what_is_missing(tmp_path: Path) -> None:
    assert "has no model.safetensors" in refusal(tmp_path)
    (tmp_path / "pytorch_model.bin").write_bytes(b"PK")
    assert "pickle" in refusal(tmp_path)
    assert "is not there" in refusal(tmp_path / "nothing.gguf")


CONFIGS: list[tuple[dict[str, object], str]] = [
    ({"model_type": "gemma3"}, "gemma3 model"),
    ({"model_type": 5}, "model_type is 5"),
    ({"num_hidden_layers": "3"}, "num_hidden_layers is '3'"),
    ({"num_hidden_layers": None}, "num_hidden_layers is missing"),
    ({"num_hidden_layers": 2}, "layers.2.input_layernorm.weight is no part"),
    ({"rope_scaling": {"rope_type": "yarn", "factor": 4.0}}, "'yarn' would give wrong angles"),
    ({"rope_scaling": {"type": "dynamic", "factor": 4.0}}, "'dynamic' would give wrong angles"),
    ({"hidden_act": "gelu"}, "hidden_act"),
    ({"quantization_config": {}}, "quantised"),
    ({"rope_thetb": 10000.0}, "'rope_thetb' seems damaged"),
    ({"rms_norm_eps": float("nan")}, "rms_norm_eps"),
    ({"attention_bias": 1}, "attention_bias"),
    ({"partial_rotary_factor": 0.5}, "partial_rotary_factor"),
]


@pytest.mark.parametrize(("changes", "said"), CONFIGS)
def test_a_config_that_cannot_be_honoured_is_named(changes: dict[str, object], said: str, tmp_path: Path) -> None:
    path = making.folder(tmp_path / "m", making.CASES["llama"])
    config = {**making.CASES["llama"], **changes}
    (path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert said in refusal(path)


def sharded(tmp_path: Path) -> Path:
    """The llama of the cases in two shards."""
    config = making.CASES["llama"]
    path = making.folder(tmp_path / "m", config)
    (path / "model.safetensors").unlink()
    every = list(making.weights(config).items())
    where: dict[str, str] = {}
    for name, part in (("a.safetensors", dict(every[:9])), ("b.safetensors", dict(every[9:]))):
        (path / name).write_bytes(making.safetensors(part))
        where |= dict.fromkeys(part, name)
    (path / "model.safetensors.index.json").write_text(json.dumps({"weight_map": where}), encoding="utf-8")
    return path


def test_shards_give_the_same_numbers(tmp_path: Path) -> None:
    one = Model(open_checkpoint(making.folder(tmp_path / "whole", making.CASES["llama"])))
    two = Model(open_checkpoint(sharded(tmp_path)))
    assert (one.next_logits(one.run([1, 2])) == two.next_logits(two.run([1, 2]))).all()


def test_a_missing_shard_is_named(tmp_path: Path) -> None:
    path = sharded(tmp_path)
    (path / "b.safetensors").unlink()
    assert "b.safetensors is missing" in refusal(path)


@pytest.mark.parametrize("shard", ["../a.safetensors", "/etc/passwd", "a.bin"])
def test_a_shard_elsewhere_is_not_looked_for(shard: str, tmp_path: Path) -> None:
    path = sharded(tmp_path)
    index = {"weight_map": {"model.norm.weight": shard}}
    (path / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    assert "no name of a shard" in refusal(path)


# ---------------------------------------------------------------- cuts and damage


@pytest.mark.parametrize("format_", ["gguf", "safetensors"])
def test_every_cut_is_told(format_: str, tmp_path: Path) -> None:
    if format_ == "gguf":
        path = small(tmp_path)
        raw = path.read_bytes()
    else:
        folder = making.folder(tmp_path / "m", making.CASES["llama"])
        path = folder / "model.safetensors"
        raw = path.read_bytes()
    places = random.Random(1).sample(range(len(raw)), 120)
    for place in (*places, 0, 1, 7, 8, 20, len(raw) - 1):
        path.write_bytes(raw[:place])
        assert path.name in refusal(path)
    path.write_bytes(raw + b"\0")
    assert "the file at" in refusal(path)


def test_damage_in_a_gguf_head_is_told_or_changes_no_number(tmp_path: Path) -> None:
    path = small(tmp_path)
    raw = path.read_bytes()
    head = min(tensor.start for tensor in read_gguf(MappedFile(path)).tensors.values())
    model = Model(open_checkpoint(path))
    wanted = model.next_logits(model.run([1, 2]))
    stream, opened = random.Random(7), []
    for _ in range(400):
        place, value = stream.randrange(head), stream.randrange(256)
        if raw[place] == value:
            continue
        path.write_bytes(raw[:place] + bytes([value]) + raw[place + 1 :])
        try:
            damaged = Model(open_checkpoint(path))
            found = damaged.next_logits(damaged.run([1, 2]))
        except BadInput:
            continue
        if not damaged.checkpoint.notes and not (found == wanted).all():
            opened.append((place, value))
    # A number such as the rope's base can be another legal number: nothing in the file tells.
    keys = ("layer_norm_rms_epsilon", "freq_base")
    for place, _ in opened:
        near = raw[max(0, place - 40) : place]
        assert any(key.encode() in near for key in keys), (place, near)


def test_damage_in_a_safetensors_head_is_told(tmp_path: Path) -> None:
    folder = making.folder(tmp_path / "m", making.CASES["llama"])
    path = folder / "model.safetensors"
    raw = path.read_bytes()
    length = 8 + int.from_bytes(raw[:8], "little")
    model = Model(open_checkpoint(folder))
    wanted = model.next_logits(model.run([1, 2]))
    stream, told = random.Random(9), 0
    for _ in range(250):
        place, value = stream.randrange(length), stream.randrange(256)
        path.write_bytes(raw[:place] + bytes([value]) + raw[place + 1 :])
        try:
            found = Model(open_checkpoint(folder))
        except ModelFileError:
            told += 1
            continue
        assert (found.next_logits(found.run([1, 2])) == wanted).all()
    assert told > 200


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json"])
def test_random_bytes_beside_the_weights_are_told(name: str, tmp_path: Path) -> None:
    folder = making.folder(tmp_path / "m", making.CASES["llama"])
    stream = random.Random(2)
    for _ in range(30):
        (folder / name).write_bytes(stream.randbytes(stream.randrange(1, 60)))
        assert name in refusal(folder)
    (folder / name).write_text("[" * 100_000, encoding="utf-8")
    assert name in refusal(folder)


def test_damaged_files_at_the_command_line(tmp_path: Path) -> None:
    met, refused, wrong = corrupted.run(tmp_path, every=4)
    assert wrong == []
    assert met >= 30
    assert refused > 0.9 * met


def test_a_pipe_is_no_model(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.gguf")
    with pytest.raises(ModelFileError, match="this is no ordinary file"):
        open_checkpoint(tmp_path / "model.gguf")

"""Checkpoints that tests write themselves: small random models in both formats, and files to be damaged."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
SIZES = {"vocab_size": 97, "tie_word_embeddings": False}
LLAMA = {
    **SIZES, "hidden_size": 24, "intermediate_size": 40, "num_hidden_layers": 3, "num_attention_heads": 4,
    "num_key_value_heads": 2, "max_position_embeddings": 64, "rms_norm_eps": 1e-6, "hidden_act": "silu",
}  # fmt: skip
GPT2 = {
    **SIZES, "model_type": "gpt2", "n_embd": 24, "n_layer": 3, "n_head": 4, "n_positions": 32,
    "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5,
}  # fmt: skip
LLAMA3_ROPE = {
    "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 16, "rope_theta": 500.0,
}  # fmt: skip
CASES: Mapping[str, dict[str, Any]] = {
    "gpt2": {**GPT2, "tie_word_embeddings": True},
    "gpt2-untied-gelu": {**GPT2, "activation_function": "gelu", "n_inner": 50, "layer_norm_epsilon": 1e-6},
    "llama": {**LLAMA, "model_type": "llama"},
    "llama-tied-bias": {
        **LLAMA, "model_type": "llama", "tie_word_embeddings": True, "attention_bias": True, "mlp_bias": True,
        "head_dim": 10,
    },
    "llama-linear": {
        **LLAMA, "model_type": "llama",
        "rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 10000.0},
    },
    "llama-llama3": {**LLAMA, "model_type": "llama", "head_dim": 16, "rope_parameters": LLAMA3_ROPE},
    "mistral-window": {**LLAMA, "model_type": "mistral", "sliding_window": 4},
    "qwen2": {**LLAMA, "model_type": "qwen2"},
    "qwen2-window": {
        **LLAMA, "model_type": "qwen2", "use_sliding_window": True, "sliding_window": 3, "max_window_layers": 1
    },
    "qwen3": {**LLAMA, "model_type": "qwen3", "head_dim": 8, "tie_word_embeddings": True},
}  # fmt: skip
IDS = (3, 1, 4, 1, 5, 9, 2, 6, 5, 35, 8)


def shapes(config: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """The tensors of a checkpoint with their shapes, in the layout of the published files."""
    family, vocabulary = config["model_type"], config["vocab_size"]
    found: dict[str, tuple[int, ...]] = {}
    if family == "gpt2":
        d, hidden = config["n_embd"], config.get("n_inner") or 4 * config["n_embd"]
        found |= {"transformer.wte.weight": (vocabulary, d), "transformer.wpe.weight": (config["n_positions"], d)}
        for block in range(config["n_layer"]):
            at = f"transformer.h.{block}."
            for name, size in (
                ("ln_1", (d,)), ("attn.c_attn", (d, 3 * d)), ("attn.c_proj", (d, d)), ("ln_2", (d,)),
                ("mlp.c_fc", (d, hidden)), ("mlp.c_proj", (hidden, d)),
            ):  # fmt: skip
                found |= {f"{at}{name}.weight": size, f"{at}{name}.bias": size[-1:]}
        found |= {"transformer.ln_f.weight": (d,), "transformer.ln_f.bias": (d,)}
    else:
        d, hidden, heads = config["hidden_size"], config["intermediate_size"], config["num_attention_heads"]
        width = config.get("head_dim") or d // heads
        q, kv = heads * width, config["num_key_value_heads"] * width
        found["model.embed_tokens.weight"] = (vocabulary, d)
        for block in range(config["num_hidden_layers"]):
            at = f"model.layers.{block}."
            found |= {at + "input_layernorm.weight": (d,), at + "post_attention_layernorm.weight": (d,)}
            for name, rows, columns in (("q", q, d), ("k", kv, d), ("v", kv, d), ("o", d, q)):
                found[f"{at}self_attn.{name}_proj.weight"] = (rows, columns)
                if config.get("attention_bias") or (family == "qwen2" and name != "o"):
                    found[f"{at}self_attn.{name}_proj.bias"] = (rows,)
            if family == "qwen3":
                found |= {at + "self_attn.q_norm.weight": (width,), at + "self_attn.k_norm.weight": (width,)}
            for name, rows, columns in (("gate", hidden, d), ("up", hidden, d), ("down", d, hidden)):
                found[f"{at}mlp.{name}_proj.weight"] = (rows, columns)
                if config.get("mlp_bias"):
                    found[f"{at}mlp.{name}_proj.bias"] = (rows,)
        found["model.norm.weight"] = (d,)
    if not config["tie_word_embeddings"]:
        found["lm_head.weight"] = (vocabulary, d)
    return found


def weights(config: Mapping[str, Any], seed: int = 1, scale: float = 0.3) -> dict[str, Array]:
    """Random tensors, float32, from a stream that numpy has frozen; gains lie around 1."""
    stream = np.random.RandomState(seed)
    found = {}
    for name, shape in shapes(config).items():
        gain = ("norm" in name or "ln_" in name) and name.endswith("weight")
        found[name] = ((1 if gain else 0) + scale * stream.standard_normal(shape)).astype(np.float32)
    return found


DTYPES = {"F32": "<f4", "F16": "<f2", "F64": "<f8", "BF16": "<u2"}


def bf16(values: Array) -> Array:
    """The upper halves of float32 numbers, cut off."""
    return (np.ascontiguousarray(values, np.float32).view(np.uint32) >> 16).astype("<u2")


def safetensors(tensors: Mapping[str, Array], dtype: str = "F32") -> bytes:
    """The bytes of a safetensors file."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, values in tensors.items():
        raw = (bf16(values) if dtype == "BF16" else values.astype(DTYPES[dtype])).tobytes()
        header[name] = {
            "dtype": dtype, "shape": list(values.shape), "data_offsets": [len(data), len(data) + len(raw)]
        }  # fmt: skip
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def folder(path: Path, config: Mapping[str, Any], dtype: str = "F32", seed: int = 1) -> Path:
    """A folder with config.json and model.safetensors of a random model."""
    path.mkdir(parents=True, exist_ok=True)
    (path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (path / "model.safetensors").write_bytes(safetensors(weights(config, seed), dtype))
    return path


# ---------------------------------------------------------------- GGUF

KINDS = {"F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q8_0": 8, "BF16": 30}
_TYPES: tuple[tuple[type, int, str], ...] = ((bool, 7, "<?"), (int, 4, "<I"), (float, 6, "<f"))


def text(value: str | bytes) -> bytes:
    """A length and a text."""
    raw = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(raw)) + raw


def key(name: str, value: object) -> bytes:
    """One key of a GGUF file; a list is of texts or of int32."""
    if isinstance(value, str):
        return text(name) + struct.pack("<I", 8) + text(value)
    if isinstance(value, list):
        words = bool(value) and isinstance(value[0], str | bytes)
        inside = b"".join(text(item) if words else struct.pack("<i", item) for item in value)
        return text(name) + struct.pack("<IIQ", 9, 8 if words else 5, len(value)) + inside
    for kind, number, code in _TYPES:
        if isinstance(value, kind):
            return text(name) + struct.pack("<I", number) + struct.pack(code, value)
    raise TypeError(type(value))


def gguf(keys: Mapping[str, object], tensors: Sequence[tuple[str, str, tuple[int, ...], bytes]]) -> bytes:
    """The bytes of a GGUF file; tensors are (name, storage, shape, bytes)."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys))
    head += b"".join(key(name, value) for name, value in keys.items())
    data = b""
    for name, storage, shape, raw in tensors:
        head += text(name) + struct.pack("<I", len(shape))
        head += b"".join(struct.pack("<Q", size) for size in reversed(shape))
        head += struct.pack("<IQ", KINDS.get(storage, 99), len(data))
        data += raw + b"\0" * (-len(raw) % 32)
    return head + b"\0" * (-len(head) % 32) + data


LETTERS = [chr(b) for b in (*range(33, 127), *range(161, 173), *range(174, 256))] + [chr(256 + n) for n in range(68)]
SMALL = {
    "general.architecture": "llama", "llama.block_count": 2, "llama.context_length": 64, "llama.embedding_length": 32,
    "llama.feed_forward_length": 64, "llama.attention.head_count": 4, "llama.attention.head_count_kv": 2,
    "llama.attention.layer_norm_rms_epsilon": 1e-5, "llama.rope.freq_base": 10000.0,
    "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "gpt-2",
    "tokenizer.ggml.tokens": [*LETTERS, "th", "the", "<|end|>", "<pad>"],
    "tokenizer.ggml.token_type": [1] * 258 + [3, 3], "tokenizer.ggml.merges": ["t h", "th e"],
}  # fmt: skip


def small_tensors(storage: str = "F32", seed: int = 1) -> list[tuple[str, str, tuple[int, ...], bytes]]:
    """The tensors of the model that SMALL describes; matrices in `storage`, rows as F32."""
    d, f, kv, vocabulary = 32, 64, 16, 260
    matrices = {"token_embd": (vocabulary, d), "output": (vocabulary, d)}
    rows = ["output_norm"]
    for block in range(2):
        at = f"blk.{block}."
        rows += [at + "attn_norm", at + "ffn_norm"]
        matrices |= {
            at + "attn_q": (d, d), at + "attn_k": (kv, d), at + "attn_v": (kv, d), at + "attn_output": (d, d),
            at + "ffn_gate": (f, d), at + "ffn_up": (f, d), at + "ffn_down": (d, f),
        }  # fmt: skip
    stream = np.random.RandomState(seed)
    found: list[tuple[str, str, tuple[int, ...], bytes]] = []
    for name, shape in matrices.items():
        values = (0.3 * stream.standard_normal(shape)).astype(np.float32)
        found.append((name + ".weight", storage, shape, encoded(values, storage)))
    for name in rows:
        values = (1 + 0.3 * stream.standard_normal(d)).astype(np.float32)
        found.append((name + ".weight", "F32", (d,), values.tobytes()))
    return found


def encoded(values: Array, storage: str) -> bytes:
    """Numbers in one of the storages, rounded to the nearest that it has."""
    if storage == "BF16":
        return bf16(values).tobytes()
    if storage in DTYPES:
        return values.astype(DTYPES[storage]).tobytes()
    out = b""
    for block in values.reshape(-1, 32).astype(np.float64):
        low, high = float(block.min()), float(block.max())
        if storage == "Q8_0":
            d = np.float16(np.abs(block).max() / 127)
            out += d.tobytes() + np.rint(block / float(d)).astype(np.int8).tobytes()
            continue
        d = np.float16((high - low) / 15 if storage == "Q4_1" else max(-low, high) / 7)
        q = np.rint((block - float(np.float16(low))) / float(d) if storage == "Q4_1" else block / float(d) + 8)
        q = np.clip(q, 0, 15).astype(np.uint8)
        out += d.tobytes() + (np.float16(low).tobytes() if storage == "Q4_1" else b"")
        out += (q[:16] | (q[16:] << 4)).tobytes()
    return out

"""The law of a model from the keys of its GGUF file."""

from __future__ import annotations

import math
from typing import cast

import numpy as np

from tui_attention.models.files import ModelFileError
from tui_attention.models.gguf import GGUFFile, Value
from tui_attention.models.spec import FAMILIES, Family, ModelSpec, Rope, near_miss, unknown_model

_SIZES = (
    "vocab_size", "context_length", "embedding_length", "block_count", "feed_forward_length",
    "attention.head_count", "attention.head_count_kv", "attention.key_length", "attention.value_length",
    "attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon", "attention.sliding_window",
    "rope.dimension_count", "rope.freq_base", "rope.scale_linear", "rope.scaling.type", "rope.scaling.factor",
    "rope.scaling.original_context_length", "rope.scaling.attn_factor", "rope.scaling.finetuned",
)  # fmt: skip
_HARMLESS = ("use_parallel_residual", "tensor_data_layout", "attention.causal", "leading_dense_block_count")
TOKENIZER_KEYS = (
    "model", "pre", "tokens", "token_type", "merges", "scores", "bos_token_id", "eos_token_id", "unknown_token_id",
    "padding_token_id", "separator_token_id", "add_bos_token", "add_eos_token", "add_space_prefix", "eot_token_id",
    "seperator_token_id", "token_type_count", "mask_token_id", "cls_token_id", "remove_extra_whitespaces",
    "fim_pre_token_id", "fim_suf_token_id", "fim_mid_token_id", "fim_pad_token_id", "fim_rep_token_id",
    "fim_sep_token_id", "eom_token_id", "prefix_token_id", "suffix_token_id", "middle_token_id", "add_sep_token",
    "eos_token_ids",
)  # fmt: skip


class _Keys:
    def __init__(self, gguf: GGUFFile, family: str) -> None:
        self.gguf, self.family = gguf, family

    def fail(self, name: str, why: str) -> ModelFileError:
        return ModelFileError(self.gguf.file.name, f"{name} {why}", self.gguf.places.get(name))

    def get(self, name: str) -> Value | None:
        return self.gguf.keys.get(f"{self.family}.{name}")

    def whole(self, name: str, default: int | None = None) -> int:
        value = self.get(name)
        if isinstance(value, np.ndarray) and value.size and (value == value[0]).all():
            value = int(value[0])  # one size for each block, all the same
        if value is None and default is not None:
            return default
        if type(value) is not int or not 0 < value < 1 << 40:
            raise self.fail(f"{self.family}.{name}", f"is {_shown(value)}; a whole number from 1 was expected")
        return value

    def real(self, name: str, default: float | None = None) -> float:
        value = self.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
            raise self.fail(f"{self.family}.{name}", f"is {_shown(value)}; a number was expected")
        return float(value)


def _shown(value: Value | None) -> str:
    return "missing" if value is None else repr(value)[:40]


def gguf_family(gguf: GGUFFile) -> Family:
    """The family of the model. Raises ModelFileError for one that can't be walked through."""
    name = gguf.keys.get("general.architecture")
    place = gguf.places.get("general.architecture")
    if not isinstance(name, str):
        raise ModelFileError(gguf.file.name, f"general.architecture is {_shown(name)}; a name was expected", place)
    if name not in FAMILIES or name == "mistral":
        raise ModelFileError(gguf.file.name, unknown_model(name), place)
    parts = gguf.keys.get("split.count", 1)
    if parts not in (0, 1):
        why = f"this is one of {parts} parts of a model; join them into one file first"
        raise ModelFileError(gguf.file.name, why, gguf.places.get("split.count"))
    return cast("Family", name)


def gguf_spec(gguf: GGUFFile) -> ModelSpec:
    """Sizes and settings. Raises ModelFileError for a key that is missing, strange, damaged or not to be honoured."""
    family = gguf_family(gguf)
    keys = _Keys(gguf, family)
    _known(gguf, family)
    width, heads = keys.whole("embedding_length"), keys.whole("attention.head_count")
    blocks = keys.whole("block_count")
    kv_heads = keys.whole("attention.head_count_kv", heads)
    head_width = keys.whole("attention.key_length", max(width // heads, 1))
    if keys.whole("attention.value_length", head_width) != head_width:
        raise keys.fail(f"{family}.attention.value_length", "differs from the key's length, which can't be honoured")
    tokens = gguf.keys.get("tokenizer.ggml.tokens")
    vocabulary = keys.whole("vocab_size", len(tokens) if isinstance(tokens, tuple) else 0)
    window = keys.whole("attention.sliding_window", 0) or None
    gpt2 = family == "gpt2"
    norm = "layer_norm_epsilon" if gpt2 else "layer_norm_rms_epsilon"
    spec = ModelSpec(
        family=family,
        blocks=blocks,
        width=width,
        hidden=keys.whole("feed_forward_length"),
        heads=heads,
        kv_heads=kv_heads,
        head_width=head_width,
        vocabulary=vocabulary,
        context=keys.whole("context_length"),
        eps=_short(keys.real(f"attention.{norm}")),
        bend="gelu_tanh" if gpt2 else "silu",
        tied="output.weight" not in gguf.tensors,
        windows=(window,) * min(blocks, 1 << 20),
        rope=None if gpt2 else _rope(keys, gguf, head_width),
        attention_bias="blk.0.attn_q.bias" in gguf.tensors,
        mlp_bias="blk.0.ffn_up.bias" in gguf.tensors,
    )
    if spec.fault():
        raise ModelFileError(gguf.file.name, f"it claims {spec.fault()}", gguf.places.get(f"{family}.block_count"))
    return spec


def _short(value: float) -> float:
    """The decimal number that a float32 was written for: 1e-5 and not 9.999999747378752e-06."""
    return float(str(np.float32(value)))


def _known(gguf: GGUFFile, family: str) -> None:
    """A key that is nearly a known one, or unknown in the family's own part, means a damaged or another file."""
    own = [f"{family}.{name}" for name in (*_SIZES, *_HARMLESS)]
    known = [*own, "general.architecture", "general.alignment", *(f"tokenizer.ggml.{key}" for key in TOKENIZER_KEYS)]
    for name, place in gguf.places.items():
        if name in known:
            continue
        meant = near_miss(name, known, gguf.places)
        if meant:
            raise ModelFileError(gguf.file.name, f"the key {name!r} seems damaged; {meant} was expected", place)
        if name.startswith(f"{family}."):
            raise ModelFileError(gguf.file.name, f"the key {name[:80]} can't be honoured", place)


def _rope(keys: _Keys, gguf: GGUFFile, head_width: int) -> Rope:
    if keys.whole("rope.dimension_count", head_width) != head_width:
        raise keys.fail(
            f"{keys.family}.rope.dimension_count", f"is not the head's width {head_width}, as it should be"
        )
    kind = keys.get("rope.scaling.type")
    if kind not in (None, "none", "linear"):
        raise keys.fail(f"{keys.family}.rope.scaling.type", f"{str(kind)[:20]!r} would give wrong angles, so I stop")
    if keys.real("rope.scaling.attn_factor", 1.0) != 1.0:
        raise keys.fail(f"{keys.family}.rope.scaling.attn_factor", "would give wrong scores, so I stop")
    factor = keys.real("rope.scaling.factor", keys.real("rope.scale_linear", 1.0)) if kind != "none" else 1.0
    divisors: tuple[float, ...] = ()
    given = gguf.tensors.get("rope_freqs.weight")
    if given is not None:
        if given.shape != (head_width // 2,):
            raise ModelFileError(
                gguf.file.name, "rope_freqs.weight should have one number for each pair", given.start
            )
        divisors = tuple(float(value) for value in given.whole())
        if min(divisors) <= 0:
            raise ModelFileError(gguf.file.name, "rope_freqs.weight should be positive", given.start)
    return Rope(
        theta=_short(keys.real("rope.freq_base", 10000.0)),
        kind="default" if factor == 1.0 else "linear",
        factor=factor,
        divisors=divisors,
    )

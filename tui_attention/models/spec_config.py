"""The law of a model from the `config.json` beside its safetensors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

from tui_attention.models.files import ModelFileError
from tui_attention.models.spec import FAMILIES, Bend, Family, ModelSpec, Rope, near_miss, unknown_model

CONFIG = "config.json"
_BENDS: Mapping[str, Bend] = {
    "gelu_new": "gelu_tanh", "gelu_pytorch_tanh": "gelu_tanh", "gelu": "gelu", "relu": "relu", "silu": "silu",
    "swish": "silu",
}  # fmt: skip
_GPT2 = (
    "n_layer", "n_embd", "n_head", "n_positions", "n_inner", "activation_function", "layer_norm_epsilon",
    "scale_attn_weights", "scale_attn_by_inverse_layer_idx", "add_cross_attention",
)  # fmt: skip
_LLAMA = (
    "num_hidden_layers", "hidden_size", "intermediate_size", "num_attention_heads", "num_key_value_heads", "head_dim",
    "max_position_embeddings", "rms_norm_eps", "hidden_act", "rope_theta", "rope_scaling", "rope_parameters",
    "attention_bias", "mlp_bias", "sliding_window", "use_sliding_window", "max_window_layers", "layer_types",
)  # fmt: skip
_SHARED = ("model_type", "vocab_size", "tie_word_embeddings")
_DEFAULT_KV = {"mistral": 8, "qwen2": 32, "qwen3": 32}  # where the file says nothing, as the reference has it
_HEAD_WIDTH = {"qwen3": 128}


class _Config:
    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values

    def fail(self, name: str, expected: str) -> ModelFileError:
        value = self.values.get(name)
        said = "missing" if value is None else repr(value)[:60]
        return ModelFileError(CONFIG, f"{name} is {said}; {expected} was expected")

    def whole(self, name: str, default: int | None = None) -> int:
        value = self.values.get(name)
        value = default if value is None else value
        if type(value) is not int or not 0 < value < 1 << 40:
            raise self.fail(name, "a whole number from 1")
        return value

    def real(self, name: str, default: float) -> float:
        value = self.values.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self.fail(name, "a number")
        return float(value)

    def flag(self, name: str, default: bool) -> bool:
        value = self.values.get(name, default)
        if not isinstance(value, bool):
            raise self.fail(name, "true or false")
        return value

    def bend(self, name: str, default: str) -> Bend:
        value = self.values.get(name, default)
        if not isinstance(value, str) or value not in _BENDS:
            raise self.fail(name, "one of " + ", ".join(_BENDS))
        return _BENDS[value]


def config_spec(values: object) -> ModelSpec:
    """Sizes and settings. Raises ModelFileError for a setting that is missing, strange or not to be honoured."""
    if not isinstance(values, dict):
        raise ModelFileError(CONFIG, "names and values in braces were expected")
    family = values.get("model_type")
    if not isinstance(family, str):
        raise ModelFileError(CONFIG, f"model_type is {family!r:.40}; the name of a family was expected")
    if family not in FAMILIES:
        raise ModelFileError(CONFIG, unknown_model(family))
    known = (*_SHARED, *(_GPT2 if family == "gpt2" else _LLAMA))
    for name in values:
        meant = near_miss(name, known, values)
        if meant:
            raise ModelFileError(CONFIG, f"the name {name!r} seems damaged; {meant} was expected")
    if "quantization_config" in values:
        raise ModelFileError(
            CONFIG, "its weights are quantised in a way that can't be read; plain ones were expected"
        )
    config = _Config(values)
    spec = _gpt2(config) if family == "gpt2" else _llama(config, cast("Family", family))
    if spec.fault():
        raise ModelFileError(CONFIG, f"it claims {spec.fault()}")
    return spec


def _gpt2(config: _Config) -> ModelSpec:
    for name, wanted in (
        ("scale_attn_weights", True),
        ("scale_attn_by_inverse_layer_idx", False),
        ("add_cross_attention", False),
    ):
        if config.flag(name, wanted) != wanted:
            raise config.fail(name, f"{str(wanted).lower()}, the only thing that can be honoured,")
    width, heads, blocks = config.whole("n_embd", 768), config.whole("n_head", 12), config.whole("n_layer", 12)
    return ModelSpec(
        family="gpt2",
        blocks=blocks,
        width=width,
        hidden=config.whole("n_inner", 4 * width),
        heads=heads,
        kv_heads=heads,
        head_width=max(width // heads, 1),
        vocabulary=config.whole("vocab_size", 50257),
        context=config.whole("n_positions", 1024),
        eps=config.real("layer_norm_epsilon", 1e-5),
        bend=config.bend("activation_function", "gelu_new"),
        tied=config.flag("tie_word_embeddings", True),
        windows=(None,) * min(blocks, 1 << 20),
    )


def _llama(config: _Config, family: Family) -> ModelSpec:
    heads, width, blocks = (
        config.whole("num_attention_heads"), config.whole("hidden_size"), config.whole("num_hidden_layers")
    )  # fmt: skip
    if config.bend("hidden_act", "silu") != "silu":
        raise config.fail("hidden_act", "silu")
    qwen = family in ("qwen2", "qwen3")
    bias = config.flag("attention_bias", False) if family in ("llama", "qwen3") else False
    return ModelSpec(
        family=family,
        blocks=blocks,
        width=width,
        hidden=config.whole("intermediate_size"),
        heads=heads,
        kv_heads=config.whole("num_key_value_heads", _DEFAULT_KV.get(family, heads)),
        head_width=config.whole("head_dim", _HEAD_WIDTH.get(family, max(width // heads, 1))),
        vocabulary=config.whole("vocab_size"),
        context=config.whole("max_position_embeddings"),
        eps=config.real("rms_norm_eps", 1e-6),
        bend="silu",
        tied=config.flag("tie_word_embeddings", False),
        windows=_windows(config, family, min(blocks, 1 << 20), qwen),
        rope=_rope(config),
        attention_bias=bias,
        mlp_bias=config.flag("mlp_bias", False) if family == "llama" else False,
    )


def _windows(config: _Config, family: str, blocks: int, qwen: bool) -> tuple[int | None, ...]:
    if family == "llama" or (qwen and not config.flag("use_sliding_window", False)):
        return (None,) * blocks
    if "sliding_window" in config.values and config.values["sliding_window"] is None:
        return (None,) * blocks
    window = config.whole("sliding_window", 4096)
    if not qwen:
        return (window,) * blocks
    kinds = config.values.get("layer_types")
    if kinds is None:
        first = config.values.get("max_window_layers", 28)
        if type(first) is not int or first < 0:
            raise config.fail("max_window_layers", "a whole number")
        return tuple(window if block >= first else None for block in range(blocks))
    if (
        not isinstance(kinds, list)
        or len(kinds) != blocks
        or set(map(str, kinds)) - {"sliding_attention", "full_attention"}
    ):
        raise config.fail("layer_types", f"a list of {blocks} times sliding_attention or full_attention")
    return tuple(window if kind == "sliding_attention" else None for kind in kinds)


def _rope(config: _Config) -> Rope:
    given = config.values.get("rope_parameters") or config.values.get("rope_scaling") or {}
    if not isinstance(given, dict):
        raise config.fail("rope_scaling", "names and values in braces, or null,")
    inner = _Config(given)
    if given.get("partial_rotary_factor", config.values.get("partial_rotary_factor", 1.0)) != 1.0:
        raise ModelFileError(CONFIG, "partial_rotary_factor would give wrong angles, so I stop")
    kind = given.get("rope_type", given.get("type", "default"))
    theta = inner.real("rope_theta", config.real("rope_theta", 10000.0))
    if kind == "default":
        return Rope(theta)
    if kind == "linear":
        return Rope(theta, "linear", inner.real("factor", 0.0))
    if kind == "llama3":
        rope = Rope(
            theta,
            "llama3",
            inner.real("factor", 0.0),
            inner.real("low_freq_factor", 0.0),
            inner.real("high_freq_factor", 0.0),
            inner.whole("original_max_position_embeddings"),
        )
        if not 0 < rope.low < rope.high:
            raise inner.fail("low_freq_factor", "a number between 0 and high_freq_factor")
        return rope
    raise ModelFileError(CONFIG, f"RoPE scaling {str(kind)[:30]!r} would give wrong angles, so I stop")

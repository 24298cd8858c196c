"""The forward pass of one block, with a name for every intermediate: GPT-2 and the Llama family.

`law.toml` beside this file says the same in the lesson language; a test holds the two together. All functions
work in the dtype of their operands, so that float32 paints and float64 explains.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from tui_attention.models.files import FloatArray
from tui_attention.models.spec import ModelSpec, Rope

Trace = dict[str, FloatArray]
Tables = Callable[[str], FloatArray | None]
Off = frozenset[int]


def rms_norm(x: FloatArray, gain: FloatArray, eps: float) -> FloatArray:
    """[..., D] -> [..., D]: x / sqrt(mean(x^2) + eps) * gain (Zhang and Sennrich 2019)."""
    mean = np.einsum("...i,...i->...", x, x)[..., None] / x.shape[-1]
    normed: FloatArray = x * (1 / np.sqrt(mean + _as(eps, x))) * gain
    return normed


def layer_norm(x: FloatArray, gain: FloatArray, bias: FloatArray, eps: float) -> FloatArray:
    """[..., D] -> [..., D]: (x - mean) / sqrt(variance + eps) * gain + bias (Ba et al. 2016)."""
    centred = x - x.mean(-1, keepdims=True)
    mean = np.einsum("...i,...i->...", centred, centred)[..., None] / x.shape[-1]
    normed: FloatArray = centred / np.sqrt(mean + _as(eps, x)) * gain + bias
    return normed


def softmax(scores: FloatArray) -> FloatArray:
    """Shares along the last axis; a masked score (-inf) gets none. Works in place."""
    scores -= scores.max(-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(-1, keepdims=True)
    return scores


def silu(x: FloatArray) -> FloatArray:
    """x / (1 + exp(-x)) (Elfwing et al. 2017)."""
    with np.errstate(over="ignore"):
        bent: FloatArray = x / (1 + np.exp(-x))
    return bent


def gelu_tanh(x: FloatArray) -> FloatArray:
    """GPT-2's bend: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) (Hendrycks and Gimpel 2016)."""
    bent: FloatArray = (
        _as(0.5, x) * x * (1 + np.tanh(_as(math.sqrt(2 / math.pi), x) * (x + _as(0.044715, x) * (x * x * x))))
    )
    return bent


def gelu(x: FloatArray) -> FloatArray:
    """x Phi(x), with the exact Phi (Hendrycks and Gimpel 2016)."""
    erf = np.frompyfunc(math.erf, 1, 1)
    phi = (1 + np.asarray(erf(x.astype(np.float64) / math.sqrt(2)), np.float64)) / 2
    bent: FloatArray = x * phi.astype(x.dtype)
    return bent


BENDS: Mapping[str, Callable[[FloatArray], FloatArray]] = {
    "gelu": gelu,
    "gelu_tanh": gelu_tanh,
    "silu": silu,
    "relu": lambda x: np.maximum(x, 0),
}


def frequencies(rope: Rope, head_width: int) -> FloatArray:
    """The turn of each pair from one place to the next, in radians, [head_width / 2], float64 (Su et al. 2021).

    `llama3` scales as Llama 3.1 does: slow pairs by `factor`, fast ones not, a blend between.
    """
    base = 1.0 / rope.theta ** (np.arange(0, head_width, 2) / head_width)
    if rope.divisors:
        base = base / np.array(rope.divisors)
    if rope.kind == "linear":
        return base / rope.factor
    if rope.kind == "llama3":
        turns = rope.original * base / (2 * math.pi)
        blend = np.clip((turns - rope.low) / (rope.high - rope.low), 0, 1)
        return (1 - blend) * base / rope.factor + blend * base
    return base


def rotated(rows: FloatArray, angles: FloatArray) -> FloatArray:
    """[heads, T, w] turned by [T, w / 2]: pair (i, i + w/2) becomes (a cos - b sin, b cos + a sin)."""
    half = rows.shape[-1] // 2
    cos, sin = np.cos(angles).astype(rows.dtype), np.sin(angles).astype(rows.dtype)
    out = np.empty_like(rows)
    a, b = rows[..., :half], rows[..., half:]
    out[..., :half] = a * cos - b * sin
    out[..., half:] = b * cos + a * sin
    return out


@dataclass(frozen=True, eq=False, slots=True)
class Past:
    """The kept rows of earlier places of one block: keys (turned already) and values, [kv heads, places, width]."""

    keys: FloatArray
    values: FloatArray


def mask(places: FloatArray, length: int, window: int | None) -> FloatArray:
    """Which keys are out of sight, [T, length]: those ahead, and those `window` or more places back."""
    keys = np.arange(length)
    hidden = keys[None, :] > places[:, None]
    if window is not None:
        hidden |= keys[None, :] <= places[:, None] - window
    return hidden


def block(
    spec: ModelSpec,
    number: int,
    tables: Tables,
    x: FloatArray,
    *,
    first: int = 0,
    past: Past | None = None,
    off: Off = frozenset(),
    silent: frozenset[str] = frozenset(),
) -> tuple[Trace, Past]:
    """One block on the rows [T, D] of the places from `first` on; every intermediate by its name in the law.

    `tables` gives the block's tables by their name in the law (`Wq`), `off` the heads that are switched off,
    `silent` which parts add nothing: `attn`, `mlp`.
    """
    t: Trace = {"x": x}
    t["a"] = _norm(spec, tables, "1", x)
    for role, count in (("q", spec.heads), ("k", spec.kv_heads), ("v", spec.kv_heads)):
        t[role] = _through(t["a"], tables, role)
        t[role + "h"] = t[role].reshape(len(x), count, -1).swapaxes(0, 1)
    keys, queries = t["kh"], t["qh"]
    if spec.family == "qwen3":
        queries = t["qn"] = rms_norm(queries, _needed(tables, "gq"), spec.eps)
        keys = t["kn"] = rms_norm(keys, _needed(tables, "gk"), spec.eps)
    places = np.arange(first, first + len(x))
    if spec.rope:
        angles = places[:, None] * frequencies(spec.rope, spec.head_width)[None, :]
        queries = t["qr"] = rotated(queries, angles)
        keys = t["kr"] = rotated(keys, angles)
    values = t["vh"]
    if past is not None:
        keys, values = np.concatenate([past.keys, keys], 1), np.concatenate([past.values, values], 1)
    kept = Past(keys, values)
    share = spec.heads // spec.kv_heads
    grouped = queries.reshape(spec.kv_heads, share, len(x), -1)
    scores = grouped @ keys[:, None].swapaxes(-1, -2)
    scores = scores.reshape(spec.heads, len(x), -1)
    scores *= _as(1 / math.sqrt(spec.head_width), scores)
    hidden = mask(places, keys.shape[1], spec.windows[number])
    if hidden.any():
        scores[:, hidden] = -np.inf
    t["scores"] = scores
    t["shares"] = softmax(scores.copy())
    heads = (t["shares"].reshape(spec.kv_heads, share, len(x), -1) @ values[:, None]).reshape(spec.heads, len(x), -1)
    if off:
        heads[sorted(off)] = 0
    t["heads"] = heads
    t["blend"] = heads.swapaxes(0, 1).reshape(len(x), -1)
    t["y"] = _through(t["blend"], tables, "o")
    if "attn" in silent:
        t["y"] = np.zeros_like(t["y"])
    t["x1"] = x + t["y"]
    t["b"] = _norm(spec, tables, "2", t["x1"])
    t |= _mlp(spec, tables, t["b"])
    if "mlp" in silent:
        t["m"] = np.zeros_like(t["m"])
    t["x2"] = t["x1"] + t["m"]
    return t, kept


def _mlp(spec: ModelSpec, tables: Tables, b: FloatArray) -> Trace:
    """GPT-2's two tables with a bend between, or the Llama family's gated three (Shazeer 2020)."""
    bend = BENDS[spec.bend]
    if spec.family == "gpt2":
        wide = _through(b, tables, "f")
        bent = bend(wide)
        return {"wide": wide, "bend": bent, "m": _through(bent, tables, "p")}
    gate, up = _through(b, tables, "g"), _through(b, tables, "u")
    bent = bend(gate)
    wide = bent * up
    return {"gate": gate, "up": up, "bend": bent, "wide": wide, "m": _through(wide, tables, "d")}


def final_norm(spec: ModelSpec, tables: Tables, x: FloatArray) -> FloatArray:
    """The last normalisation, before the output table; the logit lens puts earlier rows through it, too."""
    return _norm(spec, tables, "3", x)


def _norm(spec: ModelSpec, tables: Tables, number: str, x: FloatArray) -> FloatArray:
    gain = _needed(tables, "g" + number)
    if spec.family == "gpt2":
        return layer_norm(x, gain, _needed(tables, "c" + number), spec.eps)
    return rms_norm(x, gain, spec.eps)


def _through(rows: FloatArray, tables: Tables, role: str) -> FloatArray:
    out: FloatArray = rows @ _needed(tables, "W" + role)
    bias = tables("b" + role)
    if bias is not None:
        out += bias
    return out


def _needed(tables: Tables, name: str) -> FloatArray:
    found = tables(name)
    assert found is not None, name
    return found


def _as(value: float, like: FloatArray) -> FloatArray:
    """A constant in the dtype of the rows, so that float32 stays float32."""
    return like.dtype.type(value)  # type: ignore[no-any-return]

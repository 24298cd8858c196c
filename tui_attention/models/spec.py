"""What a model's file says of its law: the family, the sizes, and the settings that change a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

Family = Literal["gpt2", "llama", "mistral", "qwen2", "qwen3"]
Bend = Literal["gelu", "gelu_tanh", "relu", "silu"]
FAMILIES: Mapping[str, str] = {
    "gpt2": "GPT-2", "llama": "Llama", "mistral": "Mistral", "qwen2": "Qwen2", "qwen3": "Qwen3"
}  # fmt: skip
MOST_BLOCKS, MOST_WIDTH = 1024, 1 << 20


@dataclass(frozen=True, slots=True)
class Rope:
    """Rotary position embedding: pair i of a head of width w turns by place * theta ** (-2 i / w), then scaled.

    `linear` divides every angle by `factor`; `llama3` only the slow ones, with a blend between `low` and `high`
    turns per `original` places. `divisors` are given one for each pair where a file carries them.
    """

    theta: float
    kind: Literal["default", "linear", "llama3"] = "default"
    factor: float = 1.0
    low: float = 1.0
    high: float = 4.0
    original: int = 8192
    divisors: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """The sizes and settings of one model. `windows` has for each block how many places a query sees; None: all."""

    family: Family
    blocks: int
    width: int
    hidden: int
    heads: int
    kv_heads: int
    head_width: int
    vocabulary: int
    context: int
    eps: float
    bend: Bend
    tied: bool
    windows: tuple[int | None, ...]
    rope: Rope | None = None
    attention_bias: bool = False
    mlp_bias: bool = False

    def fault(self) -> str:
        """What contradicts itself in the sizes; empty where nothing does."""
        sizes = {
            "blocks": self.blocks, "width": self.width, "hidden width": self.hidden, "heads": self.heads,
            "key/value heads": self.kv_heads, "head width": self.head_width, "vocabulary": self.vocabulary,
            "context": self.context,
        }  # fmt: skip
        for name, size in sizes.items():
            if size < 1:
                return f"{size} {name}; at least 1 was expected"
        if self.blocks > MOST_BLOCKS or self.width > MOST_WIDTH:
            return f"{self.blocks:,} blocks of width {self.width:,}, more than any model has"
        if self.heads % self.kv_heads:
            return f"{self.heads} heads can't share {self.kv_heads} key/value heads evenly"
        if self.rope and self.head_width % 2:
            return f"a head width of {self.head_width}; rotary pairs need an even one"
        if self.family == "gpt2" and self.heads * self.head_width != self.width:
            return f"a width of {self.width} can't be split into {self.heads} heads"
        if not 0 < self.eps < 1:
            return f"an eps of {self.eps:g}; a small positive number was expected"
        if self.rope and not (self.rope.theta > 0 and self.rope.factor > 0):
            return f"a rope base of {self.rope.theta:g} and factor {self.rope.factor:g}; positive ones were expected"
        return ""


def unknown_model(name: str) -> str:
    """The refusal of a model of another family."""
    return f"this file is a {name[:40]} model; GPT-2, Llama, Mistral, Qwen2 and Qwen3 can be walked through"


def near_miss(name: str, known: Iterable[str], present: Iterable[str]) -> str:
    """A known name that is absent and that `name` differs from in one or two letters: a damaged one. Else empty."""
    there = set(present)
    for other in known:
        near = len(other) == len(name) and sum(a != b for a, b in zip(name, other, strict=True)) <= 2
        if near and other not in there and other != name:
            return other
    return ""

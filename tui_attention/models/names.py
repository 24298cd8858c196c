"""Which tensor of a file is which table of the law, family by family and format by format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tui_attention.models.spec import ModelSpec

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """One table of the law: its name, the tensor that holds it, and its shape ([in, out] or [n]) in the law.

    `upright`: stored [in, out]; else [out, in]. `first` is where it begins among `packed` outputs, when several
    tables are packed side by side. `pairs`: how many heads have their rotary pairs side by side (2i, 2i + 1).
    """

    name: str
    tensor: str
    shape: Shape
    upright: bool = False
    first: int = 0
    packed: int = 0
    pairs: int = 0

    @property
    def stored(self) -> Shape:
        """The shape in the file."""
        if len(self.shape) == 1:
            return (self.packed or self.shape[0],)
        inside, outside = self.shape[0], self.packed or self.shape[1]
        return (inside, outside) if self.upright else (outside, inside)


Format = Literal["gguf", "safetensors"]
IGNORED = (".attn.bias", ".attn.masked_bias", ".rotary_emb.inv_freq", "rope_freqs.weight")
PREFIXES = {"gpt2": "transformer.", "llama": "model.", "mistral": "model.", "qwen2": "model.", "qwen3": "model."}

_HF_LLAMA = {
    "E": "embed_tokens", "g3": "norm", "Wlm": "lm_head", "g1": "layers.{}.input_layernorm",
    "q": "layers.{}.self_attn.q_proj", "k": "layers.{}.self_attn.k_proj", "v": "layers.{}.self_attn.v_proj",
    "o": "layers.{}.self_attn.o_proj", "gq": "layers.{}.self_attn.q_norm", "gk": "layers.{}.self_attn.k_norm",
    "g2": "layers.{}.post_attention_layernorm", "g": "layers.{}.mlp.gate_proj", "u": "layers.{}.mlp.up_proj",
    "d": "layers.{}.mlp.down_proj",
}  # fmt: skip
_GGUF_LLAMA = {
    "E": "token_embd", "g3": "output_norm", "Wlm": "output", "g1": "blk.{}.attn_norm", "q": "blk.{}.attn_q",
    "k": "blk.{}.attn_k", "v": "blk.{}.attn_v", "o": "blk.{}.attn_output", "gq": "blk.{}.attn_q_norm",
    "gk": "blk.{}.attn_k_norm", "g2": "blk.{}.ffn_norm", "g": "blk.{}.ffn_gate", "u": "blk.{}.ffn_up",
    "d": "blk.{}.ffn_down",
}  # fmt: skip
_HF_GPT2 = {
    "E": "wte", "P": "wpe", "g3": "ln_f", "Wlm": "lm_head", "g1": "h.{}.ln_1", "qkv": "h.{}.attn.c_attn",
    "o": "h.{}.attn.c_proj", "g2": "h.{}.ln_2", "f": "h.{}.mlp.c_fc", "p": "h.{}.mlp.c_proj",
}  # fmt: skip
_GGUF_GPT2 = {
    "E": "token_embd", "P": "position_embd", "g3": "output_norm", "Wlm": "output", "g1": "blk.{}.attn_norm",
    "qkv": "blk.{}.attn_qkv", "o": "blk.{}.attn_output", "g2": "blk.{}.ffn_norm", "f": "blk.{}.ffn_up",
    "p": "blk.{}.ffn_down",
}  # fmt: skip


def in_block(block: int, name: str) -> str:
    """The key of a block's table: `b3.Wq`."""
    return f"b{block}.{name}"


def slots(spec: ModelSpec, file_format: Format) -> Iterator[Slot]:
    """Every table of the model. The embedding E is [vocabulary, width], as it is stored."""
    gpt2 = spec.family == "gpt2"
    names = {
        ("gguf", True): _GGUF_GPT2, ("gguf", False): _GGUF_LLAMA, ("safetensors", True): _HF_GPT2,
        ("safetensors", False): _HF_LLAMA,
    }[file_format, gpt2]  # fmt: skip
    d = spec.width
    yield Slot("E", names["E"] + ".weight", (spec.vocabulary, d), upright=True)
    if gpt2:
        yield Slot("P", names["P"] + ".weight", (spec.context, d), upright=True)
    for block in range(spec.blocks):
        yield from (_gpt2(spec, file_format, names, block) if gpt2 else _llama(spec, file_format, names, block))
    yield Slot("g3", names["g3"] + ".weight", (d,))
    if gpt2:
        yield Slot("c3", names["g3"] + ".bias", (d,))
    if not spec.tied:
        yield Slot("Wlm", names["Wlm"] + ".weight", (d, spec.vocabulary))


def _gpt2(spec: ModelSpec, file_format: Format, names: dict[str, str], block: int) -> Iterator[Slot]:
    d, f, upright = spec.width, spec.hidden, file_format == "safetensors"

    def at(key: str) -> str:
        return names[key].format(block)

    for norm in "12":
        yield Slot(in_block(block, "g" + norm), at("g" + norm) + ".weight", (d,))
        yield Slot(in_block(block, "c" + norm), at("g" + norm) + ".bias", (d,))
    for place, role in enumerate("qkv"):
        first, packed = place * d, 3 * d
        yield Slot(in_block(block, "W" + role), at("qkv") + ".weight", (d, d), upright, first, packed)
        yield Slot(in_block(block, "b" + role), at("qkv") + ".bias", (d,), False, first, packed)
    for role, inside, outside in (("o", d, d), ("f", d, f), ("p", f, d)):
        yield Slot(in_block(block, "W" + role), at(role) + ".weight", (inside, outside), upright)
        yield Slot(in_block(block, "b" + role), at(role) + ".bias", (outside,))


def _llama(spec: ModelSpec, file_format: Format, names: dict[str, str], block: int) -> Iterator[Slot]:
    d, f, q = spec.width, spec.hidden, spec.heads * spec.head_width
    kv = spec.kv_heads * spec.head_width
    paired = file_format == "gguf" and spec.family == "llama"

    def at(key: str) -> str:
        return names[key].format(block)

    yield Slot(in_block(block, "g1"), at("g1") + ".weight", (d,))
    for role, size, heads in (("q", q, spec.heads), ("k", kv, spec.kv_heads), ("v", kv, 0)):
        pairs = heads if paired else 0
        yield Slot(in_block(block, "W" + role), at(role) + ".weight", (d, size), pairs=pairs)
        if spec.attention_bias or spec.family == "qwen2":
            yield Slot(in_block(block, "b" + role), at(role) + ".bias", (size,), pairs=pairs)
    if spec.family == "qwen3":
        for role in "qk":
            yield Slot(in_block(block, "g" + role), at("g" + role) + ".weight", (spec.head_width,))
    yield Slot(in_block(block, "Wo"), at("o") + ".weight", (q, d))
    if spec.attention_bias and spec.family != "qwen2":
        yield Slot(in_block(block, "bo"), at("o") + ".bias", (d,))
    yield Slot(in_block(block, "g2"), at("g2") + ".weight", (d,))
    for role, inside, outside in (("g", d, f), ("u", d, f), ("d", f, d)):
        yield Slot(in_block(block, "W" + role), at(role) + ".weight", (inside, outside))
        if spec.mlp_bias:
            yield Slot(in_block(block, "b" + role), at(role) + ".bias", (outside,))

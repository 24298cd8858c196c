"""What people look for in a model: what each block and head did, to the rows and to the answer. All in float32."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tui_attention.models.files import FloatArray
from tui_attention.models.inspection import ranks_of
from tui_attention.models.running import Model, Rows, Switches, shares_of


@dataclass(frozen=True, slots=True)
class BlockLine:
    """One block at the last place: the norm of its output, the heads' mean entropy in bits, the answer's rank."""

    block: int
    norm: float
    entropy: float
    rank: int

    def texts(self) -> tuple[str, ...]:
        """`#396 of the answer`, norm and entropy, the most telling first."""
        return f"#{self.rank:,}", f"|x|{self.norm:.0f}", f"H{self.entropy:.1f}"


def entropy(shares: FloatArray) -> FloatArray:
    """[..., n] -> [...]: the entropy of shares in bits; 0 looks at one token alone (Shannon 1948)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(shares > 0, shares * np.log2(shares), 0.0)
    bits: FloatArray = -parts.sum(-1)
    return bits


def block_lines(model: Model, rows: Rows) -> list[BlockLine]:
    """One line for each block. The final answer's rank is that of the row after the block, put through the lens."""
    last = np.stack([output[-1] for output in rows.outputs])
    logits = model.logits(last)
    answer = int(np.argmax(logits[-1]))
    ranks = ranks_of(logits, answer)
    return [
        BlockLine(
            block,
            float(np.linalg.norm(last[block + 1].astype(np.float64))),
            float(entropy(model.trace(rows, block)["shares"][:, -1]).mean()),
            ranks[block + 1],
        )
        for block in range(model.spec.blocks)
    ]


@dataclass(frozen=True, slots=True)
class Effect:
    """A head or a part of a block switched off: the answer's chance with it and without it."""

    name: str
    before: float
    after: float

    @property
    def change(self) -> float:
        return self.after - self.before


def effect(model: Model, rows: Rows, token: int, switches: Switches, name: str) -> Effect:
    """What becomes of a token's chance at the last place when more is switched off, worked out from that block on.

    `switches` holds what is off already, and the further head or part.
    """
    before = float(shares_of(model.next_logits(rows))[token])
    changed = rows.begun(switches.first_other(rows.switches, model.spec.blocks), switches)
    while model.advance(changed):
        pass
    return Effect(name, before, float(shares_of(model.next_logits(changed))[token]))


def head_effects(model: Model, rows: Rows, token: int, block: int) -> Iterator[Effect]:
    """Every head of a block, and its two parts, switched off one by one."""
    off = rows.switches
    for head in range(model.spec.heads):
        more = Switches(off.heads | {(block, head)}, off.parts)
        yield effect(model, rows, token, more, f"{block}.{head}")
    for part in ("attn", "mlp"):
        more = Switches(off.heads, off.parts | {(block, part)})
        yield effect(model, rows, token, more, f"{block}.{part}")


@dataclass(frozen=True, slots=True)
class Contribution:
    """How much a part adds to one logit directly, past all later blocks."""

    name: str
    logit: float


def direct(model: Model, rows: Rows, token: int) -> Iterator[tuple[Contribution, ...]]:
    """Direct logit attribution: the last row is a sum of parts, and the final norm and output table are linear once
    the norm's divisor is fixed (Elhage et al. 2021). The parts, and the biases under `bias`, add up to the logit.

    What is known at once first, then block by block, then the biases.
    """
    spec, tables = model.spec, model.tables()
    x = rows.outputs[-1][-1].astype(np.float64)
    gain = _needed(tables("g3"))
    if spec.family == "gpt2":
        scale = 1 / np.sqrt(x.var() + spec.eps)
        along = gain * model.output_row(token)
        along = along - along.mean()  # the mean that the norm takes off
    else:
        scale = 1 / np.sqrt((x * x).mean() + spec.eps)
        along = gain * model.output_row(token)
    along = along * scale
    yield (Contribution("embedding", float(rows.outputs[0][-1] @ along)),)
    rest = 0.0
    for block in range(spec.blocks):
        trace, inside = model.trace(rows, block), model.tables(block)
        wo = _needed(inside("Wo"))
        width = spec.head_width
        heads = trace["heads"][:, -1].astype(np.float64)
        parts = [float(heads[h] @ wo[h * width : (h + 1) * width] @ along) for h in range(spec.heads)]
        rest += float(trace["y"][-1].astype(np.float64) @ along) - sum(parts)
        yield (
            *(Contribution(f"{block}.{head}", part) for head, part in enumerate(parts)),
            Contribution(f"{block}.mlp", float(trace["m"][-1].astype(np.float64) @ along)),
        )
    bias = tables("c3")
    if bias is not None:
        rest += float(bias.astype(np.float64) @ model.output_row(token))
    yield (Contribution("bias", rest),)


def _needed(found: FloatArray | None) -> FloatArray:
    assert found is not None
    return found.astype(np.float64)

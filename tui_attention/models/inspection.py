"""What scripts ask of a model: tokens, next tokens, norms, attention, the logit lens, a continuation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tui_attention.engine.errors import BadInput
from tui_attention.models.files import FloatArray
from tui_attention.models.running import ALL_ON, Model, Rows, Switches, shares_of
from tui_attention.models.spec import ModelSpec

Head = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for. With `lens`, the rank of `word`, or of the answer. `greedy`: how many more tokens."""

    top: int = 10
    heads: tuple[Head, ...] = ()
    without: Switches = ALL_ON
    lens: bool = False
    word: int | None = None
    greedy: int = 0


def parse_head(text: str, spec: ModelSpec) -> Head:
    """`23.4` as block and head, both from 0. Raises BadInput, saying what is legal."""
    block, _, head = text.strip().partition(".")
    legal = f"write BLOCK.HEAD, from 0.0 to {spec.blocks - 1}.{spec.heads - 1}"
    if not (block.isascii() and block.isdigit() and head.isascii() and head.isdigit()):
        raise BadInput(f"{text[:20]!r} is no head; {legal}")
    if int(block) >= spec.blocks or int(head) >= spec.heads:
        raise BadInput(f"there is no head {text.strip()[:20]}; {legal}")
    return int(block), int(head)


def prompt_ids(model: Model, text: str) -> tuple[tuple[int, ...], str]:
    """The ids of a prompt, and a note of what was left out. Raises BadInput for one that can't be run."""
    tokenizer, spec = model.checkpoint.tokenizer, model.spec
    note = ""
    if tokenizer is None:
        words = text.replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() for word in words):
            raise BadInput("this model has no tokenizer beside it, so the prompt should be ids with blanks between")
        ids = tuple(int(word[:12]) for word in words)
        if any(token >= spec.vocabulary for token in ids):
            raise BadInput(f"there is no token {max(ids)}; 0 to {spec.vocabulary - 1} are legal")
    else:
        encoded = tokenizer.encode(text)
        ids = encoded.ids
        if encoded.dropped:
            lost = " ".join(f"{byte:02X}" for byte in encoded.dropped[:12])
            note = f"the vocabulary has no token for these bytes of the prompt, so they are left out: {lost}"
    if not ids:
        raise BadInput("the prompt is empty; at least one token was expected")
    if len(ids) > spec.context:
        raise BadInput(f"the prompt has {len(ids):,} tokens; this model has places for {spec.context:,}")
    return ids, note


def word_id(model: Model, word: str) -> tuple[int, str]:
    """The first token of a word as it is written, and a note where it has more. Raises BadInput for an empty one."""
    ids, _ = prompt_ids(model, word) if word else ((), "")
    if not ids:
        raise BadInput("--lens takes a word of at least one token, or nothing")
    more = f"{word[:40]!r} is {len(ids)} tokens; the lens follows the first, {token_text(model, ids[0])!r}"
    return ids[0], more if len(ids) > 1 else ""


def token_text(model: Model, token: int) -> str:
    """A token as text; its number where there is no tokenizer."""
    tokenizer = model.checkpoint.tokenizer
    return f"<{token}>" if tokenizer is None else tokenizer.text(token)


def ranks_of(logits: FloatArray, token: int) -> list[int]:
    """The place of a token among all, from 1, for each row of [n, vocabulary]."""
    return [int(np.count_nonzero(row > row[token])) + 1 for row in logits]


def top_of(model: Model, logits: FloatArray, count: int) -> list[dict[str, Any]]:
    """The most probable tokens behind a row of logits."""
    count = min(count, len(logits))
    best = np.argpartition(-logits, count - 1)[:count]
    shares = shares_of(logits)
    order = sorted((int(token) for token in best), key=lambda token: (-logits[token], token))
    return [
        {
            "id": token,
            "token": token_text(model, token),
            "logit": float(logits[token]),
            "p": float(shares[token]),
        }
        for token in order
    ]


def lens(model: Model, rows: Rows, word: int | None) -> list[dict[str, Any]]:
    """What the last place would answer after each block, through the final norm; the rank of `word` or the answer."""
    logits = model.logits(np.stack([output[-1] for output in rows.outputs]))
    answer = int(np.argmax(logits[-1])) if word is None else word
    ranks, found = ranks_of(logits, answer), []
    for place, row in enumerate(logits):
        token = int(np.argmax(row))
        found.append(
            {
                "after": "embedding" if place == 0 else place - 1,
                "id": token,
                "token": token_text(model, token),
                "p": float(shares_of(row)[token]),
                "rank": ranks[place],
            }
        )
    return found


def inspect(model: Model, ids: Sequence[int], wanted: Wanted) -> dict[str, Any]:
    """Everything asked for, as plain JSON values. Raises BadInput where the model has no place for so many tokens."""
    if len(ids) + wanted.greedy > model.spec.context + 1:
        raise BadInput(
            f"{len(ids):,} tokens and {wanted.greedy:,} more; this model has places for {model.spec.context:,}"
        )
    rows = model.run(ids, wanted.without)
    logits = model.next_logits(rows)
    attention = {
        f"{block}.{head}": model.trace(rows, block)["shares"][head].astype(float).tolist()
        for block, head in wanted.heads
    }
    norms = [float(np.linalg.norm(output[-1].astype(np.float64))) for output in rows.outputs]
    found = {
        "ids": list(ids),
        "tokens": [token_text(model, token) for token in ids],
        "top": top_of(model, logits, wanted.top),
        "norms": norms,
        "attention": attention,
        "lens": lens(model, rows, wanted.word) if wanted.lens else [],
    }
    written = list(model.greedy(rows, wanted.greedy))
    tokenizer = model.checkpoint.tokenizer
    text = " ".join(map(str, written)) if tokenizer is None else tokenizer.decode(written)
    return {**found, "greedy": {"ids": written, "text": text}}

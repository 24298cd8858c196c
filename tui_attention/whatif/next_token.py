"""Which mark comes next: temperature, top-k, top-p and a ticket, and the text written on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tui_attention.engine.decimals import rounded
from tui_attention.engine.errors import BadInput
from tui_attention.engine.tensor import Array

STRIP_DECIMALS = 3
"""The running total is compared as it is printed, as the lesson's own `pick` does."""


class Sampling(NamedTuple):
    """How the next token is chosen. `temperature` 0 is greedy; `top_k` 0 and `top_p` 1 keep every token."""

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0


@dataclass(frozen=True, eq=False, slots=True)
class Choice:
    """What a choice was made from: chances [vocabulary] (0 where cut off), their running total, who was kept.

    `notices` are sentences about what was clamped or means something else than it says.
    """

    chances: Array
    cumulative: Array
    kept: tuple[int, ...]
    token: int
    notices: tuple[str, ...] = ()


def clamped(sampling: Sampling, size: int) -> tuple[Sampling, tuple[str, ...]]:
    """The settings inside what is possible, and a sentence for each that was not.

    Raises BadInput for a negative or non-finite temperature.
    """
    notices = []
    if not np.isfinite(sampling.temperature) or sampling.temperature < 0:
        raise BadInput(f"the temperature is {sampling.temperature:g}; 0 or more was expected")
    if sampling.temperature == 0:
        notices.append("Temperature 0 means greedy: the largest logit is taken, no ticket is drawn.")
    top_k = sampling.top_k
    if top_k < 0 or top_k > size:
        top_k = min(max(top_k, 0), size)
        notices.append(f"top-k {sampling.top_k} is outside 0 to {size}; {top_k} is used{'' if top_k else ': all'}.")
    top_p = sampling.top_p
    if not 0 < top_p <= 1:
        top_p = 1.0 if top_p > 1 or not np.isfinite(top_p) else 0.0
        used = "1 is used: all" if top_p else "only the likeliest is kept"
        notices.append(f"top-p {sampling.top_p:g} is outside 0 to 1; {used}.")
    return Sampling(sampling.temperature, top_k, top_p), tuple(notices)


def choose(logits: Array, sampling: Sampling, ticket: float) -> Choice:
    """The next token from one row of logits [vocabulary].

    Chances are softmax(logits / temperature); top-k keeps the k likeliest, top-p the fewest of them, likeliest
    first, that together reach p (Holtzman et al. 2020); what is kept is divided by its total again. The ticket falls
    on the first token whose running total reaches it. Raises BadInput.
    """
    if not 0 <= ticket <= 1:
        raise BadInput(f"the ticket is {ticket:g}; it should be from 0 to 1")
    settings, notices = clamped(sampling, len(logits))
    if settings.temperature == 0:
        token = int(np.argmax(logits))
        chances = np.zeros(len(logits))
        chances[token] = 1.0
        return Choice(chances, np.cumsum(chances), (token,), token, notices)
    scaled = logits / settings.temperature
    raw = np.exp(scaled - np.max(scaled))
    chances = raw / raw.sum()
    order = np.argsort(-chances, kind="stable")
    if settings.top_k:
        order = order[: settings.top_k]
    if settings.top_p < 1:
        together = np.cumsum(chances[order])
        order = order[: int(np.searchsorted(together, settings.top_p)) + 1]
    kept = tuple(sorted(int(token) for token in order))
    cut = np.zeros(len(logits))
    cut[list(kept)] = chances[list(kept)]
    cut /= cut.sum()
    cumulative = np.cumsum(cut)
    return Choice(cut, cumulative, kept, _landed(cumulative, kept, ticket), notices)


def _landed(cumulative: Array, kept: Sequence[int], ticket: float) -> int:
    """The first kept token whose stretch of the printed strip (three decimals) reaches the ticket."""
    return next((token for token in kept if rounded(float(cumulative[token]), STRIP_DECIMALS) >= ticket), kept[-1])


def ticket_of(seed: int, draw: int) -> float:
    """The draw-th ticket (from 0) of a seed, from 0 to 1: the same for everybody who types the seed."""
    return float(np.random.default_rng([seed, draw]).random())


__all__ = ["Choice", "Sampling", "choose", "clamped", "ticket_of"]

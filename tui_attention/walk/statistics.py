"""One learner's statistic of slips: what was named on how many answers, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tui_attention.walk.refs import Ref

HABIT = 2
"""Answers on which a kind must have been named before it is told of: once is no habit."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One answer that counts: where it was given, and the kinds of slip that were named."""

    ref: Ref
    stage: str
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SlipCount:
    """A kind of slip, on how many answers it was named, and where: pairs of a stage's id and a cell or CHECK."""

    kind: str
    times: int
    where: tuple[tuple[str, Ref], ...]


def habits(attempts: Iterable[Attempt]) -> tuple[SlipCount, ...]:
    """The kinds named on two answers or more, the most frequent first, whatever the prompt and dials were."""
    found: dict[str, list[tuple[str, Ref]]] = {}
    for attempt in attempts:
        for kind in dict.fromkeys(attempt.kinds):
            found.setdefault(kind, []).append((attempt.stage, attempt.ref))
    counted = (SlipCount(kind, len(where), tuple(dict.fromkeys(where))) for kind, where in found.items())
    return tuple(sorted((slip for slip in counted if slip.times >= HABIT), key=lambda slip: (-slip.times, slip.kind)))

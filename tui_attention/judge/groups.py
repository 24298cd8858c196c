"""Slips of identical arithmetic, with the numbers they lead to and how usual each number is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tui_attention.engine.working import Node, Style
from tui_attention.judge.applied import AppliedSlip
from tui_attention.judge.number import Number
from tui_attention.judge.pencil import Pencils, Values, slip_styles
from tui_attention.judge.region import gives

MACHINE = 0.1
"""How often a slip is made with all the machine's digits; the ways by hand share the rest evenly. Assumed, as the
pupils of `tests.bench` are: one of ten goes on with the machine's digits."""
COPIED = 0.5
"""How often a number in the wrong place is copied as it is printed, not worked again: assumed, as often as not."""


@dataclass(frozen=True, slots=True)
class SlipGroup:
    """Slips of identical arithmetic. `values` are its numbers in all styles with the share of each, `exact` that of
    the printed rows.
    """

    members: tuple[AppliedSlip, ...]
    values: Mapping[float, float]
    exact: float

    @property
    def weight(self) -> float:
        return sum(made.weight for made in self.members)

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(made.kind for made in self.members))

    def distance(self, value: float) -> float:
        return min(abs(value - own) for own in self.values)

    def share(self, number: Number, asks: int, *, exact: bool) -> float:
        """How often the slip leads to the typed number: 0 to 1."""
        return sum(share for value, share in self.values.items() if gives(value, number, asks, exact=exact))


def grouped(
    made: Iterable[AppliedSlip],
    root: Node,
    asks: int,
    own: Mapping[str, float] | None = None,
    *,
    adapt: Callable[[Node], Node] = lambda node: node,
    found: tuple[Style, ...] | None = None,
) -> tuple[SlipGroup, ...]:
    """The slips of a working, identical arithmetic merged; those that come to no number are left out.

    With `own`, the learner's numbers stand in place of printed ones; `adapt` lets a working stop at them.
    `found` are other styles than those of a slip, the machine's first and exact arithmetic on printed rows second.
    """
    pencils = Pencils(root, slip_styles(root, asks, own) if found is None else found)
    members: dict[tuple[float, ...], list[AppliedSlip]] = {}
    values: dict[tuple[float, ...], dict[float, float]] = {}
    right = _fingerprint(pencils.values(root))
    for slip in made:
        worked = pencils.values(adapt(slip.root))
        if slip.finish is not None:
            worked = tuple([slip.finish(value, asks) for value in worked])
        if not math.isfinite(worked[0]) or not math.isfinite(worked[1]):
            continue
        key = _fingerprint(worked)
        if key == right:  # the same arithmetic in other clothes: no slip at all
            continue
        members.setdefault(key, []).append(slip)
        shares = values.setdefault(key, {})
        machine = COPIED if slip.copied else MACHINE
        hand = (1 - machine) / (len(worked) - 1)
        total = sum(member.weight for member in members[key])
        for value in shares:  # members of one group may differ in how often the number is copied
            shares[value] *= 1 - slip.weight / total
        for place, value in enumerate(worked):
            if math.isfinite(value):
                shares[value] = shares.get(value, 0.0) + (hand if place else machine) * slip.weight / total
    return tuple(SlipGroup(tuple(members[key]), values[key], key[1]) for key in members)


def _fingerprint(worked: Values) -> tuple[float, ...]:
    """Tells arithmetic apart: the machine's number, and exact arithmetic on printed rows."""
    return tuple(round(value, 9) + 0.0 for value in worked[:2])

"""Which outcomes of a cell are told as a diagnosis: those far likelier to be a slip than a coincidence.

The more slips a cell can have, the likelier it is that some slip hits any number. So each outcome is weighed: how
often a class arrives there by a slip, against how often any other mistake would end on just this number. What other
mistakes do is taken as measured: half of them within half a unit of the right number, half of them 5 to 50 % off.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tui_attention.engine.decimals import quick_rounded
from tui_attention.judge.groups import SlipGroup
from tui_attention.judge.number import Number
from tui_attention.judge.region import Region, gives

# Chosen together on the answers of `tests.bench.judge`, every outcome counted: of random near numbers 10 % are named
# in press-h and 3 % in bank, of no tensor more than 14.5 %; listed slips in 93 %, others in 82 %. With BAR 2.2 it is
# 7 % of random numbers in press-h, but 91.5 % and 78 % of slips.
MOST_NAMED = 0.148
"""Of numbers near the right one, at most so many are named: just below the 0.15 that is the most a class should be
told by coincidence."""
MOST_NEAR, MOST_BY_PART = 0.15, 0.22
"""At most so many of those within half a unit, and of those off by a part of it, of which a small number has few."""
BAR = 1.25
"""A slip is named only where its number is so many times likelier than by coincidence."""
ABOUT_EQUAL = 8.0
"""Slips that are less likely than the likeliest by more than this are not told beside it."""
NEAR, LEAST, MOST = 0.5, 0.05, 0.5
BETWEEN, MOST_BETWEEN = 0.06, 100
"""How often a slip ends between what the styles give, or one beyond, as steps may each be kept in another way. 0.8 %
of the bench's listed slips ended there, and were told nothing."""
FAR = 0.1
"""The part of other mistakes that ends anywhere, up to three times as far off as the number is large."""


@dataclass(frozen=True, slots=True)
class Likely:
    """A slip that gives the typed number, and how often it does so, against all slips of the cell.

    `between`: no one style leads there, only a mixture.
    """

    group: SlipGroup
    chance: float
    between: bool = False


class Likelihood:
    """The outcomes of a cell's slips, weighed once when the question opens."""

    def __init__(self, groups: tuple[SlipGroup, ...], region: Region) -> None:
        self._groups, self._region = groups, region
        self._whole = sum(group.weight for group in groups) or 1.0
        self._scale = 10.0**region.asks
        self._hits: dict[int, list[tuple[SlipGroup, float, float]]] = {}  # by number: slip, its value, how often
        for group in groups if not region.exact else ():
            weight = group.weight / self._whole
            for value, share in group.values.items():
                if abs(value) < 1e9:
                    self._hits.setdefault(self._unit(value), []).append((group, value, share * weight))
            between = self._between(group)
            for unit in between:
                own = BETWEEN * weight / len(between)
                self._hits.setdefault(unit, []).append((group, unit / self._scale, own))
        told = self._told({unit: sum(hit[2] for hit in hits) for unit, hits in self._hits.items()})
        self._telling = frozenset(told) if self._hits else frozenset()

    def _between(self, group: SlipGroup) -> list[int]:
        """Numbers that a mixture of styles may lead to, each step kept in another way, where styles differ at all."""
        units = {self._unit(value) for value in group.values if abs(value) < 1e9}
        if len(units) < 2 or max(units) - min(units) > MOST_BETWEEN:
            return []
        return [unit for unit in range(min(units) - 1, max(units) + 2) if unit not in units]

    def named(self, number: Number) -> tuple[Likely, ...]:
        """The slips to name for a typed number, the likeliest first; none where coincidence is as likely."""
        return self._ranked(number) if self._tells(number) else ()

    def possible(self, number: Number) -> bool:
        """Whether any slip leads to the number, named or not."""
        return bool(self._ranked(number))

    def _ranked(self, number: Number) -> tuple[Likely, ...]:
        found: dict[int, Likely] = {}
        for group, chance in self._matching(number):
            before = found.get(id(group))
            between = not any(gives(value, number, self._region.asks) for value in group.values)
            found[id(group)] = Likely(group, chance + (before.chance if before else 0.0), between)
        hits = sorted(found.values(), key=lambda hit: (-hit.chance, hit.group.distance(number.value)))
        return tuple(hit for hit in hits if hit.chance * ABOUT_EQUAL >= hits[0].chance)

    def _matching(self, number: Number) -> Iterator[tuple[SlipGroup, float]]:
        """The slips that lead to the number, and how often."""
        region = self._region
        if region.exact:
            for group in self._groups:
                if share := group.share(number, region.asks, exact=True):
                    yield group, share * group.weight / self._whole
            return
        for group, value, chance in self._near(number):
            if gives(value, number, region.asks):
                yield group, chance

    def _near(self, number: Number) -> Iterator[tuple[SlipGroup, float, float]]:
        """What may lead to a number; with further digits it may round otherwise than the slip's own."""
        if abs(number.value) < 1e9:
            unit = self._unit(number.value)
            for place in (unit - 1, unit, unit + 1):
                yield from self._hits.get(place, ())

    def _tells(self, number: Number) -> bool:
        if self._region.exact:
            return True
        if abs(number.value) < 1e9 and self._unit(number.value) in self._telling:
            return True
        if number.decimals is not None and number.decimals <= self._region.asks:
            return False
        hits = (value for _, value, _ in self._near(number) if gives(value, number, self._region.asks))
        return any(self._unit(value) in self._telling for value in hits)

    def _unit(self, value: float) -> int:
        """The number as a count of units of the asked place."""
        return round(quick_rounded(value, self._region.asks) * self._scale)

    def _told(self, outcomes: dict[int, float]) -> Iterator[int]:
        """The outcomes that clear the bar, the most telling first, as long as coincidence leads to few of them."""
        region, unit = self._region, 10.0**-self._region.asks
        full, size = region.full, abs(region.full)
        low, high = region.low - region.half - full, region.high + region.half - full
        near = unit / max(2 * NEAR - _overlap(low, high, -NEAR, NEAR), unit)
        ring = 2 * (MOST - LEAST) * size
        left = ring - sum(_overlap(low, high, *sorted((s * LEAST * size, s * MOST * size))) for s in (-1, 1))
        part = unit / left if left > unit else 0.0
        far = FAR * unit / (2 * max(3.0, 3 * size))

        def coincidence(place: int) -> tuple[float, float]:
            off = abs(place * unit - full)
            in_ring = LEAST * size - unit / 2 <= off <= MOST * size + unit / 2
            return near if off <= NEAR + unit / 2 else 0.0, part if in_ring else 0.0

        weighed = []
        for place, chance in outcomes.items():
            if region.by_style(place * unit):
                continue
            by_near, by_part = coincidence(place)
            weighed.append((chance / ((1 - FAR) * (by_near + by_part) / 2 + far), by_near, by_part, place))
        spent = [0.0, 0.0]
        for ratio, by_near, by_part, place in sorted(weighed, reverse=True):
            if ratio < BAR:
                return
            after = [spent[0] + by_near, spent[1] + by_part]
            if after[0] <= MOST_NEAR and sum(after) / 2 <= MOST_NAMED and after[1] <= MOST_BY_PART:
                spent = after
                yield place


def _overlap(low: float, high: float, start: float, end: float) -> float:
    return max(0.0, min(high, end) - max(low, start))

"""How pupils keep numbers on the way: the families of honest pencils. Plain arithmetic, apart from the engine."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal


def kept(value: float, decimals: int, tie: str = ROUND_HALF_UP) -> float:
    """A number written down with so many decimals."""
    if not math.isfinite(value) or abs(value) > 1e12:
        return value
    return float(Decimal(f"{value:.12g}").quantize(Decimal(1).scaleb(-decimals), tie))


def cut(value: float, decimals: int) -> float:
    """The digits behind are dropped."""
    return kept(value, decimals, ROUND_DOWN)


@dataclass(frozen=True)
class Pen:
    """How somebody keeps numbers on the way.

    `keeps`: the decimals of a step in between, None for all; drawn anew for each step where there are several.
    `way`: which of the equal formulas is used. `roots`: decimals of the table of roots.
    """

    name: str
    asks: int
    keeps: tuple[int | None, ...] = (None,)
    tie: str = ROUND_HALF_UP
    way: str = ""
    roots: int = 3
    machine: bool = False
    rng: random.Random = field(default_factory=random.Random)

    def r(self, value: float) -> float:
        """A result in between."""
        if self.machine:
            return value
        keep = self.keeps[0] if len(self.keeps) == 1 else self.rng.choice(self.keeps)
        return value if keep is None else kept(value, keep, self.tie)

    def root(self, value: float) -> float:
        """The root of a constant, from the table."""
        return math.sqrt(value) if self.machine else kept(math.sqrt(value), self.roots, self.tie)

    def phi(self, z: float) -> float:
        """Phi from a table of four places."""
        value = 0.5 * (1 + math.erf(z / math.sqrt(2)))
        return value if self.machine else kept(value, 4, self.tie)

    def over(self, a: float, b: float) -> float:
        """A quotient, not yet rounded."""
        if not b:
            return math.nan
        if self.way == "reciprocal" and not self.machine:
            return a * kept(1 / b, max(4, self.asks + 1), self.tie)
        return a / b

    def add(self, parts: Sequence[float]) -> float:
        """A sum, not yet rounded; running totals are written down one by one."""
        if self.way == "running":
            total = 0.0
            for part in parts:
                total = self.r(total + part)
            return total
        return math.fsum(parts)

    def dot(self, left: Sequence[float], right: Sequence[float]) -> float:
        """Products added."""
        pairs = list(zip(left, right, strict=False))
        if self.way == "running":
            total = 0.0
            for a, b in pairs:
                total = self.r(total + a * b)
            return total
        if self.way == "signs apart":
            parts = [self.r(a * b) for a, b in pairs]
            return self.r(math.fsum(p for p in parts if p > 0)) + self.r(math.fsum(p for p in parts if p < 0))
        if self.way == "halves":
            parts = [self.r(a * b) for a, b in pairs]
            half = len(parts) // 2
            return self.r(math.fsum(parts[:half])) + self.r(math.fsum(parts[half:]))
        return math.fsum(self.r(a * b) for a, b in pairs)


def pens(asks: int, rng: random.Random) -> list[Pen]:
    """The families of honest pencils."""
    wide = (asks, asks + 1, asks + 2, None)
    found = [Pen("machine", asks, machine=True)]
    for tie, name in ((ROUND_HALF_UP, "up"), (ROUND_HALF_EVEN, "even")):
        for keep in wide:
            found.append(Pen(f"{name} {keep}", asks, (keep,), tie, roots=rng.choice((4, 3, 2)), rng=rng))
    roots = rng.choice((4, 3, 2))
    mixed = Pen("mixed", asks, wide, roots=roots, rng=rng)
    found.append(mixed)
    for way in ("reciprocal", "running", "signs apart", "halves", "divide first", "squares first", "previous total"):
        keep = rng.choice(wide)
        found.append(Pen(way, asks, (keep,), rng.choice((ROUND_HALF_UP, ROUND_HALF_EVEN)), way, roots, rng=rng))
    found.append(replace(mixed, name="two-decimal mean", way="short", keeps=(rng.choice(wide),)))
    return found

"""What counts as right for one cell: the print, the honest ways by hand, and the noise of rounding in between."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from tui_attention.engine.decimals import cut, rounded
from tui_attention.engine.working import EXACT_ON_PRINTED, FULL, Node, Style, evaluate, noise
from tui_attention.judge.number import Number
from tui_attention.judge.pencil import Pencils, Values, finite, honest_styles
from tui_attention.judge.regrouped import regrouped

# Binary noise of the sums below; no decimal that a person types is that close to a bound by chance.
HAIR = 1e-9
NOISES = 1.5
# An exact number has at most so many decimals; one with more is as good as endless.
MOST_EXACT = 8
# Places behind the point that are compared; what lies further back is noise of the binary.
MOST_PLACES = 12

Remark = Literal["", "cut", "digits"]


@dataclass(frozen=True, slots=True)
class Accepted:
    """Why a number counts as right. `cut`: its end was cut off, not rounded; `digits`: those not asked are wrong."""

    kind: Literal["right", "pencil"]
    remark: Remark = ""


@dataclass(frozen=True, slots=True)
class Region:
    """The accepted numbers of one cell, asked with `asks` decimals. `exact`: nothing but the number itself.

    `printed` is the full value at the asked decimals; `values` are the honest ways by hand and the machine's, `low`
    to `high` their range; `core` is the full value and exact arithmetic on printed rows; `spread` the standard
    deviation of rounding. `finished`: the number has an end, and every way leads to it.
    """

    asks: int
    full: float
    printed: float
    exact: bool
    values: Values = ()
    low: float = 0.0
    high: float = 0.0
    core: tuple[float, float] = (0.0, 0.0)
    spread: float = 0.0
    finished: bool = False

    @property
    def half(self) -> float:
        """Half a unit of the asked place."""
        return 0.5 * 10.0**-self.asks

    def accepted(self, number: Number) -> Accepted | None:
        """Whether it is the print, or what an honest pencil gets; the noise of rounding is not yet counted in."""
        if self.exact:
            return Accepted("right") if same(number.value, self.printed) else None
        if self.finished:
            return self._finished(number)
        if number.decimals is not None and number.decimals > self.asks:
            return self._longer(number.value, min(number.decimals, MOST_PLACES))
        if same(number.value, self.printed):
            return Accepted("right")
        if number.decimals is None and within(number.value, self.full, self.full, self.half):
            return Accepted("right")
        if number.decimals is not None and number.decimals < self.asks:
            return None  # right as far as it goes at best
        if self.by_style(number.value):
            return Accepted("pencil")
        if any(same(cut(value, self.asks), number.value) for value in self.values):
            return Accepted("pencil", "cut")
        return None

    def _finished(self, number: Number) -> Accepted | None:
        """A number with an end takes no invented digits."""
        digits = self.asks if number.decimals is None else min(max(number.decimals, self.asks), MOST_PLACES)
        if same(number.value, self.full) or same(number.value, rounded(self.full, digits)):
            return Accepted("right")
        if number.decimals is not None and same(number.value, cut(self.full, digits)):
            return Accepted("pencil", "cut")
        return None

    def _longer(self, value: float, decimals: int) -> Accepted | None:
        """More digits than asked: they are right if some way leads to them, rounded or cut."""
        half = 0.5 * 10.0**-decimals
        clean = within(value, *self.core, half) or any(
            same(value, rounded(own, decimals)) or same(value, cut(own, decimals)) for own in self.values
        )
        short = rounded(value, self.asks)
        if same(short, self.printed) or (clean and within(value, self.full, self.full, half)):
            return Accepted("right", "" if clean else "digits")
        if clean or self.by_style(short):
            return Accepted("pencil", "" if clean else "digits")
        return None

    def by_style(self, value: float) -> bool:
        """Whether it lies among the honest ways, to half a unit of the asked place."""
        return within(value, self.low, self.high, self.half)

    def by_noise(self, number: Number) -> bool:
        """Whether rounding in between can lead there, a little beyond the styles."""
        if self.exact or (self.finished and (number.decimals or 0) > self.asks):
            return False
        return within(number.value, *self.core, self.half + NOISES * self.spread)

    def short(self, number: Number) -> bool:
        """Whether it is right as far as it goes, with fewer decimals than asked: rounded, or cut behind the point.

        A bare 0 goes nowhere.
        """
        decimals = number.decimals
        if decimals is None or decimals >= self.asks or self.asks == 0 or (decimals == 0 and number.value == 0):
            return False
        values = (self.full,) if self.exact else self.values
        return any(
            same(number.value, rounded(value, decimals))
            or (decimals > 0 and number.value != 0 and same(number.value, cut(value, decimals)))
            for value in values
        )

    def accepts(self, number: Number) -> bool:
        """Whether the number counts as right, as long as no slip has a better claim to it."""
        return self.accepted(number) is not None or self.by_noise(number)


def region(root: Node, asks: int, own: Mapping[str, float] | None = None, more: Iterable[Node] = ()) -> Region:
    """The accepted numbers of a working; `own` stands in place of printed operands, `more` are equal workings."""
    own = own or {}
    full = evaluate(root, Style("full", own=own)) if own else evaluate(root, FULL)
    if asks == 0:
        return certain(full, 0)
    pencils = Pencils(root, honest_styles(root, asks, own))
    values = finite(pencils.values(root)) or (full,)
    finished = max(values) - min(values) < HAIR and same(rounded(full, MOST_EXACT), full)
    if not finished:
        ways = [pencils.values(way) for way in (*regrouped(root), *more)]
        values = tuple(dict.fromkeys((*values, *(value for found in ways for value in finite(found)))))
    on_printed = evaluate(root, Style("printed", own=own) if own else EXACT_ON_PRINTED)
    core = finite((full, on_printed)) or (full,)
    return Region(
        asks,
        full,
        rounded(full, asks) + 0.0,
        False,
        values,
        min(values),
        max(values),
        (min(core), max(core)),
        noise(root, asks),
        finished,
    )


def certain(value: float, asks: int) -> Region:
    """The region of a number that is read off or counted: the number alone."""
    return Region(asks, value, rounded(value, asks) + 0.0, True, (value,), value, value, (value, value))


def same(a: float, b: float) -> bool:
    """Whether two decimals are one number, whatever the binary says."""
    return abs(a - b) <= HAIR * max(1.0, abs(a), abs(b))


def within(value: float, low: float, high: float, margin: float) -> bool:
    """Whether a number lies between two bounds widened by a margin, the bounds themselves included."""
    hair = HAIR * max(1.0, abs(value))
    return low - margin - hair <= value <= high + margin + hair


def gives(value: float, number: Number, asks: int, *, exact: bool = False) -> bool:
    """Whether a slip's value prints the typed number; typed beyond the asked digits, to half a unit.

    `exact`: for places and counts, where a slip gives a whole number, or a number of a row with its own digits.
    """
    if exact and value == round(value):
        return same(value, number.value)
    if exact:
        return bool(number.decimals) and same(rounded(value, number.decimals or 0), number.value)
    if number.decimals is None or number.decimals > asks:
        return within(number.value, value, value, 0.5 * 10.0**-asks)
    return same(rounded(value, asks), number.value)

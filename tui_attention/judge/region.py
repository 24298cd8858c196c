"""What counts as right for one cell: the print, the honest styles, and the noise of rounding in between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tui_attention.engine.decimals import rounded
from tui_attention.engine.working import EXACT_ON_PRINTED, FULL, Node, Style, evaluate, noise
from tui_attention.judge.number import Number
from tui_attention.judge.pencil import Pencils, Values, finite

# Binary noise of the sums below; no decimal that a person types is that close to a bound by chance.
HAIR = 1e-9
NOISES = 1.5


@dataclass(frozen=True, slots=True)
class Region:
    """The accepted numbers of one cell, asked with `asks` decimals. `exact`: nothing but the number itself.

    `printed` is the full value at the asked decimals; `low` to `high` are the honest styles; `core` is the full value
    and exact arithmetic on printed rows; `spread` the standard deviation of rounding.
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

    @property
    def half(self) -> float:
        """Half a unit of the asked place."""
        return 0.5 * 10.0**-self.asks

    def right(self, number: Number) -> bool:
        """Whether it is the print; further digits are welcome within half a unit of the full value."""
        if same(number.value, self.printed):
            return True
        if self.exact or (number.decimals is not None and number.decimals <= self.asks):
            return False
        return within(number.value, self.full, self.full, self.half)

    def by_pencil(self, number: Number) -> bool:
        """Whether an honest style can lead there."""
        return not self.exact and within(number.value, self.low, self.high, self.half)

    def by_noise(self, number: Number) -> bool:
        """Whether rounding in between can lead there, a little beyond the styles."""
        return not self.exact and within(number.value, *self.core, self.half + NOISES * self.spread)

    def short_by_one(self, number: Number) -> bool:
        """Whether it is right as far as it goes, with one decimal fewer than asked and at least one."""
        if number.decimals is None or not 1 <= number.decimals == self.asks - 1:
            return False
        values = (self.full,) if self.exact else self.values
        return any(same(rounded(value, number.decimals), number.value) for value in values)

    def accepts(self, number: Number) -> bool:
        """Whether the number counts as right, as long as no slip has a better claim to it."""
        return self.right(number) or self.by_pencil(number) or self.by_noise(number)


def region(root: Node, asks: int, own: Mapping[str, float] | None = None) -> Region:
    """The accepted numbers of a working; `own` stands in place of printed operands."""
    own = own or {}
    full = evaluate(root, Style("full", own=own)) if own else evaluate(root, FULL)
    if asks == 0 and full == round(full):
        return certain(full, 0)
    values = finite(Pencils(root, asks, own).values(root)) or (full,)
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

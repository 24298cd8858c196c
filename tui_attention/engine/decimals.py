"""Decimal rounding as a person does it: half away from zero, on the decimal digits, never on the binary float."""

from __future__ import annotations

import math
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

BLANK = "____"
"""What stands for a number that is still to be worked out."""

# Binary noise of a handful of operations stays below this many significant digits: 0.915 computed as
# 0.9149999999999999 is meant to be 0.915 and rounds to 0.92.
_SIGNIFICANT = 14


def _decimal(value: float) -> Decimal:
    return Decimal(f"{value:.{_SIGNIFICANT}g}")


def rounded(value: float, decimals: int) -> float:
    """`value` to `decimals` places, half away from zero (0.915 -> 0.92). Infinities and NaN come back unchanged."""
    if not math.isfinite(value) or abs(value) >= 1e14:
        return value
    return float(_decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))


def leading(value: float, digits: int = 2, least: int = 0) -> tuple[float, int]:
    """`value` to its first `digits` digits, and how many decimals that takes, `least` or more: 0.00316 -> 0.0032, 4.

    Zero, infinities and NaN come back unchanged, with `least`.
    """
    if not value or not math.isfinite(value):
        return value, least
    decimals = max(digits - 1 - math.floor(math.log10(abs(value))), least)
    return rounded(value, decimals), decimals


def cut(value: float, decimals: int) -> float:
    """`value` to `decimals` places, the rest dropped (0.498 -> 0.4); infinities and NaN come back unchanged."""
    if not math.isfinite(value) or abs(value) >= 1e14:
        return value
    return float(_decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_DOWN))


def half_even(value: float, decimals: int) -> float:
    """`value` to `decimals` places, halves to the even digit: 0.125 -> 0.12, and 0.135 -> 0.14."""
    scale = 10.0**decimals
    scaled = abs(value) * scale
    if not scaled < 1e9:
        return rounded(value, decimals)
    whole = math.floor(scaled + 0.5 + 1e-9)
    if whole % 2 and abs(scaled - whole + 0.5) < 1e-8:
        whole -= 1
    return math.copysign(whole / scale, value)


def quick_rounded(value: float, decimals: int) -> float:
    """The same rule for numbers of pencil size, several times faster; for the inner loop of working styles."""
    scale = 10.0**decimals
    scaled = abs(value) * scale
    if not scaled < 1e9:
        return rounded(value, decimals)
    return math.copysign(math.floor(scaled + 0.5 + 1e-9) / scale, value)


def printed(value: float, decimals: int | None, *, commas: bool = False) -> str:
    """`value` as text with `decimals` places; all the digits of the float when `decimals` is None.

    Negative `decimals` write a measured number by powers of ten: -2 gives 2.22e-16.
    A zero that was reached by rounding a negative number carries no sign; a zero typed as `-0.00` keeps it.
    """
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "-inf" if value < 0 else "inf"
    if decimals is None:
        return repr(float(value))
    if decimals < 0:
        return f"{value:.{-decimals}e}"
    if abs(value) >= 1e14:
        return f"{value:.{max(decimals, 2)}e}"
    if value == 0:
        return f"{value:.{decimals}f}"
    text = f"{_decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):{',' if commas else ''}f}"
    return text[1:] if text.startswith("-") and not text.strip("-0.,") else text

"""A plain decimal in every style people type it, read without ever trusting `float` with the typed text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MAX_DIGITS: Final = 30
"""Digits of one number, and the largest exponent either way; longer ones are refused."""


@dataclass(frozen=True, slots=True)
class Number:
    """One way to read what was typed.

    `decimals` counts the typed decimal places: two more behind a percent sign, moved by an exponent
    (9.2e-1 has 2), never below 0. A fraction has the places it needs (-87/100 has 2, 2/1 has 0), and None
    where no number of places is enough (1/3): its value then stands for all its digits.
    `text` is the same number as a plain ASCII decimal, or the fraction where `decimals` is None.
    Zero has no sign: its value is 0.0, however it was typed.
    """

    value: float
    decimals: int | None
    text: str


_SIGNED: Final = re.compile(r"([+-]?) ?([0-9][0-9., ']*|[.,][0-9]+)(?:[eE]([+-]?[0-9]{1,6}))?")
_FRACTION: Final = re.compile(r"([+-]?) ?([0-9]+) ?/ ?([0-9]+)")


def candidates(line: str, shift: int = 0) -> tuple[Number, ...]:
    """Every reading of a line in plain signs as a decimal times 10^-shift; none when it is no decimal.

    `1,234` gives 1234, then 1.234; every other line gives one number at most. A lone point is
    a decimal point: `1.234` is never a thousand. Groups of three may be parted by commas, points, spaces
    or apostrophes.
    """
    match = _SIGNED.fullmatch(line)
    if match is None:
        return ()
    sign, body, power = match.groups()
    exponent = 0 if power is None else int(power)
    if abs(exponent) > MAX_DIGITS or sum(char.isdigit() for char in body) > MAX_DIGITS:
        return ()
    found = [_parts(body, ".", ", '")]
    if "," in body or body.count(".") > 1:
        found.append(_parts(body, ",", ". '"))
    numbers = [_number(sign == "-", *parts, exponent - shift) for parts in found if parts is not None]
    return tuple(dict.fromkeys(numbers))


def fraction(line: str) -> Number | None:
    """A whole number over a whole number other than 0, sign in front; None for everything else."""
    match = _FRACTION.fullmatch(line)
    if match is None or max(len(match[2]), len(match[3])) > MAX_DIGITS or int(match[3]) == 0:
        return None
    top, bottom = int(match[2]), int(match[3])
    negative = match[1] == "-" and top != 0
    places = _places(top, bottom)
    if places is None:
        value = top / bottom
        return Number(-value if negative else value, None, f"{'-' * negative}{top}/{bottom}")
    return _number(negative, str(top * 10**places // bottom), "", -places)


def shifted(number: Number, places: int) -> Number:
    """`number` times 10^-places, its decimals moved along: 92 becomes 0.92 for 2."""
    if number.decimals is None:
        return Number(number.value / 10**places, None, number.text)
    whole, _, decimals = number.text.lstrip("-").partition(".")
    return _number(number.text.startswith("-"), whole, decimals, -places)


def _parts(body: str, point: str, groupers: str) -> tuple[str, str] | None:
    """The digits before and behind the decimal point, when `body` is well formed in this style."""
    whole, mark, decimals = body.partition(point)
    if mark and not decimals.isdigit():
        return None
    used = {char for char in whole if not char.isdigit()}
    if not used:
        return whole, decimals
    if len(used) > 1 or not used <= set(groupers):
        return None
    first, *others = whole.split(used.pop())
    if not 1 <= len(first) <= 3 or first.startswith("0") or any(len(group) != 3 for group in others):
        return None
    return first + "".join(others), decimals


def _number(negative: bool, whole: str, decimals: str, exponent: int) -> Number:
    places = len(decimals) - exponent
    digits = whole + decimals
    if places < 0:
        digits, places = digits + "0" * -places, 0
    digits = digits.lstrip("0").rjust(places + 1, "0")
    cut = len(digits) - places
    text = digits[:cut] + ("." + digits[cut:] if places else "")
    if negative and digits.strip("0"):
        text = "-" + text
    # Safe: `text` is nothing but an optional minus, ASCII digits and at most one point.
    return Number(float(text), places, text)


def _places(top: int, bottom: int) -> int | None:
    """How many decimals `top / bottom` needs, or None when it never ends."""
    for places in range(MAX_DIGITS + 1):
        if top * 10**places % bottom == 0:
            return places
    return None

"""What is typed for a dial, a ticket, a name or a cell, read once for every front end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tui_attention.engine.decimals import rounded
from tui_attention.engine.errors import BadInput

FRACTION_DECIMALS = 4
"""Decimals that a fraction without an end, such as 1/3, is taken with."""

_NAMES = re.compile(r"\w+(?:\s*\[[^\[\]]*\])*")
_TARGET = re.compile(r"\s*(\w+(?:\s*\[[^\[\]]*\])+)\s*=?\s*(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TypedNumber:
    """A number as typed. What is shown of it, with `decimals`, is what is used."""

    value: float
    decimals: int

    @property
    def text(self) -> str:
        """The number with its digits."""
        return f"{self.value:.{self.decimals}f}"


def number(text: str, expected: str) -> TypedNumber:
    """One number, with the digits typed; a fraction without an end is rounded to four decimals, and used so.

    Raises BadInput for what is no number, and for `1,234`, which is two: `expected` says what was wanted.
    """
    from tui_attention.judge.reading import read

    reading = read(text)
    if not reading.numbers:
        raise BadInput(f"{expected}: {reading.why[:1].lower()}{reading.why[1:]}" if reading.why else expected)
    if len(reading.numbers) > 1:
        ways = " or ".join(found.text for found in reading.numbers)
        raise BadInput(f"{text.strip()[:40]} may be {ways}; type it with a point, and without a comma")
    found = reading.numbers[0]
    if found.decimals is None:
        return TypedNumber(rounded(found.value, FRACTION_DECIMALS), FRACTION_DECIMALS)
    return TypedNumber(found.value, found.decimals)


def ticket(text: str) -> float:
    """A ticket as typed. Raises BadInput for what is no number from 0 to 1."""
    from tui_attention.judge.reading import read

    if not read(text).numbers:
        raise BadInput(f"the ticket is {text.strip()[:40]!r}; it should be from 0 to 1")
    found = number(text, "").value
    if not 0 <= found <= 1:
        raise BadInput(f"the ticket is {text.strip()[:40]}; it should be from 0 to 1")
    return abs(found)  # -0 is 0


def split_names(text: str) -> Sequence[str]:
    """Names and addresses in a line: `x0 q[0, 2]` -> `x0`, `q[0, 2]`; empty where there is anything else."""
    found = _NAMES.findall(text)
    left = _NAMES.sub("", text).replace(",", " ").strip()
    return () if left else found


def dial_and_number(text: str) -> tuple[str, str]:
    """`E[h, 0] 0.5` -> `E[h, 0]` and `0.5`; two empty texts where it is something else."""
    found = _TARGET.fullmatch(text)
    return (found[1], found[2].strip()) if found and found[2].strip() else ("", "")

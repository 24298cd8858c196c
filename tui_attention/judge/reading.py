"""Typed text -> what it says, before anybody asks whether it is right."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, Literal

from tui_attention.judge.arithmetic import NamedNumber, Node, TypedOp, evaluate, outcomes, parse
from tui_attention.judge.asides import bare
from tui_attention.judge.glyphs import plain, shown
from tui_attention.judge.number import MAX_DIGITS, Number, candidates, fraction, shifted

__all__ = [
    "MAX_TYPED",
    "NamedNumber",
    "Node",
    "Number",
    "Reading",
    "TypedOp",
    "as_percent",
    "evaluate",
    "is_exp_of_zero",
    "looks_like_percent",
    "outcomes",
    "read",
]

MAX_TYPED: Final = 400
"""Characters of an answer; longer text is refused unread."""

ReadingKind = Literal["number", "empty", "unreadable", "unfinished", "percent"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a line of typed text says.

    `numbers` are its readings as a number, thousands first: two for `1,234`, none unless `kind` is "number".
    `echo` is what was read, safe to print; `why` one sentence when it is not a number, else "".
    `expression` is the arithmetic of an "unfinished" line. `label` is what stood before the number or the
    arithmetic as in `q[0] = 0.92`: `q[0]`, without spaces, not checked against anything.
    `percent`: the number was typed with a percent sign. The kind "percent" depends on the right value: `read` never
    gives it.
    """

    kind: ReadingKind
    numbers: tuple[Number, ...]
    echo: str
    why: str
    expression: Node | None = None
    label: str = ""
    percent: bool = False


_LABEL: Final = re.compile(r"([^\W0-9_]\w*(?: ?\[[^\[\]]*\])?) ?[=~:](.*)")
_PERCENT: Final = re.compile(r"(.*?) ?(?:%|percent|per cent)", re.IGNORECASE)
_BRACKETED: Final = re.compile(r"(\([( ]*)([^()]*)([) ]*\))")
_OVER_ZERO: Final = re.compile(r"[+-]? ?[0-9]+ ?/ ?0+")
_NOT_FINITE: Final = re.compile(r"\b(?:nan|inf|infinity|infinite)\b|∞", re.IGNORECASE)
_OTHER_BASE: Final = re.compile(r"[+-]?0[xXbBoO][0-9A-Fa-f]+")
_TWO_SIGNS: Final = re.compile(r"[+-] ?[+-]")
_TWO_POINTS: Final = re.compile(r"[0-9]*[.,][0-9]*[.,][0-9]*")

_PERCENT_ELSEWHERE: Final = "A percent sign is read only where a share or a chance is asked; here, type the number."
_ARITHMETIC: Final = "This is arithmetic that is not worked out yet; type the number it comes to."


def read(text: str, *, shares: bool = False) -> Reading:
    """Read one typed line. Never raises, never evaluates; work is bounded by MAX_TYPED.

    `shares`: the answer asked for is a share or a chance, where `92%` is 0.92. Elsewhere it is unreadable.
    Whole number over whole number (-87/100) is a number; all other arithmetic is "unfinished", also exp(0).
    A line that ends in `= number` after arithmetic or a name is that number.
    """
    if len(text) > MAX_TYPED:
        return _refused(text, f"That is longer than {MAX_TYPED} characters; type one number.")
    line = plain(text)
    label = ""
    if named := _LABEL.fullmatch(line):
        label, line = named[1].replace(" ", ""), named[2]
    *before, last = [part.strip() for part in re.split("[=~]", line) if part.strip(" _?")] or [""]
    if not last:
        return Reading("empty", (), "", "Nothing to judge yet; type a number.", label=label)
    if not all(_is_set_up(part) for part in before):
        return _refused(line, "There is more than one thing here; type one number.", label)
    last = bare(last)
    if last[-1:] in (".", ",", ";") and len(last) > 1:  # the full stop of a sentence
        last = bare(last[:-1].rstrip())
    if (inside := _BRACKETED.fullmatch(last)) and inside[1].count("(") == inside[3].count(")"):
        last = inside[2].strip()
    return _read_answer(last, shares, label)


def as_percent(reading: Reading) -> tuple[Number, ...]:
    """The readings had a percent sign been typed behind them: 92 as 0.92 with two more decimals."""
    return tuple(shifted(number, 2) for number in reading.numbers)


def looks_like_percent(reading: Reading, value: float, asks: int) -> bool:
    """Whether the typed number is `value` (a share or chance asked with `asks` decimals) in percent.

    True when a hundredth of it is within half a unit of the asked or of the typed place, whichever is wider,
    while the number itself is not within half an asked unit.
    """
    half = 0.5 * 10.0**-asks
    return any(
        number.decimals is not None
        and abs(number.value * 100.0 - value) > half
        and abs(number.value - value) <= max(half, 0.5 * 10.0**-number.decimals) * (1.0 + 1e-9)
        for number in as_percent(reading)
    )


def is_exp_of_zero(reading: Reading) -> bool:
    """Whether the line is exp(0) or e^0, which has a sentence of its own where a share stands alone."""
    node = reading.expression
    return isinstance(node, TypedOp) and node.kind == "exp" and evaluate(node.args[0]) == 0.0


def _read_answer(answer: str, shares: bool, label: str) -> Reading:
    if numbers := candidates(answer):
        return _number(numbers, label)
    if (percent := _PERCENT.fullmatch(answer)) and (numbers := candidates(percent[1], shift=2)):
        if not shares:
            return _refused(answer, _PERCENT_ELSEWHERE, label)
        return replace(_number(numbers, label, f"{shown(percent[1])}% = "), percent=True)
    if ratio := fraction(answer):
        return _number((ratio,), label, "" if ratio.decimals is None else f"{answer.replace(' ', '')} = ")
    if reason := _named_refusal(answer):
        return _refused(answer, reason, label)
    if (expression := parse(answer)) is not None:
        return Reading("unfinished", (), shown(answer.replace(":", "/")), _ARITHMETIC, expression, label)
    return _refused(answer, _reason(answer), label)


def _is_set_up(part: str) -> bool:
    """Whether `part` may stand before an equals sign: a number, arithmetic, or the name of a cell."""
    return bool(candidates(part) or parse(part) is not None or _LABEL.fullmatch(part + "="))


def _number(numbers: tuple[Number, ...], label: str, prefix: str = "") -> Reading:
    echo = prefix + " or ".join(number.text for number in numbers)
    return Reading("number", numbers, echo, "", label=label)


def _refused(text: str, why: str, label: str = "") -> Reading:
    return Reading("unreadable", (), shown(text.strip()), why, label=label)


def _named_refusal(answer: str) -> str | None:
    """Why text that could otherwise pass for arithmetic is refused, or None."""
    if _NOT_FINITE.search(answer):
        return "No answer here is infinite or undefined; type an ordinary number."
    if "_" in answer and answer[0].isdigit():
        return "Underscores cannot stand inside a number; leave them out."
    if _OTHER_BASE.fullmatch(answer):
        return "Only decimal numbers are read; write it with the digits 0 to 9."
    if _OVER_ZERO.fullmatch(answer):
        return "Nothing can be divided by 0."
    if _TWO_SIGNS.match(answer):
        return "There are two signs in front; leave one."
    return None


def _reason(answer: str) -> str:
    digits = sum(char.isdigit() for char in answer)
    if not digits:
        return "That is not a number; write one in digits, with a minus sign in front if it is negative."
    if _LABEL.fullmatch(answer + "="):
        return "That names a cell; type its number."
    if digits > MAX_DIGITS and re.fullmatch(r"[-+0-9.,' eE]+", answer):
        return f"That number has more than {MAX_DIGITS} digits; a few decimals are enough."
    if _TWO_POINTS.fullmatch(answer.lstrip("+- ")):
        return "There is more than one decimal point in this number."
    if re.search(r"[0-9][,;]? +[-+]?[.,]?[0-9]", answer):
        return "There is more than one number here; type one."
    if answer.count("(") != answer.count(")"):
        return "The brackets of this arithmetic do not pair up."
    return "That could not be read as a number."

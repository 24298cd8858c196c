"""What people write around a number: quotes, hedges, a sign in words, a question mark, a remark in brackets."""

from __future__ import annotations

import re
from typing import Final

_OPENS, _CLOSES = (
    "\"'`\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a",
    "\"'`\u2018\u2019\u201c\u201d\u00ab\u00bb\u2039\u203a",
)
_QUOTED: Final = re.compile(f"[{_OPENS}] ?(.*?) ?[{_CLOSES}]")
_HEDGE: Final = re.compile(
    r"(?:about|approx(?:imately|\.)?|around|roughly|circa|ca\.?|maybe|perhaps|nearly|almost|i think|it is|it's)"
    r" ?(?=[-+.,0-9(]|minus|neg|plus)",
    re.IGNORECASE,
)
_SIGN: Final = re.compile(r"(minus|negative|neg\.?|plus|positive) ?(?=[.,0-9(])", re.IGNORECASE)
_DOUBT: Final = re.compile(r" ?(?:[?!]|\u2026|\.{2,})+$")
# A bracket behind a number is a remark when it is in words: no sign of arithmetic, no place of a cell.
_REMARK: Final = re.compile(
    r"(.*[0-9%]) ?[(\[] ?(?:[?!]+|[^\W\d_](?:[^()\[\]0-9*+/^=-]*|[^()\[\]*+/^=-]* [^()\[\]*+/^=-]*))[)\]]"
)
_SIGNED: Final = re.compile(r"([-+]) ?\(+ ?([-+]?) ?([.,0-9][0-9., ']*(?:[eE][-+]?[0-9]+)?%?) ?\)+")


def bare(line: str) -> str:
    """The line in plain signs without what stands around its number; `-(0.49)` is -0.49."""
    before = None
    while line != before:
        before = line
        for pattern in (_QUOTED, _REMARK):
            if match := pattern.fullmatch(line):
                line = match[1].strip()
        if match := _HEDGE.match(line):
            line = line[match.end() :]
        if match := _SIGN.match(line):
            line = ("-" if match[1][0] in "mMnN" else "+") + line[match.end() :]
        if line[:1].isdigit() or line[:1] in ("-", "+", ".", ",", "(") or not line:
            line = _DOUBT.sub("", line)
    match = _SIGNED.fullmatch(line)
    if match is None or line.count("(") != line.count(")"):
        return line
    return ("-" if (match[1] == "-") != (match[2] == "-") else "") + match[3].strip()

"""Typed text in any script, brought to the few ASCII signs that the reader knows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

# One key per target sign. Dashes of Unicode category Pd need no entry: the category says it.
_TARGETS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # soft hyphen, modifier, hyphen bullet, super- and subscript, minus, heavy minus, and the
        # long-vowel mark that a Japanese keyboard sends for its minus key
        "-": "\u00ad\u02d7\u2043\u2052\u207b\u208b\u2212\u2796\u30fc\uff70",
        "+": "\u207a\u208a\u2795\ufb29\ufe62\uff0b",
        ".": "\u066b\u2024\u3002\ufe52\uff0e\uff61",
        ",": "\u060c\u066c\u201a\u3001\ufe50\ufe51\uff0c\uff64",
        "'": "\u02bc\u2019\u2018\uff07",
        "%": "\u066a\ufe6a\uff05",
        "=": "\u2261\ufe66\uff1d",
        "~": "\u02dc\u223c\u2243\u2245\u2248\u301c\uff5e",
        "*": "\u00b7\u00d7\u2022\u2217\u2219\u22c5\u2715\u2716\u2a2f\ufe61\uff0a",
        "/": "\u2044\u2215\u29f8\uff0f",
        ":": "\u00f7\u2236\u2797\ufe55\uff1a",
        "(": "\u207d\ufe59\uff08",
        ")": "\u207e\ufe5a\uff09",
        "[": "\uff3b",
        "]": "\uff3d",
        "^": "\uff3e",
        "_": "\uff3f",
        "phi": "\u03a6\u03c6\u03d5",
    }
)
_SIGNS: Final[Mapping[str, str]] = MappingProxyType(
    {sign: target for target, signs in _TARGETS.items() for sign in signs}
)
_RAISED: Final = re.compile("([\u207a\u207b]?)([\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+)")


def plain(text: str) -> str:
    """The same line with ASCII digits, signs and single spaces; what has no counterpart stays as it is.

    `÷` becomes `:` so that the reader can tell it from the stroke of a fraction; a raised number
    becomes a power; a sign for a vulgar fraction becomes two whole numbers with a stroke.
    """
    text = _RAISED.sub(_power, text)
    out: list[str] = []
    for char in text:
        out.append(_plain_char(char, after=out[-1][-1:] if out else ""))
    return " ".join("".join(out).split())


def shown(text: str, limit: int = 60) -> str:
    """`text` made safe to print on a terminal: no control signs, at most `limit` characters."""
    short = text if len(text) <= limit else text[: limit - 3] + "..."
    return "".join(char if char.isprintable() else "?" for char in short)


def _power(match: re.Match[str]) -> str:
    sign, digits = match.groups()
    # The space keeps a digit that follows from joining the exponent.
    return "^" + _SIGNS.get(sign, "") + "".join(str(unicodedata.digit(char)) for char in digits) + " "


def _plain_char(char: str, after: str) -> str:
    if char.isascii():
        return " " if char.isspace() else char
    if char in _SIGNS:
        return _SIGNS[char]
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    category = unicodedata.category(char)
    if category == "Pd":
        return "-"
    if char.isspace() or category == "Zs":
        return " "
    if category == "Cf":  # zero-width spaces and writing-direction marks
        return ""
    if unicodedata.decomposition(char).startswith("<fraction>") and not after.isdigit():
        return unicodedata.normalize("NFKC", char).replace("\u2044", "/")
    if category.startswith("L"):
        folded = unicodedata.normalize("NFKC", char)
        return folded if folded.isascii() else char
    return char

"""A text cut into the pieces that byte-pair merges stay inside of.

The published patterns ask for Unicode letters and numbers, which `re` can't. So the pattern runs over a shadow of
the text in which every letter is `a`, every number `0`, every blank a tab and everything else `!`, ASCII excepted;
both have the same length, so the cuts are the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

# What stands for \p{L} and \p{N} in a shadow.
_LETTER, _NUMBER = "A-Za-z", "0-9"
_TAIL = rf"| ?[^\s{_LETTER}{_NUMBER}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
GPT2 = rf"'s|'t|'re|'ve|'m|'ll|'d| ?[{_LETTER}]+| ?[{_NUMBER}]+| ?[^\s{_LETTER}{_NUMBER}]+|\s+(?!\S)|\s+"
LLAMA3 = rf"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n{_LETTER}{_NUMBER}]?[{_LETTER}]+|[{_NUMBER}]{{1,3}}{_TAIL}"
QWEN2 = rf"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n{_LETTER}{_NUMBER}]?[{_LETTER}]+|[{_NUMBER}]{_TAIL}"
DIGITS = rf"[{_NUMBER}]|[^{_NUMBER}]+"
DIGIT_RUNS = rf"[{_NUMBER}]+|[^{_NUMBER}]+"

_PUBLISHED_TAIL = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_PUBLISHED_HEAD = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|"
PUBLISHED: Mapping[str, str] = {
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+": GPT2,
    _PUBLISHED_HEAD + r"\p{N}{1,3}" + _PUBLISHED_TAIL: LLAMA3,
    _PUBLISHED_HEAD + r"\p{N}" + _PUBLISHED_TAIL: QWEN2,
}
_BLANKS = (
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)


class _Shadow(dict[int, str]):
    """What each character casts; worked out once for each that occurs."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        kind = unicodedata.category(char)[0]
        if code < 128:
            cast = char
        elif char in _BLANKS:
            cast = "\t"
        elif char == "\u017f":  # a long s is an s where case does not matter
            cast = "s"
        else:
            cast = {"L": "a", "N": "0"}.get(kind, "!")
        self[code] = cast
        return cast


def pieces(text: str, patterns: tuple[str, ...]) -> list[str]:
    """The pieces of a text: cut by the first pattern, each part by the next. Nothing is lost."""
    if not text:
        return []
    parts, shadows = [text], [text.translate(_Shadow())]
    for pattern in patterns:
        cut, found = re.compile(pattern, re.ASCII), list[tuple[str, str]]()
        for part, shadow in zip(parts, shadows, strict=True):
            found += [(part[m.start() : m.end()], m[0]) for m in cut.finditer(shadow)]
        parts, shadows = [part for part, _ in found], [shadow for _, shadow in found]
    return parts

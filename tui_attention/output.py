"""What leaves the program as text: the one function through which everything printed goes.

A name from outside (a file's, an option's, a lesson's) may hold control characters that a terminal obeys: they are
written so that they can be read. A reader who has gone (`| true`, `| head`) ends nothing: a verb's exit code stays.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
from collections.abc import Mapping
from typing import TextIO

_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What a terminal obeys or reorders by: C0 without newline and tab, DEL, C1, separators, directions, surrogates."""

_UNSURE = re.compile(
    "[\u180b-\u180d\u180f\ufe00-\ufe0f\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff\U000e0100-\U000e01ef]"
)
"""Variation selectors, and halves of flags and tints of skin: what they do to the width of the mark before them is
counted differently by libraries and terminals (Unicode Standard Annex 11 and Technical Standard 51 leave it open)."""


def unsure(text: str) -> str:
    """The first mark whose width nobody can rely on; empty where there is none."""
    found = None if text.isascii() else _UNSURE.search(text)
    return found[0] if found else ""


def sure(text: str) -> str:
    """The text without marks whose width nobody can rely on: a heart with a selector becomes a plain heart."""
    return text if text.isascii() else _UNSURE.sub("", text)


def harmless(text: str) -> str:
    """The text with every control character written out as an escape; line ends and tabs stay."""
    return _OBEYED.sub(lambda found: _escape(found[0]), text)


def one_line(text: str, most: int = 0) -> str:
    """A name as part of a sentence: harmless, on one line, cut in its middle where longer than `most` (0: never)."""
    line = harmless(text.replace("\n", "\\n").replace("\t", "\\t"))
    if most and len(line) > most:
        head = (most - 1) * 2 // 3
        return f"{line[:head]}…{line[len(line) - (most - 1 - head) :]}"
    return line


def put(text: str = "", *, to: TextIO | None = None, end: str = "\n", flush: bool = False) -> bool:
    """Print on stdout, or on `to`; whether anybody reads it. Raises OSError, but not for a reader who has gone."""
    stream = sys.stdout if to is None else to
    try:
        stream.write(harmless(text) + end)
        if flush:
            stream.flush()
    except OSError as error:
        if not gone(error):
            raise
        silence(stream)
        return False
    return True


def flush() -> None:
    """Bring out what is still buffered. Raises OSError as `put` does."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            if not gone(error):
                raise
            silence(stream)


def gone(error: OSError) -> bool:
    """Whether the error says that nobody reads any more."""
    return isinstance(error, BrokenPipeError) or error.errno in (errno.EPIPE, errno.ESHUTDOWN)


def silence(stream: TextIO) -> None:
    """What is still buffered, and all that comes, goes nowhere, so that leaving does not complain again."""
    with contextlib.suppress(AttributeError, OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def speaks_unicode(env: Mapping[str, str]) -> bool:
    """Whether a terminal can show more than ASCII, by TERM and the locale in `env`."""
    term = env.get("TERM", "")
    if term.startswith(("linux", "vt", "ansi", "cons", "sun", "dumb")):
        return False
    if env.get("OS") == "Windows_NT":
        return True
    locale = env.get("LC_ALL") or env.get("LC_CTYPE") or env.get("LANG") or ""
    return "utf" in locale.lower()


def _escape(mark: str) -> str:
    code = ord(mark)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"

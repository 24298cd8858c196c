"""From the bytes of a lesson file to plain data. The file may be from anywhere: it cannot take long or do harm."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from typing import Any

from tui_attention.engine.errors import LessonError
from tui_attention.output import unsure

MOST_BYTES = 500_000
MOST_COLUMNS = 1_000  # of a line: a key of very many parts keeps a TOML reader busy for minutes
MOST_PARTS = 40  # of a key: a TOML reader looks at all of them once more for each of them
_LONG_KEY = re.compile(rf"""[ \t\[]*(?:(?:[\w-]+|"[^"]*"|'[^']*')[ \t]*\.[ \t]*){{{MOST_PARTS},}}""")
LARGEST = 1e12


def parse(content: bytes, file: str) -> tuple[str, dict[str, Any]]:
    """The file's text and its tables. Raises LessonError where it is too large, no TOML, or holds what no lesson may.

    Refused are numbers that are not finite or beyond 1e12, and characters that steer a terminal or whose width
    terminals do not agree on.
    """
    if len(content) > MOST_BYTES:
        raise LessonError(f"a lesson of at most {MOST_BYTES:,} bytes was expected", file=file)
    try:
        text = content.decode("utf-8").removeprefix("\ufeff")  # some editors begin a file with it
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise LessonError("text in UTF-8 was expected", file=file, line=line) from None
    for number, line_text in enumerate(text.split("\n"), 1):
        if len(line_text) > MOST_COLUMNS:
            raise LessonError(f"lines of at most {MOST_COLUMNS:,} characters were expected", file=file, line=number)
        if _LONG_KEY.match(line_text):
            raise LessonError(f"keys of at most {MOST_PARTS} parts were expected", file=file, line=number)
    try:
        raw = tomllib.loads(text)
    except RecursionError:
        raise LessonError("not a TOML file: it is nested too deep", file=file) from None
    except ValueError as error:  # a TOMLDecodeError is one; a number of thousands of digits raises it bare
        from tui_attention.lessons.toml_faults import fault

        found = fault(text, error)
        raise LessonError(found.says, file=file, line=found.line, column=found.column) from None
    for where, value in _leaves(raw):
        _harmless(where, value, file)
    return text, raw


def _leaves(raw: object) -> Iterator[tuple[str, object]]:
    """Every key and every value that is no table or list, with the name of the nearest key above it."""
    stack: list[tuple[str, object]] = [("the lesson", raw)]
    while stack:
        where, value = stack.pop()
        if isinstance(value, dict):
            for key, inside in value.items():
                yield where, key
                stack.append((key, inside))
        elif isinstance(value, list):
            stack += [(where, inside) for inside in value]
        else:
            yield where, value


_BREAKS = {ord(mark): None for mark in "\n\t"}


def _harmless(where: str, value: object, file: str) -> None:
    if isinstance(value, str):
        shown = (where if where.isprintable() else "a key")[:40]
        loose = unsure(value)
        if loose:
            says = f"{shown}: terminals do not agree how wide a mark with U+{ord(loose):04X} is"
            raise LessonError(f"{says}; the same mark without it was expected", file=file)
        if value.isprintable() or value.translate(_BREAKS).isprintable():
            return
        bad = next((mark for mark in value if mark not in "\n\t" and _steers(mark)), None)
        if bad is not None:
            raise LessonError(f"{shown}: the character U+{ord(bad):04X} has no place in a text", file=file)
    elif isinstance(value, int | float) and not abs(value) <= LARGEST:
        raise LessonError(f"{where[:40]}: numbers from -1e12 to 1e12 were expected", file=file)


def _steers(mark: str) -> bool:
    """Whether a character moves the cursor, starts an escape sequence or turns the direction of writing."""
    return not mark.isprintable() and unicodedata.category(mark) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")

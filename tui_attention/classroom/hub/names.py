"""What somebody calls themselves over ssh is any text at all; what the class shows and keeps is this."""

from __future__ import annotations

import unicodedata

LONGEST = 24
NOBODY = "guest"
TEACHER = "teacher"
_MARKS = " ._-"


def clean_name(raw: str) -> str:
    """The name as it may be shown and kept: letters and digits of one cell each, single spaces, `.`, `_`, `-`; at
    most 24 of them, `guest` where none is left. Control and direction marks, brackets and slashes go.
    """
    kept = "".join(mark for mark in unicodedata.normalize("NFC", raw[:1000]) if _fits(mark))
    return " ".join(kept.split())[:LONGEST].strip() or NOBODY


def _fits(mark: str) -> bool:
    if mark in _MARKS:
        return True
    return mark.isalnum() and unicodedata.east_asian_width(mark) not in "WF" and not unicodedata.combining(mark)


def identity(name: str) -> str:
    """By what two names are one: Ada and ada are."""
    return unicodedata.normalize("NFKC", clean_name(name)).casefold()


def is_teacher(raw: str) -> bool:
    """Whether somebody asks to come in as the teacher: only the token makes them one."""
    return identity(raw) == TEACHER

"""The sizes that a client may have, and what its terminal says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

USUAL: Final = (80, 24)
LEAST: Final = (20, 6)
MOST: Final = (240, 80)
_TAKEN: Final = ("LANG", "LC_ALL", "LC_CTYPE", "COLORTERM", "NO_COLOR")
_LONGEST: Final = 64


def clamped(columns: int, rows: int) -> tuple[int, int]:
    """A size that costs no more than a screen does; nothing said is 80x24."""
    if columns <= 0 or rows <= 0:
        return USUAL
    return max(LEAST[0], min(MOST[0], columns)), max(LEAST[1], min(MOST[1], rows))


def environment(term: str, sent: Mapping[str, str]) -> dict[str, str]:
    """What an app is told of a client's terminal. Clients that say no locale are taken to read UTF-8."""
    env = {name: value for name, value in sent.items() if name in _TAKEN and len(value) <= _LONGEST}
    if not any(name in env for name in ("LANG", "LC_ALL", "LC_CTYPE")):
        env["LANG"] = "C.UTF-8"
    return {name: _plain(value) for name, value in env.items()} | {"TERM": _plain(term[:_LONGEST])}


def _plain(text: str) -> str:
    return "".join(mark for mark in text if mark.isascii() and mark.isprintable())

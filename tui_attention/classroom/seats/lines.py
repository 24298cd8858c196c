"""Typing line by line on a terminal that sends key by key: echo and a few editing keys. No I/O."""

from __future__ import annotations

from codecs import getincrementaldecoder
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 400
BELL = "\a"


@dataclass(frozen=True, slots=True)
class TypedLines:
    """What some bytes came to: what is to be echoed, whole lines, and whether the end was typed."""

    echo: str
    lines: tuple[str, ...] = ()
    ended: bool = False


class LineInput:
    """The line that is being typed. Ctrl+C lets go of it; on an empty line Ctrl+C and Ctrl+D end."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self._decoder = getincrementaldecoder(encoding)("ignore")
        self._line = ""
        self._escape = ""
        self._returned = False

    def feed(self, data: bytes) -> TypedLines:
        """The next bytes."""
        echo: list[str] = []
        lines: list[str] = []
        for mark in self._decoder.decode(data):
            if self._skips(mark):
                continue
            if mark in "\x03\x04":
                if not self._line:
                    return TypedLines("".join(echo) + "\r\n", tuple(lines), True)
                if mark == "\x03":
                    self._line = ""
                    echo.append("^C\r\n")
                continue
            echo.append(self._key(mark, lines))
        return TypedLines("".join(echo), tuple(lines))

    def _skips(self, mark: str) -> bool:
        """Whether a mark belongs to an escape sequence (an arrow, say), or is the second half of CR LF."""
        if mark == "\n" and self._returned:
            self._returned = False
            return True
        self._returned = mark == "\r"
        if mark == "\x1b":
            self._escape = mark
            return True
        if not self._escape:
            return False
        self._escape += mark
        body = self._escape[1:]
        if len(self._escape) > 32 or (body[0] not in "[O" or (len(body) > 1 and "@" <= mark <= "~")):
            self._escape = ""
        return True

    def _key(self, mark: str, lines: list[str]) -> str:
        if mark in "\r\n":
            lines.append(self._line)
            self._line = ""
            return "\r\n"
        if mark in "\x7f\x08":
            if not self._line:
                return ""
            self._line = self._line[:-1]
            return "\b \b"
        if mark == "\x15":
            rubbed, self._line = len(self._line), ""
            return "\b \b" * rubbed
        if not mark.isprintable() or len(self._line) >= LONGEST:
            return ""
        self._line += mark
        return mark

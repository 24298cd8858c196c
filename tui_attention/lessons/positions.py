"""Where in a TOML file each key and each value stands. The file has been read already: it is legal TOML."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

Path = tuple[str | int, ...]
"""The keys and numbers that lead to a value: `("stage", 2, "check", 0, "ask")`."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Offsets in the text: where the key (or the table's head) stands, and where its value begins and ends."""

    key: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Located:
    """A text with the spots of everything in it."""

    text: str
    spots: Mapping[Path, Spot] = field(repr=False)
    lines: tuple[int, ...] = field(repr=False)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1."""
        line = bisect_right(self.lines, offset)
        return line, offset - self.lines[line - 1] + 1

    def of(self, path: Path, part: str = "", *, key: bool = False) -> tuple[int, int]:
        """Line and column of a value, or of its key; `part` is a piece of the value to point at.

        What has no spot of its own is where the nearest thing around it is; (1, 1) where nothing is.
        """
        within = [spot.key for there, spot in self.spots.items() if there[: len(path)] == path]
        if path and path not in self.spots and within:
            return self.place(min(within))  # the head of a table that stands in it
        while path and path not in self.spots:
            path, key, part = path[:-1], True, ""
        if not path:
            return 1, 1
        spot = self.spots[path]
        if key:
            return self.place(spot.key)
        found = self.text.find(part, spot.start, spot.end) if part else -1
        return self.place(spot.start if found < 0 else found)

    def inside(self, path: Path, line: int, column: int) -> tuple[int, int]:
        """Where a line and column of a multi-line text are in the file, both from 1."""
        spot = self.spots.get(path)
        if spot is None:
            return self.of(path)
        quotes = next((mark for mark in ('"""', "'''", '"', "'") if self.text.startswith(mark, spot.start)), "")
        start = spot.start + len(quotes)
        if len(quotes) == 3 and self.text.startswith(("\n", "\r\n"), start):
            start = self.text.index("\n", start) + 1
        first, before = self.place(start)
        return first + line - 1, column + (before - 1 if line == 1 else 0)


MOST_CHARACTERS = 200_000  # a lesson of more is looked at for harm only: going through it all takes seconds


def locate(text: str) -> Located:
    """The spots of a legal TOML text; of a very long one, none."""
    lines = (0, *(match.end() for match in re.finditer("\n", text)))
    return Located(text, _Scan(text).all() if len(text) <= MOST_CHARACTERS else {}, lines)


_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_KEY = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|[A-Za-z0-9_-]+")
_PLAIN = re.compile(r"[^,\]}#\n]*")
_STRINGS = (
    re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}', re.DOTALL),
    re.compile(r"'''.*?'{3,5}", re.DOTALL),
    re.compile(r'"(?:[^"\\\n]|\\.)*"'),
    re.compile(r"'[^'\n]*'"),
)


class _Scan:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.spots: dict[Path, Spot] = {}
        self.counts: dict[Path, int] = {}

    def all(self) -> dict[Path, Spot]:
        here: Path = ()
        self.blank()
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                here = self.head()
            else:
                self.pair(here)
            self.blank()
        return self.spots

    def blank(self) -> None:
        self.at = _BLANK.match(self.text, self.at).end()  # type: ignore[union-attr]

    def space(self) -> None:
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]

    def keys(self) -> list[str]:
        """A key, or several joined by points."""
        found = []
        while match := _KEY.match(self.text, self.at):
            found.append(match[0].strip("\"'"))
            self.at = match.end()
            self.space()
            if not self.text.startswith(".", self.at):
                break
            self.at += 1
            self.space()
        return found

    def head(self) -> Path:
        """`[a.b]` or `[[a.b]]`: the path that the pairs below it are in."""
        start = self.at
        many = self.text.startswith("[[", start)
        self.at += 2 if many else 1
        self.space()
        names, path = self.keys(), tuple[str | int, ...]()
        for place, name in enumerate(names):
            path = (*path, name)
            if many and place == len(names) - 1:
                self.counts[path] = self.counts.get(path, 0) + 1
            if path in self.counts:
                path = (*path, self.counts[path] - 1)
        self.at = self.text.find("]", self.at) + (2 if many else 1)
        self.spots.setdefault(path, Spot(start, start, self.at))
        return path

    def pair(self, here: Path) -> None:
        start = self.at
        path = (*here, *self.keys())
        self.at = self.text.find("=", self.at) + 1
        self.space()
        self.value(path, start)

    def value(self, path: Path, key: int) -> None:
        start = self.at
        mark = self.text[start : start + 1]
        if mark == "[":
            self.array(path)
        elif mark == "{":
            self.inline(path)
        else:
            self.scalar()
        self.spots[path] = Spot(key, start, self.at)

    def scalar(self) -> None:
        for string in _STRINGS if self.text[self.at] in "\"'" else ():
            if match := string.match(self.text, self.at):
                self.at = match.end()
                return
        self.at = max(_PLAIN.match(self.text, self.at).end(), self.at + 1)  # type: ignore[union-attr]

    def array(self, path: Path) -> None:
        self.at += 1
        place = 0
        self.blank()
        while self.at < len(self.text) and self.text[self.at] != "]":
            self.value((*path, place), self.at)
            place += 1
            self.blank()
            if self.text.startswith(",", self.at):
                self.at += 1
                self.blank()
        self.at += 1

    def inline(self, path: Path) -> None:
        self.at += 1
        self.blank()
        while self.at < len(self.text) and self.text[self.at] != "}":
            self.pair(path)
            self.blank()
            if self.text.startswith(",", self.at):
                self.at += 1
                self.blank()
        self.at += 1

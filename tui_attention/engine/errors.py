"""The ways in which something a person wrote can be wrong."""

from __future__ import annotations

import re
from typing import Self

LONGEST_WORD = 200
"""Characters of a word that a message repeats: what is longer was typed or generated, and nobody reads it."""
_ENDLESS = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")


def shortened(message: str) -> str:
    """The message, the middle of every endless word left out."""
    return _ENDLESS.sub(lambda word: f"{word[0][:120]}…{word[0][-60:]}", message)


class BadInput(Exception):  # noqa: N818 - it says what it is without the word
    """Something asked of the program is not legal; the message is one sentence for the person who asked."""

    def __init__(self, message: str = "") -> None:
        super().__init__(shortened(message))


class NoPlaceError(BadInput):
    """An array has no such place; with another prompt it may have it."""


class LessonError(Exception):
    """A lesson file is not legal; says file, line, column and what was expected.

    Line and column count from 1; 0 means that the place is not known.
    """

    def __init__(self, message: str, *, file: str = "", line: int = 0, column: int = 0) -> None:
        self.message, self.file, self.line, self.column = shortened(message), file, line, column
        super().__init__(self.message)

    def at(self, file: str, line: int, column: int) -> Self:
        """The same fault, its place known now."""
        return type(self)(self.message, file=file, line=line, column=column)

    @property
    def where(self) -> str:
        """`file:line:column`, as far as it is known."""
        line = [str(self.line)] if self.line else []
        column = [str(self.column)] if self.line and self.column else []
        return ":".join([*filter(None, [self.file]), *line, *column])

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class PlaceError(LessonError):
    """A formula reads a place that an array lacks: with another prompt it may have it."""


class AbsentError(Exception):
    """A text refers to a cell that this prompt lacks: it is left out."""

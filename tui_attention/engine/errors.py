"""The two ways in which something a person wrote can be wrong."""

from __future__ import annotations

from typing import Self


class BadInput(Exception):
    """Something asked of the program is not legal; the message is one sentence for the person who asked."""


class NoPlaceError(BadInput):
    """An array has no such place; with another prompt it may have it."""


class LessonError(Exception):
    """A lesson file is not legal; says file, line, column and what was expected.

    Line and column count from 1; 0 means that the place is not known.
    """

    def __init__(self, message: str, *, file: str = "", line: int = 0, column: int = 0) -> None:
        self.message, self.file, self.line, self.column = message, file, line, column
        super().__init__(message)

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

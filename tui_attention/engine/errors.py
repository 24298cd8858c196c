"""The two ways in which something a person wrote can be wrong."""

from __future__ import annotations


class BadInput(Exception):
    """Something asked of the program is not legal; the message is one sentence for the person who asked."""


class LessonError(Exception):
    """A lesson file is not legal; says file, line, column and what was expected.

    Line and column count from 1; 0 means that the place is not known.
    """

    def __init__(self, message: str, *, file: str = "", line: int = 0, column: int = 0) -> None:
        self.message, self.file, self.line, self.column = message, file, line, column
        super().__init__(message)

    def located(self, file: str, first_line: int) -> LessonError:
        """The same fault, with its line counted from the file's first line."""
        line = first_line + self.line - 1 if self.line and first_line else first_line or self.line
        return LessonError(self.message, file=file, line=line, column=self.column)

    def __str__(self) -> str:
        places = (("line", self.line), ("column", self.column if self.line else 0))
        where = ", ".join([*filter(None, [self.file]), *(f"{name} {place}" for name, place in places if place)])
        return f"{where}: {self.message}" if where else self.message

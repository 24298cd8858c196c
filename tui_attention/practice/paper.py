"""What stands on a worksheet and on its key, as plain values: nothing of the lesson reaches what writes them."""

from __future__ import annotations

from dataclasses import dataclass

BLANK = ""
"""A cell that the learner fills in."""


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table: heads, labels, and texts in rows; a BLANK one is to be filled in. `title` is its plain name."""

    name: str
    title: str
    corner: str
    columns: tuple[str, ...]
    labels: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def blanks(self) -> int:
        """How many cells are to be filled in."""
        return sum(text == BLANK for row in self.rows for text in row)


@dataclass(frozen=True, slots=True)
class PaperStep:
    """One step: its caption, its formula, its shapes, and what it makes."""

    caption: str
    formula: str
    shapes: str
    tables: tuple[PaperTable, ...] = ()


@dataclass(frozen=True, slots=True)
class Mistake:
    """A wrong number that a class will hand in, and the slip behind it."""

    number: str
    says: str


@dataclass(frozen=True, slots=True)
class PaperQuestion:
    """A CHECK. `decimals` is None where a sentence is asked; `answer` and what follows are empty on a sheet.

    `room` is how many lines a pencil needs. `line` is the pencil line, `answer` its number or the sentence, `also`
    says what else counts as right.
    """

    number: int
    ask: str
    decimals: int | None
    line: str = ""
    answer: str = ""
    also: str = ""
    mistakes: tuple[Mistake, ...] = ()
    room: int = 1


@dataclass(frozen=True, slots=True)
class PaperStage:
    """One room of the pipeline: its steps, then its CHECKs."""

    title: str
    steps: tuple[PaperStep, ...]
    questions: tuple[PaperQuestion, ...]


@dataclass(frozen=True, slots=True)
class Paper:
    """A whole sheet, or its key. `given` are the tables that one starts from, `about` are lines under the title."""

    lesson: str
    title: str
    variant: int
    key: bool
    about: tuple[str, ...]
    given: tuple[PaperTable, ...]
    stages: tuple[PaperStage, ...]

    @property
    def name(self) -> str:
        """The name of its file, without its ending."""
        return f"{self.lesson}-{self.variant}-{'key' if self.key else 'sheet'}"

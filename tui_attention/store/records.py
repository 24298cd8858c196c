"""What goes into the store and comes out of it."""

from __future__ import annotations

from typing import Literal, NamedTuple

CellMark = Literal["paid", "helped", "borrowed", "open"]
MarkKind = Literal["had", "partly", "not yet"]


class SavedPlace(NamedTuple):
    """Where a lesson was left: stage id, number of the step within it."""

    lesson: str
    stage: str
    step: int


class Answer(NamedTuple):
    """One typed answer. `hints` is the highest rung climbed before it, `when` in Unix seconds."""

    lesson: str
    stage: str
    cell: str
    typed: str
    verdict: str
    kinds: tuple[str, ...]
    hints: int
    when: float
    dials: str
    inputs: str


class CellState(NamedTuple):
    """What became of one cell under one set of dials; `seen`: its number had been on screen while it was open."""

    lesson: str
    dials: str
    cell: str
    state: CellMark
    hints: int
    seen: bool


class Own(NamedTuple):
    """A number of the learner's own that is carried on in place of the printed one."""

    cell: str
    typed: str
    value: float


class KeptNote(NamedTuple):
    """Whatever else belongs to a lesson under one set of dials: a kind, a name within it, and a text."""

    kind: str
    name: str
    value: str


class Draft(NamedTuple):
    """The answer that was being typed."""

    lesson: str
    cell: str
    typed: str


class Reviewed(NamedTuple):
    """One question of a review: for a kind of slip at a step (a tensor, or a CHECK's key), on a variant's cell.

    `rating` is 0 while it is being worked on, then 1 (again) to 4 (easy). `wrong` counts the wrong answers, `hints`
    is the highest level climbed, `named` are the kinds of slip that were named, `typed` is what stands on the line.
    `at` is the time of the last change in Unix seconds.
    """

    uid: str
    lesson: str
    step: str
    kind: str
    variant: int
    cell: str
    rating: int = 0
    wrong: int = 0
    hints: int = 0
    named: tuple[str, ...] = ()
    typed: str = ""
    at: float = 0.0


class LessonSummary(NamedTuple):
    """One lesson's progress. `answers` is how many there are, `cells` counts states over all sets of dials.

    `last` is the time of the last answer in Unix seconds.
    """

    lesson: str
    place: SavedPlace | None
    answers: int
    cells: dict[CellMark, int]
    last: float | None


class StoreSummary(NamedTuple):
    """All lessons that a learner has touched, by name; `path` is None when nothing is on a disk."""

    learner: str
    path: str | None
    trouble: str | None
    lessons: tuple[LessonSummary, ...]

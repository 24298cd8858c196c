"""The store of one learner: small reads and writes that never let a disk's trouble reach the lesson."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, cast

from tui_attention.store.disk import Cause, Opened, cause_of, copy_of, memory, open_file, sentence, set_aside
from tui_attention.store.learner import valid_learner
from tui_attention.store.records import (
    Answer,
    CellMark,
    CellState,
    Draft,
    LessonSummary,
    MarkKind,
    Own,
    SavedPlace,
    SelfMark,
    Summary,
)

_Statement = tuple[str, tuple[str | int | float, ...]]

_PROGRESS: Final = ("place", "answer", "cell", "own", "mark", "note", "draft")
# A wrong statement is a fault of the program, not of the disk.
_FAULTS: Final = (
    sqlite3.ProgrammingError,
    sqlite3.IntegrityError,
    sqlite3.DataError,
    sqlite3.NotSupportedError,
)


class Store:
    """One learner's progress. Every write is one transaction that is kept as soon as the method returns.

    `trouble` is None or one sentence: a damaged file was set aside, or the disk cannot be used and the store
    goes on in memory (`saves` is then False) with all that it held. It may appear after any call.
    Of two sessions that write the same thing, the later wins; answers of both are kept.
    """

    def __init__(self, opened: Opened, path: Path | None, learner: str) -> None:
        self._connection = opened.connection
        self.path = path
        self.learner = learner
        self.saves = opened.saves
        self.trouble = opened.trouble

    @classmethod
    def open(cls, path: Path | None, learner: str | None = None) -> Self:
        """The learner's store in the file `path`; None keeps it in memory, without trouble.

        Raises BadLearnerError for a bad name, nothing for a bad disk.
        """
        name = valid_learner(learner)
        opened = Opened(memory(), saves=False, trouble=None) if path is None else open_file(path)
        return cls(opened, path, name)

    def close(self) -> None:
        """Let go of the file; closing twice is fine."""
        with contextlib.suppress(sqlite3.DatabaseError):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def save_place(self, place: SavedPlace) -> None:
        """Remember where the lesson stands."""
        row = (self.learner, place.lesson, place.stage, place.step, time.time())
        self._write(("INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?, ?)", row))

    def load_place(self, lesson: str | None = None) -> SavedPlace | None:
        """Where the lesson was left, or without a lesson, the place saved last of all."""
        where, values = self._of(lesson)
        rows = self._rows(f"SELECT lesson, stage, step FROM place {where} ORDER BY at DESC LIMIT 1", values)
        return SavedPlace(*rows[0]) if rows else None

    def add_answer(self, answer: Answer) -> None:
        """Append an answer, right or not."""
        a = answer
        row = (a.lesson, a.stage, a.cell, a.typed, a.verdict, json.dumps(a.kinds), a.hints, a.when, a.dials)
        sql = f"INSERT INTO answer VALUES (NULL{', ?' * 11})"
        self._write((sql, (self.learner, *row, a.inputs)))

    def answers(self, lesson: str | None = None) -> tuple[Answer, ...]:
        """Every answer in the order given, of one lesson or of all."""
        where, values = self._of(lesson)
        columns = "lesson, stage, cell, typed, verdict, kinds, hints, at, dials, inputs"
        rows = self._rows(f"SELECT {columns} FROM answer {where} ORDER BY id", values)
        return tuple(
            Answer(
                lesson=lesson,
                stage=stage,
                cell=cell,
                typed=typed,
                verdict=verdict,
                kinds=tuple(json.loads(kinds)),
                hints=hints,
                when=when,
                dials=dials,
                inputs=inputs,
            )
            for lesson, stage, cell, typed, verdict, kinds, hints, when, dials, inputs in rows
        )

    def save_cell(self, cell: CellState) -> None:
        """Remember what became of a cell, in place of what was known."""
        row = (self.learner, cell.lesson, cell.dials, cell.cell, cell.state, cell.hints, int(cell.seen))
        self._write(("INSERT OR REPLACE INTO cell VALUES (?, ?, ?, ?, ?, ?, ?)", row))

    def cells(self, lesson: str, dials: str) -> tuple[CellState, ...]:
        """Every cell of a lesson under one set of dials about which something is known."""
        rows = self._rows(
            "SELECT cell, state, hints, seen FROM cell WHERE learner = ? AND lesson = ? AND dials = ?",
            (self.learner, lesson, dials),
        )
        return tuple(CellState(lesson, dials, cell, state, hints, bool(seen)) for cell, state, hints, seen in rows)

    def save_own(self, lesson: str, dials: str, own: Own) -> None:
        """Carry a number of the learner's own for one cell."""
        row = (self.learner, lesson, dials, own.cell, own.typed, own.value)
        self._write(("INSERT OR REPLACE INTO own VALUES (?, ?, ?, ?, ?, ?)", row))

    def drop_own(self, lesson: str, dials: str, cell: str) -> None:
        """Carry it no longer; fine where there is none."""
        sql = "DELETE FROM own WHERE learner = ? AND lesson = ? AND dials = ? AND cell = ?"
        self._write((sql, (self.learner, lesson, dials, cell)))

    def own(self, lesson: str, dials: str) -> tuple[Own, ...]:
        """The learner's own numbers under one set of dials."""
        rows = self._rows(
            "SELECT cell, typed, value FROM own WHERE learner = ? AND lesson = ? AND dials = ?",
            (self.learner, lesson, dials),
        )
        return tuple(Own(*row) for row in rows)

    def save_mark(self, lesson: str, question: str, mark: MarkKind) -> None:
        """Remember how the learner marked a sentence question (by the id of its CHECK)."""
        row = (self.learner, lesson, question, mark)
        self._write(("INSERT OR REPLACE INTO mark VALUES (?, ?, ?, ?)", row))

    def marks(self, lesson: str) -> dict[str, MarkKind]:
        """Question id -> mark."""
        rows = self._rows("SELECT question, mark FROM mark WHERE learner = ? AND lesson = ?", (self.learner, lesson))
        return dict(rows)

    def save_note(self, lesson: str, dials: str, note: SelfMark) -> None:
        """Keep a note, in place of the one of the same kind and name."""
        row = (self.learner, lesson, dials, note.kind, note.name, note.value)
        self._write(("INSERT OR REPLACE INTO note VALUES (?, ?, ?, ?, ?, ?)", row))

    def notes(self, lesson: str, dials: str) -> tuple[SelfMark, ...]:
        """The notes under one set of dials, in order of kind and name."""
        rows = self._rows(
            "SELECT kind, name, value FROM note WHERE learner = ? AND lesson = ? AND dials = ? ORDER BY 1, 2",
            (self.learner, lesson, dials),
        )
        return tuple(SelfMark(*row) for row in rows)

    def save_draft(self, lesson: str, cell: str, typed: str) -> None:
        """Keep the half-typed answer of a lesson; empty text lets it go. Cheap enough for every key."""
        if typed:
            row = (self.learner, lesson, cell, typed)
            self._write(("INSERT OR REPLACE INTO draft VALUES (?, ?, ?, ?)", row))
        else:
            self._write(("DELETE FROM draft WHERE learner = ? AND lesson = ?", (self.learner, lesson)))

    def load_draft(self, lesson: str) -> Draft | None:
        """The half-typed answer of a lesson."""
        rows = self._rows(
            "SELECT lesson, cell, typed FROM draft WHERE learner = ? AND lesson = ?", (self.learner, lesson)
        )
        return Draft(*rows[0]) if rows else None

    def setting(self, name: str, default: str | None = None) -> str | None:
        """A setting such as "theme" or "digits"."""
        rows = self._rows("SELECT value FROM setting WHERE learner = ? AND name = ?", (self.learner, name))
        return cast("str", rows[0][0]) if rows else default

    def set_setting(self, name: str, value: str | None) -> None:
        """Keep a setting; None forgets it."""
        if value is None:
            self._write(("DELETE FROM setting WHERE learner = ? AND name = ?", (self.learner, name)))
        else:
            self._write(("INSERT OR REPLACE INTO setting VALUES (?, ?, ?)", (self.learner, name, value)))

    def reset(self, lesson: str | None = None) -> None:
        """Forget one lesson, or all of them. Settings stay."""
        where, values = self._of(lesson)
        self._write(*((f"DELETE FROM {table} {where}", values) for table in _PROGRESS))

    def summary(self) -> Summary:
        """What there is of every lesson touched, in order of name."""
        union = " UNION ".join(f"SELECT lesson FROM {table} WHERE learner = ?" for table in _PROGRESS)
        names = [row[0] for row in self._rows(union + " ORDER BY 1", (self.learner,) * len(_PROGRESS))]
        lessons = tuple(self._lesson_summary(name) for name in names)
        path = str(self.path) if self.path is not None and self.saves else None
        return Summary(self.learner, path, self.trouble, lessons)

    def _lesson_summary(self, lesson: str) -> LessonSummary:
        answers = self.answers(lesson)
        return LessonSummary(
            lesson=lesson,
            place=self.load_place(lesson),
            answers=len(answers),
            cells=self._states(lesson),
            last=max((answer.when for answer in answers), default=None),
        )

    def _states(self, lesson: str) -> dict[CellMark, int]:
        where, values = self._of(lesson)
        return dict(self._rows(f"SELECT state, count(*) FROM cell {where} GROUP BY state", values))

    def _of(self, lesson: str | None) -> tuple[str, tuple[str, ...]]:
        if lesson is None:
            return "WHERE learner = ?", (self.learner,)
        return "WHERE learner = ? AND lesson = ?", (self.learner, lesson)

    def _rows(self, sql: str, values: tuple[str, ...]) -> list[Any]:
        clean = _clean(values)
        try:
            return self._connection.execute(sql, clean).fetchall()
        except _FAULTS:
            raise
        except sqlite3.DatabaseError as error:
            self._leave_disk(error)
            return self._connection.execute(sql, clean).fetchall()

    def _write(self, *statements: _Statement) -> None:
        """All of them or none; in memory where the disk will not."""
        try:
            self._transact(statements)
        except _FAULTS:
            raise
        except sqlite3.DatabaseError as error:
            self._leave_disk(error)
            self._transact(statements)

    def _transact(self, statements: tuple[_Statement, ...]) -> None:
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            for sql, values in statements:
                connection.execute(sql, _clean(values))
            connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # SQLite may have rolled back by itself
                connection.execute("ROLLBACK")
            raise

    def _leave_disk(self, error: sqlite3.DatabaseError) -> None:
        """Go on in memory, or in a new file where this one is damaged. Raises `error` when already there."""
        if not self.saves or self.path is None:
            raise error
        cause = cause_of(error)
        if cause is Cause.DAMAGED:
            self.close()
            try:
                opened = open_file(self.path, set_aside(self.path))
            except OSError:
                opened = Opened(memory(), saves=False, trouble=sentence(cause, self.path))
        else:
            opened = Opened(copy_of(self._connection), saves=False, trouble=sentence(cause, self.path))
            self.close()
        self._connection, self.saves, self.trouble = opened.connection, opened.saves, opened.trouble


def _clean(values: tuple[str | int | float, ...]) -> tuple[str | int | float, ...]:
    """Raw bytes that a terminal sent reach us as lone surrogates, which SQLite cannot hold."""
    return tuple(
        value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value for value in values
    )

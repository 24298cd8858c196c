"""The store of one learner: small reads and writes that never let a disk's trouble reach the lesson."""

from __future__ import annotations

import json
import time
import uuid
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, cast

from tui_attention.store.database import Database
from tui_attention.store.joining import Rows
from tui_attention.store.learner import valid_learner
from tui_attention.store.records import (
    Answer,
    CellMark,
    CellState,
    Draft,
    KeptNote,
    LessonSummary,
    MarkKind,
    Own,
    Reviewed,
    SavedPlace,
    StoreSummary,
)

_PROGRESS: Final = ("place", "answer", "cell", "own", "mark", "note", "draft", "review")
_TICK: Final = 1e-6  # seconds by which what is later is later at least, wherever the clock was set back
_FORGOTTEN_AFTER: Final = 7 * 86_400.0  # seconds for which a draft that was let go is remembered to be so


class Store:
    """One learner's progress. Every write is one transaction that is kept as soon as the method returns.

    `trouble` is None or one sentence: a damaged file was set aside, or the disk cannot be used and the store
    goes on in memory (`saves` is then False) with all that it held. It may appear after any call.
    Of two sessions that write the same thing, the later wins; answers of both are kept.
    """

    def __init__(self, path: Path | None, learner: str) -> None:
        self.learner = learner
        self.path = path
        self._session = uuid.uuid4().hex
        self._begun = time.time()
        self._database = Database(path, learner)

    @classmethod
    def open(cls, path: Path | None, learner: str | None = None) -> Self:
        """The learner's store in the file `path`; None keeps it in memory, without trouble.

        Raises BadLearnerError for a bad name, nothing for a bad disk.
        """
        return cls(path, valid_learner(learner))

    @property
    def saves(self) -> bool:
        """Whether what is written now is on the disk."""
        return self._database.saves

    @property
    def trouble(self) -> str | None:
        return self._database.trouble

    def close(self) -> None:
        """Let go of the file; closing twice is fine."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def save_place(self, place: SavedPlace) -> None:
        """Remember where the lesson stands. What is saved last is the last, whatever the clock says by then."""
        sql = (
            "INSERT OR REPLACE INTO place (learner, lesson, stage, step, at)"
            " SELECT ?, ?, ?, ?, max(?, coalesce(max(at), 0) + ?) FROM place WHERE learner = ?"
        )
        row = (self.learner, place.lesson, place.stage, place.step, time.time(), _TICK, self.learner)
        self._database.write((sql, row))

    def load_place(self, lesson: str | None = None) -> SavedPlace | None:
        """Where the lesson was left, or without a lesson, the place saved last of all."""
        where, values = self._of(lesson)
        rows = self._rows(f"SELECT lesson, stage, step FROM place {where} ORDER BY at DESC LIMIT 1", values)
        return SavedPlace(*rows[0]) if rows else None

    def add_answer(self, answer: Answer) -> None:
        """Append an answer, right or not. None is older than the one before it, wherever the clock was set back."""
        a = answer
        sql = (
            "INSERT INTO answer (learner, lesson, stage, cell, typed, verdict, kinds, hints, dials, inputs, uid, at)"
            f" SELECT {', '.join('?' * 11)}, max(?, coalesce(max(at), 0)) FROM answer WHERE learner = ?"
        )
        row = (a.lesson, a.stage, a.cell, a.typed, a.verdict, json.dumps(a.kinds), a.hints, a.dials, a.inputs)
        self._database.write((sql, (self.learner, *row, uuid.uuid4().hex, a.when, self.learner)))

    def answers(self, lesson: str | None = None) -> tuple[Answer, ...]:
        """Every answer in the order given, of one lesson or of all."""
        where, values = self._of(lesson)
        columns = "lesson, stage, cell, typed, verdict, kinds, hints, at, dials, inputs"
        rows = self._rows(f"SELECT {columns} FROM answer {where} ORDER BY at, id", values)
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
        row = (cell.lesson, cell.dials, cell.cell, cell.state, cell.hints, int(cell.seen))
        self._put("cell", ("lesson", "dials", "cell"), ("state", "hints", "seen"), row)

    def cells(self, lesson: str, dials: str) -> tuple[CellState, ...]:
        """Every cell of a lesson under one set of dials about which something is known."""
        rows = self._rows(
            "SELECT cell, state, hints, seen FROM cell WHERE learner = ? AND lesson = ? AND dials = ?",
            (self.learner, lesson, dials),
        )
        return tuple(CellState(lesson, dials, cell, state, hints, bool(seen)) for cell, state, hints, seen in rows)

    def save_own(self, lesson: str, dials: str, own: Own) -> None:
        """Carry a number of the learner's own for one cell."""
        row = (lesson, dials, own.cell, own.typed, own.value)
        self._put("own", ("lesson", "dials", "cell"), ("typed", "value"), row)

    def own(self, lesson: str, dials: str) -> tuple[Own, ...]:
        """The learner's own numbers under one set of dials."""
        rows = self._rows(
            "SELECT cell, typed, value FROM own WHERE learner = ? AND lesson = ? AND dials = ?",
            (self.learner, lesson, dials),
        )
        return tuple(Own(*row) for row in rows)

    def save_mark(self, lesson: str, question: str, mark: MarkKind) -> None:
        """Remember how the learner marked a sentence question (by the id of its CHECK)."""
        self._put("mark", ("lesson", "question"), ("mark",), (lesson, question, mark))

    def marks(self, lesson: str) -> dict[str, MarkKind]:
        """Question id -> mark."""
        rows = self._rows("SELECT question, mark FROM mark WHERE learner = ? AND lesson = ?", (self.learner, lesson))
        return dict(rows)

    def save_note(self, lesson: str, dials: str, note: KeptNote) -> None:
        """Keep a note, in place of the one of the same kind and name."""
        row = (lesson, dials, note.kind, note.name, note.value)
        self._put("note", ("lesson", "dials", "kind", "name"), ("value",), row)

    def notes(self, lesson: str, dials: str) -> tuple[KeptNote, ...]:
        """The notes under one set of dials, in order of kind and name."""
        rows = self._rows(
            "SELECT kind, name, value FROM note WHERE learner = ? AND lesson = ? AND dials = ? ORDER BY 1, 2",
            (self.learner, lesson, dials),
        )
        return tuple(KeptNote(*row) for row in rows)

    def save_draft(self, lesson: str, cell: str, typed: str) -> None:
        """Keep the half-typed answer to a question; empty text lets it go. Cheap enough for every key.

        Each session has its own; letting go takes along what was typed before this one began.
        """
        if not typed:
            sql = (
                "UPDATE draft SET typed = '', at = max(?, at)"
                " WHERE learner = ? AND lesson = ? AND cell = ? AND (session = ? OR at < ?)"
            )
            self._database.write(
                (sql, (time.time(), self.learner, lesson, cell, self._session, self._begun)),
                (
                    "DELETE FROM draft WHERE learner = ? AND typed = '' AND at < ?",
                    (self.learner, time.time() - _FORGOTTEN_AFTER),
                ),
            )
            return
        sql = (
            "INSERT OR REPLACE INTO draft (learner, lesson, cell, session, typed, at)"
            " SELECT ?, ?, ?, ?, ?, max(?, coalesce(max(at), 0) + ?) FROM draft WHERE learner = ? AND lesson = ?"
        )
        row = (self.learner, lesson, cell, self._session, typed, time.time(), _TICK, self.learner, lesson)
        self._database.write((sql, row))

    def drafts(self, lesson: str) -> tuple[Draft, ...]:
        """The half-typed answers of a lesson, one for each question, the one typed last first."""
        where, values = self._of(lesson)
        sql = f"SELECT cell, typed FROM draft {where} AND typed <> '' ORDER BY at DESC, session"
        latest: dict[str, str] = {}
        for cell, typed in self._rows(sql, values):
            latest.setdefault(cell, typed)
        return tuple(Draft(lesson, cell, typed) for cell, typed in latest.items())

    def load_draft(self, lesson: str) -> Draft | None:
        """The half-typed answer of a lesson that was typed last."""
        return next(iter(self.drafts(lesson)), None)

    def setting(self, name: str, default: str | None = None) -> str | None:
        """A setting such as "theme" or "digits"."""
        rows = self._rows("SELECT value FROM setting WHERE learner = ? AND name = ?", (self.learner, name))
        return cast("str", rows[0][0]) if rows else default

    def set_setting(self, name: str, value: str | None) -> None:
        """Keep a setting; None forgets it."""
        if value is None:
            self._database.write(("DELETE FROM setting WHERE learner = ? AND name = ?", (self.learner, name)))
        else:
            self._put("setting", ("name",), ("value",), (name, value))

    def save_reviewed(self, one: Reviewed) -> None:
        """Keep a question of a review as it stands; its time is now."""
        row = (one.uid, one.lesson, one.step, one.kind, one.variant, one.cell, one.rating, one.wrong, one.hints)
        says = ("lesson", "step", "kind", "variant", "cell", "rating", "wrong", "hints", "named", "typed")
        self._put("review", ("uid",), says, (*row, json.dumps(one.named), one.typed))

    def reviewed(self) -> tuple[Reviewed, ...]:
        """Every question of every review, in the order of their times."""
        columns = "uid, lesson, step, kind, variant, cell, rating, wrong, hints, named, typed, at"
        rows = self._rows(f"SELECT {columns} FROM review WHERE learner = ? ORDER BY at, uid", (self.learner,))
        return tuple(
            Reviewed(
                uid=uid,
                lesson=lesson,
                step=step,
                kind=kind,
                variant=variant,
                cell=cell,
                rating=rating,
                wrong=wrong,
                hints=hints,
                named=tuple(json.loads(named)),
                typed=typed,
                at=at,
            )
            for uid, lesson, step, kind, variant, cell, rating, wrong, hints, named, typed, at in rows
        )

    def everything(self) -> Rows:
        """All that is kept of the learner, table by table, to be taken elsewhere; `take` is its inverse."""
        return self._database.everything()

    def take(self, rows: Rows) -> int:
        """Take over what another file held, the later of two; how many rows were new or later."""
        return self._database.take(rows)

    def reset(self, lesson: str | None = None) -> None:
        """Forget one lesson, or all of them. Settings stay."""
        where, values = self._of(lesson)
        self._database.write(*((f"DELETE FROM {table} {where}", values) for table in _PROGRESS))

    def summary(self) -> StoreSummary:
        """What there is of every lesson touched, in order of name."""
        union = " UNION ".join(f"SELECT lesson FROM {table} WHERE learner = ?" for table in _PROGRESS)
        names = [row[0] for row in self._rows(union + " ORDER BY 1", (self.learner,) * len(_PROGRESS))]
        lessons = tuple(self._lesson_summary(name) for name in names)
        path = str(self.path) if self.path is not None and self.saves else None
        return StoreSummary(self.learner, path, self.trouble, lessons)

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
        return self._database.rows(sql, values)

    def _put(
        self, table: str, key: tuple[str, ...], says: tuple[str, ...], row: tuple[str | int | float, ...]
    ) -> None:
        """Keep a row in place of the one with the same key, and never with an earlier time than that one's."""
        columns = ("learner", *key, *says)
        told = ", ".join(f"{column} = excluded.{column}" for column in says)
        sql = (
            f"INSERT INTO {table} ({', '.join(columns)}, at) VALUES ({', '.join('?' * len(columns))}, ?)"
            f" ON CONFLICT (learner, {', '.join(key)})"
            f" DO UPDATE SET {told}, at = max(excluded.at, {table}.at + {_TICK})"
        )
        self._database.write((sql, (self.learner, *row, time.time())))

"""A class written down as it goes: SQLite in WAL mode, in the loop's own thread (an insert takes 0.02 ms).

A disk that is full or gone is no reason to stop: what could not be written waits, is tried again, and is said.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from tui_attention.classroom.hub.answers import Answers
from tui_attention.classroom.hub.hub import Hub
from tui_attention.classroom.hub.names import identity
from tui_attention.classroom.hub.people import Member
from tui_attention.classroom.hub.state import RoomAnswer, RoomPlace, RoomQuestion, RoomState
from tui_attention.classroom.keep.schema import migrate
from tui_attention.engine.errors import BadInput

RETRY_AFTER: Final = 5.0
"""Seconds until a disk that would not take something is tried again."""
MOST_WAITING: Final = 20_000
"""Statements that wait for the disk; beyond these the oldest are lost, which is said."""
MOST_ANSWERS: Final = 20_000
"""Answers kept of one learner: nobody works that much out, and a held key must not fill the disk."""

_Statement = tuple[str, tuple[Any, ...]]
_MEMBER: Final = "INSERT OR REPLACE INTO member VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_QUESTION: Final = "INSERT OR REPLACE INTO question VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_ANSWER: Final = "INSERT INTO answer VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_META: Final = "INSERT OR REPLACE INTO meta VALUES (?, ?)"


class ClassStore:
    """The file of one class. Nothing here raises for the disk's sake once it is open."""

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Raises BadInput for a file that is not a class's, or cannot be opened at all."""
        self.path = path
        self.trouble: str | None = None
        self.lost = 0
        self._clock = clock
        self._waiting: deque[_Statement] = deque()
        self._retry_at = 0.0
        self._counts: dict[int, int] = {}
        try:
            if not path.exists():
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
            self._connection = sqlite3.connect(path, isolation_level=None, timeout=2.0)
            self._connection.execute("PRAGMA journal_mode = WAL").fetchone()
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute("PRAGMA secure_delete = ON")
            migrate(self._connection)
            counts = self._connection.execute("SELECT member, count(*) FROM answer GROUP BY member").fetchall()
            self._counts = dict(counts)
        except (sqlite3.Error, OSError, ValueError) as error:
            raise BadInput(f"{path}: the class can't be kept there: {error}") from error

    def close(self) -> None:
        """Write what waits, if the disk takes it now, and let go."""
        self._flush()
        self._connection.close()

    # ------------------------------------------------------------ writing

    def _write(self, *statements: _Statement) -> None:
        self._waiting.extend(statements)
        while len(self._waiting) > MOST_WAITING:
            self._waiting.popleft()
            self.lost += 1
        if self._clock() >= self._retry_at:
            self._flush()

    def _flush(self) -> None:
        if not self._waiting:
            return
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for sql, values in self._waiting:
                self._connection.execute(sql, values)
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
            self._retry_at = self._clock() + RETRY_AFTER
            more = f" ({self.lost} of the oldest are lost)" if self.lost else ""
            self.trouble = (
                f"The class's file can't be written ({error}): the class goes on, "
                f"and what happens is kept in memory until it can be{more}."
            )
        else:
            self._waiting.clear()
            self._retry_at = 0.0
            self.trouble = None

    def set_meta(self, name: str, value: str) -> None:
        self._write((_META, (name, value)))

    def save_state(self, state: RoomState, fronts: Mapping[str, int]) -> None:
        kept = asdict(state) | {"shown": sorted(state.shown), "fronts": dict(fronts)}
        self.set_meta("state", json.dumps(kept))

    def save_member(self, member: Member) -> None:
        place = member.place
        values = (
            member.id, member.name, identity(member.name), member.key, member.joined, member.seen,
            place.lesson, place.stage, place.step,
        )  # fmt: skip
        self._write((_MEMBER, values))

    def save_question(self, question: RoomQuestion) -> None:
        place = question.place
        values = (
            question.number, place.lesson, place.stage, place.step, question.target, question.tensor,
            question.text, question.asked, int(question.revealed),
        )  # fmt: skip
        self._write((_QUESTION, values))

    def save_answer(self, answer: RoomAnswer) -> None:
        count = self._counts.get(answer.member, 0) + 1
        if count > MOST_ANSWERS:
            return
        self._counts[answer.member] = count
        place = answer.place
        values = (
            answer.member, answer.at, place.lesson, place.stage, place.step, answer.target, answer.typed,
            answer.value, answer.verdict, int(answer.accepted), int(answer.attempt), json.dumps(answer.kinds),
            answer.hints, answer.state, answer.question,
        )  # fmt: skip
        self._write((_ANSWER, tuple(_clean(value) for value in values)))

    def forget_member(self, member: int) -> None:
        """Delete a learner's rows, and what the file still held of them."""
        statements = ("DELETE FROM answer WHERE member = ?", "DELETE FROM member WHERE id = ?")
        self._write(*((sql, (member,)) for sql in statements))
        self._flush()
        with contextlib.suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    # ------------------------------------------------------------ reading

    def meta(self, name: str) -> str | None:
        row = self._connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def state(self) -> tuple[RoomState, dict[str, int]] | None:
        """The class as it was left, and how far the teacher had been in each lesson; None for a new class."""
        try:
            raw = json.loads(self.meta("state") or "")
            place, question = RoomPlace(**raw["place"]), raw["question"]
            if question is not None:
                question = RoomQuestion(**(question | {"place": RoomPlace(**question["place"])}))
            fronts = {str(lesson): int(order) for lesson, order in raw.pop("fronts").items()}
            shown = frozenset((str(lesson), str(target)) for lesson, target in raw["shown"])
            fresh = {"place": place, "question": question, "shown": shown, "teacher": False, "ended": False}
            return RoomState(**(raw | fresh)), fronts
        except (ValueError, KeyError, TypeError, AttributeError):
            return None

    def members(self) -> tuple[Member, ...]:
        rows = self._connection.execute("SELECT * FROM member ORDER BY id")
        return tuple(
            Member(number, name, key, joined, seen, place=RoomPlace(lesson, stage, step))
            for number, name, _, key, joined, seen, lesson, stage, step in rows
        )

    def answers(self) -> Iterator[RoomAnswer]:
        """Every answer in the order of time, those that wait for the disk left out."""
        rows = self._connection.execute("SELECT * FROM answer ORDER BY id")
        for (_, member, at, lesson, stage, step, target, typed, value, verdict, accepted, attempt, kinds, hints,
             state, question) in rows:  # fmt: skip
            yield RoomAnswer(
                member, at, RoomPlace(lesson, stage, step), target, typed, verdict, bool(accepted), value,
                tuple(json.loads(kinds)), hints, state, question, bool(attempt),
            )  # fmt: skip

    def questions(self) -> tuple[RoomQuestion, ...]:
        rows = self._connection.execute("SELECT * FROM question ORDER BY number")
        return tuple(
            RoomQuestion(number, RoomPlace(lesson, stage, step), target, tensor, text, asked, bool(revealed))
            for number, lesson, stage, step, target, tensor, text, asked, revealed in rows
        )

    def hub(self, otherwise: RoomState, *, most: int) -> Hub:
        """The class as it was left, else as `otherwise`; whatever happens in it from now on is kept here."""
        left = self.state()
        state, fronts = left if left is not None else (otherwise, {})
        questions = max((question.number for question in self.questions()), default=0)
        return Hub(
            state, record=self, members=self.members(), answers=Answers(self.answers()), fronts=fronts,
            questions=questions, most=most,
        )  # fmt: skip


def _clean(value: object) -> object:
    """Raw bytes that a terminal sent reach us as lone surrogates, which SQLite cannot hold."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value

"""The file behind a store, and memory in its place for as long as the file cannot be used.

A file that is locked, full, gone or replaced is no reason to stop a lesson: what is done goes on in memory, is said
in one sentence, and is joined to the file as soon as that can be used again.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from pathlib import Path
from typing import Any, Final

from tui_attention.store.disk import (
    Cause,
    Opened,
    cause_of,
    copy_of,
    identity,
    memory,
    open_file,
    sentence,
    set_aside,
    transaction,
)
from tui_attention.store.joining import Rows, join, rows_of

Parameters = tuple[str | int | float, ...]
Statement = tuple[str, Parameters]

RETRY_SECONDS: Final = 0.5  # after so long a file that could not be used is tried again, then after twice as long
LONGEST_WAIT: Final = 30.0
LAST_PATIENCE: Final = 1.0  # seconds that leaving waits for it
GONE: Final = "The file of your progress was gone: all that this session knew is written anew."
REPLACED: Final = "The file of your progress was replaced: what this session knew has been joined to the new one."
# A wrong statement is a fault of the program, not of the disk.
_FAULTS: Final = (
    sqlite3.ProgrammingError,
    sqlite3.IntegrityError,
    sqlite3.DataError,
    sqlite3.NotSupportedError,
)


class Database:
    """One learner's rows, on the disk or in memory. `saves` and `trouble` are as `Store` tells them."""

    def __init__(self, path: Path | None, learner: str) -> None:
        """Open the file at `path`; None: only memory. Never raises for the disk's sake."""
        self.path = path
        self.learner = learner
        opened = Opened(memory(), saves=False, trouble=None) if path is None else open_file(path)
        self._wait = RETRY_SECONDS
        self._take(opened)

    def _take(self, opened: Opened) -> None:
        self._connection, self.saves, self.trouble = opened.connection, opened.saves, opened.trouble
        self._again = opened.again
        self._identity = identity(self.path) if self.path is not None and opened.saves else None
        self._next_try = time.monotonic() + self._wait

    def close(self) -> None:
        """Let go of the file, once more trying to join to it what it lacks; closing twice is fine."""
        with contextlib.suppress(sqlite3.DatabaseError):
            self._look()
            if self._again:
                self._return(LAST_PATIENCE)
        self._again, self._identity, self.path = False, None, None
        with contextlib.suppress(sqlite3.DatabaseError):
            self._connection.close()

    # ------------------------------------------------------------ reading and writing

    def rows(self, sql: str, values: Parameters = ()) -> list[Any]:
        """What a SELECT finds."""
        clean = _clean(values)
        try:
            return self._connection.execute(sql, clean).fetchall()
        except _FAULTS:
            raise
        except sqlite3.DatabaseError as error:
            self._leave(error)
            return self._connection.execute(sql, clean).fetchall()

    def write(self, *statements: Statement) -> None:
        """All of them or none; in memory where the disk will not."""
        self._look()
        if self._again and time.monotonic() >= self._next_try:
            self._return()
        try:
            self._transact(statements)
        except _FAULTS:
            raise
        except sqlite3.DatabaseError as error:
            self._leave(error)
            self._transact(statements)

    def everything(self) -> Rows:
        """All rows of the learner."""
        return rows_of(self._connection, self.learner)

    def take(self, rows: Rows) -> int:
        """Join rows to what there is; how many were new or later. Raises sqlite3.Error where the disk will not."""
        self._look()
        with transaction(self._connection):
            return join(self._connection, self.learner, rows)

    def _transact(self, statements: tuple[Statement, ...]) -> None:
        with transaction(self._connection):
            for sql, values in statements:
                self._connection.execute(sql, _clean(values))

    # ------------------------------------------------------------ away from the disk, and back

    def _leave(self, error: sqlite3.DatabaseError) -> None:
        """Go on in memory, or in a new file where this one is damaged. Raises `error` when already there."""
        if not self.saves or self.path is None:
            raise error
        cause, before = cause_of(error), self._connection
        if cause is Cause.DAMAGED:
            before.close()
            try:
                self._take(open_file(self.path, set_aside(self.path)))
            except OSError:
                self._take(Opened(memory(), saves=False, trouble=sentence(cause, self.path)))
            return
        self._wait = RETRY_SECONDS
        self._take(Opened(copy_of(before), saves=False, trouble=sentence(cause, self.path), again=True))
        before.close()

    def _look(self) -> None:
        """Notice that the file is no longer the one that was opened, and write anew what this session holds."""
        if self.path is None or not self.saves:
            return
        found = identity(self.path)
        if found == self._identity:
            return
        before = self._connection  # it can still be read, though nobody else finds it
        self._wait = RETRY_SECONDS
        self._take(Opened(copy_of(before), saves=False, trouble=GONE, again=True))
        before.close()
        if self._return():
            self.trouble = REPLACED if found else GONE

    def _return(self, patience: float = 0.0) -> bool:
        """Join what was done in memory to the file, if it can be used by now; whether it could."""
        if self.path is None:
            return False
        opened = open_file(self.path, patience=patience)
        if opened.saves:
            try:
                rows = rows_of(self._connection, self.learner)
                with transaction(opened.connection):
                    join(opened.connection, self.learner, rows)
            except sqlite3.DatabaseError as error:
                opened.connection.close()
                opened = Opened(memory(), saves=False, trouble=sentence(cause_of(error), self.path), again=True)
        if opened.saves:
            self._connection.close()
            self._wait = RETRY_SECONDS
            self._take(opened)
            return True
        opened.connection.close()
        self.trouble, self._again = opened.trouble, opened.again
        self._wait = min(2 * self._wait, LONGEST_WAIT)
        self._next_try = time.monotonic() + self._wait
        return False


def _clean(values: Parameters) -> Parameters:
    """Raw bytes that a terminal sent reach us as lone surrogates, which SQLite cannot hold."""
    return tuple(
        value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value for value in values
    )

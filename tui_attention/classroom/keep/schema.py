"""The tables of a class's file, and the steps from older ones."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Final

APPLICATION: Final = 0x54415443  # "TATC" in the file's header: a class of ours

_FIRST: Final = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE member (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, identity TEXT NOT NULL UNIQUE, key TEXT NOT NULL,
    joined REAL NOT NULL, seen REAL NOT NULL, lesson TEXT NOT NULL, stage TEXT NOT NULL, step INTEGER NOT NULL
);
CREATE TABLE question (
    number INTEGER PRIMARY KEY, lesson TEXT NOT NULL, stage TEXT NOT NULL, step INTEGER NOT NULL,
    target TEXT NOT NULL, tensor TEXT NOT NULL, text TEXT NOT NULL, asked REAL NOT NULL, revealed INTEGER NOT NULL
);
CREATE TABLE answer (
    id INTEGER PRIMARY KEY, member INTEGER NOT NULL, at REAL NOT NULL,
    lesson TEXT NOT NULL, stage TEXT NOT NULL, step INTEGER NOT NULL, target TEXT NOT NULL,
    typed TEXT NOT NULL, value TEXT NOT NULL, verdict TEXT NOT NULL, accepted INTEGER NOT NULL,
    attempt INTEGER NOT NULL, kinds TEXT NOT NULL, hints INTEGER NOT NULL, state TEXT NOT NULL,
    question INTEGER NOT NULL
);
CREATE INDEX answer_of ON answer (member);
"""


def _first(connection: sqlite3.Connection) -> None:
    for statement in _FIRST.split(";"):
        if statement.strip():
            connection.execute(statement)


MIGRATIONS: Final[tuple[Callable[[sqlite3.Connection], None], ...]] = (_first,)
"""Step n makes schema n + 1 out of schema n; 0 is an empty file."""
SCHEMA: Final = len(MIGRATIONS)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to this program's schema, all or nothing. Raises ValueError for another program's or a newer
    file, sqlite3.Error for the disk's sake.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    if application not in (0, APPLICATION) or (version and not application):
        raise ValueError("it belongs to another program")
    if version > SCHEMA:
        raise ValueError("it was written by a newer version of this program")
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in MIGRATIONS[version:]:
            step(connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise

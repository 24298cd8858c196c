"""The tables, as the steps that lead to them: a new file takes all of them, an older one those that it lacks.

A change of the tables is a further step; a step that has been published is never edited. `tests/data/store` keeps a
file of every former schema.
"""

from __future__ import annotations

import sqlite3
from typing import Final

APPLICATION: Final = 0x54415454  # "TATT" in the file's header: this file is ours


def _statements(text: str) -> tuple[str, ...]:
    return tuple(statement.strip() for statement in text.split(";") if statement.strip())


_FIRST = """
    CREATE TABLE place (
        learner TEXT NOT NULL, lesson TEXT NOT NULL,
        stage TEXT NOT NULL, step INTEGER NOT NULL, at REAL NOT NULL,
        PRIMARY KEY (learner, lesson)
    ) WITHOUT ROWID;
    CREATE TABLE answer (
        id INTEGER PRIMARY KEY, learner TEXT NOT NULL, lesson TEXT NOT NULL,
        stage TEXT NOT NULL, cell TEXT NOT NULL, typed TEXT NOT NULL, verdict TEXT NOT NULL,
        kinds TEXT NOT NULL, hints INTEGER NOT NULL, at REAL NOT NULL,
        dials TEXT NOT NULL, inputs TEXT NOT NULL
    );
    CREATE INDEX answer_of ON answer (learner, lesson);
    CREATE TABLE cell (
        learner TEXT NOT NULL, lesson TEXT NOT NULL, dials TEXT NOT NULL, cell TEXT NOT NULL,
        state TEXT NOT NULL, hints INTEGER NOT NULL, seen INTEGER NOT NULL,
        PRIMARY KEY (learner, lesson, dials, cell)
    ) WITHOUT ROWID;
    CREATE TABLE own (
        learner TEXT NOT NULL, lesson TEXT NOT NULL, dials TEXT NOT NULL, cell TEXT NOT NULL,
        typed TEXT NOT NULL, value REAL NOT NULL,
        PRIMARY KEY (learner, lesson, dials, cell)
    ) WITHOUT ROWID;
    CREATE TABLE mark (
        learner TEXT NOT NULL, lesson TEXT NOT NULL, question TEXT NOT NULL, mark TEXT NOT NULL,
        PRIMARY KEY (learner, lesson, question)
    ) WITHOUT ROWID;
    CREATE TABLE note (
        learner TEXT NOT NULL, lesson TEXT NOT NULL, dials TEXT NOT NULL,
        kind TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (learner, lesson, dials, kind, name)
    ) WITHOUT ROWID;
    CREATE TABLE draft (
        learner TEXT NOT NULL, lesson TEXT NOT NULL, cell TEXT NOT NULL, typed TEXT NOT NULL,
        PRIMARY KEY (learner, lesson)
    ) WITHOUT ROWID;
    CREATE TABLE setting (
        learner TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (learner, name)
    ) WITHOUT ROWID
"""

# Answers get a name of their own and everything else a time, so that two files of one learner can be joined; an old
# answer's name is made of what it holds, so that two copies of one file agree. A draft belongs to its session.
_JOINABLE = """
    ALTER TABLE answer ADD COLUMN uid TEXT NOT NULL DEFAULT '';
    UPDATE answer SET uid = 'old-' || id || '-' || CAST(at AS TEXT);
    CREATE UNIQUE INDEX answer_uid ON answer (learner, uid);
    ALTER TABLE cell ADD COLUMN at REAL NOT NULL DEFAULT 0;
    ALTER TABLE own ADD COLUMN at REAL NOT NULL DEFAULT 0;
    ALTER TABLE mark ADD COLUMN at REAL NOT NULL DEFAULT 0;
    ALTER TABLE note ADD COLUMN at REAL NOT NULL DEFAULT 0;
    ALTER TABLE setting ADD COLUMN at REAL NOT NULL DEFAULT 0;
    ALTER TABLE draft RENAME TO old_draft;
    CREATE TABLE draft (
        learner TEXT NOT NULL, lesson TEXT NOT NULL, cell TEXT NOT NULL, session TEXT NOT NULL,
        typed TEXT NOT NULL, at REAL NOT NULL,
        PRIMARY KEY (learner, lesson, cell, session)
    ) WITHOUT ROWID;
    INSERT INTO draft SELECT learner, lesson, cell, '', typed, 0 FROM old_draft;
    DROP TABLE old_draft
"""

# One question of a review; its rating is 0 while it is open, so that a kill loses nothing and counts nothing twice.
_REVIEW = """
    CREATE TABLE review (
        learner TEXT NOT NULL, uid TEXT NOT NULL, lesson TEXT NOT NULL, step TEXT NOT NULL, kind TEXT NOT NULL,
        variant INTEGER NOT NULL, cell TEXT NOT NULL, rating INTEGER NOT NULL, wrong INTEGER NOT NULL,
        hints INTEGER NOT NULL, named TEXT NOT NULL, typed TEXT NOT NULL, at REAL NOT NULL,
        PRIMARY KEY (learner, uid)
    ) WITHOUT ROWID
"""

STEPS: Final = tuple(map(_statements, (_FIRST, _JOINABLE, _REVIEW)))
"""Step number n leads from schema n to schema n + 1; schema 0 is an empty file."""
SCHEMA: Final = len(STEPS)


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Take every step from schema `version` to the present one. Belongs inside a transaction: all of them or none."""
    for step in STEPS[version:]:
        for statement in step:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    # Said even where nothing was to be done: only a real write tells a disk that is full or read-only.
    connection.execute(f"PRAGMA user_version = {SCHEMA}")

"""The tables. A change of them is a new SCHEMA number and a step from the old one."""

from __future__ import annotations

from typing import Final

SCHEMA: Final = 1
APPLICATION: Final = 0x54415454  # "TATT" in the file's header: this file is ours

STATEMENTS: Final = tuple(
    statement.strip()
    for statement in f"""
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
        ) WITHOUT ROWID;
        PRAGMA application_id = {APPLICATION};
        PRAGMA user_version = {SCHEMA}
    """.split(";")
)

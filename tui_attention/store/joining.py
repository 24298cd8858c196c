"""Two files of progress made one: what only one has is taken over, of the same thing the later one stays.

Joining gives the same whichever way round and however often it is done, so that two machines that exchange what
they have agree in the end.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

Value = str | int | float
Row = Mapping[str, Value]
Rows = Mapping[str, Sequence[Row]]

_STATES: Final = ("open", "borrowed", "helped", "paid")


class TableForm(NamedTuple):
    """A table: its columns with their types, and which of them say what a row is about; `learner` is beside them."""

    columns: Mapping[str, type[Value]]
    key: tuple[str, ...]


def _form(key: str, **more: type[Value]) -> TableForm:
    names = tuple(key.split())
    return TableForm({**dict.fromkeys(names, str), **more, "at": float}, names)


_REVIEW: Final[Mapping[str, type[Value]]] = {
    **dict.fromkeys(("lesson", "step", "kind", "cell", "named", "typed"), str),
    **dict.fromkeys(("variant", "rating", "wrong", "hints"), int),
}
TABLES: Final[Mapping[str, TableForm]] = {
    "place": _form("lesson", stage=str, step=int),
    "answer": _form(
        "uid", lesson=str, stage=str, cell=str, typed=str, verdict=str, kinds=str, hints=int, dials=str, inputs=str
    ),
    "cell": _form("lesson dials cell", state=str, hints=int, seen=int),
    "own": _form("lesson dials cell", typed=str, value=float),
    "mark": _form("lesson question", mark=str),
    "note": _form("lesson dials kind name", value=str),
    "draft": _form("lesson cell session", typed=str),
    "setting": _form("name", value=str),
    "review": _form(
        "uid",
        lesson=str,
        step=str,
        kind=str,
        variant=int,
        cell=str,
        rating=int,
        wrong=int,
        hints=int,
        named=str,
        typed=str,
    ),
}
"""What belongs to a learner, table by table."""


def rows_of(connection: sqlite3.Connection, learner: str) -> dict[str, list[Row]]:
    """Everything that is kept of a learner, answers in the order given. Raises sqlite3.Error."""
    return {name: _rows(connection, learner, name) for name in TABLES}


def join(connection: sqlite3.Connection, learner: str, rows: Rows) -> int:
    """Take rows over, inside the transaction that is open; how many were new or later. Raises sqlite3.Error."""
    return sum(_join(connection, learner, name, rows[name]) for name in TABLES if name in rows)


def _rows(connection: sqlite3.Connection, learner: str, name: str) -> list[Row]:
    form = TABLES[name]
    order = ", ".join(("at", "id") if name == "answer" else form.key)
    sql = f"SELECT {', '.join(form.columns)} FROM {name} WHERE learner = ? ORDER BY {order}"
    return [dict(zip(form.columns, row, strict=True)) for row in connection.execute(sql, (learner,))]


def _join(connection: sqlite3.Connection, learner: str, name: str, rows: Sequence[Row]) -> int:
    form = TABLES[name]
    here = {_key(form, row): row for row in _rows(connection, learner, name)}
    taken: dict[tuple[Value, ...], Row] = {}
    for row in rows:
        key = _key(form, row)
        known = taken.get(key, here.get(key))
        if known is None or _rank(form, row) > _rank(form, known):
            taken[key] = row
    columns = ("learner", *form.columns)
    sql = f"INSERT OR REPLACE INTO {name} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    connection.executemany(sql, [(learner, *(row[column] for column in form.columns)) for row in taken.values()])
    return len(taken)


def _key(form: TableForm, row: Row) -> tuple[Value, ...]:
    return tuple(row[column] for column in form.key)


def _rank(form: TableForm, row: Row) -> tuple[Value, ...]:
    """The later row is the greater one; of two of one time the one with more done, else any, but always the same."""
    state = row.get("state")
    done = _STATES.index(state) if state in _STATES else -1
    return (float(row["at"]), done, *(row[column] for column in form.columns))

"""Opening the file, and what to do when it cannot be used. Nothing here raises for the disk's sake."""

from __future__ import annotations

import contextlib
import sqlite3
import stat
import time
from collections.abc import Iterator
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple

from tui_attention.store.schema import APPLICATION, SCHEMA, migrate

BUSY_SECONDS: Final = 0.1  # a write waits so long for another session's; a screen waits for it
OPENING_SECONDS: Final = 0.3
_UNTIL_QUIT: Final = "what you do now is kept only until you quit."


class Cause(Enum):
    """Why SQLite could not do its work."""

    FULL = "full"
    CLOSED = "closed"
    BUSY = "busy"
    DAMAGED = "damaged"
    NO_FILE = "no file"
    BROKEN = "broken"


class Opened(NamedTuple):
    """An open connection with the tables in it; `saves` when it stands on the disk.

    `again`: the file could not be used for now, and is worth another try.
    """

    connection: sqlite3.Connection
    saves: bool
    trouble: str | None
    again: bool = False


class _RefusedError(Exception):
    """The file is in order but not for us; its text is the sentence."""


def memory() -> sqlite3.Connection:
    """A fresh store that lasts until it is closed."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection, 0)
    return connection


def open_file(path: Path, trouble: str | None = None, patience: float = OPENING_SECONDS) -> Opened:
    """The file at `path`, made where it is missing, set aside where it is damaged; else a store in memory
    that starts with what could be read. `trouble` is what has been said about this file already, `patience` how
    many seconds a file is waited for that another program holds.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for _ in range(2):
            before = identity(path)
            if before is not None and not stat.S_ISREG(path.stat().st_mode):
                return Opened(memory(), saves=False, trouble=sentence(Cause.NO_FILE, path), again=True)
            try:
                return Opened(_open(path, patience), saves=True, trouble=trouble)
            except sqlite3.DatabaseError as error:
                cause = cause_of(error)
                if cause is not Cause.DAMAGED:
                    return Opened(copy_of(path), saves=False, trouble=sentence(cause, path), again=True)
            if identity(path) == before:  # else another session has just set it aside
                trouble = set_aside(path)
    except _RefusedError as refusal:
        return Opened(memory(), saves=False, trouble=str(refusal))
    except OSError:
        return Opened(memory(), saves=False, trouble=sentence(Cause.CLOSED, path), again=True)
    return Opened(memory(), saves=False, trouble=sentence(Cause.BROKEN, path), again=True)


def set_aside(path: Path) -> str:
    """Rename a damaged file and its log, never over another; the sentence that says so. Raises OSError."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    count = 1
    while aside.exists():
        count += 1
        aside = path.with_name(f"{path.name}.damaged-{stamp}-{count}")
    path.rename(aside)
    for ending in ("-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
    return f"Your saved progress was damaged: it is set aside as {aside.name}, and a new file is begun."


def copy_of(source: Path | sqlite3.Connection) -> sqlite3.Connection:
    """A store in memory that starts with what can still be read from the disk, nothing at worst."""
    if not isinstance(source, Path):
        return _copied(source) or memory()
    # A log that nobody may replay needs "immutable", which leaves the last unmerged writes out.
    for mode in ("mode=ro", "immutable=1"):
        with contextlib.suppress(sqlite3.DatabaseError):
            opened = sqlite3.connect(f"{source.absolute().as_uri()}?{mode}", timeout=0, uri=True)
            with contextlib.closing(opened):
                version = _number(opened, "user_version")
                if 0 < version <= SCHEMA and (copied := _copied(opened)):
                    migrate(copied, version)
                    return copied
    return memory()


def cause_of(error: sqlite3.Error) -> Cause:
    """What SQLite's error means; by its words where it carries no code."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    words = str(error)
    if primary == sqlite3.SQLITE_FULL or "is full" in words:
        return Cause.FULL
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or "malformed" in words:
        return Cause.DAMAGED
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or "locked" in words:
        return Cause.BUSY
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM) or "readonly" in words:
        return Cause.CLOSED
    return Cause.BROKEN


def sentence(cause: Cause, path: Path) -> str:
    """One sentence for the person, on a store that goes on in memory."""
    match cause:
        case Cause.FULL:
            return f"The disk is full: {_UNTIL_QUIT}"
        case Cause.BUSY:
            return f"Another program holds the file of your progress: {_UNTIL_QUIT}"
        case Cause.CLOSED:
            return f"Progress cannot be written in {path.parent}: {_UNTIL_QUIT}"
        case Cause.NO_FILE:
            return f"{path} is no plain file, so progress cannot be written there: {_UNTIL_QUIT}"
        case Cause.DAMAGED | Cause.BROKEN:
            return f"The file of your progress cannot be used: {_UNTIL_QUIT}"


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    """All of what is done inside, or nothing."""
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):  # SQLite may have rolled back by itself
            connection.execute("ROLLBACK")
        raise


def _open(path: Path, patience: float) -> sqlite3.Connection:
    """Raises sqlite3.DatabaseError for a file that cannot be written or read, _RefusedError for another's."""
    connection = sqlite3.connect(path, timeout=min(patience, BUSY_SECONDS), isolation_level=None)
    try:
        deadline = time.monotonic() + patience
        while True:
            try:
                _prepare(connection)
            except sqlite3.OperationalError as error:
                # Turning a new file to WAL fails at once where another session does the same.
                if cause_of(error) is not Cause.BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
            else:
                connection.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")
                return connection
    except BaseException:
        connection.close()
        raise


def _prepare(connection: sqlite3.Connection) -> None:
    """Check that the file is sound and ours, set it up for several writers, and make the tables once."""
    _refuse_others(connection)
    if (found := connection.execute("PRAGMA quick_check(1)").fetchone()) != ("ok",):
        raise sqlite3.DatabaseError(f"malformed: {found}")
    connection.execute("PRAGMA journal_mode = WAL").fetchone()
    # A kill loses nothing so; a power cut may lose the last answers, never the file.
    connection.execute("PRAGMA synchronous = NORMAL")
    with transaction(connection):  # only here is it certain that no other session is at it
        migrate(connection, _number(connection, "user_version"))


def _refuse_others(connection: sqlite3.Connection) -> None:
    with transaction(connection, "BEGIN"):  # one look: between two, another session may make the tables
        version, application = _number(connection, "user_version"), _number(connection, "application_id")
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application == APPLICATION and version > SCHEMA:
        raise _RefusedError(
            f"Your progress was saved by a newer version of this program and is left untouched: {_UNTIL_QUIT}"
        )
    if application != APPLICATION and (application or version or tables):
        raise _RefusedError(f"The file of your progress belongs to another program: {_UNTIL_QUIT}")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _copied(source: sqlite3.Connection) -> sqlite3.Connection | None:
    copy = sqlite3.connect(":memory:", isolation_level=None)
    deadline = time.monotonic() + BUSY_SECONDS

    def give_up(status: int, remaining: int, total: int) -> None:
        # Python would wait for a locked file for ever.
        if time.monotonic() > deadline:
            raise sqlite3.OperationalError("the file stays locked")

    try:
        source.backup(copy, progress=give_up)
        copy.execute("SELECT count(*) FROM answer").fetchone()
    except sqlite3.Error:
        copy.close()
        return None
    return copy


def identity(path: Path) -> tuple[int, int] | None:
    """Which file it is that lies there: its device and inode; None where there is none."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino

"""The folder of a class: where it is, who may read it, and that one server at a time has it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from pathlib import Path

from platformdirs import user_data_path

from tui_attention.engine.errors import BadInput

try:
    import fcntl
except ImportError:  # Windows: no lock, and no class over ssh either
    fcntl = None  # type: ignore[assignment]

LONGEST = 40
_PROGRESS = "learner-"


def classes_folder() -> Path:
    """Where all classes lie: in the user's data directory."""
    return user_data_path("tui-attention") / "classes"


def valid_class(name: str) -> str:
    """The name, which is a folder's name too. Raises BadInput."""
    if not re.fullmatch(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{LONGEST - 1}}}", name):
        raise BadInput(
            f"{name[:60]!r} can't be a class's name: letters, digits, dots, dashes and underscores, "
            f"{LONGEST} at most, a letter or digit first"
        )
    return name


class ClassFolder:
    """A folder that its owner alone may enter. `lock` holds it for one server."""

    def __init__(self, name: str, root: Path | None = None) -> None:
        """Raises BadInput for a name that is none."""
        self.name = valid_class(name)
        self.path = (root or classes_folder()) / self.name
        self._lock: int | None = None

    @property
    def exists(self) -> bool:
        return (self.path / "class.sqlite3").exists()

    @property
    def database(self) -> Path:
        return self.path / "class.sqlite3"

    @property
    def token(self) -> Path:
        return self.path / "teacher-token"

    @property
    def log(self) -> Path:
        return self.path / "class.log"

    def progress(self, member: int) -> Path:
        """The file of one learner's own progress: by number, since a name is never part of a path."""
        return self.path / f"{_PROGRESS}{member:05d}.sqlite3"

    def make(self) -> None:
        """The folder, with nobody else let in. Raises BadInput where that can't be."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            for path in (self.path.parent, self.path):
                if path.stat().st_uid == os.getuid():
                    path.chmod(0o700)
        except OSError as error:
            raise BadInput(f"{self.path}: {error.strerror}; the class is kept there") from error

    def lock(self) -> None:
        """Hold the class; given back when the process ends, however it does. Raises BadInput if another has it."""
        if fcntl is None or self._lock is not None:
            return
        held = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(held)
            raise BadInput(f"the class {self.name} is running already; end it first") from error
        self._lock = held

    def unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def write_export(self, name: str, text: str) -> Path:
        """A file for the teacher, beside the rest. Raises OSError."""
        path = self.path / name
        write_secret(path, text)
        return path

    def forget(self) -> None:
        """Delete the class with everything in it. Raises BadInput while it is running."""
        self.lock()
        try:
            shutil.rmtree(self.path)
        finally:
            self.unlock()

    def forget_progress(self, member: int) -> None:
        """Delete one learner's own progress."""
        path = self.progress(member)
        for ending in ("", "-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                path.with_name(path.name + ending).unlink()


def write_secret(path: Path, text: str) -> None:
    """A new file that only its owner may read; never through a link. Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    found = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(found, "w", encoding="utf-8") as file:
        file.write(text)


def read_secret(path: Path) -> str | None:
    """Its text; None where there is none. Raises BadInput where others may read or change it."""
    try:
        found = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    with os.fdopen(found, encoding="utf-8") as file:
        if os.fstat(file.fileno()).st_mode & 0o077:
            raise BadInput(f"{path} may be read by others; `chmod 600 {path}`, or delete it, then start again")
        return file.read()

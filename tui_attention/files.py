"""The one place that writes files for people: made new, never through a link, never over what is there."""

from __future__ import annotations

import errno
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

MOST = 999
"""Numbers tried behind a name that is taken."""

_UNFIT = re.compile(r"[^\w .+@=,()\[\]-]+")


def fit(name: str) -> str:
    """A name that any folder takes: no separators, no control characters, no dot in front, not overlong."""
    return _UNFIT.sub("-", name).strip(" .-")[:100] or "unnamed"


def create(folder: Path, name: str, parts: Mapping[str, bytes]) -> tuple[Path, ...]:
    """Write each part as `name` and its ending (`.svg`), all under the same number where a name is taken.

    `press-h.svg` and `press-h.txt`, or both as `press-h-2`, `press-h-3` and so on. Whatever stands at a name, a link
    or a pipe too, is left alone. Raises OSError where the folder takes no file, and then leaves none behind.
    """
    stem = fit(name)
    for number in range(1, MOST + 1):
        tried = stem if number == 1 else f"{stem}-{number}"
        made = _all_of(folder, tried, parts)
        if made is not None:
            return made
    raise FileExistsError(0, "too many files of this name", str(folder / stem))


def create_at(path: Path, data: bytes) -> None:
    """Write a new file at just this path. Raises FileExistsError where anything stands there, and OSError.

    An error names the file, and no part of it is left behind.
    """
    if _all_of(path.parent, path.name, {"": data}) is None:
        raise FileExistsError(errno.EEXIST, "is there already", str(path))


def replace(folder: Path, name: str, data: bytes) -> Path:
    """Write a file that is ours to renew, such as a picture of the README: beside it first, then in its place.

    A link at that name is replaced, not followed. Raises OSError.
    """
    path = folder / fit(name)
    descriptor, beside = tempfile.mkstemp(dir=folder, prefix=f".{path.name}-")
    try:
        with _named(path), os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(beside).chmod(0o644)
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
    return path


def _all_of(folder: Path, stem: str, parts: Mapping[str, bytes]) -> tuple[Path, ...] | None:
    """The files, or None where one of the names is taken."""
    made: list[Path] = []
    try:
        for ending, data in parts.items():
            path = folder / (stem + ending)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
            with _named(path), os.fdopen(os.open(path, flags, 0o644), "wb") as file:
                made.append(path)
                file.write(data)
    except FileExistsError:
        _undone(made)
        return None
    except BaseException:
        _undone(made)
        raise
    return tuple(made)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """A full disk says which file found no room."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


def _undone(made: list[Path]) -> None:
    for path in made:
        path.unlink(missing_ok=True)

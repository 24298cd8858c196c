"""Numbers of a table that stand in a file beside the lesson: .csv or .npy, and never outside its folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tui_attention.engine.tensor import Array
from tui_attention.lessons.declare import Fields

MOST_BYTES = 10_000_000
MOST_NUMBERS = 250_000


def numbers_from(name: str, fields: Fields) -> Array:
    """The numbers of a file, one row or rows of one length. Raises LessonError for any that cannot be had."""

    def fail(says: str) -> Exception:
        return fields.fail(f"'values_from': {says}", "values_from")

    folder = Path(fields.origin.source(fields.path).file).parent
    try:
        home, path = folder.resolve(), (folder / name).resolve()
        if not path.is_relative_to(home):
            raise fail(f"{name[:60]!r} is outside the lesson's folder; a file beside the lesson was expected")
        if path.suffix not in (".csv", ".npy"):
            raise fail(f"a .csv or .npy file was expected, not {name[:60]!r}")
        if path.stat().st_size > MOST_BYTES:
            raise fail(f"a file of at most {MOST_BYTES:,} bytes was expected")
        values = _npy(path) if path.suffix == ".npy" else _csv(path)
    except OSError as error:
        raise fail(f"{name[:60]!r} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise fail(f"{name[:60]!r}: {error}") from None
    if values.ndim not in (1, 2) or not 1 <= values.size <= MOST_NUMBERS:
        raise fail(f"{name[:60]!r} should hold one row of numbers, or rows of one length, {MOST_NUMBERS:,} at most")
    return values


def _npy(path: Path) -> Array:
    loaded = np.load(path, allow_pickle=False)
    if not isinstance(loaded, np.ndarray) or loaded.dtype.kind not in "fiu":
        raise ValueError("an array of numbers was expected")
    return loaded.astype(np.float64)


def _csv(path: Path) -> Array:
    rows: list[list[float]] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        row = []
        for column, cell in enumerate(line.split(","), 1):
            try:
                row.append(float(cell))
            except ValueError:
                raise ValueError(f"line {number}, place {column}: {cell.strip()[:20]!r} is no number") from None
        if rows and len(row) != len(rows[0]):
            raise ValueError(f"line {number} has {len(row)} numbers, the first has {len(rows[0])}")
        rows.append(row)
    if not rows:
        raise ValueError("it holds no numbers")
    return np.array(rows, dtype=np.float64)

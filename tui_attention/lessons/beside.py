"""Numbers of a table that stand in a file beside the lesson: .csv or .npy, and never outside its folder."""

from __future__ import annotations

import os
import re
import stat
from math import prod
from pathlib import Path
from typing import Literal

import numpy as np

from tui_attention.engine.tensor import Array
from tui_attention.lessons.declare import Fields

MOST_BYTES = 10_000_000
MOST_NUMBERS = 250_000
_HEADER = re.compile(
    rb"\{'descr': '([<>|=](?:f[248]|[iu][1248]))', 'fortran_order': (True|False), "
    rb"'shape': \((\d{1,9}),(?: (\d{1,9}),?)?\),? ?\}\s*"
)
"""What np.save writes before the numbers: their kind, their order, one size or two."""


def numbers_from(name: str, fields: Fields) -> Array:
    """The numbers of a file, one row or rows of one length. Raises LessonError for any that cannot be had."""

    def fail(says: str) -> Exception:
        return fields.fail(f"'values_from': {says}", "values_from")

    folder = Path(fields.origin.source(fields.path).file).parent
    try:
        home, path = Path(os.path.realpath(folder)), Path(os.path.realpath(folder / name))
        if not path.is_relative_to(home):
            raise fail(f"{name[:60]!r} is outside the lesson's folder; a file beside the lesson was expected")
        if path.suffix not in (".csv", ".npy"):
            raise fail(f"a .csv or .npy file was expected, not {name[:60]!r}")
        if not stat.S_ISREG(path.stat().st_mode):
            raise fail(f"{name[:60]!r} is no ordinary file")  # a pipe would wait for ever
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise fail(f"a file of at most {MOST_BYTES:,} bytes was expected")
        values = _npy(data) if path.suffix == ".npy" else _csv(data)
    except OSError as error:
        raise fail(f"{name[:60]!r} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise fail(f"{name[:60]!r}: {error}") from None
    if values.ndim not in (1, 2) or not 1 <= values.size <= MOST_NUMBERS:
        raise fail(f"{name[:60]!r} should hold one row of numbers, or rows of one length, {MOST_NUMBERS:,} at most")
    return values


def _npy(data: bytes) -> Array:
    """The numbers of an .npy file. NumPy's own reader makes room for whatever a header says, before it looks."""
    start, wide = (12, 4) if data[6:7] in (b"\x02", b"\x03") else (10, 2)
    begin = start + int.from_bytes(data[8 : 8 + wide], "little")
    found = _HEADER.fullmatch(data[start:begin])
    if data[:6] != b"\x93NUMPY" or not found:
        raise ValueError("an array of numbers was expected, one row or rows of one length, as np.save writes it")
    kind, shape = np.dtype(found[1].decode()), tuple(int(size) for size in found.groups()[2:] if size)
    if prod(shape) * kind.itemsize != len(data) - begin:
        raise ValueError(f"{prod(shape):,} numbers were expected, as its header says")
    order: Literal["F", "C"] = "F" if found[2] == b"True" else "C"
    return np.frombuffer(data, kind, offset=begin).reshape(shape, order=order).astype(np.float64)


def _csv(data: bytes) -> Array:
    rows: list[list[float]] = []
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError("text in UTF-8 was expected") from None
    for number, line in enumerate(text.splitlines(), 1):
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

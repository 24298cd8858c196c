"""Weights as they are stored and as numbers: one decoder per kind of storage, exact to the last bit.

F32, F16 and BF16 are plain; Q8_0, Q4_0 and Q4_1 are GGML's blocks of 32 weights (ggml-common.h).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tui_attention.models.files import FloatArray, MappedFile, ModelFileError

_CHUNK = 2048  # blocks at a time: what is worked on stays in the cache of the processor
BLOCK = 32


def _q8_0(raw: FloatArray) -> FloatArray:
    """[n, 34] bytes -> [n, 32]: w = d * q, with d a float16 and q an int8."""
    out = np.empty((len(raw), BLOCK), np.float32)
    out[...] = raw[:, 2:].view(np.int8)
    out *= _scale(raw, 0)
    return out


def _q4_0(raw: FloatArray) -> FloatArray:
    """[n, 18] bytes -> [n, 32]: w = d * (q - 8); low halves of the bytes are weights 0-15, high ones 16-31."""
    out = _nibbles(raw[:, 2:])
    out -= 8
    out *= _scale(raw, 0)
    return out


def _q4_1(raw: FloatArray) -> FloatArray:
    """[n, 20] bytes -> [n, 32]: w = d * q + m, with d and m float16."""
    out = _nibbles(raw[:, 4:])
    out *= _scale(raw, 0)
    out += _scale(raw, 2)
    return out


def _nibbles(raw: FloatArray) -> FloatArray:
    out = np.empty((len(raw), BLOCK), np.float32)
    out[:, :16] = raw & 15
    out[:, 16:] = raw >> 4
    return out


def _scale(raw: FloatArray, at: int) -> FloatArray:
    return np.ascontiguousarray(raw[:, at : at + 2]).view("<f2").astype(np.float32)


@dataclass(frozen=True, slots=True)
class Storage:
    """One kind of storage: `width` weights stand in `size` bytes. `decode` takes [n, size] bytes; None is plain."""

    name: str
    width: int
    size: int
    plain: str = ""
    decode: Callable[[FloatArray], FloatArray] | None = None


STORAGES: tuple[Storage, ...] = (
    Storage("F32", 1, 4, "<f4"),
    Storage("F16", 1, 2, "<f2"),
    Storage("BF16", 1, 2, "<u2"),
    Storage("F64", 1, 8, "<f8"),
    Storage("Q8_0", BLOCK, 34, decode=_q8_0),
    Storage("Q4_0", BLOCK, 18, decode=_q4_0),
    Storage("Q4_1", BLOCK, 20, decode=_q4_1),
)
READABLE = "F32, F16, BF16, Q8_0, Q4_0, Q4_1"


def storage_named(name: str) -> Storage | None:
    """The kind of storage of that name; None for one that can't be read."""
    return next((storage for storage in STORAGES if storage.name == name), None)


@dataclass(frozen=True, eq=False, slots=True)
class StoredTensor:
    """One tensor in a file, in row-major order, not yet read. `start` is its first byte."""

    name: str
    shape: tuple[int, ...]
    storage: Storage
    file: MappedFile
    start: int

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return _product(self.shape) // self.storage.width * self.storage.size

    @property
    def row(self) -> int:
        """How many numbers a row of the last axis has."""
        return self.shape[-1] if self.shape else 1

    def rows(self, first: int, last: int) -> FloatArray:
        """Rows of the last axis from `first` up to `last`, [last - first, row], float32 (float64 where stored so).

        Raises ModelFileError where a number is not finite.
        """
        per_row = self.row // self.storage.width * self.storage.size
        start, count = self.start + first * per_row, (last - first) * per_row
        if self.storage.decode is None:
            out = self._plain(start, count // self.storage.size)
        else:
            out = self._blocks(start, count // self.storage.size)
        return out.reshape(last - first, self.row)

    def whole(self) -> FloatArray:
        """All its numbers in its own shape. Raises ModelFileError where a number is not finite."""
        return self.rows(0, _product(self.shape) // self.row).reshape(self.shape)

    def _plain(self, start: int, count: int) -> FloatArray:
        raw = self.file.array(start, count, self.storage.plain)
        if self.storage.name == "BF16":
            out = np.zeros(count, np.float32)
            out.view("<u2")[1::2] = raw  # the upper half of a float32
        else:
            out = raw.astype(np.float64 if self.storage.name == "F64" else np.float32)
        self._finite(out, start, self.storage.size)
        return out

    def _blocks(self, start: int, count: int) -> FloatArray:
        size, decode = self.storage.size, self.storage.decode
        assert decode is not None
        raw = self.file.array(start, count * size, "u1").reshape(count, size)
        out = np.empty((count, BLOCK), np.float32)
        for at in range(0, count, _CHUNK):
            part = decode(raw[at : at + _CHUNK])
            self._finite(part[:, 0], start + at * size, size)  # a scale that is no number shows in every weight
            out[at : at + _CHUNK] = part
        return out

    def _finite(self, values: FloatArray, start: int, size: int) -> None:
        with np.errstate(all="ignore"):
            if np.isfinite(values.sum()):  # the quickest test; a sum can also overflow, so a failure is looked into
                return
        strange = np.flatnonzero(~np.isfinite(values))
        if len(strange):
            why = f"{self.name} holds a number that is not finite ({values[strange[0]]})"
            raise ModelFileError(self.file.name, why, start + int(strange[0]) * size)


def _product(sizes: tuple[int, ...]) -> int:
    total = 1
    for size in sizes:
        total *= size
    return total

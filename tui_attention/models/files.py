"""A file mapped into memory, read-only: nothing of it is loaded before it is looked at, and no read leaves it."""

from __future__ import annotations

import mmap
import stat
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tui_attention.engine.errors import BadInput

FloatArray = npt.NDArray[Any]


class ModelFileError(BadInput):
    """A model's file cannot be read. `file` is its name, `byte` the place of the fault where there is one."""

    def __init__(self, file: str, why: str, byte: int | None = None) -> None:
        self.file, self.byte = file, byte
        super().__init__(f"{file}: {why}" + ("" if byte is None else f" (byte {byte:,})"))


class MappedFile:
    """The bytes of one file. Raises ModelFileError where there is none, or an empty one."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.name
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                raise ModelFileError(self.name, "this is no ordinary file")  # a pipe would wait for ever
            with path.open("rb") as opened:
                self.size = path.stat().st_size
                if not self.size:
                    raise ModelFileError(self.name, "the file is empty", 0)
                self._map = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise ModelFileError(self.name, f"can't be opened: {why}") from None

    @property
    def view(self) -> mmap.mmap:
        """The whole file, as a buffer."""
        return self._map

    def head(self, count: int) -> bytes:
        """The first bytes, as many as there are."""
        return self._map[:count]

    def bytes(self, start: int, count: int, what: str) -> bytes:
        """Some bytes. Raises ModelFileError where the file ends before."""
        self.within(start, count, what)
        return self._map[start : start + count]

    def within(self, start: int, count: int, what: str) -> None:
        """Raises ModelFileError where `count` bytes from `start` are not all in the file."""
        if count < 0 or start < 0 or start + count > self.size:
            raise ModelFileError(
                self.name, f"cut short: {what} ends at byte {start + count:,}, the file at {self.size:,}", start
            )

    def array(self, start: int, count: int, dtype: str) -> FloatArray:
        """Numbers that stand in the file, without a copy. The range is one that `within` has passed."""
        return np.frombuffer(self._map, dtype=np.dtype(dtype), count=count, offset=start)


def refused_kind(head: bytes) -> str:
    """What a file that is no model file seems to be, as a sentence; empty when its first bytes tell nothing."""
    if head.startswith(b"version https://git-lfs"):
        return "this is a pointer file that stands for the model; fetch the large file itself (git lfs pull)"
    if head.startswith(b"PK") or head[:1] == b"\x80":
        return "this is a pickle checkpoint, which could run code and is never opened; convert it to safetensors"
    if head.startswith((b"ggml", b"lmgg", b"fmgg", b"ggjt", b"tjgg", b"ggla")):
        return "this is an old GGML file; convert it to GGUF"
    if head.startswith((b"\x1f\x8b", b"\xfd7zXZ")):
        return "this is a compressed file; unpack it first"
    if head.startswith(b"\x89HDF"):
        return "this is an HDF5 file; convert it to safetensors"
    return ""

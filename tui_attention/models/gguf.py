"""GGUF files, versions 2 and 3: the keys, and where each tensor stands. Everything is checked before it is used.

Format: github.com/ggml-org/ggml, docs/gguf.md. Little-endian; tensor sizes are listed innermost first.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from tui_attention.models.files import FloatArray, MappedFile, ModelFileError
from tui_attention.models.weights import READABLE, StoredTensor, storage_named

MAGIC = b"GGUF"
MOST_NAME = 64
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
TYPE_NAMES = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 6: "Q5_0", 7: "Q5_1", 8: "Q8_0", 9: "Q8_1", 10: "Q2_K", 11: "Q3_K",
    12: "Q4_K", 13: "Q5_K", 14: "Q6_K", 15: "Q8_K", 16: "IQ2_XXS", 17: "IQ2_XS", 18: "IQ3_XXS", 19: "IQ1_S",
    20: "IQ4_NL", 21: "IQ3_S", 22: "IQ2_S", 23: "IQ4_XS", 24: "I8", 25: "I16", 26: "I32", 27: "I64", 28: "F64",
    29: "IQ1_M", 30: "BF16", 34: "TQ1_0", 35: "TQ2_0", 39: "MXFP4",
}  # fmt: skip

Scalar = int | float | bool
Value = Scalar | str | FloatArray | tuple[bytes, ...]


@dataclass(frozen=True, eq=False, slots=True)
class GGUFFile:
    """What a GGUF file says. Strings of an array stay bytes; `places` tells at which byte each key stands."""

    file: MappedFile
    keys: Mapping[str, Value]
    places: Mapping[str, int]
    tensors: Mapping[str, StoredTensor]


class _Cursor:
    """Reads on from a place; whatever leaves the file is a ModelFileError."""

    def __init__(self, file: MappedFile) -> None:
        self.file, self.at = file, 0

    def fail(self, why: str, at: int | None = None) -> ModelFileError:
        return ModelFileError(self.file.name, why, self.at if at is None else at)

    def number(self, code: str, what: str) -> Scalar:
        size = struct.calcsize("<" + code)
        raw = self.file.bytes(self.at, size, what)
        if code == "?" and raw not in (b"\0", b"\1"):
            raise self.fail(f"{what} is {raw[0]}, where 0 (false) or 1 (true) was expected")
        self.at += size
        value: Scalar = struct.unpack("<" + code, raw)[0]
        return value

    def count(self, code: str, what: str, least_size: int) -> int:
        """A number of things that are still to come, each of at least `least_size` bytes."""
        at = self.at
        value = int(self.number(code, what))
        if value * least_size > self.file.size - self.at:
            raise self.fail(f"{what} is {value:,}, more than the rest of the file can hold", at)
        return value

    def raw(self, what: str) -> bytes:
        size = self.count("Q", f"the length of {what}", 1)
        self.at += size
        return self.file.bytes(self.at - size, size, what)

    def text(self, what: str) -> str:
        at = self.at + 8
        raw = self.raw(what)
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise self.fail(f"{what} is no UTF-8 text", at + error.start) from None


def read_gguf(file: MappedFile) -> GGUFFile:
    """The keys and tensors of a file. Raises ModelFileError with the byte of what is wrong."""
    cursor = _Cursor(file)
    if file.bytes(0, min(4, file.size), "the file's mark") != MAGIC:
        raise cursor.fail("no GGUF file: it does not begin with GGUF")
    cursor.at = 4
    version = int(cursor.number("I", "the version"))
    if version not in (2, 3):
        big = version in (2 << 24, 3 << 24)
        raise cursor.fail("this GGUF file is big-endian; little-endian was expected" if big else
                          f"GGUF version {version:,}, where 2 or 3 was expected", 4)  # fmt: skip
    tensor_count = cursor.count("Q", "the number of tensors", 32)
    key_count = cursor.count("Q", "the number of keys", 13)
    keys: dict[str, Value] = {}
    places: dict[str, int] = {}
    for place in range(key_count):
        at = cursor.at
        name = cursor.text(f"the name of key {place}")
        if not name or len(name) > 65535 or not name.isascii() or not name.isprintable():
            raise cursor.fail(f"the name of key {place} is {name[:40]!r}, where plain letters were expected", at)
        if name in keys:
            raise cursor.fail(f"the key {name} stands there twice", at)
        places[name] = at
        keys[name] = _value(cursor, name)
    alignment = keys.get("general.alignment", 32)
    if not isinstance(alignment, int) or alignment < 8 or alignment & (alignment - 1) or alignment > 1 << 20:
        raise cursor.fail(f"the alignment is {alignment!r}; a power of 2 from 8 was expected",
                          places.get("general.alignment"))  # fmt: skip
    return GGUFFile(file, keys, places, _tensors(cursor, tensor_count, alignment))


def _value(cursor: _Cursor, name: str) -> Value:
    at = cursor.at
    kind = int(cursor.number("I", f"the type of {name}"))
    if kind == _STRING:
        return cursor.text(f"the text of {name}")
    if kind in _SCALARS:
        return cursor.number(_SCALARS[kind], name)
    if kind != _ARRAY:
        raise cursor.fail(f"{name} has type {kind}, which GGUF does not have", at)
    at = cursor.at
    inner = int(cursor.number("I", f"the type of the items of {name}"))
    if inner in _SCALARS:
        size = struct.calcsize("<" + _SCALARS[inner])
        count = cursor.count("Q", f"the number of items of {name}", size)
        start, cursor.at = cursor.at, cursor.at + count * size
        return cursor.file.array(start, count, "<u1" if inner == 7 else "<" + _DTYPES[inner])
    if inner != _STRING:
        raise cursor.fail(f"the items of {name} have type {inner}, which can't be read here", at)
    return _strings(cursor, name, cursor.count("Q", f"the number of items of {name}", 8))


_DTYPES = {0: "u1", 1: "i1", 2: "u2", 3: "i2", 4: "u4", 5: "i4", 6: "f4", 10: "u8", 11: "i8", 12: "f8"}


def _strings(cursor: _Cursor, name: str, count: int) -> tuple[bytes, ...]:
    """The strings of an array as bytes. A tight loop: a vocabulary has many."""
    view, at, end = cursor.file.view, cursor.at, cursor.file.size
    length = struct.Struct("<Q").unpack_from
    found = []
    for place in range(count):
        stop = at + 8
        if stop <= end:
            stop += length(view, at)[0]
        if stop > end or stop < at + 8:
            raise cursor.fail(f"cut short: item {place} of {name} ends at byte {stop:,}, the file at {end:,}", at)
        found.append(view[at + 8 : stop])
        at = stop
    cursor.at = at
    return tuple(found)


def _tensors(cursor: _Cursor, count: int, alignment: int) -> dict[str, StoredTensor]:
    listed = []
    names = set()
    for place in range(count):
        at = cursor.at
        name = cursor.text(f"the name of tensor {place}")
        if not name or len(name) > MOST_NAME or not name.isascii() or not name.isprintable() or name in names:
            why = "stands there twice" if name in names else f"is no name of 1 to {MOST_NAME} plain letters"
            raise cursor.fail(f"the name of tensor {place}, {name[:40]!r}, {why}", at)
        names.add(name)
        dims = int(cursor.number("I", f"the number of axes of {name}"))
        if not 1 <= dims <= 4:
            raise cursor.fail(f"{name} has {dims:,} axes; 1 to 4 were expected", cursor.at - 4)
        shape = tuple(int(cursor.number("Q", f"the size of {name}")) for _ in range(dims))[::-1]
        kind = int(cursor.number("I", f"the storage of {name}"))
        offset = int(cursor.number("Q", f"the place of {name}"))
        listed.append((name, shape, kind, offset, at))
    data = -(-cursor.at // alignment) * alignment
    expected, found = 0, {}
    for name, shape, kind, offset, at in listed:
        storage = storage_named(TYPE_NAMES.get(kind, ""))
        if storage is None or storage.name == "F64":
            known = TYPE_NAMES.get(kind, f"type {kind:,}")
            raise cursor.fail(f"{name} is stored as {known}, which can't be read (can: {READABLE})", at)
        tensor = StoredTensor(name, shape, storage, cursor.file, data + offset)
        if min(shape) < 1 or tensor.row % storage.width:
            raise cursor.fail(f"{name} has the size {'x'.join(map(str, shape))}, which {storage.name} can't have", at)
        if offset != expected:
            raise cursor.fail(f"{name} stands at {offset:,} of the data, where {expected:,} was expected", at)
        cursor.file.within(tensor.start, tensor.size, name)
        expected = -(-(offset + tensor.size) // alignment) * alignment
        last = tensor.start + tensor.size
        found[name] = tensor
    end = cursor.file.size
    if found and end not in (last, data + expected):
        raise cursor.fail(f"the last tensor ends at byte {last:,}, the file at {end:,}", last)
    return found

"""Safetensors files, one or several shards: a JSON header with names, types, shapes and places, then plain numbers.

Format: github.com/huggingface/safetensors, README. Nothing in it can be run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tui_attention.models.files import MappedFile, ModelFileError
from tui_attention.models.weights import READABLE, StoredTensor, storage_named

INDEX = "model.safetensors.index.json"
MOST_HEADER = 100_000_000


class _TwiceError(ValueError):
    pass


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _TwiceError("a name stands there twice")
    return found


def parse_json(raw: bytes, file: str, start: int = 0) -> Any:
    """JSON in UTF-8, no name twice. Raises ModelFileError with the byte."""
    try:
        return json.loads(raw.decode("utf-8"), object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        at = start + len(error.doc[: error.pos].encode())
        raise ModelFileError(file, f"no valid JSON: {error.msg}", at) from None
    except UnicodeDecodeError as error:
        raise ModelFileError(file, "no UTF-8 text", start + error.start) from None
    except (ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, _TwiceError) else "nested too deep or a number too long"
        raise ModelFileError(file, f"no valid JSON: {why}", start) from None


def read_safetensors(file: MappedFile) -> dict[str, StoredTensor]:
    """The tensors of one file by name. Raises ModelFileError with the byte of what is wrong."""
    length = int.from_bytes(file.bytes(0, 8, "the length of the header"), "little")
    if not 2 <= length <= min(MOST_HEADER, file.size - 8):
        raise ModelFileError(
            file.name, f"no safetensors file: its header would have {length:,} bytes, the file has {file.size:,}", 0
        )
    header = parse_json(file.bytes(8, length, "the header"), file.name, 8)
    if not isinstance(header, dict):
        raise ModelFileError(file.name, "the header is no JSON object", 8)
    data, spans, found = 8 + length, [], {}
    meta = header.pop("__metadata__", {})
    if not isinstance(meta, dict) or not all(isinstance(text, str) for text in meta.values()):
        raise ModelFileError(file.name, "the header's __metadata__ should be texts by name", 8)
    for name, entry in header.items():
        tensor, end = _entry(file, name, entry, data)
        spans.append((tensor.start, end, name))
        found[name] = tensor
    expected = data
    for start, end, name in sorted(spans):
        if start != expected:
            raise ModelFileError(
                file.name, f"{name} begins at byte {start:,}, where {expected:,} was expected", start
            )
        expected = end
    if expected != file.size:
        raise ModelFileError(
            file.name, f"the last tensor ends at byte {expected:,}, the file at {file.size:,}", expected
        )
    return found


def _entry(file: MappedFile, name: str, entry: object, data: int) -> tuple[StoredTensor, int]:
    def fail(why: str) -> ModelFileError:
        return ModelFileError(file.name, f"{name[:80]}: {why}", 8)

    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise fail("dtype, shape and data_offsets were expected, and nothing else")
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not _sizes(shape) or len(shape) > 4:
        raise fail(f"the shape is {str(shape)[:60]}; up to 4 whole numbers were expected")
    if not _sizes(offsets) or len(offsets) != 2 or offsets[0] > offsets[1]:
        raise fail(f"the place is {str(offsets)[:60]}; two whole numbers were expected")
    storage = storage_named(str(dtype))
    if storage is None or not storage.plain:
        if name.endswith((".attn.bias", ".attn.masked_bias")):  # masks that old GPT-2 files carry
            storage = storage_named("F32")
            assert storage is not None
            return StoredTensor(name, tuple(shape), storage, file, data + offsets[0]), data + offsets[1]
        raise fail(f"it is stored as {str(dtype)[:20]}, which can't be read (can: {READABLE})")
    tensor = StoredTensor(name, tuple(shape), storage, file, data + offsets[0])
    if tensor.size != offsets[1] - offsets[0]:
        raise fail(f"{offsets[1] - offsets[0]:,} bytes for {tensor.size:,} that its shape and {dtype} need")
    file.within(tensor.start, tensor.size, name)
    return tensor, data + offsets[1]


def _sizes(value: object) -> bool:
    return isinstance(value, list) and all(type(size) is int and 0 <= size < 1 << 62 for size in value)


def read_shards(folder: Path, index: Mapping[str, Any]) -> dict[str, StoredTensor]:
    """The tensors of all shards that an index lists. Raises ModelFileError, naming a shard that is missing."""
    where = index.get("weight_map")
    if not isinstance(where, dict) or not where or not all(isinstance(name, str) for name in where.values()):
        raise ModelFileError(INDEX, "weight_map should say for each tensor which file it is in", 0)
    found: dict[str, StoredTensor] = {}
    for shard in sorted(set(where.values())):
        if Path(shard).name != shard or not shard.endswith(".safetensors"):
            raise ModelFileError(INDEX, f"{shard[:60]!r} is no name of a shard in this folder", 0)
        if not (folder / shard).is_file():
            raise ModelFileError(INDEX, f"the shard {shard} is missing from the folder", 0)
        for name, tensor in read_safetensors(MappedFile(folder / shard)).items():
            if where.get(name) != shard:
                raise ModelFileError(shard, f"{name} is in this shard, but the index does not say so", 8)
            found[name] = tensor
    missing: Sequence[str] = sorted(set(where) - set(found))
    if missing:
        raise ModelFileError(where[missing[0]], f"{missing[0]} should be in this shard, but is not", 8)
    return found

"""A trained model on disk: its law, its tables (read when they are looked at), and its tokenizer's data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tui_attention.engine.errors import BadInput
from tui_attention.models.files import FloatArray, MappedFile, ModelFileError, refused_kind
from tui_attention.models.gguf import MAGIC, GGUFFile, read_gguf
from tui_attention.models.names import IGNORED, PREFIXES, Format, Slot, in_block, slots
from tui_attention.models.safetensors import INDEX, parse_json, read_safetensors, read_shards
from tui_attention.models.spec import ModelSpec
from tui_attention.models.spec_config import CONFIG, config_spec
from tui_attention.models.spec_gguf import gguf_spec
from tui_attention.models.weights import StoredTensor

if TYPE_CHECKING:
    from tui_attention.models.tokenizer import Tokenizer

SINGLE = "model.safetensors"
KNOWN = "a GGUF file, a safetensors file, or a folder with config.json and model.safetensors"


@dataclass(frozen=True, eq=False, slots=True)
class Weight:
    """One table of the law, [in, out], or a row [n]. Its numbers are read anew each time they are asked for."""

    slot: Slot
    stored: StoredTensor

    @property
    def shape(self) -> tuple[int, ...]:
        return self.slot.shape

    def numbers(self) -> FloatArray:
        """All of it in the law's order and shape, float32. Raises ModelFileError where one is not finite."""
        slot = self.slot
        if len(slot.shape) == 1:
            return self._unpaired(self.stored.whole()[slot.first : slot.first + slot.shape[0]])
        if slot.upright:
            whole = self.stored.whole()
            return np.ascontiguousarray(whole[:, slot.first : slot.first + slot.shape[1]]) if slot.packed else whole
        return self._unpaired(self.stored.rows(slot.first, slot.first + slot.shape[1])).T

    def rows(self, chosen: FloatArray) -> FloatArray:
        """Some rows of an upright table, [len(chosen), out]: an embedding is not read whole."""
        return np.concatenate([self.stored.rows(int(row), int(row) + 1) for row in chosen])

    def column(self, place: int) -> FloatArray:
        """One output's weights, [in]."""
        if self.slot.upright:
            numbers: FloatArray = self.numbers()[:, place]
            return numbers
        row = self.stored_row(place)
        column: FloatArray = self.stored.rows(row, row + 1)[0]
        return column

    def cell(self, index: tuple[int, ...]) -> float:
        """One number of it."""
        if len(index) == 1:
            return float(self.numbers()[index])
        row, column = index
        if self.slot.upright:
            return float(self.stored.rows(row, row + 1)[0, self.slot.first + column])
        return float(self.column(column)[row])

    def stored_row(self, place: int) -> int:
        """Where in the file the output `place` of the law stands."""
        slot = self.slot
        if not slot.pairs:
            return slot.first + place
        width = slot.shape[-1] // slot.pairs
        head, inside = divmod(place, width)
        half, pair = divmod(inside, width // 2)
        return slot.first + head * width + 2 * pair + half

    def _unpaired(self, rows: FloatArray) -> FloatArray:
        if not self.slot.pairs:
            return rows
        inside = rows.shape[1:]
        paired = rows.reshape(self.slot.pairs, -1, 2, *inside)
        return np.ascontiguousarray(paired.swapaxes(1, 2)).reshape(-1, *inside)


@dataclass(frozen=True, eq=False, slots=True)
class Checkpoint:
    """A model that can be walked through. `tables` has `E`, `g3`, ... and for block 3 `b3.Wq`, ..."""

    name: str
    path: Path
    spec: ModelSpec
    tables: Mapping[str, Weight]
    tokenizer: Tokenizer | None
    notes: tuple[str, ...] = ()

    def table(self, name: str, block: int | None = None) -> Weight | None:
        """A table by its name in the law; None where this model has none."""
        return self.tables.get(name if block is None else in_block(block, name))


def open_checkpoint(path: Path) -> Checkpoint:
    """Open a model: nothing is loaded but its head. Raises ModelFileError or BadInput in one sentence."""
    from tui_attention.models.tokens import gguf_tokenizer

    if path.is_dir():
        return _folder(path)
    if not path.exists():
        raise BadInput(f"{str(path)[:80]!r} is not there; {KNOWN} was expected")
    file = MappedFile(path)
    head = file.head(64)
    if head[:4] == MAGIC:
        gguf = read_gguf(file)
        spec = gguf_spec(gguf)
        tables = _tables(spec, "gguf", gguf.tensors, file.name)
        tokenizer, notes = gguf_tokenizer(gguf, spec.vocabulary)
        return Checkpoint(_title(gguf, path), path, spec, tables, tokenizer, notes)
    if why := refused_kind(head):
        raise ModelFileError(file.name, why, 0)
    if path.suffix != ".safetensors" and head[8:9] != b"{":
        raise ModelFileError(file.name, f"no model file by its first bytes; {KNOWN} was expected", 0)
    return _safetensors(path.parent, read_safetensors(file), path)


def _title(gguf: GGUFFile, path: Path) -> str:
    name = gguf.keys.get("general.name")
    return name if isinstance(name, str) and name.isprintable() and 0 < len(name) <= 60 else path.stem


def _folder(folder: Path) -> Checkpoint:
    if (folder / SINGLE).exists():
        file = MappedFile(folder / SINGLE)
        if why := refused_kind(file.head(64)):
            raise ModelFileError(file.name, why, 0)
        return _safetensors(folder, read_safetensors(file), folder)
    if (folder / INDEX).exists():
        index = MappedFile(folder / INDEX)
        values = parse_json(index.head(index.size), INDEX)
        if not isinstance(values, dict):
            raise ModelFileError(INDEX, "names and values in braces were expected", 0)
        return _safetensors(folder, read_shards(folder, values), folder)
    found = sorted([*folder.glob("*.gguf"), *folder.glob("*.safetensors")])
    if len(found) == 1:
        return open_checkpoint(found[0])
    pickles = sorted([*folder.glob("*.bin"), *folder.glob("*.pt"), *folder.glob("*.pth"), *folder.glob("*.ckpt")])
    if pickles and not found:
        why = "this is a pickle checkpoint, which could run code and is never opened; convert it to safetensors"
        raise ModelFileError(pickles[0].name, why, 0)
    many = f"it has {len(found)} model files; name one of them" if found else f"it has no {SINGLE}"
    raise BadInput(f"the folder {str(folder)[-80:]!r} can't be opened: {many}")


def _safetensors(folder: Path, tensors: Mapping[str, StoredTensor], path: Path) -> Checkpoint:
    from tui_attention.models.tokens import folder_tokenizer

    if not (folder / CONFIG).is_file():
        raise ModelFileError(
            CONFIG, f"missing beside the weights in {str(folder)[-60:]!r}; it says what model this is"
        )
    config = MappedFile(folder / CONFIG)
    spec = config_spec(parse_json(config.head(config.size), CONFIG))
    tables = _tables(spec, "safetensors", tensors, path.name)
    tokenizer, notes = folder_tokenizer(folder, spec.vocabulary, gpt2=spec.family == "gpt2")
    return Checkpoint(path.stem, path, spec, tables, tokenizer, notes)


def _tables(
    spec: ModelSpec, file_format: Format, tensors: Mapping[str, StoredTensor], file: str
) -> dict[str, Weight]:
    """Every table with its tensor. Raises ModelFileError for one that is missing, of another size, or strange."""
    prefix = PREFIXES[spec.family] if file_format == "safetensors" else ""
    by_name = {name.removeprefix(prefix): tensor for name, tensor in tensors.items()}
    found, used = {}, set()
    for slot in slots(spec, file_format):
        tensor = by_name.get(slot.tensor)
        if tensor is None:
            raise ModelFileError(file, f"{slot.tensor} is missing")
        if tensor.shape != slot.stored:
            has, wants = "x".join(map(str, tensor.shape)), "x".join(map(str, slot.stored))
            raise ModelFileError(
                tensor.file.name, f"{slot.tensor} is {has}, where {wants} was expected", tensor.start
            )
        found[slot.name] = Weight(slot, tensor)
        used.add(slot.tensor)
    for name, tensor in by_name.items():
        tied = spec.tied and name == "lm_head.weight"
        if name not in used and not tied and not name.endswith(IGNORED):
            raise ModelFileError(
                tensor.file.name, f"{name[:80]} is no part of a {spec.family} model as it is described", tensor.start
            )
    return found

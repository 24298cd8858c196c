"""A model at work: next tokens with kept rows, what each block made of the rows, heads and blocks switched off."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import RLock

import numpy as np
from numpy.typing import DTypeLike

from tui_attention.engine.errors import BadInput
from tui_attention.models.checkpoint import Checkpoint, Weight
from tui_attention.models.files import FloatArray
from tui_attention.models.law import Off, Past, Tables, Trace, block, final_norm
from tui_attention.models.memory import DEFAULT_MEGABYTES, MemoryBudget

_HEAD_ROWS = 4096  # of the output table at a time, where it does not fit into the budget
Progress = Callable[[int, int], None]
Changed = Mapping[str, Mapping[tuple[int, ...], float]]


@dataclass(frozen=True, slots=True)
class Switches:
    """What is off and adds nothing to its row: heads, as (block, head), and parts, as (block, attn or mlp)."""

    heads: frozenset[tuple[int, int]] = frozenset()
    parts: frozenset[tuple[int, str]] = frozenset()

    def of(self, number: int) -> Off:
        """The heads of one block that are off."""
        return frozenset(head for where, head in self.heads if where == number)

    def silent(self, number: int) -> frozenset[str]:
        """The parts of one block that are off."""
        return frozenset(part for where, part in self.parts if where == number)

    def first_other(self, other: Switches, blocks: int) -> int:
        """The first block in which the two differ; `blocks` where they are the same."""
        differ = (*(self.heads ^ other.heads), *(self.parts ^ other.parts))
        return min((block for block, _ in differ), default=blocks)


ALL_ON = Switches()


@dataclass(eq=False, slots=True)
class Rows:
    """The rows of a text as worked out so far. `outputs[0]` is the embedding, `outputs[b + 1]` block b's.

    They grow under `lock`, a block at a time: the screen and the work beside it may go on with the same rows.
    """

    ids: tuple[int, ...]
    switches: Switches
    outputs: list[FloatArray]
    past: list[Past] = field(default_factory=list)
    lock: RLock = field(default_factory=RLock)

    def begun(self, blocks: int, switches: Switches) -> Rows:
        """The same text under other switches, as far as the first `blocks` blocks, which these do not touch."""
        with self.lock:
            return Rows(self.ids, switches, self.outputs[: blocks + 1], self.past[:blocks])


class Model:
    """A checkpoint with what is kept of it in memory; a block's tables are read when first needed.

    Works in float32, or in `dtype` on the same weights. `changed` are weights that a person turned, by table.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        megabytes: float = DEFAULT_MEGABYTES,
        dtype: DTypeLike = np.float32,
        *,
        changed: Changed | None = None,
        memory: MemoryBudget | None = None,
    ) -> None:
        """`memory`: what is kept is kept there, beside other models of the same checkpoint."""
        self.checkpoint, self.spec, self.dtype = checkpoint, checkpoint.spec, np.dtype(dtype)
        self.memory = MemoryBudget(megabytes) if memory is None else memory
        self.changed: Changed = changed or {}
        turned = ((name, tuple(sorted(cells.items()))) for name, cells in self.changed.items())
        self.state = (self.dtype.str, tuple(sorted(turned)))

    # ------------------------------------------------------------ tables

    def tables(self, number: int | None = None) -> Tables:
        """The tables of one block, or those outside the blocks, as float32 by their name in the law."""

        def find(name: str) -> FloatArray | None:
            weight = self.checkpoint.table(name, number)
            if weight is None:
                return None
            return self.kept(weight)

        return find

    def kept(self, weight: Weight) -> FloatArray:
        """A table's numbers: as they are stored they are kept, in another precision made anew."""
        name = weight.slot.name
        stored: FloatArray = self.memory.get(("table", name), weight.numbers, lambda made: int(made.nbytes))
        changes = self.changed.get(name)
        numbers = stored.astype(self.dtype, copy=bool(changes))
        for index, value in (changes or {}).items():
            numbers[index] = value
        return np.asarray(numbers)

    def cell(self, weight: Weight, index: tuple[int, ...]) -> float:
        """One weight as it is stored; the table is not read for it."""
        stored = self.memory.find(("table", weight.slot.name))
        return float(weight.cell(index) if stored is None else stored[index])

    def embedded(self, ids: Sequence[int], first: int = 0) -> FloatArray:
        """The token rows, with the slot rows where the model has such, [T, D]. Raises BadInput for a strange id."""
        for token in ids:
            if not 0 <= token < self.spec.vocabulary:
                raise BadInput(f"there is no token {token}; 0 to {self.spec.vocabulary - 1} are legal")
        if first + len(ids) > self.spec.context:
            raise BadInput(f"{first + len(ids):,} tokens; this model has places for {self.spec.context:,}")
        kept = self.memory.find(("table", "E"))
        rows = kept[np.array(ids)] if kept is not None else self._table("E").rows(np.array(ids))
        rows = rows.astype(self.dtype, copy=False)
        for (row, column), value in self.changed.get("E", {}).items():
            rows[np.array(ids) == row, column] = value
        slots = self.checkpoint.table("P")
        if slots is None:
            return rows
        placed = slots.rows(np.arange(first, first + len(ids))).astype(self.dtype)
        for (row, column), value in self.changed.get("P", {}).items():
            if first <= row < first + len(ids):
                placed[row - first, column] = value
        both: FloatArray = rows + placed
        return both

    def _table(self, name: str) -> Weight:
        found = self.checkpoint.table(name)
        assert found is not None
        return found

    # ------------------------------------------------------------ rows

    def run(self, ids: Sequence[int], switches: Switches = ALL_ON, progress: Progress | None = None) -> Rows:
        """All blocks over a text. Raises BadInput for no token, a strange one, or too many for the model."""
        rows = self.begin(ids, switches)
        while self.advance(rows):
            if progress:
                progress(len(rows.past), self.spec.blocks)
        return rows

    def begin(self, ids: Sequence[int], switches: Switches = ALL_ON) -> Rows:
        """A text with its embedding alone. Raises BadInput as `run`."""
        if not ids:
            raise BadInput("an empty prompt gives no row to work on; at least one token was expected")
        return Rows(tuple(ids), switches, [self.embedded(ids)])

    def advance(self, rows: Rows) -> bool:
        """One block more, so that the work can be done in slices; False when all are done."""
        with rows.lock:
            number = len(rows.past)
            if number == self.spec.blocks:
                return False
            trace, past = self._block(number, rows.outputs[-1], 0, None, rows.switches)
            self._keep(rows, number, trace)
            rows.outputs.append(trace["x2"])
            rows.past.append(past)
            return True

    def rest(self, rows: Rows) -> Iterator[int]:
        """Advance to the end, a block at a time: the blocks that are done."""
        while self.advance(rows):
            yield len(rows.past)

    def extend(self, rows: Rows, ids: Sequence[int]) -> None:
        """More tokens behind: only their own rows are worked out, over the kept ones. Raises BadInput as `run`."""
        first = len(rows.ids)
        new = self.embedded(ids, first)
        rows.outputs[0] = np.concatenate([rows.outputs[0], new])
        for number in range(self.spec.blocks):
            trace, rows.past[number] = self._block(number, new, first, rows.past[number], rows.switches)
            new = trace["x2"]
            rows.outputs[number + 1] = np.concatenate([rows.outputs[number + 1], new])
        rows.ids = (*rows.ids, *ids)

    def trace(self, rows: Rows, number: int) -> Trace:
        """Every intermediate of one block, float32: kept where there is room, else made from the block's input."""
        key = self._key(rows, number)
        found: Trace = self.memory.get(
            key, lambda: self._block(number, rows.outputs[number], 0, None, rows.switches)[0], _size
        )
        return found

    def _keep(self, rows: Rows, number: int, trace: Trace) -> None:
        room = self.memory.limit - self.memory.used
        size = _size(trace)
        if size < room / 4:  # a trace is quick to make again, a table is not: traces take free room only
            self.memory.keep(self._key(rows, number), trace, size)

    def _key(self, rows: Rows, number: int) -> Hashable:
        return "trace", self.state, rows.ids, rows.switches, number

    def _block(
        self, number: int, x: FloatArray, first: int, past: Past | None, switches: Switches
    ) -> tuple[Trace, Past]:
        off, silent = switches.of(number), switches.silent(number)
        return block(self.spec, number, self.tables(number), x, first=first, past=past, off=off, silent=silent)

    # ------------------------------------------------------------ what comes out

    def normed(self, x: FloatArray) -> FloatArray:
        """Rows after the final norm, [..., D]."""
        return final_norm(self.spec, self.tables(), x)

    def logits(self, x: FloatArray) -> FloatArray:
        """Rows of any block, [n, D], through the final norm and the output table, [n, vocabulary]."""
        normed = self.normed(x)
        table = self._table("E" if self.spec.tied else "Wlm")
        key = ("table", table.slot.name)
        size = 4 * self.spec.vocabulary * self.spec.width
        plain = self.dtype == np.float32 and table.slot.name not in self.changed
        if plain and (self.memory.find(key) is not None or size <= self.memory.limit // 2):
            whole = self.kept(table)
            logits: FloatArray = normed @ (whole.T if self.spec.tied else whole)
            return logits
        out = np.empty((len(normed), self.spec.vocabulary), normed.dtype)
        for first in range(0, self.spec.vocabulary, _HEAD_ROWS):
            last = min(first + _HEAD_ROWS, self.spec.vocabulary)
            chunk = table.stored.rows(first, last).astype(self.dtype, copy=False)
            for (row, column), value in self.changed.get(table.slot.name, {}).items():
                token, place = (row, column) if self.spec.tied else (column, row)
                if first <= token < last:
                    chunk[token - first, place] = value
            out[:, first:last] = normed @ chunk.T
        return out

    def output_row(self, token: int) -> FloatArray:
        """What a token's logit is the product with: its row of the output table, [D], float64."""
        table = self._table("E" if self.spec.tied else "Wlm")
        row = table.stored.rows(token, token + 1)[0].astype(np.float64)
        for (a, b), value in self.changed.get(table.slot.name, {}).items():
            which, place = (a, b) if self.spec.tied else (b, a)
            if which == token:
                row[place] = value
        return np.asarray(row)

    def next_logits(self, rows: Rows) -> FloatArray:
        """The logits behind the last token, [vocabulary]."""
        found: FloatArray = self.logits(rows.outputs[-1][-1:])[0]
        return found

    def greedy(self, rows: Rows, count: int) -> Iterator[int]:
        """`count` more tokens, always the most probable one, also past an end token. The rows grow with all but
        the last.
        """
        for place in range(count):
            token = int(np.argmax(self.next_logits(rows)))
            yield token
            if place < count - 1:
                self.extend(rows, [token])


def _size(trace: Trace) -> int:
    return sum(int(values.nbytes) for values in trace.values())


def shares_of(logits: FloatArray) -> FloatArray:
    """Probabilities of logits along the last axis, float64."""
    wide = logits.astype(np.float64)
    wide -= wide.max(-1, keepdims=True)
    np.exp(wide, out=wide)
    shares: FloatArray = wide / wide.sum(-1, keepdims=True)
    return shares

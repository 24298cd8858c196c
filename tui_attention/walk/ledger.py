"""What a learner has paid for: the state of each cell and CHECK, for one set of inputs and dials."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from tui_attention.judge.hint_levels import WHOLE_LINE

State = Literal["open", "paid", "helped", "borrowed"]
Mark = Literal["had", "partly", "not yet"]

STATES: tuple[State, ...] = ("paid", "helped", "borrowed", "open")
BY_MARK: Mapping[Mark, State] = {"had": "paid", "partly": "helped", "not yet": "open"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One cell or CHECK: its state, the hints climbed, the last number typed, the slips named."""

    state: State = "open"
    hints: int = 0
    typed: str = ""
    kinds: tuple[str, ...] = ()

    @property
    def settled(self) -> bool:
        return self.state != "open"

    @property
    def worked(self) -> bool:
        """Whether the learner's own pencil made it, without the whole line being shown."""
        return self.state in ("paid", "helped") and self.hints < WHOLE_LINE


@dataclass(frozen=True, slots=True)
class Ledger:
    """An immutable ledger; every change gives another one.

    Keys are addresses of cells (`a[0,0]`) and ids of CHECKs (`check:flatten.2`). `opened` are the tensors that show
    as a whole, `seen` those seen through an open cover, `chosen` the cell that the program picked for a CHECK,
    `own` the learner's own numbers by address.
    """

    entries: Mapping[str, Entry] = field(default_factory=dict)
    opened: frozenset[str] = frozenset()
    seen: frozenset[str] = frozenset()
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    own: Mapping[str, float] = field(default_factory=dict)

    def entry(self, key: str) -> Entry:
        return self.entries.get(key, Entry())

    def with_entry(self, key: str, entry: Entry) -> Ledger:
        return replace(self, entries={**self.entries, key: entry})

    def with_opened(self, tensor: str) -> Ledger:
        return replace(self, opened=self.opened | {tensor})

    def with_seen(self, tensors: frozenset[str]) -> Ledger:
        return replace(self, seen=self.seen | tensors)

    def with_chosen(self, check: str, cells: tuple[str, ...]) -> Ledger:
        return replace(self, chosen={**self.chosen, check: cells})

    def with_own(self, key: str, value: float | None) -> Ledger:
        own = {address: number for address, number in self.own.items() if address != key}
        return replace(self, own=own if value is None else {**own, key: value})

    def kinds_met_twice(self) -> tuple[str, ...]:
        """The slip kinds that were named on two answers or more: only then is it a habit."""
        counts: dict[str, int] = {}
        for entry in self.entries.values():
            for kind in set(entry.kinds):
                counts[kind] = counts.get(kind, 0) + 1
        return tuple(kind for kind, count in counts.items() if count >= 2)

"""What a learner has paid for: the state of each cell and CHECK, for one set of inputs and dials."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from tui_attention.judge.hint_levels import WHOLE_LINE
from tui_attention.walk.refs import CellRef, CheckRef, Ref

State = Literal["open", "paid", "helped", "borrowed"]
Mark = Literal["had", "partly", "not yet"]

STATES: tuple[State, ...] = ("paid", "helped", "borrowed", "open")
BY_MARK: Mapping[Mark, State] = {"had": "paid", "partly": "helped", "not yet": "open"}


class Entry(NamedTuple):
    """One cell or CHECK: its state, the hints climbed, the last line typed, the slips named.

    `kinds` are the kinds of slip that were named, once for each answer. `seen`: it was right, but the number had been
    on screen before, so that it counts as paid with help.
    """

    state: State = "open"
    hints: int = 0
    typed: str = ""
    kinds: tuple[str, ...] = ()
    seen: bool = False

    @property
    def settled(self) -> bool:
        return self.state != "open"

    @property
    def recovered(self) -> bool:
        """Whether it was right without help after a slip had been named."""
        return self.state == "paid" and bool(self.kinds) and not self.hints

    @property
    def worked(self) -> bool:
        """Whether the learner's own pencil made it, without the whole line being shown."""
        return self.state in ("paid", "helped") and self.hints < WHOLE_LINE


class Tally(NamedTuple):
    """How many CHECKs are in each state: numbers, which are judged, apart from sentences, which learners mark.

    `recovered` are the numbers that were right without help after a slip of the learner's was named.
    """

    judged: Mapping[State, int]
    marked: Mapping[State, int]
    recovered: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """An immutable ledger; every change gives another one.

    `opened` are the tensors that show as a whole, `seen` those whose numbers were on screen while they were open,
    `chosen` the cells asked for a CHECK, in their order, `own` the learner's own numbers.
    """

    entries: Mapping[Ref, Entry] = field(default_factory=dict)
    opened: frozenset[str] = frozenset()
    seen: frozenset[str] = frozenset()
    chosen: Mapping[CheckRef, tuple[CellRef, ...]] = field(default_factory=dict)
    own: Mapping[CellRef, float] = field(default_factory=dict)

    def entry(self, ref: Ref) -> Entry:
        return self.entries.get(ref, _UNTOUCHED)

    @property
    def settled_cells(self) -> Iterator[CellRef]:
        """The cells that are paid, paid with help, or borrowed."""
        return (ref for ref, entry in self.entries.items() if entry.settled and isinstance(ref, CellRef))

    def with_entry(self, ref: Ref, entry: Entry) -> Ledger:
        return replace(self, entries={**self.entries, ref: entry})

    def with_opened(self, tensor: str) -> Ledger:
        return replace(self, opened=self.opened | {tensor})

    def with_seen(self, tensors: frozenset[str]) -> Ledger:
        return self if tensors <= self.seen else replace(self, seen=self.seen | tensors)

    def with_chosen(self, check: CheckRef, cells: tuple[CellRef, ...]) -> Ledger:
        return replace(self, chosen={**self.chosen, check: cells})

    def with_own(self, cell: CellRef, value: float) -> Ledger:
        return replace(self, own={**self.own, cell: value})

    def tally(self, judged: Iterable[Ref], marked: Iterable[Ref]) -> Tally:
        """How many of these are in each state; of all entries, how many were right after a slip."""
        recovered = sum(entry.recovered for entry in self.entries.values())
        one, other = (counted(self.entry(ref).state for ref in refs) for refs in (judged, marked))
        return Tally(one, other, recovered)

    def own_texts(self) -> dict[str, float]:
        """The learner's own numbers by full address, as the judge reads them."""
        return {str(ref): value for ref, value in self.own.items()}


def counted(states: Iterable[State]) -> dict[State, int]:
    """How many there are in each state."""
    found = tuple(states)
    return {state: found.count(state) for state in STATES}


_UNTOUCHED = Entry()

__all__ = ["BY_MARK", "STATES", "Entry", "Ledger", "Mark", "State", "Tally", "counted"]

"""A question made ready to be judged: what is accepted, and what its slips come to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from tui_attention.engine.decimals import rounded
from tui_attention.engine.errors import BadInput
from tui_attention.engine.graph import Graph, Working
from tui_attention.engine.working import Cell, Node, Op, Ref, Stated, evaluate, operands, rebuilt
from tui_attention.judge.number import Number
from tui_attention.judge.pencil import Pencils, Values, early
from tui_attention.judge.region import Region, certain, gives, region, same
from tui_attention.judge.rewrites import AppliedSlip
from tui_attention.judge.slips import slips

Own = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SlipGroup:
    """Slips of identical arithmetic. `values` are its numbers in all styles, `exact` that of the printed rows."""

    members: tuple[AppliedSlip, ...]
    values: Values
    exact: float

    @property
    def weight(self) -> float:
        return sum(made.weight for made in self.members)

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(made.kind for made in self.members))

    def distance(self, value: float) -> float:
        return min(abs(value - own) for own in self.values)


@dataclass(frozen=True, eq=False)
class Prepared:
    """A question that can be judged again and again. What is dear is worked out when first needed, and kept."""

    graph: Graph
    working: Working
    own: Own = field(default_factory=dict)
    says: Mapping[str, str] = field(default_factory=dict)
    shares: bool = False
    extra: tuple[AppliedSlip, ...] = ()

    def with_own(self, own: Own) -> Prepared:
        """The same question for another learner's numbers; what was worked out on the printed rows is kept."""
        other = replace(self, own=own)
        kept = {name: value for name, value in vars(self).items() if name in ("operands", "region", "groups")}
        vars(other).update(kept)
        return other

    @property
    def root(self) -> Node:
        return self.working.root if self.working.root is not None else Ref(self.working.cell)

    @property
    def asks(self) -> int:
        return self.working.asks

    @cached_property
    def operands(self) -> tuple[Cell, ...]:
        if isinstance(self.root, Stated):
            return tuple(arg.cell for arg in self.root.args if isinstance(arg, Ref))
        return operands(self.root)

    @cached_property
    def region(self) -> Region:
        """What is accepted on the printed rows."""
        if self.working.kind == "computed":
            return region(self.root, self.asks)
        return certain(evaluate(self.root), self.asks)

    @cached_property
    def own_cells(self) -> tuple[Cell, ...]:
        """The operands that the learner has another number for. A zero is never carried on."""
        wanted = self.own_root
        return tuple(
            cell
            for cell in operands(wanted)
            if cell.address in self.own and not _prints_alike(cell, self.own[cell.address])
        )

    @cached_property
    def own_root(self) -> Node:
        """The working, stopped at the inner results that the learner has a number of their own for."""
        root = self.root
        inner = {step.name for step in self.graph.program.steps if step.inner} - {self.working.cell.tensor}
        for address in self.own if isinstance(root, Op) else ():
            if address.partition("[")[0] not in inner:
                continue
            try:
                inside = self.graph.working(*self.graph.locate(address))
            except BadInput:
                continue
            if inside.root is not None:
                root = _stopped(root, inside)
        return root

    @cached_property
    def own_region(self) -> Region | None:
        """What is accepted on the learner's own rows; None when no operand of this cell is theirs."""
        if self.working.kind != "computed" or not self.own_cells:
            return None
        own = {cell.address: self.own[cell.address] for cell in self.own_cells}
        return region(self.own_root, self.asks, own)

    @cached_property
    def groups(self) -> tuple[SlipGroup, ...]:
        """The slips, identical arithmetic merged; those that come to no number are left out."""
        pencils = Pencils(self.root, self.asks)
        found: dict[tuple[float, ...], list[AppliedSlip]] = {}
        values: dict[tuple[float, ...], dict[float, None]] = {}
        right = _fingerprint(pencils.values(self.root))
        for made in (*self.extra, *slips(self.graph, self.working)):
            worked = pencils.values(made.root)
            if not math.isfinite(worked[0]) or not math.isfinite(worked[1]):
                continue
            key = _fingerprint(worked)
            if key == right:  # the same arithmetic in other clothes: no slip at all
                continue
            found.setdefault(key, []).append(made)
            values.setdefault(key, {}).update(dict.fromkeys(worked))
        return tuple(SlipGroup(tuple(found[key]), tuple(values[key]), key[1]) for key in found)

    def visible(self, group: SlipGroup) -> bool:
        """Whether the slip's number can be told from an accepted one."""
        region, value = self.region, rounded(group.exact, self.asks)
        if region.exact:
            return not same(value, region.printed)
        return not (region.by_style(value) or region.by_noise(Number(value, self.asks, "")))

    def matching(self, number: Number) -> tuple[SlipGroup, ...]:
        """The slips that print the typed number, the most usual first, then the nearest."""
        hits = [group for group in self.groups if any(self._gives(v, number) for v in group.values)]
        return tuple(sorted(hits, key=lambda group: (-group.weight, group.distance(number.value))))

    def _gives(self, value: float, number: Number) -> bool:
        return gives(value, number, self.asks, exact=self.region.exact)

    def too_early(self, number: Number) -> bool:
        """Whether one decimal too few in the steps between leads to this number."""
        if self.working.kind != "computed" or self.region.exact:
            return False
        return any(gives(evaluate(self.root, style), number, self.asks) for style in early(self.asks))


def _fingerprint(worked: Values) -> tuple[float, ...]:
    """Tells arithmetic apart: the machine's number, and exact arithmetic on printed rows."""
    return tuple(round(value, 9) + 0.0 for value in worked[:2])


def prepare(
    graph: Graph,
    working: Working,
    *,
    own: Own | None = None,
    says: Mapping[str, str] | None = None,
    shares: bool | None = None,
    extra: tuple[AppliedSlip, ...] = (),
) -> Prepared:
    """Make a question ready: its accepted region and its slips are worked out here, not at the first answer.

    `own` are the learner's numbers by full address, accepted ones and kept ones. `says` are the lesson's own
    sentences by kind of slip, filled in, `extra` its own slips. `shares` allows a percent sign; None looks at how the
    cell is made.
    """
    allowed = is_share(graph, working) if shares is None else shares
    question = Prepared(graph, working, own or {}, says or {}, allowed, extra)
    _ = question.region, question.own_region, question.groups
    return question


def is_share(graph: Graph, working: Working) -> bool:
    """Whether the cell is a share or a chance: a part of a whole, which some people type in percent."""
    if working.cell.tensor in graph.program.by_name:
        return _shared(graph, working.cell.tensor)
    root = working.root
    if isinstance(root, Op) and root.kind in ("+", "-", "sum"):
        cells = operands(root)
        return bool(cells) and all(_shared(graph, cell.tensor) for cell in cells)
    return False


def _shared(graph: Graph, name: str) -> bool:
    if name not in graph.program.by_name:
        return False
    made = graph.traced(name)
    if made.role == "total":
        return bool(made.args[0].name) and _shared(graph, made.args[0].name)
    top = made.args[0].role if made.op == "/" and made.args else ""
    return made.role == "shares" or top == "exponential"


def _prints_alike(cell: Cell, value: float) -> bool:
    """Whether a learner's number is the printed one, or no number to go on with: a zero stands for a blank."""
    return value == 0 or same(value, cell.value if cell.prints is None else rounded(cell.value, cell.prints))


def _stopped(root: Node, inside: Working) -> Node:
    """The working with an inner result's own working taken out, the result standing there as a number."""
    return rebuilt(root, lambda node: Ref(inside.cell) if node == inside.root else None)

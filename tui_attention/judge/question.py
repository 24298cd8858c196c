"""A question made ready to be judged: what is accepted, and what its slips come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

from tui_attention.engine.decimals import rounded
from tui_attention.engine.errors import BadInput
from tui_attention.engine.graph import Graph, Working
from tui_attention.engine.working import Cell, Node, Op, Ref, Stated, evaluate, is_endless, operands, rebuilt, walk
from tui_attention.judge.applied import AppliedSlip
from tui_attention.judge.groups import SlipGroup, grouped
from tui_attention.judge.likelihood import Likelihood
from tui_attention.judge.naming import names_on_screen, short
from tui_attention.judge.number import Number
from tui_attention.judge.pencil import early
from tui_attention.judge.region import Region, certain, gives, region, same, within
from tui_attention.judge.slips import slips

Own = Mapping[str, float]
_OF_PRINTED = frozenset(("operands", "region", "made", "groups", "likely", "names"))


@dataclass(frozen=True, eq=False)
class Prepared:
    """A question that can be judged again and again. What is dear is worked out when first needed, and kept."""

    graph: Graph
    working: Working
    own: Own = field(default_factory=dict)
    says: Mapping[str, str] = field(default_factory=dict)
    shares: bool = False
    extra: tuple[AppliedSlip, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict)
    shown: Callable[[Cell], bool] | None = None
    reads_own: bool = False

    def on_own_rows(self) -> Prepared:
        """The same question, spoken of with the learner's own numbers."""
        other = replace(self, reads_own=True)
        vars(other).update({name: value for name, value in vars(self).items() if name != "reads_own"})
        return other

    def printed(self, cell: Cell) -> str:
        """The number of an operand as it is spoken of."""
        return cell.printed if not self.reads_own or cell.address not in self.own else self.own_text(cell)

    def own_text(self, cell: Cell) -> str:
        """The learner's own number of an operand, with the decimals that are asked there, or all its own if more."""
        value = self.own[cell.address]
        text = f"{value:.{self._asked_of(cell)}f}"
        return text if same(float(text), value) else f"{value:g}"

    def _asked_of(self, cell: Cell) -> int:
        return self.graph.working(cell.tensor, cell.index).asks

    @cached_property
    def astray(self) -> bool:
        """Whether an own number stands on screen in the place of the printed one: it is no rounding of it."""
        return any(
            abs(self.own[cell.address] - cell.value) >= 1.5 * 10.0 ** -self._asked_of(cell) for cell in self.own_cells
        )

    def with_own(self, own: Own, called: Mapping[str, str] | None = None) -> Prepared:
        """The same question for another learner's numbers; what was worked out on the printed rows is kept.

        `called` are the names by full address under which the learner gave them.
        """
        other = replace(self, own=own, called=called or {})
        kept = {name: value for name, value in vars(self).items() if name in _OF_PRINTED}
        vars(other).update(kept)
        return other

    @cached_property
    def names(self) -> Mapping[str, str]:
        """What the cells of views are called on screen, by full address."""
        return names_on_screen(self.graph, self.working)

    def name(self, cell: Cell) -> str:
        """What a cell is called where it is spoken of; by the learner's own name where they gave one."""
        where = cell.address
        return self.called.get(where) or self.names.get(where) or short(self.graph, cell)

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
    def operand_set(self) -> frozenset[Cell]:
        return frozenset(self.operands)

    @cached_property
    def region(self) -> Region:
        """What is accepted on the printed rows."""
        if self.working.kind == "computed":
            return region(self.root, self.asks, more=self._ways)
        return certain(evaluate(self.root), self.asks)

    @cached_property
    def _ways(self) -> tuple[Node, ...]:
        """A running total goes on from the total before it, as it is printed."""
        name, index = self.working.cell.tensor, self.working.cell.index
        root = self.root
        if name not in self.graph.program.by_name or not index or index[-1] < 1 or not isinstance(root, Op):
            return ()
        before = self.graph.working(name, (*index[:-1], index[-1] - 1))
        running = self.graph.traced(name).role == "total" and root.kind == "sum"
        if running and operands(before.root or root) == operands(root)[:-1]:
            # Worked anew, since the total itself may be covered.
            total = replace(before.cell, value=evaluate(before.root or root))
            return (Op("+", (Ref(total), root.args[-1])),)
        return ()

    @cached_property
    def own_cells(self) -> tuple[Cell, ...]:
        """The operands that the learner has another number for."""
        found = dict.fromkeys(cell for way in (self.own_root, *self._ways) for cell in operands(way))
        return tuple(
            cell for cell in found if cell.address in self.own and not _prints_alike(cell, self.own[cell.address])
        )

    @cached_property
    def own_root(self) -> Node:
        """The working, stopped at the inner results that the learner has a number of their own for."""
        return self._stopped(self.root)

    @cached_property
    def _own_inner(self) -> tuple[Working, ...]:
        """The inner results that the learner has a number of their own for."""
        inner = {step.name for step in self.graph.program.steps if step.inner} - {self.working.cell.tensor}
        found = []
        for address in self.own:
            if address.partition("[")[0] in inner:
                with suppress(BadInput):
                    found.append(self.graph.working(*self.graph.locate(address)))
        return tuple(found)

    def _stopped(self, root: Node) -> Node:
        """A working in which such results stand as numbers."""
        for inside in self._own_inner if isinstance(root, Op) else ():
            if inside.root is not None:
                root = _stopped(root, inside)
        return root

    @cached_property
    def own_region(self) -> Region | None:
        """What is accepted on the learner's own rows; None when no operand of this cell is theirs."""
        return self._own_region(self.own_root)

    @cached_property
    def own_regions(self) -> tuple[Region, ...]:
        """The same, and what is accepted going on from an own total."""
        found = (self.own_region, *(self._own_region(way) for way in self._ways))
        return tuple(region for region in found if region is not None)

    def _own_region(self, root: Node) -> Region | None:
        reads = {cell.address for cell in operands(root)} if self.working.kind == "computed" else set()
        own = {cell.address: self.own[cell.address] for cell in self.own_cells if cell.address in reads}
        return region(root, self.asks, own) if own else None

    @cached_property
    def made(self) -> tuple[AppliedSlip, ...]:
        """Every slip that the working can have; none that goes through a cell which is covered and no operand.

        In a working that no pencil goes through, none is looked for.
        """
        made = self.extra if is_endless(self.root) else (*self.extra, *slips(self.graph, self.working))
        if self.shown is None:
            return made
        shown = dict.fromkeys(self.operands, True)
        for cell in (cell for slip in made for cell in _read(slip.root)):
            if cell not in shown:
                shown[cell] = self.shown(cell)
        return tuple(slip for slip in made if all(shown[cell] for cell in _read(slip.root)))

    @cached_property
    def groups(self) -> tuple[SlipGroup, ...]:
        """The slips on the printed rows, identical arithmetic merged."""
        return grouped(self.made, self.root, self.asks)

    @cached_property
    def likely(self) -> Likelihood:
        return Likelihood(self.groups, self.region)

    @cached_property
    def own_likely(self) -> Likelihood | None:
        """The slips on the learner's own rows; None when no operand of this cell is theirs."""
        if self.own_region is None:
            return None
        own = {cell.address: self.own[cell.address] for cell in self.own_cells}
        return Likelihood(grouped(self.made, self.own_root, self.asks, own, adapt=self._stopped), self.own_region)

    def visible(self, group: SlipGroup) -> bool:
        """Whether the slip's number can be told from an accepted one."""
        region, value = self.region, rounded(group.exact, self.asks)
        if region.exact:
            return not same(value, region.printed)
        return not (region.by_style(value) or region.by_noise(Number(value, self.asks, "")))

    def invented(self, number: Number) -> bool:
        """Whether a number that ends by itself was given further digits, as if it had been rounded."""
        region, decimals = self.region, number.decimals or 0
        near = within(number.value, region.full, region.full, 10.0**-self.asks)
        return region.finished and decimals > self.asks and near

    def too_early(self, number: Number) -> bool:
        """Whether one decimal too few in the steps between leads to this number."""
        if self.working.kind != "computed" or self.region.exact or self.invented(number):
            return False
        return any(gives(evaluate(self.root, style), number, self.asks) for style in early(self.asks))


def prepare(
    graph: Graph,
    working: Working,
    *,
    own: Own | None = None,
    says: Mapping[str, str] | None = None,
    shares: bool | None = None,
    extra: tuple[AppliedSlip, ...] = (),
    shown: Callable[[Cell], bool] | None = None,
) -> Prepared:
    """Make a question ready: its accepted region and its slips are worked out here, not at the first answer.

    `own` are the learner's numbers by full address, accepted ones and kept ones. `says` are the lesson's own
    sentences by kind of slip, filled in, `extra` its own slips. `shown` tells which cells are not covered; None: all.
    `shares` allows a percent sign; None looks at how the
    cell is made.
    """
    allowed = is_share(graph, working) if shares is None else shares
    question = Prepared(graph, working, own or {}, says or {}, allowed, extra, shown=shown)
    _ = question.region, question.likely
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
    """Whether a learner's number is the printed one."""
    return same(value, cell.value if cell.prints is None else rounded(cell.value, cell.prints))


def _read(root: Node) -> Iterator[Cell]:
    """The cells that a slip's working reads."""
    return (part.cell for part in walk(root) if isinstance(part, Ref))


def _stopped(root: Node, inside: Working) -> Node:
    """The working with an inner result's own working taken out, the result standing there as a number."""
    return rebuilt(root, lambda node: Ref(inside.cell) if node == inside.root else None)

"""Short names for building workings, and how an operation's operands are related: what slips are written with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tui_attention.engine import formula
from tui_attention.engine.arrays import broadcast
from tui_attention.engine.formula import Expr
from tui_attention.engine.operation import Role, Site, TracedArray
from tui_attention.engine.tensor import Index
from tui_attention.engine.working import Const, Masked, Node, Op, OpKind, number

Row = tuple[Node, ...]
Places = Callable[[int, int], Iterator[int]]


def op(kind: OpKind, *args: Node) -> Node:
    """An operation without a site: it is not the lesson's."""
    return Op(kind, args)


def added(parts: Row) -> Node:
    """The sum of a row; a single number is its own sum."""
    return parts[0] if len(parts) == 1 else Op("sum", parts)


def dot(left: Row, right: Row) -> Node:
    """Pairs multiplied and added; what is left over on the longer side has no partner."""
    return added(tuple(Op("*", pair) for pair in zip(left, right, strict=False)))


def over(top: Node, bottom: Node) -> Node:
    """A quotient."""
    return Op("/", (top, bottom))


def exps(row: Row) -> Row:
    """exp of each number."""
    return tuple(Op("exp", (node,)) for node in row)


def seen(row: Row) -> Row:
    """The row without its masked places."""
    return tuple(node for node in row if not isinstance(node, Masked))


def cells(arg: TracedArray, lead: Index) -> Row:
    """The last axis of `arg` at `lead`."""
    return tuple(arg.at((*lead, place)) for place in range(arg.shape[-1]))


def beside(place: int, size: int) -> Iterator[int]:
    """The places one before and one after, where there are such."""
    yield from (other for other in (place - 1, place + 1) if 0 <= other < size)


def others(place: int, size: int) -> Iterator[int]:
    """Every other place, the nearest first."""
    yield from sorted((other for other in range(size) if other != place), key=lambda other: abs(other - place))


def further(place: int, size: int) -> Iterator[int]:
    """Every other place but those beside it, the nearest first."""
    yield from (other for other in others(place, size) if abs(other - place) > 1)


def read(site: Site, side: int, index: Index | None = None, other: TracedArray | None = None) -> Node:
    """An operand of an element by element result, at its cell or another; or another array in the operand's place."""
    met = broadcast(site.args[0], site.args[1])
    return (other or site.args[side]).at(met.read(side, site.index if index is None else index))


def stretched(shape: tuple[int, ...], index: Index) -> Index:
    """Where leading axes of `shape` are read for the result's `index`, as numpy stretches them."""
    return tuple(
        0 if size == 1 else place for size, place in zip(shape, index[len(index) - len(shape) :], strict=True)
    )


def moved(index: Index, place: int) -> Index:
    """The index with another last place."""
    return (*index[:-1], place)


def each(make: Callable[[Node], Node]) -> Callable[[Site], Iterator[Node]]:
    """Something else made of the one operand of an operation that works number by number."""

    def build(site: Site) -> Iterator[Node]:
        yield make(site.args[0].at(site.index))

    return build


def around(make: Callable[[Node], Node]) -> Callable[[Site], Iterator[Node]]:
    """The same operation on the places before and after."""

    def build(site: Site) -> Iterator[Node]:
        for place in beside(site.index[-1], site.args[0].shape[-1]) if site.index else ():
            yield make(site.args[0].at(moved(site.index, place)))

    return build


# ---------------------------------------------------------------- relations


def is_table(arg: TracedArray) -> bool:
    """Whether it is a table of dials, or several packed side by side."""
    return arg.role == "pack" or (bool(arg.name) and not arg.view and not arg.op and len(arg.shape) > 1)


def unmasked(arg: TracedArray) -> TracedArray:
    """The scores as they were before a mask was laid over them."""
    return arg.args[0] if arg.role == "mask" else arg


def root_width(divisor: TracedArray) -> Node | None:
    """The width whose root divides, when `divisor` is the root of one number."""
    if divisor.role != "root" or divisor.shape or not divisor.args:
        return None
    return divisor.args[0].at(())


def full_width(product: TracedArray) -> tuple[int, int]:
    """Of a product of queries and keys: the width before any split into heads, and how many heads there are."""
    if product.role != "projection" or not product.args:
        return 0, 0
    left = product.args[0]
    if left.role == "split":
        return left.args[0].shape[-1], left.shape[0]
    return (left.args[0].shape[-1] if left.role == "projection" else 0), 0


def head_width(site: Site) -> Const | None:
    """The constant whose root some step of the lesson divides by."""
    for expr in site.steps().values():
        for part in formula.walk(expr, indices=False):
            root = isinstance(part, formula.Call) and site.role(part) == "root"
            if root and isinstance(part, formula.Call) and isinstance(part.args[0], formula.Name):
                found = site.find(part.args[0].name)
                if found is not None and not found.shape:
                    return number(found.scalar())
    return None


def callers(site: Site, role: Role, first: str) -> Iterator[TracedArray]:
    """The tensors whose formula is an operation of that role on the tensor `first`."""
    for name, expr in site.steps().items():
        match expr:
            case formula.Call(args=(formula.Name(name=operand), *_)) if site.role(expr) == role and operand == first:
                found = site.find(name)
                if found is not None:
                    yield found


def spelled_out(expr: Expr, steps: Mapping[str, Expr]) -> Expr:
    """The formula with every named step replaced by its own formula, down to tables, constants and inputs."""
    return formula.mapped(expr, lambda name: spelled_out(steps[name.name], steps) if name.name in steps else name)


def other_text(name: str, steps: Mapping[str, Expr], inputs: tuple[str, str] = ("prompt", "other")) -> str | None:
    """The tensor that is made as `name` is, but from the other text; None where the lesson has none."""
    if name not in steps or not any(inputs[1] in formula.names(expr) for expr in steps.values()):
        return None
    own = spelled_out(formula.Name(name, 0), steps)
    wanted = formula.spell(formula.rename(own, dict(zip(inputs, reversed(inputs), strict=True))))
    if wanted == formula.spell(own):
        return None
    for step, expr in steps.items():
        alike = type(expr) is type(steps[name]) and getattr(expr, "op", "") == getattr(steps[name], "op", "")
        if alike and formula.spell(spelled_out(expr, steps)) == wanted:
            return step
    return None


@dataclass(frozen=True, slots=True)
class Product:
    """A site of `@`: its left rows and right columns, whichever leading axes they have."""

    left: TracedArray
    right: TracedArray
    head: Index
    row: int | None
    column: int | None

    @classmethod
    def of(cls, site: Site) -> Product:
        """The product that a site is the result of."""
        left, right = site.args
        index = list(site.index)
        column = index.pop() if len(right.shape) > 1 else None
        row = index.pop() if len(left.shape) > 1 else None
        return cls(left, right, tuple(index), row, column)

    def lefts(self, row: int | None = None, head: Index | None = None) -> Row:
        """A left row: this cell's own, or that of another place."""
        lead = stretched(self.left.shape[:-2], self.head if head is None else head)
        place = self.row if row is None else row
        return cells(self.left, lead if place is None else (*lead, place))

    def rights(self, column: int | None = None, head: Index | None = None) -> Row:
        """A right column, from its top."""
        place = self.column if column is None else column
        if place is None:
            return cells(self.right, ())
        lead = stretched(self.right.shape[:-2], self.head if head is None else head)
        return tuple(self.right.at((*lead, k, place)) for k in range(self.right.shape[-2]))

    @property
    def columns(self) -> int:
        return self.right.shape[-1] if self.column is not None else 1

    @property
    def rows(self) -> int:
        return self.left.shape[-2] if self.row is not None else 1

    def heads(self) -> Iterator[Index]:
        """The other heads: indices of the leading axis."""
        if len(self.head) == 1:
            size = max(self.left.shape[0] if len(self.left.shape) > 2 else 1, self.right.shape[0])
            yield from ((other,) for other in others(self.head[0], size))

"""Lazy evaluation of a program: tensors, the working of every cell, and what depends on what.

A graph never changes: what it has computed is added once and stays. Turning a dial or changing an input gives
another graph that shares every result that the change does not reach.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from tui_attention.engine import formula
from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.engine.evaluate import MOST_COST, Evaluation
from tui_attention.engine.formula import Expr
from tui_attention.engine.operation import TracedArray, constant
from tui_attention.engine.ops import split
from tui_attention.engine.program import Inputs, Program
from tui_attention.engine.refs import CellRef, CheckRef
from tui_attention.engine.tensor import (
    Address,
    Array,
    Axis,
    Decimals,
    Index,
    Origin,
    Tensor,
    address,
    parse_address,
    resolve,
)
from tui_attention.engine.working import Cell, Const, Masked, Node, Op, Ref, Stated

Kind = Literal["dial", "computed", "masked", "choice", "stated", "measured"]
LARGEST_DIAL = 1000.0
"""The size of a dial that is turned, at most: further out exp overflows and nothing is left to learn."""
Turned = Mapping[tuple[str, Index], tuple[float, int]]


class Working(NamedTuple):
    """Where one number comes from. `root` is None for a dial; `says` is the sentence of what has no pencil.

    `check` is the CHECK that asks for a formula: its `cell` is no cell of any tensor, and has no name. `names` are
    those that its formula is written in.
    """

    cell: Cell
    kind: Kind
    root: Node | None
    asks: int
    says: str = ""
    check: CheckRef | None = None
    names: frozenset[str] = frozenset()

    @property
    def ref(self) -> CellRef | CheckRef:
        """Whose working this is."""
        return self.check or CellRef(self.cell.tensor, self.cell.index)

    @property
    def askable(self) -> bool:
        """Whether the cell can be asked: it is computed by pencil, or read off as a choice."""
        return self.kind in ("computed", "choice")


class Graph:
    """All tensors of a program for one set of inputs and dials, computed when first asked for.

    Any thread may ask: what two of them compute at once is kept once, and both get the same.
    """

    most_kept = 2000
    """Workings that are kept, once they were asked for."""

    def __init__(
        self,
        program: Program,
        inputs: Inputs | None = None,
        turned: Turned | None = None,
        made: Mapping[str, TracedArray] | None = None,
    ) -> None:
        """Raises BadInput when the prompt cannot be split into marks of the vocabulary."""
        self.program = program
        self.inputs = inputs or program.inputs
        self.turned: Turned = dict(turned or {})
        self._made: dict[str, TracedArray] = dict(made or {})
        self._tensors: dict[str, Tensor] = {}
        self._costs: dict[int, float] = {}
        self._reads: dict[str, frozenset[str]] | None = None
        self._workings: dict[tuple[str, Index], Working] = {}
        self.tables: dict[object, object] = {}
        """What is worked out for whole tensors by those above: computed once, never changed, shared like the rest."""
        self.twins: Mapping[str, str] = {
            formula.spell(step.expr): step.name for step in program.steps if not step.inner
        }
        prompt = self.inputs.prompt if program.inputs.prompt else None  # "" is no prompt, but for a lesson without
        for text in (prompt, self.inputs.other):
            if text is not None:
                split(program.vocabulary, text)

    # ------------------------------------------------------------ names

    @property
    def own(self) -> bool:
        """Whether prompt, ticket, dials and tables are the lesson's own."""
        program = self.program
        return self.inputs == program.inputs and not (self.turned or program.switched or program.variant)

    def names(self) -> tuple[str, ...]:
        """Every tensor: dial tables, constants, then the results of the steps in their order."""
        fixed = (*self.program.tables, *self.program.constants)
        return (*fixed, *(step.name for step in self.program.steps))

    def find(self, name: str) -> TracedArray | None:
        return self.traced(name) if name in self.names() else None

    # ------------------------------------------------------------ tensors

    def tensor(self, name: str) -> Tensor:
        """The tensor called `name`. Raises BadInput when there is none."""
        known = self._tensors.get(name)
        return self._tensors.setdefault(name, self._tensor(name)) if known is None else known

    def _tensor(self, name: str) -> Tensor:
        program = self.program
        if name in program.tables:
            table = program.tables[name]
            values = self.traced(name).values
            return Tensor(
                name,
                values,
                table.axes,
                table.prints,
                table.prints if table.asks is None else table.asks,
                "dial",
                table.title,
                table.standard,
                table.continued_from,
            )
        if name in program.constants or name in program.facts:
            constants = name in program.constants
            value = program.constants[name] if constants else program.facts[name]
            origin: Origin = "constant" if constants else "fact"
            decimals = 0 if value == int(value) else _decimals_of(value)
            return Tensor(name, _frozen(np.asarray(float(value))), (), decimals, decimals, origin)
        if name not in program.by_name:
            raise BadInput(f"this lesson has no tensor {name[:40]!r}; its tensors are: {' '.join(self.names())}")
        traced, setting = self.traced(name), program.settings.get(name)
        truth, whole = traced.values.dtype == np.bool_, np.issubdtype(traced.values.dtype, np.integer)
        prints: Decimals = None if truth else 0 if whole else self._inherited_prints(traced)
        if setting and not truth:
            prints = setting.prints if setting.prints is not None else prints
        # Decimals that the lesson asks for by default belong to numbers that have as many.
        asks = prints if program.asks is None or not isinstance(prints, int) else min(program.asks, prints)
        if setting and not truth and setting.asks is not None:
            asks = setting.asks
        for given in (prints, asks):
            if isinstance(given, tuple) and len(given) != (traced.shape[-1] if traced.shape else 1):
                last = traced.shape[-1] if traced.shape else 1
                raise LessonError(f"[tensors.{name}]: decimals for {last} columns were expected, not {len(given)}")
        inner = program.by_name[name].inner
        return Tensor(
            name,
            traced.values,
            traced.axes,
            prints,
            asks,
            "inner" if inner else "step",
            setting.title if setting else "",
            setting.standard if setting else "",
        )

    def _inherited_prints(self, traced: TracedArray) -> int:
        """A view prints as its source does, where all its cells come from tensors that print alike."""
        if traced.view and traced.values.size:
            sources = [
                traced.at((0,) * len(traced.shape)),
                traced.at(tuple(size - 1 for size in traced.shape)),
            ]
            found = {node.cell.prints for node in sources if isinstance(node, Ref)}
            if len(found) == 1 and (prints := found.pop()) is not None:
                return prints
        return self.program.prints

    # ------------------------------------------------------------ evaluation

    def pending(self, name: str) -> int:
        """How many slices of work a tensor still needs before it can be asked for without waiting; here none."""
        return 0

    def prepare(self) -> None:
        """Do one slice of that work."""

    def outline(self) -> Mapping[str, tuple[str, ...]]:
        """Short texts on what happened in each block, by its id, as far as they are known; here none."""
        return {}

    def prepare_outline(self) -> bool:
        """Do one slice of the work for the outline; False when there is none left."""
        return False

    def traced(self, name: str) -> TracedArray:
        """The named result with the workings of its cells. Raises BadInput for an unknown name."""
        if name not in self._made:
            # What it reads is made first, in order, so that a long chain of steps needs no deep recursion.
            needed = self.reads(name)
            for step in self.program.steps[: max(self.program.order(name), 0)] if needed else ():
                if step.name in needed and step.name not in self._made:
                    self._made.setdefault(step.name, self._make(step.name))
            return self._made.setdefault(name, self._make(name))
        return self._made[name]

    def _make(self, name: str) -> TracedArray:
        program = self.program
        if name in program.tables:
            return self._dials(name)
        if name in program.constants:
            return replace(constant(program.constants[name]), name=name)
        if name in program.facts:
            return replace(constant(program.facts[name]), name=name)
        if name == "ticket" and self.inputs.ticket is not None:
            return replace(constant(self.inputs.ticket, self.inputs.ticket_text()), name=name)
        step = program.by_name.get(name)
        if step is None:
            raise BadInput(f"this lesson has no tensor {name[:40]!r}; its tensors are: {' '.join(self.names())}")
        try:
            result = self.evaluate(step.expr, before=program.order(name))
        except LessonError as error:
            raise error.at(step.file or program.file, step.line, error.column + step.before) from None
        result = self._made.setdefault(_defined(name), self._overridden(name, result))
        setting = program.settings.get(name)
        axes = result.axes
        if setting and setting.axes:
            if len(setting.axes) != len(axes):
                raise LessonError(
                    f"{name} has {len(axes)} axes ({', '.join(axis.name for axis in axes)}), and [tensors.{name}] "
                    f"names {len(setting.axes)} of them; all were expected, or no 'axes'",
                    file=step.file or program.file,
                    line=step.line,
                    column=1,
                )
            axes = tuple(Axis(new, axis.labels) for new, axis in zip(setting.axes, axes, strict=True))
        whole = result.values.dtype != np.float64
        values = _frozen(result.values if whole or result.view else result.values + 0.0)
        named = replace(result, values=values, axes=axes, name=name, text=step.text)
        return named if result.view or step.inner else replace(named, at=self._cells(name), nodes=1, levels=1)

    def _overridden(self, name: str, result: TracedArray) -> TracedArray:
        """A mask with the cells that the person set by hand."""
        by_hand = {index: value for (which, index), (value, _) in self.turned.items() if which == name}
        by_hand = {index: value for index, value in by_hand.items() if _fits(index, result.shape)}
        if not by_hand:
            return result
        values = result.values.copy()
        for index, value in by_hand.items():
            values[index] = bool(value)

        def at(index: Index) -> Node:
            if index in by_hand:
                return Stated("stated", float(values[index]), "set by hand")
            return result.at(index)

        return replace(result, values=values, at=at)

    def _cells(self, name: str) -> Callable[[Index], Node]:
        def at(index: Index) -> Node:
            tensor = self.tensor(name)
            value = float(tensor.values[index])
            if value == -math.inf:
                return Masked()
            return Ref(Cell(name, index, value, tensor.prints_at(index), exact=tensor.prints_at(index) in (0, None)))

        return at

    def _dials(self, name: str) -> TracedArray:
        table = self.program.tables[name]
        values = table.values.astype(np.float64) if name != "splitter" else table.values
        turned = {index: dial for (which, index), dial in self.turned.items() if which == name}
        if turned:
            values = values.copy()
            for index, (value, _) in turned.items():
                values[index] = value
        values = _frozen(values)

        def at(index: Index) -> Node:
            decimals = max(table.prints, turned[index][1]) if index in turned else table.prints
            return Ref(Cell(name, index, float(values[index]), decimals, exact=True))

        return TracedArray(values, table.axes, at, name=name)

    def evaluate(self, expr: Expr, before: int | None = None) -> TracedArray:
        """A formula over the lesson's names. `before`: only what steps before that number make may be read.

        Raises LessonError with the column of the fault.
        """
        if before is not None and self.cost > MOST_COST:
            raise LessonError("the steps take too long: smaller tables or fewer operations were expected")
        evaluation = Evaluation(self, before)
        result = evaluation.value(expr)
        if before is not None:
            self._costs[before] = evaluation.cost
        return result

    @property
    def cost(self) -> float:
        """About how many numbers the steps that have been worked out went through."""
        return sum(tuple(self._costs.values()))

    # ------------------------------------------------------------ cells

    def locate(self, text: str | Address) -> tuple[str, Index]:
        """The tensor and index that an address means, as written. Raises BadInput, saying what would be legal."""
        wanted = parse_address(text) if isinstance(text, str) else text
        return wanted.name, resolve(self.tensor(wanted.name), wanted.parts)

    def source(self, name: str, index: Index) -> tuple[str, Index]:
        """The cell that this cell is: the source cell of a view, else itself."""
        traced = self.traced(name)
        if traced.view:
            node = traced.at(index)
            if isinstance(node, Ref):
                return node.cell.tensor, node.cell.index
        return name, index

    def cell(self, name: str, index: Index) -> Cell:
        """The cell with its number; a view's cell is its source cell."""
        name, index = self.source(name, index)
        tensor = self.tensor(name)
        prints = tensor.prints_at(index)
        if (name, index) in self.turned:
            prints = max(prints or 0, self.turned[name, index][1])
        exact = tensor.origin in ("dial", "constant", "fact") or prints in (0, None)
        return Cell(name, index, float(tensor.values[index]), prints, exact)

    def working(self, name: str, index: Index) -> Working:
        """Where the cell comes from. Raises BadInput for an unknown tensor."""
        known = self._workings.get((name, index))
        if known is None:
            if len(self._workings) >= self.most_kept:
                self._workings.clear()
            known = self._workings[name, index] = self._working(name, index)
        return known

    def _working(self, name: str, index: Index) -> Working:
        cell = self.cell(name, index)
        tensor = self.tensor(cell.tensor)
        asks = tensor.asks_at(cell.index)
        asks = cell.prints or 0 if asks is None else asks
        if tensor.origin in ("dial", "constant", "fact"):
            return Working(cell, "dial", None, asks)
        root = self.definition(cell.tensor).at(cell.index)
        match root:
            case Masked(says):
                return Working(cell, "masked", root, asks, says)
            case Stated(kind, _, says):
                return Working(cell, kind, root, asks, says)
            case Const():
                return Working(cell, "computed", Op("sum", (root,)), asks)
            case _:
                return Working(cell, "computed", root, asks)

    def definition(self, name: str) -> TracedArray:
        """What the step's formula gives, each cell with its working; made anew after a change of dials."""
        key = _defined(name)
        if key not in self._made:
            made = self.evaluate(self.program.by_name[name].expr, before=self.program.order(name))
            return self._made.setdefault(key, self._overridden(name, made))
        return self._made[key]

    # ------------------------------------------------------------ change

    def reads(self, name: str) -> frozenset[str]:
        """Every name that the tensor depends on, at any distance."""
        if self._reads is None:
            found: dict[str, frozenset[str]] = {}
            for step in self.program.steps:
                direct = formula.names(step.expr)
                found[step.name] = direct.union(*(found.get(other, frozenset()) for other in direct))
            self._reads = found
        return self._reads.get(name, frozenset())

    def turn(self, name: str, index: Index, value: float, decimals: int) -> Graph:
        """The same lesson with one dial turned.

        Raises BadInput when the cell is not a dial, when the number is too large, and when a step that reads it then
        has no value.
        """
        if not abs(value) <= LARGEST_DIAL:
            raise BadInput(
                f"{address(name, index)} can't be {value:g}; a number from -{LARGEST_DIAL:g} to {LARGEST_DIAL:g} was "
                "expected"
            )
        if self.is_mask(name):
            if value not in (0, 1):
                raise BadInput(f"{address(name, index)} is a cell of a mask: 0 or 1 was expected, not {value:g}")
        elif name not in self.program.tables or name == "splitter":
            raise BadInput(
                f"{address(name, index)} is not a dial; the dials are the tables: {' '.join(self._dial_names())}"
            )
        turned = {**self.turned, (name, index): (value, decimals)}
        return Graph(self.program, self.inputs, turned, self._untouched({name}))._tried({name})

    def is_mask(self, name: str) -> bool:
        """Whether a step makes truth values [query, key], who may look at whom: such cells can be set by hand."""
        if name not in self.program.by_name:
            return False
        made = self.traced(name)
        return made.values.dtype == np.bool_ and len(made.shape) == 2

    def _dial_names(self) -> list[str]:
        return [name for name in self.program.tables if name != "splitter"]

    def with_turned(self, turned: Turned) -> Graph:
        """The same inputs with exactly these dials turned. Raises BadInput where a step then has no value."""
        moved = {name for name, _ in dict(self.turned.items() ^ turned.items())}
        return Graph(self.program, self.inputs, turned, self._untouched(moved))._tried(moved)

    def with_program(self, program: Program) -> Graph:
        """The same inputs and dials under other formulas of some steps. Raises BadInput where one has no value."""
        old = self.program.by_name
        changed = {step.name for step in program.steps if step.name not in old or step.expr != old[step.name].expr}
        fresh = Graph(program, self.inputs, self.turned)
        kept = self._untouched(changed, fresh.reads)
        return Graph(program, self.inputs, self.turned, kept)._tried(changed)

    def with_inputs(self, prompt: str | None = None, other: str | None = None, ticket: float | None = None) -> Graph:
        """The same lesson for other inputs; None keeps one.

        Raises BadInput when one is not legal, and when a step that reads it then has no value.
        """
        inputs = self.inputs.changed(prompt, other, ticket)
        changed = {
            name for name in ("prompt", "other", "ticket") if getattr(inputs, name) != getattr(self.inputs, name)
        }
        return Graph(self.program, inputs, self.turned, self._untouched(changed))._tried(changed)

    def _tried(self, changed: set[str]) -> Graph:
        """Itself, with every step worked out that reads what has changed. Raises BadInput where that fails."""
        for step in self.program.steps:
            if step.name in changed or self.reads(step.name) & changed:
                try:
                    self.tensor(step.name)
                except LessonError as error:
                    raise BadInput(f"then {step.name} = {step.text} can't be worked out: {error.message}") from None
        return self

    def _untouched(
        self, changed: set[str], reads: Callable[[str], frozenset[str]] | None = None
    ) -> dict[str, TracedArray]:
        """The results that do not depend on `changed`. Workings are not kept: they would look at the older graph."""
        inner = {step.name for step in self.program.steps if step.inner}
        reads = reads or self.reads
        return {
            name: traced
            for name, traced in self._made.copy().items()  # a thread may be adding to it
            if not name.startswith(_DEFINED) and name not in inner | changed and not reads(name) & changed
        }


_DEFINED = "="


def _defined(name: str) -> str:
    """The key of a step's own result among what is made; `name` alone is the tensor that others read."""
    return _DEFINED + name


def _fits(index: Index, shape: tuple[int, ...]) -> bool:
    """Whether a place that was set by hand is there for this prompt."""
    return len(index) == len(shape) and all(part < size for part, size in zip(index, shape, strict=True))


def _decimals_of(value: float) -> int:
    return len(f"{value:g}".partition(".")[2])


def _frozen(values: Array) -> Array:
    values = np.array(values)
    values.flags.writeable = False
    return values


__all__ = ["Graph", "Kind", "Turned", "Working"]

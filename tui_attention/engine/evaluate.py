"""The value of a formula: its numbers and the workings of its cells, over the names that a scope knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Protocol

import numpy as np

from tui_attention.engine import formula
from tui_attention.engine.arrays import picked, sited, transpose
from tui_attention.engine.errors import LessonError, NoPlaceError, PlaceError
from tui_attention.engine.formula import Expr
from tui_attention.engine.operation import OpContext, OperandError, TracedArray, constant
from tui_attention.engine.ops import OPERATIONS, PLAIN_NAMES
from tui_attention.engine.program import Inputs, Program
from tui_attention.engine.tensor import Array, Axis, place
from tui_attention.engine.traits import role_of

MOST_NODES = 100_000  # of the working of one cell
MOST_LEVELS = 60
MOST_COST = 200_000_000  # numbers gone through: about a second
_CALL_COST = 5_000


class Scope(Protocol):
    """Where an evaluation finds names. `twins` are the named tensors by the canonical text of their formula."""

    program: Program
    inputs: Inputs
    twins: Mapping[str, str]

    def traced(self, name: str) -> TracedArray: ...
    def find(self, name: str) -> TracedArray | None: ...


@dataclass(eq=False, slots=True)
class Evaluation:
    """Evaluates formulas. `before`: only what steps before that number make may be read; None: everything.

    `cost` adds up how many numbers were gone through; a formula that would take long is refused before it does.
    """

    graph: Scope
    before: int | None = None
    cost: float = 0.0

    def value(self, expr: Expr) -> TracedArray:
        """The value of a formula. Raises LessonError with the column of the fault."""
        try:
            return self._evaluate(expr)
        except OperandError as error:
            raise LessonError(str(error), column=expr.column) from None

    def _evaluate(self, expr: Expr) -> TracedArray:
        match expr:
            case formula.Num(value, text, _):
                return constant(value, text)
            case formula.Name(name, column):
                return self._name(name, column)
            case formula.Neg(arg):
                return self._run("neg", (arg,), expr)
            case formula.Binary(op, left, right):
                return self._run(op, (left, right), expr)
            case formula.Transpose(arg, column):
                source = self._evaluate(arg)
                return self._seen(self._guard(lambda: transpose(source), column), source, column)
            case formula.Indexed(base, items, column):
                return self._index(base, items, column)
            case formula.Call(called, args, column):
                op = PLAIN_NAMES.get(called, called)
                if op not in OPERATIONS or not op[0].isalpha() or op == "neg":
                    legal = " ".join(sorted(name for name in OPERATIONS if name[0].isalpha() and name != "neg"))
                    raise LessonError(f"{op!r} is not an operation; the operations are: {legal}", column=column)
                return self._run(op, args, expr)
            case formula.Label(column=column):
                raise LessonError("a quoted label stands inside an index only", column=column)

    def _name(self, name: str, column: int) -> TracedArray:
        step = self.graph.program.by_name.get(name)
        if step is not None and self.before is not None and self.graph.program.order(name) >= self.before:
            raise LessonError(f"{name!r} is used before the step that makes it", column=column)
        if step is None and name not in (
            *self.graph.program.tables,
            *self.graph.program.constants,
            *self.graph.program.facts,
        ):
            if name in self.graph.inputs.texts():
                raise LessonError(f"{name!r} is a text; only 'tokens({name})' takes it", column=column)
            if name != "ticket" or self.graph.inputs.ticket is None:
                raise LessonError(f"nothing is called {name!r} here{self._near(name)}", column=column)
        return self.graph.traced(name)

    def _near(self, name: str) -> str:
        """The nearest name that there is, or what gives the lesson a text."""
        if name in ("prompt", "other"):
            return f'; a [vocabulary] and [inputs] with {name} = "..." give the lesson its text'
        program = self.graph.program
        known = [*program.tables, *program.constants, *program.facts, *program.by_name]
        near = get_close_matches(name[:40], known, n=1)
        return f"; did you mean {near[0]!r}?" if near else ""

    def _steps(self) -> dict[str, Expr]:
        return {step.name: step.expr for step in self.graph.program.steps}

    def _seen(self, made: TracedArray, source: TracedArray, column: int) -> TracedArray:
        """A view, with the size of its cells' workings: that of its source's."""
        self._spend(made.values.size + source.values.size, column)
        return self._bounded(replace(made, nodes=source.nodes, levels=source.levels + 1), column)

    def _spend(self, numbers: float, column: int) -> None:
        self.cost += 10 * numbers + _CALL_COST
        if self.cost > MOST_COST:
            raise LessonError("this takes too long: smaller tables or fewer operations were expected", column=column)

    def _bounded(self, made: TracedArray, column: int) -> TracedArray:
        if made.nodes > MOST_NODES or made.levels > MOST_LEVELS:
            message = "the working of one cell becomes too long here; give its parts names, in steps of their own"
            raise LessonError(message, column=column)
        return made

    def _guard(self, make: Callable[[], TracedArray], column: int) -> TracedArray:
        try:
            return make()
        except OperandError as error:
            raise LessonError(str(error), column=column) from None

    def _run(self, op: str, args: tuple[Expr, ...], expr: Expr) -> TracedArray:
        operation = OPERATIONS[op]
        texts = self.graph.inputs.texts()
        least = sum(not name.endswith("?") for name in operation.args)
        if len(args) < least or (len(args) > len(operation.args) and not operation.variadic):
            raise LessonError(
                f"{op!r} takes ({', '.join(operation.args)}), not {len(args)} operands", column=expr.column
            )
        values = tuple(
            texts[arg.name]
            if op == "tokens" and isinstance(arg, formula.Name) and arg.name in texts
            else self._evaluate(arg)
            for arg in args
        )
        if op == "tokens" and not isinstance(values[0], str):
            raise LessonError(f"'tokens' takes one of: {' '.join(texts)}", column=expr.column)

        twins: list[TracedArray] = []

        def twin(name: str, *places: int) -> TracedArray:
            chosen = tuple(args[place] for place in places)
            call = formula.Call(name, chosen, expr.column)
            known = self.graph.twins.get(formula.spell(call))
            named = known and (self.before is None or self.graph.program.order(known) < self.before)
            twins.append(self.graph.traced(known) if known and named else self._run(name, chosen, call))
            return twins[-1]

        traced = tuple(value for value in values if isinstance(value, TracedArray))
        least_cost = sum(value.values.size for value in traced)
        self._spend(max(least_cost, operation.cost(*values) / 10 if operation.cost else 0), expr.column)
        context = OpContext(self.graph.program.vocabulary, twin, self.graph.find, self._steps, role_of)
        with np.errstate(all="ignore"):
            made = self._guard(lambda: operation.run(context, *values), expr.column)
        self._spend(made.values.size, expr.column)
        at = made.at if operation.view else sited(operation, context, traced, made.at)
        inside = sum(1 + value.nodes for value in (*traced, *twins))
        nodes = (
            max((value.nodes for value in traced), default=1)
            if operation.view
            else 1 + operation.fan(traced) * inside
        )
        levels = 1 + max((value.levels for value in (*traced, *twins)), default=0)
        return self._bounded(
            replace(made, op=op, role=operation.role, args=traced, at=at, nodes=nodes, levels=levels), expr.column
        )

    def _index(self, base: Expr, items: tuple[Expr | formula.Slice, ...], column: int) -> TracedArray:
        arg = self._evaluate(base)
        if len(items) > len(arg.axes):
            raise LessonError(f"{len(items)} places in an index of {len(arg.axes)} axes", column=column)
        name = arg.name or "the array"
        places: list[int | slice | Array] = []
        labels: list[Axis | None] = []
        for item, axis in zip(items, arg.axes, strict=False):
            labels.append(None)
            if isinstance(item, formula.Slice):
                places.append(slice(item.start, item.stop, item.step))
            elif isinstance(item, formula.Label):
                places.append(_placed(name, axis, item.text, item.column))
            else:
                row = self._evaluate(item)
                if not np.isfinite(row.values).all():
                    raise LessonError("an index takes whole numbers", column=item.column)
                whole = [int(value) for value in np.atleast_1d(row.values)]
                if len(row.shape) > 1 or any(a != b for a, b in zip(whole, np.atleast_1d(row.values), strict=True)):
                    raise LessonError("an index takes whole numbers", column=item.column)
                chosen = [_placed(name, axis, value, item.column) for value in whole]
                if not row.shape:
                    places.append(chosen[0])
                else:
                    places.append(np.array(chosen))
                    labels[-1] = row.axes[0]
        return self._seen(self._guard(lambda: picked(arg, tuple(places), tuple(labels)), column), arg, column)


def _placed(name: str, axis: Axis, part: int | str, column: int) -> int:
    try:
        return place(name, axis, part)
    except NoPlaceError as error:
        raise PlaceError(str(error), column=column) from None

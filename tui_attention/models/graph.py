"""A model's numbers as the lessons' graph has them: every cell in float64, its working from the law's formula.

One truth: what a stage shows and what `explain` says are the same float64 numbers, worked out block by block from the
dequantised weights. Float32 is for what is painted over the whole model at once (`running.Model`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.engine.evaluate import Evaluation
from tui_attention.engine.formula import Binary, Call, Expr, Indexed, Name, Transpose
from tui_attention.engine.graph import Graph, Turned
from tui_attention.engine.operation import TracedArray, Vocabulary
from tui_attention.engine.ops import OPERATIONS
from tui_attention.engine.program import Inputs, Program
from tui_attention.engine.tensor import Array, Axis, Index, Tensor, address
from tui_attention.engine.working import Cell, Masked, Node, Op, Ref
from tui_attention.lessons.run import LessonRun
from tui_attention.models.checkpoint import Checkpoint, open_checkpoint
from tui_attention.models.inspection import prompt_ids
from tui_attention.models.lazy import LazyArray, as_array, is_lazy, lazy_axis, rows_of
from tui_attention.models.lesson import (
    Local,
    build_lesson,
    parse_switch,
    speeds,
    table_key,
    table_name,
    turns_by_table,
)
from tui_attention.models.looking import block_lines
from tui_attention.models.memory import DEFAULT_MEGABYTES, MemoryBudget
from tui_attention.models.running import Changed, Model, Rows, Switches

MOST_TOKENS = 256
"""Of a prompt that is walked through; `inspect` takes as many as the model does."""


@dataclass(frozen=True, eq=False, slots=True)
class House:
    """What all graphs of one open model share: the checkpoint, what its names mean, the memory that they may take.

    `model` is the float32 one, for what is painted.
    """

    checkpoint: Checkpoint
    model: Model
    memory: MemoryBudget
    locals: Mapping[str, Local]


class ModelGraph(Graph):
    """The graph of a model for one prompt, with the weights that were turned and the heads that are off."""

    most_kept = 32  # a working has a term for each coordinate

    def __init__(
        self, program: Program, house: House, inputs: Inputs | None = None, turned: Turned | None = None
    ) -> None:
        """Raises BadInput for a prompt that the model can't take."""
        super().__init__(program, inputs, turned)
        self.house = house
        self.ids, _ = prompt_ids(house.model, self.inputs.prompt)
        if len(self.ids) > MOST_TOKENS:
            raise BadInput(f"the prompt has {len(self.ids):,} tokens; the walk takes at most {MOST_TOKENS}")
        changed: dict[str, dict[Index, float]] = {}
        for (name, index), (value, _) in self.turned.items():
            changed.setdefault(table_key(house.locals[name]), {})[index] = value
        self.changed: Changed = changed
        self.switches = switches_of(program, house.checkpoint)
        self.exact = Model(house.checkpoint, dtype=np.float64, changed=changed, memory=house.memory)
        self._state = (self.exact.state, self.switches, self.ids)
        self.painted = Model(house.checkpoint, changed=changed, memory=house.memory)
        self._lock = RLock()
        self._painted: Rows | None = None
        self._outline: dict[str, tuple[str, ...]] = {}
        self._rows: Rows | None = None
        self._axes: dict[tuple[str, int], Axis] = {}
        self._tokens = tuple(mark for _, mark in self._cut())

    def _cut(self) -> tuple[tuple[int, str], ...]:
        cut = self.program.vocabulary.cut
        assert cut is not None
        return cut(self.inputs.prompt)

    # ------------------------------------------------------------ rows and traces

    def rows(self, block: int) -> Rows:
        """The exact rows, as far as the output of `block`."""
        with self._lock:
            if self._rows is None:
                self._rows = self.exact.begin(self.ids, self.switches)
        while len(self._rows.past) < block + 1 and self.exact.advance(self._rows):
            pass
        return self._rows

    def pending(self, name: str) -> int:
        """How many blocks are still to be worked out before the tensor can show."""
        local = self.house.locals.get(name)
        done = 0 if self._rows is None else len(self._rows.past)
        if local is None or name in self.program.tables:
            return 0
        if local.block is not None:
            return max(0, local.block + 1 - done)
        return max(0, self.house.checkpoint.spec.blocks - done) if local.name in _FINAL else 0

    def prepare(self) -> None:
        """One block more, exactly."""
        self.exact.advance(self.rows(-1))

    def painted_rows(self) -> Rows:
        """The float32 rows, begun; `painted.advance` goes on with them."""
        with self._lock:
            if self._painted is None:
                self._painted = self.painted.begin(self.ids, self.switches)
            return self._painted

    def outline(self) -> Mapping[str, tuple[str, ...]]:
        """For each block the norm of the last row, the rank of the answer there, the heads' mean entropy in bits."""
        return self._outline

    def prepare_outline(self) -> bool:
        """One block more in float32; the outline once all are done."""
        rows = self.painted_rows()
        if self._outline:
            return False
        if not self.painted.advance(rows):
            self._outline = {f"block-{line.block}": line.texts() for line in block_lines(self.painted, rows)}
        return True

    def numbers(self, local: Local) -> Array | None:
        """The exact numbers of a step by its name in the law; None where the law's formula has to be asked."""
        spec = self.house.checkpoint.spec
        if local.block is not None:
            found = self.exact.trace(self.rows(local.block), local.block).get(local.name)
            return None if local.name in _BY_FORMULA else found
        if local.name == "x0":
            return self.rows(-1).outputs[0]
        if local.name in ("c", "logits"):
            x = self.rows(spec.blocks - 1).outputs[-1]
            return self.exact.normed(x) if local.name == "c" else self.exact.logits(x)
        return None

    # ------------------------------------------------------------ tensors

    def tensor(self, name: str) -> Tensor:
        """The tensor called `name`; large ones are made when their numbers are looked at. Raises BadInput."""
        return self._tensor(name)

    def traced(self, name: str) -> TracedArray:
        """The named result with the workings of its cells. Raises BadInput for an unknown name."""
        if name in self.program.tables:
            return self._dials(name)
        step = self.program.by_name.get(name)
        if step is None:
            return super().traced(name)
        key = ("traced", self._state, name)
        kept = self.exact.memory.find(key)
        if kept is None and _is_view(step.expr):
            made = self._evaluated(name)
            kept = replace(made, axes=self._named_axes(name, made.shape), name=name, text=step.text)
            self.exact.memory.keep(key, kept, 2000)  # its numbers are those of what it shows
        elif kept is None:
            kept = self._fresh(name, self.house.locals[name])
            self.exact.memory.keep(key, kept, int(kept.values.nbytes) + 2000)
        found: TracedArray = kept
        return found

    def _fresh(self, name: str, local: Local) -> TracedArray:
        step = self.program.by_name[name]
        values = self.numbers(local)
        if values is None:
            made = self._evaluated(name)
            if step.inner:
                return replace(made, axes=self._named_axes(name, made.shape), name=name, text=step.text)
            values, axes = made.values, self._named_axes(name, made.shape)
        else:
            values = values.view()
            values.flags.writeable = False
            axes = self._named_axes(name, values.shape)
        return TracedArray(values, axes, self._cells_of(name, values), name=name, text=step.text)

    def _cells_of(self, name: str, values: Array) -> Callable[[Index], Node]:
        setting = self.program.settings[name]
        prints = 0 if np.issubdtype(values.dtype, np.integer) else setting.prints or self.program.prints
        decimals = None if values.dtype == np.bool_ else prints
        assert not isinstance(decimals, tuple)

        def at(index: Index) -> Node:
            value = float(values[index])
            if np.isneginf(value):
                return Masked()
            return Ref(Cell(name, index, value, decimals, exact=decimals in (0, None)))

        return at

    def _named_axes(self, name: str, shape: tuple[int, ...]) -> tuple[Axis, ...]:
        names = self.program.settings[name].axes
        return tuple(self._axis(axis, size) for axis, size in zip(names, shape, strict=True))

    def _axis(self, name: str, size: int) -> Axis:
        if name in ("token", "query", "key") and size == len(self._tokens):
            return Axis(name, self._tokens)
        if (name, size) not in self._axes:
            self._axes[name, size] = self._words(size) if name == "word" else lazy_axis(name, size)
        return self._axes[name, size]

    def _words(self, size: int) -> Axis:
        tokenizer = self.house.checkpoint.tokenizer
        if tokenizer is None or len(tokenizer.tokens) < size:
            return lazy_axis("word", size)
        return lazy_axis("word", size, tokenizer.label)

    def _dials(self, name: str) -> TracedArray:
        table = self.program.tables[name]
        turned = {index: dial for (which, index), dial in self.turned.items() if which == name}
        values = table.values
        if turned:
            base = table.values
            lazy = LazyArray(
                base.shape,
                lambda: _patched(base, turned),
                base.dtype,
                lambda index: turned[index][0] if index in turned else float(base[index]),
            )
            values = as_array(lazy)

        def at(index: Index) -> Node:
            decimals = max(table.prints, turned[index][1]) if index in turned else table.prints
            return Ref(Cell(name, index, float(values[index]), decimals, exact=True))

        return TracedArray(values, table.axes, at, name=name)

    # ------------------------------------------------------------ workings

    def evaluate(self, expr: Expr, before: int | None = None) -> TracedArray:
        """A formula over the model's names, with the workings of its cells. Raises LessonError."""
        return _ModelEvaluation(self, before).value(expr)

    def _evaluated(self, name: str) -> TracedArray:
        try:
            return self.evaluate(self.program.by_name[name].expr)
        except LessonError as error:
            raise LessonError(f"{name} = {self.program.by_name[name].text}: {error.message}") from None

    def definition(self, name: str) -> TracedArray:
        key = ("defined", self._state, name)
        kept = self.exact.memory.find(key)
        if kept is None:
            kept = self._evaluated(name)
            size = 0 if is_lazy(kept.values) else int(kept.values.nbytes)
            self.exact.memory.keep(key, kept, size + 2000)
        found: TracedArray = kept
        return found

    # ------------------------------------------------------------ change

    def turn(self, name: str, index: Index, value: float, decimals: int) -> ModelGraph:
        """The same model with one weight turned. Raises BadInput when the cell is no weight."""
        if name not in self.program.tables or name == "speeds":
            raise BadInput(f"{address(name, index)} is no weight, so it can't be turned")
        return self.with_turned({**self.turned, (name, index): (value, decimals)})

    def is_mask(self, name: str) -> bool:
        return False

    def with_turned(self, turned: Turned) -> ModelGraph:
        """The same prompt with exactly these weights turned."""
        return ModelGraph(self.program, self.house, self.inputs, turned)

    def with_program(self, program: Program) -> ModelGraph:
        """The same prompt and weights under other formulas: heads and parts that are off. The rows of the blocks
        before the first of them are kept.
        """
        graph = ModelGraph(program, self.house, self.inputs, self.turned)
        kept = self.switches.first_other(graph.switches, self.house.checkpoint.spec.blocks)
        graph._rows = None if self._rows is None else self._rows.begun(kept, graph.switches)
        graph._painted = None if self._painted is None else self._painted.begun(kept, graph.switches)
        return graph

    @property
    def tokens(self) -> tuple[str, ...]:
        """The labels of the prompt's tokens."""
        return self._tokens

    def written(self, token: int) -> ModelGraph:
        """The same model with one more token behind the prompt; the float32 rows before it are kept.

        Raises BadInput where the text with it would be cut into other tokens, or the model has no place left.
        """
        tokenizer = self.house.checkpoint.tokenizer
        text = f"{self.inputs.prompt} {token}" if tokenizer is None else self.inputs.prompt + tokenizer.text(token)
        graph = self.with_inputs(text)
        if graph.ids != (*self.ids, token):
            raise BadInput(
                f"with {tokenizer.text(token) if tokenizer else token!r} behind it the text is cut otherwise"
            )
        rows = self.painted_rows()
        while self.painted.advance(rows):
            pass
        kept = rows.begun(self.house.checkpoint.spec.blocks, rows.switches)
        graph.painted.extend(kept, [token])
        graph._painted = kept
        return graph

    def with_inputs(
        self, prompt: str | None = None, other: str | None = None, ticket: float | None = None
    ) -> ModelGraph:
        """The same model on another prompt. Raises BadInput when it can't take it."""
        return ModelGraph(self.program, self.house, self.inputs.changed(prompt, other, ticket), self.turned)


_FINAL = ("r3", "mu3", "sigma3", "c", "logits", "chances")
_BY_FORMULA = ("dots", "r1", "r2", "mu1", "sigma1", "mu2", "sigma2")


def _is_view(expr: Expr) -> bool:
    """Whether a formula only shows cells of another tensor."""
    if isinstance(expr, Call):
        return OPERATIONS[expr.op].view
    return isinstance(expr, Indexed | Transpose | Name)


def _patched(base: Array, turned: Mapping[Index, tuple[float, int]]) -> Array:
    values = np.array(base)
    for index, (value, _) in turned.items():
        values[index] = value
    return values


class _ModelEvaluation(Evaluation):
    """Evaluates the law's formulas: as large as the model is, products made when somebody looks at them."""

    def _spend(self, numbers: float, column: int) -> None:
        return None  # a model is no hostile lesson: it was opened, and its sizes were checked then

    def _bounded(self, made: TracedArray, column: int) -> TracedArray:
        return made

    def _index(self, base: Expr, items: Any, column: int) -> TracedArray:
        """A row of a table for each token; the table is not read whole."""
        table = self._evaluate(base)
        if not is_lazy(table.values) or len(items) != 1:
            return super()._index(base, items, column)
        chosen = self._evaluate(items[0])
        places = np.asarray(chosen.values, np.int64)

        def at(index: Index) -> Node:
            return table.at((int(places[index[0]]), index[1]))

        values = rows_of(table.values, places).astype(np.float64)
        return TracedArray(values, (chosen.axes[0], table.axes[1]), at, view=True)

    def _run(self, op: str, args: tuple[Expr, ...], expr: Expr) -> TracedArray:
        if op == "@" and isinstance(expr, Binary):
            left, right = self._evaluate(expr.left), self._evaluate(expr.right)
            if is_lazy(right.values) or right.view:
                return _product(left, right)
        return super()._run(op, args, expr)

    def _evaluate(self, expr: Expr) -> TracedArray:
        if isinstance(expr, Transpose):
            source = self._evaluate(expr.arg)
            if is_lazy(source.values):
                lazy = source.values
                return TracedArray(
                    as_array(LazyArray(lazy.shape[::-1], lambda: np.asarray(lazy).T, lazy.dtype)),
                    source.axes[::-1],
                    lambda index: source.at(index[::-1]),
                    view=True,
                )
        return super()._evaluate(expr)


def _product(left: TracedArray, right: TracedArray) -> TracedArray:
    """[..., t, k] @ [k, m] or [..., k, m]: worked out when somebody looks; a cell is a sum of products."""
    a, b = left.shape, right.shape
    shape = (*np.broadcast_shapes(a[:-2], b[:-2]), a[-2], b[-1])
    lead = (*left.axes[:-2],) if len(a) >= len(b) else (*right.axes[:-2],)

    def at(index: Index) -> Node:
        *head, row, column = index
        front, back = head[len(head) - (len(a) - 2) :], head[len(head) - (len(b) - 2) :]
        terms = tuple(Op("*", (left.at((*front, row, k)), right.at((*back, k, column)))) for k in range(a[-1]))
        return terms[0] if len(terms) == 1 else Op("sum", terms)

    def values() -> Array:
        return np.asarray(left.values, np.float64) @ np.asarray(right.values, np.float64)

    return TracedArray(as_array(LazyArray(shape, values)), (*lead, left.axes[-2], right.axes[-1]), at, op="@")


# ---------------------------------------------------------------- opening


def switches_of(program: Program, checkpoint: Checkpoint) -> Switches:
    """The switches that a program has thrown, as the model knows them."""
    heads, parts = set(), set()
    for name in program.switched:
        found = parse_switch(name, checkpoint.spec)
        if found is None:
            continue
        block, part = found
        if isinstance(part, int):
            heads.add((block, part))
        else:
            parts.add((block, part))
    return Switches(frozenset(heads), frozenset(parts))


def vocabulary_of(model: Model) -> Vocabulary:
    """The model's tokenizer as a lesson's splitter: labels with their blanks visible."""
    tokenizer = model.checkpoint.tokenizer

    def cut(text: str) -> tuple[tuple[int, str], ...]:
        ids, _ = prompt_ids(model, text)
        return tuple((token, f"<{token}>" if tokenizer is None else tokenizer.label(token)) for token in ids)

    return Vocabulary((), most=model.spec.context, cut=cut)


def open_model_run(path: Path, prompt: str | None = None, megabytes: float = DEFAULT_MEGABYTES) -> LessonRun:
    """A model as a lesson with its numbers. Raises BadInput or ModelFileError."""
    return model_run(open_checkpoint(path), prompt, megabytes)


def model_run(checkpoint: Checkpoint, prompt: str | None = None, megabytes: float = DEFAULT_MEGABYTES) -> LessonRun:
    """An open checkpoint as a lesson with its numbers. Raises BadInput for a prompt that it can't take."""
    model = Model(checkpoint, megabytes)
    text = default_prompt(checkpoint) if prompt is None else prompt
    values: dict[str, Array] = {}
    for key, weight in checkpoint.tables.items():
        make, cell = partial(model.kept, weight), partial(model.cell, weight)
        rows = weight.rows if key in ("E", "P") else None
        values[table_name(key)] = as_array(LazyArray(weight.shape, make, np.float32, cell, rows))
    if turns_by_table(checkpoint.spec):
        values["speeds"] = speeds(checkpoint.spec)
    lesson, locals_ = build_lesson(checkpoint, vocabulary_of(model), text, values)
    house = House(checkpoint, model, model.memory, locals_)
    return LessonRun(lesson, ModelGraph(lesson.program, house))


def default_prompt(checkpoint: Checkpoint) -> str:
    """What a model reads when nobody says anything else."""
    return "0 1 2" if checkpoint.tokenizer is None else "The capital of France is"

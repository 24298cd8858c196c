"""What an operation is: its faces together. The forward pass, the working of one cell, and its typical slips."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from tui_attention.engine.formula import Expr
from tui_attention.engine.tensor import Array, Axis, Index
from tui_attention.engine.working import Const, Node, number

Role = Literal[
    "", "norm", "activation", "shares", "mask", "mask maker", "causal", "projection", "exponential", "root", "total",
    "pack", "split", "join", "turn", "lookup", "greedy", "drawn",
]  # fmt: skip
"""What an operation does in a network, whatever its name; its first operand is what it is done to.

`norm` flattens a row, `activation` bends each number, `shares` makes parts of a whole out of scores, `mask` strikes
scores out by what a `mask maker` made, `causal` one that keeps a token from looking ahead; `projection` sums products
along row and column, `total` adds along a row, `turn` rotates pairs by their place. `greedy` chooses the place of the
largest number of a row, `drawn` the one that a ticket falls on.
"""


@dataclass(frozen=True, eq=False, slots=True)
class TracedArray:
    """An evaluated expression: its numbers, and for each of its cells the working.

    `at(index)` gives the working of one cell. A view (an index, a slice, a transposition, a split, a join, a pack)
    has no working of its own: its `at` gives the source's cell. `name` is set for a named tensor, `op`, `role`
    and `args` for the result of an operation. `nodes` and `levels` bound how large the working of a cell becomes.
    """

    values: Array
    axes: tuple[Axis, ...]
    at: Callable[[Index], Node]
    view: bool = False
    name: str = ""
    op: str = ""
    role: Role = ""
    args: tuple[TracedArray, ...] = field(default=(), repr=False)
    text: str = ""
    nodes: int = 1
    levels: int = 1

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(int(size) for size in self.values.shape)

    def scalar(self) -> float:
        return float(self.values[()])


class Vocabulary(NamedTuple):
    """The marks of the text splitter, in the order of their ids; a mark is a character or a word.

    `cut` is another way to cut a text, into ids with their marks; it raises BadInput for one that it can't.
    """

    marks: tuple[str, ...]
    words: bool = False
    most: int = 12
    cut: Callable[[str], tuple[tuple[int, str], ...]] | None = None

    def listed(self) -> str:
        """All the marks, for a sentence; a space stands in quotes."""
        return " ".join(f'"{mark}"' if mark.isspace() else mark for mark in self.marks)


@dataclass(frozen=True, eq=False, slots=True)
class Site:
    """One operation of the lesson at one cell: what a slip may look at when it rewrites the working.

    `find(name)` gives another tensor of the same lesson by name, or None; `steps()` the formula of every step
    before it is worked out, so that one can look for a tensor without computing all of them; `role(formula)` the role
    of the operation that a formula ends in.
    """

    op: Operation
    args: tuple[TracedArray, ...]
    index: Index
    node: Callable[[], Node]
    find: Callable[[str], TracedArray | None]
    steps: Callable[[], Mapping[str, Expr]]
    role: Callable[[Expr], Role]


# How usual a slip is, by family; rare is what needs a formula that the page does not show.
FORMULA, TABLE, PAIRING, FINAL, RARE, POINT = 3.0, 2.0, 1.5, 1.0, 0.6, 0.5


class Slip(NamedTuple):
    """A typical mistake of one operation: a kind, a sentence, and the working that makes it.

    `says` states a fact about the number; it follows on "That is what comes out when ...". `build` gives the
    replacements of the operation's own node at a site: none where this slip cannot happen, several where it can
    happen in several places. `whole`: only where the operation makes the whole cell. `weight` says how usual it is.
    """

    kind: str
    says: str
    build: Callable[[Site], Iterable[Node]]
    weight: float = FORMULA
    whole: bool = False


class OpContext(NamedTuple):
    """What an operation may know beyond its operands.

    `twin(name, *places)` is the result of another operation on the same operands at these places: the named tensor
    where the lesson has one, so that a working goes through the number that is on the page.
    """

    vocabulary: Vocabulary
    twin: Callable[..., TracedArray]
    find: Callable[[str], TracedArray | None]
    steps: Callable[[], Mapping[str, Expr]]
    role: Callable[[Expr], Role]


@dataclass(frozen=True, slots=True)
class Operation:
    """One entry of the list of operations.

    `run(context, *args)` gives the values, the axes and `at`. `args` names the operands: one that ends in `?` may be
    left out, the last one of a `variadic` operation may stand several times. `says` is a phrase for the hints,
    `shapes` what goes in and comes out, `example` a formula that runs. `plain` is a name in everyday words that
    formulas may use as well, `standard` the field's word. `role` tells what it does in a network: workings, slips and
    pictures ask for that, never for a name. `view` operations have no working of their own, `slow` ones are run when
    they are shown. The working of a cell reads a whole row of a first operand that is called `row`. `cost(*args)` is
    about how many numbers `run` goes through, where that is more than ten times those of its operands.
    """

    name: str
    args: tuple[str, ...]
    run: Callable[..., TracedArray]
    says: str = ""
    shapes: str = ""
    example: str = ""
    plain: str = ""
    standard: str = ""
    role: Role = ""
    view: bool = False
    variadic: bool = False
    slow: bool = False
    slips: tuple[Slip, ...] = field(default=(), compare=False)
    cost: Callable[..., float] | None = field(default=None, compare=False)

    def fan(self, args: tuple[TracedArray, ...]) -> int:
        """How many cells of an operand the working of one cell reads: a whole row for what is called so."""
        wide = args and args[0].shape and self.args[0] == "row"
        return max(args[0].shape[-1], 1) if wide else 1


class OperandError(ValueError):
    """An operation cannot be done on these operands; the message says what was expected."""


def numbers(arg: Any, what: str) -> Array:
    """The operand's numbers as floats. Raises OperandError when it is a text."""
    if not isinstance(arg, TracedArray):
        raise OperandError(f"{what} should be numbers, not a text")
    return arg.values if arg.values.dtype == np.float64 else arg.values.astype(np.float64)


def whole(arg: TracedArray, what: str, low: int, high: int) -> int:
    """A whole number operand between low and high. Raises OperandError otherwise."""
    if arg.shape or not low <= arg.scalar() <= high or arg.scalar() != int(arg.scalar()):
        raise OperandError(f"{what} should be a whole number from {low} to {high}")
    return int(arg.scalar())


def constant(value: float, text: str | None = None) -> TracedArray:
    """A number that stands in the formula."""
    node = number(value) if text is None else Const(value, text)
    return TracedArray(np.asarray(float(value)), (), lambda index: node)

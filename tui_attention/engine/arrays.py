"""The operations that the formula language writes with signs: + - * / @, negation, .T, an index."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from tui_attention.engine.operation import OpContext, OperandError, Operation, Site, TracedArray, numbers
from tui_attention.engine.tensor import Array, Axis, Index
from tui_attention.engine.working import Node, Op, OpKind, Stated

MOST_NUMBERS = 250_000


def sited(
    op: Operation, context: OpContext, args: tuple[TracedArray, ...], bare: Callable[[Index], Node]
) -> Callable[[Index], Node]:
    """`bare`, with each node told which operation of the lesson it is the result of."""

    def at(index: Index) -> Node:
        node = bare(index)
        if not isinstance(node, Op | Stated) or node.site is not None:
            return node
        return replace(node, site=Site(op, args, index, lambda: bare(index), context.find, context.steps))

    return at


def broadcast(shape: tuple[int, ...], index: Index) -> Index:
    """Where the operand of `shape` is read for the result's `index`, as numpy stretches it."""
    return tuple(
        0 if size == 1 else place for size, place in zip(shape, index[len(index) - len(shape) :], strict=True)
    )


def joint_axes(left: TracedArray, right: TracedArray) -> tuple[Axis, ...]:
    """The axes of an element by element result: of each pair the longer, the left one where they are equal."""
    pairs = itertools.zip_longest(reversed(left.axes), reversed(right.axes))
    return tuple(reversed([b if a is None or (b is not None and len(b) > len(a)) else a for a, b in pairs]))


def elementwise(kind: OpKind, function: Callable[[Array, Array], Array]) -> Callable[..., TracedArray]:
    """An operation on two arrays number by number, stretched where one has a single one."""

    def run(context: OpContext, left: TracedArray, right: TracedArray) -> TracedArray:
        a, b = numbers(left, "the left side"), numbers(right, "the right side")
        try:
            shape = np.broadcast_shapes(a.shape, b.shape)
        except ValueError:
            raise OperandError(
                f"shapes {_sizes(a)} and {_sizes(b)} do not fit each other element by element"
            ) from None
        if np.prod(shape, initial=1.0) > MOST_NUMBERS:
            raise OperandError(f"a result of at most {MOST_NUMBERS:,} numbers was expected")
        with np.errstate(all="ignore"):
            values = function(a, b)

        def bare(index: Index) -> Node:
            return Op(kind, (left.at(broadcast(left.shape, index)), right.at(broadcast(right.shape, index))))

        return TracedArray(values, joint_axes(left, right), bare)

    return run


def negate(context: OpContext, arg: TracedArray) -> TracedArray:
    """The numbers with their signs changed."""
    return TracedArray(-numbers(arg, "the operand"), arg.axes, lambda index: Op("neg", (arg.at(index),)))


def matmul(context: OpContext, left: TracedArray, right: TracedArray) -> TracedArray:
    """A product of rows and columns, [n x k] @ [k x m] -> [n x m]; further leading axes run side by side."""
    a, b = numbers(left, "the left side"), numbers(right, "the right side")
    if not a.ndim or not b.ndim:
        raise OperandError("'@' takes tables or rows; use '*' with a single number")
    inner = b.shape[-2] if b.ndim > 1 else b.shape[0]
    if a.shape[-1] != inner:
        raise OperandError(f"[{_sizes(a)}] @ [{_sizes(b)}] do not fit: {a.shape[-1]} columns against {inner} rows")
    try:
        lead = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError:
        raise OperandError(f"[{_sizes(a)}] @ [{_sizes(b)}] do not fit in their leading axes") from None
    size = np.prod((*lead, *a.shape[-2:-1], *(b.shape[-1:] if b.ndim > 1 else ())), initial=1.0)
    if size * inner > 100 * MOST_NUMBERS or size > MOST_NUMBERS:
        raise OperandError(f"a product of at most {MOST_NUMBERS:,} numbers was expected")
    with np.errstate(all="ignore"):
        values = np.asarray(np.matmul(a, b))
    rows = left.axes[-2:-1] if a.ndim > 1 else ()
    columns = right.axes[-1:] if b.ndim > 1 else ()
    leading = left.axes[:-2] if a.ndim >= b.ndim else right.axes[:-2]

    def bare(index: Index) -> Node:
        head = index[: len(lead)]
        row = index[len(lead) : len(lead) + len(rows)]
        column = index[len(index) - len(columns) :] if columns else ()
        a_head = broadcast(left.shape[:-2], head)
        b_head = broadcast(right.shape[:-2], head)
        pairs = ((left.at((*a_head, *row, k)), right.at((*b_head, k, *column))) for k in range(inner))
        terms = tuple(Op("*", pair) for pair in pairs)
        return terms[0] if len(terms) == 1 else Op("sum", terms)

    return TracedArray(values, (*leading, *rows, *columns), bare)


def transpose(arg: TracedArray) -> TracedArray:
    """`.T`: the last two axes exchanged."""
    if len(arg.shape) < 2:
        raise OperandError("'.T' takes a table with two axes or more")
    axes = (*arg.axes[:-2], arg.axes[-1], arg.axes[-2])
    return TracedArray(
        np.swapaxes(arg.values, -1, -2),
        axes,
        lambda index: arg.at((*index[:-2], index[-1], index[-2])),
        view=True,
    )


def picked(arg: TracedArray, places: tuple[int | slice | Array, ...], labels: tuple[Axis | None, ...]) -> TracedArray:
    """An index: whole numbers, slices, and at most one row of whole numbers. A view.

    `labels` gives the axis that a row of whole numbers brings.
    """
    maps: list[tuple[int, ...] | int] = []
    axes: list[Axis] = []
    for position, axis in enumerate(arg.axes):
        if position >= len(places):
            maps.append(tuple(range(len(axis))))
            axes.append(axis)
            continue
        where = places[position]
        if isinstance(where, int):
            maps.append(where)
        elif isinstance(where, slice):
            chosen = tuple(range(len(axis))[where])
            maps.append(chosen)
            axes.append(Axis(axis.name, tuple(axis.labels[place] for place in chosen)))
        else:
            chosen = tuple(int(place) for place in where)
            maps.append(chosen)
            given = labels[position]
            axes.append(given or Axis(axis.name, tuple(axis.labels[place] for place in chosen)))
    if np.prod([1 if isinstance(m, int) else len(m) for m in maps], initial=1.0) > MOST_NUMBERS:
        raise OperandError(f"an index that picks at most {MOST_NUMBERS:,} numbers was expected")
    key = np.ix_(*[[m] if isinstance(m, int) else list(m) for m in maps]) if maps else ()
    values = np.array(arg.values[key], copy=True).reshape([len(m) for m in maps if not isinstance(m, int)])

    def at(index: Index) -> Node:
        rest = iter(index)
        return arg.at(tuple(m if isinstance(m, int) else m[next(rest)] for m in maps))

    return TracedArray(values, tuple(axes), at, view=True)


def _sizes(values: Array) -> str:
    return "x".join(map(str, values.shape)) or "a single number"


SIGNS: dict[str, Callable[..., TracedArray]] = {
    "+": elementwise("+", np.add),
    "-": elementwise("-", np.subtract),
    "*": elementwise("*", np.multiply),
    "/": elementwise("/", np.divide),
    "@": matmul,
    "neg": negate,
}

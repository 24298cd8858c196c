"""How arrays meet: number by number, exchanged axes, an index. What the signs of the formula language are made of."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tui_attention.engine.operation import OpContext, OperandError, Operation, Site, TracedArray, numbers
from tui_attention.engine.tensor import Array, Axis, Index
from tui_attention.engine.working import Node, Op, Stated

MOST_NUMBERS = 250_000


def sited(
    op: Operation, context: OpContext, args: tuple[TracedArray, ...], bare: Callable[[Index], Node]
) -> Callable[[Index], Node]:
    """`bare`, with each node told which operation of the lesson it is the result of."""

    def at(index: Index) -> Node:
        node = bare(index)
        if not isinstance(node, Op | Stated) or node.site is not None:
            return node
        return replace(
            node, site=Site(op, args, index, lambda: bare(index), context.find, context.steps, context.role)
        )

    return at


@dataclass(frozen=True, slots=True)
class Broadcast:
    """How two arrays meet number by number: the axes of the result, and which of them each side has."""

    axes: tuple[Axis, ...]
    places: tuple[tuple[int, ...], tuple[int, ...]]
    shapes: tuple[tuple[int, ...], tuple[int, ...]]

    def read(self, side: int, index: Index) -> Index:
        """Where the operand of a side is read for the result's `index`; a single number is stretched."""
        sizes = zip(self.places[side], self.shapes[side], strict=True)
        return tuple(0 if size == 1 else index[at] for at, size in sizes)

    def stretched(self, side: int, values: Array) -> Array:
        """A side's numbers with axes of length 1 where it has none of its own, as numpy wants them."""
        shape = [1] * len(self.axes)
        for at, size in zip(self.places[side], self.shapes[side], strict=True):
            shape[at] = size
        return values.reshape(shape)


def broadcast(left: TracedArray, right: TracedArray) -> Broadcast:
    """Which axis of one array meets which of the other, element by element.

    Arrays with as many axes meet in their order, as in a formula on paper. One with fewer axes meets those of the
    same names: a total for each row divides its row. Where names do not decide, sizes do if one reading is left.
    Raises OperandError where the two do not fit, or fit in more than one way.
    """
    shapes = left.shape, right.shape
    if len(left.shape) == len(right.shape):
        if any(a != b and 1 not in (a, b) for a, b in zip(*shapes, strict=True)):
            raise OperandError(_misfit(left, right))
        axes = tuple(b if len(b) > len(a) else a for a, b in zip(left.axes, right.axes, strict=True))
        return Broadcast(axes, (tuple(range(len(axes))),) * 2, shapes)
    wide, narrow = (left, right) if len(left.shape) > len(right.shape) else (right, left)
    places, everything = _meeting(wide, narrow), tuple(range(len(wide.axes)))
    return Broadcast(wide.axes, (everything, places) if wide is left else (places, everything), shapes)


def _meeting(wide: TracedArray, narrow: TracedArray) -> tuple[int, ...]:
    """The axes of `wide` that those of `narrow` meet. Raises OperandError."""
    known = {axis.name for axis in wide.axes}
    fits = []
    for places in itertools.combinations(range(len(wide.axes)), len(narrow.axes)):
        pairs = [(axis, wide.axes[at]) for axis, at in zip(narrow.axes, places, strict=True)]
        sized = all(len(own) in (1, len(other)) for own, other in pairs)
        if sized and all(own.name == other.name or own.name not in known for own, other in pairs):
            fits.append((all(own.name == other.name for own, other in pairs), places))
    found = [places for named, places in fits if named] or [places for _, places in fits]
    # Where a single number is stretched makes no difference.
    readings = {tuple(at for at, size in zip(p, narrow.shape, strict=True) if size > 1): p for p in reversed(found)}
    if len(readings) == 1:
        return next(iter(readings.values()))
    if not readings:
        raise OperandError(_misfit(wide, narrow))
    ways = [" x ".join(wide.axes[at].name for at in places) for places in sorted(readings)]
    if len(set(ways)) < len(ways):
        ways = [f"axis {' x '.join(str(at) for at in places)}" for places in sorted(readings)]
    raise OperandError(
        f"{named(narrow)} could stand for each {' or for each '.join(ways)} of {named(wide)}; "
        f"give its axis the name of the one it belongs to, by its 'axes'"
    )


def named(arg: TracedArray) -> str:
    """An operand for a sentence, with its axes: `K (3 token x 2 coordinate)`."""
    axes = " x ".join(f"{len(axis)} {axis.name}" for axis in arg.axes) or "a single number"
    return f"{arg.name or arg.text or 'a result'} ({axes})"


def _misfit(left: TracedArray, right: TracedArray) -> str:
    return f"{named(left)} and {named(right)} do not fit each other element by element"


def elementwise(
    make: Callable[[Node, Node], Node], function: Callable[[Array, Array], Array]
) -> Callable[..., TracedArray]:
    """[...], [...] -> [...]: an operation on two arrays number by number; see `broadcast` for which meet."""

    def run(context: OpContext, left: TracedArray, right: TracedArray) -> TracedArray:
        a, b = numbers(left, "the left side"), numbers(right, "the right side")
        met = broadcast(left, right)
        if np.prod([len(axis) for axis in met.axes], initial=1.0) > MOST_NUMBERS:
            raise OperandError(f"a result of at most {MOST_NUMBERS:,} numbers was expected")
        with np.errstate(all="ignore"):
            values = np.asarray(function(met.stretched(0, a), met.stretched(1, b)))  # [...]

        def bare(index: Index) -> Node:
            return make(left.at(met.read(0, index)), right.at(met.read(1, index)))

        return TracedArray(values, met.axes, bare)

    run.__doc__ = "[...], [...] -> [...]: number by number. Raises OperandError where the two do not meet."
    return run


def transpose(arg: TracedArray) -> TracedArray:
    """[..., n, m] -> [..., m, n]: `.T`, the last two axes exchanged. A view."""
    if len(arg.shape) < 2:
        raise OperandError("'.T' takes a table with two axes or more")
    axes = (*arg.axes[:-2], arg.axes[-1], arg.axes[-2])
    return TracedArray(
        np.swapaxes(arg.values, -1, -2),  # [..., m, n]
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

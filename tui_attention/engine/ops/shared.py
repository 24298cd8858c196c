"""What several operations share: reading a row, and an entry of the list."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tui_attention.engine.operation import OpContext, OperandError, Operation, Role, Slip, TracedArray, numbers
from tui_attention.engine.tensor import Array
from tui_attention.engine.working import Op, OpKind


def needs_row(arg: TracedArray, what: str) -> Array:
    """The operand's numbers. Raises OperandError when it has no row."""
    values = numbers(arg, what)
    if not values.ndim or not values.shape[-1]:
        raise OperandError(f"{what} takes a row of numbers")
    return values


def one_axis(arg: TracedArray, what: str) -> int:
    """How many there are along the operand's only axis. Raises OperandError when it has not exactly one."""
    if not isinstance(arg, TracedArray) or len(arg.shape) != 1:
        raise OperandError(f"{what} takes a row of token ids")
    return arg.shape[0]


def place_label(arg: TracedArray, place: int) -> str:
    """A place along the last axis, for a sentence: `mark 1 (b)`."""
    axis = arg.axes[-1]
    label = axis.labels[place]
    shown = f'"{label}"' if label.isspace() else label
    return f"{axis.name} {place}" if label == str(place) else f"{axis.name} {place} ({shown})"


def unary(
    kind: OpKind, function: Callable[[Array], Array], says: str = ""
) -> Callable[[OpContext, TracedArray], TracedArray]:
    """[...] -> [...]: an operation that works each number by itself; `function` does the whole array.

    `says` is what it computes, its units and what it refuses: the operation's docstring.
    """

    def run(context: OpContext, arg: TracedArray) -> TracedArray:
        with np.errstate(all="ignore"):
            values = np.asarray(function(numbers(arg, f"'{kind}'")))  # [...]
        if np.isnan(values).any():
            raise OperandError(f"'{kind}' has no value for some of these numbers")
        return TracedArray(values, arg.axes, lambda index: Op(kind, (arg.at(index),)))

    run.__doc__ = f"[...] -> [...]: {says}" if says else run.__doc__
    return run


def entry(
    name: str,
    args: str,
    run: Callable[..., TracedArray],
    says: str = "",
    slips: tuple[Slip, ...] = (),
    *,
    shapes: str = "",
    example: str = "",
    plain: str = "",
    standard: str = "",
    role: Role = "",
    view: bool = False,
    variadic: bool = False,
    slow: bool = False,
    cost: Callable[..., float] | None = None,
) -> Operation:
    """One operation of the list; `args` names the operands, parted by blanks, the rest is as in `Operation`."""
    operands = tuple(args.split())
    return Operation(
        name, operands, run, says, shapes, example, plain, standard, role, view, variadic, slow, slips, cost
    )

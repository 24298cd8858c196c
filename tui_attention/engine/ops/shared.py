"""What several operations share: reading a row, and an entry of the list."""

from __future__ import annotations

from collections.abc import Callable

from tui_attention.engine.operation import OperandError, Operation, Slip, TracedArray, numbers
from tui_attention.engine.tensor import Array


def needs_row(arg: TracedArray, what: str) -> Array:
    """The operand's numbers. Raises Refused when it has no row."""
    values = numbers(arg, what)
    if not values.ndim or not values.shape[-1]:
        raise OperandError(f"{what} takes a row of numbers")
    return values


def one_axis(arg: TracedArray, what: str) -> int:
    """How many there are along the operand's only axis. Raises Refused when it has not exactly one."""
    if not isinstance(arg, TracedArray) or len(arg.shape) != 1:
        raise OperandError(f"{what} takes a row of token ids")
    return arg.shape[0]


def place_label(arg: TracedArray, place: int) -> str:
    """A place along the last axis, for a sentence: `mark 1 (b)`."""
    axis = arg.axes[-1]
    label = axis.labels[place]
    shown = f'"{label}"' if label.isspace() else label
    return f"{axis.name} {place}" if label == str(place) else f"{axis.name} {place} ({shown})"


def entry(
    name: str,
    args: str,
    run: Callable[..., TracedArray],
    says: str = "",
    slips: tuple[Slip, ...] = (),
    *,
    standard: str = "",
    view: bool = False,
    variadic: bool = False,
    cost: Callable[..., float] | None = None,
) -> Operation:
    """One operation of the list; `args` names the operands, parted by blanks."""
    return Operation(name, tuple(args.split()), run, says, view, variadic, standard, slips, cost)

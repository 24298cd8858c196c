"""Functions of one number, element by element, and powers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from tui_attention.engine.arrays import elementwise
from tui_attention.engine.operation import (
    TABLE,
    OpContext,
    OperandError,
    Operation,
    Role,
    Site,
    Slip,
    TracedArray,
    numbers,
)
from tui_attention.engine.ops.nodes import around, each, op, over, read
from tui_attention.engine.ops.shared import entry, unary
from tui_attention.engine.working import Const, Node, OpKind, number


def power(base: Node, exponent: Node) -> Node:
    """The working of base ** exponent; a square and a root are what a pencil calls them."""
    if isinstance(exponent, Const) and exponent.value in (0.5, 2):
        return op("square" if exponent.value == 2 else "sqrt", base)
    return op("^", base, exponent)


_raised = elementwise(power, np.power)


def raised(context: OpContext, base: TracedArray, exponent: TracedArray) -> TracedArray:
    """[...], [...] -> [...]: base ** exponent. Raises OperandError where that is no number."""
    made = _raised(context, base, exponent)
    if not np.isfinite(made.values).all():
        raise OperandError("'**' has no value for some of these: a root of less than 0, or 0 to a power below 0")
    return made


def log(context: OpContext, arg: TracedArray) -> TracedArray:
    """[...] -> [...]: the natural logarithm. Raises OperandError for 0 and below."""
    if not (numbers(arg, "'log'") > 0).all():
        raise OperandError("'log' takes numbers above 0")
    return _log(context, arg)


_log = unary("log", np.log)

# ---------------------------------------------------------------- what goes wrong

_TWO, _DEGREE = number(2), Const(math.pi / 180, "pi/180")
_LN10, _LN2 = Const(math.log(10), "log(10)"), Const(math.log(2), "log(2)")

EXP_SLIPS = (
    Slip("minus-score", "exp is taken of minus the number", each(lambda x: op("exp", op("neg", x))), TABLE),
    Slip("powers-of-two", "2 is raised to the number, not e", each(lambda x: op("pow2", x))),
    Slip("neighbour-coordinate", "the place beside it is raised", around(lambda x: op("exp", x)), TABLE),
)
SQRT_SLIPS = (
    Slip("halved", "the number is halved, which is no root", each(lambda x: over(x, _TWO)), whole=True),
    Slip("squared", "the number is squared", each(lambda x: op("square", x)), whole=True),
)
LOG_SLIPS = (
    Slip("log-ten", "powers of 10 are counted, not of e", each(lambda x: over(op("log", x), _LN10))),
    Slip("log-two", "powers of 2 are counted, not of e", each(lambda x: over(op("log", x), _LN2))),
    Slip("exp-for-log", "e is raised to the number", each(lambda x: op("exp", x))),
    Slip("neighbour-coordinate", "the place beside it is worked", around(lambda x: op("log", x)), TABLE),
)


def _wave(kind: OpKind, other: OpKind) -> tuple[Slip, ...]:
    return (
        Slip("sine-cosine", "sine and cosine have changed places", each(lambda x: op(other, x))),
        Slip("degrees", "the angle is read in degrees", each(lambda x: op(kind, op("*", x, _DEGREE)))),
        Slip("angle-itself", "the angle stands there itself", each(lambda x: x)),
        Slip("neighbour-coordinate", "the place beside it is worked", around(lambda x: op(kind, x)), TABLE),
    )


def _pair(make: Callable[[Node, Node], Node]) -> Callable[[Site], Iterator[Node]]:
    def build(site: Site) -> Iterator[Node]:
        yield make(read(site, 0), read(site, 1))

    return build


POWER_SLIPS = (
    Slip(
        "multiplied",
        "the number is multiplied by the exponent",
        _pair(lambda base, exponent: op("*", base, exponent)),
    ),
    Slip(
        "exponent-exchanged",
        "base and exponent have changed places",
        _pair(lambda base, exponent: power(exponent, base)),
    ),
    Slip("not-raised", "the number stays as it is, without the exponent", _pair(lambda base, exponent: base)),
)


def _of_one(
    name: str,
    run: Callable[..., TracedArray],
    says: str,
    slips: tuple[Slip, ...],
    example: str,
    *,
    standard: str = "",
    role: Role = "",
) -> Operation:
    """A function of each number by itself: [...] -> [...]."""
    return entry(name, "x", run, says, slips, shapes="[...] -> [...]", example=example, standard=standard, role=role)


ENTRIES = (
    _of_one(
        "exp",
        unary("exp", np.exp, "e to each number."),
        "raise e to the number",
        EXP_SLIPS,
        "exp(X)",
        standard="exponential",
        role="exponential",
    ),
    _of_one(
        "sqrt",
        unary("sqrt", np.sqrt, "the root of each number. Raises OperandError below 0."),
        "take the root",
        SQRT_SLIPS,
        "sqrt(X ** 2)",
        role="root",
    ),
    _of_one(
        "log",
        log,
        "find the power of e that gives the number",
        LOG_SLIPS,
        "log(softmax(X))",
        standard="natural logarithm",
    ),
    _of_one(
        "sin",
        unary("sin", np.sin, "the sine of each angle, in radians."),
        "take the sine of the angle",
        _wave("sin", "cos"),
        "sin(X)",
    ),
    _of_one(
        "cos",
        unary("cos", np.cos, "the cosine of each angle, in radians."),
        "take the cosine of the angle",
        _wave("cos", "sin"),
        "cos(X)",
    ),
    entry(
        "**",
        "base exponent",
        raised,
        "raise to the power",
        POWER_SLIPS,
        shapes="[...], [...] -> [...]",
        example="X ** 2",
    ),
)

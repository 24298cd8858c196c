"""Element by element: exp, sqrt, and the bends."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from tui_attention.engine.operation import TABLE, OpContext, OperandError, Site, Slip, TracedArray, numbers
from tui_attention.engine.ops.nodes import beside, moved, op, over
from tui_attention.engine.ops.shared import entry
from tui_attention.engine.tensor import Array, Index
from tui_attention.engine.working import Node, Op, OpKind, number


def unary(kind: OpKind, function: Callable[[Array], Array]) -> Callable[[OpContext, TracedArray], TracedArray]:
    """An operation that works each number by itself; `function` does the whole array."""

    def run(context: OpContext, arg: TracedArray) -> TracedArray:
        with np.errstate(all="ignore"):
            values = np.asarray(function(numbers(arg, f"'{kind}'")))
        if np.isnan(values).any():
            raise OperandError(f"'{kind}' has no value for some of these numbers")
        return TracedArray(values, arg.axes, lambda index: Op(kind, (arg.at(index),)))

    return run


_erf = np.vectorize(math.erf, otypes=[np.float64])


def gelu(context: OpContext, arg: TracedArray) -> TracedArray:
    """z Phi(z), element by element, with the exact Phi(z) = (1 + erf(z / sqrt 2)) / 2."""
    z = numbers(arg, "'gelu'")
    values = 0.5 * z * (1.0 + _erf(z / math.sqrt(2.0)))
    return TracedArray(values, arg.axes, lambda index: Op("*", (arg.at(index), Op("phi", (arg.at(index),)))))


def gelu_tanh(context: OpContext, arg: TracedArray) -> TracedArray:
    """z (1 + tanh(sqrt(2/pi) (z + 0.044715 z^3))) / 2, element by element: GELU in the tanh form of GPT-2."""
    z = numbers(arg, "'gelu_tanh'")
    with np.errstate(all="ignore"):
        values = 0.5 * z * (1.0 + np.tanh(_ROOT_2_OVER_PI * (z + 0.044715 * z**3)))

    def at(index: Index) -> Node:
        x = arg.at(index)
        cube = op("*", number(0.044715), op("*", x, op("square", x)))
        inside = op("*", number(_ROOT_2_OVER_PI), op("+", x, cube))
        return op("*", op("*", number(0.5), x), op("+", number(1), op("tanh", inside)))

    return TracedArray(values, arg.axes, at)


_ROOT_2_OVER_PI = math.sqrt(2.0 / math.pi)


def relu(context: OpContext, arg: TracedArray) -> TracedArray:
    """The positive numbers as they are, 0 for the others."""
    z = numbers(arg, "'relu'")

    def at(index: Index) -> Node:
        if z[index] > 0:
            return Op("*", (number(1), arg.at(index)))
        return Op("*", (number(0), arg.at(index)))

    return TracedArray(np.maximum(z, 0.0), arg.axes, at)


# ---------------------------------------------------------------- what goes wrong


def _z(make: Callable[[Node], Node]) -> Callable[[Site], Iterator[Node]]:
    def build(site: Site) -> Iterator[Node]:
        yield make(site.args[0].at(site.index))

    return build


def _beside(make: Callable[[Node], Node]) -> Callable[[Site], Iterator[Node]]:
    """The same operation on the places before and after."""

    def build(site: Site) -> Iterator[Node]:
        for place in beside(site.index[-1], site.args[0].shape[-1]) if site.index else ():
            yield make(site.args[0].at(moved(site.index, place)))

    return build


def _gate(z: Node, gate: Node) -> Node:
    return op("*", z, gate)


def _erf_plus_one(z: Node) -> Node:
    return op("+", number(1), op("erf", z))


def _gelu(z: Node) -> Node:
    return _gate(z, op("phi", z))


_QUICK = number(1.702)
_TWO = number(2)

# The tanh form of GELU is no slip: it differs from the exact one by less than a printed digit.
GELU_SLIPS = (
    Slip("no-bend", "the number stays unbent", _z(lambda z: z)),
    Slip("relu", "what is negative becomes 0 and the rest stays", _z(lambda z: op("relu", z))),
    Slip("silu", "the gate is 1 / (1 + exp(-z)), not Phi", _z(lambda z: _gate(z, op("logistic", z)))),
    Slip(
        "sigmoid-gelu",
        "the gate is 1 / (1 + exp(-1.702 z)), a stand-in for Phi",
        _z(lambda z: _gate(z, op("logistic", op("*", _QUICK, z)))),
    ),
    Slip("phi-alone", "Phi stands alone, not multiplied by the number", _z(lambda z: op("phi", z))),
    Slip(
        "erf-without-root",
        "erf is taken of the number itself, not of it over root(2)",
        _z(lambda z: over(_gate(z, _erf_plus_one(z)), _TWO)),
    ),
    Slip("half-left-out", "the half is left out", _z(lambda z: op("*", _TWO, _gelu(z)))),
    Slip("halved", "the number is halved", _z(lambda z: over(z, _TWO))),
    Slip("gate-of-minus", "Phi is taken of minus the number", _z(lambda z: _gate(z, op("phi", op("neg", z))))),
    Slip("sign-lost", "the number's sign is lost", _z(lambda z: _gelu(op("abs", z))), TABLE),
    Slip("tanh", "tanh bends it", _z(lambda z: op("tanh", z))),
    Slip("neighbour-coordinate", "the place beside it is bent", _beside(_gelu), TABLE),
)
RELU_SLIPS = (
    Slip("no-bend", "the number stays unbent", _z(lambda z: z)),
    Slip("sign-lost", "the number's sign is lost", _z(lambda z: op("abs", z)), TABLE),
    Slip("neighbour-coordinate", "the place beside it is bent", _beside(lambda z: op("relu", z)), TABLE),
)
EXP_SLIPS = (
    Slip("minus-score", "exp is taken of minus the number", _z(lambda x: op("exp", op("neg", x))), TABLE),
    Slip("powers-of-two", "2 is raised to the number, not e", _z(lambda x: op("pow2", x))),
    Slip("neighbour-coordinate", "the place beside it is raised", _beside(lambda x: op("exp", x)), TABLE),
)
SQRT_SLIPS = (
    Slip("halved", "the number is halved, which is no root", _z(lambda x: over(x, _TWO)), whole=True),
    Slip("squared", "the number is squared", _z(lambda x: op("square", x)), whole=True),
)

ENTRIES = (
    entry("exp", "x", unary("exp", np.exp), "raise e to the number", EXP_SLIPS),
    entry("sqrt", "x", unary("sqrt", np.sqrt), "take the root", SQRT_SLIPS),
    entry(
        "gelu",
        "z",
        gelu,
        "multiply the number by Phi of itself",
        GELU_SLIPS,
        standard="GELU",
        cost=lambda z: 50 * z.values.size,
    ),
    entry("gelu_tanh", "z", gelu_tanh, "the tanh form of GELU", GELU_SLIPS, standard="GELU, tanh form"),
    entry("relu", "z", relu, "keep what is positive, put 0 for the rest", RELU_SLIPS, standard="ReLU"),
)

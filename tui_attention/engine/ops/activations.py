"""The bends, element by element: GELU, ReLU, SiLU, sigmoid, tanh."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from tui_attention.engine.operation import FINAL, RARE, TABLE, OpContext, Site, Slip, TracedArray, numbers
from tui_attention.engine.ops.nodes import around, beside, each, moved, op, over
from tui_attention.engine.ops.shared import entry, unary
from tui_attention.engine.tensor import Array, Index
from tui_attention.engine.working import Const, Node, Op, number

_erf = np.vectorize(math.erf, otypes=[np.float64])


def gelu(context: OpContext, arg: TracedArray) -> TracedArray:
    """[...] -> [...]: z Phi(z), with the exact Phi(z) = (1 + erf(z / sqrt 2)) / 2 (Hendrycks and Gimpel 2016)."""
    z = numbers(arg, "'gelu'")
    values = 0.5 * z * (1.0 + _erf(z / math.sqrt(2.0)))
    return TracedArray(values, arg.axes, lambda index: Op("*", (arg.at(index), Op("phi", (arg.at(index),)))))


def gelu_tanh(context: OpContext, arg: TracedArray) -> TracedArray:
    """[...] -> [...]: z (1 + tanh(sqrt(2/pi) (z + 0.044715 z^3))) / 2, GELU in the tanh form of GPT-2."""
    z = numbers(arg, "'gelu_tanh'")
    with np.errstate(all="ignore"):
        values = 0.5 * z * (1.0 + np.tanh(_ROOT_2_OVER_PI * (z + 0.044715 * z**3)))

    def at(index: Index) -> Node:
        x = arg.at(index)
        cube = op("*", number(0.044715), op("*", x, op("square", x)))
        inside = op("*", Const(_ROOT_2_OVER_PI, "0.7979"), op("+", x, cube))
        return op("*", op("*", number(0.5), x), op("+", number(1), op("tanh", inside)))

    return TracedArray(values, arg.axes, at)


_ROOT_2_OVER_PI = math.sqrt(2.0 / math.pi)


def relu(context: OpContext, arg: TracedArray) -> TracedArray:
    """[...] -> [...]: the positive numbers as they are, 0 for the others."""
    z = numbers(arg, "'relu'")

    def at(index: Index) -> Node:
        if z[index] > 0:
            return Op("*", (number(1), arg.at(index)))
        return Op("*", (number(0), arg.at(index)))

    return TracedArray(np.maximum(z, 0.0), arg.axes, at)


def _logistic(z: Array) -> Array:
    """1 / (1 + exp(-z)) without an overflow on either side."""
    small = np.exp(-np.abs(z))
    return np.where(z >= 0, 1.0, small) / (1.0 + small)


def _one_and_power(z: Node) -> Node:
    return Op("+", (_ONE, Op("exp", (Op("neg", (z,)),))))


def sigmoid(context: OpContext, arg: TracedArray) -> TracedArray:
    """[...] -> [...]: 1 / (1 + exp(-z))."""
    values = _logistic(numbers(arg, "'sigmoid'"))  # [...]
    return TracedArray(values, arg.axes, lambda index: Op("/", (_ONE, _one_and_power(arg.at(index)))))


def silu(context: OpContext, arg: TracedArray) -> TracedArray:
    """[...] -> [...]: z / (1 + exp(-z)), the number times its own sigmoid (Elfwing and others 2017)."""
    z = numbers(arg, "'silu'")
    values = z * _logistic(z)  # [...]
    return TracedArray(values, arg.axes, lambda index: Op("/", (arg.at(index), _one_and_power(arg.at(index)))))


# ---------------------------------------------------------------- what goes wrong


def _gate(z: Node, gate: Node) -> Node:
    return op("*", z, gate)


def _erf_plus_one(z: Node) -> Node:
    return op("+", number(1), op("erf", z))


def _gelu(z: Node) -> Node:
    return _gate(z, op("phi", z))


def _silu(z: Node) -> Node:
    return _gate(z, op("logistic", z))


def _next_line(site: Site) -> Iterator[Node]:
    """Phi is read from the line above or below in the table: the gate of the place beside."""
    z = site.args[0].at(site.index)
    for place in beside(site.index[-1], site.args[0].shape[-1]) if site.index else ():
        yield _gate(z, op("phi", site.args[0].at(moved(site.index, place))))


_QUICK = number(1.702)
_ONE, _TWO = number(1), number(2)

# The tanh form of GELU is no slip: it differs from the exact one by less than a printed digit.
GELU_SLIPS = (
    Slip("no-bend", "the number stays unbent", each(lambda z: z)),
    Slip("relu", "what is negative becomes 0 and the rest stays", each(lambda z: op("relu", z))),
    Slip("silu", "the gate is 1 / (1 + exp(-z)), not Phi", each(lambda z: _gate(z, op("logistic", z))), FINAL),
    Slip(
        "sigmoid-gelu",
        "the gate is 1 / (1 + exp(-1.702 z)), a stand-in for Phi",
        each(lambda z: _gate(z, op("logistic", op("*", _QUICK, z)))),
        RARE,
    ),
    Slip("phi-alone", "Phi stands alone, not multiplied by the number", each(lambda z: op("phi", z))),
    Slip(
        "erf-without-root",
        "erf is taken of the number itself, not of it over root(2)",
        each(lambda z: over(_gate(z, _erf_plus_one(z)), _TWO)),
        RARE,
    ),
    Slip("phi-next-line", "Phi is read one line too high or too low", _next_line, TABLE),
    Slip(
        "added", "the number and its Phi are added, not multiplied", each(lambda z: op("+", z, op("phi", z))), FINAL
    ),
    Slip("half-left-out", "the half is left out", each(lambda z: op("*", _TWO, _gelu(z))), RARE),
    Slip("halved", "the number is halved", each(lambda z: over(z, _TWO)), FINAL),
    Slip(
        "gate-of-minus", "Phi is taken of minus the number", each(lambda z: _gate(z, op("phi", op("neg", z)))), TABLE
    ),
    Slip("sign-lost", "the number's sign is lost", each(lambda z: _gelu(op("abs", z))), TABLE),
    Slip("tanh", "tanh bends it", each(lambda z: op("tanh", z)), RARE),
    Slip("neighbour-coordinate", "the place beside it is bent", around(_gelu), TABLE),
)
RELU_SLIPS = (
    Slip("no-bend", "the number stays unbent", each(lambda z: z)),
    Slip("sign-lost", "the number's sign is lost", each(lambda z: op("abs", z)), TABLE),
    Slip("neighbour-coordinate", "the place beside it is bent", around(lambda z: op("relu", z)), TABLE),
)
SILU_SLIPS = (
    Slip("no-bend", "the number stays unbent", each(lambda z: z)),
    Slip("relu", "what is negative becomes 0 and the rest stays", each(lambda z: op("relu", z))),
    Slip("gelu", "the gate is Phi, not 1 / (1 + exp(-z))", each(_gelu)),
    Slip("gate-alone", "the gate stands alone, not multiplied by the number", each(lambda z: op("logistic", z))),
    Slip(
        "gate-of-minus",
        "the gate is taken of minus the number",
        each(lambda z: _gate(z, op("logistic", op("neg", z)))),
    ),
    Slip("sign-lost", "the number's sign is lost", each(lambda z: _silu(op("abs", z))), TABLE),
    Slip("one-left-out", "the 1 below the bar is left out", each(lambda z: over(z, op("exp", op("neg", z))))),
    Slip("tanh", "tanh bends it", each(lambda z: op("tanh", z))),
    Slip("neighbour-coordinate", "the place beside it is bent", around(_silu), TABLE),
)
SIGMOID_SLIPS = (
    Slip("gate-of-minus", "the exponent keeps the number's own sign", each(lambda z: op("logistic", op("neg", z)))),
    Slip("one-left-out", "the 1 below the bar is left out", each(lambda z: over(_ONE, op("exp", op("neg", z))))),
    Slip("exp-alone", "e is raised to the number, and nothing is divided", each(lambda z: op("exp", z))),
    Slip("tanh", "tanh bends it", each(lambda z: op("tanh", z))),
    Slip("no-bend", "the number stays unbent", each(lambda z: z)),
    Slip("neighbour-coordinate", "the place beside it is bent", around(lambda z: op("logistic", z)), TABLE),
)
TANH_SLIPS = (
    Slip("no-bend", "the number stays unbent", each(lambda z: z)),
    Slip("sigmoid", "1 / (1 + exp(-z)) bends it", each(lambda z: op("logistic", z))),
    Slip("doubled", "tanh is taken of twice the number", each(lambda z: op("tanh", op("*", _TWO, z)))),
    Slip("sign-lost", "the number's sign is lost", each(lambda z: op("tanh", op("abs", z))), TABLE),
    Slip("neighbour-coordinate", "the place beside it is bent", around(lambda z: op("tanh", z)), TABLE),
)

_SAME = "[...] -> [...]"
ENTRIES = (
    entry(
        "gelu",
        "z",
        gelu,
        "multiply the number by Phi of itself",
        GELU_SLIPS,
        shapes=_SAME,
        example="gelu(X)",
        plain="bend_softly",
        standard="GELU",
        role="activation",
        cost=lambda z: 50 * z.values.size,
    ),
    entry(
        "gelu_tanh",
        "z",
        gelu_tanh,
        "the tanh form of GELU",
        GELU_SLIPS,
        shapes=_SAME,
        example="gelu_tanh(X)",
        plain="bend_softly_by_tanh",
        standard="GELU, tanh form",
        role="activation",
    ),
    entry(
        "relu",
        "z",
        relu,
        "keep what is positive, put 0 for the rest",
        RELU_SLIPS,
        shapes=_SAME,
        example="relu(X)",
        plain="cut_below_zero",
        standard="ReLU",
        role="activation",
    ),
    entry(
        "silu",
        "z",
        silu,
        "divide the number by 1 + exp of minus itself",
        SILU_SLIPS,
        shapes=_SAME,
        example="silu(X)",
        plain="bend_by_own_gate",
        standard="SiLU, Swish",
        role="activation",
    ),
    entry(
        "sigmoid",
        "z",
        sigmoid,
        "divide 1 by 1 + exp of minus the number",
        SIGMOID_SLIPS,
        shapes=_SAME,
        example="sigmoid(X)",
        plain="gate_of",
        standard="sigmoid",
        role="activation",
    ),
    entry(
        "tanh",
        "z",
        unary("tanh", np.tanh, "(e^x - e^-x) / (e^x + e^-x)."),
        "squeeze the number between -1 and 1",
        TANH_SLIPS,
        shapes=_SAME,
        example="tanh(X)",
        plain="squeeze_to_one",
        standard="hyperbolic tangent",
        role="activation",
    ),
)

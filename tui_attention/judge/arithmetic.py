"""Arithmetic that a learner typed instead of its result, as a small tree that can be worked out safely."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from tui_attention.judge.number import candidates

MAX_DEPTH: Final = 30
"""Brackets, roots, signs and powers inside one another; deeper arithmetic is not read."""

Kind = Literal[
    "sum", "product", "neg", "inv", "sqrt", "exp", "phi", "power", "log", "sin", "cos", "tanh", "sigmoid", "silu",
    "gelu", "relu", "abs", "max", "min",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Typed:
    """A typed number. `grouped` is its other value where a comma may also mark thousands, else None."""

    value: float
    grouped: float | None
    text: str


@dataclass(frozen=True, slots=True)
class NamedNumber:
    """A cell or tensor that the learner named instead of typing its number, without spaces: `q[0,2]`."""

    address: str


@dataclass(frozen=True, slots=True)
class TypedOp:
    """An operation. `a - b` is sum(a, neg(b)), `a / b` is product(a, inv(b)), `a^b` is power(a, b)."""

    kind: Kind
    args: tuple[Node, ...]


Node = Typed | NamedNumber | TypedOp


def parse(line: str) -> Node | None:
    """The tree of one line of arithmetic in plain signs, or None when it is none.

    Knows + - * / : x ^ **, brackets of every kind, sqrt, root and the root sign, exp, e^, Phi, sin, cos, log
    (natural, ln too), tanh, sigmoid, SiLU, GELU, ReLU, abs, max and min of several, a percent sign behind a number,
    and products without a sign: `1.73(0.2)`. Products and quotients are worked from the left
    whether or not their sign is written; a closing bracket missing at the end is supplied.
    None too for a lone number or name, two signs in front, words, and what is nested deeper than MAX_DEPTH.
    """
    try:
        tokens = _tokens(line)
        node = _ArithmeticParser(tokens).whole()
    except _NotArithmeticError:
        return None
    if not isinstance(node, TypedOp) or not any(token.kind in ("number", "cell") for token in tokens):
        return None
    return node


def evaluate(node: Node, cells: Mapping[str, float] | None = None, *, grouped: bool = False) -> float | None:
    """What the tree comes to, or None where that is no finite number (division by zero, root of a
    negative, overflow) or it names a cell that `cells` (address without spaces -> value) lacks.

    With `grouped`, a comma that may mark thousands does. Never raises; the work is bounded by the text.
    """
    try:
        value = _value(node, cells or {}, grouped)
    except (ArithmeticError, ValueError, KeyError):
        return None
    return value + 0.0 if math.isfinite(value) else None  # -0.0 becomes 0.0


def outcomes(node: Node, cells: Mapping[str, float] | None = None) -> tuple[float, ...]:
    """Every number the tree may come to: one, two when a comma is read both ways, none without a value."""
    values = (evaluate(node, cells), evaluate(node, cells, grouped=True))
    return tuple(dict.fromkeys(value for value in values if value is not None))


def _value(node: Node, cells: Mapping[str, float], grouped: bool) -> float:
    if isinstance(node, Typed):
        return node.grouped if grouped and node.grouped is not None else node.value
    if isinstance(node, NamedNumber):
        return cells[node.address]
    if node.kind == "product":
        return _product(node.args, cells, grouped)
    first, *others = (_value(arg, cells, grouped) for arg in node.args)
    match node.kind:
        case "sum":
            return sum(others, first)
        case "neg":
            return -first
        case "inv":
            return 1.0 / first
        case "sqrt":
            return math.sqrt(first)
        case "exp":
            return math.exp(first)
        case "power":
            return math.pow(first, others[0])
        case "max":
            return max((first, *others))
        case "min":
            return min((first, *others))
        case function:
            return _OF_ONE[function](first)


def _phi(z: float) -> float:
    return 0.5 * (1.0 + math.erf(z / math.sqrt(2.0)))


_OF_ONE: Final[Mapping[str, Callable[[float], float]]] = {
    "phi": _phi,
    "log": math.log,
    "sin": math.sin,
    "cos": math.cos,
    "tanh": math.tanh,
    "sigmoid": lambda z: 1.0 / (1.0 + math.exp(-z)),
    "silu": lambda z: z / (1.0 + math.exp(-z)),
    "gelu": lambda z: z * _phi(z),
    "relu": lambda z: max(z, 0.0),
    "abs": abs,
}


def _product(args: tuple[Node, ...], cells: Mapping[str, float], grouped: bool) -> float:
    running = 1.0
    for arg in args:
        # Divided by the divisor itself: times its inverse could differ in the last digit.
        if isinstance(arg, TypedOp) and arg.kind == "inv":
            running /= _value(arg.args[0], cells, grouped)
        else:
            running *= _value(arg, cells, grouped)
    return running


class _NotArithmeticError(Exception):
    """The line is not arithmetic."""


class _Token(NamedTuple):
    kind: Literal["number", "cell", "name", "function", "e", "sign", "end"]
    text: str


_END: Final = _Token("end", "")
_NUMBER: Final = re.compile(r"(?:[0-9]+(?:[.,'][0-9]+)*|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?")
_TIMES: Final = re.compile(r"[xX](?![^\W0-9]|\[|[0-9]+\[)")
_POWER_OF_E: Final = re.compile(r"[eE](?= ?(?:\^|\*\*))")
_CALLED: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(("square root of", "square root", "root of", "root", "sqrt", "√"), "sqrt"),
    **dict.fromkeys(("phi", "φ"), "phi"),
    **dict.fromkeys(("log", "ln"), "log"),
    "exp": "exp",
    "sin": "sin",
    "cos": "cos",
    "tanh": "tanh",
    "sigmoid": "sigmoid",
    "silu": "silu",
    "gelu": "gelu",
    "relu": "relu",
    "abs": "abs",
    "max": "max",
    "min": "min",
}
"""The words of functions, in small letters; the longer one first where one begins another."""
_FUNCTION: Final = re.compile(rf"(?:{'|'.join(_CALLED)})(?![^\W0-9])", re.IGNORECASE)
_NAME: Final = re.compile(r"[^\W0-9_]\w*( ?\[[^\[\]]*\])?")
_SIGN: Final = re.compile(r"\*\*|[-+*/:^()\[\]{}%,;]")
_PLAIN_SIGNS: Final = str.maketrans({"[": "(", "{": "(", "]": ")", "}": ")", ":": "/"})


def _tokens(line: str) -> tuple[_Token, ...]:
    tokens: list[_Token] = []
    at = 0
    while at < len(line):
        if line[at] == " ":
            at += 1
            continue
        token, at = _token(line, at, after=tokens[-1] if tokens else _END)
        tokens.append(token)
    return (*tokens, _END)


def _token(line: str, at: int, after: _Token) -> tuple[_Token, int]:
    """The token that starts at `at`, and where it ends."""
    if line[at] == "," and after.kind == "number":
        return _Token("sign", ","), at + 1
    if match := _NUMBER.match(line, at):
        first = match[0].partition(",")[0]
        apart = first and not candidates(match[0])  # 0.3,0.4 is two numbers
        text = first if apart else match[0]
        return _Token("number", text), at + len(text)
    if _is_value(after) and (match := _TIMES.match(line, at)):
        return _Token("sign", "*"), match.end()
    if match := _POWER_OF_E.match(line, at):
        return _Token("e", "e"), match.end()
    if (match := _FUNCTION.match(line, at)) and (word := match[0].lower()) in _CALLED:  # not so: s as a long s
        return _Token("function", word), match.end()
    if match := _NAME.match(line, at):
        return _Token("cell" if match[1] else "name", match[0].replace(" ", "")), match.end()
    if match := _SIGN.match(line, at):
        return _Token("sign", match[0].replace("**", "^").translate(_PLAIN_SIGNS)), match.end()
    raise _NotArithmeticError


def _is_value(token: _Token) -> bool:
    return token.kind in ("number", "cell", "name") or token.text in (")", "%")


class _ArithmeticParser:
    """Recursive descent over one line's tokens, its depth counted so that no text can exhaust the stack."""

    def __init__(self, tokens: tuple[_Token, ...]) -> None:
        self._tokens = tokens
        self._at = 0

    def whole(self) -> Node:
        node = self._sum(0)
        if self._next.kind != "end":
            raise _NotArithmeticError
        return node

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self, *signs: str) -> str | None:
        """The next token's sign, consumed, when it is one of these."""
        token = self._next
        if token.kind != "sign" or token.text not in signs:
            return None
        self._at += 1
        return token.text

    def _sum(self, depth: int) -> Node:
        terms = [self._product(depth)]
        while sign := self._take("+", "-"):
            term = self._product(depth)
            terms.append(TypedOp("neg", (term,)) if sign == "-" else term)
        return terms[0] if len(terms) == 1 else TypedOp("sum", tuple(terms))

    def _product(self, depth: int) -> Node:
        factors = [self._signed(depth)]
        while True:
            if sign := self._take("*", "/"):
                factor = self._signed(depth)
                factors.append(TypedOp("inv", (factor,)) if sign == "/" else factor)
            elif self._opens_factor():
                factors.append(self._power(depth))
            else:
                return factors[0] if len(factors) == 1 else TypedOp("product", tuple(factors))

    def _opens_factor(self) -> bool:
        """Whether a factor follows without a sign: a number only behind a bracket, `1 2` is no product."""
        token = self._next
        behind = self._tokens[self._at - 1]
        if token.kind == "number":
            return behind.text == ")"
        if token.text == "(":
            return behind.kind != "name"  # mean(...) is a word that this reader does not know
        return token.kind in ("cell", "function", "e")

    def _signed(self, depth: int) -> Node:
        sign = self._take("+", "-")
        node = self._power(depth)
        return TypedOp("neg", (node,)) if sign == "-" else node

    def _power(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise _NotArithmeticError
        if self._next.kind == "e":
            self._at += 1
            if not self._take("^"):
                raise _NotArithmeticError
            return TypedOp("exp", (self._signed(depth + 1),))
        base = self._atom(depth)
        while self._take("%"):
            base = TypedOp("product", (base, TypedOp("inv", (Typed(100.0, None, "100"),))))
        return TypedOp("power", (base, self._signed(depth + 1))) if self._take("^") else base

    def _atom(self, depth: int) -> Node:
        token = self._next
        if self._take("("):
            inside = self._sum(depth + 1)
            if not self._take(")") and self._next.kind != "end":
                raise _NotArithmeticError
            return inside
        self._at += token.kind != "end"
        match token.kind:
            case "number":
                return _typed(token.text)
            case "cell" | "name":
                return NamedNumber(token.text)
            case "function":
                return TypedOp(_CALLED[token.text], self._arguments(_CALLED[token.text], depth + 1))
            case _:
                raise _NotArithmeticError

    def _arguments(self, called: Kind, depth: int) -> tuple[Node, ...]:
        """What a function is taken of: several, apart by , or ;, for the largest and the smallest of them."""
        if called not in ("max", "min"):
            return (self._atom(depth) if self._next.text == "(" else self._signed(depth),)
        if not self._take("("):
            raise _NotArithmeticError
        found = [self._sum(depth)]
        while self._take(",", ";"):
            found.append(self._sum(depth))
        if not self._take(")") and self._next.kind != "end":
            raise _NotArithmeticError
        return tuple(found)


def _typed(text: str) -> Typed:
    numbers = candidates(text)
    if not numbers:
        raise _NotArithmeticError
    # Operands of pencil work are small, so the decimal comes first and the thousand second.
    ordered = sorted(number.value for number in numbers)
    return Typed(ordered[0], ordered[1] if len(ordered) > 1 else None, text)

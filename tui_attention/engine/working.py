"""The working of one cell: an immutable tree of addressed cells and operations.

The value, the pencil line, the honest ways of doing it by hand and the rounding noise all come from this tree.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple

from tui_attention.engine.decimals import half_even, leading, printed, quick_rounded, rounded
from tui_attention.engine.tensor import Index, address

if TYPE_CHECKING:
    from tui_attention.engine.operation import Site

# The last row is for mistakes only: no honest working uses them.
OpKind = Literal[
    "+", "-", "*", "/", "^", "neg", "sum", "square", "sqrt", "exp", "phi", "log", "sin", "cos", "tanh", "max",
    "abs", "erf", "relu", "pow2", "pow10", "logistic", "min",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of a tensor. `exact` cells (dials, token rows) are printed with all their digits."""

    tensor: str
    index: Index
    value: float
    prints: int | None
    exact: bool = False

    @property
    def address(self) -> str:
        return address(self.tensor, self.index)

    @property
    def printed(self) -> str:
        return printed(self.value, self.prints, commas=self.prints == 0)


class Ref(NamedTuple):
    """An operand: a cell with an address."""

    cell: Cell


class Const(NamedTuple):
    """A number that stands in the formula itself."""

    value: float
    text: str


@dataclass(frozen=True, slots=True)
class Op:
    """An operation on nodes. `site` tells which operation of the lesson it is the whole result of, if any."""

    kind: OpKind
    args: tuple[Node, ...]
    site: Site | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Masked:
    """A score that is not looked at: minus infinity, no working. `says` is why."""

    says: str = field(default="it is masked: minus infinity, no pencil makes it", compare=False)


@dataclass(frozen=True, slots=True)
class Stated:
    """A value that no pencil makes: `choice` (read off other cells), `stated` (a truth value) or `measured`."""

    kind: Literal["choice", "stated", "measured"]
    value: float
    says: str
    args: tuple[Node, ...] = ()
    site: Site | None = field(default=None, compare=False, repr=False)


Node = Ref | Const | Op | Masked | Stated


def number(value: float) -> Const:
    """A constant with the shortest text that says it exactly, written out: 0.00001, not 1e-05."""
    text = f"{value:g}" if float(f"{value:g}") == value else repr(float(value))
    return Const(float(value), f"{Decimal(text):f}" if "e" in text else text)


# ---------------------------------------------------------------- values


@dataclass(frozen=True, slots=True)
class Style:
    """A way of working a cell: where the operands come from and how many decimals each inner step keeps.

    `inner` None keeps all digits. `roots` is the number of decimals of the root of a constant. `own` holds the
    learner's own numbers by address; they stand in place of the printed ones. `even`: halves go to the even digit.
    `short`: operands that print more decimals are read with so many, as a mean that was asked with two.
    """

    inputs: Literal["full", "printed"] = "full"
    inner: int | None = None
    roots: int | None = None
    own: Mapping[str, float] = field(default_factory=dict)
    even: bool = False
    short: int | None = None


FULL = Style()
EXACT_ON_PRINTED = Style("printed")
PHI_DECIMALS = 4
ROOT_DECIMALS = 3


ROOTS = (4, 3, 2)
"""Decimals of the tables of roots that people use."""


def styles(asks: int, own: Mapping[str, float] | None = None) -> tuple[Style, ...]:
    """The thirteen honest styles of a cell that is asked with `asks` decimals: the machine's, then 4 x 3 by hand."""
    own = own or {}
    hands = [Style("printed", inner, roots, own) for inner in (None, asks + 2, asks + 1, asks) for roots in ROOTS]
    return (Style("full", own=own), *hands)


def even_styles(asks: int, own: Mapping[str, float] | None = None) -> tuple[Style, ...]:
    """The same by hand with halves rounded to the even digit, as some calculators and countries do."""
    return tuple(replace(style, even=True) for style in styles(asks, own)[1:] if style.inner is not None)


def short_styles(asks: int, own: Mapping[str, float] | None = None) -> tuple[Style, ...]:
    """The same by hand with every operand read to the asked decimals."""
    return tuple(replace(style, short=asks) for style in styles(asks, own)[1:])


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value)) if value > -700 else 0.0


_UNARY: dict[str, Callable[[float], float]] = {
    "neg": lambda x: -x,
    "square": lambda x: x * x,
    "sqrt": lambda x: math.sqrt(x) if x >= 0 else math.nan,
    "exp": lambda x: math.exp(x) if x < 700 else math.inf,
    "phi": lambda x: 0.5 * (1 + math.erf(x / math.sqrt(2))),
    "abs": abs,
    "tanh": math.tanh,
    "sin": math.sin,
    "cos": math.cos,
    "log": lambda x: math.log(x) if x > 0 else math.nan,
    "erf": math.erf,
    "relu": lambda x: max(x, 0.0),
    "pow2": lambda x: 2.0**x if x < 1000 else math.inf,
    "pow10": lambda x: 10.0**x if x < 300 else math.inf,
    "logistic": _logistic,
}


def _power(base: float, exponent: float) -> float:
    try:
        made = base**exponent
    except (OverflowError, ZeroDivisionError):
        return math.nan
    return made if isinstance(made, float) else math.nan  # the root of a negative number is complex


def apply(kind: OpKind, values: list[float]) -> float:
    """The result of one operation on numbers; NaN where it has none (a division by zero)."""
    if kind in ("+", "sum"):
        return math.fsum(values) if all(map(math.isfinite, values)) else sum(values)
    if kind == "-":
        return values[0] - values[1]
    if kind == "*":
        return math.prod(values)
    if kind == "/":
        return values[0] / values[1] if values[1] else math.nan
    if kind == "^":
        return _power(*values)
    if kind == "max":
        return max(values)
    if kind == "min":
        return min(values)
    return _UNARY[kind](values[0])


def evaluate(node: Node, style: Style = FULL) -> float:
    """The cell's number when worked in `style`; the last operation itself is not rounded."""
    match node:
        case Op():
            return _worked(node, style)
        case _:
            return leaf(node, style)


def _worked(node: Op, style: Style) -> float:
    """The result of an operation on operands worked in `style`.

    Where rounding has left it without one, as in 0.00 / 0.00, an operand that has become 0 keeps two digits.
    """
    values = [_inner(arg, style) for arg in node.args]
    made = apply(node.kind, values)
    if style.inputs == "full" or math.isfinite(made):
        return made
    exact = [evaluate(arg, FULL) for arg in node.args]
    made = apply(node.kind, [value or leading(true)[0] for value, true in zip(values, exact, strict=True)])
    return made if math.isfinite(made) else apply(node.kind, exact)


def leaf(node: Node, style: Style) -> float:
    """The number that an operand brings into a working of `style`."""
    match node:
        case Ref(cell):
            if style.own and cell.address in style.own:
                return style.own[cell.address]
            if style.inputs == "full" or cell.exact or cell.prints is None:
                return cell.value
            return rounded(cell.value, cell.prints if style.short is None else min(cell.prints, style.short))
        case Const(value, _):
            return value
        case Stated(value=value):
            return value
        case Masked():
            return -math.inf
        case _:
            raise TypeError(f"not a leaf: {node!r}")


def _inner(node: Node, style: Style) -> float:
    if not isinstance(node, Op):
        return leaf(node, style)
    return kept(node, _worked(node, style), style)


def kept(node: Op, value: float, style: Style) -> float:
    """The digits of an inner step's result that `style` writes down."""
    if style.inputs == "full" or node.kind == "neg":
        return value
    if node.kind == "sqrt" and isinstance(node.args[0], Const):
        return value if style.roots is None else quick_rounded(value, style.roots)
    if node.kind == "phi":
        return quick_rounded(value, min(PHI_DECIMALS, PHI_DECIMALS if style.inner is None else style.inner))
    if style.inner is None:
        return value
    return half_even(value, style.inner) if style.even else quick_rounded(value, style.inner)


def noise(node: Node, asks: int) -> float:
    """Standard deviation of the result when each inner step is off by up to half a unit of the asked place."""
    total = 0.0
    known: dict[int, float] = {}  # every part is worked once, however often it stands in the tree
    stack = [(node, 1.0)]
    while stack:
        current, slope = stack.pop()
        if not isinstance(current, Op):
            continue
        if current is not node and current.kind != "neg":
            total += slope * slope
        stack += [(arg, slope * part) for arg, part in zip(current.args, _slopes(current, known), strict=True)]
    step = 10.0**-asks / math.sqrt(12)
    return step * math.sqrt(total) if math.isfinite(total) else math.inf


def _exactly(node: Node, known: dict[int, float]) -> float:
    """The number with all digits; `known` remembers parts by id while the tree is in hand."""
    if id(node) not in known:
        inside = [_exactly(arg, known) for arg in node.args] if isinstance(node, Op) else []
        known[id(node)] = apply(node.kind, inside) if isinstance(node, Op) else leaf(node, FULL)
    return known[id(node)]


_DERIVATIVE: dict[str, Callable[[float], float]] = {
    "neg": lambda x: -1.0,
    "square": lambda x: 2 * x,
    "sqrt": lambda x: 0.5 / math.sqrt(x) if x > 0 else 0.0,
    "exp": lambda x: apply("exp", [x]),
    "phi": lambda x: math.exp(-(x**2) / 2) / math.sqrt(2 * math.pi),
    "sin": math.cos,
    "cos": lambda x: -math.sin(x),
    "log": lambda x: 1 / x if x > 0 else math.nan,
    "tanh": lambda x: 1 - math.tanh(x) ** 2,
}


def _slopes(op: Op, known: dict[int, float]) -> list[float]:
    """How much the result changes with each operand."""
    values = [_exactly(arg, known) for arg in op.args]
    match op.kind:
        case "+" | "sum":
            return [1.0] * len(values)
        case "-":
            return [1.0, -1.0]
        case "*":
            return [math.prod(values[:place] + values[place + 1 :]) for place in range(len(values))]
        case "/":
            below = values[1] or math.nan
            return [1 / below, -values[0] / below**2]
        case "^":
            base, exponent = values
            by_exponent = apply("^", values) * math.log(base) if base > 0 else 0.0
            return [exponent * apply("^", [base, exponent - 1]), by_exponent]
        case "max":
            return [float(place == values.index(max(values))) for place in range(len(values))]
        case kind if kind in _DERIVATIVE:
            return [_DERIVATIVE[kind](values[0])]
        case _:
            return [0.0] * len(values)


# ---------------------------------------------------------------- structure


def is_negation(op: Op) -> bool:
    """Whether it is a lone number with a minus before it, which is no step of its own."""
    return op.kind == "neg" and not isinstance(op.args[0], Op)


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, from the top, left to right."""
    left = [node]
    while left:
        part = left.pop()
        yield part
        if isinstance(part, Op | Stated):
            left.extend(reversed(part.args))


MOST_PARTS = 5_000
"""Numbers and operations of a working beyond which nobody goes with a pencil."""


def is_endless(node: Node) -> bool:
    """Whether a working has too many parts for a pencil."""
    return next(islice(walk(node), MOST_PARTS, None), None) is not None


def operands(node: Node) -> tuple[Cell, ...]:
    """The cells that the working reads, each once, in reading order; a stated value has none."""
    if isinstance(node, Stated):
        return ()
    return tuple(dict.fromkeys(part.cell for part in walk(node) if isinstance(part, Ref)))


def multiplies(node: Node) -> bool:
    """Whether a product or a square takes part."""
    return any(isinstance(part, Op) and part.kind in ("*", "square") for part in walk(node))


def rebuilt(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """The tree with other nodes in some places: `change` gives what stands in place of one, None to look inside.

    What is not reached stays the same object; an operation with changed operands is no longer the lesson's own.
    """
    new = change(node)
    if new is not None:
        return new
    if isinstance(node, Op):
        args = tuple(rebuilt(arg, change) for arg in node.args)
        if any(a is not b for a, b in zip(args, node.args, strict=True)):
            return Op(node.kind, args)
    return node


# ---------------------------------------------------------------- text

_LEVEL = {"+": 1, "sum": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "square": 4, "^": 4}
_FUNCTION = {"phi": "Phi"}
Show = Callable[[Cell], str]


def _show_printed(cell: Cell) -> str:
    return cell.printed


def _show_address(cell: Cell) -> str:
    return cell.address


def line(node: Node, show: Show = _show_printed) -> str:
    """The pencil line, without its result: `(1.10 - 0.1067) / 0.5736`."""
    if isinstance(node, Stated):
        return node.says
    text, _ = _text(node, show, True, False)
    return text


def formula(node: Node) -> str:
    """The same with full addresses for numbers, in + - * / ** ( ) and functions by name: anyone can recompute it."""
    if isinstance(node, Stated):
        return number(node.value).text
    text, _ = _text(node, _show_address, True, True)
    return text


def _text(node: Node, show: Show, first: bool, plain: bool) -> tuple[str, int]:
    """Text and binding strength. `first`: a leading minus needs no parentheses. `plain`: no squares."""
    match node:
        case Op(kind, args):
            return _op_text(kind, args, show, first, plain)
        case Ref(cell):
            text = show(cell)
        case Const(value, text):
            text = _exact(value, text) if plain else text
        case Stated(value=value, says=says, args=args):
            text = says if args else number(value).text  # an operand; one read off other cells tells no number
        case Masked():
            text = "-inf"
    return (f"({text})" if text.startswith("-") and not first else text), 9


def _exact(value: float, text: str) -> str:
    """The text of a constant, with all digits where it is a rounded number such as 0.7979."""
    try:
        return text if float(text) == value else repr(value)
    except ValueError:
        return text


def _op_text(kind: OpKind, args: tuple[Node, ...], show: Show, first: bool, plain: bool) -> tuple[str, int]:
    if kind == "square" and plain:
        return _op_text("*", (args[0], args[0]), show, first, plain)
    if kind not in _LEVEL:
        inside = ", ".join(_text(arg, show, True, plain)[0] for arg in args)
        return f"{_FUNCTION.get(kind, kind)}({inside})", 9
    level = _LEVEL[kind]
    texts = []
    for position, arg in enumerate(args):
        text, strength = _text(arg, show, first and position == 0 and kind not in ("square", "^", "neg"), plain)
        tight = strength < level or (strength == level and position > 0 and kind in ("-", "/"))
        tight = tight or (kind in ("square", "^") and strength < 9)
        texts.append(f"({_text(arg, show, True, plain)[0]})" if tight else text)
    if kind == "square":
        return f"{texts[0]}^2", level
    if kind == "neg":
        return (f"-{texts[0]}" if first else f"(-{texts[0]})"), level if first else 9
    joint = {"+": " + ", "sum": " + ", "-": " - ", "*": "*", "/": " / ", "^": "**" if plain else "^"}[kind]
    if kind == "*" and any(isinstance(arg, Op) and arg.kind == "/" for arg in args):
        joint = " * "
    return joint.join(texts), level


def steps(node: Node, decimals: int, prints: int | None = None) -> tuple[str, ...]:
    """The pencil's successive lines, each inner result kept to `decimals`; the last is the pencil's result.

    Line 0 is the pencil line. In each further one every operation whose operands are numbers is done.
    `prints` is the number of decimals of the result (`decimals` when None). Where they lead to no number, as
    0.00 / 0.00 does, operands and inner results that would read 0 keep two digits; what leads to none even so ends
    with the line before.
    """
    final = decimals if prints is None else prints
    lines, finite = _steps(node, decimals, final, fine=False)
    if not finite:
        lines, finite = _steps(node, decimals, final, fine=True)
    return tuple(lines if finite else lines[:-1])


def _steps(node: Node, decimals: int, final: int, *, fine: bool) -> tuple[list[str], bool]:
    """The lines as far as they are numbers, and whether all are."""
    show = _show_fine if fine else _show_printed
    lines = [line(node, show)]
    current, finite = node, True
    while isinstance(current, Op) and finite:
        current = _reduce(current, decimals, final, top=True, fine=fine)
        finite = all(math.isfinite(part.value) for part in walk(current) if isinstance(part, Const))
        text = line(current, show)
        if text != lines[-1] or not finite:
            lines.append(text)
    return lines, finite


def _show_fine(cell: Cell) -> str:
    """The printed number, or two digits of one that prints as 0 and is not."""
    if cell.exact or cell.prints is None or rounded(cell.value, cell.prints):
        return cell.printed
    value, decimals = leading(cell.value)
    return printed(value, decimals) if value else cell.printed


def _reduce(node: Node, decimals: int, final: int, *, top: bool = False, fine: bool = False) -> Node:
    if not isinstance(node, Op):
        return node
    if not any(isinstance(arg, Op) and not is_negation(arg) for arg in node.args):
        values = [_pencil_leaf(arg) for arg in node.args]
        if fine:
            values = [value or leading(evaluate(arg))[0] for value, arg in zip(values, node.args, strict=True)]
        keep = final if top else decimals
        if node.kind == "sqrt" and isinstance(node.args[0], Const) and not top:
            keep = ROOT_DECIMALS
        elif node.kind == "phi" and not top:
            keep = PHI_DECIMALS
        made = apply(node.kind, values)
        value = rounded(made, keep) + 0.0
        if fine and not top and not value:
            value, keep = leading(made, least=keep)
        return Const(value, printed(value, keep, commas=keep == 0))
    return replace(node, args=tuple(_reduce(arg, decimals, final, fine=fine) for arg in node.args))


def _pencil_leaf(node: Node) -> float:
    return evaluate(node, EXACT_ON_PRINTED)

"""Which tensors a step reads, and its shapes: `[1x6] @ [6x6] -> [1x6]`."""

from __future__ import annotations

from collections.abc import Iterator

from tui_attention.engine import formula
from tui_attention.engine.errors import LessonError
from tui_attention.engine.formula import Expr
from tui_attention.engine.graph import Graph

SLOW = frozenset({"scaling_experiment"})
"""Operations that are run when they are shown, and not before."""


def shape_text(shape: tuple[int, ...]) -> str:
    """`[1x6]`; a single number without axes says so."""
    return f"[{'x'.join(map(str, shape))}]" if shape else "1 number"


def reads(expr: Expr) -> Iterator[str]:
    """The names in a formula, in reading order, each once."""
    seen: set[str] = set()
    for name in _names(expr):
        if name not in seen:
            seen.add(name)
            yield name


def _names(expr: Expr) -> Iterator[str]:
    match expr:
        case formula.Name(name, _):
            yield name
        case formula.Neg(arg) | formula.Transpose(arg):
            yield from _names(arg)
        case formula.Binary(_, left, right):
            yield from _names(left)
            yield from _names(right)
        case formula.Indexed(base, items, _):
            yield from _names(base)
            for item in items:
                if not isinstance(item, formula.Slice):
                    yield from _names(item)
        case formula.Call(_, args, _):
            for arg in args:
                yield from _names(arg)
        case _:
            return


def calls(expr: Expr) -> frozenset[str]:
    """The operations that a formula calls by name."""
    match expr:
        case formula.Call(op, args, _):
            return frozenset({op}).union(*(calls(arg) for arg in args))
        case formula.Neg(arg) | formula.Transpose(arg):
            return calls(arg)
        case formula.Binary(_, left, right):
            return calls(left) | calls(right)
        case formula.Indexed(base, _, _):
            return calls(base)
        case _:
            return frozenset()


def is_product(expr: Expr) -> bool:
    """Whether the step multiplies two matrices."""
    return isinstance(expr, formula.Binary) and expr.op == "@"


def shapes(graph: Graph, name: str, expr: Expr) -> str:
    """The shapes that go into a step and the one that comes out; empty where single numbers alone take part."""
    out = shape_text(graph.traced(name).shape)
    match expr:
        case formula.Binary(op, left, right):
            parts = [_shape(graph, left), _shape(graph, right)]
            into = f"{parts[0]} {op} {parts[1]}"
        case formula.Call(_, args, _):
            parts = [text for text in (_shape(graph, arg) for arg in args) if text.startswith("[")]
            into = ", ".join(parts)
        case formula.Indexed(base, _, _):
            parts = [_shape(graph, base)]
            into = f"rows of {parts[0]}"
        case _:
            parts, into = [], ""
    if not any(text.startswith("[") for text in (*parts, out)):
        return ""
    return f"{into} -> {out}" if into else out


def _shape(graph: Graph, expr: Expr) -> str:
    match expr:
        case formula.Num(_, text, _):
            return text
        case formula.Name(name, _) if name in graph.inputs.texts() or name == "ticket":
            return name
        case _:
            try:
                return shape_text(graph.evaluate(expr).shape).replace("1 number", formula.spell(expr))
            except LessonError:
                return formula.spell(expr)

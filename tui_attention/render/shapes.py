"""Which tensors a step reads, and its shapes: `[1x6] @ [6x6] -> [1x6]`."""

from __future__ import annotations

from collections.abc import Sequence

from tui_attention.engine import formula
from tui_attention.engine.errors import LessonError
from tui_attention.engine.formula import Expr, Step
from tui_attention.engine.graph import Graph
from tui_attention.engine.traits import role_of
from tui_attention.lessons.model import TextTable


def shape_text(shape: tuple[int, ...]) -> str:
    """`[1x6]`; a single number without axes says so."""
    return f"[{'x'.join(map(str, shape))}]" if shape else "1 number"


def reads(expr: Expr) -> tuple[str, ...]:
    """The names in a formula, in reading order, each once."""
    return tuple(dict.fromkeys(part.name for part in formula.walk(expr) if isinstance(part, formula.Name)))


def is_product(expr: Expr) -> bool:
    """Whether the step multiplies two matrices."""
    return role_of(expr) == "projection"


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


def stands_with(table: TextTable, steps: Sequence[Step]) -> str:
    """The name of the step that a small table stands beside; empty for the stage's end.

    A table of Phi that names no step stands with the first one that reads its numbers.
    """
    if table.phi_of and not table.at:
        return next((step.name for step in steps if table.phi_of in reads(step.expr)), "")
    return table.at

"""A step as it may be told: its formula, its shapes `[1x6] @ [6x6] -> [1x6]`, what it reads. No numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tui_attention.engine import formula
from tui_attention.engine.errors import LessonError
from tui_attention.engine.formula import Expr, Step
from tui_attention.engine.graph import Graph
from tui_attention.engine.traits import is_slow, role_of, roles
from tui_attention.walk.window import Arrangement, Window, shaded

if TYPE_CHECKING:
    import numpy.typing as npt

SPLITTER = "splitter"


class StepView(NamedTuple):
    """One step. `reads` are the tensors and facts of its formula, in reading order, without itself; the list of
    marks is one of them where the step only looks their numbers up.

    `product`: it multiplies two matrices. `slow`: its numbers are measured when they are shown; `shapes` is empty
    until then, and where single numbers alone take part.
    """

    name: str
    text: str
    caption: str
    shapes: str
    reads: tuple[str, ...]
    product: bool
    slow: bool


def step_view(graph: Graph, step: Step, *, measured: bool = True) -> StepView:
    """The step; with `measured` false, nothing that takes time is computed for it."""
    known = set(graph.names()) | set(graph.program.facts)
    slow = is_slow(step.expr)
    return StepView(
        step.name,
        step.text,
        step.caption,
        _shapes(graph, step.name, step.expr) if measured or not slow else "",
        (*_list_of_marks(graph, step.expr), *(n for n in reads(step.expr) if n in known and n != step.name)),
        role_of(step.expr) == "projection",
        slow,
    )


def reads(expr: Expr) -> tuple[str, ...]:
    """The names in a formula, in reading order, each once."""
    return tuple(dict.fromkeys(part.name for part in formula.walk(expr) if isinstance(part, formula.Name)))


def _list_of_marks(graph: Graph, expr: Expr) -> tuple[str, ...]:
    """The text splitter, of which no formula speaks: without it nobody could tell the number of a mark."""
    looks_up = isinstance(expr, formula.Call) and expr.op == "tokens" and SPLITTER in graph.program.tables
    return (SPLITTER,) if looks_up else ()


def shape_text(shape: tuple[int, ...]) -> str:
    """`[1x6]`; a single number without axes says so."""
    return f"[{'x'.join(map(str, shape))}]" if shape else "1 number"


def _shapes(graph: Graph, name: str, expr: Expr) -> str:
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


def is_shares(graph: Graph, name: str, standard: str) -> bool:
    """Whether the rows of a tensor are shares that add up to one."""
    step = graph.program.by_name.get(name)
    return standard.startswith("softmax") or (step is not None and role_of(step.expr) == "shares")


def head_dividers(graph: Graph, name: str, columns: int) -> frozenset[int]:
    """The columns at which a head begins, for the rows that a step cuts into heads or glues from them."""
    heads = 0
    for step in graph.program.steps:
        if "split" in roles(step.expr) and reads(step.expr)[:1] == (name,):
            heads = graph.traced(step.name).shape[0]
        elif "join" in roles(step.expr) and step.name == name:
            heads = graph.traced(reads(step.expr)[0]).shape[0]
    if heads < 2 or columns % heads:
        return frozenset()
    each = columns // heads
    return frozenset(range(each, columns, each))


def heat_of(
    graph: Graph, how: Arrangement, name: str, values: npt.NDArray[np.float64], window: Window | None
) -> npt.NDArray[np.int8] | None:
    """The shades of what is shown of a tensor; None where there are none, or where whole rows of shares have them."""
    tensor = graph.tensor(name)
    if how.shades != "shares" and np.issubdtype(tensor.values.dtype, np.floating):
        return shaded(values, how.shades)
    return shaded(values, "shares") if window is not None and is_shares(graph, name, tensor.standard) else None

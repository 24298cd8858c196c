"""The language of lesson files for those who write them, from the tables that the program itself runs on."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from tui_attention.engine.graph import Graph
from tui_attention.engine.naming import parse
from tui_attention.engine.operation import Operation, TracedArray
from tui_attention.engine.ops import OPERATIONS
from tui_attention.lessons.declare import Key, keys
from tui_attention.lessons.load import read
from tui_attention.lessons.parts import LessonPart
from tui_attention.lessons.run import PLACEHOLDERS, LessonRun

EXAMPLE = """format = 1
id = "example"
title = "the tables that the examples read"
[vocabulary]
marks = ["a", "b", "c"]
[inputs]
prompt = "cab"
[tables.X]
axes = ["token", "coordinate"]
values = [[0.5, -1.0, 2.0, 0.0], [1.5, 0.5, -0.5, 1.0], [-2.0, 1.0, 0.5, 0.5]]
[tables.Y]
axes = ["token", "coordinate"]
values = [[1.0, 0.0, 2.0, -1.0], [0.0, 0.5, 1.0, 1.0], [0.5, 2.0, -1.0, 0.0]]
[tables.W]
axes = ["coordinate", "lane"]
values = [[1.0, 0.5], [0.0, -1.0], [0.5, 0.0], [-0.5, 2.0]]
[tables.gain]
axes = ["coordinate"]
values = [1.0, 0.5, 2.0, 1.0]
[tables.bias]
axes = ["coordinate"]
values = [0.1, 0.0, -0.2, 0.3]
[tables.speeds]
axes = ["pair"]
values = [1.0, 0.01]
[[stage]]
id = "one"
title = "one"
steps = "ids = tokens(prompt)"
"""
SIGNS = {"neg": "-x"}
FORMULAS = (
    ("name = formula   # caption", "one step a line; the caption says in words what it does"),
    ("inner name = formula", "a step that workings go through to its operands"),
    ("X.T", "the last two axes exchanged"),
    (
        "X[0], X[0,2], X[-1], X[:2], X[::-1], X[ids]",
        'an index: numbers, slices, a row of whole numbers; also a label: E["a"]',
    ),
    ("W / total", "arrays meet by the names of their axes; with as many axes on both sides, in their order"),
)
"""What formulas hold beside operations."""


def example_run() -> LessonRun:
    """The lesson that the examples of the operations are worked out in."""
    lesson = read(EXAMPLE.encode(), "example.toml")
    return LessonRun(lesson, Graph(lesson.program))


def written(operation: Operation) -> str:
    """How an operation stands in a formula: `softmax(row)`, `left @ right`."""
    if operation.name in SIGNS:
        return SIGNS[operation.name]
    if not operation.name[0].isalpha():
        left, right = operation.args
        return f"{left} {operation.name} {right}"
    more = ", ..." if operation.variadic else ""
    return f"{operation.name}({', '.join(operation.args)}{more})"


def operations() -> Iterator[dict[str, Any]]:
    """Every operation: how it is written, its names, shapes, what it does, its slips, and an example worked out."""
    run = example_run()
    for operation in OPERATIONS.values():
        made = run.graph.evaluate(parse(operation.example))
        yield {
            "name": operation.name,
            "written": written(operation),
            "plain": operation.plain,
            "standard": operation.standard,
            "operands": list(operation.args),
            "shapes": operation.shapes,
            "says": operation.says,
            "computes": " ".join(inspect.cleandoc(operation.run.__doc__ or "").split()),
            "view": operation.view,
            "slips": list(dict.fromkeys(slip.kind for slip in operation.slips)),
            "example": {"formula": operation.example, "result": _json(made)},
        }


def _json(made: TracedArray) -> Any:
    """A result with its masked places as texts: JSON has no minus infinity."""

    def cell(value: Any) -> Any:
        if isinstance(value, list):
            return [cell(inside) for inside in value]
        if isinstance(value, bool | int):
            return value
        return round(value, 6) + 0.0 if np.isfinite(value) else str(value)

    return cell(made.values.tolist())


def sections(table: type[Any] = LessonPart, name: str = "") -> Iterator[tuple[str, tuple[Key, ...]]]:
    """Every table of a lesson file with its keys: `[[stage.check]]`, `[tables.NAME]`."""
    here = keys(table)
    yield name, here
    for key in here:
        if key.kind.inside is not None:
            inner = f"{name.strip('[]')}.{key.name}".strip(".")
            inner = f"{inner}.NAME" if key.kind.form == "named" else inner
            yield from sections(key.kind.inside, f"[[{inner}]]" if key.kind.form == "tables" else f"[{inner}]")


def payload(any_working: Iterable[str] = ()) -> Mapping[str, Any]:
    """Everything, for other programs. `any_working` are the kinds of slip that belong to no operation."""
    return {
        "slips_of_any_working": list(any_working),
        "operations": list(operations()),
        "formulas": [{"form": form, "says": says} for form, says in FORMULAS],
        "keys": [
            {
                "table": name,
                "keys": [
                    {"key": key.name, "is": key.kind.says, "says": key.says, "needed": key.needed} for key in found
                ],
            }
            for name, found in sections()
        ],
        "placeholders": [{"form": each.form, "says": each.says} for each in PLACEHOLDERS],
        "example_tables": EXAMPLE,
    }


def text(width: int = 100, any_working: Iterable[str] = ()) -> str:
    """Everything, for people."""
    return "\n".join(_lines(width, payload(any_working)))


def _lines(width: int, everything: Mapping[str, Any]) -> Iterator[str]:
    yield "OPERATIONS"
    yield from _wrapped(
        "X, Y, W, gain, bias and ids in the examples are tables of --json's example_tables.", "  ", width
    )
    for found in everything["operations"]:
        yield ""
        names = [name for name in (found["standard"], found["plain"] and f"also written {found['plain']}") if name]
        yield f"  {found['written']}" + (f"   {', '.join(names)}" if names else "")
        yield f"      {found['shapes']}"
        yield from _wrapped(
            found["says"] + (" (a view: its cells are its source's)" if found["view"] else ""), "      ", width
        )
        if found["computes"]:
            yield from _wrapped(found["computes"], "      ", width)
        if found["slips"]:
            yield from _wrapped(f"slips: {' '.join(found['slips'])}", "      ", width)
        yield from _wrapped(f"{found['example']['formula']} is {_short(found['example']['result'])}", "      ", width)
    yield from ("", "SLIPS THAT ANY WORKING CAN HAVE")
    yield from _wrapped(" ".join(everything["slips_of_any_working"]), "  ", width)
    yield from ("", "FORMULAS")
    for entry in everything["formulas"]:
        yield f"  {entry['form']}"
        yield from _wrapped(entry["says"], "      ", width)
    yield from ("", "KEYS OF A LESSON FILE   (* has to be there)")
    for section in everything["keys"]:
        yield ""
        yield f"  {section['table'] or 'at the top'}"
        for key in section["keys"]:
            mark = "*" if key["needed"] else " "
            yield from _wrapped(f"{key['says']} ({key['is']})", f"  {mark} {key['key']:<15} ", width)
    yield from ("", "PLACEHOLDERS OF TEXTS")
    for entry in everything["placeholders"]:
        yield from _wrapped(entry["says"], f"  {entry['form']:<24} ", width)


def _short(result: Any) -> str:
    shown = str(result).replace("'", "")
    return shown if len(shown) <= 160 else f"{shown[:150]} ..."


def _wrapped(says: str, first: str, width: int) -> list[str]:
    rest = " " * len(first)
    made = textwrap.wrap(says, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
    return made or [first.rstrip()]

"""Where one number comes from: its pencil line, its formula, its steps and its operands."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tui_attention.engine import working as pencil
from tui_attention.engine.graph import Kind
from tui_attention.engine.shortening import shortened
from tui_attention.engine.tensor import address
from tui_attention.engine.working import Cell
from tui_attention.export.values import label, plain_number, title
from tui_attention.lessons.run import LessonRun

Number = float | int | bool | None


@dataclass(frozen=True, slots=True)
class Explained:
    """One cell. `asked` is the address that was asked for; a view's `cell` is the source cell.

    `says` is a sentence on what has no pencil. `value` is None where masked. `line` is the pencil line, the number of
    a dial, or that sentence; `formula` is, without a pencil, the number itself (`-inf` where masked). `operands` are
    cells with their values. Long sums are cut in `line`, `steps` and `short`, the formula for people, whose
    operands are `told`.
    """

    cell: str
    asked: str
    about: str
    kind: Kind
    value: Number
    prints: str
    says: str
    line: str
    formula: str
    steps: tuple[str, ...]
    operands: tuple[tuple[Cell, Number], ...]
    short: str = ""
    told: frozenset[str] = frozenset()


def explain(run: LessonRun, text: str) -> Explained:
    """The working of the cell whose address is `text`. Raises BadInput when there is no such cell."""
    graph = run.graph
    name, index = graph.locate(text)
    found = graph.working(name, index)
    cell, root = found.cell, found.root
    tensor = graph.tensor(cell.tensor)
    value = plain_number(tensor.values[cell.index].item())
    prints = str(value) if tensor.truth else cell.printed
    places = [f"{axis.name} {label(axis.labels[at])}" for axis, at in zip(tensor.axes, cell.index, strict=True)]
    about = ": ".join(filter(None, (title(tensor), ", ".join(places))))
    says = found.says or _given(run, cell.tensor)
    line, steps, short = says, tuple[str, ...](), root
    formula = np.format_float_positional(cell.value, trim="-")
    if found.kind == "dial":
        line = cell.printed
    elif found.kind == "masked":
        formula = "-inf"
    elif root is not None and found.kind == "computed":
        short = shortened(root)
        line, formula = pencil.line(short), pencil.formula(root)
        steps = pencil.steps(short, found.asks, cell.prints)
    operands = pencil.operands(root) if root is not None else ()
    return Explained(
        cell.address,
        address(name, index),
        about,
        found.kind,
        value,
        prints,
        says,
        line,
        formula,
        steps,
        tuple((operand, plain_number(operand.value)) for operand in operands),
        formula if short is root or short is None else pencil.formula(short),
        frozenset() if short is None else frozenset(cell.address for cell in pencil.operands(short)),
    )


def _given(run: LessonRun, name: str) -> str:
    """What a number is that no step makes."""
    fact = run.lesson.facts.get(name)
    if fact is not None:
        return f"a fact, from outside: {fact.source}"
    if name in run.graph.program.constants:
        return "a constant of the lesson; no step makes it"
    if name == "splitter":
        return "an entry of the text splitter: it is fixed, no step makes it and no dial turns it"
    drawn = run.variant and name in run.lesson.variants.tables()
    return f"a dial{f', drawn for variant {run.variant}' if drawn else ''}: it is given, no step makes it"


def payload(found: Explained) -> dict[str, Any]:
    """`{"cell", "value", "prints", "line", "formula", "steps", "operands": [{"cell", "value", "prints"}]}`."""
    return {
        "cell": found.cell,
        "value": found.value,
        "prints": found.prints,
        "line": found.line,
        "formula": found.formula,
        "steps": list(found.steps),
        "operands": [
            {"cell": operand.address, "value": value, "prints": operand.printed} for operand, value in found.operands
        ],
    }


# ---------------------------------------------------------------- text


def text(found: Explained, width: int = 100) -> str:
    """For people: the formula, the pencil's successive lines, and the machine's number beside."""
    return "\n".join(_lines(found, width))


def _wrapped(first: str, rest: str, body: str, width: int) -> list[str]:
    return textwrap.wrap(
        body,
        max(width, 40),
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _lines(found: Explained, width: int) -> Iterator[str]:
    yield from _wrapped("", "  ", f"{found.cell}   {found.about}".rstrip(), width)
    if found.asked != found.cell:
        yield from _wrapped("", "  ", f"{found.asked} is the same cell, seen through a view", width)
    yield ""
    if found.kind != "computed":
        yield f"  {found.cell} = {found.prints}"
        yield from _wrapped("  ", "  ", found.says, width)
        if isinstance(found.value, float) and float(found.prints.replace(",", "")) != found.value:
            yield f"  with all its digits: {found.value}"
        return
    left = max(len(found.cell), len("machine"))
    empty = "  " + " " * left
    yield from _wrapped(f"  {found.cell:<{left}} = ", f"{empty}   ", found.short, width)
    for step in found.steps:
        yield from _wrapped(f"{empty} = ", f"{empty}   ", step, width)
    yield from _wrapped(f"  {'machine':<{left}} = ", f"{empty}   ", f"{found.value}, printed {found.prints}", width)
    if found.steps and found.steps[-1] != found.prints:
        yield from _wrapped(
            "  ",
            "  ",
            f"The pencil, rounding at every step, gets {found.steps[-1]}; "
            f"the machine, with all its digits, {found.prints}.",
            width,
        )
    if found.operands:
        yield ""
        yield "  operands"
        told = [(operand, value) for operand, value in found.operands if operand.address in found.told]
        wide = max(len(operand.address) for operand, _ in told)
        digits = max(len(operand.printed) for operand, _ in told)
        for operand, value in told:
            yield f"  {operand.address:<{wide}}  {operand.printed:>{digits}}  {value}"
        if len(told) < len(found.operands):
            yield f"  and {len(found.operands) - len(told):,} more; --json has them all"

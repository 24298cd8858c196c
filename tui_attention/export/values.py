"""Tensors at full precision, as JSON and as text."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from rich.cells import cell_len

from tui_attention.engine.tensor import Axis, Index, Tensor
from tui_attention.lessons.run import LessonRun
from tui_attention.render.rows import left, right


def names(run: LessonRun, stage: str | None = None) -> tuple[str, ...]:
    """Every tensor of the lesson, dial tables and constants first; with `stage`, what that stage makes."""
    if stage is None:
        return run.graph.names()
    return tuple(step.name for step in run.lesson.stages[run.lesson.stage_index(stage)].steps)


def plain_number(value: Any) -> float | int | bool | None:
    """A number as JSON knows it: a truth value stays one, minus infinity (a masked score) is None."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    return float(value) if math.isfinite(value) else None


def _nested(values: Any) -> Any:
    return [_nested(value) for value in values] if isinstance(values, list) else plain_number(values)


def inputs(run: LessonRun) -> dict[str, str | float]:
    """The inputs that the lesson has, as they are now."""
    now = run.graph.inputs
    found = (("prompt", now.prompt), ("other", now.other), ("ticket", now.ticket))
    return {name: value for name, value in found if value is not None}


def payload(run: LessonRun, wanted: Sequence[str]) -> dict[str, Any]:
    """`{"lesson", "inputs", "tensors": {name: {"shape", "axes", "labels", "values"}}}`; floats round-trip.

    Raises BadInput for a name that the lesson lacks.
    """
    tensors = {name: run.graph.tensor(name) for name in wanted}
    return {
        "lesson": run.lesson.id,
        "inputs": inputs(run),
        "tensors": {
            name: {
                "shape": list(tensor.shape),
                "axes": [axis.name for axis in tensor.axes],
                "labels": [list(axis.labels) for axis in tensor.axes],
                "values": _nested(tensor.values.tolist()),
            }
            for name, tensor in tensors.items()
        },
    }


# ---------------------------------------------------------------- text


def full(tensor: Tensor, index: Index) -> str:
    """One cell with all its digits: `-inf` where masked, `True` or `False` for a truth value."""
    return str(tensor.values[index].item())


Show = Callable[[Tensor, Index], str]


def label(text: str) -> str:
    """A label that can be seen: a space stands in quotation marks."""
    return f'"{text}"' if text.isspace() else text


def text(run: LessonRun, wanted: Sequence[str], width: int = 100, *, as_printed: bool = False) -> str:
    """Name, plain and standard name, shape, axes, labels and every number, within `width` columns where it can be.

    `as_printed`: with the decimals that the lesson shows. Raises BadInput for a name that the lesson lacks.
    """
    cell = Tensor.text if as_printed else full
    return "\n\n".join("\n".join(_lines(run.graph.tensor(name), width, cell)) for name in wanted)


def title(tensor: Tensor) -> str:
    """The plain name with the standard one in parentheses; empty where there is neither."""
    standard = f"({tensor.standard})" if tensor.standard and tensor.standard != tensor.title else ""
    return " ".join(filter(None, (tensor.title, standard)))


def _lines(tensor: Tensor, width: int, show: Show) -> Iterator[str]:
    if not tensor.axes:
        yield f"{tensor.name} = {show(tensor, ())}" + (f"   {title(tensor)}" if title(tensor) else "")
        return
    sizes, names = "x".join(map(str, tensor.shape)), ", ".join(axis.name for axis in tensor.axes)
    yield f"{tensor.name} {sizes} [{names}]" + (f"   {title(tensor)}" if title(tensor) else "")
    for lead in np.ndindex(*tensor.shape[:-2]):
        if lead:
            yield "  " + ", ".join(
                f"{axis.name} {label(axis.labels[at])}" for axis, at in zip(tensor.axes, lead, strict=False)
            )
        yield from _matrix(tensor, lead, width, show)


def _matrix(tensor: Tensor, lead: Index, width: int, show: Show) -> Iterator[str]:
    """The last two axes as rows and columns, in as many parts as the width asks for; a single axis as a column."""
    shape, axes = tensor.shape[len(lead) :], tensor.axes[len(lead) :]
    names = [label(text) for text in axes[0].labels]
    if not all(shape):
        return  # with another prompt it has numbers
    if len(shape) == 1:
        head = max(map(cell_len, names))
        cells = [show(tensor, (*lead, row)) for row in range(shape[0])]
        wide = max(map(len, cells))
        for name, cell in zip(names, cells, strict=True):
            yield f"  {left(name, head)}  {cell:>{wide}}"
        return
    corner = f"{axes[0].name} \\ {axes[1].name}"
    head = max(map(cell_len, (corner, *names)))
    columns = [_column(tensor, lead, axes[1], column, show) for column in range(shape[1])]
    for part in _parts([cell_len(column[0]) for column in columns], width - head - 2):
        for row, name in enumerate((corner, *names)):
            yield (f"  {left(name, head)}" + "".join(f"  {columns[column][row]}" for column in part)).rstrip()


def _column(tensor: Tensor, lead: Index, axis: Axis, column: int, show: Show) -> list[str]:
    cells = [label(axis.labels[column]), *(show(tensor, (*lead, row, column)) for row in range(tensor.shape[-2]))]
    wide = max(map(cell_len, cells))
    return [right(cell, wide) for cell in cells]


def _parts(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    part: list[int] = []
    used = 0
    for column, wide in enumerate(widths):
        if part and used + wide + 2 > room:
            yield part
            part, used = [], 0
        part.append(column)
        used += wide + 2
    yield part

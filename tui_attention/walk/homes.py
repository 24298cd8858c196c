"""Where in a lesson each name first occurs: tensors and operations by the stage that makes, reads or calls them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tui_attention.engine import formula
from tui_attention.lessons.model import Lesson


class Homes(NamedTuple):
    """The number of the stage at which each tensor is made (a dial: first read), and each operation first called."""

    tensors: Mapping[str, int]
    operations: Mapping[str, int]


def homes_of(lesson: Lesson) -> Homes:
    """The first stages of all names of a lesson."""
    tensors: dict[str, int] = {}
    operations: dict[str, int] = {}
    for number, stage in enumerate(lesson.stages):
        for step in stage.steps:
            for part in formula.walk(step.expr):
                if isinstance(part, formula.Name):
                    tensors.setdefault(part.name, number)
                elif isinstance(part, formula.Call):
                    operations.setdefault(part.op, number)
            tensors.setdefault(step.name, number)
    if "prompt" in tensors:
        tensors.setdefault("splitter", tensors["prompt"])
    return Homes(tensors, operations)


__all__ = ["Homes", "homes_of"]

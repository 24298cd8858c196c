"""The cover is a type: what a renderer or a shell is given has no door to a number that is covered."""

from __future__ import annotations

import ast
import inspect
import typing
from pathlib import Path

import numpy.typing
import pytest

import tui_attention
from tui_attention.interaction.controller import Asking
from tui_attention.interaction.messages import Message, Reply
from tui_attention.interaction.summary import Summary
from tui_attention.walk import outline, questions, refs, statistics, visible
from tui_attention.walk.visible import VisibleLesson

PACKAGE = Path(tui_attention.__file__).parent
DOORS = {
    "tui_attention.engine.graph.Graph",
    "tui_attention.engine.graph.Working",
    "tui_attention.engine.operation.TracedArray",
    "tui_attention.engine.tensor.Tensor",
    "tui_attention.engine.working.Cell",
    "tui_attention.engine.working.Ref",
    "tui_attention.engine.working.Op",
    "tui_attention.lessons.run.LessonRun",
    "tui_attention.walk.opened.OpenLesson",
    "tui_attention.walk.questions.QuestionPlan",
    "tui_attention.walk.walk.Walk",
}


NAMES = {
    name: value for module in (statistics, refs, questions, outline, visible) for name, value in vars(module).items()
} | {"npt": numpy.typing}
"""What is imported for the types alone, and so is not there to be looked up."""


def given_by(kind: object) -> set[object]:
    """The types that a public attribute or a public method of a type hands out."""
    found: set[object] = set()
    if not inspect.isclass(kind):
        return found
    if not kind.__module__.startswith("tui_attention"):
        return found
    annotated = typing.get_type_hints(kind, localns=NAMES)
    found |= {hint for name, hint in annotated.items() if not name.startswith("_")}
    members = {name: member for base in reversed(kind.__mro__) for name, member in vars(base).items()}
    for name, member in members.items():
        function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if not name.startswith("_") and inspect.isfunction(function):
            found.add(typing.get_type_hints(function, localns=NAMES).get("return"))
    return found


def parts(hint: object) -> set[object]:
    """A type and what it is made of."""
    if isinstance(hint, list):  # the arguments of a callable
        return {part for one in hint for part in parts(one)}
    inner: set[object] = {hint}
    for argument in typing.get_args(hint):
        inner |= parts(argument)
    return inner


def reached(start: type) -> set[str]:
    """The names of all types that one can get at from a type through what is public."""
    seen: set[object] = set()
    left: list[object] = [start]
    while left:
        kind = left.pop()
        if kind in seen:
            continue
        seen.add(kind)
        left += [part for hint in given_by(kind) for part in parts(hint)]
    return {f"{kind.__module__}.{kind.__qualname__}" for kind in seen if inspect.isclass(kind)}


@pytest.mark.parametrize("kind", [VisibleLesson, Reply, Message, Asking, Summary])
def test_no_public_way_leads_to_an_uncovered_number(kind: type) -> None:
    found = reached(kind)
    assert len(found) > 2
    assert found & DOORS == set()


def test_the_walk_has_one_door_and_it_is_named() -> None:
    from tui_attention.walk.walk import Walk

    doors = {
        name
        for name, member in vars(Walk).items()
        if not name.startswith("_")
        and isinstance(member, property)
        and any(
            f"{part.__module__}.{part.__qualname__}" in DOORS
            for part in parts(_returned(member))
            if inspect.isclass(part)
        )
    }
    assert doors == {"opened"}


def _returned(member: property) -> object:
    return typing.get_type_hints(member.fget).get("return")


MAY_OPEN = {"ui/ahead.py", "plain/shell.py", "plain/document.py"}
"""What measures, and what compares our heads with another implementation."""


def test_only_what_measures_opens_a_lesson() -> None:
    opening = {
        str(path.relative_to(PACKAGE))
        for folder in ("render", "ui", "plain")
        for path in (PACKAGE / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if (isinstance(node, ast.Attribute) and node.attr in ("opened", "_run", "_plan", "_graph", "graph"))
        or (isinstance(node, ast.ImportFrom) and node.module == "tui_attention.walk.opened")
    }
    assert opening == MAY_OPEN

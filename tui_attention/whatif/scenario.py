"""A scenario: cells set by hand and switches thrown, as a person writes them down and hands them on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

from tui_attention.engine.decimals import rounded
from tui_attention.engine.errors import BadInput
from tui_attention.engine.graph import LARGEST_DIAL, Graph
from tui_attention.engine.switch import Switch, switched
from tui_attention.engine.tensor import Index, address
from tui_attention.lessons.run import LessonRun
from tui_attention.models.opening import model_name, open_named

SHOWN_DECIMALS = 4
"""Decimals that a fraction without an end, such as 1/3, is taken with."""
OWN_BEND = "gelu"
MOST_NAMED = 24

_SET = re.compile(r"\s*([^=]*?)\s*=\s*(.*)", re.DOTALL)


class Scenario(NamedTuple):
    """What is done otherwise. `sets` are `NAME[i,j]=NUMBER` as written, `bend` is empty for the lesson's own."""

    sets: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    bend: str = ""
    reverse: bool = False

    @property
    def switches(self) -> tuple[str, ...]:
        """The ids of the switches thrown, each once, in a fixed order of kinds."""
        bend = (self.bend,) if self.bend and self.bend != OWN_BEND else ()
        return tuple(dict.fromkeys((*self.without, *bend, *(("reverse",) if self.reverse else ()))))


@dataclass(frozen=True, slots=True)
class SetCell:
    """One cell set by hand: its place, its number, and how many decimals were typed."""

    name: str
    index: Index
    value: float
    decimals: int


def set_cell(graph: Graph, text: str) -> SetCell:
    """`E[7,0]=0.5` read. Raises BadInput, saying what was expected."""
    match = _SET.fullmatch(text)
    if not match or not match[1]:
        raise BadInput(f"{text[:60]!r} sets no cell; write a cell, = and a number, as in {_example(graph)}")
    name, index = graph.source(*graph.locate(match[1]))
    dial = graph.tensor(name).origin == "dial" and name != "splitter"
    if not dial and not graph.is_mask(name):
        tables = few([known for known in graph.program.tables if known != "splitter"])
        raise BadInput(f"{address(name, index)} can't be set: it is no cell of an input table; those are: {tables}")
    value, decimals = dial_number(match[2], f"{address(name, index)} is set to")
    return SetCell(name, index, value, decimals)


def dial_number(text: str, what: str) -> tuple[float, int]:
    """A number for a dial and its decimals. Raises BadInput for none, for one of two readings, for one too large."""
    from tui_attention.judge.reading import read

    found = read(text).numbers
    if len(found) != 1:
        several = " or ".join(number.text for number in found)
        why = f"{several}, which can't be told apart" if found else repr(text[:40])
        raise BadInput(f"{what} {why}; one number such as -0.5 was expected")
    value, decimals = found[0].value, found[0].decimals
    if decimals is None:
        value, decimals = rounded(value, SHOWN_DECIMALS), SHOWN_DECIMALS
    if abs(value) > LARGEST_DIAL:
        raise BadInput(
            f"{what} {found[0].text[:40]}; a number from -{LARGEST_DIAL:g} to {LARGEST_DIAL:g} was expected"
        )
    return value, decimals


def few(names: Sequence[str]) -> str:
    """The names, or the first of them where they are hundreds."""
    left = len(names) - MOST_NAMED
    return " ".join(names[:MOST_NAMED]) + (f" and {left:,} more" if left > 0 else "")


def _example(graph: Graph) -> str:
    name = next((known for known in graph.program.tables if known != "splitter"), "E")
    return f"{name}[0,0]=0.5"


def switches_of(run: LessonRun, wanted: Iterable[str]) -> tuple[Switch, ...]:
    """The lesson's switches of these ids. Raises BadInput for one that the lesson lacks."""
    known = run.lesson.switches
    found = []
    for name in wanted:
        if name not in known:
            few = " ".join(islice(known, MOST_NAMED))
            more = f" and {len(known) - MOST_NAMED} more of these forms" if len(known) > MOST_NAMED else ""
            has = f"its switches are: {few}{more}" if known else "it has none"
            raise BadInput(f"the lesson {run.lesson.id} has no switch {name[:40]!r}; {has}")
        found.append(known[name])
    return tuple(found)


def throw(run: LessonRun, wanted: Iterable[str]) -> LessonRun:
    """The run with exactly these switches thrown; what they do not reach is kept. Raises BadInput."""
    program = switched(run.lesson.program, switches_of(run, wanted))
    return run.with_graph(run.graph.with_program(program))


def applied(run: LessonRun, scenario: Scenario) -> LessonRun:
    """The run under a scenario: switches first, then the cells set, in their order. Raises BadInput."""
    if scenario.bend == OWN_BEND and not any(name in run.lesson.switches for name in ("tanh", "relu")):
        raise BadInput(f"the lesson {run.lesson.id} has no bend to choose")
    if scenario.switches:
        run = throw(run, scenario.switches)
    graph = run.graph
    for text in scenario.sets:
        cell = set_cell(graph, text)
        graph = graph.turn(cell.name, cell.index, cell.value, cell.decimals)
    return run.with_graph(graph)


def open_scenario(
    lesson: str,
    prompt: str | None = None,
    other: str | None = None,
    ticket: float | None = None,
    *,
    scenario: Scenario | None = None,
    variant: int | str | None = None,
    megabytes: float | None = None,
) -> LessonRun:
    """A lesson with inputs, a variant and a scenario; None keeps the lesson's own. Raises BadInput or LessonError.

    `megabytes` is what a model may keep in memory.
    """
    run = open_named(lesson, prompt, other, ticket, variant, megabytes=megabytes)
    return run if scenario is None else applied(run, scenario)


def scenario_of(run: LessonRun) -> Scenario:
    """The scenario that a run is under; `applied` to the lesson's own run with the same inputs, it gives this run."""
    sets = tuple(
        f"{address(name, index)}={_digits(value, decimals)}"
        for (name, index), (value, decimals) in run.graph.turned.items()
    )
    thrown = run.graph.program.switched
    bend = next((name for name in thrown if name in ("tanh", "relu")), "")
    without = tuple(name for name in thrown if name not in ("tanh", "relu", "reverse"))
    return Scenario(sets, without, bend, "reverse" in thrown)


def _digits(value: float, decimals: int) -> str:
    """The number with its decimals; with all of its digits where these do not give the number itself."""
    text = f"{value:.{decimals}f}"
    return text if float(text) == value else np.format_float_positional(value, trim="-")


def described(run: LessonRun) -> tuple[str, ...]:
    """What a run does otherwise than its lesson, as phrases: the cells set by hand, then the switches."""
    sets = tuple(text.replace("=", " = ") for text in scenario_of(run).sets)
    return (*sets, *(run.lesson.switches[name].title for name in run.graph.program.switched))


def command_line(run: LessonRun, lesson: str = "", verb: str = "") -> str:
    """The words that bring this very state back: `tui-attention press-h --prompt he --set 'E[7,0]=0.5'`.

    `lesson` is what the person called the lesson: its id, or the path of its file.
    """
    from shlex import join

    graph, scenario = run.graph, scenario_of(run)
    own = run.lesson.program.inputs
    model = model_name(run)
    words = ["tui-attention", *filter(None, [verb]), lesson or model or run.lesson.id]
    words += ["--prompt", graph.inputs.prompt] if model or graph.inputs.prompt != own.prompt else []
    words += ["--other", str(graph.inputs.other)] if graph.inputs.other != own.other else []
    words += ["--ticket", repr(graph.inputs.ticket)] if graph.inputs.ticket != own.ticket else []
    words += ["--variant", str(graph.program.variant)] if graph.program.variant else []
    for text in scenario.sets:
        words += ["--set", text]
    for name in scenario.without:
        words += ["--without", name]
    words += ["--bend", scenario.bend] if scenario.bend else []
    words += ["--reverse"] if scenario.reverse else []
    return join(words)

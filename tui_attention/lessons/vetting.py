"""Which draws of a lesson's tables make a good exercise: drawing, the conditions, and keeping what passed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.engine.graph import Graph
from tui_attention.engine.program import Program
from tui_attention.engine.tensor import Array
from tui_attention.engine.working import EXACT_ON_PRINTED, Cell, evaluate
from tui_attention.lessons.model import Lesson
from tui_attention.lessons.run import LessonRun, varied
from tui_attention.lessons.variants import Accept, Draw, Variants, numbers_file, read_all, with_numbers

MOST_TRIES = 20_000


@dataclass(frozen=True, eq=False, slots=True)
class Vetted:
    """A draw that passed: its seed and its numbers, table by table."""

    seed: int
    tables: Mapping[str, Array]

    def line(self, number: int, variants: Variants) -> str:
        """Its line in the file of numbers, with the decimals of the draw and no more."""
        decimals = {name: draw.decimals for draw in variants.draws for name in draw.tables}
        tables = {
            name: [[float(f"{value:.{decimals[name]}f}") for value in row] for row in values.tolist()]
            for name, values in self.tables.items()
        }
        return json.dumps({"variant": number, "seed": self.seed, "tables": tables}, separators=(",", ":"))


def drawn(lesson: Lesson, seed: int) -> Vetted:
    """Fresh numbers for every table that may be redrawn, from numpy's default generator."""
    rng = np.random.default_rng(seed)
    tables = lesson.program.tables
    return Vetted(
        seed,
        {name: _table(rng, tables[name].values, draw) for draw in lesson.variants.draws for name in draw.tables},
    )


def _table(rng: np.random.Generator, own: Array, draw: Draw) -> Array:
    unit = 10**draw.decimals
    values = rng.integers(round(draw.low * unit), round(draw.high * unit) + 1, own.shape) / unit
    return np.where(own == 0, 0.0, values) if draw.keep_zeros else values


def program_of(lesson: Lesson, tables: Mapping[str, Array], number: int) -> Program:
    """The lesson's computation on other numbers."""
    program = lesson.program
    given = {name: values.tolist() for name, values in tables.items()}
    found = with_numbers(program.tables, lesson.variants.tables(), given, numbers_file(program.file), number)
    return replace(program, tables=found, variant=number)


def faults(lesson: Lesson, program: Program) -> Iterator[str]:
    """What is wrong with some numbers as an exercise, the quickest to see first; nothing where they are good.

    Raises LessonError for a condition that is not legal.
    """
    run = LessonRun(replace(lesson, program=program), Graph(program))
    for accept in lesson.variants.accepts:
        if not _holds(run, accept):
            yield f"{accept.cells} is not {_wanted(accept)}"
    if (share := differing(run.graph)) > lesson.variants.pencil:
        yield f"{share:.1f} % of its cells print otherwise than their line; at most {lesson.variants.pencil:g} % may"


def _holds(run: LessonRun, accept: Accept) -> bool:
    values = np.atleast_1d(run.formula(accept.cells).values.astype(np.float64))
    seen = values[~np.isneginf(values)]
    if not np.isfinite(seen).all():
        return False
    if accept.gap is not None and values.shape[-1] > 1:
        rows = np.sort(values, axis=-1)
        if (rows[..., -1] - rows[..., -2] < accept.gap).any():
            return False
    bounds = (
        accept.above is None or (seen > accept.above).all(),
        accept.below is None or (seen < accept.below).all(),
        accept.within is None or (np.abs(seen) < accept.within).all(),
    )
    return all(bounds)


def _wanted(accept: Accept) -> str:
    parts = (
        ("above {:g}", accept.above),
        ("below {:g}", accept.below),
        ("nearer to zero than {:g}", accept.within),
        ("ahead by {:g}", accept.gap),
    )
    return " and ".join(says.format(number) for says, number in parts if number is not None)


def differing(graph: Graph) -> float:
    """In how many percent of the cells that a pencil makes the print differs from the line worked out exactly."""
    cells = differ = 0
    for step in graph.program.steps:
        traced = graph.traced(step.name)
        if traced.view or step.inner:
            continue
        for index in np.ndindex(*traced.shape):
            working = graph.working(step.name, index)
            if working.kind != "computed" or working.root is None or working.cell.prints is None:
                continue
            by_hand = Cell("", (), evaluate(working.root, EXACT_ON_PRINTED), working.cell.prints)
            cells += 1
            differ += by_hand.printed != working.cell.printed
    return 100 * differ / cells if cells else 0.0


def search(lesson: Lesson, more: int) -> Iterator[tuple[int, Vetted | None]]:
    """The next seeds after those that were vetted: how many were tried, and each draw that passed.

    Ends after `more` of them. Raises BadInput where too few of very many pass.
    """
    seed = max(lesson.variants.vetted, default=0)
    tries = found = 0
    while found < more:
        seed, tries = seed + 1, tries + 1
        if tries > MOST_TRIES:
            raise BadInput(f"{found} of {MOST_TRIES:,} draws pass the conditions of {lesson.id}; loosen them")
        draw = drawn(lesson, seed)
        passed = next(faults(lesson, program_of(lesson, draw.tables, 1)), None) is None
        found += passed
        yield tries, draw if passed else None


def misfits(lesson: Lesson) -> Iterator[str]:
    """Where the lesson's list of variants and the file of their numbers do not agree, or fit the tables."""
    variants = lesson.variants
    file = numbers_file(lesson.program.file)
    try:
        lines = read_all(file) if variants.vetted else []
    except LessonError as error:
        yield str(error)
        return
    seeds = tuple(line["seed"] for line in lines)
    if seeds != variants.vetted:
        yield f"'vetted' lists {variants.count} seeds, {file.name} has {len(seeds)}, and they are not the same"
        return
    for number, line in enumerate(lines, 1):
        try:
            with_numbers(lesson.program.tables, variants.tables(), line["tables"], file, number)
        except LessonError as error:
            yield str(error)


def doubts(lesson: Lesson) -> Iterator[str]:
    """Which of the variants no longer meet the lesson's conditions, and why. Raises LessonError, also for misfits."""
    for number in range(1, lesson.variants.count + 1):
        for fault in faults(lesson, varied(lesson, number).program):
            yield f"variant {number}: {fault}"


# ---------------------------------------------------------------- keeping

_LIST = re.compile(r"^vetted\s*=\s*\[[^\]]*\]\n?", re.MULTILINE)
_HEAD = re.compile(r"^\[variants\][^\n]*\n", re.MULTILINE)


def with_vetted(text: str, seeds: tuple[int, ...]) -> str:
    """The lesson file's text with another list of vetted seeds, nothing else changed. Raises BadInput."""
    lines, rest = [], [str(seed) for seed in seeds]
    while rest:
        lines.append("  " + ", ".join(rest[:15]) + ",")
        rest = rest[15:]
    told = "\n".join(["vetted = [", *lines, "]", ""])
    if _LIST.search(text):
        return _LIST.sub(told, text, count=1)
    if not _HEAD.search(text):
        raise BadInput("the lesson has no [variants]; what may be redrawn has to be said first")
    return _HEAD.sub(lambda head: head[0] + told, text, count=1)


def keep(lesson: Lesson, found: list[Vetted]) -> Path:
    """Add draws that passed to the lesson's list and to the file of numbers; which file that is. Raises OSError.

    The numbers come first: a list without numbers would be a lesson that cannot be opened.
    """
    file, numbers = Path(lesson.program.file), numbers_file(lesson.program.file)
    text = with_vetted(file.read_text("utf-8"), (*lesson.variants.vetted, *(draw.seed for draw in found)))
    kept = numbers.read_text("utf-8") if numbers.exists() else ""
    first = lesson.variants.count + 1
    lines = [draw.line(number, lesson.variants) + "\n" for number, draw in enumerate(found, first)]
    _replace(numbers, kept + "".join(lines))
    _replace(file, text)
    return numbers


def _replace(file: Path, text: str) -> None:
    """Written whole or not at all."""
    fresh = file.with_name(file.name + ".new")
    fresh.write_text(text, "utf-8")
    fresh.replace(file)

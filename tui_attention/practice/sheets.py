"""Sheets and keys for a class, written as files: one process for each core, the same bytes from run to run."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tui_attention import files
from tui_attention.engine.errors import BadInput
from tui_attention.lessons.load import load
from tui_attention.lessons.variants import chosen_for
from tui_attention.practice import as_text, typeset
from tui_attention.practice.worksheet import Worksheet, chosen_cells, places_of
from tui_attention.whatif.scenario import Scenario, open_scenario

MOST_NAMES = 1_000
_RANGE = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?")


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be printed: a lesson, its inputs, which stages, how. `size` is that of the paper."""

    lesson: str
    prompt: str | None = None
    other: str | None = None
    ticket: float | None = None
    scenario: Scenario | None = None
    stages: tuple[str, ...] = ()
    size: str = "a4"
    text: bool = False


def numbers_in(wanted: str, count: int) -> tuple[int, ...]:
    """`1-30`, `3` or `1,4,7-9` as numbers of variants, each once; "all" is every one. Raises BadInput."""
    if wanted == "all":
        return tuple(range(1, count + 1))
    found: dict[int, None] = {}
    for part in wanted.split(","):
        match = _RANGE.fullmatch(part.strip())
        first = int(match[1]) if match else 0
        last = int(match[2] or match[1]) if match else 0
        if not match or first > last:
            raise BadInput(f"{wanted[:40]!r} names no variants; 1-30, 3 or 1,4,7-9 was expected")
        if last > count:
            raise BadInput(f"there is no variant {last}; there are {count}")
        found |= dict.fromkeys(range(first, last + 1))
    return tuple(found)


def names_in(file: Path) -> tuple[str, ...]:
    """The names in a file, one a line; empty lines are passed over. Raises BadInput."""
    try:
        with file.open("rb") as found:
            text = found.read(1_000_000).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "text in UTF-8 was expected"
        raise BadInput(f"{str(file)[:200]} cannot be read: {why}") from None
    names = tuple(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))
    if not 1 <= len(names) <= MOST_NAMES:
        raise BadInput(f"{str(file)[:200]}: 1 to {MOST_NAMES:,} names, one a line, were expected")
    return names


def of_names(lesson: str, names: Iterable[str]) -> dict[str, int]:
    """Which variant goes with each name. Raises BadInput where the lesson has none."""
    found = load(lesson)
    if not found.variants.count:
        raise BadInput(f"{found.id} has no variants for names to choose from")
    return {name: chosen_for(name, found.id, found.variants.count) for name in names}


def write(folder: Path, order: Order, numbers: tuple[int, ...]) -> Iterator[str]:
    """Write sheet and key of each variant (0: the lesson's own numbers); the names of the files, in order.

    What is wrong with the order is said before anything is written. Raises BadInput, LessonError or OSError.
    """
    places, cells = _planned(order)
    if not order.text:
        typeset.installed()
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [(folder, order, number, places, cells) for number in numbers]
    workers = min(len(jobs), _cores())
    if workers < 2:
        for job in jobs:
            yield from _written(job)
        return
    with ProcessPoolExecutor(workers) as pool:
        for made in pool.map(_written, jobs):
            yield from made


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _planned(order: Order) -> tuple[tuple[int, ...], dict[str, str]]:
    """The stages on the paper, and the cells that are asked for where a CHECK leaves it open."""
    own = open_scenario(order.lesson, order.prompt, order.other, order.ticket, scenario=order.scenario)
    places = places_of(own.lesson, order.stages)
    return places, chosen_cells(own, places)


def _written(job: tuple[Path, Order, int, tuple[int, ...], dict[str, str]]) -> list[str]:
    folder, order, number, places, cells = job
    given = order.lesson, order.prompt, order.other, order.ticket
    run = open_scenario(*given, scenario=order.scenario, variant=number)
    worksheet = Worksheet(run, places, cells)
    made = []
    for paper in (worksheet.sheet(), worksheet.key()):
        if order.text:
            made.append(files.replace(folder, f"{paper.name}.txt", as_text.text(paper).encode()).name)
        else:
            made.append(files.replace(folder, f"{paper.name}.pdf", typeset.pdf(paper, order.size)).name)
    return made

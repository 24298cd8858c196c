"""Other numbers for a lesson: which tables may be redrawn, what makes a good exercise, and the numbers themselves.

The lesson file says how they are drawn and which draws were vetted; the numbers stand in a file beside it, one
variant a line, so that variant 7 is the same for everybody for ever, whatever a generator becomes.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.engine.program import Table
from tui_attention.engine.tensor import Array
from tui_attention.lessons.declare import FLAG, FORMULA, NUMBER, TEXTS, declared, many, value, whole

MOST_VARIANTS = 1_000
MOST_LINE = 1_000_000  # bytes of one variant
_LARGEST = 1e12
_SAYS = f"a list of at most {MOST_VARIANTS:,} seeds, as lint --variants writes it"
SEEDS = value(
    _SAYS,
    lambda given: (
        isinstance(given, list)
        and len(given) <= MOST_VARIANTS
        and all(type(seed) is int and 0 <= seed < 2**63 for seed in given)
    ),
    tuple,
)


@dataclass(frozen=True, slots=True)
class Draw:
    """How some tables are redrawn: evenly from `low` to `high` in steps of the last decimal.

    `keep_zeros`: what is zero in the lesson stays zero, so that the wiring stays what it is.
    """

    tables: tuple[str, ...] = field(metadata=declared(TEXTS, "the tables that are redrawn alike"))
    low: float = field(metadata=declared(NUMBER, "the smallest number drawn", name="from"))
    high: float = field(metadata=declared(NUMBER, "the largest", name="to"))
    decimals: int = field(metadata=declared(whole(0, 6), "how many decimals the drawn numbers have"))
    keep_zeros: bool = field(default=False, metadata=declared(FLAG, "leave zeros as they are"))


@dataclass(frozen=True, slots=True)
class Accept:
    """A condition on every number of a formula over the lesson's cells.

    `above` and `below` bound them, `within` their sizes without sign; `gap` is what the largest of each row has to
    be ahead of the next. What is masked is left out.
    """

    cells: str = field(metadata=declared(FORMULA, "the numbers that it is about"))
    above: float | None = field(default=None, metadata=declared(NUMBER, "all of them are above this"))
    below: float | None = field(default=None, metadata=declared(NUMBER, "all of them are below this"))
    within: float | None = field(default=None, metadata=declared(NUMBER, "all are smaller than this, signs aside"))
    gap: float | None = field(
        default=None, metadata=declared(NUMBER, "the largest of each row is ahead of the next by this")
    )


@dataclass(frozen=True, slots=True)
class Variants:
    """What a lesson says of its variants. `vetted` are the seeds that were found good, in order: variant 1, 2, ...

    `pencil`: in at most so many percent of the cells that a pencil makes may the print differ from what the line
    beside it gives when it is worked out exactly.
    """

    draws: tuple[Draw, ...] = field(
        default=(), metadata=declared(many(Draw), "what is redrawn, and how", name="draw")
    )
    accepts: tuple[Accept, ...] = field(
        default=(), metadata=declared(many(Accept), "what makes a good exercise", name="accept")
    )
    pencil: float = field(
        default=100.0, metadata=declared(NUMBER, "percent of the cells that may print otherwise than their line")
    )
    vetted: tuple[int, ...] = field(
        default=(), metadata=declared(SEEDS, "the seeds found good, written by `lint --variants`")
    )

    @property
    def count(self) -> int:
        return len(self.vetted)

    def tables(self) -> tuple[str, ...]:
        """The tables that are redrawn, in the order in which they are drawn."""
        return tuple(name for draw in self.draws for name in draw.tables)


def numbers_file(lesson_file: str) -> Path:
    """Where the numbers of a lesson's variants stand: beside the lesson."""
    path = Path(lesson_file)
    return path.with_name("variants.jsonl" if path.name == "lesson.toml" else f"{path.stem}.variants.jsonl")


def chosen_for(name: str, lesson: str, count: int) -> int:
    """The variant of somebody's name: the same on every machine, and mostly the same when there come to be more.

    Capitals and the way an accent is written make no difference. Raises BadInput for a name of nothing.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).lower().strip())
    if not folded:
        raise BadInput("--variant-for takes a name, which should not be empty")

    from hashlib import sha256

    def weight(number: int) -> bytes:
        # Highest random weight: a longer list moves a name only where the new variant wins.
        return sha256(f"{lesson}\0{folded}\0{number}".encode("utf-8", "backslashreplace")).digest()

    return max(range(1, count + 1), key=weight)


def read_numbers(file: Path, number: int) -> Mapping[str, Any]:
    """The line of one variant, from 1. Raises LessonError where the file lacks it or holds something else."""
    try:
        with file.open("rb") as lines:
            found = next(islice(_bounded(lines, file), number - 1, None), None)
    except OSError as error:
        raise LessonError(f"the numbers of its variants cannot be read: {error.strerror}", file=str(file)) from None
    if found is None:
        raise LessonError(f"variant {number} has no line", file=str(file))
    return _parsed(found, file, number)


def read_all(file: Path) -> list[Mapping[str, Any]]:
    """Every line; none where there is no file. Raises LessonError as `read_numbers`."""
    if not file.exists():
        return []
    try:
        with file.open("rb") as lines:
            found = list(_bounded(lines, file))
    except OSError as error:
        raise LessonError(f"the numbers of its variants cannot be read: {error.strerror}", file=str(file)) from None
    return [_parsed(line, file, number) for number, line in enumerate(found, 1)]


def _bounded(lines: Any, file: Path) -> Iterator[bytes]:
    """The lines, never more or longer ones than there should be."""
    for number in range(1, MOST_VARIANTS + 2):
        line = lines.readline(MOST_LINE + 1)
        if not line:
            return
        if len(line) > MOST_LINE or number > MOST_VARIANTS:
            raise LessonError(
                f"at most {MOST_VARIANTS:,} lines of {MOST_LINE:,} bytes were expected", file=str(file), line=number
            )
        yield line


def _parsed(line: bytes, file: Path, number: int) -> Mapping[str, Any]:
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        raw = None
    good = isinstance(raw, dict) and raw.get("variant") == number and isinstance(raw.get("tables"), dict)
    if not good or not isinstance(raw.get("seed"), int):
        says = f'the numbers of variant {number} were expected: {{"variant": {number}, "seed": ..., "tables": ...}}'
        raise LessonError(says, file=str(file), line=number)
    return dict(raw)


def with_numbers(
    tables: Mapping[str, Table], names: tuple[str, ...], given: Mapping[str, Any], file: Path, number: int
) -> dict[str, Table]:
    """The lesson's tables with the numbers of a variant. Raises LessonError where they do not fit the tables."""
    found = dict(tables)
    for name in names:
        table = tables[name]
        values = _numbers(given.get(name))
        if values is None or values.shape != table.values.shape:
            rows, columns = table.values.shape
            says = f"variant {number}: {rows} rows of {columns} numbers were expected for {name}"
            raise LessonError(says, file=str(file), line=number)
        found[name] = replace(table, values=values, continued_from=None)
    return found


def _numbers(raw: Any) -> Array | None:
    """A table of finite numbers; None for anything else."""
    rows = raw if isinstance(raw, list) and all(isinstance(row, list) for row in raw) else []
    width = len(rows[0]) if rows else 0
    for row in rows:
        if len(row) != width or not all(type(value) in (int, float) and abs(value) <= _LARGEST for value in row):
            return None
    return np.array(rows, dtype=np.float64) + 0.0 if width else None

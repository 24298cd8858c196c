"""What a lesson file may hold beside its stages, declared key by key, and the engine's view of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tui_attention.engine.operation import Vocabulary
from tui_attention.engine.program import Inputs, Table, TensorFormat
from tui_attention.engine.tensor import Array, Axis, Decimals, plain_axis
from tui_attention.lessons.declare import (
    COLUMN_DECIMALS,
    DECIMALS,
    IDENTIFIER,
    NAMED_NUMBERS,
    PAIR,
    TEXT,
    TEXTS,
    Fields,
    Kind,
    Origin,
    choice,
    declared,
    is_number,
    many,
    named,
    one,
    value,
    whole,
)
from tui_attention.lessons.model import Expectations, ExpectedAnswer, Fact, LogitLens, OwnSlip, Stage
from tui_attention.lessons.variants import Variants

MOST_SIDE = 4096
MOST_PROMPT = 64


@dataclass(frozen=True, slots=True)
class VocabularyPart:
    """The marks of the text splitter; a lesson without a text has none."""

    marks: tuple[str, ...] = field(metadata=declared(TEXTS, "the marks or words, in the order of their ids"))
    split: str = field(
        default="characters", metadata=declared(choice("characters", "words"), "what a text is cut into")
    )
    most: int = field(default=12, metadata=declared(whole(1, MOST_PROMPT), "the longest prompt, in marks"))


@dataclass(frozen=True, slots=True)
class InputsPart:
    """What the person may change from the command line and the app."""

    prompt: str = field(default="", metadata=declared(TEXT, "the text that `tokens(prompt)` reads"))
    other: str | None = field(default=None, metadata=declared(TEXT, "a second text, for `tokens(other)`"))
    ticket: float | None = field(
        default=None,
        metadata=declared(
            value("a number from 0 to 1", lambda given: is_number(given) and 0 <= given <= 1, float),
            "the ticket that `pick` draws by, called `ticket` in formulas",
        ),
    )


@dataclass(frozen=True, slots=True)
class Rounding:
    """Decimals where a tensor says none of its own."""

    prints: int | None = field(default=None, metadata=declared(DECIMALS, "decimals shown"))
    asks: int | None = field(default=None, metadata=declared(DECIMALS, "decimals asked for"))


@dataclass(frozen=True, slots=True)
class DefaultsPart(Rounding):
    """Decimals where a tensor says none of its own: for all, for dials alone, for results alone."""

    dials: Rounding = field(default=Rounding(), metadata=declared(one(Rounding), "for dials"))
    results: Rounding = field(default=Rounding(), metadata=declared(one(Rounding), "for results"))


def _rows(fields: Fields, name: str, given: Any) -> Array:
    """One row of numbers, or rows of numbers of one length."""
    rows = given if isinstance(given, list) and given and all(isinstance(row, list) for row in given) else [given]
    for place, row in enumerate(rows):
        path = fields.at(name) if row is given else fields.at(name, place)
        where = "" if row is given else f" row {place}"
        if not isinstance(row, list) or not row:
            raise fields.origin.error(f"{fields.what}:{where} 'values' should be rows of numbers", path)
        for column, number in enumerate(row):
            if not is_number(number):
                says = f"{fields.what}:{where} holds {number!r}, which is no number"
                raise fields.origin.error(says, (*path, column))
        if len(row) != len(rows[0]):
            says = f"row {place} has {len(row)} numbers and row 0 has {len(rows[0])}; all of one length were expected"
            raise fields.origin.error(f"{fields.what}: {says}", path)
    if len(rows) > MOST_SIDE or len(rows[0]) > MOST_SIDE:
        raise fields.fail(f"'values' should have at most {MOST_SIDE:,} rows and columns", name)
    return np.array(given, dtype=np.float64)


VALUES = Kind("rows of numbers, all of one length, or one row", _rows)


@dataclass(frozen=True, eq=False, slots=True)
class TablePart:
    """A table of dials."""

    title: str = field(default="", metadata=declared(TEXT, "its name in plain words"))
    standard: str = field(default="", metadata=declared(TEXT, "the field's name, shown once it is earned"))
    axes: tuple[str, ...] = field(default=(), metadata=declared(TEXTS, "what its rows and its columns count"))
    rows: tuple[str, ...] = field(default=(), metadata=declared(TEXTS, "a label for each row"))
    columns: tuple[str, ...] = field(default=(), metadata=declared(TEXTS, "a label for each column"))
    prints: int | None = field(
        default=None, metadata=declared(DECIMALS, "decimals shown (default: as many as the numbers have)")
    )
    asks: int | None = field(default=None, metadata=declared(DECIMALS, "decimals asked for (default: those shown)"))
    values: Array | None = field(default=None, metadata=declared(VALUES, "the numbers, row by row; or a single row"))
    values_from: str = field(
        default="", metadata=declared(TEXT, "a .csv or .npy file beside the lesson that holds the numbers instead")
    )
    continued_from: int | None = field(
        default=None, metadata=declared(whole(0, MOST_SIDE), "the first row that the printed source no longer shows")
    )


@dataclass(frozen=True, slots=True)
class TensorPart:
    """What a lesson says of the result of a step."""

    title: str = field(default="", metadata=declared(TEXT, "its name in plain words"))
    standard: str = field(default="", metadata=declared(TEXT, "the field's name, shown once it is earned"))
    prints: Decimals = field(default=None, metadata=declared(COLUMN_DECIMALS, "decimals shown"))
    asks: Decimals = field(default=None, metadata=declared(COLUMN_DECIMALS, "decimals asked for"))
    axes: tuple[str, ...] = field(default=(), metadata=declared(TEXTS, "what each of its axes counts"))
    slips: tuple[OwnSlip, ...] = field(
        default=(), metadata=declared(many(OwnSlip), "slips of the lesson's own, for all of its cells", name="slip")
    )


@dataclass(frozen=True, slots=True)
class BlockPart:
    """A block of stages; with `copies`, the same law again over other dials."""

    id: str = field(metadata=declared(IDENTIFIER, "its name"))
    title: str = field(metadata=declared(TEXT, "its name in the pipeline"))
    carry: tuple[str, ...] = field(
        default=(), metadata=declared(PAIR, "what a copy reads and what it makes: the next copy reads that")
    )
    copies: tuple[Mapping[str, Any], ...] = field(
        default=(),
        metadata=declared(
            value(
                'a list of tables such as {Wq = "Wq_2"}',
                lambda given: isinstance(given, list) and all(isinstance(one, Mapping) for one in given),
                tuple,
            ),
            "for each further copy, the dials that stand in place of the block's",
        ),
    )
    copy_title: str = field(default="", metadata=declared(TEXT, "the title of a copy; {n} is its number"))


def _formulas(fields: Fields, name: str, given: Any) -> Mapping[str, str]:
    if not isinstance(given, Mapping) or not given or not all(isinstance(text, str) for text in given.values()):
        raise fields.fail("'steps' should name a formula for each step that it touches", name)
    return given


@dataclass(frozen=True, slots=True)
class SwitchPart:
    """What can be done otherwise: other formulas for some steps."""

    id: str = field(metadata=declared(IDENTIFIER, "its name on the command line"))
    title: str = field(metadata=declared(TEXT, "what is otherwise, in plain words"))
    steps: Mapping[str, str] = field(
        metadata=declared(Kind("a table of formulas by step", _formulas), "the other formula of each step it touches")
    )


def _expected(fields: Fields, name: str, given: Any) -> Expectations:
    """`"A[1,0]" = 0.1385` with the digits that are written, and `[[expect.answer]]`."""
    if not isinstance(given, Mapping):
        raise fields.fail("'expect' should be written [expect]", name, key=True)
    inside = Fields(given, fields.origin, fields.at(name))
    answers = many(ExpectedAnswer).read(inside, "answer", given.get("answer", []))
    values = {cell: wanted for cell, wanted in given.items() if cell != "answer"}
    return Expectations(values, answers)


EXPECT = Kind("numbers by address", _expected, "open", Expectations)


@dataclass(frozen=True, slots=True)
class LessonPart:
    """A whole lesson file."""

    format: int = field(metadata=declared(value("1", lambda given: given == 1), "the version of this language: 1"))
    id: str = field(metadata=declared(IDENTIFIER, "the lesson's name on the command line"))
    title: str = field(metadata=declared(TEXT, "its title"))
    summary: str = field(default="", metadata=declared(TEXT, "one line for the list of lessons"))
    next: str = field(default="", metadata=declared(TEXT, "the lesson that comes after"))
    extends: str = field(
        default="", metadata=declared(TEXT, "a lesson, or the path of one, whose parts are used where this has none")
    )
    vocabulary: VocabularyPart | None = field(
        default=None, metadata=declared(one(VocabularyPart), "the text splitter")
    )
    inputs: InputsPart = field(default=InputsPart(), metadata=declared(one(InputsPart), "what the person may change"))
    defaults: DefaultsPart = field(default=DefaultsPart(), metadata=declared(one(DefaultsPart), "decimals"))
    constants: Mapping[str, float] = field(
        default_factory=dict, metadata=declared(NAMED_NUMBERS, "numbers that formulas use by name")
    )
    facts: Mapping[str, Fact] = field(
        default_factory=dict, metadata=declared(named(Fact), "numbers from outside, with their source")
    )
    tables: Mapping[str, TablePart] = field(default_factory=dict, metadata=declared(named(TablePart), "the dials"))
    tensors: Mapping[str, TensorPart] = field(
        default_factory=dict, metadata=declared(named(TensorPart), "names, decimals and axes of results")
    )
    block: tuple[BlockPart, ...] = field(default=(), metadata=declared(many(BlockPart), "groups of stages"))
    switch: tuple[SwitchPart, ...] = field(
        default=(), metadata=declared(many(SwitchPart), "what can be done otherwise")
    )
    lens: LogitLens | None = field(default=None, metadata=declared(one(LogitLens), "the logit lens"))
    variants: Variants = field(default=Variants(), metadata=declared(one(Variants), "other numbers for the lesson"))
    stage: tuple[Stage, ...] = field(default=(), metadata=declared(many(Stage), "the stages, in their order"))
    expect: Expectations = field(
        default=Expectations(), metadata=declared(EXPECT, 'what must come out: `"A[1,0]" = 0.1385`')
    )


# ---------------------------------------------------------------- the engine's view


def vocabulary(part: VocabularyPart | None, fields: Fields) -> Vocabulary:
    """The text splitter; without marks where the lesson has no text. Raises LessonError."""
    if part is None:
        return Vocabulary(())
    words, marks = part.split == "words", part.marks
    if not 1 <= len(marks) <= MOST_SIDE or "" in marks:
        raise fields.fail("'marks' should be a list of different texts", "marks")
    for place, mark in enumerate(marks):
        if mark in marks[:place]:
            first = marks.index(mark)
            says = f"'marks' should be a list of different texts; {mark!r} stands twice, at {first} and {place}"
            raise fields.origin.error(f"{fields.what}: {says}", fields.at("marks", place))
        if not words and len(mark) != 1:
            remedy = 'write split = "words"' if mark.split() == [mark] else "a mark is one character"
            says = f"every mark should be one character, not {mark[:40]!r}; {remedy}"
            raise fields.origin.error(f"{fields.what}: {says}", fields.at("marks", place))
        if words and mark.split() != [mark]:
            says = f"no word should hold a space, as {mark[:40]!r} does"
            raise fields.origin.error(f"{fields.what}: {says}", fields.at("marks", place))
    return Vocabulary(marks, words, part.most)


def inputs(part: InputsPart) -> Inputs:
    """What the person may change, as the engine knows it."""
    return Inputs(part.prompt, part.other, part.ticket)


def splitter(marks: Vocabulary) -> dict[str, Table]:
    """The table `splitter`, where there is a vocabulary."""
    if not marks.marks:
        return {}
    values = np.arange(len(marks.marks), dtype=np.int64)
    axis = Axis("word" if marks.words else "mark", marks.marks)
    return {"splitter": Table("splitter", values, (axis,), 0, "text splitter", "tokenizer")}


def digits(number: float) -> int:
    """How many decimals it takes to write a number out."""
    return len(np.format_float_positional(number, trim="-").partition(".")[2])


def table(name: str, part: TablePart, fields: Fields, defaults: DefaultsPart) -> Table:
    """The dials as the engine knows them. Raises LessonError."""
    if (part.values is None) is not bool(part.values_from):
        raise fields.fail("either 'values' or 'values_from' was expected")
    values = part.values
    if values is None:
        from tui_attention.lessons.beside import numbers_from

        values = numbers_from(part.values_from, fields)
    if not np.isfinite(values).all() or np.abs(values).max(initial=0) > 1e12:
        raise fields.fail("numbers from -1e12 to 1e12 were expected")
    default = ("row", "column")[-values.ndim :]
    names = part.axes or default
    if len(names) != values.ndim:
        count = "the axis of the row" if values.ndim == 1 else "the two axes of the table"
        raise fields.fail(f"'axes' should name {count}", "axes")
    labels = {"rows": part.rows, "columns": part.columns}
    axes = []
    for where, axis, size in zip(("rows", "columns")[-values.ndim :], names, values.shape, strict=True):
        given = labels[where]
        if given and len(given) != size:
            raise fields.fail(f"{where!r} should name all {size} of them, not {len(given)}", where)
        axes.append(Axis(axis, given) if given else plain_axis(axis, size))
    needed = max((digits(float(number)) for number in values.flat), default=0)
    prints = part.prints if part.prints is not None else _first(defaults.dials.prints, defaults.prints, None)
    if prints is None:
        prints = min(needed, 12)
    elif 0 <= prints < needed:
        index = next(i for i in np.ndindex(*values.shape) if digits(float(values[i])) > prints)
        shown, path = (
            np.format_float_positional(float(values[index]), trim="-"),
            fields.at("values", *map(int, index)),
        )
        says = f"'prints = {prints}' hides digits of {shown}; prints = {needed} shows them all"
        raise fields.origin.error(f"{fields.what}: {says}", path if part.values is not None else fields.path)
    asks = part.asks if part.asks is not None else _first(defaults.dials.asks, defaults.asks, None)
    return Table(
        name,
        values,
        tuple(axes),
        prints,
        part.title,
        part.standard,
        part.continued_from,
        None if asks is None else min(asks, prints),
    )


def _first(*given: int | None) -> int | None:
    return next((number for number in given if number is not None), None)


def format_of(part: TensorPart) -> TensorFormat:
    """What the lesson says of a result, as the engine knows it."""
    return TensorFormat(part.prints, part.asks, part.axes, part.title, part.standard)


def results(defaults: DefaultsPart) -> tuple[int, int | None]:
    """Decimals that results print and ask for where they say none of their own."""
    prints = _first(defaults.results.prints, defaults.prints)
    return 2 if prints is None else prints, _first(defaults.results.asks, defaults.asks)


def at(fields: Origin, *path: str | int) -> Fields:
    """A part of the file by its path."""
    raw: Any = fields.raw
    for part in path:
        raw = raw.get(part, {}) if isinstance(raw, Mapping) else raw[part]
    return Fields(raw, fields, path)

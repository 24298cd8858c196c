"""Reading the fields of a lesson file with one clear sentence for each thing that is not as expected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tui_attention.engine.errors import LessonError
from tui_attention.engine.formula import NAME
from tui_attention.engine.operation import Vocabulary
from tui_attention.engine.program import Inputs, Table, TensorFormat
from tui_attention.engine.tensor import Axis, Decimals, plain_axis
from tui_attention.lessons.model import Fact
from tui_attention.lessons.variants import MOST_VARIANTS, Accept, Draw, Variants

_NONE = object()
MOST_SIDE = 4096


@dataclass(frozen=True, slots=True)
class Fields:
    """A TOML table. Every getter raises LessonError with the file and what was expected, as does anything else."""

    raw: Mapping[str, Any]
    file: str
    what: str

    def __post_init__(self) -> None:
        if not isinstance(self.raw, Mapping):
            raise LessonError(f"{self.what} should be a table", file=self.file)

    def fail(self, message: str) -> LessonError:
        return LessonError(f"{self.what}: {message}", file=self.file)

    def _get(self, key: str, kind: type | tuple[type, ...], name: str, default: Any) -> Any:
        value = self.raw.get(key, default)
        if value is _NONE:
            raise self.fail(f"{key!r} is missing; {name} was expected")
        if value is not default and (not isinstance(value, kind) or isinstance(value, bool) is not (kind is bool)):
            raise self.fail(f"{key!r} should be {name}")
        return value

    def text(self, key: str, default: Any = _NONE) -> str:
        return str(self._get(key, str, "a text", default))

    def flag(self, key: str) -> bool:
        return bool(self._get(key, bool, "true or false", False))

    def number(self, key: str) -> int | None:
        value = self._get(key, int, "a whole number", None)
        if value is not None and not -6 <= value <= 12:
            raise self.fail(f"{key!r} should be a number of decimals from 0 to 12 (-6 to -1: by powers of ten)")
        return None if value is None else int(value)

    def texts(self, key: str) -> tuple[str, ...]:
        found = self._get(key, list, "a list of texts", [])
        if not all(isinstance(text, str) for text in found):
            raise self.fail(f"{key!r} should be a list of texts")
        return tuple(found)

    def lists(self, key: str) -> list[list[Any]]:
        found = self._get(key, list, "a list of lists", [])
        if not all(isinstance(row, list) for row in found):
            raise self.fail(f"{key!r} should be a list of lists")
        return list(found)

    def pairs(self, key: str) -> list[tuple[str, str]]:
        found = self.lists(key)
        if not all(len(row) == 2 and all(isinstance(text, str) for text in row) for row in found):
            raise self.fail(f"{key!r} should be a list of pairs of texts")
        return [(row[0], row[1]) for row in found]

    def pair(self, key: str) -> tuple[str, str]:
        found = self.texts(key)
        if len(found) != 2:
            raise self.fail(f"{key!r} should be a pair of names")
        return found[0], found[1]

    def tables_of(self, key: str) -> list[dict[str, Any]]:
        found = self._get(key, list, f"written [[{key}]]", [])
        if not all(isinstance(table, dict) for table in found):
            raise self.fail(f"{key!r} should be written [[{key}]]")
        return list(found)

    def table_of(self, key: str) -> dict[str, Any]:
        return dict(self._get(key, dict, f"written [{key}]", {}))

    def named(self, key: str) -> dict[str, Any]:
        """A table whose keys are names that formulas can use."""
        found = self.table_of(key)
        for name in found:
            if not NAME.fullmatch(name):
                raise self.fail(f"[{key}]: letters, digits and _ were expected for a name, not {name[:40]!r}")
        return found


@dataclass(frozen=True, slots=True)
class Dials:
    """Everything of a lesson's computation but its steps."""

    vocabulary: Vocabulary
    inputs: Inputs
    tables: dict[str, Table]
    constants: dict[str, float]
    facts: dict[str, Fact]
    settings: dict[str, TensorFormat]
    prints: int


def dials(top: Fields) -> Dials:
    """Vocabulary, inputs, tables, constants, facts and settings of a lesson file. Raises LessonError."""
    file = top.file
    vocabulary = _vocabulary(Fields(top.table_of("vocabulary"), file, "[vocabulary]"))
    tables = {"splitter": _splitter(vocabulary)}
    for name, raw in top.named("tables").items():
        tables[name] = _table(name, Fields(raw, file, f"[tables.{name}]"))
    facts = {}
    for name, raw in top.named("facts").items():
        fields = Fields(raw, file, f"[facts.{name}]")
        facts[name] = Fact(name, _value(fields), fields.text("source"), fields.number("prints") or 0)
    constants = {}
    for name, value in top.named("constants").items():
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise LessonError(f"the constant {name!r} should be a number", file=file)
        constants[name] = float(value)
    settings = {name: _setting(Fields(raw, file, f"[tensors.{name}]")) for name, raw in top.named("tensors").items()}
    defaults = Fields(top.table_of("defaults"), file, "[defaults]").number("prints")
    inputs = _inputs(Fields(top.table_of("inputs"), file, "[inputs]"))
    return Dials(vocabulary, inputs, tables, constants, facts, settings, 2 if defaults is None else defaults)


def _vocabulary(fields: Fields) -> Vocabulary:
    marks, kind = fields.texts("marks"), fields.text("split", "characters")
    if not 1 <= len(marks) <= MOST_SIDE or len(set(marks)) < len(marks) or "" in marks:
        raise fields.fail("'marks' should be a list of different texts")
    if kind not in ("characters", "words"):
        raise fields.fail('\'split\' is "characters" or "words"')
    if kind == "characters" and any(len(mark) != 1 for mark in marks):
        raise fields.fail("every mark should be one character")
    if kind == "words" and any(mark.split() != [mark] for mark in marks):
        raise fields.fail("no word should hold a space")
    most = fields._get("most", int, "a whole number", 12)
    if not 1 <= most <= 64:
        raise fields.fail("'most' should be a whole number from 1 to 64")
    return Vocabulary(marks, kind == "words", most)


def _splitter(vocabulary: Vocabulary) -> Table:
    values = np.arange(len(vocabulary.marks), dtype=np.int64)
    kind = "word" if vocabulary.words else "mark"
    return Table("splitter", values, (Axis(kind, vocabulary.marks),), 0, "text splitter", "tokenizer")


def _inputs(fields: Fields) -> Inputs:
    ticket = fields._get("ticket", (int, float), "a number", None)
    other = fields._get("other", str, "a text", None)
    if ticket is not None and not 0 <= ticket <= 1:
        raise fields.fail("'ticket' should be from 0 to 1")
    return Inputs(fields.text("prompt"), other, None if ticket is None else float(ticket))


def _value(fields: Fields) -> float:
    return float(fields._get("value", (int, float), "a number", _NONE))


def _table(name: str, fields: Fields) -> Table:
    rows = fields.lists("values")
    width = len(rows[0]) if rows else 0
    good = all(
        len(row) == width and all(isinstance(v, int | float) and not isinstance(v, bool) for v in row) for row in rows
    )
    if not width or not good or len(rows) > MOST_SIDE or width > MOST_SIDE:
        raise fields.fail("'values' should be rows of numbers, all of one length")
    axes = fields.texts("axes") or ("row", "column")
    if len(axes) != 2:
        raise fields.fail("'axes' should name the two axes of the table")
    labels = []
    for key, axis, size in (("rows", axes[0], len(rows)), ("columns", axes[1], width)):
        given = fields.texts(key)
        if given and len(given) != size:
            raise fields.fail(f"{key!r} should name all {size} of them")
        labels.append(Axis(axis, given) if given else plain_axis(axis, size))
    prints = fields.number("prints")
    continued = fields._get("continued_from", int, "a whole number", None)
    return Table(
        name,
        np.array(rows, dtype=np.float64),
        (labels[0], labels[1]),
        2 if prints is None else prints,
        fields.text("title", ""),
        fields.text("standard", ""),
        continued,
    )


def _setting(fields: Fields) -> TensorFormat:
    return TensorFormat(
        _decimals(fields, "prints"),
        _decimals(fields, "asks"),
        fields.texts("axes"),
        fields.text("title", ""),
        fields.text("standard", ""),
    )


def _decimals(fields: Fields, key: str) -> Decimals:
    given = fields.raw.get(key)
    if isinstance(given, list):
        if not given or not all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= 12 for n in given):
            raise fields.fail(f"{key!r} should be a number of decimals, or a list of them, one for each column")
        return tuple(given)
    return fields.number(key)


def variants(fields: Fields, tables: Mapping[str, Table]) -> Variants:
    """What the lesson says of its variants. Raises LessonError."""
    draws = tuple(_draw(Fields(raw, fields.file, "[[variants.draw]]"), tables) for raw in fields.tables_of("draw"))
    names = [name for draw in draws for name in draw.tables]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise fields.fail(f"the table {twice!r} is drawn twice")
    accepts = tuple(_accept(Fields(raw, fields.file, "[[variants.accept]]")) for raw in fields.tables_of("accept"))
    vetted = fields._get("vetted", list, "a list of seeds", [])
    if len(vetted) > MOST_VARIANTS or not all(type(seed) is int and 0 <= seed < 2**63 for seed in vetted):
        raise fields.fail(
            f"'vetted' should be a list of at most {MOST_VARIANTS:,} seeds, as lint --variants writes it"
        )
    if vetted and not draws:
        raise fields.fail("'vetted' lists seeds, but no [[variants.draw]] says what they draw")
    pencil = fields._get("pencil", (int, float), "a number of percent", 100)
    return Variants(draws, accepts, float(pencil), tuple(vetted))


def _draw(fields: Fields, tables: Mapping[str, Table]) -> Draw:
    names = fields.texts("tables")
    for name in names:
        if name not in tables or name == "splitter":
            raise fields.fail(f"{name[:40]!r} is no table that can be redrawn")
    decimals = fields.number("decimals")
    low, high = (float(fields._get(key, (int, float), "a number", _NONE)) for key in ("from", "to"))
    if not names or not low < high or decimals is None or not 0 <= decimals <= 6:
        raise fields.fail("'tables', 'from', a larger 'to' and 'decimals' from 0 to 6 were expected")
    return Draw(names, low, high, decimals, fields.flag("keep_zeros"))


def _accept(fields: Fields) -> Accept:
    bounds = [fields._get(key, (int, float), "a number", None) for key in ("above", "below", "within", "gap")]
    if all(bound is None for bound in bounds):
        raise fields.fail("one of 'above', 'below', 'within', 'gap' was expected")
    return Accept(fields.text("cells"), *(None if bound is None else float(bound) for bound in bounds))

"""How a lesson file is declared: each key once, on the dataclass that it becomes a field of.

`field(metadata=declared(TEXT, "what it is for"))` says what may stand in the file and what for. From that one line
come the reading of the file, the keys that are legal, the nearest legal one to a key that is not, and the author's
reference. A field without a default has to be in the file. Faults are LessonErrors with file, line and column.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from tui_attention.engine.errors import LessonError
from tui_attention.engine.formula import NAME

if TYPE_CHECKING:
    from tui_attention.lessons.positions import Located, Path

T = TypeVar("T")


@dataclasses.dataclass(frozen=True, eq=False)
class Source:
    """A lesson file: its name and its text."""

    file: str
    text: str

    @cached_property
    def located(self) -> Located:
        """Where everything stands; found when something is wrong, and not before."""
        from tui_attention.lessons.positions import locate

        return locate(self.text)


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class Origin:
    """What a lesson was read from: its tables, its own file, and the files that other parts were taken over from."""

    raw: Mapping[str, Any]
    main: Source
    others: Mapping[Path, Source] = dataclasses.field(default_factory=dict)

    def source(self, path: Path) -> Source:
        """The file that the part is written in."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.others:
                return self.others[path[:length]]
        return self.main

    def error(self, message: str, path: Path = (), part: str = "", *, key: bool = False) -> LessonError:
        """A fault in a part of the file: at its value, at `part` of that, or at its key."""
        source = self.source(path)
        line, column = source.located.of(path, part, key=key) if path else (0, 0)
        return LessonError(message, file=source.file, line=line, column=column)

    def inside(self, error: LessonError, path: Path) -> LessonError:
        """A fault in a text of several lines, its place counted from the file's beginning."""
        source = self.source(path)
        line, column = source.located.inside(path, error.line or 1, error.column or 1)
        return LessonError(error.message, file=source.file, line=line, column=column)

    def begins(self, text: str, path: Path) -> tuple[str, int, int]:
        """The file and line where a text of several lines begins, and how many columns stand before it."""
        source = self.source(path)
        at = source.text.find(text)  # in nearly every lesson it stands there as it is, and once
        if at < 0 or not text:
            line, column = source.located.inside(path, 1, 1)
            return source.file, line, column - 1
        return source.file, source.text.count("\n", 0, at) + 1, at - (source.text.rfind("\n", 0, at) + 1)

    def label(self, path: Path) -> str:
        """What a part is called in a sentence: `stage flatten, plot 1`, `check flatten.2`, `[tables.E]`."""
        match path:
            case ("stage", int(place), *rest):
                stage = self._id(path[:2], place)
                match rest:
                    case ("check", int(number), *more):
                        deeper = f", {more[0]} {more[1] + 1}" if len(more) > 1 and isinstance(more[1], int) else ""
                        return f"check {stage}.{number + 1}{deeper}"
                    case (str(key), int(number), *_):
                        return f"stage {stage}, {key} {number + 1}"
                return f"stage {stage}"
            case (str(key), int(place), *_):
                return f"{key} {self._id(path[:2], place)}"
            case (str(), *_):
                return f"[{'.'.join(str(part) for part in path if isinstance(part, str))}]"
        return "the lesson"

    def _id(self, path: Path, place: int) -> str:
        table: Any = self.raw
        for part in path:
            table = table[part]
        name = table.get("id") if isinstance(table, Mapping) else None
        return name if isinstance(name, str) else str(place + 1)


class Fields(NamedTuple):
    """A table of a lesson file, and where it stands."""

    raw: Mapping[str, Any]
    origin: Origin
    path: Path = ()

    @property
    def what(self) -> str:
        return self.origin.label(self.path)

    def fail(self, message: str, name: str = "", part: str = "", *, key: bool = False) -> LessonError:
        """A fault of this table, or of what one of its keys holds."""
        path = (*self.path, name) if name else self.path
        return self.origin.error(f"{self.what}: {message}", path, part, key=key)

    def at(self, *more: str | int) -> Path:
        return (*self.path, *more)


Read = Callable[[Fields, str, Any], Any]
Form = Literal["value", "table", "tables", "named", "open"]


class Kind(NamedTuple):
    """What may stand under a key: how to say it, how to read it, and what is declared inside a table."""

    says: str
    read: Read
    form: Form = "value"
    inside: type[Any] | None = None


class Key(NamedTuple):
    """One key of a lesson file."""

    name: str
    kind: Kind
    says: str
    needed: bool
    default: Any


def declared(kind: Kind, says: str, *, name: str = "") -> dict[str, Any]:
    """The declaration of a field: what may stand there, what it is for, its name in the file where it differs."""
    return {"key": (kind, says, name)}


def keys(table: type[Any]) -> tuple[Key, ...]:
    """The keys of a table, in their order."""
    found = []
    for field in dataclasses.fields(table):
        if "key" in field.metadata:
            kind, says, name = field.metadata["key"]
            needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
            default = None if needed or field.default is dataclasses.MISSING else field.default
            found.append(Key(name or field.name, kind, says, needed, default))
    return tuple(found)


def _no_table(given: object) -> str:
    """What would be right where a table was expected."""
    many = isinstance(given, list) and given and isinstance(given[0], Mapping)
    return "written in single brackets, once" if many else "a table"


def build(table: type[T], fields: Fields, **more: Any) -> T:
    """The table as an object of its dataclass; `more` are fields that are not in the file. Raises LessonError."""
    if not isinstance(fields.raw, Mapping):
        raise fields.origin.error(f"{fields.what} should be {_no_table(fields.raw)}", fields.path)
    given = dict(more)
    for field in dataclasses.fields(table):  # type: ignore[arg-type]
        if "key" not in field.metadata:
            continue
        kind, _, other = field.metadata["key"]
        name = other or field.name
        if name in fields.raw:
            given[field.name] = kind.read(fields, name, fields.raw[name])
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise fields.fail(f"{name!r} is missing: {kind.says}", name)
    return table(**given)


# ---------------------------------------------------------------- kinds of values


def value(says: str, fits: Callable[[Any], bool], make: Callable[[Any], Any] = lambda given: given) -> Kind:
    """A value that `fits`, made into what the lesson holds."""

    def read(fields: Fields, name: str, given: Any) -> Any:
        if not fits(given):
            raise fields.fail(f"{name!r} should be {says}", name)
        return make(given)

    return Kind(says, read)


def is_number(given: Any) -> bool:
    """Whether it is a number; TOML's true and false are none."""
    return isinstance(given, int | float) and not isinstance(given, bool)


def _texts(given: Any) -> bool:
    return isinstance(given, list) and all(isinstance(text, str) for text in given)


def _text_rows(given: Any) -> bool:
    return isinstance(given, list) and all(isinstance(row, list) for row in given)


def _pairs(given: Any) -> bool:
    return _text_rows(given) and all(len(row) == 2 and _texts(row) for row in given)


def joined(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())


def paragraphs(text: str) -> tuple[str, ...]:
    """A text cut at its empty lines, each paragraph on one line."""
    return tuple(joined(part) for part in text.split("\n\n") if part.strip())


def _is_text(given: Any) -> bool:
    return isinstance(given, str)


def whole(low: int, high: int) -> Kind:
    """A whole number from low to high."""
    return value(
        f"a whole number from {low:,} to {high:,}",
        lambda given: isinstance(given, int) and not isinstance(given, bool) and low <= given <= high,
    )


def choice(*words: str) -> Kind:
    """One of a few words."""
    says = f"one of {' '.join(words)}"

    def read(fields: Fields, name: str, given: Any) -> Any:
        if given not in words:
            raise fields.fail(f"{name!r} is {says}, not {str(given)[:40]!r}", name)
        return given

    return Kind(says, read)


TEXT = value("a text", _is_text)
FORMULA = value("a formula", _is_text)
LINES = value("a text, its lines kept", _is_text, lambda given: given.strip("\n"))
PARAGRAPH = value("a text", _is_text, joined)
PARAGRAPHS = value("a text, its paragraphs parted by empty lines", _is_text, paragraphs)
FLAG = value("true or false", lambda given: isinstance(given, bool))
NUMBER = value("a number", is_number, float)
TEXTS = value("a list of texts", _texts, tuple)
ROWS = value("a list of lists", _text_rows, lambda rows: tuple(tuple(map(str, row)) for row in rows))
PAIRS = value(
    'a list of pairs of texts, [["own name", "standard name"]]',
    _pairs,
    lambda rows: tuple((row[0], row[1]) for row in rows),
)
PAIR = value("a pair of names", lambda given: _texts(given) and len(given) == 2, tuple)

_DECIMALS = "a number of decimals from 0 to 12 (-6 to -1: by powers of ten)"


def _decimals(fields: Fields, name: str, given: Any) -> Any:
    if not isinstance(given, int) or isinstance(given, bool):
        raise fields.fail(f"{name!r} should be a whole number", name)
    if not -6 <= given <= 12:
        raise fields.fail(f"{name!r} should be {_DECIMALS}", name)
    return given


def _column_decimals(fields: Fields, name: str, given: Any) -> Any:
    if not isinstance(given, list):
        return _decimals(fields, name, given)
    if not given or not all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= 12 for n in given):
        raise fields.fail(f"{name!r} should be a number of decimals, or a list of them, one for each column", name)
    return tuple(given)


_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,60}")


def _identifier(fields: Fields, name: str, given: Any) -> str:
    """An id: it may become part of a file's name."""
    text = str(TEXT.read(fields, name, given))
    if not _ID.fullmatch(text):
        raise fields.fail(f"{name!r} should be letters, digits, - and _, not {text[:40]!r}", name)
    return text


IDENTIFIER = Kind("letters, digits, - and _", _identifier)
DECIMALS = Kind(_DECIMALS, _decimals)
COLUMN_DECIMALS = Kind(f"{_DECIMALS}, or a list of them, one for each column", _column_decimals)


# ---------------------------------------------------------------- tables inside


def one(table: type[Any]) -> Kind:
    """A table: `[vocabulary]`."""

    def read(fields: Fields, name: str, given: Any) -> Any:
        if not isinstance(given, Mapping):
            raise fields.fail(f"{name!r} should be written [{name}]", name, key=True)
        return build(table, Fields(given, fields.origin, fields.at(name)))

    return Kind("a table", read, "table", table)


def listed(fields: Fields, name: str, given: Any) -> tuple[Fields, ...]:
    """The tables of a `[[stage.note]]`. Raises LessonError where it is written otherwise."""
    if not isinstance(given, list) or not all(isinstance(one, Mapping) for one in given):
        above = "".join(f"{part}." for part in fields.path if isinstance(part, str))
        raise fields.fail(f"{name!r} should be written [[{above}{name}]]", name, key=True)
    return tuple(Fields(inside, fields.origin, fields.at(name, place)) for place, inside in enumerate(given))


def many(table: type[Any]) -> Kind:
    """Any number of tables: `[[stage.note]]`."""

    def read(fields: Fields, name: str, given: Any) -> Any:
        return tuple(build(table, inside) for inside in listed(fields, name, given))

    return Kind("tables", read, "tables", table)


def _names(fields: Fields, name: str, given: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(given, Mapping):
        raise fields.fail(f"{name!r} should be written [{name}]", name, key=True)
    for called, inside in given.items():
        if not NAME.fullmatch(called):
            message = f"[{name}]: letters, digits and _ were expected for a name, not {called[:40]!r}"
            raise fields.origin.error(message, fields.at(name, called), key=True)
        yield called, inside


def named(table: type[Any]) -> Kind:
    """Tables with names of the author's choice: `[tables.Wq]`; it becomes the field `name`, where there is one."""

    def read(fields: Fields, name: str, given: Any) -> Any:
        own = {"name"} & {field.name for field in dataclasses.fields(table)}
        found = {}
        for called, inside in _names(fields, name, given):
            more = {"name": called} if own else {}
            found[called] = build(table, Fields(inside, fields.origin, fields.at(name, called)), **more)
        return found

    return Kind("tables with names of your own", read, "named", table)


def _numbers(fields: Fields, name: str, given: Any) -> dict[str, float]:
    found = {}
    for called, number in _names(fields, name, given):
        if not is_number(number):
            raise fields.origin.error(f"the constant {called!r} should be a number", fields.at(name, called))
        found[called] = float(number)
    return found


NAMED_NUMBERS = Kind("numbers with names of your own", _numbers, "open")


# ---------------------------------------------------------------- what nothing reads


Unread = Iterator[tuple["Path", str]]
"""Where a key stands, and a sentence about it."""


def unknown(raw: Any, table: type[Any]) -> Unread:
    """Every key that nothing reads: where it stands, and a sentence that names the nearest legal one."""
    yield from _unknown(raw, table, (), {})


def _unknown(raw: Any, table: type[Any], path: Path, declared: dict[type[Any], dict[str, Kind]]) -> Unread:
    """`declared` collects the kinds of keys of each table, since most tables of a lesson are of a few kinds."""
    if not isinstance(raw, Mapping):
        return
    if table not in declared:
        declared[table] = {entry.name: entry.kind for entry in keys(table)}
    legal = declared[table]
    for name, given in raw.items():
        kind, here = legal.get(name), (*path, name)
        if kind is None:
            yield here, _sentence(str(name), sorted(legal))
        elif kind.inside is not None:
            for value, at in _tables(given, kind, here):
                yield from _unknown(value, kind.inside, at, declared)


def _tables(given: Any, kind: Kind, here: Path) -> Iterator[tuple[Any, Path]]:
    """The tables that stand in a value of this kind, each with its path."""
    if kind.form == "named" and isinstance(given, Mapping):
        yield from ((value, (*here, called)) for called, value in given.items())
    elif kind.form == "tables" and isinstance(given, list):
        yield from ((value, (*here, place)) for place, value in enumerate(given))
    elif kind.form == "table":
        yield given, here
    elif kind.form == "open" and kind.inside and isinstance(given, Mapping):  # any key, but for the declared ones
        known = {entry.name for entry in keys(kind.inside)}
        yield {name: given[name] for name in known & given.keys()}, here


def _sentence(name: str, legal: list[str]) -> str:
    near = get_close_matches(name[:40], legal, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"the keys here are: {' '.join(legal)}"
    return f"the key {name[:40]!r} means nothing here; {hint}"

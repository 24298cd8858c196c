"""Many answers at once: a class's paper answers as CSV or JSON lines in, one verdict a line out, in order."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tui_attention.engine.errors import BadInput
from tui_attention.judge.verb import Bench

READ = ("cell", "typed", "prompt", "other", "own", "show")
"""What is read of a line; everything else is handed through."""
WRITTEN = ("cell", "typed", "read", "value", "decimals", "verdict", "attempt", "slips", "says", "answer", "error")
"""The columns of CSV output, before those that are handed through."""
MOST_LINE = 100_000
_TRUE, _FALSE = frozenset(("1", "true", "yes", "x")), frozenset(("", "0", "false", "no"))


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """One line of input: its number in the file, what it says, and why it could not be read if it could not."""

    line: int
    given: Mapping[str, Any]
    fault: str = ""


def answers(lines: Iterable[str]) -> Iterator[BatchAnswer]:
    """The lines of a file as answers: JSON lines when the first character is `{`, else CSV with a head line.

    Raises BadInput when there is no head line, or one without the columns `cell` and `typed`.
    """
    left = iter(lines)
    first = next((line for line in left if line.strip("\ufeff \t\r\n")), None)
    if first is None:
        raise BadInput("there is nothing to judge: a head line with cell and typed was expected, or JSON lines")
    first = first.lstrip("\ufeff")
    rest = itertools.chain((first,), left)
    return _json_lines(rest) if first.lstrip().startswith("{") else _table(rest)


def _json_lines(lines: Iterable[str]) -> Iterator[BatchAnswer]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            # A number keeps the digits that were typed: 0.50 has two decimals.
            given = json.loads(line, parse_float=_Digits, parse_int=_Digits) if len(line) < MOST_LINE else None
        except (ValueError, RecursionError) as error:
            yield BatchAnswer(number, {}, f"no JSON: {str(error)[:80]}")
            continue
        if isinstance(given, dict):
            yield BatchAnswer(number, given)
        else:
            yield BatchAnswer(number, {}, f"an object of less than {MOST_LINE:,} characters was expected")


class _Digits(str):
    """A number of JSON as it is written."""

    __slots__ = ()


def _plain(value: Any) -> Any:
    """What JSON gives, with its numbers as numbers again."""
    if isinstance(value, _Digits):
        return json.loads(value)
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def _table(lines: Iterable[str]) -> Iterator[BatchAnswer]:
    left = iter(lines)
    head = next(left)
    rows = csv.reader(itertools.chain((head,), left), delimiter=";" if ";" in head and "," not in head else ",")
    names = [name.strip() for name in next(rows)]
    missing = [name for name in ("cell", "typed") if name not in names]
    if missing:
        raise BadInput(f"the head line lacks {' and '.join(missing)}; its columns are: {', '.join(names)[:200]}")
    return _rows(rows, names)


def _rows(rows: Iterator[list[str]], names: list[str]) -> Iterator[BatchAnswer]:
    number = 1
    while True:
        number += 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield BatchAnswer(number, {}, f"no CSV: {error}")
            continue
        if not row:
            continue
        if len(row) != len(names):
            yield BatchAnswer(number, {}, f"{len(names)} columns were expected, not {len(row)}")
        else:
            yield BatchAnswer(number, dict(zip(names, row, strict=True)))


# ---------------------------------------------------------------- judged


def judged(bench: Bench, found: BatchAnswer) -> dict[str, Any]:
    """The verdict on one line, as `judge --json` gives it, and what is handed through; or why there is none."""
    through = {str(name): _plain(value) for name, value in found.given.items() if name not in READ}
    try:
        if found.fault:
            raise BadInput(found.fault)
        given = found.given
        payload = bench.judge(
            _text(given, "cell"),
            _text(given, "typed"),
            prompt=_text(given, "prompt") or None,
            other=_text(given, "other") or None,
            own=_own(given.get("own")),
            show=_flag(given.get("show", "")),
        ).payload
    except BadInput as error:
        return {"error": f"line {found.line}: {error}", **through}
    return {**payload, **{name: value for name, value in through.items() if name not in payload}}


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name, "")
    if value is None and name not in ("cell", "typed"):
        return ""
    if not isinstance(value, str):
        raise BadInput(f"{name} should be a text, not {json.dumps(_plain(value))[:40]}")
    if name == "cell" and not value.strip():
        raise BadInput("no cell is named")
    if name == "typed" and name not in given:
        raise BadInput("nothing typed is given")
    return value


def _own(value: Any) -> list[tuple[str, str]]:
    """Own numbers: a mapping, or `cell=number;cell=number`."""
    if value is None or value == "":
        return []
    if isinstance(value, dict):
        if not all(isinstance(number, str) for number in value.values()):
            raise BadInput("own should give a number for each cell")
        return list(value.items())
    if not isinstance(value, str):
        raise BadInput("own should be cells with their numbers, as in q[0,2]=-0.08;q[0,3]=0.10")
    pairs = [part.rpartition("=") for part in value.split(";") if part.strip()]
    if not all(cell.strip() for cell, _, _ in pairs):
        raise BadInput(f"{value[:40]!r} is no list of own numbers; write q[0,2]=-0.08;q[0,3]=0.10")
    return [(cell.strip(), number.strip()) for cell, _, number in pairs]


def _flag(value: Any) -> bool:
    text = str(value).strip().lower() if value is not None else ""
    if value is True or text in _TRUE:
        return True
    if value is False or text in _FALSE:
        return False
    raise BadInput(f"show should be true or false, not {text[:40]!r}")


# ---------------------------------------------------------------- written


def batch(bench: Bench, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The verdicts on the lines of a file, one each, in order. Raises BadInput as `answers` does."""
    return (judged(bench, found) for found in answers(lines))


def table(results: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The verdicts as CSV, a head line first; slips by their kinds, the likeliest first."""
    written = iter(results)
    first = next(written, None)
    if first is None:
        return
    # Every line of a CSV has the same further columns; a line that could not be read lacks them.
    rest: list[Mapping[str, Any]] = [first]
    while "error" in rest[-1] and not _further(rest[-1]):
        following = next(written, None)
        if following is None:
            break
        rest.append(following)
    columns = (*WRITTEN, *_further(rest[-1]))
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(columns)
    for result in itertools.chain(rest, written):
        writer.writerow(_row(result, columns))
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def _further(result: Mapping[str, Any]) -> list[str]:
    return [name for name in result if name not in WRITTEN]


def _row(result: Mapping[str, Any], columns: Iterable[str]) -> list[str]:
    read = result.get("read", {})
    flat = {
        **result,
        "read": read.get("kind"),
        "value": read.get("value"),
        "decimals": read.get("decimals"),
        "slips": ";".join(slip["kind"] for slip in result.get("slips", ())),
    }
    return [_cell(flat.get(name)) for name in columns]


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)

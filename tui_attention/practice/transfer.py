"""Everything that is kept of a learner as JSON, and back: to another machine, or to a colleague.

Taking it in is joining: of the same thing the later one stays, so that two machines that exchange theirs agree.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tui_attention.engine.errors import BadInput
from tui_attention.store import Store
from tui_attention.store.joining import TABLES, Row, Value

FORMAT: Final = 1
MOST_BYTES: Final = 50_000_000
MOST_ROWS: Final = 500_000
_MOST_TEXT: Final = 100_000


def written(store: Store) -> str:
    """Everything of a learner as JSON: `{"format": 1, "learner": ..., "tables": {"answer": [...], ...}}`."""
    tables = {name: list(rows) for name, rows in store.everything().items()}
    kept = {"format": FORMAT, "program": "tui-attention", "learner": store.learner, "tables": tables}
    return json.dumps(kept, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def read(text: str, where: str) -> dict[str, list[Row]]:
    """The rows of an export, every field looked at. Raises BadInput: what was expected, and where."""
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput(f"{where} is no JSON file that --export wrote") from None
    if not isinstance(raw, dict) or raw.get("format") != FORMAT or not isinstance(raw.get("tables"), dict):
        raise BadInput(f'{where} is not what --export wrote: "format": {FORMAT} and "tables" were expected')
    found: dict[str, list[Row]] = {}
    for name, rows in raw["tables"].items():
        if name not in TABLES or not isinstance(rows, list) or len(rows) > MOST_ROWS:
            raise BadInput(f"{where}: a table {str(name)[:40]!r} was not expected, or it is no list of rows")
        found[name] = [_row(name, row, f"{where}, {name} {number}") for number, row in enumerate(rows, 1)]
    return found


def _row(name: str, raw: Any, where: str) -> Row:
    columns: Mapping[str, type[Value]] = TABLES[name].columns
    if not isinstance(raw, dict) or set(raw) != set(columns):
        raise BadInput(f"{where}: the fields {' '.join(columns)} were expected")
    return {column: _value(raw[column], kind, f"{where}, {column}") for column, kind in columns.items()}


def _value(raw: Any, kind: type[Value], where: str) -> Value:
    if kind is float and type(raw) in (int, float) and abs(raw) < 1e300:
        return float(raw)
    if kind is int and type(raw) is int and abs(raw) < 2**62:
        return raw
    if kind is str and isinstance(raw, str) and len(raw) <= _MOST_TEXT and _whole(raw, where):
        return raw
    expected = {str: "a text", int: "a whole number", float: "a number"}[kind]
    raise BadInput(f"{where}: {expected} was expected")


def _whole(text: str, where: str) -> bool:
    """Whether a text can be kept, half a pair of surrogates cannot; and is a list, where a column holds one."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        return False
    if not where.endswith((", kinds", ", named")):
        return True
    try:
        kinds = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(kinds, list) and all(isinstance(kind, str) for kind in kinds)


def taken(store: Store, file: Path) -> int:
    """Join the export in a file to what a learner has; how many rows were new or later. Raises BadInput."""
    try:
        with file.open("rb") as found:
            data = found.read(MOST_BYTES + 1)
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "text in UTF-8 was expected"
        raise BadInput(f"{str(file)[:200]} cannot be read: {why}") from None
    if len(data) > MOST_BYTES:
        raise BadInput(f"{str(file)[:200]}: at most {MOST_BYTES:,} bytes were expected")
    return store.take(read(text, str(file)[:200]))

"""What a teacher takes away: every answer, as CSV that is safe in a spreadsheet, or as JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from tui_attention.classroom.hub.people import Member
from tui_attention.classroom.hub.state import RoomAnswer, RoomQuestion

COLUMNS = (
    "when", "learner", "lesson", "stage", "step", "asked", "question", "typed", "value", "verdict", "accepted",
    "attempt", "slips", "hints", "state",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
_NUMBER = re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d{1,3})?")


def safe_cell(text: str) -> str:
    """A cell that no spreadsheet takes for a formula: what begins like one, and is no number, gets an apostrophe."""
    shown = "".join(mark if mark.isprintable() else " " for mark in text)
    bare = shown.lstrip()
    if bare.startswith(_FORMULA) and not _NUMBER.fullmatch(bare):
        return "'" + shown
    return shown


def rows_of(
    answers: Iterable[RoomAnswer], members: Iterable[Member], *, names: Mapping[int, str] | None = None
) -> Iterator[dict[str, Any]]:
    """One row for each answer. `names` stand in for the learners' own, where the export is to name nobody."""
    known = {member.id: member.name for member in members} if names is None else names
    for answer in answers:
        yield {
            "when": datetime.fromtimestamp(answer.at, UTC).isoformat(timespec="seconds"),
            "learner": known.get(answer.member, f"learner {answer.member}"),
            "lesson": answer.place.lesson,
            "stage": answer.place.stage,
            "step": answer.place.step,
            "asked": answer.target,
            "question": answer.question or None,
            "typed": answer.typed,
            "value": answer.value,
            "verdict": answer.verdict,
            "accepted": answer.accepted,
            "attempt": answer.attempt,
            "slips": list(answer.kinds),
            "hints": answer.hints,
            "state": answer.state,
        }


def as_csv(rows: Iterable[Mapping[str, Any]]) -> str:
    """The rows as CSV (RFC 4180) with a head line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([_cell(row[column]) for column in COLUMNS])
    return text.getvalue()


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return safe_cell(" ".join(value) if isinstance(value, list) else str(value))


def as_json(name: str, rows: Iterable[Mapping[str, Any]], questions: Iterable[RoomQuestion]) -> str:
    """The class as one JSON document: its name, the questions to the room, the answers."""
    asked = [
        {
            "number": question.number,
            "lesson": question.place.lesson,
            "stage": question.place.stage,
            "asked": question.target,
            "text": question.text,
            "when": datetime.fromtimestamp(question.asked, UTC).isoformat(timespec="seconds"),
            "revealed": question.revealed,
        }
        for question in questions
    ]
    return json.dumps({"class": name, "questions": asked, "answers": list(rows)}, indent=1, allow_nan=False) + "\n"

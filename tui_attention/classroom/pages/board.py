"""The teacher's board: one line a learner, one column a CHECK; whoever is stuck stands first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tui_attention.classroom.hub.people import CheckMark, Member, by_need
from tui_attention.render.rows import EMPTY, Link, Row, Span, cut, padded, paragraph
from tui_attention.walk.refs import parse_ref

MARKS: Mapping[CheckMark, tuple[str, str]] = {
    "open": ("·", "faint"),
    "wrong": ("x", "bad"),
    "paid": ("✓", "done"),
    "helped": ("+", "good"),
    "borrowed": ("◐", "borrowed"),
}
NAME, PLACE, COUNT, ASKED, LINE = 12, 6, 5, 18, 6
HEADS = ("paid", "help", "borr", "open")
KEY = "✓ paid  + with help  ◐ borrowed  x wrong so far  · open"


def board_rows(
    members: Sequence[Member],
    now: float,
    width: int,
    *,
    names: Mapping[int, str] | None = None,
    stage: str = "",
    numbers: Mapping[str, str] | None = None,
) -> list[Row]:
    """The board. `names` stand in for the learners' own on a projector; `stage` is where the columns of CHECKs
    begin when there is no room for all of them; `numbers` are those of the stages, by id.
    """
    if not members:
        return paragraph("Nobody has come in yet. `J` shows how.", width, "told")
    ordered = by_need(tuple(members), now)
    room = width - _before()
    columns = _columns(ordered, stage, max(0, room))
    table = _Table(columns, numbers or {}, names or {}, now)
    rows = [cut(row, width) for row in (table.stages(), table.head())]
    rows += [padded(cut(table.member(member), width), width) for member in ordered]
    here = sum(member.line != "away" for member in ordered)
    stuck = sum(member.stuck(now) > 0 for member in ordered)
    told = f"{here} here, {len(ordered) - here} away, {stuck} stuck.   {KEY}"
    return [*rows, EMPTY, *paragraph(told, width, "caption")]


def _before() -> int:
    return NAME + PLACE + COUNT * len(HEADS) + ASKED + LINE


def _columns(members: Sequence[Member], stage: str, room: int) -> tuple[str, ...]:
    """The ids of the CHECKs that have a column: of the lesson that most are at, from the stage at hand on."""
    lessons = [member.place.lesson for member in members if member.checks]
    lesson = max(set(lessons), key=lessons.count, default="")
    longest = max((member.checks for member in members if member.place.lesson == lesson), key=len, default=())
    ids = [check for check, _ in longest]
    first = next((n for n, check in enumerate(ids) if _stage(check) == stage), 0)
    first = max(0, min(first, len(ids) - room))
    return tuple(ids[first : first + room])


@dataclass(frozen=True, slots=True)
class _Table:
    """The ids of the CHECKs that have a column, the numbers of their stages, the names to show, and the time."""

    checks: Sequence[str]
    numbers: Mapping[str, str]
    names: Mapping[int, str]
    now: float

    def stages(self) -> Row:
        """Above the columns: the number of each stage where its CHECKs begin, as far as it fits."""
        marks = ""
        for stage, group in groupby(self.checks, key=_stage):
            room = len(list(group))
            marks += self.numbers.get(stage, stage)[:room].ljust(room)
        return Span(" " * _before()), Span(marks, "head")

    def head(self) -> Row:
        counts = "".join(f"{head:>{COUNT}}" for head in HEADS)
        text = f"{'name':<{NAME}}{'at':<{PLACE}}{counts}  {'asked now':<{ASKED - 2}}{'line':<{LINE}}"
        return Span(text, "head"), Span("".join(check[-1] for check in self.checks), "head")

    def member(self, member: Member) -> Row:
        known = dict(member.checks)
        away = member.line == "away"
        style = "faint" if away else "open" if member.stuck(self.now) > 0 else "label"
        name = self.names.get(member.id, member.name)
        number = self.numbers.get(member.place.stage, member.place.stage)
        line = member.line if member.line != "here" else "plain" if member.plain else ""
        return (
            Span(f"{name[: NAME - 1]:<{NAME}}", style, Link("member", str(member.id))),
            Span(f"{number[: PLACE - 3]}.{member.place.step + 1}".ljust(PLACE), style),
            Span(_counts(member), "faint" if away else "number"),
            Span("  " + _asked(member, self.now)[: ASKED - 3].ljust(ASKED - 2), style),
            Span(f"{line:<{LINE}}", "bad" if line == "slow" else "faint"),
            *(Span(*MARKS[known.get(check, "open")]) for check in self.checks),
        )


def _stage(check: str) -> str:
    return check.partition(".")[0]


def _counts(member: Member) -> str:
    still_open = member.count("open") + member.count("wrong")
    counts = (member.count("paid"), member.count("helped"), member.count("borrowed"), still_open)
    return "".join(f"{count or '.':>{COUNT}}" for count in counts)


def _asked(member: Member, now: float) -> str:
    """`a[0,0] 2x 3min`: what is asked, wrong tries, how long nothing has gone forward."""
    if not member.asked:
        return ""
    tries = f" {member.tries}x" if member.tries else ""
    idle = int((now - member.moved) // 60)
    return f"{parse_ref(member.asked).said}{tries}" + (f" {idle}min" if idle else "")

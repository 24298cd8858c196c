"""The room's answers: a bar for each value and each slip. The right number is not among them before the reveal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tui_attention.classroom.hub.state import RoomQuestion
from tui_attention.classroom.hub.tally import RoomSlips, RoomTally
from tui_attention.render.rows import EMPTY, Row, Span, cut, paragraph, text_row

BAR = 30


def question_rows(
    question: RoomQuestion,
    tally: RoomTally,
    here: int,
    width: int,
    *,
    names: Mapping[int, str] | None = None,
    right: str = "",
) -> list[Row]:
    """A question to the room and its answers so far. With `names`, who gave each value; `right` is the number as it
    is shown once it is revealed.
    """
    waiting = max(0, here - tally.answered)
    state = f"revealed{f': {right}' if right else ''}" if question.revealed else "covered"
    rows: list[Row] = [
        *paragraph(question.text, width, "ask"),
        text_row(f"{question.target}   {state}", "caption"),
        EMPTY,
        text_row(f"{tally.answered} answered, {tally.right} right, {waiting} not yet", "told"),
        EMPTY,
    ]
    if not tally.answered:
        return rows
    most = max(len(count.members) for count in tally.values)
    for count in tally.values:
        label = (f"right {right}" if right else "right") if count.right else count.value
        kinds = ", ".join(kind.replace("-", " ") for kind in count.kinds)
        rows.append(
            _bar(label, len(count.members), most, width, style="done" if count.right else "bad", behind=kinds)
        )
        rows += _who(count.members, names, width)
    if tally.slips:
        rows += [EMPTY, text_row("by slip", "section"), *slip_rows(tally.slips, width, names=names)]
    return rows


def slip_rows(slips: Sequence[RoomSlips], width: int, *, names: Mapping[int, str] | None = None) -> list[Row]:
    """Slips with how many made each, and the sentence that one of them was told; with `names`, who."""
    if not slips:
        return paragraph("No slip has been named yet.", width, "told")
    most = max(len(slip.members) for slip in slips)
    rows: list[Row] = []
    for slip in slips:
        rows.append(
            _bar(
                slip.kind.replace("-", " "),
                len(slip.members),
                most,
                width,
                style="bad",
                behind=" ".join(slip.values[:4]),
            )
        )
        rows += _who(slip.members, names, width)
        rows += paragraph(slip.says, width, "note", (Span("    "),)) if slip.says and names is not None else []
    return rows


def _bar(label: str, count: int, most: int, width: int, *, style: str, behind: str) -> Row:
    room = max(6, min(BAR, width - 40))
    filled = max(1, round(room * count / most))
    text = f"{label[:22]:>22} "
    return cut(
        (Span(text, "label"), Span("█" * filled, style), Span(f" {count}  ", "number"), Span(behind, "note")), width
    )


def _who(members: Sequence[int], names: Mapping[int, str] | None, width: int) -> list[Row]:
    if names is None:
        return []
    return paragraph(", ".join(names.get(member, "?") for member in members), width, "faint", (Span(" " * 23),))

"""The desk below the matrices: the pencil line of the cell at the cursor, the question, the answer, the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from tui_attention.interaction.messages import Message
from tui_attention.render.rows import CellKey, Link, Row, Span, cut, paragraph, text_row, wrap_line
from tui_attention.walk.view import BLANK
from tui_attention.walk.visible import SHOWN, VisibleLesson


class AnswerPanel(NamedTuple):
    """What the desk shows. `label` is empty while no line is open to type on; `caret` is a place in `typed`.

    `note` stands behind what is typed, `promise` below it until something is said, each on one row where it fits.
    """

    cell: CellKey | None = None
    check: str = ""
    ask: str = ""
    label: str = ""
    typed: str = ""
    caret: int = 0
    fresh: bool = True
    said: tuple[Message, ...] = ()
    marks: tuple[tuple[str, str], ...] = ()
    invite: str = ""
    onward: str = ""
    note: str = ""
    promise: str = ""


def pencil_rows(visible: VisibleLesson, cell: CellKey, width: int, most: int) -> list[Row]:
    """`a[0] = (1.10 - 0.1067) / 0.5736 = ____`, on as many rows as it needs, at most `most`."""
    line = visible.line(cell.ref)
    shown = visible.state(cell.ref) == SHOWN
    name = visible.short(cell.ref)
    same = "" if name == line.left else f" is {line.left}"
    if not line.line:
        result = f" = {line.result}" if shown or line.result == BLANK else ""
        says = f"   {line.says}" if line.says else ""
        return [
            cut(row, width)
            for row in _styled(f"{name}{same}{result}{says}", name, "" if says else line.result, width, most)
        ]
    text = f"{name}{same} = {line.line} = {line.result}"
    rows = _styled(text, name, line.result, width, most)
    own = visible.own_text(cell.ref)
    if line.hand or own:
        hand = f"your own: {own}" if own else f"{line.way}: {line.hand}"
        if rows and sum(cell_len(span.text) for span in rows[-1]) + 3 + len(hand) <= width:
            rows[-1] = (*rows[-1], Span("   " + hand, "caption"))
        elif len(rows) < most:
            rows.append(text_row(hand, "caption"))
    return rows


def _styled(text: str, name: str, result: str, width: int, most: int) -> list[Row]:
    lines = wrap_line(text, width)
    hidden = len(lines) - most
    if hidden > 0:
        # The end holds the result: the middle gives way, visibly.
        lines = [*lines[: most - 1], "… " + ("= " if lines[-1] == result else "") + lines[-1]]
    rows: list[Row] = []
    for number, line in enumerate(lines):
        spans: list[Span] = []
        rest = line
        if number == 0 and rest.startswith(name):
            spans.append(Span(name, "name"))
            rest = rest[len(name) :]
        if number == len(lines) - 1 and result and rest.endswith(result):
            spans += [Span(rest[: -len(result)], "pencil"), Span(result, "blank" if result == BLANK else "result")]
        else:
            spans.append(Span(rest, "pencil"))
        rows.append(tuple(spans))
    return rows


def answer_row(desk: AnswerPanel, width: int, room: int = 12) -> Row:
    """`your number 0.9▏`; when the text is longer than the row, the part around the caret."""
    label = f"{desk.label} "
    space = max(4, width - cell_len(label) - 1)
    start = max(0, desk.caret - space + 1)
    before, after = desk.typed[start : desk.caret], desk.typed[desk.caret : start + space]
    style = "typed" if desk.fresh else "judged"
    caret = after[:1] or " "
    blank = max(0, room - len(desk.typed))
    used = cell_len(label) + cell_len(before + caret + after[1:]) + blank
    note = (Span(f"  {desk.note}", "caption"),) if desk.note and used + 2 + len(desk.note) <= width else ()
    return (
        Span(label, "answer"),
        Span(before, style),
        Span(caret, "caret"),
        Span(after[1:], style),
        Span(" " * blank, style),
        *note,
    )


def answer_panel_rows(visible: VisibleLesson, desk: AnswerPanel, width: int, most: int) -> tuple[list[Row], int]:
    """The desk's rows, at most `most`, and the row of the answer line (-1 while it is closed).

    Where there are too few rows the question gives way, then the pencil line in its middle, each with a mark.
    """
    lead = (Span(f"{desk.check} ", "check"),) if desk.check else ()
    ask = paragraph(desk.ask, width, "ask", lead) if desk.ask else []
    below, answer = _below(desk, width)
    fits = bool(desk.promise) and not desk.said and cell_len(desk.promise) <= width
    promise = [text_row(desk.promise, "caption")] if fits else []
    room = max(1, most - len(below))
    line = pencil_rows(visible, desk.cell, width, room) if desk.cell is not None else []
    ask = _shortened(ask, room - len(line), width)
    if len(line) + len(ask) + len(below) + len(promise) <= most:
        below = [*below, *promise]
    rows = [*line, *ask, *below]
    at = len(rows) - len(below) + answer if answer >= 0 else -1
    return (rows, at) if len(rows) <= most else _squeezed(rows, at, most, width)


def _below(desk: AnswerPanel, width: int) -> tuple[list[Row], int]:
    """What stands below the question: the line that is typed on, and what was said; the row of that line, or -1."""
    rows: list[Row] = []
    if desk.label:
        rows.append(answer_row(desk, width))
    elif desk.invite and not desk.said:
        rows.append(cut((Span(desk.invite, "invite"),), width))
    for said in desk.said:
        rows += paragraph(said.text, width, said.style)
    if desk.onward:
        rows.append(cut((Span(desk.onward, "invite"),), width))
    if desk.marks:
        rows += _mark_rows(desk.marks, width)
    return rows, 0 if desk.label else -1


def _shortened(rows: list[Row], most: int, width: int) -> list[Row]:
    """The first rows of a question, with a mark at the end where it goes on."""
    if len(rows) <= most:
        return rows
    if most < 1:
        return []
    *kept, last = rows[:most]
    return [*kept, (*cut(last, width - 2), Span(" …", "more"))]


def _mark_rows(marks: Sequence[tuple[str, str]], width: int) -> list[Row]:
    spans: list[Span] = []
    for key, says in marks:
        spans += [Span(f" {key} ", "key", Link("mark", key)), Span(f" {says}   ", "told", Link("mark", key))]
    return [cut(tuple(spans), width)]


def _squeezed(rows: list[Row], answer: int, most: int, width: int) -> tuple[list[Row], int]:
    """The end is what was said last: what comes before gives way, with a mark."""
    dropped = len(rows) - most + 1
    kept = rows[dropped:]
    mark = (Span(f"▲ {dropped} more", "more"),)
    return [cut(mark, width), *kept], (answer - dropped + 1 if answer >= dropped else -1)


__all__ = ["AnswerPanel", "answer_panel_rows", "answer_row", "pencil_rows"]

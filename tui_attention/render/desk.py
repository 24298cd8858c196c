"""The desk below the matrices: the pencil line of the cell at the cursor, the question, the answer, the verdict."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from tui_attention.engine.record import dataclass
from tui_attention.render.rows import CellKey, Frag, Link, Row, cut, paragraph, text_row, wrap_line
from tui_attention.walk.sight import SHOWN, Sight
from tui_attention.walk.view import BLANK


@dataclass(frozen=True, slots=True)
class Said:
    """Something to say: the sentence and its ink (`good`, `bad`, `hint`, `told`)."""

    text: str
    ink: str = "told"


@dataclass(frozen=True, slots=True)
class Desk:
    """What the desk shows. `label` is empty while no line is open to type on; `caret` is a place in `typed`."""

    cell: CellKey | None = None
    check: str = ""
    ask: str = ""
    label: str = ""
    typed: str = ""
    caret: int = 0
    fresh: bool = True
    said: tuple[Said, ...] = ()
    marks: tuple[tuple[str, str], ...] = ()
    invite: str = ""
    onward: str = ""


def pencil_rows(sight: Sight, cell: CellKey, width: int, most: int) -> list[Row]:
    """`a[0] = (1.10 - 0.1067) / 0.5736 = ____`, on as many rows as it needs, at most `most`."""
    line = sight.line(cell.name, cell.at)
    shown = sight.state(cell.name, cell.at) == SHOWN
    name = sight.course.graph.tensor(cell.name).short(cell.at)
    same = "" if name == line.left else f" is {line.left}"
    if not line.line:
        result = f" = {line.result}" if shown or line.result == BLANK else ""
        says = f"   {line.says}" if line.says else ""
        return [
            cut(row, width)
            for row in _inked(f"{name}{same}{result}{says}", name, "" if says else line.result, width, most)
        ]
    text = f"{name}{same} = {line.line} = {line.result}"
    rows = _inked(text, name, line.result, width, most)
    if line.hand:
        hand = f"by pencil from the printed rows: {line.hand}"
        if rows and sum(cell_len(frag.text) for frag in rows[-1]) + 3 + len(hand) <= width:
            rows[-1] = (*rows[-1], Frag("   " + hand, "caption"))
        elif len(rows) < most:
            rows.append(text_row(hand, "caption"))
    return rows


def _inked(text: str, name: str, result: str, width: int, most: int) -> list[Row]:
    lines = wrap_line(text, width)
    hidden = len(lines) - most
    if hidden > 0:
        # The end holds the result: the middle gives way, visibly.
        lines = [*lines[: most - 1], "… " + ("= " if lines[-1] == result else "") + lines[-1]]
    rows: list[Row] = []
    for number, line in enumerate(lines):
        frags: list[Frag] = []
        rest = line
        if number == 0 and rest.startswith(name):
            frags.append(Frag(name, "name"))
            rest = rest[len(name) :]
        if number == len(lines) - 1 and result and rest.endswith(result):
            frags += [Frag(rest[: -len(result)], "pencil"), Frag(result, "blank" if result == BLANK else "result")]
        else:
            frags.append(Frag(rest, "pencil"))
        rows.append(tuple(frags))
    return rows


def answer_row(desk: Desk, width: int, room: int = 12) -> Row:
    """`your number 0.9▏`; when the text is longer than the row, the part around the caret."""
    label = f"{desk.label} "
    space = max(4, width - cell_len(label) - 1)
    start = max(0, desk.caret - space + 1)
    before, after = desk.typed[start : desk.caret], desk.typed[desk.caret : start + space]
    ink = "typed" if desk.fresh else "judged"
    caret = after[:1] or " "
    return (
        Frag(label, "answer"),
        Frag(before, ink),
        Frag(caret, "caret"),
        Frag(after[1:], ink),
        Frag(" " * max(0, room - len(desk.typed)), ink),
    )


def desk_rows(sight: Sight, desk: Desk, width: int, most: int) -> tuple[list[Row], int]:
    """The desk's rows, at most `most`, and the row of the answer line (-1 while it is closed)."""
    rows: list[Row] = []
    tight = most < 8
    if desk.cell is not None:
        rows += pencil_rows(sight, desk.cell, width, 2 if tight else 3)
    if desk.ask:
        lead = (Frag(f"{desk.check} ", "check"),) if desk.check else ()
        rows += paragraph(desk.ask, width, "ask", lead)
    answer = -1
    if desk.label:
        answer = len(rows)
        rows.append(answer_row(desk, width))
    elif desk.invite and not desk.said:
        rows.append(cut((Frag(desk.invite, "invite"),), width))
    for said in desk.said:
        rows += paragraph(said.text, width, said.ink)
    if desk.onward:
        rows.append(cut((Frag(desk.onward, "invite"),), width))
    if desk.marks:
        rows += _mark_rows(desk.marks, width)
    if len(rows) > most:
        rows, answer = _squeezed(rows, answer, most, width)
    return rows, answer


def _mark_rows(marks: Sequence[tuple[str, str]], width: int) -> list[Row]:
    frags: list[Frag] = []
    for key, says in marks:
        frags += [Frag(f" {key} ", "key", Link("mark", key)), Frag(f" {says}   ", "told", Link("mark", key))]
    return [cut(tuple(frags), width)]


def _squeezed(rows: list[Row], answer: int, most: int, width: int) -> tuple[list[Row], int]:
    """The end is what was said last: what comes before gives way, with a mark."""
    dropped = len(rows) - most + 1
    kept = rows[dropped:]
    mark = (Frag(f"▲ {dropped} more", "more"),)
    return [cut(mark, width), *kept], (answer - dropped + 1 if answer >= dropped else -1)


__all__ = ["Desk", "Said", "answer_row", "desk_rows", "pencil_rows"]

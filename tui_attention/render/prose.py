"""Paragraphs, diagrams and small tables of a stage as rows, their placeholders filled in by what may be shown."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
from rich.cells import cell_len

from tui_attention.engine.refs import CellRef
from tui_attention.lessons.model import Note, Stage, TextTable
from tui_attention.render.rows import EMPTY, Row, flat, merged, paragraph, text_row, wrap
from tui_attention.walk.view import COVER
from tui_attention.walk.visible import VisibleLesson

NO_ROOM = "(A diagram stands here"
"""How the sentence begins that stands for a diagram which is too wide."""


def text_rows(visible: VisibleLesson, prose: str, width: int, style: str, *, page_only: bool = False) -> list[Row]:
    """A paragraph; nothing where this prompt leaves it out."""
    filled = visible.text(flat(prose), page_only=page_only)
    return paragraph(filled, width, style) if filled else []


def note_rows(visible: VisibleLesson, note: Note, width: int) -> list[Row]:
    """A note of the stage; nothing where this prompt leaves it out."""
    return text_rows(visible, note.text, width, "note", page_only=note.page_only)


def notes_at(visible: VisibleLesson, stage: Stage, name: str) -> tuple[Note, ...]:
    """The notes to be read at a step, or with the empty name at the stage's end.

    A note at a step waits for the numbers that it tells: while one of them is covered it is not there, and where the
    step is left behind with them still covered, it comes with the next one.
    """
    names = [step.name for step in stage.steps]
    before = names[names.index(name) - 1] if name in names[1:] else ""
    late = visible.earlier() if before else visible
    return tuple(
        note
        for note in stage.notes
        if (note.at == name and not (name and _waits(visible, note)))
        or (before and note.at == before and _waits(late, note) and not _waits(visible, note))
    )


def _waits(visible: VisibleLesson, note: Note) -> bool:
    return COVER in (visible.text(note.text, page_only=note.page_only) or "")


def diagram_rows(visible: VisibleLesson, note: Note, width: int) -> list[Row]:
    """Lines without the margin that all of them share; half a diagram says nothing, so whole or not."""
    filled = visible.text(note.text.strip("\n"), page_only=note.page_only)
    if filled is None:
        return []
    lines = dedent(filled).split("\n")
    needed = max(cell_len(line.rstrip()) for line in lines)
    if needed > width:
        return paragraph(f"{NO_ROOM}; it needs {needed - width} more columns.)", width, "caption")
    return [text_row(line.rstrip(), "diagram") for line in lines]


def table_rows(visible: VisibleLesson, table: TextTable, width: int, asked: CellRef | None = None) -> list[Row]:
    """A table of the lesson; a line whose cell this prompt lacks is left out. With `phi_of`, a table of Phi.

    The lines of Phi that the asked cell is looked up in stand first.
    """
    from tui_attention.render.tables import PHI_GROUP, phi_lines, phi_texts, table_lines

    if table.phi_of:
        labels, numbers, values = phi_texts(visible.view(table.phi_of))
        if asked is not None and any(ref.tensor == table.phi_of for ref in visible.operands(asked)):
            place = int(np.ravel_multi_index(asked.index, visible.view(table.phi_of).shape))
            first = place - place % PHI_GROUP
            order = [*range(first, len(labels)), *range(first)]
            labels, numbers, values = ([column[n] for n in order] for column in (labels, numbers, values))
        return [merged(line) for line in phi_lines(numbers, values, width, labels=labels)]
    filled = [[visible.text(text) for text in row] for row in table.rows]
    rows = [[text or "" for text in row] for row in filled if None not in row]
    return [merged(line) for line in table_lines(table.columns, rows, width)] if rows else []


def listing_rows(visible: VisibleLesson, name: str, width: int) -> list[Row]:
    """A program as it stands, and behind it the rows that it prints; blanks for what is covered."""
    found = [text_row("  " + line, "formula-small") for line in program_lines(name, width - 2)]
    printed = [row for line in visible.listing(name) for row in paragraph(line, width, "number")]
    return [text_row("The program", "section"), *found, EMPTY, text_row("It prints", "section"), *printed]


def program_lines(name: str, width: int) -> list[str]:
    """A program as it runs; a line that is too long goes on below, further in."""
    from tui_attention.listings import source

    found: list[str] = []
    for line in source(name):
        lead = " " * (len(line) - len(line.lstrip()))
        first, *more = wrap(line.lstrip(), max(12, width - len(lead) - 4))
        found += [lead + first, *(f"{lead}    {rest}" for rest in more)]
    return found

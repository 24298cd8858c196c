"""A lesson's dials given to a program that shares nothing with the engine (`tui_attention.listings`)."""

from __future__ import annotations

from tui_attention.lessons.run import LessonRun
from tui_attention.listings import PrintedRow, run


def printed_rows(lesson: LessonRun, name: str) -> tuple[PrintedRow, ...]:
    """The rows that the program prints for this prompt, these dials and this ticket. Only inputs are handed over."""
    graph = lesson.graph
    dials = {table: graph.tensor(table).values.tolist() for table in graph.program.tables if table != "splitter"}
    vocabulary = graph.program.vocabulary
    text = graph.inputs.prompt
    marks = text.split() if vocabulary.words else list(text)
    ids = [vocabulary.marks.index(mark) for mark in marks]
    heads = int(graph.program.constants["n_heads"])
    return run(name, dials, ids, heads, ticket=graph.inputs.ticket_text())

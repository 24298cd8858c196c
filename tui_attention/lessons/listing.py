"""A lesson's dials given to a program that shares nothing with the engine (`tui_attention.listings`)."""

from __future__ import annotations

from tui_attention.lessons.run import LessonRun
from tui_attention.listings import Given, PrintedRow, run


def printed_rows(lesson: LessonRun, name: str) -> tuple[PrintedRow, ...]:
    """The rows that the program prints for this prompt, these dials and this ticket. Only inputs are handed over."""
    graph = lesson.graph
    program, inputs = graph.program, graph.inputs
    dials = {table: graph.tensor(table).values.tolist() for table in program.tables if table != "splitter"}
    marks = inputs.prompt.split() if program.vocabulary.words else list(inputs.prompt)
    if "reverse" in program.switched:
        marks.reverse()
    ids = [program.vocabulary.marks.index(mark) for mark in marks]
    last = len(ids) - 1
    turned = ((at, value) for (table, at), (value, _) in graph.turned.items() if table == "mask")
    hidden = {key for (query, key), value in turned if query == last and not value}
    heads = int(program.constants["n_heads"])
    return run(name, Given(dials, ids, heads, inputs.ticket_text(), hidden, frozenset(program.switched)))

"""A paper as plain text, for a printer, a braille display or a screen reader."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from tui_attention.judge.promise import PROMISE
from tui_attention.practice.paper import BLANK, Paper, PaperQuestion, PaperTable

WIDTH = 78
_GAP = "_" * 6
_SENTENCE_LINES = 3
_GROUP = 6
"""A table that is broken is broken behind a group of so many columns, as on the screen."""


def text(paper: Paper) -> str:
    """The paper, lines of at most WIDTH columns (a mark of a lesson may be wider)."""
    return "\n".join(line.rstrip() for line in _lines(paper)) + "\n"


def _lines(paper: Paper) -> Iterator[str]:
    variant = f"variant {paper.variant}" if paper.variant else "the lesson's own numbers"
    yield from (paper.title, f"{'Key and marking guide' if paper.key else 'Worksheet'}, {variant}")
    if not paper.key:
        yield from ("", f"Name {'_' * 40}  Date {'_' * 20}")
    yield from ("", *paper.about, "")
    if not paper.key:
        yield from _wrapped(
            f"{PROMISE} Where an address such as a[2] stands in a question, your own number belongs there."
        )
    if paper.given:
        yield from ("", "GIVEN")
    for table in paper.given:
        yield from ("", *_table(table))
    for stage in paper.stages:
        yield from ("", stage.title.upper())
        for step in stage.steps:
            yield from ("", *_wrapped(f"{step.formula}    {step.shapes}"), *_wrapped(step.caption, "  "))
            for table in step.tables:
                yield from _table(table, title=len(step.tables) > 1)
        for question in stage.questions:
            yield from ("", *_question(question, key=paper.key))


def _question(question: PaperQuestion, *, key: bool) -> Iterator[str]:
    yield from _wrapped(f"{question.number}. {question.ask}", "", "   ")
    if not key:
        if question.decimals is None:
            yield from ("   " + "_" * (WIDTH - 3),) * _SENTENCE_LINES
        else:
            count = question.decimals
            yield from ("",) * question.room
            asked = "a whole number" if count == 0 else f"{count} decimal{'s' if count > 1 else ''}"
            yield f"   {asked}: {'_' * 20}"
        return
    worked = f"{question.line} = " if question.line else ""
    yield from _wrapped(f"{worked}{question.answer}", "   ", "     ")
    if question.also:
        yield f"   also right: {question.also}"
    for slip in question.mistakes:
        yield from _wrapped(f"{slip.number:>8}  {slip.says}", "   ", " " * 13)


def _wrapped(line: str, first: str = "", more: str | None = None) -> list[str]:
    indent = first if more is None else more
    return textwrap.wrap(line, WIDTH, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False)


def _table(table: PaperTable, *, title: bool = True) -> Iterator[str]:
    """A table in parts that fit the width, each with its heads and labels."""
    if title:
        yield from _wrapped(f"{table.name}  {table.title}".rstrip(), "", "  ")
    labels = [label or table.name for label in table.labels]
    first = max(map(len, (*labels, table.corner))) + 2
    texts = [[cell if cell != BLANK else _GAP for cell in row] for row in table.rows]
    wide = max(len(cell) for cell in (*table.columns, *(cell for row in texts for cell in row))) + 2
    per = max(1, (WIDTH - first) // wide)
    if per < len(table.columns):
        per -= per % _GROUP if per > _GROUP else 0
    for start in range(0, len(table.columns), per):
        part = slice(start, start + per)
        yield f"{table.corner:<{first}}" + "".join(f"{head:>{wide}}" for head in table.columns[part])
        for label, row in zip(labels, texts, strict=True):
            yield f"{label:<{first}}" + "".join(f"{cell:>{wide}}" for cell in row[part])

"""The ledger as rows: what is paid, borrowed and open, stage by stage."""

from __future__ import annotations

from tui_attention.interaction.summary import Summary
from tui_attention.interaction.words import STATE_WORDS
from tui_attention.render.rows import Link, Row, Span, cut, padded, paragraph, text_row
from tui_attention.walk.ledger import STATES


def ledger_rows(summary: Summary, width: int) -> list[Row]:
    """Counts of each state by stage, the totals, and the slips that were named on two answers or more."""
    lines = [
        [f"{stage.number:>2} {stage.title}", *(str(stage.judged[state] or ".") for state in STATES)]
        for stage in summary.stages
        if any(stage.judged.values())
    ]
    lines.append(["   in all", *(str(summary.tally.judged[state]) for state in STATES)])
    rows = _numbers(lines, width)
    for says in summary.further():
        rows += [(), *paragraph(says, width, "told")]
    if summary.habits:
        rows += [(), *paragraph("Met on two answers or more; each leads to three fresh cells:", width, "hint")]
        for slip in summary.habits:
            said = f"  {slip.kind.replace('-', ' ')}, {slip.times} times"
            rows.append(cut((Span(said, "ask", Link("review", slip.kind)),), width))
    return rows


def _numbers(lines: list[list[str]], width: int) -> list[Row]:
    """A table: what does not fit whole gets shorter heads, and then shorter names; no number is left out."""
    head = ["stage", *(STATE_WORDS[state].head for state in STATES)]
    first = max(len(line[0]) for line in lines) + 2
    if first + sum(len(word) + 2 for word in head[1:]) > width:
        head = ["stage", *(STATE_WORDS[state].narrow for state in STATES)]
    wide = [len(word) + 2 for word in head[1:]]
    first = max(8, min(first, width - sum(wide)))

    def row(texts: list[str], name: str, number: str) -> Row:
        cells = (Span(f"{text:>{size}}", number) for text, size in zip(texts[1:], wide, strict=True))
        return (*padded(cut((Span(texts[0], name),), first), first, name), *cells)

    *stages, total = lines
    return [
        row(head, "head", "head"),
        *(row(line, "label", "number") for line in stages),
        row(total, "name", "number"),
    ]


def open_rows(summary: Summary, width: int) -> list[Row]:
    """The CHECKs that are still open in the stages that were visited, each as a link to its step."""
    rows: list[Row] = []
    for left in summary.open:
        link = Link("place", f"{left.place.stage}.{left.place.step}")
        rows.append(cut((Span("  "), Span(f"{left.number:>2} {left.title}: {left.ask}", "ask", link)), width))
    title = text_row("Still open" if rows else "Nothing is left open.", "section")
    return [title, *rows]

"""The ledger as rows: what is paid, borrowed and open, stage by stage."""

from __future__ import annotations

from tui_attention.render.rows import Link, Row, Span, cut, padded, paragraph, text_row
from tui_attention.walk.ledger import State
from tui_attention.walk.places import Place, last_step
from tui_attention.walk.walk import Walk

STATES: tuple[tuple[State, str], ...] = (
    ("paid", "paid"),
    ("helped", "with help"),
    ("borrowed", "borrowed"),
    ("open", "open"),
)

SHORT = {"with help": "help", "borrowed": "borr."}
"""Heads for narrow screens."""


def ledger_rows(walk: Walk, width: int) -> list[Row]:
    """Counts of each state by stage, the totals, and the slips that were named on two answers or more."""
    lines: list[list[str]] = []
    for stage, room in enumerate(walk.stages):
        states = [state for _, state in walk.stage_states(stage)]
        if states:
            title = f"{walk.stage_number(stage):>2} {room.title}"
            lines.append([title, *(str(states.count(state) or ".") for state, _ in STATES)])
    counts = walk.counts()
    lines.append(["   in all", *(str(counts[state]) for state, _ in STATES)])
    rows = _numbers(["stage", *(word for _, word in STATES)], lines, width)
    habits = walk.ledger.kinds_met_twice()
    if habits:
        named = ", ".join(kind.replace("-", " ") for kind in habits)
        rows += [(), *paragraph(f"Met on two answers or more: {named}.", width, "hint")]
    return rows


def _numbers(head: list[str], lines: list[list[str]], width: int) -> list[Row]:
    """A table: what does not fit whole gets shorter heads, and then shorter names; no number is left out."""
    first = max(len(line[0]) for line in lines) + 2
    if first + sum(len(word) + 2 for word in head[1:]) > width:
        head = [SHORT.get(word, word) for word in head]
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


def open_rows(walk: Walk, width: int) -> list[Row]:
    """The CHECKs that are still open in the stages that were visited, each as a link to its step."""
    rows: list[Row] = []
    for stage in range(walk.furthest + 1):
        for step in range(last_step(walk.run.lesson, stage) + 1):
            for asked in walk.questions(Place(stage, step)):
                if walk.ledger.entry(asked.key).settled:
                    continue
                link = Link("place", f"{stage}.{step}")
                where = f"{walk.stage_number(stage):>2} {walk.stages[stage].title}: "
                rows.append(cut((Span("  "), Span(where + walk.ask(asked), "ask", link)), width))
    title = text_row("Still open" if rows else "Nothing is left open.", "section")
    return [title, *rows]

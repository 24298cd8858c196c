"""The glossary: plain name, standard name, formula."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from tui_attention.lessons.model import Term
from tui_attention.render.rows import Link, Row, Span, left, paragraph, text_row, wrap
from tui_attention.walk.view import COVER

LEAST_FORMULA = 28
"""Columns that a formula needs beside the two names."""


def glossary_rows(terms: Sequence[Term], width: int, *, covered: bool = False) -> list[Row]:
    """Three columns where there is room for the formula beside the names, else each term on lines of its own.

    `covered`: without the standard names.
    """
    if covered:
        terms = [term._replace(standard=COVER, formula="") for term in terms]
    plain = max(cell_len(term.plain) for term in terms) + 2
    standard = max(cell_len(term.standard) for term in terms) + 2
    room = width - plain - standard
    if room < LEAST_FORMULA:
        return _narrow(terms, plain, standard, width)
    rows: list[Row] = [
        (Span(f"{'plain name':<{plain}}{'standard name':<{standard}}formula", "head"),),
        text_row("─" * width, "rule"),
    ]
    for term in terms:
        first, *more = wrap(term.formula, room)
        name = Span(left(term.plain, plain), "plain-name", link_of(term))
        rows.append((name, Span(left(term.standard, standard), "standard"), Span(first, "formula-small")))
        rows += [(Span(" " * (plain + standard)), Span(line, "formula-small")) for line in more]
    return rows


def _narrow(terms: Sequence[Term], plain: int, standard: int, width: int) -> list[Row]:
    beside = plain + standard - 2 <= width
    rows: list[Row] = []
    for term in terms:
        name = Span(left(term.plain, plain) if beside else term.plain, "plain-name", link_of(term))
        rows.append((name, Span(term.standard, "standard")) if beside else (name,))
        if not beside:
            rows += [(Span("  "), *row) for row in paragraph(term.standard, width - 2, "standard")]
        if term.formula:
            rows += [(Span("    "), *row) for row in paragraph(term.formula, width - 4, "formula-small")]
    return rows


def link_of(term: Term) -> Link | None:
    """To the stage that earns the term."""
    return Link("see", f"{term.lesson}/{term.see}") if term.see else None

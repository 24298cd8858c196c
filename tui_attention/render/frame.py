"""The stage panel as a rectangle: title, a window onto the document, marks for what is out of sight, the desk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from tui_attention.render.rows import EMPTY, Link, Row, Span, cut, padded


class Frame(NamedTuple):
    """The panel's rows, exactly as many and as wide as it is. `body` rows of the document stand from row 1 on."""

    rows: tuple[Row, ...]
    top: int
    body: int


def bar(left: str, right: str, width: int, corners: str = "┌┐", lit: bool = True) -> Row:
    """A border line with a text at either end; the right one goes first when there is no room."""
    style = "border-on" if lit else "border"
    inner = width - 2
    right_text = f" {right} " if right else ""
    left_text = f" {left} " if left else ""
    if cell_len(left_text) + cell_len(right_text) + 3 > inner:
        right_text = ""
    shown = cut((Span(left_text, "title"),), inner - 1) if left_text else ()
    used = sum(cell_len(span.text) for span in shown) + cell_len(right_text)
    fill = "─" * max(0, inner - 1 - used - (1 if right_text else 0))
    end = (Span(right_text, "standard"), Span("─", style)) if right_text else ()
    return (Span(corners[0] + "─", style), *shown, Span(fill, style), *end, Span(corners[1], style))


def boxed(row: Row, width: int, style: str) -> Row:
    """A row between the panel's sides."""
    return (Span("│", style), Span(" "), *padded(row, width - 4), Span(" "), Span("│", style))


def rule(above: int, below: int, width: int, style: str, label: str = "") -> Row:
    """The line between document and desk, with what is out of sight above and below."""
    parts: list[Span] = [Span("├─", style)]
    if label:
        parts += [Span(f" {label} ", "rule-label"), Span("─", style)]
    if above:
        parts += [Span(f" ▲ {above} more ", "more", Link("scroll_up")), Span("─", style)]
    if below:
        parts += [Span(f" ▼ {below} more ", "more", Link("scroll_down")), Span("─", style)]
    if above or below:
        parts += [Span(" [ ] scroll ", "more-key"), Span("─", style)]
    used = sum(cell_len(part.text) for part in parts)
    if used > width - 1:
        parts = parts[:1] + [part for part in parts if part.style == "more"]
        used = sum(cell_len(part.text) for part in parts)
    return cut((*parts, Span("─" * max(0, width - 1 - used), style), Span("┤", style)), width)


def frame(
    document: Sequence[Row],
    top: int,
    desk: Sequence[Row],
    size: tuple[int, int],
    *,
    title: str,
    standard: str = "",
    lit: bool = True,
    label: str = "",
) -> Frame:
    """The panel. `size` is (columns, rows); `top` is the first row of the document that shows."""
    width, height = size
    style = "border-on" if lit else "border"
    body = max(1, height - 3 - len(desk)) if desk else max(1, height - 2)
    top = max(0, min(top, len(document) - 1))
    shown = list(document[top : top + body])
    shown += [EMPTY] * (body - len(shown))
    rows = [bar(title, standard, width, lit=lit), *(boxed(row, width, style) for row in shown)]
    below = max(0, len(document) - top - body)
    if desk:
        rows.append(rule(top, below, width, style, label))
        rows += [boxed(row, width, style) for row in desk]
        rows.append((Span("└" + "─" * (width - 2) + "┘", style),))
    else:
        last = rule(top, below, width, style, label)
        rows.append((Span("└─", style), *last[1:-1], Span("┘", style)))
    return Frame(tuple(rows), top, body)

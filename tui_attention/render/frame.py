"""The stage panel as a rectangle: title, a window onto the document, marks for what is out of sight, the desk."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from tui_attention.engine.record import dataclass
from tui_attention.render.rows import EMPTY, Frag, Link, Row, cut, padded


@dataclass(frozen=True, slots=True)
class Frame:
    """The panel's rows, exactly as many and as wide as it is. `body` rows of the document stand from row 1 on."""

    rows: tuple[Row, ...]
    top: int
    body: int


def bar(left: str, right: str, width: int, corners: str = "┌┐", lit: bool = True) -> Row:
    """A border line with a text at either end; the right one goes first when there is no room."""
    ink = "border-on" if lit else "border"
    inner = width - 2
    right_text = f" {right} " if right else ""
    left_text = f" {left} " if left else ""
    if cell_len(left_text) + cell_len(right_text) + 3 > inner:
        right_text = ""
    shown = cut((Frag(left_text, "title"),), inner - 1) if left_text else ()
    used = sum(cell_len(frag.text) for frag in shown) + cell_len(right_text)
    fill = "─" * max(0, inner - 1 - used - (1 if right_text else 0))
    end = (Frag(right_text, "standard"), Frag("─", ink)) if right_text else ()
    return (Frag(corners[0] + "─", ink), *shown, Frag(fill, ink), *end, Frag(corners[1], ink))


def boxed(row: Row, width: int, ink: str) -> Row:
    """A row between the panel's sides."""
    return (Frag("│", ink), Frag(" "), *padded(row, width - 4), Frag(" "), Frag("│", ink))


def rule(above: int, below: int, width: int, ink: str, label: str = "") -> Row:
    """The line between document and desk, with what is out of sight above and below."""
    parts: list[Frag] = [Frag("├─", ink)]
    if label:
        parts += [Frag(f" {label} ", "rule-label"), Frag("─", ink)]
    if above:
        parts += [Frag(f" ▲ {above} more ", "more", Link("scroll_up")), Frag("─", ink)]
    if below:
        parts += [Frag(f" ▼ {below} more ", "more", Link("scroll_down")), Frag("─", ink)]
    if above or below:
        parts += [Frag(" [ ] scroll ", "more-key"), Frag("─", ink)]
    used = sum(cell_len(part.text) for part in parts)
    if used > width - 1:
        parts = parts[:1] + [part for part in parts if part.ink == "more"]
        used = sum(cell_len(part.text) for part in parts)
    return cut((*parts, Frag("─" * max(0, width - 1 - used), ink), Frag("┤", ink)), width)


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
    ink = "border-on" if lit else "border"
    body = max(1, height - 3 - len(desk)) if desk else max(1, height - 2)
    top = max(0, min(top, len(document) - 1))
    shown = list(document[top : top + body])
    shown += [EMPTY] * (body - len(shown))
    rows = [bar(title, standard, width, lit=lit), *(boxed(row, width, ink) for row in shown)]
    below = max(0, len(document) - top - body)
    if desk:
        rows.append(rule(top, below, width, ink, label))
        rows += [boxed(row, width, ink) for row in desk]
        rows.append((Frag("└" + "─" * (width - 2) + "┘", ink),))
    else:
        last = rule(top, below, width, ink, label)
        rows.append((Frag("└─", ink), *last[1:-1], Frag("┘", ink)))
    return Frame(tuple(rows), top, body)

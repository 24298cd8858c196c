"""The stage panel: a window onto the stage's document, and below it what is asked and said.

What is asked stands in the window without scrolling: the matrices are drawn around it where they are too long, and
the wall, once it is read, is folded to one line.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tui_attention.engine.refs import CellRef
from tui_attention.render.answer_panel import AnswerPanel, answer_panel_rows
from tui_attention.render.frame import Frame, frame
from tui_attention.render.rows import EMPTY, Row, Span, cells_of, cut, plain
from tui_attention.render.stage import Document, LayoutOptions, document
from tui_attention.render.window import Focus, far
from tui_attention.walk.visible import VisibleLesson

LEAST_BODY, LEAST_BODY_LOW, LOW = 6, 3, 18
"""Rows that the document keeps whatever is said below it; fewer in a panel of less than LOW rows."""


READ_ON = "n or w: on to the first step"


@dataclass(frozen=True, eq=False, slots=True)
class Layout:
    """A panel before it is drawn: the document, the rows below it, and how many rows the document gets.

    `first`: the wall is to be read first, since it and what is asked do not fit together.
    """

    document: Document
    desk: tuple[Row, ...]
    body: int
    first: bool = False


def layout(
    visible: VisibleLesson,
    options: LayoutOptions,
    desk: AnswerPanel,
    height: int,
    *,
    wanted: Collection[CellRef],
    wall: bool | None = None,
) -> Layout:
    """The panel of the stage at hand on so many rows. `wanted` are the cells that must be seen.

    `wall` is whether it was opened or folded by hand; None: read first, and folded from the first step on.
    """
    most = max(4, height - 3 - (LEAST_BODY if height >= LOW else LEAST_BODY_LOW))
    below, _ = answer_panel_rows(visible, desk, options.width, most)
    body = max(1, height - 3 - len(below)) if below else max(1, height - 2)
    asked = desk.cell.source if desk.cell is not None else None
    reads = visible.operands(asked) if asked is not None else ()
    focus = Focus(frozenset(wanted), body, asked, tuple(dict.fromkeys(ref.tensor for ref in reads)))
    steps = bool(visible.stage.steps)

    def drawn(how: LayoutOptions) -> Document:
        return document(visible, how)

    if options.bare and steps:
        return Layout(centred(drawn(options._replace(focus=focus)), options.width, body), tuple(below), body)
    if wall is False or (wall is None and visible.place.step and steps):
        return Layout(drawn(options._replace(focus=focus, wall="folded")), tuple(below), body)
    if wall or not steps:
        return Layout(drawn(options), tuple(below), body)
    whole = drawn(options._replace(wall="whole"))
    # Whether the wall is read first does not hang on what is said just now.
    quiet, _ = answer_panel_rows(visible, desk._replace(said=(), label="", marks=(), onward=""), options.width, most)
    if not desk.ask or height < LOW // 2 or far(whole.rows, wanted) <= height - 3 - len(quiet) - (not desk.invite):
        return Layout(whole, tuple(below), body)
    said = desk._replace(cell=None, invite="", ask=desk.ask if desk.label else "", check="")
    said = said if desk.label or desk.said else AnswerPanel(invite=READ_ON)
    below, _ = answer_panel_rows(visible, said, options.width, most)
    return Layout(drawn(options._replace(wall="alone")), tuple(below), max(1, height - 3 - len(below)), first=True)


def centred(found: Document, width: int, body: int) -> Document:
    """The document in the middle of so many rows and columns, its rows further apart where there is room."""
    rows = list(found.rows)
    if 2 * len(rows) <= body:
        rows = [part for row in rows for part in (row, EMPTY)][:-1]
    left = (width - max((len(plain(row)) for row in rows), default=0)) // 2
    margin = Span(" " * max(0, left))
    above = max(0, (body - len(rows)) // 2)
    placed = (*[EMPTY] * above, *(cut((margin, *row), width) if row else EMPTY for row in rows))
    return Document(placed, 0, 0, tuple(cells_of(placed)))


def begin(made: Layout, wanted: Collection[CellRef], asked: CellRef | None = None) -> int:
    """The row to begin reading at: the head of the step at hand, or a paragraph before it where that fits too.

    What is wanted is in the window; where it is too much for it, at least the asked cell.
    """
    found = made.document
    usual = _reading(found, max(0, len(found.rows) - made.body))
    first: dict[CellRef, int] = {}
    for y, _, _, key in cells_of(found.rows):
        if key.source in wanted and y >= found.at:
            first.setdefault(key.source, y)
    if not first:
        return usual
    low, high = min(first.values()), max(first.values())
    for top in (usual, found.at):
        if top <= low and high < top + made.body:
            return top
    seen = first.get(asked, high) if asked is not None else high
    return max(min(max(found.at, high - made.body + 1), seen), seen - made.body + 1)


def _reading(found: Document, last: int) -> int:
    """Where reading begins; `last` is the first row of the last windowful."""
    if last >= found.start:
        return found.start
    starts = (y for y in range(last, found.start) if y == 0 or not found.rows[y - 1])
    return next(starts, found.start)


def framed(made: Layout, visible: VisibleLesson, top: int, size: tuple[int, int], *, lit: bool) -> Frame:
    """The panel's rows, `top` the first row of the document that shows."""
    stage = visible.stage
    title = f"{visible.number(visible.place.stage)} {stage.title}".strip()
    return frame(made.document.rows, top, made.desk, size, title=title, standard=visible.standard, lit=lit)


__all__ = ["Layout", "begin", "framed", "layout"]

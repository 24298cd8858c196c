"""A stage as one document: the wall, the steps behind, the step at hand with its matrices, the steps ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Literal, NamedTuple

from rich.cells import cell_len

from tui_attention.engine.formula import Step
from tui_attention.engine.refs import CellRef
from tui_attention.engine.tensor import Index
from tui_attention.engine.traits import is_slow
from tui_attention.lessons.model import Plot, TextTable
from tui_attention.render.aligned import aligned
from tui_attention.render.prose import NO_ROOM, diagram_rows, listing_rows, note_rows, notes_at, table_rows, text_rows
from tui_attention.render.rows import (
    EMPTY,
    CellKey,
    Link,
    Row,
    Span,
    between,
    cells_of,
    cut,
    flat,
    left,
    padded,
    paragraph,
    text_row,
    width_of,
    wrap,
)
from tui_attention.render.shapes import stands_with
from tui_attention.render.step import recap_rows, step_rows
from tui_attention.render.window import Focus, far
from tui_attention.walk.view import View
from tui_attention.walk.visible import VisibleLesson

Wall = Literal["whole", "folded", "alone"]
READABLE = 76
"""Prose is not set wider than this."""
BESIDE, LEAST_TEXT, LEAST_PLOT = 5, 40, 56
"""Columns between matrices and what stands to their right, and the least that texts and plots take there."""


class Document(NamedTuple):
    """A stage as rows: `at` the row of the step at hand, `start` the one to begin at, `cells` where each is."""

    rows: tuple[Row, ...]
    at: int
    start: int
    cells: tuple[tuple[int, int, int, CellKey], ...]

    def find(self, source: CellRef) -> CellKey | None:
        """The cell with an address, the last one where it stands several times; a view's counts as its source."""
        found = None
        for _, _, _, key in self.cells:
            if key.source == source:
                found = key
        return found

    def same(self, key: CellKey | None) -> CellKey | None:
        """The cell as it stands here, where it may stand in another block than in another document of the stage."""
        if key is None:
            return None
        keys = [other for _, _, _, other in self.cells]
        if key in keys:
            return key
        alike = next((other for other in keys if other.ref == key.ref), None)
        return alike or next((other for other in keys if other.source == key.source), None)

    def row_of(self, key: CellKey) -> int:
        """The row of a cell; 0 where it is not here."""
        there = self.same(key)
        return next((y for y, _, _, other in self.cells if other == there), 0)


class LayoutOptions(NamedTuple):
    """How a stage is drawn: the columns there are, in ASCII or not, whether rows are to be saved.

    `slow`: steps that take time may be computed now. `compared`: sentences that a comparison ends with. `around`: of
    large tables, the cell around which they are shown. `focus`: what has to stand within so many rows from the head
    of the step at hand. `wall`: all of it, one line of it, or nothing but the wall. `names_covered`: the sheet of
    names is shown without the standard ones. `bare`: nothing but the step at hand and its matrices, for a projector.
    """

    width: int
    ascii: bool = False
    slow: bool = False
    tight: bool = False
    compared: tuple[str, ...] = ()
    around: tuple[tuple[str, Index], ...] = ()
    focus: Focus | None = None
    wall: Wall = "whole"
    names_covered: bool = False
    bare: bool = False


class _StageWriter:
    """Collects the rows of one stage."""

    def __init__(self, visible: VisibleLesson, room: LayoutOptions) -> None:
        self.visible, self.room = visible, room
        self.rows: list[Row] = []
        self.block = 0
        self.shaped = False
        self.head = self.matrices = 0
        self.prose = min(room.width, READABLE)
        self.around = dict(room.around)

    def look(self, name: str) -> View:
        """A tensor, or the window of it that has room on a screen."""
        return self.visible.view(name, self.around.get(name, ()))

    def add(self, rows: Sequence[Row], gap: bool = True) -> None:
        """Rows behind an empty one, unless nothing stands there yet."""
        if not rows:
            return
        if gap and self.rows and self.rows[-1]:
            self.rows.append(EMPTY)
        self.rows += rows

    def views(self, views: Sequence[View]) -> None:
        rows, self.block = recap_rows(views, self.room.width, block=self.block, tight=self.room.tight)
        self.add(rows)

    # ------------------------------------------------------------ parts

    def folded_wall(self) -> None:
        """The beginning of the wall on one line, and the key that reads it."""
        filled = self.visible.text(flat(self.visible.stage.wall[0])) if self.visible.stage.wall else None
        if filled:
            key = (Span("  w", "key", Link("wall")), Span(" reads it", "caption"))
            room = self.room.width - width_of(key)
            self.rows.append((*padded(cut((Span("▸ ", "caption"), Span(filled, "wall")), room), room), *key))

    def wall(self) -> None:
        for prose in self.visible.stage.wall:
            self.add(text_rows(self.visible, prose, self.prose, "wall"))
        for drawn in self.visible.stage.diagrams:
            if not drawn.at:
                self.add(diagram_rows(self.visible, drawn, self.room.width))

    def others(self, steps: Sequence[Step], mark: str, styles: tuple[str, str]) -> None:
        """Steps that are behind or ahead: their formulas, their captions where there is room."""
        whole = self.visible.stage.steps
        column = 2 + max(len(f"{step.name} = {self.visible.formula(step)}") for step in whole) + 3
        rows: list[Row] = []
        for step in steps:
            lines = wrap(f"{step.name} = {self.visible.formula(step)}", self.room.width - 4)
            row: Row = (Span(f"{mark} ", styles[0]), Span(lines[0], styles[1]))
            if step.caption and column + len(step.caption) <= self.room.width:
                row = (*row, Span(" " * (column - 2 - len(lines[0]))), Span(step.caption, "caption"))
            rows += [row, *((Span("    "), Span(line, styles[1])) for line in lines[1:])]
        self.add(rows)

    def heading(self, step: Step, number: int, count: int) -> None:
        where = (Span(f"step {number + 1} of {count}", "step"),) if count > 1 else ()
        formula = f"{step.name} = {self.visible.formula(step)}"
        lines = wrap(formula, max(8, self.room.width - 2 - (14 if where else 0)))
        head: Row = (Span("▶ ", "now"), Span(lines[0], "formula"))
        shape = (Span("   " + self.shape(step), "shape"),)
        self.shaped = len(lines) == 1 and width_of((*head, *shape, *where)) + 3 <= self.room.width
        first = (*head, *shape) if self.shaped else head
        self.add([between(first, where, self.room.width) if where else first])
        self.head = len(self.rows) - 1
        self.rows += [(Span("    "), Span(line, "formula")) for line in lines[1:]]

    def waits(self, step: Step) -> bool:
        """Whether the step's numbers are not there yet."""
        return (is_slow(step.expr) and not self.room.slow) or self.visible.pending(step.name) > 0

    def shape(self, step: Step) -> str:
        return "" if self.waits(step) else self.visible.step_view(step, measured=self.room.slow).shapes

    def caption(self, step: Step) -> None:
        shape = "" if self.shaped else self.shape(step)
        room = self.room.width - 2
        if step.caption and shape and len(step.caption) + 3 + len(shape) <= room:
            self.rows.append(
                between((Span("  "), Span(step.caption, "caption")), (Span(shape, "shape"),), self.room.width)
            )
            return
        if step.caption:
            self.rows += [(Span("  "), Span(line, "caption")) for line in wrap(step.caption, room)]
        self.rows += [(Span("  "), Span(line, "shape")) for line in wrap(shape, room) if line]

    def step(self, step: Step, *, beside: bool = True) -> None:
        if self.waits(step):
            left = self.visible.pending(step.name)
            told = (
                f"This is worked out now, {left} blocks to go ..."
                if left
                else "This is measured now, on this machine ..."
            )
            self.add([text_row(f"  {told}", "caption")])
            return
        focus, before = self.room.focus, list(self.rows)
        if focus is not None and any(table.phi_of for table in self.tables(step.name)):
            # What is looked up stands below: three lines and an empty one.
            focus = replace(focus, rows=focus.rows - 4)
        made = self._matrices(step, focus, caption=True)
        if focus is not None and far(self.rows[self.head :], focus.wanted) > focus.rows:
            self.rows = before  # the caption gives way first
            made = self._matrices(step, focus, caption=False)
        self.block = made
        if beside and not self._beside(step.name):
            self.placed(step.name)

    def _beside(self, name: str) -> bool:
        """What the lesson puts at a step to the right of its matrices, where a wide screen has room; else False."""
        matrices = self.rows[self.matrices :]
        wide = max(map(width_of, matrices), default=0)
        room = min(READABLE, self.room.width - wide - BESIDE)
        plots = any(plot.at == name for plot in self.visible.stage.plots)
        if room < (LEAST_PLOT if plots else LEAST_TEXT):
            return False
        right = _StageWriter(self.visible, self.room._replace(width=room))
        right.placed(name)
        if any(span.text.startswith(NO_ROOM) for row in right.rows for span in row):
            return False
        pairs = zip_longest(matrices, right.rows, fillvalue=EMPTY)
        gap = Span(" " * BESIDE)
        self.rows[self.matrices :] = [(*padded(row, wide), gap, *other) if other else row for row, other in pairs]
        return True

    def _matrices(self, step: Step, focus: Focus | None, *, caption: bool) -> int:
        """The caption and the matrices of the step at hand; the next free block number."""
        if caption:
            self.caption(step)
        if focus is not None:
            gap = not self.room.tight and bool(self.rows and self.rows[-1])
            focus = replace(focus, rows=focus.rows - (len(self.rows) - self.head) - gap)
        rows, block = step_rows(
            self.look,
            self.visible.step_view(step),
            self.room.width,
            block=self.block,
            tight=self.room.tight,
            focus=focus,
            instead=aligned(self.look, step, focus.asked) if focus is not None else (),
        )
        self.add(rows, gap=not self.room.tight)
        self.matrices = len(self.rows) - len(rows)
        return block

    def tables(self, name: str) -> list[TextTable]:
        """The small tables that stand beside a step."""
        stage = self.visible.stage
        return [table for table in stage.tables if stands_with(table, stage.steps) == name]

    def placed(self, name: str) -> None:
        """What the lesson puts beside a step; with the empty name, at the stage's end."""
        stage = self.visible.stage
        for table in self.tables(name):
            focus = self.room.focus
            self.add(table_rows(self.visible, table, self.room.width, focus.asked if focus is not None else None))
        for drawn in stage.diagrams:
            if name and drawn.at == name:
                self.add(diagram_rows(self.visible, drawn, self.room.width))
        now = notes_at(self.visible, stage, name)
        for note in stage.notes:
            if note in now:
                self.add(note_rows(self.visible, note, self.prose))
        for plot in stage.plots:
            if plot.at == name:
                self.plot(plot)

    def plot(self, plot: Plot) -> None:
        if plot.kind == "curve" and not self.room.slow:
            return
        from tui_attention.render.drawn import plot_rows

        self.add(plot_rows(self.visible, plot, self.room.width, ascii=self.room.ascii))

    def end(self) -> None:
        stage = self.visible.stage
        if stage.recap:
            self.views([self.look(name) for name in stage.recap])
        if stage.listing:
            self.add(listing_rows(self.visible, stage.listing, self.room.width))
        self.placed("")
        if stage.glossary:
            from tui_attention.lessons.load import glossary
            from tui_attention.render.glossary import glossary_rows

            own = [term for term in glossary() if term.lesson == self.visible.id]
            self.add(glossary_rows(self.visible.terms(own), self.room.width, covered=self.room.names_covered))
        for line in self.room.compared if stage.compare else ():
            self.add(paragraph(line, self.prose, "note"))
        if stage.earns and self.visible.earned(self.visible.place.stage):
            self.add([text_row("Earned here", "section")])
            self.rows += name_rows([(earned.plain, earned.standard) for earned in stage.earns], self.room.width)


def document(visible: VisibleLesson, room: LayoutOptions) -> Document:
    """The stage at hand as it may be shown now."""
    writer = _StageWriter(visible, room)
    stage, place = visible.stage, visible.place
    if room.bare and stage.steps:
        writer.heading(stage.steps[place.step], place.step, 1)
        writer.step(stage.steps[place.step], beside=False)
        return Document(tuple(writer.rows), 0, 0, tuple(cells_of(writer.rows)))
    if room.wall == "folded" and stage.steps:
        writer.folded_wall()
    else:
        writer.wall()
    at = 0
    if room.wall == "alone":
        pass
    elif not stage.steps:
        writer.end()
    else:
        writer.others(stage.steps[: place.step], "✓", ("done", "behind"))
        at = len(writer.rows) + (1 if writer.rows and writer.rows[-1] else 0)
        writer.heading(stage.steps[place.step], place.step, len(stage.steps))
        writer.step(stage.steps[place.step])
        writer.others(stage.steps[place.step + 1 :], "·", ("ahead", "ahead"))
        if place.step == len(stage.steps) - 1:
            writer.end()
    rows = tuple(writer.rows)
    return Document(rows, at, at if place.step else 0, tuple(cells_of(rows)))


def name_rows(pairs: Sequence[tuple[str, str]], width: int) -> list[Row]:
    """Plain names beside the standard ones; below them where there is no room."""
    wide = max(cell_len(plain) for plain, _ in pairs)
    if 5 + wide + max(cell_len(standard) for _, standard in pairs) <= width:
        return [
            (Span(f"  {left(plain, wide)}   ", "plain-name"), Span(standard, "standard")) for plain, standard in pairs
        ]
    rows: list[Row] = []
    for plain, standard in pairs:
        rows += [(Span("  "), *row) for row in paragraph(plain, width - 2, "plain-name")]
        rows += [(Span("    "), *row) for row in paragraph(standard, width - 4, "standard")]
    return rows


def needs_time(visible: VisibleLesson) -> bool:
    """Whether the place shows something that is measured when it is shown."""
    step, stage = visible.step, visible.stage
    if step is not None and visible.pending(step.name):
        return True
    here = step is not None and is_slow(step.expr)
    measures = any(is_slow(step.expr) for step in stage.steps)
    return here or (measures and any(plot.kind == "curve" for plot in stage.plots))

"""What may be shown at one moment of a walk: the only door through which numbers reach a renderer.

Everything here hands out the covered mark in place of a covered number, so that no label, plot, pencil line, prose,
copy or log can hold one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from tui_attention.engine.graph import Working
from tui_attention.engine.tensor import Index, address
from tui_attention.engine.working import EXACT_ON_PRINTED, Cell, evaluate, line, multiplies, operands, steps
from tui_attention.lessons.listing import printed_rows
from tui_attention.lessons.model import Plot
from tui_attention.lessons.run import LessonRun
from tui_attention.walk.ledger import Ledger
from tui_attention.walk.view import (
    BLANK,
    COVER,
    COVERED,
    SHOWN,
    UNREACHED,
    Digits,
    Picture,
    View,
    node_shown,
    prints_of,
    text_of,
)


@dataclass(frozen=True, slots=True)
class PencilLine:
    """The pencil line of a cell: `left = line = result`, the result blank while it is covered.

    `hand` is what the printed rows give by pencil where that differs from the machine's number, `way` says how:
    "rounding each product" where the same rows, worked exactly, give the machine's. `says` is the sentence of a cell
    that has no pencil line.
    """

    left: str
    line: str
    result: str
    hand: str = ""
    way: str = ""
    says: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class VisibleLesson:
    """A moment: the cover on or off, the number of the current step, and the learner's ledger.

    `now` counts the steps of the whole lesson; in a stage without steps it is the number of steps before the stage
    and `stepping` is false. `orders` is the number of the step that makes each tensor.
    """

    run: LessonRun
    ledger: Ledger
    cover: bool
    now: int
    stepping: bool
    orders: Mapping[str, int]
    digits: Digits = "printed"

    # ------------------------------------------------------------ cells

    def state(self, name: str, index: Index) -> int:
        """SHOWN, COVERED or UNREACHED for one cell; a view's cell is as its source cell."""
        graph = self.run.graph
        source, place = graph.source(name, index)
        order = self.orders.get(source, -1)
        if source in self.ledger.opened or self.ledger.entry(address(source, place)).settled:
            return SHOWN
        if not self.cover:
            reached = max(order, self.orders.get(name, -1))
            return SHOWN if reached < self.now or (reached == self.now and self.stepping) else UNREACHED
        if order < self.now:
            return SHOWN
        if (
            order == self.now
            and self.stepping
            and graph.working(source, place).kind in ("stated", "measured", "masked")
        ):
            return SHOWN
        return COVERED

    def shown(self, name: str, index: Index) -> bool:
        return self.state(name, index) == SHOWN

    def show(self, cell: Cell) -> str:
        """A cell's text, or the covered mark: for pencil lines and prose."""
        return self.cell_text(cell.tensor, cell.index) if self.shown(cell.tensor, cell.index) else COVER

    def cell_text(self, name: str, index: Index) -> str:
        return text_of(self.run, name, index, self.digits, self.by_hand)

    def earlier(self) -> VisibleLesson:
        """One step before, with the same ledger."""
        return replace(self, now=self.now - 1)

    def by_hand(self, name: str, index: Index) -> float:
        """What the printed rows give by pencil, each inner step kept to the asked decimals."""
        return self.run.by_hand(name, index)

    # ------------------------------------------------------------ tensors and plots

    def view(self, name: str) -> View:
        """The tensor as it may be shown now. Raises BadInput for an unknown name."""
        graph = self.run.graph
        tensor, traced = graph.tensor(name), graph.traced(name)
        states = np.full(tensor.shape, UNREACHED, dtype=np.int8)
        values = np.full(tensor.shape, np.nan)
        texts = np.full(tensor.shape, "", dtype=object)
        sources = np.full(tensor.shape, "", dtype=object)
        for index in np.ndindex(*tensor.shape):
            states[index] = self.state(name, index)
            sources[index] = address(*graph.source(name, index))
            if states[index] == SHOWN:
                values[index] = float(tensor.values[index])
                texts[index] = self.cell_text(name, index)
        prints = tensor.prints if isinstance(tensor.prints, int) else max(tensor.prints or (0,))
        return View(
            name,
            tensor.title,
            tensor.standard,
            tensor.axes,
            tensor.origin,
            values,
            states,
            texts,
            sources,
            prints,
            tensor.continued_from,
            traced.view,
        )

    def picture(self, plot: Plot) -> tuple[Picture, ...]:
        """The numbers of a plot as they may be shown."""
        graph = self.run.graph
        found = []
        labels = plot.labels if len(plot.labels) == len(plot.of) else plot.of
        for text, label in zip(plot.of, labels, strict=True):
            traced = self.run.formula(text)
            values = np.full(traced.shape, np.nan)
            for index in np.ndindex(*traced.shape):
                if node_shown(traced.at(index), self.shown):
                    values[index] = float(traced.values[index])
            axes = graph.tensor(text).axes if text in graph.names() else traced.axes
            title = label if label == text else self.text(label) or label
            found.append(
                Picture(title, values, axes, bool(np.isnan(values).any()), prints_of(traced, graph.program.prints))
            )
        return tuple(found)

    # ------------------------------------------------------------ prose and workings

    def text(self, prose: str, *, page_only: bool = False) -> str | None:
        """Prose with its placeholders filled in, covered cells as marks; None when it is left out."""
        return self.run.text(prose, self.show, page_only=page_only)

    def listing(self, name: str) -> tuple[str, ...]:
        """What a program prints for the last place; a row is blank while a number that it tells is covered."""
        return tuple(
            row.line(hidden=not all(map(self._last_shown, row.tensors))) for row in printed_rows(self.run, name)
        )

    def _last_shown(self, name: str) -> bool:
        """Whether every number of the last place may be shown: of each head where there are heads."""
        shape = self.run.graph.traced(name).shape
        place = max(0, len(shape) - 2)
        last = shape[place] - 1
        return all(self.shown(name, index) for index in np.ndindex(*shape) if index[place] == last)

    def operands(self, name: str, index: Index) -> tuple[Cell, ...]:
        """The cells that the working of a cell reads: to be lit. Only their addresses are for showing."""
        root = self.run.graph.working(name, index).root
        return () if root is None else operands(root)

    def line(self, name: str, index: Index) -> PencilLine:
        """The cell's pencil line, covered operands as marks, the result blank while it is covered."""
        graph = self.run.graph
        working = graph.working(name, index)
        cell = working.cell
        left = graph.tensor(cell.tensor).short(cell.index)
        state = self.state(cell.tensor, cell.index)
        shown = state == SHOWN
        result = self.cell_text(cell.tensor, cell.index) if shown else BLANK
        if working.kind == "dial" or working.root is None:
            return PencilLine(left, "", result, says=self.origin(cell.tensor, cell.index))
        if working.kind != "computed":
            covered = "read it off the row" if working.kind == "choice" else ""
            return PencilLine(left, "", result, says=working.says if shown else covered)
        hand, way = self._hand(working) if shown else ("", "")
        return PencilLine(left, line(working.root, self.show), result, hand, way)

    def _hand(self, working: Working) -> tuple[str, str]:
        """What a pencil gets that rounds at each step, and what that comes from; empty where it is the machine's."""
        cell, root = working.cell, working.root
        if root is None or cell.prints is None:
            return "", ""
        hand = replace(cell, value=self.by_hand(cell.tensor, cell.index)).printed
        if hand == cell.printed:
            return "", ""
        if replace(cell, value=evaluate(root, EXACT_ON_PRINTED)).printed != cell.printed:
            return hand, "by pencil from the printed rows"
        return hand, f"rounding each {'product' if multiplies(root) else 'step'}"

    def steps(self, name: str, index: Index) -> tuple[str, ...]:
        """The pencil's successive lines; only the first while the cell or an operand is covered."""
        working = self.run.graph.working(name, index)
        if working.kind != "computed" or working.root is None:
            return ()
        cell = working.cell
        if not self.shown(cell.tensor, cell.index) or not node_shown(working.root, self.shown):
            return (line(working.root, self.show),)
        return steps(working.root, working.asks, cell.prints)

    def origin(self, name: str, index: Index) -> str:
        """A sentence on where a cell without a working is from."""
        tensor = self.run.graph.tensor(name)
        if name == "splitter":
            return "an entry of the text splitter: it is fixed, no dial"
        if (name, index) in self.run.graph.turned:
            return "a dial, turned by you"
        if tensor.origin == "dial":
            continued = tensor.continued_from is not None and index[0] >= tensor.continued_from
            return "a dial, continued beyond the printed rows" if continued else "a dial, as printed"
        if tensor.origin == "constant":
            return "a constant of the lesson"
        fact = self.run.lesson.facts.get(name)
        return fact.source if fact else "a stated number"


__all__ = ["COVER", "COVERED", "SHOWN", "UNREACHED", "PencilLine", "VisibleLesson"]

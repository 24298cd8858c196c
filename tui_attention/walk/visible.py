"""What may be shown at one moment of a walk: the only door through which numbers reach a renderer.

Everything here hands out the covered mark in place of a covered number, so that no label, plot, pencil line, prose,
copy or log can hold one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from tui_attention.engine.formula import Step
from tui_attention.engine.graph import Working
from tui_attention.engine.operation import Vocabulary
from tui_attention.engine.program import Inputs
from tui_attention.engine.refs import CellRef
from tui_attention.engine.working import EXACT_ON_PRINTED, Cell, evaluate, line, multiplies, operands, steps
from tui_attention.lessons.listing import printed_rows
from tui_attention.lessons.model import Plot, Stage
from tui_attention.lessons.run import LessonRun
from tui_attention.walk import places
from tui_attention.walk.ledger import Ledger
from tui_attention.walk.places import Place
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


@dataclass(frozen=True, slots=True)
class StageName:
    """How a stage is called."""

    id: str
    title: str
    number: str


@dataclass(frozen=True, eq=False, slots=True)
class VisibleLesson:
    """A moment: the cover on or off, the number of the current step, and the learner's ledger.

    `now` counts the steps of the whole lesson; in a stage without steps it is the number of steps before the stage
    and `stepping` is false. `orders` is the number of the step that makes each tensor. `held` tensors are covered
    whatever the place, until what was changed has been predicted.
    """

    run: LessonRun
    ledger: Ledger
    cover: bool
    now: int
    stepping: bool
    orders: Mapping[str, int]
    digits: Digits = "printed"
    place: Place = field(default_factory=Place)
    furthest: int = 0
    held: frozenset[str] = frozenset()

    # ------------------------------------------------------------ the lesson, without its numbers

    @property
    def title(self) -> str:
        return self.run.lesson.title

    @property
    def stages(self) -> tuple[Stage, ...]:
        return self.run.lesson.stages

    @property
    def stage(self) -> Stage:
        """The stage at hand."""
        return self.stages[self.place.stage]

    @property
    def step(self) -> Step | None:
        """The step at hand; None in a stage without steps."""
        return self.stage.steps[self.place.step] if self.stage.steps else None

    @property
    def at_end(self) -> bool:
        return self.place == places.last(self.run.lesson)

    @property
    def inputs(self) -> Inputs:
        """Prompt, other sentence and ticket."""
        return self.run.graph.inputs

    @property
    def vocabulary(self) -> Vocabulary:
        """The marks that a prompt is made of."""
        return self.run.graph.program.vocabulary

    @property
    def own(self) -> bool:
        """Whether prompt, ticket and dials are the lesson's own."""
        return self.run.graph.own

    def number(self, stage: int) -> str:
        """A stage's number in the tree; empty for what comes before the first."""
        return places.number(self.run.lesson, stage)

    def outline(self) -> tuple[StageName, ...]:
        """Id, title and number of every stage, in order."""
        return tuple(StageName(stage.id, stage.title, self.number(n)) for n, stage in enumerate(self.stages))

    def names(self) -> tuple[str, ...]:
        """Every tensor, in the order in which they are made."""
        return self.run.graph.names()

    def locate(self, text: str) -> CellRef:
        """The cell that a typed address means. Raises BadInput, saying what would be legal."""
        return CellRef(*self.run.graph.locate(text))

    # ------------------------------------------------------------ cells

    def source(self, ref: CellRef) -> CellRef:
        """The cell that a cell is: that of a view is its source's."""
        return CellRef(*self.run.graph.source(ref.tensor, ref.index))

    def state(self, ref: CellRef) -> int:
        """SHOWN, COVERED or UNREACHED for one cell; a view's cell is as its source cell."""
        source = self.source(ref)
        order = self.orders.get(source.tensor, -1)
        if source.tensor in self.held:
            return SHOWN if self.ledger.entry(source).settled else COVERED
        if source.tensor in self.ledger.opened or self.ledger.entry(source).settled:
            return SHOWN
        if not self.cover:
            reached = max(order, self.orders.get(ref.tensor, -1))
            return SHOWN if reached < self.now or (reached == self.now and self.stepping) else UNREACHED
        if order < self.now:
            return SHOWN
        if (
            order == self.now
            and self.stepping
            and self.run.graph.working(source.tensor, source.index).kind in ("stated", "measured", "masked")
        ):
            return SHOWN
        return COVERED

    def shown(self, ref: CellRef) -> bool:
        return self.state(ref) == SHOWN

    def show(self, ref: CellRef) -> str:
        """A cell's text, or the covered mark: for pencil lines and prose."""
        return self._text(ref) if self.shown(ref) else COVER

    def told(self, ref: CellRef) -> str:
        """A cell's text on a page of its own: what is merely not reached yet is told, what is covered is not."""
        return COVER if self.state(ref) == COVERED else self._text(ref)

    def _show(self, cell: Cell) -> str:
        return self.show(CellRef(cell.tensor, cell.index))

    def earlier(self) -> VisibleLesson:
        """One step before, with the same ledger."""
        return replace(self, now=self.now - 1)

    def _text(self, ref: CellRef) -> str:
        return text_of(self.run, ref, self.digits, self._by_hand)

    def _by_hand(self, ref: CellRef) -> float:
        return self.run.by_hand(ref.tensor, ref.index)

    # ------------------------------------------------------------ tensors and plots

    def view(self, name: str) -> View:
        """The tensor as it may be shown now. Raises BadInput for an unknown name."""
        graph = self.run.graph
        tensor, traced = graph.tensor(name), graph.traced(name)
        states = np.full(tensor.shape, UNREACHED, dtype=np.int8)
        values = np.full(tensor.shape, np.nan)
        texts = np.full(tensor.shape, "", dtype=object)
        sources = np.empty(tensor.shape, dtype=object)
        for index in np.ndindex(*tensor.shape):
            ref = CellRef(name, index)
            states[index] = self.state(ref)
            sources[index] = self.source(ref)
            if states[index] == SHOWN:
                values[index] = float(tensor.values[index])
                texts[index] = self._text(ref)
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
        return self.run.text(prose, self._show, page_only=page_only)

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
        return all(self.shown(CellRef(name, index)) for index in np.ndindex(*shape) if index[place] == last)

    def operands(self, ref: CellRef) -> tuple[CellRef, ...]:
        """The cells that the working of a cell reads: to be lit."""
        return self.reads(self.run.graph.working(ref.tensor, ref.index))

    def line(self, ref: CellRef) -> PencilLine:
        """The cell's pencil line, covered operands as marks, the result blank while it is covered."""
        graph = self.run.graph
        working = graph.working(ref.tensor, ref.index)
        cell = working.cell
        here = CellRef(cell.tensor, cell.index)
        left = graph.tensor(cell.tensor).short(cell.index)
        shown = self.shown(here)
        result = self._text(here) if shown else BLANK
        if working.kind == "dial" or working.root is None:
            return PencilLine(left, "", result, says=self.origin(here))
        if working.kind != "computed":
            covered = "read it off the row" if working.kind == "choice" else ""
            return PencilLine(left, "", result, says=working.says if shown else covered)
        hand, way = self._hand(working) if shown else ("", "")
        return PencilLine(left, line(working.root, self._show), result, hand, way)

    def _hand(self, working: Working) -> tuple[str, str]:
        """What a pencil gets that rounds at each step, and what that comes from; empty where it is the machine's."""
        cell, root = working.cell, working.root
        if root is None or cell.prints is None:
            return "", ""
        hand = replace(cell, value=self._by_hand(CellRef(cell.tensor, cell.index))).printed
        if hand == cell.printed:
            return "", ""
        if replace(cell, value=evaluate(root, EXACT_ON_PRINTED)).printed != cell.printed:
            return hand, "by pencil from the printed rows"
        return hand, f"rounding each {'product' if multiplies(root) else 'step'}"

    def steps(self, ref: CellRef) -> tuple[str, ...]:
        """The pencil's successive lines; only the first while the cell or an operand is covered."""
        working = self.run.graph.working(ref.tensor, ref.index)
        if working.kind != "computed" or working.root is None:
            return ()
        cell = working.cell
        if not self.shown(CellRef(cell.tensor, cell.index)) or not node_shown(working.root, self.shown):
            return (line(working.root, self._show),)
        return steps(working.root, working.asks, cell.prints)

    def short(self, ref: CellRef) -> str:
        """The address for people: leading axes of length 1 are left out."""
        return self.run.graph.tensor(ref.tensor).short(ref.index)

    def reads(self, working: Working) -> tuple[CellRef, ...]:
        """The cells that a working reads."""
        root = working.root
        return () if root is None else tuple(CellRef(cell.tensor, cell.index) for cell in operands(root))

    def formula(self, working: Working) -> str:
        """The pencil line of a working, covered operands as marks."""
        return line(working.root, self._show) if working.root is not None else ""

    def turned(self) -> tuple[tuple[CellRef, str], ...]:
        """The dials that were turned, in the order of turning, with the digits typed."""
        found = self.run.graph.turned.items()
        return tuple((CellRef(*dial), f"{value:.{decimals}f}") for dial, (value, decimals) in found)

    def origin(self, ref: CellRef) -> str:
        """A sentence on where a cell without a working is from."""
        tensor = self.run.graph.tensor(ref.tensor)
        if ref.tensor == "splitter":
            return "an entry of the text splitter: it is fixed, no dial"
        if (ref.tensor, ref.index) in self.run.graph.turned:
            return "a dial, turned by you"
        if tensor.origin == "dial":
            continued = tensor.continued_from is not None and ref.index[0] >= tensor.continued_from
            return "a dial, continued beyond the printed rows" if continued else "a dial, as printed"
        if tensor.origin == "constant":
            return "a constant of the lesson"
        fact = self.run.lesson.facts.get(ref.tensor)
        return fact.source if fact else "a stated number"


__all__ = ["COVER", "COVERED", "SHOWN", "UNREACHED", "PencilLine", "VisibleLesson"]

"""What may be shown at one moment of a walk: the only door through which numbers reach a renderer.

Everything here hands out the covered mark in place of a covered number, so that no label, plot, pencil line, prose,
copy or log can hold one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from tui_attention.engine.decimals import printed
from tui_attention.engine.formula import Step
from tui_attention.engine.graph import Working
from tui_attention.engine.naming import worded
from tui_attention.engine.operation import Operation
from tui_attention.engine.refs import CellRef
from tui_attention.engine.shortening import shortened
from tui_attention.engine.tensor import Index
from tui_attention.engine.traits import role_of
from tui_attention.engine.working import (
    EXACT_ON_PRINTED,
    Cell,
    Node,
    Stated,
    evaluate,
    line,
    multiplies,
    operands,
    steps,
)
from tui_attention.engine.working import Ref as EngineRef
from tui_attention.lessons.model import Plot, Stage, Term
from tui_attention.walk import places
from tui_attention.walk.choices import choosing, marks_of
from tui_attention.walk.lead import ALONE, Lead
from tui_attention.walk.ledger import Ledger, State, Tally, counted
from tui_attention.walk.outline import LessonOutline
from tui_attention.walk.places import Place
from tui_attention.walk.questions import Question
from tui_attention.walk.refs import Ref
from tui_attention.walk.steps import heat_of, is_shares
from tui_attention.walk.tables import CellTable, table_of, whole_table
from tui_attention.walk.view import (
    BLANK,
    COVER,
    COVERED,
    OWN,
    SHOWN,
    UNREACHED,
    Digits,
    PencilLine,
    Picture,
    View,
    node_shown,
    prints_of,
    text_of,
)
from tui_attention.walk.window import AS_IT_STANDS, Arrangement, Window, is_large, ordered, rank_in, window_of

if TYPE_CHECKING:
    import numpy.typing as npt

StageMark = Literal["new", "visited", "open", "done", "borrowed"]


@dataclass(frozen=True, eq=False, slots=True)
class VisibleLesson(LessonOutline):
    """A moment: the cover on or off, the place, and the learner's ledger. It has no door to a covered number.

    `now` counts the steps of the whole lesson; in a stage without steps it is the number of steps before the stage
    and `stepping` is false. `held` tensors are covered whatever the place, until what was changed has been predicted.
    `edition` is another number whenever prompt, dials or switches are others; `reached` are the stages that the last
    change reaches.
    """

    ledger: Ledger
    cover: bool
    now: int
    stepping: bool
    digits: Digits = "printed"
    place: Place = field(default_factory=Place)
    furthest: int = 0
    held: frozenset[str] = frozenset()
    edition: int = 0
    lead: Lead = ALONE
    reached: frozenset[int] = frozenset()
    arrangement: Arrangement = AS_IT_STANDS

    # ------------------------------------------------------------ the lesson, without its numbers

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
        return self.place == places.last(self._run.lesson)

    # ------------------------------------------------------------ names that are earned

    def earned(self, stage: int) -> bool:
        """Whether the standard names of a stage are earned: it lies behind, or its last step has nothing open."""
        room = self.stages[stage]
        if stage < self.furthest or not (room.earns or room.standard):
            return True
        if stage != self.place.stage or self.place.step < len(room.steps) - 1:
            return False
        entry = self.ledger.entry
        return not self.cover or all(entry(asked.ref).settled for asked in self.questions())

    def _name_earned(self, tensor: str) -> bool:
        home = self._plan.homes.tensors.get(tensor)
        return home is None or self.earned(home)

    def _call_earned(self, operation: Operation) -> bool:
        home = self._plan.homes.operations.get(operation.name)
        return home is None or self.earned(home)

    @property
    def standard(self) -> str:
        """The standard name of the stage at hand; empty until it is earned."""
        return self.stage.standard if self.earned(self.place.stage) else ""

    def formula(self, step: Step) -> str:
        """A step's formula as it may be read: an operation by its plain name until the other is earned."""
        return worded(step.text, self._call_earned)

    def terms(self, terms: Iterable[Term]) -> tuple[Term, ...]:
        """Lines of the glossary; the standard name of one that is not earned is covered, its formula left out."""
        earned = {
            name.standard for stage, room in enumerate(self.stages) if self.earned(stage) for name in room.earns
        }
        return tuple(term if term.standard in earned else term._replace(standard=COVER, formula="") for term in terms)

    def example_cell(self) -> CellRef:
        """A cell of the first matrix that a pencil makes; else of the first tensor."""
        graph = self._graph
        for step in graph.program.steps:
            shape = graph.traced(step.name).shape
            ref = CellRef(step.name, tuple(min(2, size - 1) if axis else 0 for axis, size in enumerate(shape)))
            if len(shape) > 1 and self.source(ref) == ref and graph.working(ref.tensor, ref.index).askable:
                return ref
        first = graph.names()[0]
        return CellRef(first, (0,) * len(graph.tensor(first).shape))

    def pending(self, name: str) -> int:
        """How many slices of work a tensor still needs before it can show."""
        return self._graph.pending(name)

    def block_notes(self) -> Mapping[str, tuple[str, ...]]:
        """Short texts on what happened in each block, as far as they are known; nothing while the cover is on."""
        return {} if self.cover else self._graph.outline()

    # ------------------------------------------------------------ cells

    def state(self, ref: CellRef) -> int:
        """SHOWN, COVERED or UNREACHED for one cell; a view's cell is as its source cell."""
        return self._state(ref.tensor, self.source(ref))

    def _state(self, tensor: str, source: CellRef) -> int:
        order = self._plan.order(source.tensor)
        settled = self.ledger.entry(source).settled
        if source.tensor in self.held:
            return SHOWN if settled else COVERED
        if settled or source in self.lead.shown:
            return SHOWN
        if source.tensor in self.lead.held:
            return COVERED
        if source.tensor in self.ledger.opened:
            return SHOWN
        if not self.cover:
            reached = max(order, self._plan.order(tensor))
            return SHOWN if reached < self.now or (reached == self.now and self.stepping) else UNREACHED
        if order < self.now:
            return SHOWN
        if order == self.now and self.stepping and self._needs_no_pencil(source):
            return SHOWN
        return COVERED

    def _needs_no_pencil(self, source: CellRef) -> bool:
        """Whether a cell is stated, measured or masked. A product never is, and its working is long."""
        step = self._graph.program.by_name.get(source.tensor)
        if step is not None and role_of(step.expr) == "projection":
            return False
        kind = self._graph.working(source.tensor, source.index).kind
        if kind == "stated" and self._graph.tensor(source.tensor).truth:
            # Yes or no is what a sentence of the same step asks.
            return all(self.ledger.entry(asked.ref).settled for asked in self.questions() if asked.sentence)
        return kind in ("stated", "measured", "masked")

    def shown(self, ref: CellRef) -> bool:
        return self.state(ref) == SHOWN

    def show(self, ref: CellRef) -> str:
        """A cell's text, or the covered mark: for pencil lines and prose."""
        return self._text(ref) if self.shown(ref) else COVER

    def tells(self, ref: CellRef) -> bool:
        """Whether a number may be told outside of a matrix, too: it shows, and no CHECK left open asks for it.

        What is left open shows in the matrices of later steps, since they need it; no line, prose or plot tells it.
        """
        if not self.shown(ref):
            return False
        cell = self.source(ref)
        told = not self.cover or cell in self.lead.shown
        return told or self.ledger.entry(cell).settled or not self._plan.asks(cell, self.ledger)

    def told(self, ref: CellRef) -> str:
        """A cell's text on a page of its own: what is merely not reached yet is told, what is covered is not."""
        return COVER if self.state(ref) == COVERED else self._text(ref)

    def _show(self, cell: Cell) -> str:
        return self.show(CellRef(cell.tensor, cell.index))

    def earlier(self) -> VisibleLesson:
        """One step before, with the same ledger."""
        return replace(self, now=self.now - 1)

    def _text(self, ref: CellRef) -> str:
        return text_of(self._run, ref, self.digits, self._by_hand)

    def _by_hand(self, ref: CellRef) -> float:
        """What a pencil makes of a cell; the machine's number where that would need what is still covered."""
        if self.lead.held:
            working = self._graph.working(ref.tensor, ref.index)
            if working.root is not None and not node_shown(working.root, self.shown):
                return working.cell.value
        return self._run.by_hand(ref.tensor, ref.index)

    # ------------------------------------------------------------ tensors and plots

    def window_at(self, ref: CellRef) -> Index:
        """A cell of the window in which a cell of a large tensor is shown, the same for all that it shows."""
        found = self._window(ref.tensor, ref.index)
        return () if found is None else found.around

    def beside(self, name: str, at: Index, by: int) -> Index | None:
        """The cell of a large tensor so many columns on, as they are shown; None beyond the last."""
        found = self._order(name, at)
        if found is None:
            column = at[-1] + by
            return (*at[:-1], column) if 0 <= column < self.shape(name)[-1] else None
        rank = rank_in(found[0], at[-1]) + by
        return (*at[:-1], int(found[0][rank])) if 0 <= rank < len(found[0]) else None

    def first_of(self, cell: CellRef) -> CellRef:
        """The first cell of its row, as it is arranged."""
        found = self._order(cell.tensor, cell.index)
        return cell if found is None else CellRef(cell.tensor, (*cell.index[:-1], int(found[0][0])))

    def _window(self, name: str, around: Index | None) -> Window | None:
        return window_of(self.shape(name), around, *(self._order(name, around or ()) or ()))

    def _order(self, name: str, around: Index) -> tuple[npt.NDArray[np.int64], str] | None:
        """The columns as they are arranged, and what they are called; None where they stand as they are."""
        traced, how = self._graph.traced(name), self.arrangement
        if self.cover or self.held:
            how = how._replace(largest=False)  # the order would tell what is covered
        return ordered(how, traced.shape, traced.axes, traced.values, around)

    def view(self, name: str, around: Index | None = None) -> View:
        """The tensor as it may be shown now; with `around`, of a large one the window around that cell.

        Raises BadInput for an unknown name.
        """
        graph = self._graph
        tensor, traced = graph.tensor(name), graph.traced(name)
        window = None if around is None else self._window(name, around)
        shape = tensor.shape if window is None else window.shape
        # What a pencil makes of a cell hangs on what is covered, while somebody holds something back.
        shared = window is None and not is_large(tensor.shape) and not (self.digits == "pencil" and self.lead.held)
        table = whole_table(self._run, name, self.digits) if shared else None
        if table is None:
            places = np.ndindex(*shape) if window is None else window.indices()
            table = table_of(self._run, name, shape, places, lambda ref: self._text(ref) if self.shown(ref) else "")
        states = self._states(name, table)
        seen = states == SHOWN
        values, texts = np.where(seen, table.values, np.nan), np.where(seen, table.texts, "")
        continued = tensor.continued_from
        if window is not None and continued is not None:
            continued -= window.start[-2] if len(shape) > 1 else 0
        prints = tensor.prints if isinstance(tensor.prints, int) else max(tensor.prints or (0,))
        dividers = self._plan.dividers(name, tensor.shape[-1]) if tensor.shape else frozenset[int]()
        return View(
            name,
            tensor.title,
            tensor.standard if self._name_earned(name) else "",
            tensor.axes if window is None else window.axes(tensor.axes),
            tensor.origin,
            values,
            states,
            texts,
            table.sources,
            prints,
            continued,
            traced.view,
            window is None and is_shares(graph, name, tensor.standard),
            dividers if window is None else window.dividers(dividers),
            () if window is None else window.start,
            () if window is None else tensor.shape,
            frozenset(dial for table, dial in graph.turned if table == name),
            marks_of(graph, name),
            self._owns(table),
            () if window is None else window.columns,
            "" if window is None else window.says,
            heat_of(graph, self.arrangement, name, values, window),
        )

    def _owns(self, table: CellTable) -> dict[Index, str]:
        """The learner's own numbers in a table, by place."""
        own = self.ledger.own
        if not own:
            return {}
        places = zip(np.ndindex(*table.sources.shape), table.sources.ravel().tolist(), strict=True)
        return {index: text for index, ref in places if ref in own and (text := self.own_text(ref))}

    def own_text(self, ref: CellRef) -> str:
        """The learner's own number for a cell as it stands in its matrix; empty where it is the cell's, by pencil."""
        source = self.source(ref)
        own = self.ledger.own.get(source)
        if own is None:
            return ""
        working = self._graph.working(source.tensor, source.index)
        if self.ledger.entry(source).settled and abs(own - working.cell.value) < 1.5 * 10.0**-working.asks:
            return ""
        text = printed(own, working.asks)
        return f"{text if abs(float(text) - own) < 1e-9 else format(own, 'g')}{OWN}"

    def _states(self, name: str, table: CellTable) -> npt.NDArray[np.int8]:
        """The state of each cell of a table."""
        if not table.view and (alike := self._state_of_all(name)) is not None:
            return np.full(table.sources.shape, alike, dtype=np.int8)
        flat = [self._state(name, source) for source in table.sources.ravel().tolist()]
        return np.array(flat, dtype=np.int8).reshape(table.sources.shape)

    def _state_of_all(self, name: str) -> int | None:
        """The state that all cells of a tensor have, but for a view; None where it hangs on the cell."""
        order, held = self._plan.order(name), name in self.held
        if any(ref.tensor == name for ref in self.ledger.settled_cells) or (
            not held and any(ref.tensor == name for ref in self.lead.shown)
        ):
            return None
        if held or name in self.lead.held:
            return COVERED
        if name in self.ledger.opened or order < self.now:
            return SHOWN
        if order > self.now or not self.stepping:
            return COVERED if self.cover else UNREACHED
        return None if self.cover else SHOWN

    def picture(self, plot: Plot) -> tuple[Picture, ...]:
        """The numbers of a plot as they may be shown."""
        graph = self._graph
        found = []
        labels = plot.labels if len(plot.labels) == len(plot.of) else plot.of
        for text, label in zip(plot.of, labels, strict=True):
            traced = self._run.formula(text)
            values = np.full(traced.shape, np.nan)
            for index in np.ndindex(*traced.shape):
                if node_shown(traced.at(index), self.tells):
                    values[index] = float(traced.values[index])
            axes = graph.tensor(text).axes if text in graph.names() else traced.axes
            title = label if label == text else self.text(label) or label
            found.append(
                Picture(title, values, axes, bool(np.isnan(values).any()), prints_of(traced, graph.program.prints))
            )
        return tuple(found)

    # ------------------------------------------------------------ prose and workings

    def written(self) -> tuple[tuple[str, str, str], ...]:
        """What is chosen at the last place: by which operation, the cell, its mark, covered where it is not told."""
        found = []
        for step in self._graph.program.steps:
            how = choosing(step)
            if how and len(shape := self.shape(step.name)) == 1:
                cell = CellRef(step.name, (shape[0] - 1,))
                found.append((how, self.short(cell), self.text(f"{{mark {cell}}}") or ""))
        return tuple(found)

    def text(self, prose: str, *, page_only: bool = False) -> str | None:
        """Prose with its placeholders filled in, covered cells as marks; None when it is left out.

        While the cover is on, prose does not tell what a CHECK that was left open asks for, though its number shows.
        """
        filled = self._run.text(prose, self._tell, page_only=page_only)
        return None if filled is None else self.addressed(filled)

    def remark(self, prose: str) -> str:
        """A remark on an answer, filled in with what shows; empty where it would speak of a covered number."""
        found = self._run.text(prose, self._show) or ""
        return "" if COVER in found else found

    def _tell(self, cell: Cell) -> str:
        ref = CellRef(cell.tensor, cell.index)
        return self._text(ref) if self.tells(ref) else COVER

    def listing(self, name: str) -> tuple[str, ...]:
        """What a program prints for the last place; a row is blank while a number that it tells is covered."""
        from tui_attention.lessons.listing import printed_rows

        return tuple(
            row.line(hidden=not all(map(self._last_told, row.tensors))) for row in printed_rows(self._run, name)
        )

    def _last_told(self, name: str) -> bool:
        """Whether every number of the last place may be told: of each head where there are heads."""
        shape = self._graph.traced(name).shape
        place = max(0, len(shape) - 2)
        last = shape[place] - 1
        return all(self.tells(CellRef(name, index)) for index in np.ndindex(*shape) if index[place] == last)

    def operands(self, ref: CellRef) -> tuple[CellRef, ...]:
        """The cells that the working of a cell reads: to be lit."""
        return _reads(self._graph.working(ref.tensor, ref.index))

    def line(self, ref: CellRef) -> PencilLine:
        """The cell's pencil line, covered operands as marks, the result blank while it is covered or left open."""
        graph = self._graph
        working = graph.working(ref.tensor, ref.index)
        cell = working.cell
        here = CellRef(cell.tensor, cell.index)
        left = graph.tensor(cell.tensor).short(cell.index)
        shown = self.tells(here)
        result = self._text(here) if shown else BLANK
        if working.kind == "dial" or working.root is None:
            return PencilLine(left, "", result, says=self.origin(here))
        if working.kind != "computed":
            covered = "read it off the row" if working.kind == "choice" else ""
            return PencilLine(left, "", result, says=working.says if shown else covered)
        hand, way = self._hand(working) if shown else ("", "")
        return PencilLine(left, line(self._readable(working.root), self._show), result, hand, way)

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
        """The pencil's successive lines; only the first while the cell is not told or an operand is covered."""
        working = self._graph.working(ref.tensor, ref.index)
        if working.kind != "computed" or working.root is None:
            return ()
        cell = working.cell
        if not self.tells(CellRef(cell.tensor, cell.index)) or not node_shown(working.root, self.shown):
            return (line(self._readable(working.root), self._show),)
        return steps(self._readable(working.root), working.asks, cell.prints)

    def _readable(self, root: Node) -> Node:
        """The working with long sums cut; nothing of what is covered tells which terms are the largest."""
        return shortened(root, lambda cell: self.shown(CellRef(cell.tensor, cell.index)))

    def switched(self) -> tuple[str, ...]:
        """The switches that are thrown, as phrases."""
        names = {"tanh": "bend tanh", "relu": "bend ReLU", "reverse": "reversed"}
        return tuple(names.get(name, f"without {name}") for name in self._graph.program.switched)

    def origin(self, ref: CellRef) -> str:
        """A sentence on where a cell without a working is from."""
        tensor = self._graph.tensor(ref.tensor)
        if ref.tensor == "splitter":
            return "an entry of the text splitter: it is fixed, no dial"
        if (ref.tensor, ref.index) in self._graph.turned:
            return "a dial, turned by you"
        if tensor.origin == "dial":
            if self.variant and ref.tensor in self._run.lesson.variants.tables():
                return f"a dial, drawn for variant {self.variant}"
            continued = tensor.continued_from is not None and ref.index[0] >= tensor.continued_from
            return "a dial, continued beyond the printed rows" if continued else "a dial, as printed"
        if tensor.origin == "constant":
            return "a constant of the lesson"
        fact = self._run.lesson.facts.get(ref.tensor)
        return fact.source if fact else "a stated number"

    # ------------------------------------------------------------ questions

    def questions(self, place: Place | None = None) -> tuple[Question, ...]:
        """The CHECKs asked at a place (the present one), in the lesson's order, siblings behind their CHECK."""
        return self._plan.at(place or self.place, self.ledger)

    def every_question(self, stage: int) -> tuple[Question, ...]:
        """All CHECKs of a stage in the lesson's order."""
        checks = (check for check in self.stages[stage].checks if self._plan.present(check))
        return tuple(asked for check in checks for asked in self._plan.of_check(check, self.ledger))

    def ask(self, question: Question) -> str:
        """The question's text."""
        check = question.check
        filled = (self._run.text(self._run.ask(check), self._show) or "") if check else ""
        return self.addressed(self._plan.ask(question, filled))

    def numbered(self, question: Question) -> tuple[int, int]:
        """The number of a question's CHECK among those of this step, and how many these are; two zeros for a cell."""
        return self._plan.numbered(self.place, question.check)

    def asked_decimals(self, question: Question) -> int | None:
        """How many decimals are asked for; None for a sentence."""
        return None if question.sentence else self._plan.asked_working(question).asks

    def asked_operands(self, question: Question) -> tuple[CellRef, ...]:
        """The cells that the working of a question reads; none for a sentence."""
        return () if question.sentence else _reads(self._plan.asked_working(question))

    def covered_operands(self, question: Question) -> tuple[CellRef, ...]:
        """The operands of a numeric question, those that a choice is read off among them, that are not shown."""
        working = self._plan.asked_working(question)
        stated = working.root.args if isinstance(working.root, Stated) else ()
        row = tuple(CellRef(arg.cell.tensor, arg.cell.index) for arg in stated if isinstance(arg, EngineRef))
        return tuple(ref for ref in (*_reads(working), *row) if not self.shown(ref))

    def asked_line(self, question: Question) -> PencilLine:
        """The pencil line of a numeric question, its result blank until it may be shown."""
        if question.cell is not None:
            return self.line(question.cell)
        working = self._plan.asked_working(question)
        root, settled = working.root, self.ledger.entry(question.ref).settled
        shown = settled or (not self.cover and root is not None and node_shown(root, self.shown))
        result = printed(working.cell.value, working.asks, commas=working.asks == 0) if shown else BLANK
        return PencilLine("", line(root, self._show) if root is not None else "", result)

    # ------------------------------------------------------------ the whole way

    def stage_states(self, stage: int) -> tuple[tuple[Ref, State], ...]:
        """Reference and state of every CHECK of a stage."""
        return self._plan.states(self.stages[stage], self.ledger)

    def stage_mark(self, stage: int) -> StageMark:
        """How a stage stands in the tree."""
        states = [state for _, state in self.stage_states(stage)]
        if states and all(state != "open" for state in states):
            return "borrowed" if "borrowed" in states else "done"
        if not states and stage <= self.furthest:
            return "done"
        if any(state != "open" for state in states) or stage < self.furthest:
            return "open"
        return "visited" if stage <= self.furthest else "new"

    def tally(self, stage: int | None = None) -> Tally:
        """What is judged, what the learner has marked, what was right after a slip; of a stage or of all."""
        places = range(len(self.stages)) if stage is None else range(stage, stage + 1)
        found = [pair for place in places for pair in self._plan.refs(self.stages[place], self.ledger)]
        judged = [ref for check, ref in found if not check.sentence]
        return self.ledger.tally(judged, [ref for check, ref in found if check.sentence])

    def counts(self) -> dict[State, int]:
        """How many CHECKs of the lesson are in each state."""
        return counted(state for stage in range(len(self.stages)) for _, state in self.stage_states(stage))


def _reads(working: Working) -> tuple[CellRef, ...]:
    root = working.root
    return () if root is None else tuple(CellRef(cell.tensor, cell.index) for cell in operands(root))


__all__ = ["COVER", "COVERED", "SHOWN", "UNREACHED", "PencilLine", "StageMark", "VisibleLesson"]

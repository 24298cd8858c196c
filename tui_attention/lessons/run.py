"""A lesson joined with its numbers: what the walk, the verbs and the exports work on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tui_attention.engine import formula, naming
from tui_attention.engine.decimals import printed, rounded
from tui_attention.engine.errors import AbsentError, BadInput, LessonError, PlaceError
from tui_attention.engine.graph import Graph, Working
from tui_attention.engine.operation import TracedArray
from tui_attention.engine.refs import CheckRef
from tui_attention.engine.tensor import Index, parse_address
from tui_attention.engine.working import (
    EXACT_ON_PRINTED,
    ROOT_DECIMALS,
    Cell,
    Const,
    Node,
    Op,
    Stated,
    Style,
    evaluate,
    line,
    operands,
)
from tui_attention.lessons.load import load, shipped
from tui_attention.lessons.model import Check, Lesson, OwnSlip
from tui_attention.lessons.variants import chosen_for, numbers_file, read_numbers, with_numbers

Show = Callable[[Cell], str]

_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_SIZE = re.compile(r"(rows|columns)\s+(\w+)$")


@dataclass(frozen=True, eq=False, slots=True)
class LessonRun:
    """A lesson and the graph of its numbers for one set of inputs and dials."""

    lesson: Lesson
    graph: Graph
    _hand: dict[tuple[str, Index], float] = field(default_factory=dict, init=False, repr=False)
    """What a pencil has made of cells so far: of this graph alone, since another run begins with none."""

    @property
    def variant(self) -> int:
        """The number of the variant whose tables these are; 0 for the lesson's own."""
        return self.graph.program.variant

    def with_graph(self, graph: Graph) -> LessonRun:
        return replace(self, graph=graph)

    # ------------------------------------------------------------ prose

    def text(self, prose: str, show: Show | None = None, *, page_only: bool = False) -> str | None:
        """The prose with its placeholders filled in; None when it is left out for this prompt and these dials.

        `show` gives the text of each cell: a covered cell shows as a mark. Raises LessonError for a placeholder
        that is not legal for any prompt.
        """
        if page_only and not self.graph.own:
            return None
        shown = show or (lambda cell: cell.printed)
        try:
            return _PLACEHOLDER.sub(lambda match: self._filled(match, shown), prose)
        except AbsentError:
            return None

    def _filled(self, match: re.Match[str], show: Show) -> str:
        if match[0] in ("{{", "}}"):
            return match[0][0]
        inside = match[1].strip()
        for placeholder in PLACEHOLDERS:
            filled = placeholder.fill(self, inside, show)
            if filled is not None:
                return filled
        raise LessonError(f"{match[0]} is no placeholder")

    def ask(self, check: Check) -> str:
        """The text of a CHECK for this prompt, its placeholders not filled in."""
        several = bool(check.ask_several) and self.graph.traced(self._token_tensor()).shape[0] > 1
        return check.ask_several if several else check.ask

    def _known_cell(self, text: str) -> Cell:
        cell = self.cell(text)
        if cell is None:
            raise LessonError(f"{text!r} is not the address of a cell")
        return cell

    def _mark(self, text: str, show: Show) -> str:
        """The mark whose whole number stands in a cell; what `show` makes of the cell where it is covered."""
        cell = self._known_cell(text)
        marks = self.lesson.program.vocabulary.marks
        if not 0 <= cell.value < len(marks) or cell.value != int(cell.value):
            raise LessonError(f"{text!r} is {cell.printed}, which is no mark's whole number")
        shown = show(cell)
        return marks[int(cell.value)] if any(mark.isdigit() for mark in shown) else shown

    def _by_pencil(self, text: str, show: Show) -> str:
        """What the printed rows give by pencil, rounded at each step."""
        cell = self._known_cell(text)
        shown = show(cell)
        if not any(mark.isdigit() for mark in shown):
            return shown
        return printed(self.by_hand(cell.tensor, cell.index), cell.prints)

    def by_hand(self, name: str, index: Index) -> float:
        """What the printed rows give by pencil, each inner step kept to the asked decimals."""
        made = self._hand.get((name, index))
        if made is None:
            working = self.graph.working(name, index)
            if working.kind != "computed" or working.root is None:
                made = working.cell.value
            else:
                made = evaluate(working.root, Style("printed", working.asks, ROOT_DECIMALS))
            self._hand[name, index] = made
        return made

    def _token_tensor(self) -> str:
        for step in self.lesson.program.steps:
            if "prompt" in formula.names(step.expr):
                return step.name
        raise LessonError("{last} is used, but no step reads the prompt")

    def _size(self, which: str, name: str) -> int:
        if name not in self.graph.names():
            raise LessonError(f"nothing is called {name!r} in this lesson")
        shape = self.graph.traced(name).shape
        if len(shape) < (2 if which == "rows" else 1):
            raise LessonError(f"{name} has no {which}")
        return shape[-2] if which == "rows" else shape[-1]

    def _number(self, text: str, show: Show, signed: bool) -> str:
        fact = self.lesson.facts.get(text)
        if fact:
            return printed(fact.value, fact.prints, commas=True)
        cell = self.cell(text)
        if cell is not None:
            truth = self.graph.tensor(cell.tensor).truth
            shown = show(cell)
            if truth and shown == cell.printed:
                return "yes" if cell.value else "no"
            return f"+{shown}" if signed and shown[:1].isdigit() else shown  # a covered mark has no sign
        node = self.root(text)
        cells = operands(node)
        hidden = next((show(cell) for cell in cells if show(cell) != cell.printed), None)
        if hidden is not None:
            return hidden
        decimals = max((self._asks(cell) for cell in cells), default=0)
        value = rounded(evaluate(node, EXACT_ON_PRINTED), decimals)
        shown = printed(value, decimals, commas=decimals == 0)
        return f"+{shown}" if signed and not shown.startswith("-") else shown

    def _asks(self, cell: Cell) -> int:
        return self.graph.working(cell.tensor, cell.index).asks

    # ------------------------------------------------------------ cells and formulas

    def cell(self, text: str) -> Cell | None:
        """The cell that a text is the address of; None: it is a formula. Raises AbsentError for a missing cell."""
        try:
            wanted = parse_address(text)
        except BadInput:
            return None
        known = wanted.name in self.graph.names() or wanted.name in self.graph.program.facts
        if not known:
            raise LessonError(f"nothing is called {wanted.name!r} in this lesson")
        try:
            return self.graph.cell(*self.graph.locate(wanted))
        except BadInput:
            if len(wanted.parts) > len(self.graph.tensor(wanted.name).shape):
                raise LessonError(f"{text!r} has more places than {wanted.name} has axes") from None
            raise AbsentError(text) from None

    def root(self, text: str) -> Node:
        """The working of a cell or of a formula whose result is one number. Raises AbsentError or LessonError."""
        cell = self.cell(text)
        if cell is not None:
            root = self.graph.working(cell.tensor, cell.index).root
            if root is None:
                return Const(cell.value, cell.printed)
            return root
        traced = self.formula(text)
        if traced.values.size != 1:
            raise LessonError(f"{text!r} should be one number, not {traced.values.size}")
        return traced.at((0,) * len(traced.shape))

    def formula(self, text: str) -> TracedArray:
        """A formula of the lesson file, over this course's tensors. Raises AbsentError or LessonError."""
        try:
            return self.graph.evaluate(naming.parse(text))
        except PlaceError:
            raise AbsentError(text) from None

    def own_slips(self, working: Working, check: Check | None = None) -> Iterator[tuple[OwnSlip, Node]]:
        """The lesson's own slips of a cell, each with the working of the wrong number that it gives.

        Those of the cell's tensor, of `check`, or of every CHECK that asks for this cell. Raises LessonError for a
        formula that is not legal, or that gives neither one number nor one for each cell of the tensor.
        """
        cell = working.cell
        own = [*self.lesson.slips.get(cell.tensor, ())]
        for asked in (check,) if check else (c for stage in self.lesson.stages for c in stage.checks if c.slips):
            if asked.slips and (check or self._asks_for(asked, working)):
                own += asked.slips
        for slip in own:
            made = self.formula(slip.value)
            if made.values.size == 1:
                yield slip, made.at((0,) * len(made.shape))
            elif made.shape == self.graph.tensor(cell.tensor).shape:
                yield slip, made.at(cell.index)

    def _asks_for(self, check: Check, working: Working) -> bool:
        try:
            asked = self.check_working(check)
        except LessonError:
            return False
        return asked is not None and asked.ref == working.ref

    def check_working(self, check: Check) -> Working | None:
        """The working that a numeric CHECK asks for; None where this prompt lacks its cell."""
        if check.page_only and not self.graph.own:
            return None
        try:
            if check.cell:
                cell = self.cell(check.cell)
                if cell is None:
                    raise LessonError(f"{check.cell!r} is not the address of a cell")
                return self.graph.working(cell.tensor, cell.index)
            if check.value:
                root = self.root(check.value)
                asks = check.asks
                if asks is None:
                    asks = max((self._asks(cell) for cell in operands(root)), default=0)
                if not isinstance(root, Op | Stated):
                    root = Op("sum", (root,))
                names = frozenset(formula.names(naming.parse(check.value)))
                nowhere = Cell("", (), evaluate(root), asks)
                return Working(nowhere, "computed", root, asks, check=CheckRef(check.id), names=names)
        except AbsentError:
            return None
        return None


class Placeholder(NamedTuple):
    """One thing that may stand in braces in a text: how it is written, what it shows, and what fills it.

    `fill(run, inside, show)` gives None for what is some other placeholder.
    """

    form: str
    says: str
    fill: Callable[[LessonRun, str, Show], str | None]


def _after(word: str, fill: Callable[[LessonRun, str, Show], str]) -> Callable[[LessonRun, str, Show], str | None]:
    """A placeholder that begins with a word of its own."""
    return lambda run, inside, show: fill(run, inside.removeprefix(word), show) if inside.startswith(word) else None


def _sized(run: LessonRun, inside: str, show: Show) -> str | None:
    size = _SIZE.match(inside)
    return str(run._size(size[1], size[2])) if size else None


def _last(run: LessonRun, inside: str, show: Show) -> str | None:
    return run.graph.traced(run._token_tensor()).axes[0].labels[-1] if inside == "last" else None


def _ticket(run: LessonRun, inside: str, show: Show) -> str | None:
    return run.graph.inputs.ticket_text() if inside == "ticket" and run.graph.inputs.ticket is not None else None


PLACEHOLDERS = (
    Placeholder(
        "{prompt}", "the text that is worked on; {other} the second", lambda r, i, s: r.graph.inputs.texts().get(i)
    ),
    Placeholder("{ticket}", "the ticket", _ticket),
    Placeholder("{last}", "the last mark or word of the prompt", _last),
    Placeholder("{rows W}", "how many rows a matrix has; {columns W} how many columns", _sized),
    Placeholder(
        "{line q[0,2]}",
        "the pencil line of a cell, without its result",
        _after("line ", lambda r, i, s: line(r.root(i), s)),
    ),
    Placeholder("{mark greedy[0]}", "the mark whose whole number a cell holds", _after("mark ", LessonRun._mark)),
    Placeholder("{pencil q[0,2]}", "what a cell comes to by pencil", _after("pencil ", LessonRun._by_pencil)),
    Placeholder(
        "{a[0,2] * Wq[2,0]:+}",
        "a cell, a fact, a constant or a formula of one number, as printed; with :+ always with its sign",
        lambda r, i, s: r._number(i.removesuffix(":+"), s, i.endswith(":+")),
    ),
    Placeholder("{{ and }}", "a brace", lambda r, i, s: None),
)
"""Everything that may stand in braces, tried in this order."""


def open_run(
    name: str,
    prompt: str | None = None,
    other: str | None = None,
    ticket: float | None = None,
    variant: int | str | None = None,
) -> LessonRun:
    """A lesson with its numbers; None keeps the lesson's own input. Raises BadInput or LessonError.

    `variant` is the number of a variant (0: the lesson's own numbers), or a name that chooses one.
    """
    lesson = load(name)
    if variant is not None:
        lesson = varied(lesson, variant)
    if not shipped(lesson):  # those that come with the program are checked by its tests
        checked(lesson)
    inputs = lesson.program.inputs.changed(prompt, other, ticket)
    return LessonRun(lesson, Graph(lesson.program, inputs))


def checked(lesson: Lesson) -> None:
    """Raises LessonError for the first thing that makes its numbers wrong, with the sentence of lint."""
    from tui_attention.lessons.findings import Ground
    from tui_attention.lessons.sound import errors

    for finding in errors(Ground(LessonRun(lesson, Graph(lesson.program)))):
        raise finding.as_error()


def on_variant(lesson: Lesson, variant: int) -> LessonRun:
    """The lesson with its own inputs on the numbers of a variant. Raises BadInput or LessonError."""
    found = varied(lesson, variant)
    return LessonRun(found, Graph(found.program))


def varied(lesson: Lesson, variant: int | str) -> Lesson:
    """The lesson on the numbers of a variant, by its number or somebody's name; 0 is the lesson itself.

    Raises BadInput where it has no such variant, LessonError where the file of numbers does not fit it.
    """
    variants, program = lesson.variants, lesson.program
    if variant == 0:
        return lesson
    if not variants.count:
        raise BadInput(f"{lesson.id} has no variants; its author finds some with `tui-attention lint --variants`")
    number = chosen_for(variant, lesson.id, variants.count) if isinstance(variant, str) else variant
    if not 1 <= number <= variants.count:
        raise BadInput(f"there is no variant {number}; {lesson.id} has variants 1 to {variants.count}, 0 is itself")
    file = numbers_file(program.file)
    given = read_numbers(file, number)["tables"]
    tables = with_numbers(program.tables, variants.tables(), given, file, number)
    return replace(lesson, program=replace(program, tables=tables, variant=number))

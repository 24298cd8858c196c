"""The ladder of hints: the formula in words, the operands, the first term worked, the whole line, the number."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tui_attention.engine.decimals import BLANK, printed, rounded
from tui_attention.engine.graph import Graph, Working
from tui_attention.engine.working import (
    EXACT_ON_PRINTED,
    PHI_DECIMALS,
    ROOT_DECIMALS,
    Cell,
    Const,
    Node,
    Op,
    Ref,
    Stated,
    evaluate,
    is_negation,
    line,
    operands,
    steps,
    walk,
)
from tui_attention.judge.hint_levels import HINT_LEVELS, WHOLE_LINE
from tui_attention.judge.naming import names_on_screen, short
from tui_attention.judge.verdict import NamedSlip
from tui_attention.lessons.run import LessonRun

AFTER_SLIP = 2
MOST_NAMED = 6
MOST_SAID = 158
_ADDRESS = re.compile(r"\[[^\]]*\]")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Hint:
    """One rung, from 1 to RUNGS. `cells` are the full addresses to light up."""

    level: int
    says: str
    cells: tuple[str, ...] = ()


def first_level(named: bool) -> int:
    """Where the ladder starts: past the formula when a slip was named just now."""
    return AFTER_SLIP if named else 1


def hint_at_level(run: LessonRun, working: Working, level: int, slip: NamedSlip | None = None) -> Hint:
    """The hint of that level for a cell. After a named slip, the second level stands at the operands it is about.

    None but the last holds the number: not even as an operand, or as a step in between, that happens to be the same.
    """
    teller = _Teller(run.graph, working)
    match min(max(level, 1), HINT_LEVELS):
        case 1:
            return Hint(1, in_words(run.graph, working))
        case 2:
            return teller.operands(slip)
        case 3:
            return teller.first_step()
        case high if high == WHOLE_LINE:
            return teller.whole_line()
        case _:
            return Hint(HINT_LEVELS, f"{teller.name} = {working.cell.printed}", teller.lit)


def in_words(graph: Graph, working: Working) -> str:
    """The formula in words: what each operation of the working does, in the order in which it is done."""
    root = working.root
    if root is None:
        return "Nothing is computed here: it is read off the table."
    says: list[str] = []
    for part in _in_order(root):
        site = part.site if isinstance(part, Op | Stated) else None
        if site is None or not site.op.says:
            continue
        rooted = isinstance(part, Op) and part.kind == "/" and _is_root(part.args[1])
        phrase = "divide by the root" if rooted else site.op.says
        if phrase not in says and not (isinstance(part, Op) and _is_root(part) and part is not root):
            says.append(phrase)
    words = ", then ".join(says) or "copy the number"
    step = graph.program.by_name.get(working.cell.tensor)
    return f"{words[:1].upper()}{words[1:]}." + (f" {step.name} = {step.text}" if step is not None else "")


def _in_order(node: Node) -> Iterator[Node]:
    """The parts of a tree in the order in which they are worked: what goes in first, left before right."""
    if isinstance(node, Op | Stated):
        for arg in node.args:
            yield from _in_order(arg)
    yield node


def _is_root(node: Node) -> bool:
    """The root of a constant, which is looked up."""
    return isinstance(node, Op) and node.kind == "sqrt" and isinstance(node.args[0], Const)


class _Teller:
    """What can be told of one cell without its number."""

    def __init__(self, graph: Graph, working: Working) -> None:
        self._graph, self._working = graph, working
        self._names = names_on_screen(graph, working)
        root = working.root
        if isinstance(root, Stated):
            self._cells = tuple(arg.cell for arg in root.args if isinstance(arg, Ref))
        else:
            self._cells = () if root is None else operands(root)
        self.lit = tuple(cell.address for cell in self._cells)

    @property
    def name(self) -> str:
        cell = self._working.cell
        return short(self._graph, cell) if cell.tensor in self._graph.names() else "your number"

    @property
    def _axes(self) -> int:
        tensor = self._working.cell.tensor
        return len(self._graph.tensor(tensor).shape) if tensor in self._graph.names() else 0

    def _named(self, cells: tuple[Cell, ...]) -> str:
        names = [self._names.get(cell.address) or short(self._graph, cell) for cell in cells]
        if len(names) <= MOST_NAMED:
            return ", ".join(names)
        return f"{', '.join(names[: MOST_NAMED - 1])} and {len(names) - MOST_NAMED + 1} more"

    def _tells(self, text: str) -> bool:
        """Whether the number itself stands in a text."""
        printed_ = self._working.cell.printed
        bare = printed_.replace(",", "").removeprefix("-")
        asked = printed(abs(self._working.cell.value), self._working.asks)
        found = (number.replace(",", "") for number in _NUMBER.findall(_ADDRESS.sub("", text)))
        return any(number in (bare, asked) for number in found)

    # ------------------------------------------------------------ the levels

    def operands(self, slip: NamedSlip | None) -> Hint:
        mine = {cell.address: cell for cell in self._cells}
        again = tuple(mine[where] for where in (slip.cells if slip is not None else ()) if where in mine)
        if again:
            return Hint(2, f"Look again at {self._named(again)}.", tuple(cell.address for cell in again))
        if self.lit:
            return Hint(2, f"What goes in: {self._named(self._cells)}.", self.lit)
        axes = self._axes
        if axes > 1:
            return Hint(2, "Nothing goes in but the table itself: find the line, then the column.")
        if axes:
            return Hint(2, "Nothing goes in but the list itself: find the line; lines are counted from 0.")
        return Hint(2, "Only numbers that the question names go in.")

    def first_step(self) -> Hint:
        root = self._working.root
        if isinstance(root, Stated):
            return Hint(3, self._row(root), self.lit[:2])
        if not isinstance(root, Op):
            along = "go along it to the column" if self._axes > 1 else "read across"
            return Hint(3, f"Put a finger on the line, and {along}.")
        steps = [part for part in walk(root) if isinstance(part, Op) and part is not root and not is_negation(part)]
        inner = [part for part in steps if not any(isinstance(arg, Op) and not is_negation(arg) for arg in part.args)]
        for first in inner:
            says = f"The first of it: {line(first)} = {self._worked(first)}."
            if evaluate(first, EXACT_ON_PRINTED) and not self._tells(says):
                return Hint(3, says, tuple(cell.address for cell in operands(first)))
        telling = [part for part in inner if evaluate(part, EXACT_ON_PRINTED)]
        if len(telling) == 1 and len(inner) > 1:
            cells = operands(telling[0])
            says = f"Only one part is not 0, the one with {' and '.join(self._named((cell,)) for cell in cells)}."
            return Hint(3, says, tuple(cell.address for cell in cells))
        return Hint(3, self._one_step(root), self.lit)

    def _worked(self, part: Op) -> str:
        digits = PHI_DECIMALS if part.kind == "phi" else ROOT_DECIMALS if part.kind == "sqrt" else self._working.asks
        return printed(evaluate(part, EXACT_ON_PRINTED), digits)

    def _one_step(self, root: Op) -> str:
        """A working of a single operation has no first term: a sum is begun, anything else is narrowed down."""
        if root.kind == "sum" and len(root.args) > 2:
            begun = Op("+", root.args[:2])
            total = printed(evaluate(begun, EXACT_ON_PRINTED), self._working.asks)
            says = f"The first two: {line(begun)} = {total}."
            if not self._tells(says):
                return says
        value = rounded(evaluate(root, EXACT_ON_PRINTED), self._working.asks)
        side = "above zero" if value > 0 else "below zero" if value < 0 else "zero or next to it"
        kinds = {"+": "one addition", "-": "one subtraction", "*": "one product", "/": "one quotient"}
        return f"It is {kinds.get(root.kind, 'one single step')}, and the result is {side}."

    def _row(self, root: Stated) -> str:
        cells = self._cells
        if not cells:
            return "Count from 0, not from 1."
        begins = f"Go along the row, counting from 0: the first is {cells[0].printed}"
        begins += f", the second {cells[1].printed}." if len(cells) > 1 else "."
        words = root.site.op.says if root.site is not None else ""
        return f"{begins} {words[:1].upper()}{words[1:]}{self._ticket(root)}." if words else begins

    def _ticket(self, root: Stated) -> str:
        """The number that a choice is compared with, where there is one."""
        given = root.site.args[1:] if root.site is not None else ()
        if root.site is None or not given or given[0].shape:
            return ""
        return f"; the {root.site.op.args[1].rstrip('?')} is {line(given[0].at(()))}"

    def whole_line(self) -> Hint:
        """The line on the screen, worked to its last step; where it has but one, what the number lies between."""
        root, name = self._working.root, self.name
        if isinstance(root, Stated):
            row = "  ".join(cell.printed for cell in self._cells)
            says = f"{name} = {BLANK}" + (f", the place in {row}" if row else "")
            says = says if len(says) <= MOST_SAID else f"{name} = {BLANK}, a place in the row"
            return Hint(WHOLE_LINE, f"{says}{self._ticket(root)}", self.lit)
        if not isinstance(root, Op):
            return Hint(WHOLE_LINE, f"{name} = {BLANK}", self.lit)
        lines = steps(root, self._working.asks, self._working.cell.prints)
        for text in lines[-2:0:-1]:
            says = f"{name} = {text} = {BLANK}"
            if not self._tells(says) and len(says) <= MOST_SAID:
                return Hint(WHOLE_LINE, says, self.lit)
        low, high = self._between(evaluate(root, EXACT_ON_PRINTED))
        says = f"{name} = {lines[0]} = {BLANK}"
        around = f"between {low} and {high}"
        if self._tells(says) or len(says) + len(around) + 2 > MOST_SAID:
            return Hint(WHOLE_LINE, f"{name} = {BLANK}, {around}", self.lit)
        return Hint(WHOLE_LINE, f"{says}, {around}", self.lit)

    def _between(self, value: float) -> tuple[str, str]:
        """Two numbers with a digit fewer, one on either side, neither the number itself."""
        digits = max(self._working.asks - 1, 0)
        unit = 10.0**-digits
        low = math.floor(value / unit - 0.25) * unit
        high = math.ceil(value / unit + 0.25) * unit
        return printed(low, digits), printed(high, digits)

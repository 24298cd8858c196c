"""The ladder of hints: the formula in words, the operands, the first term worked, the whole line, the number."""

from __future__ import annotations

from dataclasses import dataclass

from tui_attention.engine.decimals import BLANK, printed, rounded
from tui_attention.engine.graph import Graph, Working
from tui_attention.engine.working import (
    EXACT_ON_PRINTED,
    PHI_DECIMALS,
    ROOT_DECIMALS,
    Cell,
    Node,
    Op,
    Ref,
    Stated,
    evaluate,
    is_negation,
    line,
    operands,
    walk,
)
from tui_attention.judge.feedback import short
from tui_attention.judge.hint_levels import HINT_LEVELS, WHOLE_LINE
from tui_attention.judge.verdict import NamedSlip
from tui_attention.lessons.run import LessonRun

AFTER_SLIP = 2
MOST_NAMED = 6


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
    """The hint of that level for a cell. After a named slip, the second rung stands at the slip's cells."""
    graph = run.graph
    cells = _cells(working)
    lit = tuple(cell.address for cell in cells)
    match min(max(level, 1), HINT_LEVELS):
        case 1:
            return Hint(1, in_words(graph, working))
        case 2:
            if slip is not None and slip.cells:
                return Hint(2, f"Look again at {_names(graph, slip.cells)}.", slip.cells)
            if not lit:
                return Hint(2, "Nothing goes in but the table itself: find the line, then the column.")
            return Hint(2, f"What goes in: {_names(graph, lit)}.", lit)
        case 3:
            return _first_term(graph, working, lit)
        case high if high == WHOLE_LINE:
            return Hint(WHOLE_LINE, _whole_line(graph, working), lit)
        case _:
            return Hint(HINT_LEVELS, f"{_name(graph, working.cell)} = {working.cell.printed}", lit)


# ---------------------------------------------------------------- the rungs


def _cells(working: Working) -> tuple[Cell, ...]:
    root = working.root
    if isinstance(root, Stated):
        return tuple(arg.cell for arg in root.args if isinstance(arg, Ref))
    return () if root is None else operands(root)


def _name(graph: Graph, cell: Cell) -> str:
    return short(graph, cell) if cell.tensor in graph.names() else "your number"


def _names(graph: Graph, addresses: tuple[str, ...]) -> str:
    names = [short(graph, graph.cell(*graph.locate(where))) for where in addresses]
    if len(names) <= MOST_NAMED:
        return ", ".join(names)
    return f"{', '.join(names[: MOST_NAMED - 1])} and {len(names) - MOST_NAMED + 1} more"


def in_words(graph: Graph, working: Working) -> str:
    """The formula in words: what each operation of the working does, the innermost first."""
    root = working.root
    if root is None:
        return "Nothing is computed here: it is read off the table."
    says: list[str] = []
    for part in walk(root):
        site = part.site if isinstance(part, Op | Stated) else None
        if site is not None and site.op.says and site.op.says not in says:
            says.append(site.op.says)
    words = ", then ".join(reversed(says)) or "copy the number"
    step = graph.program.by_name.get(working.cell.tensor)
    return f"{words[:1].upper()}{words[1:]}." + (f" {step.name} = {step.text}" if step is not None else "")


def _first_term(graph: Graph, working: Working, lit: tuple[str, ...]) -> Hint:
    root = working.root
    if isinstance(root, Stated):
        return Hint(3, _first_places(root), lit[:2])
    if root is None:
        return Hint(3, "Put a finger on the line, and go along it to the column.")
    steps = [part for part in walk(root) if isinstance(part, Op) and part is not root and not is_negation(part)]
    inner = [part for part in steps if not any(isinstance(arg, Op) and not is_negation(arg) for arg in part.args)]
    telling = [part for part in inner if evaluate(part, EXACT_ON_PRINTED)] or inner
    if telling:
        first = telling[0]
        digits = PHI_DECIMALS if first.kind == "phi" else ROOT_DECIMALS if first.kind == "sqrt" else working.asks
        value = printed(evaluate(first, EXACT_ON_PRINTED), digits)
        says = f"The first of it: {line(first)} = {value}."
        return Hint(3, says, tuple(cell.address for cell in operands(first)))
    return Hint(3, _one_step(root, working), lit)


def _one_step(root: Node, working: Working) -> str:
    """A working of a single operation has no first term: a sum is begun, anything else is narrowed down."""
    if isinstance(root, Op) and root.kind == "sum" and len(root.args) > 2:
        begun = Op("+", root.args[:2])
        return f"The first two: {line(begun)} = {printed(evaluate(begun, EXACT_ON_PRINTED), working.asks)}."
    value = rounded(evaluate(root, EXACT_ON_PRINTED), working.asks)
    side = "above zero" if value > 0 else "below zero" if value < 0 else "zero or next to it"
    return f"It is one single step, {_only(root)}, and the result is {side}."


def _only(root: Node) -> str:
    names = {"+": "an addition", "-": "a subtraction", "*": "a product", "/": "a quotient", "exp": "e to a number"}
    return names.get(root.kind, "one operation") if isinstance(root, Op) else "a copy"


def _first_places(root: Stated) -> str:
    cells = [arg.cell for arg in root.args if isinstance(arg, Ref)]
    if not cells:
        return "Count from 0, not from 1."
    return f"Go along the row, counting from 0: the first is {cells[0].printed}" + (
        f", the second {cells[1].printed}." if len(cells) > 1 else "."
    )


def _whole_line(graph: Graph, working: Working) -> str:
    name, root = _name(graph, working.cell), working.root
    if root is None:
        return f"{name} = {BLANK}"
    if isinstance(root, Stated):
        row = "  ".join(arg.cell.printed for arg in root.args if isinstance(arg, Ref))
        return f"{name} = {BLANK}" + (f", the place in {row}" if row else "")
    return f"{name} = {line(root)} = {BLANK}"

"""Whether arithmetic that was left undone leads to the number: told only of what is written with this line's numbers.

Otherwise the judge would be a way to find out: `sqrt(2)` typed for 1.41 would be told to lead there.
"""

from __future__ import annotations

from collections.abc import Iterator

from tui_attention.engine.decimals import rounded
from tui_attention.engine.working import Cell, Const, Op, evaluate, styles, walk
from tui_attention.judge.arithmetic import NamedNumber, Typed, outcomes
from tui_attention.judge.arithmetic import Node as TypedNode
from tui_attention.judge.number import Number
from tui_attention.judge.question import Prepared
from tui_attention.judge.region import same


def leads(question: Prepared, expression: TypedNode) -> bool | None:
    """Whether a set-up leads to the number; None where it is not written with the numbers of this line."""
    cells = {cell.address: cell.value for cell in question.operands}
    cells |= {question.name(cell): cell.value for cell in question.operands}
    cells |= {question.graph.tensor(cell.tensor).short(cell.index): cell.value for cell in question.operands}
    leaves = tuple(_leaves(expression))
    numbers = tuple(_of_line(question))
    if not all(_known(question, leaf, numbers, cells) for leaf in leaves):
        return None
    # All digits of its value count, as if they had been typed.
    came = (Number(value, None, "") for value in outcomes(expression, cells))
    regions = (question.region, *question.own_regions)
    return any(region.accepts(number) for number in came for region in regions)


def _leaves(node: TypedNode) -> Iterator[Typed | NamedNumber]:
    if isinstance(node, Typed | NamedNumber):
        yield node
    else:
        for arg in node.args:
            yield from _leaves(arg)


def _known(
    question: Prepared, leaf: Typed | NamedNumber, numbers: tuple[float, ...], cells: dict[str, float]
) -> bool:
    """Whether a leaf is a number of the line, to the asked decimals at least, and not the answer itself."""
    if isinstance(leaf, NamedNumber):
        return leaf.address in cells
    region, value = question.region, abs(leaf.value)
    decimals = len(leaf.text.replace(",", ".").partition(".")[2])
    plain = any(same(value, number) for number in numbers)
    near = decimals >= question.asks and any(same(value, rounded(number, decimals)) for number in numbers)
    if not plain and not near:
        return False
    operand = any(same(value, abs(number)) for number in _operands(question))
    return operand or not (region.by_style(leaf.value) or region.by_style(-leaf.value))


def _operands(question: Prepared) -> Iterator[float]:
    for cell in question.operands:
        yield _printed(cell)
        if cell.address in question.own:
            yield question.own[cell.address]
    yield from (part.value for part in walk(question.root) if isinstance(part, Const))


def _of_line(question: Prepared) -> Iterator[float]:
    """The sizes of the operands, of the constants, and of what the steps in between come to."""
    yield from (abs(value) for value in _operands(question))
    yield from (abs(cell.value) for cell in question.operands)
    for part in walk(question.root):
        if isinstance(part, Op) and part is not question.root:
            yield from (abs(evaluate(part, style)) for style in styles(question.asks))


def _printed(cell: Cell) -> float:
    return cell.value if cell.prints is None else rounded(cell.value, cell.prints)

"""Reading a place off a row: the largest, and the one that a ticket draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tui_attention.engine.decimals import rounded
from tui_attention.engine.operation import TABLE, OpContext, OperandError, Site, Slip, TracedArray
from tui_attention.engine.ops.nodes import cells
from tui_attention.engine.ops.shared import entry, needs_row, place_label
from tui_attention.engine.tensor import Index
from tui_attention.engine.working import Const, Node, Stated, evaluate, number


def argmax(context: OpContext, arg: TracedArray) -> TracedArray:
    """[..., n] -> [...]: where the largest number of each row stands; the first of equals."""
    values = needs_row(arg, "'argmax'").argmax(axis=-1)

    def at(index: Index) -> Node:
        place = int(values[index])
        return Stated(
            "choice", place, f"the largest of the row stands at {place_label(arg, place)}", cells(arg, index)
        )

    return TracedArray(np.asarray(values), arg.axes[:-1], at)


CUMULATIVE_DECIMALS = 3
_as_printed = np.vectorize(rounded, otypes=[np.float64])


def pick(context: OpContext, cum: TracedArray, ticket: TracedArray) -> TracedArray:
    """[..., n], a ticket from 0 to 1 -> [...]: the first place whose running total reaches the ticket.

    The total is compared as it is printed, since that is what a person sees.
    """
    if ticket.shape:
        raise OperandError("'pick' takes running totals and one number, the ticket")
    rows = _as_printed(needs_row(cum, "'pick'"), CUMULATIVE_DECIMALS)
    goal, drawn = ticket.scalar(), ticket.at(())
    shown = drawn.text if isinstance(drawn, Const) else f"{goal:g}"
    reached = rows >= goal
    # A row that prints short of 1 (rounding) is a full row all the same: its last place takes what is left.
    values = np.where(reached.any(axis=-1), reached.argmax(axis=-1), rows.shape[-1] - 1)

    def at(index: Index) -> Node:
        place = int(values[index])
        says = f"the running total first reaches the ticket {shown} at {place_label(cum, place)}"
        return Stated("choice", place, says, cells(cum, index))

    return TracedArray(np.asarray(values), cum.axes[:-1], at)


# ---------------------------------------------------------------- what goes wrong


def _row(site: Site) -> list[float]:
    return [float(value) for value in site.args[0].values[site.index]]


def _own(site: Site) -> int:
    return int(evaluate(site.node()))


def _value_there(site: Site) -> Iterator[Node]:
    yield site.args[0].at((*site.index, _own(site)))


def _from_one(site: Site) -> Iterator[Node]:
    yield number(_own(site) + 1)


def _place_of(choose: Callable[[list[float]], float]) -> Callable[[Site], Iterator[Node]]:
    def build(site: Site) -> Iterator[Node]:
        row = _row(site)
        yield number(row.index(choose(row)))

    return build


def _beside(*steps: int) -> Callable[[Site], Iterator[Node]]:
    def build(site: Site) -> Iterator[Node]:
        yield from (number(_own(site) + step) for step in steps if 0 <= _own(site) + step < len(_row(site)))

    return build


def _greedy(site: Site) -> Iterator[Node]:
    """The mark of the largest chance, which needs no ticket."""
    if site.args[0].role == "total" and site.args[0].args:
        chances = site.args[0].args[0].values[site.index]
        yield number(int(chances.argmax()))


ARGMAX = (
    Slip("value-not-place", "the largest number itself is taken, not the place where it stands", _value_there),
    Slip("counted-from-one", "the places are counted from 1", _from_one, TABLE),
    Slip("smallest", "the smallest is taken, not the largest", _place_of(min)),
    Slip("largest-size", "the largest without its sign is taken", _place_of(lambda row: max(row, key=abs))),
    Slip("neighbour-column", "the column beside it is read", _beside(-1, 1), TABLE),
)
PICK = (
    Slip("value-not-place", "the running total itself is taken, not the place where it stands", _value_there),
    Slip("greedy-mark", "the largest chance is taken, without the ticket", _greedy),
    Slip("one-too-early", "the last total that stays below the ticket is taken", _beside(-1)),
    Slip("one-too-late", "the place behind the one that reaches the ticket is taken", _beside(1)),
    Slip("counted-from-one", "the places are counted from 1", _from_one, TABLE),
    Slip("neighbour-column", "the column beside it is read", _beside(-1, 1), TABLE),
)

ENTRIES = (
    entry(
        "argmax",
        "row",
        argmax,
        "find the largest of the row",
        ARGMAX,
        shapes="[..., n] -> [...] places",
        example="argmax(X)",
        plain="place_of_largest",
        standard="greedy decoding",
        role="greedy",
    ),
    entry(
        "pick",
        "row ticket",
        pick,
        "find the first running total that reaches the ticket",
        PICK,
        shapes="[..., n], number -> [...] places",
        example="pick(cumsum(softmax(X)), 0.4)",
        standard="sampling",
        role="drawn",
        cost=lambda row, ticket: 50 * row.values.size,
    ),
)

"""From text to numbers: the splitter and the slots."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tui_attention.engine.errors import BadInput
from tui_attention.engine.operation import TABLE, OpContext, OperandError, Site, Slip, TracedArray, Vocabulary
from tui_attention.engine.ops.shared import entry, one_axis
from tui_attention.engine.tensor import Axis, Index
from tui_attention.engine.working import Node, Stated, evaluate, number


def split(vocabulary: Vocabulary, text: str) -> tuple[str, ...]:
    """The marks of `text`: its characters, or its words. Raises BadInput, saying what would be legal."""
    if vocabulary.cut is not None:
        return tuple(mark for _, mark in vocabulary.cut(text))
    kind = "word" if vocabulary.words else "mark"
    marks = tuple(text.split() if vocabulary.words else text)
    legal = vocabulary.listed()
    if not marks:
        raise BadInput(f"the prompt is empty; write 1 to {vocabulary.most} {kind}s out of: {legal}")
    for mark in marks:
        if mark not in vocabulary.marks:
            raise BadInput(f"{mark[:40]!r} is not a {kind} of this lesson; its {kind}s are: {legal}")
    if len(marks) > vocabulary.most:
        raise BadInput(f"the prompt has {len(marks)} {kind}s; at most {vocabulary.most} are legal")
    return marks


def tokens(context: OpContext, text: object) -> TracedArray:
    """The splitter: text -> [tokens] ids."""
    if not isinstance(text, str):
        raise OperandError("'tokens' takes the prompt")
    marks = split(context.vocabulary, text)
    cut, known = context.vocabulary.cut, context.vocabulary.marks
    ids = [known.index(mark) for mark in marks] if cut is None else [token for token, _ in cut(text)]

    def at(index: Index) -> Node:
        mark = marks[index[0]]
        return Stated("choice", ids[index[0]], f'the splitter puts "{mark}" on shelf {ids[index[0]]}')

    return TracedArray(np.array(ids, dtype=np.int64), (Axis("token", marks),), at)


def slots(context: OpContext, ids: TracedArray) -> TracedArray:
    """[tokens] -> [tokens]: 0, 1, 2 ... the place of each token."""

    def at(index: Index) -> Node:
        return Stated("choice", index[0], f"token {index[0]} stands in slot {index[0]}")

    return TracedArray(np.arange(one_axis(ids, "'slots'"), dtype=np.int64), ids.axes[:1], at)


def _from_one(site: Site) -> Iterator[Node]:
    yield number(evaluate(site.node()) + 1)


def _next_row(site: Site) -> Iterator[Node]:
    yield from (number(evaluate(site.node()) + step) for step in (-1, 1) if evaluate(site.node()) + step >= 0)


TOKENS = (
    Slip("counted-from-one", "the rows are counted from 1", _from_one, TABLE),
    Slip("neighbour-row", "the row beside it is read", _next_row, TABLE),
)

ENTRIES = (
    entry(
        "tokens",
        "prompt",
        tokens,
        "look each mark up in the splitter",
        TOKENS,
        shapes="text -> [t] ids",
        example="tokens(prompt)",
        plain="split_text",
        standard="tokenizer",
        role="lookup",
    ),
    entry(
        "slots",
        "ids",
        slots,
        "count the places from 0",
        TOKENS,
        shapes="[t] -> [t] places",
        example="slots(ids)",
        standard="positions",
    ),
)

"""Heads and packs: views, which have no working of their own."""

from __future__ import annotations

import numpy as np

from tui_attention.engine.arrays import MOST_NUMBERS
from tui_attention.engine.operation import OpContext, OperandError, TracedArray, whole
from tui_attention.engine.ops.shared import entry
from tui_attention.engine.tensor import Axis, Index, plain_axis
from tui_attention.engine.working import Node, Op, number


def pack(context: OpContext, *tables: TracedArray) -> TracedArray:
    """[..., a], [..., b] ... -> [..., a + b ...]: tables side by side."""
    if not tables or any(table.shape[:-1] != tables[0].shape[:-1] or not table.shape for table in tables):
        raise OperandError("'pack' takes tables with the same number of rows")
    if sum(table.values.size for table in tables) > MOST_NUMBERS:
        raise OperandError(f"a result of at most {MOST_NUMBERS:,} numbers was expected")
    values = np.concatenate([table.values for table in tables], axis=-1)
    places = [(table, column) for table in tables for column in range(table.shape[-1])]
    labels = tuple(label for table in tables for label in table.axes[-1].labels)
    if len(set(labels)) < len(labels):
        labels = tuple(map(str, range(len(labels))))

    def at(index: Index) -> Node:
        table, column = places[index[-1]]
        return table.at((*index[:-1], column))

    return TracedArray(values, (*tables[0].axes[:-1], Axis(tables[0].axes[-1].name, labels)), at, view=True)


def split_heads(context: OpContext, arg: TracedArray, heads: TracedArray) -> TracedArray:
    """[tokens, width] -> [heads, tokens, width / heads]: dividers drawn across each row."""
    if len(arg.shape) != 2:
        raise OperandError("'split_heads' takes a table [tokens x width]")
    count = whole(heads, "the number of heads", 1, arg.shape[1])
    if arg.shape[1] % count:
        raise OperandError(f"a width of {arg.shape[1]} cannot be split into {count} equal heads")
    width = arg.shape[1] // count
    values = arg.values.reshape(arg.shape[0], count, width).swapaxes(0, 1)
    axes = (plain_axis("head", count), arg.axes[0], plain_axis(arg.axes[1].name, width))
    return TracedArray(values, axes, lambda i: arg.at((i[1], i[0] * width + i[2])), view=True)


def join_heads(context: OpContext, arg: TracedArray) -> TracedArray:
    """[heads, tokens, width] -> [tokens, heads x width]: the heads' rows glued side by side."""
    if len(arg.shape) != 3:
        raise OperandError("'join_heads' takes an array [heads x tokens x width]")
    heads, count, width = arg.shape
    values = arg.values.swapaxes(0, 1).reshape(count, heads * width)
    axes = (arg.axes[1], plain_axis(arg.axes[2].name, heads * width))
    return TracedArray(values, axes, lambda i: arg.at((i[1] // width, i[0], i[1] % width)), view=True)


def without_head(context: OpContext, arg: TracedArray, head: TracedArray) -> TracedArray:
    """[heads, tokens, width], head -> [heads, tokens, width]: zeros where that head wrote, the others as they are."""
    if len(arg.shape) != 3:
        raise OperandError("'without_head' takes an array [heads x tokens x width]")
    off = whole(head, "the head", 0, arg.shape[0] - 1)
    values = np.array(arg.values)
    values[off] = 0.0

    def at(index: Index) -> Node:
        return Op("*", (number(0), arg.at(index))) if index[0] == off else arg.at(index)

    return TracedArray(values, arg.axes, at)


def repeat_heads(context: OpContext, arg: TracedArray, times: TracedArray) -> TracedArray:
    """[heads, tokens, width] -> [heads x times, tokens, width]: each head several times in a row, for its group.

    Grouped-query attention (Ainslie and others 2023): heads 0 to times - 1 of the result are head 0, and so on.
    """
    if len(arg.shape) != 3:
        raise OperandError("'repeat_heads' takes an array [heads x tokens x width]")
    count = whole(times, "how often a head is repeated", 1, 64)
    if arg.values.size * count > MOST_NUMBERS:
        raise OperandError(f"a result of at most {MOST_NUMBERS:,} numbers was expected")
    values = np.repeat(arg.values, count, axis=0)  # [heads x times, tokens, width]
    axes = (plain_axis(arg.axes[0].name, arg.shape[0] * count), *arg.axes[1:])
    return TracedArray(values, axes, lambda i: arg.at((i[0] // count, *i[1:])), view=True)


ENTRIES = (
    entry(
        "pack",
        "table",
        pack,
        "put the tables side by side",
        shapes="[..., a], [..., b] ... -> [..., a + b ...]",
        example="pack(X, Y)",
        role="pack",
        view=True,
        variadic=True,
    ),
    entry(
        "split_heads",
        "table heads",
        split_heads,
        "draw dividers across the row",
        shapes="[t, h x w], h -> [h, t, w]",
        example="split_heads(X, 2)",
        plain="draw_dividers",
        standard="split into heads",
        role="split",
        view=True,
    ),
    entry(
        "join_heads",
        "heads",
        join_heads,
        "glue the heads' rows side by side",
        shapes="[h, t, w] -> [t, h x w]",
        example="join_heads(split_heads(X, 2))",
        plain="glue_rows",
        standard="concatenate heads",
        role="join",
        view=True,
    ),
    entry(
        "without_head",
        "heads head",
        without_head,
        "put zeros where this head wrote",
        shapes="[h, t, w], head -> [h, t, w]",
        example="without_head(split_heads(X, 2), 0)",
        standard="head ablation",
    ),
    entry(
        "repeat_heads",
        "heads times",
        repeat_heads,
        "let each head serve a group of others",
        shapes="[h, t, w], r -> [h x r, t, w]",
        example="repeat_heads(split_heads(X, 2), 2)",
        standard="grouped heads",
        view=True,
    ),
)

"""What no pencil makes: comparisons and measurements."""

from __future__ import annotations

import numpy as np

from tui_attention.engine import experiment
from tui_attention.engine.operation import OpContext, OperandError, TracedArray, numbers, whole
from tui_attention.engine.ops.shared import entry
from tui_attention.engine.tensor import Axis
from tui_attention.engine.working import Stated


def equal(context: OpContext, a: TracedArray, b: TracedArray) -> TracedArray:
    """[...], [...] -> one: whether two arrays of one shape agree within 1e-12 in every cell: a truth value."""
    if a.shape != b.shape:
        raise OperandError("'equal' takes two arrays of one shape")
    gap = float(np.abs(numbers(a, "the first") - numbers(b, "the second")).max(initial=0.0))
    same = gap <= 1e-12
    says = "the numbers agree to twelve decimals" if same else "some numbers differ before the twelfth decimal"
    return TracedArray(np.asarray(same), (), lambda index: Stated("stated", float(same), says))


def max_gap(context: OpContext, a: TracedArray, b: TracedArray) -> TracedArray:
    """[...], [...] -> one: the largest |a - b| over all cells: measured on this machine, not made by pencil."""
    if a.shape != b.shape:
        raise OperandError("'max_gap' takes two arrays of one shape")
    gap = float(np.abs(numbers(a, "the first") - numbers(b, "the second")).max(initial=0.0))
    return TracedArray(
        np.asarray(gap),
        (),
        lambda index: Stated("measured", gap, "the largest difference found on this machine"),
    )


def attention_loop(
    context: OpContext, q: TracedArray, k: TracedArray, v: TracedArray, mask: TracedArray | None = None
) -> TracedArray:
    """Attention by plain loops, apart from all the code above: [t, d], [u, d], [u, w] -> [t, w]. Measured."""
    shapes = (q.shape, k.shape, v.shape)
    fits = all(len(shape) == 2 and min(shape) > 0 for shape in shapes)
    if not fits or q.shape[1] != k.shape[1] or k.shape[0] != v.shape[0]:
        raise OperandError("'attention_loop' takes rows of queries, keys and values that fit each other")
    if mask is not None and mask.shape != (q.shape[0], k.shape[0]):
        raise OperandError("'attention_loop' takes a mask with a row for each query and a column for each key")
    rows = experiment.attention_loop(
        q.values.tolist(), k.values.tolist(), v.values.tolist(), mask.values.tolist() if mask else None
    )
    values = np.array(rows)
    axes = (q.axes[0], v.axes[1])
    says = "computed by an independent loop, for comparison"
    return TracedArray(values, axes, lambda index: Stated("measured", float(values[index]), says))


def scaling(context: OpContext, seed: TracedArray, *sizes: TracedArray) -> TracedArray:
    """seed, sizes -> [sizes, 4]: the experiment of the workshop, see `experiment.scaling`. Measured."""
    widths = [whole(size, "a size", 1, 1024) for size in sizes]
    if not 1 <= len(widths) <= 8:
        raise OperandError("'scaling_experiment' takes a seed and 1 to 8 sizes")
    values = experiment.scaling(whole(seed, "the seed", 0, 2**31), widths)
    axes = (Axis("width", tuple(map(str, widths))), Axis("measure", experiment.MEASURES))
    says = f"measured on {experiment.ROWS} random rows of {experiment.KEYS} keys; no pencil makes it"
    return TracedArray(values, axes, lambda index: Stated("measured", float(values[index]), says))


def _loop_cost(q: TracedArray, k: TracedArray, v: TracedArray, mask: TracedArray | None = None) -> float:
    """A number handled by a loop costs about as much as fifty handled by numpy."""
    rows = k.shape[0] if k.shape else 1
    return 50.0 * rows * (q.values.size + (v.values.size / max(rows, 1)) * max(q.shape[:1], default=1))


def _draw_cost(seed: TracedArray, *sizes: TracedArray) -> float:
    drawn = sum(float(size.values.max(initial=0.0)) for size in sizes)
    return 4.0 * experiment.ROWS * (experiment.KEYS + 1) * drawn


ENTRIES = (
    entry(
        "equal",
        "a b",
        equal,
        "compare the two, cell by cell",
        shapes="[...], [...] -> truth value",
        example="equal(X, X)",
    ),
    entry(
        "max_gap",
        "a b",
        max_gap,
        "find the largest difference",
        shapes="[...], [...] -> number",
        example="max_gap(X, Y)",
    ),
    entry(
        "attention_loop",
        "q k v mask?",
        attention_loop,
        "do the same with plain loops",
        shapes="[t, d], [u, d], [u, w], [t, u]? -> [t, w]",
        example="attention_loop(X, X, X, causal(ids))",
        cost=_loop_cost,
    ),
    entry(
        "scaling_experiment",
        "seed size",
        scaling,
        "draw random rows and measure",
        shapes="seed, sizes ... -> [sizes, 4]",
        example="scaling_experiment(0, 4, 16)",
        variadic=True,
        slow=True,
        cost=_draw_cost,
    ),
)

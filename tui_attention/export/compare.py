"""The head beside an implementation that shares no line with it: PyTorch's, or plain loops where torch is missing.

The only module that imports torch, and only when a comparison is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from tui_attention.engine.experiment import attention_loop
from tui_attention.engine.tensor import Array
from tui_attention.lessons.model import Compare
from tui_attention.lessons.run import LessonRun

TORCH = "torch.nn.functional.scaled_dot_product_attention"
LOOP = "an independent loop (torch not installed)"
_WITH_TORCH = f"where PyTorch is installed, with its {TORCH}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The largest difference in any number of the output, without and with a mask (0 where neither is compared).

    `label` says what ours was compared with, `torch` is its version (None: the loop stood in), `inputs` says what
    both were given.
    """

    label: str
    torch: str | None
    gap: float
    masked_gap: float
    inputs: str


def told(found: Comparison) -> str:
    """A sentence on how far our head is from the other implementation, which is named."""
    with_what = f"PyTorch {found.torch}, {found.label}" if found.torch else f"a loop of its own; {_WITH_TORCH}"
    return (
        f"Compared now with {with_what}, on {found.inputs}: the largest difference in any number is "
        f"{found.gap:.2e}; with the causal mask on both sides {found.masked_gap:.2e}."
    )


def compared(run: LessonRun) -> tuple[Compare, ...]:
    """The heads that the lesson compares."""
    return tuple(compare for stage in run.lesson.stages for compare in stage.compare)


def dials(run: LessonRun) -> tuple[str, ...]:
    """The tables of numbers that the compared heads depend on, in the lesson's order."""
    graph = run.graph
    reads = frozenset().union(*(graph.reads(one.ours) for one in compared(run)))
    return tuple(name for name in graph.program.tables if name in reads)


def redrawn(run: LessonRun, seed: int) -> LessonRun:
    """The course with every such dial drawn from the normal bell, by one generator in that order."""
    generator = np.random.default_rng(seed)
    drawn = {}
    for name in dials(run):
        for index, value in np.ndenumerate(generator.standard_normal(run.graph.tensor(name).shape)):
            drawn[name, index] = (float(value), 3)
    return run.with_graph(run.graph.with_turned(drawn))


def compare(run: LessonRun, seed: int | None = None) -> Comparison:
    """The lesson's own heads against another implementation, on float64; with `seed`, on redrawn dials.

    The other is given our queries, keys, values and mask. The difference is measured on this machine: rounding in
    the last bits, which depends on how each adds up.
    """
    sentence = run.graph.inputs.prompt
    inputs = f'the rows of "{sentence}"'
    if seed is not None:
        inputs = (
            f'"{sentence}" with every dial of {", ".join(dials(run))} from '
            f"numpy.random.default_rng({seed}).standard_normal, in this order, float64"
        )
        run = redrawn(run, seed)
    torch = _torch()
    gaps = {True: 0.0, False: 0.0}
    for one in compared(run):
        theirs = _by_loop(run, one) if torch is None else _by_torch(torch, run, one)
        masked = bool(one.mask)
        gaps[masked] = max(gaps[masked], _gap(run.graph.tensor(one.ours).values, theirs))
    label, version = (LOOP, None) if torch is None else (TORCH, str(torch.__version__))
    return Comparison(label, version, gaps[False], gaps[True], inputs)


def _rows(run: LessonRun, name: str) -> Any:
    return run.graph.tensor(name).values.tolist()


def _by_loop(run: LessonRun, one: Compare) -> Array:
    q, k, v = (_rows(run, name) for name in (one.query, one.key, one.value))
    rows = attention_loop(q, k, v, _rows(run, one.mask) if one.mask else None)
    return np.array(rows)


def _by_torch(torch: Any, run: LessonRun, one: Compare) -> Array:
    given = (_rows(run, name) for name in (one.query, one.key, one.value))
    q, k, v = (torch.tensor(rows, dtype=torch.float64)[None] for rows in given)
    mask = torch.tensor(_rows(run, one.mask)) if one.mask else None
    return np.array(torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)[0].tolist())


def _gap(ours: Array, theirs: Array) -> float:
    return float(np.abs(ours - theirs).max())


def _torch() -> Any:
    """The module torch, or None where it is not installed or does not load."""
    try:
        return import_module("torch")
    except (ImportError, OSError):
        return None

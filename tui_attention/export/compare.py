"""The head beside an implementation that shares no line with it: PyTorch's, or plain loops where torch is missing.

The only module that imports torch, and only when a comparison is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from tui_attention.engine.experiment import attention_loop
from tui_attention.engine.record import dataclass
from tui_attention.engine.tensor import Array
from tui_attention.lessons.course import Course

TORCH = "torch.nn.functional.scaled_dot_product_attention"
LOOP = "an independent loop (torch not installed)"
DIALS = ("words", "Wq", "Wk", "Wv")


@dataclass(frozen=True, slots=True)
class Comparison:
    """The largest difference in any number of the output, without and with the causal mask.

    `label` says what ours was compared with, `torch` is its version (None: the loop stood in), `inputs` says what
    both were given.
    """

    label: str
    torch: str | None
    gap: float
    masked_gap: float
    inputs: str


def redrawn(course: Course, seed: int) -> Course:
    """The course with every dial of its four tables drawn from the normal bell, by one generator in that order."""
    generator = np.random.default_rng(seed)
    dials = {}
    for name in DIALS:
        for index, value in np.ndenumerate(generator.standard_normal(course.graph.tensor(name).shape)):
            dials[name, index] = (float(value), 3)
    return course.with_graph(course.graph.with_turned(dials))


def compare(course: Course, seed: int | None = None) -> Comparison:
    """The lesson's own head against another, on float64; with `seed`, on redrawn dials.

    Ours are the tensors `mixed` and `causal_mixed`; the other is given Q, K, V and the mask. The difference is
    measured on this machine: rounding in the last bits, which depends on how each adds up.
    """
    sentence = course.graph.inputs.prompt
    inputs = f'the rows of "{sentence}"'
    if seed is not None:
        course = redrawn(course, seed)
        drawn = f"numpy.random.default_rng({seed}).standard_normal, in this order"
        inputs = f'"{sentence}" with every dial of {", ".join(DIALS)} from {drawn}, float64'
    q, k, v, mask = (course.graph.tensor(name).values for name in ("Q", "K", "V", "mask"))
    ours, ours_masked = (course.graph.tensor(name).values for name in ("mixed", "causal_mixed"))
    torch = _torch()
    if torch is None:
        theirs = np.array(attention_loop(q.tolist(), k.tolist(), v.tolist()))
        masked = np.array(attention_loop(q.tolist(), k.tolist(), v.tolist(), mask.tolist()))
        return Comparison(LOOP, None, _gap(ours, theirs), _gap(ours_masked, masked), inputs)
    attend = torch.nn.functional.scaled_dot_product_attention
    given = [torch.tensor(values.tolist(), dtype=torch.float64)[None] for values in (q, k, v)]
    theirs = np.array(attend(*given)[0].tolist())
    masked = np.array(attend(*given, is_causal=True)[0].tolist())
    return Comparison(TORCH, str(torch.__version__), _gap(ours, theirs), _gap(ours_masked, masked), inputs)


def _gap(ours: Array, theirs: Array) -> float:
    return float(np.abs(ours - theirs).max())


def _torch() -> Any:
    """The module torch, or None where it is not installed or does not load."""
    try:
        return import_module("torch")
    except (ImportError, OSError):
        return None

"""Two measurements that no pencil makes: why scores are divided, and attention by plain loops for comparison."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tui_attention.engine.tensor import Array

ROWS = 2000
KEYS = 8
MEASURES = ("std", "sqrt(d)", "unscaled", "scaled")


def scaling(seed: int, widths: Sequence[int]) -> Array:
    """Standard deviation of random dot products and the average largest share, for each width: [widths, 4].

    One generator for all widths in their order. For each width d: `standard_normal((2000, 9, d))`, the first of
    the nine rows is the query, the other eight are keys. Columns: the standard deviation of the dots, sqrt(d), the
    mean over rows of the largest share of softmax(dots), and of softmax(dots / sqrt(d)).
    """
    generator = np.random.default_rng(seed)
    found = []
    for width in widths:
        drawn = generator.standard_normal((ROWS, KEYS + 1, width))
        dots = np.einsum("rd,rkd->rk", drawn[:, 0], drawn[:, 1:])
        root = math.sqrt(width)
        found.append([float(dots.std()), root, _top_share(dots), _top_share(dots / root)])
    return np.array(found)


def _top_share(scores: Array) -> float:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return float((powers.max(axis=1) / powers.sum(axis=1)).mean())


Rows = list[list[float]]


def attention_loop(q: Rows, k: Rows, v: Rows, mask: list[list[bool]] | None = None) -> Rows:
    """softmax(q k^T / sqrt(d)) v with nothing but loops; `mask[t][u]` false strikes key u out for query t."""
    root = math.sqrt(len(q[0]))
    mixed = []
    for t, query in enumerate(q):
        scores = []
        for u, key in enumerate(k):
            dot = 0.0
            for a, b in zip(query, key, strict=True):
                dot += a * b
            scores.append(dot / root if mask is None or mask[t][u] else -math.inf)
        top = max(scores)
        powers = [math.exp(score - top) for score in scores]
        whole = sum(powers)
        mixed.append([sum(p / whole * row[c] for p, row in zip(powers, v, strict=True)) for c in range(len(v[0]))])
    return mixed

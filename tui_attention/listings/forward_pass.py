"""The forward pass once more, in plain loops. It shares no line with the engine, so that it can disagree with it."""

from __future__ import annotations

import math

Row = list[float]
Table = list[Row]
Off = frozenset[str]  # what is left out or done otherwise


def flatten(x: Row) -> tuple[Row, float, float]:
    """Take off the mean, divide by the spread."""
    mean = sum(x) / len(x)
    squares = sum((z - mean) ** 2 for z in x) / len(x)
    spread = math.sqrt(squares + 1e-5)
    return [(z - mean) / spread for z in x], mean, spread


def times(row: Row, table: Table) -> Row:
    """A row down every column of a table."""
    made = []
    for j in range(len(table[0])):
        total = 0.0
        for i in range(len(row)):
            total += row[i] * table[i][j]
        made.append(total)
    return made


def add(old: Row, new: Row) -> Row:
    """Two rows, number by number."""
    return [old[i] + new[i] for i in range(len(old))]


def bent(z: float, off: Off) -> float:
    """A number times the part of a bell curve below it."""
    if "relu" in off:
        return max(z, 0.0)
    if "tanh" in off:
        inside = z + 0.044715 * z**3
        curve = math.tanh(math.sqrt(2.0 / math.pi) * inside)
        return 0.5 * z * (1.0 + curve)
    return 0.5 * z * (1.0 + math.erf(z / math.sqrt(2.0)))


def parts(scores: Row) -> Row:
    """Raise e to each score, divide by the total."""
    top = max(scores)
    raised = [math.exp(z - top) for z in scores]
    return [z / sum(raised) for z in raised]


def forward(
    d: dict[str, Table],
    ids: list[int],
    heads: int,
    ticket: float,
    *,
    hidden: set[int],
    off: Off,
) -> dict[str, Table]:
    """Every row of the last place, which does not see `hidden`."""
    wide = len(d["E"][0]) // heads
    keys: Table = []
    values: Table = []
    for place, mark in enumerate(ids):
        x0 = d["E"][mark]
        if "positions" not in off:
            x0 = add(x0, d["P"][place])
        a, mean, spread = flatten(x0)
        if "norm" in off:
            a = x0
        q, k, v = (times(a, d[w]) for w in ("Wq", "Wk", "Wv"))
        keys.append(k)
        values.append(v)
    scores, shares, blend = [], [], []
    for head in range(heads):
        lane = range(head * wide, head * wide + wide)
        row = []
        for u, key in enumerate(keys):
            dot = sum(q[i] * key[i] for i in lane)
            if "scale" not in off:
                dot /= math.sqrt(wide)
            row.append(-math.inf if u in hidden else dot)
        share = parts(row)
        for i in lane:
            total = 0.0
            for u in range(len(values)):
                total += share[u] * values[u][i]
            blend.append(0.0 if f"head{head}" in off else total)
        scores.append(row)
        shares.append(share)
    y = times(blend, d["Wo"])
    x1 = y if "residual" in off else add(x0, y)
    b = x1 if "norm" in off else flatten(x1)[0]
    lanes = times(b, d["Wf"])
    bend = [bent(z, off) for z in lanes]
    m = times(bend, d["Wp"])
    x2 = m if "residual" in off else add(x1, m)
    c = x2 if "norm" in off else flatten(x2)[0]
    logits = times(c, d["Wlm"])
    chances = parts(logits)
    cum = [sum(chances[: i + 1]) for i in range(len(chances))]
    reached = [round(z, 3) >= ticket for z in cum]
    return {
        "x0": [x0], "mu1": [[mean]], "sigma1": [[spread]],
        "a": [a], "q": [q], "k": [k], "v": [v],
        "scores": scores, "shares": shares,
        "y": [y], "x1": [x1], "b": [b],
        "wide": [lanes], "bend": [bend], "m": [m],
        "x2": [x2], "c": [c], "logits": [logits],
        "greedy": [[logits.index(max(logits))]],
        "chances": [chances], "cum": [cum],
        "drawn": [[reached.index(True)]],
    }  # fmt: skip

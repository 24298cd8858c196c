"""The forward pass once more, in plain loops. It shares no line with the engine, so that it can disagree with it."""

from __future__ import annotations

import math

Row = list[float]
Table = list[Row]


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


def bent(z: float) -> float:
    """A number times the part of a bell curve below it."""
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
) -> dict[str, Table]:
    """Every row of the last place; `d` holds the dials."""
    wide = len(d["E"][0]) // heads
    keys: Table = []
    values: Table = []
    for place, mark in enumerate(ids):
        x0 = add(d["E"][mark], d["P"][place])
        a, mean, spread = flatten(x0)
        q, k, v = (times(a, d[w]) for w in ("Wq", "Wk", "Wv"))
        keys.append(k)
        values.append(v)
        scores, shares, blend = [], [], []
        for head in range(heads):
            lane = range(head * wide, head * wide + wide)
            row = []
            for key in keys:
                dot = sum(q[i] * key[i] for i in lane)
                row.append(dot / math.sqrt(wide))
            share = parts(row)
            for i in lane:
                total = 0.0
                for u in range(len(values)):
                    total += share[u] * values[u][i]
                blend.append(total)
            scores.append(row)
            shares.append(share)
        y = times(blend, d["Wo"])
        x1 = add(x0, y)
        b, _, _ = flatten(x1)
        hidden = times(b, d["Wf"])
        bend = [bent(z) for z in hidden]
        m = times(bend, d["Wp"])
        x2 = add(x1, m)
        c, _, _ = flatten(x2)
        logits = times(c, d["Wlm"])
    chances = parts(logits)
    cum = [sum(chances[: i + 1]) for i in range(len(chances))]
    reached = [round(z, 3) >= ticket for z in cum]
    return {
        "x0": [x0], "mu1": [[mean]], "sigma1": [[spread]],
        "a": [a], "q": [q], "k": [k], "v": [v],
        "scores": scores, "shares": shares,
        "y": [y], "x1": [x1], "b": [b],
        "wide": [hidden], "bend": [bend], "m": [m],
        "x2": [x2], "c": [c], "logits": [logits],
        "greedy": [[logits.index(max(logits))]],
        "chances": [chances], "cum": [cum],
        "drawn": [[reached.index(True)]],
    }  # fmt: skip

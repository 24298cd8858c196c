"""The number of a cell as the page has it, by every honest way."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.bench.pupils.pages import ADDS, BLENDS, DOTS, NORMS, SCORES, SOFTS, Cell, Page, Rows, Work
from tests.bench.pupils.pens import Pen


def honest(page: Page, cell: Cell) -> Work:
    """The number as the page has it."""
    name, i = cell
    if name in DOTS:
        left, table = DOTS[name]
        return lambda p, R: p.dot(R[left][i[0]], R[table][:, i[1]])
    if name in ("scores", "scaled") and not (page.lesson == "bank" and name == "scores"):

        def scored(p: Pen, R: Rows) -> float:
            if name == "scaled":
                return p.over(R["scores"][i], p.root(2))
            left, right = R["qh"][i[0], i[1]], R["kh"][i[0], i[2]]
            if p.way == "divide first":
                return math.fsum(p.r(p.over(p.r(a * b), p.root(3))) for a, b in zip(left, right, strict=True))
            return p.over(p.r(p.dot(left, right)), p.root(3))

        return scored
    if name in SCORES:
        left_rows, r = SCORES[name]
        return lambda p, R: p.dot(R[left_rows][i[:-1]], R[r][(*i[:-2], i[-1])])
    if name in BLENDS:
        s, v, _ = BLENDS[name]
        if name == "heads":
            return lambda p, R: (
                p.dot(R[s][i[0], i[1]], R[v][i[0], :, i[2]]) if i[1] else R[s][i[0], 0, 0] * R[v][i[0], 0, i[2]]
            )
        return lambda p, R: p.dot(R[s][i[0]], R[v][:, i[1]])
    if name in SOFTS:

        def shared(p: Pen, R: Rows) -> float:
            row = [x for x in R[SOFTS[name]][i[:-1]] if math.isfinite(x)]
            e = [p.r(math.exp(x)) for x in row]
            return p.over(e[i[-1]], p.r(p.add(e)))

        return shared
    if name in ADDS:
        u, w = ADDS[name]
        return lambda p, R: R[u][i] + R[w][i]
    if name in NORMS:
        x, k = NORMS[name]

        def norm(p: Pen, R: Rows) -> float:
            mu, sd = R["mu" + k][i[0]], R["sigma" + k][i[0]]
            if p.way == "divide first":
                return p.r(p.over(R[x][i], sd)) - p.r(p.over(mu, sd))
            return p.over(p.r(R[x][i] - mu), sd)

        return norm
    if name[:2] == "mu":
        row = {"1": "x0", "2": "x1", "3": "x2"}[name[-1]]

        def mean(p: Pen, R: Rows) -> float:
            if p.way == "divide first":
                return math.fsum(p.r(p.over(x, 6)) for x in R[row][i[0]])
            return p.over(p.r(p.add(R[row][i[0]])), 6)

        return mean
    if name[:5] == "sigma":
        row = {"1": "x0", "2": "x1", "3": "x2"}[name[-1]]
        return lambda p, R: spread(p, R[row][i[0]], R["mu" + name[-1]][i[0]])
    if name == "bend":
        return lambda p, R: R["wide"][i] * p.phi(R["wide"][i])
    if name == "cum":

        def running(p: Pen, R: Rows) -> float:
            if p.way == "previous total" and i[1]:
                return float(R["cum"][i[0], i[1] - 1] + R["chances"][i])
            return p.add(R["chances"][i[0], : i[1] + 1])

        return running
    if name == "aside_exp":
        return lambda p, R: math.exp(R["aside"][i])
    if name == "aside_total":
        return lambda p, R: p.add(R["aside_exp"][i[0]])
    if name == "aside_shares":
        return lambda p, R: p.over(R["aside_exp"][i], R["aside_total"][i[0]])
    raise KeyError(name)


def spread(p: Pen, row: Sequence[float], mu: float, by: float = 6.0, root: bool = True, speck: float = 1e-5) -> float:
    if p.way == "squares first" and not p.machine:
        mean = p.r(p.over(p.r(math.fsum(p.r(x * x) for x in row)), by)) - p.r(mu * mu)
    elif p.way == "divide first":
        mean = math.fsum(p.r(p.over(p.r(p.r(x - mu) ** 2), by)) for x in row)
    else:
        mean = p.r(p.over(p.r(p.add([p.r(p.r(x - mu) ** 2) for x in row])), by))
    mean += speck
    return math.sqrt(mean) if root and mean >= 0 else mean

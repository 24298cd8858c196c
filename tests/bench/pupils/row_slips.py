"""What a class gets wrong in sums, means, spreads, flattened rows, bends and running totals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.bench.pupils.honest import spread
from tests.bench.pupils.pages import ADDS, NORMS, Cell, Page, Rows
from tests.bench.pupils.pens import Pen


def add_slips(page: Page, cell: Cell, slip: Callable[..., None]) -> None:
    name, i = cell
    u, w = ADDS[name]
    slip("subtracted", lambda p, R: R[u][i] - R[w][i], 2, "subtracted", "sign-lost")
    slip("first alone", lambda p, R: R[u][i], 2, "correction-forgotten", "one-row-copied")
    slip("second alone", lambda p, R: R[w][i], 2.5, "residual-forgotten", "one-row-copied")
    slip("multiplied", lambda p, R: R[u][i] * R[w][i], 1, "multiplied")
    slip("sign lost", lambda p, R: abs(R[u][i]) + R[w][i], 1.5, "sign-lost", "all-positive", "subtracted")
    slip("sign lost", lambda p, R: R[u][i] + abs(R[w][i]), 1.5, "sign-lost", "all-positive", "subtracted")
    for carry in (0.1, -0.1):
        slip("carry", lambda p, R, c=carry: R[u][i] + R[w][i] + c, 0.4, "carry")
    for step in (-1, 1):
        if 0 <= i[1] + step < page.rows[name].shape[1]:
            k = (i[0], i[1] + step)
            slip("one beside", lambda p, R, k=k: R[u][i] + R[w][k], 0.5, "neighbour-coordinate")
            slip("one beside", lambda p, R, k=k: R[u][k] + R[w][i], 0.5, "neighbour-coordinate")
    for t in range(page.rows[name].shape[0]):
        if t != i[0]:
            k = (t, i[1])
            weight = 1.5 / page.rows[name].shape[0]
            slip("row of another token", lambda p, R, k=k: R[u][i] + R[w][k], weight, "other-token", "neighbour-row")
    if name == "x0":
        slip("slot beside", lambda p, R: R["e"][i] + R["P"][i[0] + 1, i[1]], 2, "neighbour-row")
    else:
        flat = {"x0": "a", "x1": "b"}[u]
        slip("flattened row", lambda p, R: R[flat][i] + R[w][i], 1.5, "flattened-row")
        slip("row twice", lambda p, R: 2 * R[u][i] + R[w][i], 1, "residual-twice")
        slip("correction twice", lambda p, R: R[u][i] + 2 * R[w][i], 0.7, "correction-twice", "residual-twice")
    if name == "x1":
        slip("output table forgotten", lambda p, R: R["x0"][i] + R["blend"][i], 1.5, "table-forgotten")
    if name == "x2":
        slip("row before", lambda p, R: R["x0"][i] + R["m"][i], 2, "row-before")
        slip("both rows", lambda p, R: R["x0"][i] + R["x1"][i] + R["m"][i], 1, "both-residuals")


def norm_slips(page: Page, cell: Cell, slip: Callable[..., None]) -> None:
    name, (t, j) = cell
    x, k = NORMS[name]
    get: Callable[[Rows], tuple[float, float, float]] = lambda R: (
        float(R[x][t, j]),
        float(R["mu" + k][t]),
        float(R["sigma" + k][t]),
    )

    def made(kind: str, weight: float, make: Callable[[Pen, float, float, float], float], *kinds: str) -> None:
        slip(kind, lambda p, R: make(p, *get(R)), weight, *kinds)

    made("backward", 3, lambda p, x, m, s: p.over(s, p.r(x - m)), "backward")
    made("mean kept", 3, lambda p, x, m, s: p.over(x, s), "mean-kept")
    made("not divided", 3, lambda p, x, m, s: x - m, "not-divided")
    made("mean added", 1.5, lambda p, x, m, s: p.over(p.r(x + m), s), "mean-added", "sign-lost")
    made("variance", 2, lambda p, x, m, s: p.over(p.r(x - m), p.r(s * s)), "divided-by-variance")
    made("multiplied", 1.5, lambda p, x, m, s: p.r(x - m) * s, "multiplied")
    made("only the mean divided", 1.5, lambda p, x, m, s: x - p.r(p.over(m, s)), "only-mean-divided")
    made("mean minus x", 1.5, lambda p, x, m, s: p.over(p.r(m - x), s), "mean-minus-x", "answer-sign")
    made("exchanged", 0.7, lambda p, x, m, s: p.over(p.r(x - s), m), "mean-spread-exchanged")
    made("n - 1", 2, lambda p, x, m, s: p.over(p.r(x - m), p.r(s * math.sqrt(6 / 5))), "sample-spread", "n-minus-one")
    made("sign lost", 1.5, lambda p, x, m, s: p.over(p.r(abs(x) - m), s), "sign-lost")
    slip(
        "RMS",
        lambda p, R: p.over(R[x][t, j], p.r(math.sqrt(p.r(p.over(p.r(math.fsum(p.r(z * z) for z in R[x][t])), 6))))),
        1.5,
        "rms-norm",
        "mean-kept",
    )
    n = page.rows[x].shape[0]
    if n > 1:

        def over_tokens(p: Pen, R: Rows) -> float:
            column = [float(z) for z in R[x][:, j]]
            mu = p.r(p.over(p.r(p.add(column)), n))
            return p.over(p.r(R[x][t, j] - mu), p.r(spread(p, column, mu, n)))

        slip("over tokens", over_tokens, 1.5, "normalised-over-tokens")
        for u in range(n):
            if u != t:
                slip(
                    "other token's mean and spread",
                    lambda p, R, u=u: p.over(p.r(R[x][t, j] - R["mu" + k][u]), R["sigma" + k][u]),
                    1.5 / n,
                    "other-token",
                    "neighbour-row",
                )
                slip(
                    "other token",
                    lambda p, R, u=u: p.over(p.r(R[x][u, j] - R["mu" + k][u]), R["sigma" + k][u]),
                    1.5 / n,
                    "other-token",
                    "neighbour-row",
                    "neighbour-cell",
                )
    for e in {"2": "1", "3": "12"}.get(k, ""):
        slip(
            "earlier mean and spread",
            lambda p, R, e=e: p.over(p.r(R[x][t, j] - R["mu" + e][t]), R["sigma" + e][t]),
            1,
            "earlier-norm",
        )
        slip(
            "earlier mean",
            lambda p, R, e=e: p.over(p.r(R[x][t, j] - R["mu" + e][t]), R["sigma" + k][t]),
            1,
            "earlier-norm",
            "earlier-mean",
        )
        slip(
            "earlier spread",
            lambda p, R, e=e: p.over(p.r(R[x][t, j] - R["mu" + k][t]), R["sigma" + e][t]),
            1,
            "earlier-norm",
            "earlier-spread",
        )
        slip(
            "wrong flattened copy",
            lambda p, R, e=e: R[{"1": "a", "2": "b"}[e]][t, j],
            1,
            "other-flattened",
            "earlier-norm",
            "row-before-add",
            "same-place-elsewhere",
        )
    for s in (-1, 1):
        if 0 <= j + s < 6:
            slip(
                "coordinate beside",
                lambda p, R, s=s: p.over(p.r(R[x][t, j + s] - R["mu" + k][t]), R["sigma" + k][t]),
                1,
                "neighbour-coordinate",
                "neighbour-cell",
            )


def mean_slips(page: Page, cell: Cell, slip: Callable[..., None]) -> None:
    name, (t,) = cell
    x = {"1": "x0", "2": "x1", "3": "x2"}[name[-1]]
    slip("not divided", lambda p, R: p.add(R[x][t]), 3, "not-divided")
    slip("n - 1", lambda p, R: p.over(p.r(p.add(R[x][t])), 5), 1.5, "n-minus-one")
    slip("head width", lambda p, R: p.over(p.r(p.add(R[x][t])), 3), 1, "divided-by-head-width")
    slip("all positive", lambda p, R: p.over(p.r(math.fsum(abs(R[x][t]))), 6), 2, "all-positive")
    for k in range(6):
        slip(
            "sign lost",
            lambda p, R, k=k: p.over(p.r(p.add([abs(z) if m == k else z for m, z in enumerate(R[x][t])])), 6),
            2 / 6,
            "sign-lost",
        )
        slip("left out", lambda p, R, k=k: p.over(p.r(p.add(np.delete(R[x][t], k))), 6), 1.5 / 6, "term-left-out")
        slip(
            "twice",
            lambda p, R, k=k: p.over(p.r(p.add([*R[x][t], R[x][t, k]])), 6),
            0.5 / 6,
            "product-twice",
            "term-twice",
        )
        slip(
            "point in a term",
            lambda p, R, k=k: p.over(p.r(p.add([10 * z if m == k else z for m, z in enumerate(R[x][t])])), 6),
            0.5 / 6,
            "point-in-term",
        )
    for c in (0.1, -0.1, 1, -1):
        slip("carry", lambda p, R, c=c: p.over(p.r(p.add(R[x][t]) + c), 6), 0.2, "carry")
    for u in range(page.rows[x].shape[0]):
        if u != t:
            slip(
                "other token",
                lambda p, R, u=u: p.over(p.r(p.add(R[x][u])), 6),
                1.5 / page.rows[x].shape[0],
                "other-token",
                "neighbour-row",
                "neighbour-cell",
            )
    for e in {"2": "1", "3": "12"}.get(name[-1], ""):
        slip(
            "mean kept from before",
            lambda p, R, e=e: R["mu" + e][t],
            1.5,
            "earlier-norm",
            "earlier-mean",
            "row-before-add",
            "earlier-row",
        )
    if name == "mu2":
        slip("of the correction", lambda p, R: p.over(p.r(p.add(R["y"][t])), 6), 1, "residual-forgotten")


def spread_slips(page: Page, cell: Cell, slip: Callable[..., None]) -> None:
    name, (t,) = cell
    d = name[-1]
    x = {"1": "x0", "2": "x1", "3": "x2"}[d]
    mu = "mu" + d
    slip("root not taken", lambda p, R: spread(p, R[x][t], R[mu][t], root=False), 3, "root-not-taken")
    slip("not divided", lambda p, R: spread(p, R[x][t], R[mu][t], by=1), 2, "not-divided")
    slip("not divided, no root", lambda p, R: spread(p, R[x][t], R[mu][t], by=1, root=False), 1, "squares-added")
    slip("n - 1", lambda p, R: spread(p, R[x][t], R[mu][t], by=5), 2, "n-minus-one")
    slip("head width", lambda p, R: spread(p, R[x][t], R[mu][t], by=3), 0.7, "divided-by-head-width")
    slip("mean kept", lambda p, R: spread(p, R[x][t], 0.0), 2.5, "mean-kept")
    slip("mean added", lambda p, R: spread(p, R[x][t], -R[mu][t]), 1, "mean-added")
    slip(
        "mean distance",
        lambda p, R: p.over(p.r(math.fsum(abs(p.r(z - R[mu][t])) for z in R[x][t])), 6),
        1.5,
        "mean-distance",
    )
    slip("after the root", lambda p, R: p.over(spread(p, R[x][t], R[mu][t], by=1), 6), 1, "divided-after-root")
    slip("range", lambda p, R: max(R[x][t]) - min(R[x][t]), 0.5, "range")
    for k in range(6):
        slip("left out", lambda p, R, k=k: spread(p, list(np.delete(R[x][t], k)), R[mu][t]), 1.5 / 6, "term-left-out")
        slip(
            "sign lost",
            lambda p, R, k=k: spread(p, [abs(z) if m == k else z for m, z in enumerate(R[x][t])], R[mu][t]),
            1.5 / 6,
            "sign-lost",
        )
    for e in {"2": "1", "3": "12"}.get(d, ""):
        slip("old mean", lambda p, R, e=e: spread(p, R[x][t], R["mu" + e][t]), 1, "earlier-mean", "earlier-norm")
        slip(
            "earlier spread",
            lambda p, R, e=e: R["sigma" + e][t],
            1,
            "earlier-spread",
            "earlier-norm",
            "row-before-add",
            "earlier-row",
        )
    for u in range(page.rows[x].shape[0]):
        if u != t:
            slip(
                "other token",
                lambda p, R, u=u: spread(p, R[x][u], R[mu][u]),
                1 / page.rows[x].shape[0],
                "other-token",
                "neighbour-row",
                "neighbour-cell",
            )
            slip(
                "other token's mean",
                lambda p, R, u=u: spread(p, R[x][t], R[mu][u]),
                0.7 / page.rows[x].shape[0],
                "other-token",
                "neighbour-row",
            )


def gelu_slips(page: Page, cell: Cell, slip: Callable[..., None]) -> None:
    _, i = cell
    z: Callable[[Rows], float] = lambda R: float(R["wide"][i])
    slip("not bent", lambda p, R: z(R), 2, "no-bend")
    slip("ReLU", lambda p, R: max(0.0, z(R)), 2, "relu")
    slip("Phi alone", lambda p, R: p.phi(z(R)), 2, "phi-alone")
    slip("SiLU", lambda p, R: z(R) / (1 + math.exp(-z(R))), 1, "silu")
    slip("sign lost", lambda p, R: abs(z(R)) * p.phi(abs(z(R))), 1.5, "sign-lost", "gate-of-minus")
    slip("Phi of minus", lambda p, R: z(R) * p.phi(-z(R)), 1.5, "gate-of-minus")
    slip("sign in front lost", lambda p, R: abs(z(R)) * p.phi(z(R)), 1, "sign-lost", "answer-sign")
    slip("added", lambda p, R: z(R) + p.phi(z(R)), 0.7, "added")
    slip("halved", lambda p, R: z(R) / 2, 0.7, "halved")
    for s in (-1, 1):
        if 0 <= i[1] + s < 12:
            k = (i[0], i[1] + s)
            slip("Phi from the next line", lambda p, R, k=k: z(R) * p.phi(R["wide"][k]), 1, "phi-next-line")
            slip(
                "beside",
                lambda p, R, k=k: R["wide"][k] * p.phi(R["wide"][k]),
                0.7,
                "neighbour-coordinate",
                "neighbour-cell",
            )
    for u in range(page.rows["wide"].shape[0]):
        if u != i[0]:
            slip(
                "other token",
                lambda p, R, k=(u, i[1]): R["wide"][k] * p.phi(R["wide"][k]),
                1 / page.rows["wide"].shape[0],
                "other-token",
                "neighbour-row",
                "neighbour-cell",
            )


def cum_slips(page: Page, cell: Cell, slip: Callable[..., None]) -> None:
    _, (t, j) = cell
    row: Callable[[Rows], Any] = lambda R: R["chances"][t]
    if j:
        slip(
            "stopped early",
            lambda p, R: p.add(row(R)[:j]),
            2,
            "stopped-early",
            "neighbour-coordinate",
            "neighbour-cell",
            "term-left-out",
        )
        slip("itself", lambda p, R: row(R)[j], 2, "chance-itself")
        for k in range(j):
            slip("left out", lambda p, R, k=k: p.add(np.delete(row(R)[: j + 1], k)), 1.5 / j, "term-left-out")
    if j < 9:
        slip(
            "one too far",
            lambda p, R: p.add(row(R)[: j + 2]),
            1.5,
            "one-too-far",
            "neighbour-coordinate",
            "neighbour-cell",
        )
        slip("the rest", lambda p, R: 1 - p.add(row(R)[: j + 1]), 1, "the-rest")
    for c in (0.1, -0.1, 0.01, -0.01):
        slip("carry", lambda p, R, c=c: p.add(row(R)[: j + 1]) + c, 0.3, "carry")
    for u in range(page.rows["chances"].shape[0]):
        if u != t:
            slip(
                "other token",
                lambda p, R, u=u: p.add(R["chances"][u, : j + 1]),
                1 / page.rows["chances"].shape[0],
                "other-token",
                "neighbour-row",
                "neighbour-cell",
            )

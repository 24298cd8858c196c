"""What a class gets wrong in products, scores, shares and blends."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from tests.bench.pupils.honest import honest
from tests.bench.pupils.pages import ADDS, BLENDS, DOTS, NORMS, SCORES, SOFTS, Cell, Page, Rows, Way, Work
from tests.bench.pupils.pens import Pen, kept
from tests.bench.pupils.row_slips import add_slips, cum_slips, gelu_slips, mean_slips, norm_slips, spread_slips


def slips(page: Page, cell: Cell) -> list[Way]:
    """The ways to get a number wrong, by what a class does."""
    name, i = cell
    found: list[Way] = []

    def slip(kind: str, work: Work, weight: float, *kinds: str) -> None:
        found.append(Way(kind, work, weight, frozenset(kinds or (kind,))))

    right = honest(page, cell)
    if name in DOTS:
        _dot_slips(page, cell, slip)
    elif name in ("scores", "scaled") and not (page.lesson == "bank" and name == "scores"):
        _score_slips(page, cell, slip)
    elif name in SCORES:
        left, r = SCORES[name]
        _products(lambda R: (R[left][i[:-1]], R[r][(*i[:-2], i[-1])]), page.rows[r].shape[-1], slip)
        if name == "dots":
            slip("q with q", lambda p, R: p.dot(R["qh"][i[0], i[1]], R["qh"][i[0], i[2]]), 2, "query-with-query")
            slip("k with k", lambda p, R: p.dot(R["kh"][i[0], i[1]], R["kh"][i[0], i[2]]), 2, "key-with-key")
            slip("q with v", lambda p, R: p.dot(R["qh"][i[0], i[1]], R["vh"][i[0], i[2]]), 1, "query-with-value")
            slip(
                "other head",
                lambda p, R: p.dot(R["qh"][1 - i[0], i[1]], R["kh"][1 - i[0], i[2]]),
                2,
                "other-head",
                "same-place-elsewhere",
            )
            slip("whole dot", lambda p, R: p.dot(R["q"][i[1]], R["k"][i[2]]), 2, "all-coordinates", "partial-result")
    elif name in BLENDS:
        _blend_slips(page, cell, slip)
    elif name in SOFTS:
        _soft_slips(page, cell, slip)
    elif name in ADDS:
        add_slips(page, cell, slip)
    elif name in NORMS:
        norm_slips(page, cell, slip)
    elif name[:2] == "mu":
        mean_slips(page, cell, slip)
    elif name[:5] == "sigma":
        spread_slips(page, cell, slip)
    elif name == "bend":
        gelu_slips(page, cell, slip)
    elif name == "cum":
        cum_slips(page, cell, slip)
    elif name == "aside_exp":
        slip("10^x", lambda p, R: 10 ** R["aside"][i], 2, "powers-of-ten")
        slip("2^x", lambda p, R: 2 ** R["aside"][i], 1, "powers-of-two")
        slip("sign", lambda p, R: math.exp(-R["aside"][i]), 2, "sign-lost", "minus-score")
    elif name == "aside_shares":
        slip("not divided", lambda p, R: R["aside_exp"][i], 3, "not-divided")
        slip("backward", lambda p, R: p.over(R["aside_total"][i[0]], R["aside_exp"][i]), 2, "backward")
        slip("1 - share", lambda p, R: 1 - right(p, R), 1.5, "one-minus-share")
        slip("exp left out", lambda p, R: p.over(R["aside"][i], math.fsum(R["aside"][i[0]])), 2, "exp-left-out")
    _beside(page, cell, slip)
    slip("sign of the answer", lambda p, R: -right(p, R), 1, "answer-sign", "sign-lost", "mean-minus-x", "backward")
    slip("point", lambda p, R: right(p, R) * 10, 0.5, "point-moved")
    slip("point back", lambda p, R: right(p, R) / 10, 0.5, "point-moved")
    asks = page.asks[name]
    slip("point forgotten", lambda p, R: kept(right(p, R), asks) * 10**asks, 0.4, "point-moved", "point-forgotten")
    slip("digits swapped", lambda p, R: _swapped(kept(right(p, R), asks), asks), 0.6, "digits-swapped")
    return found


def _swapped(value: float, asks: int) -> float:
    text = f"{abs(value):.{asks}f}"
    return math.copysign(float(text[:-2] + text[-1] + text[-2]), value) if asks > 1 else math.nan


def _beside(page: Page, cell: Cell, slip: Callable[..., None]) -> None:
    name, i = cell
    shape = page.rows[name].shape
    for axis in range(len(shape)):
        for step in (-1, 1):
            j = (*i[:axis], i[axis] + step, *i[axis + 1 :])
            if 0 <= i[axis] + step < shape[axis] and math.isfinite(page.full[name][j]):
                last = axis == len(shape) - 1
                slip("beside" if last else "above or below", lambda p, R, j=j: R[name][j], 0.7, "neighbour-coordinate",
                     "neighbour-column", "neighbour-row", "other-token", "other-head", "neighbour-cell", "other-word",
                     "transposed", "same-place-elsewhere", "one-too-far", "stopped-early")  # fmt: skip
    twins = {"q": "kv", "k": "qv", "v": "qk", "Q": "K", "K": "Q"}.get(name, "")
    for other in twins:
        slip(
            "same place",
            lambda p, R, o=other: R[o][i],
            0.7,
            "neighbour-table",
            "same-place-elsewhere",
            "neighbour-cell",
        )


def _products(
    rows: Callable[[Rows], tuple[Sequence[float], Sequence[float]]], n: int, slip: Callable[..., None]
) -> None:
    """What goes wrong in any sum of products."""

    def term(make: Callable[[Pen, list[float], list[float], int], float]) -> list[Work]:
        def work(k: int) -> Work:
            return lambda p, R: make(p, [float(x) for x in rows(R)[0]], [float(x) for x in rows(R)[1]], k)

        return [work(k) for k in range(n)]

    def each(
        kind: str, weight: float, make: Callable[[Pen, list[float], list[float], int], float], *kinds: str
    ) -> None:
        for work in term(make):
            slip(kind, work, weight / n, *kinds)

    each(
        "sign lost",
        2.5,
        lambda p, a, b, k: (
            p.dot([-x if j == k else x for j, x in enumerate(a)], b) if a[k] < 0 or b[k] < 0 else math.nan
        ),
        "sign-lost",
    )
    each("term left out", 1.5, lambda p, a, b, k: p.dot(a[:k] + a[k + 1 :], b[:k] + b[k + 1 :]), "term-left-out")
    each("one product twice", 0.7, lambda p, a, b, k: p.dot([*a, a[k]], [*b, b[k]]), "product-twice")
    each("added for multiplied", 0.5, lambda p, a, b, k: p.dot(a, b) - p.r(a[k] * b[k]) + a[k] + b[k], "added")
    each(
        "0 as 1",
        0.7,
        lambda p, a, b, k: p.dot(a, b) + (a[k] if not b[k] else b[k] if not a[k] else math.nan),
        "zero-as-one",
    )
    each("bare product", 0.5, lambda p, a, b, k: a[k] * b[k], "partial-result")
    slip(
        "all positive",
        lambda p, R: p.dot([abs(x) for x in rows(R)[0]], [abs(x) for x in rows(R)[1]]),
        2,
        "all-positive",
    )
    for shift in (1, -1):
        slip("slid", lambda p, R, s=shift: p.dot(rows(R)[0], np.roll(rows(R)[1], s)), 0.4, "row-slid")
    slip("reversed", lambda p, R: p.dot(rows(R)[0], list(rows(R)[1])[::-1]), 1, "row-reversed")
    for k in range(n - 1):
        slip(
            "exchanged",
            lambda p, R, k=k: p.dot(rows(R)[0], _exchange(rows(R)[1], k)),
            1.0 / (n - 1),
            "partners-exchanged",
        )
    for half in (slice(0, n // 2), slice(n // 2, n)) if n > 3 else ():
        slip(
            "half of the terms",
            lambda p, R, h=half: p.dot(list(rows(R)[0])[h], list(rows(R)[1])[h]),
            0.5,
            "half-the-terms",
            "partial-result",
        )
    for carry in (0.1, -0.1):
        slip("carry", lambda p, R, c=carry: p.dot(*rows(R)) + c, 0.4, "carry")


def _exchange(row: Sequence[float], k: int) -> list[float]:
    made = [float(x) for x in row]
    made[k], made[k + 1] = made[k + 1], made[k]
    return made


def _dot_slips(page: Page, cell: Cell, slip: Callable[..., None]) -> None:
    name, (t, j) = cell
    left, table = DOTS[name]
    rows, cols = page.rows[table].shape
    _products(lambda R: (R[left][t], R[table][:, j]), rows, slip)
    if j < rows:
        slip("row of the table", lambda p, R: p.dot(R[left][t], R[table][j, :rows]), 2, "transposed")
    for step in (-1, 1):
        if 0 <= j + step < cols:
            slip(
                "column beside",
                lambda p, R, s=step: p.dot(R[left][t], R[table][:, j + s]),
                1,
                "neighbour-column",
                "neighbour-coordinate",
                "neighbour-cell",
            )
    for u in range(page.rows[left].shape[0]):
        if u != t:
            slip(
                "other token",
                lambda p, R, u=u: p.dot(R[left][u], R[table][:, j]),
                2 / page.rows[left].shape[0],
                "other-token",
                "neighbour-row",
            )
    raw = {"a": "x0", "b": "x1", "c": "x2"}.get(left)
    if raw:
        slip("not flattened", lambda p, R: p.dot(R[raw][t], R[table][:, j]), 2, "unflattened-row")
    for other in {"b": "a", "c": "ab"}.get(left, ""):
        slip("wrong flattened copy", lambda p, R, o=other: p.dot(R[o][t], R[table][:, j]), 2, "other-flattened")
    if left == "a":
        slip("e for a", lambda p, R: p.dot(R["e"][t], R[table][:, j]), 1, "token-row", "row-before")
        for other in ("Wq", "Wk", "Wv"):
            if other != table:
                slip(
                    "other table",
                    lambda p, R, o=other: p.dot(R["a"][t], R[o][:, j]),
                    1,
                    "neighbour-table",
                    "same-place-elsewhere",
                )
    if name == "y":
        swap = [3, 4, 5, 0, 1, 2]
        slip("heads swapped", lambda p, R: p.dot(R["blend"][t][swap], R["Wo"][:, j]), 1, "heads-swapped")
        mix = [0, 3, 1, 4, 2, 5]
        slip("interleaved", lambda p, R: p.dot(R["blend"][t][mix], R["Wo"][:, j]), 0.7, "heads-interleaved")
        slip("output table forgotten", lambda p, R: R["blend"][t, j], 1.5, "table-forgotten")
        slip("v for blend", lambda p, R: p.dot(R["v"][t], R["Wo"][:, j]), 1, "kept-own-row")
    if name == "m":
        slip("not bent", lambda p, R: p.dot(R["wide"][t], R["Wp"][:, j]), 2, "no-bend")
    if name == "logits":
        slip("tied table", lambda p, R: p.dot(R["c"][t], R["E"][j]), 1.5, "tied-table")


def _score_slips(page: Page, cell: Cell, slip: Callable[..., None]) -> None:
    name, i = cell
    if name == "scaled":
        dot: Work = lambda p, R: R["scores"][i]
        width = 2.0
    else:
        dot = lambda p, R: p.r(p.dot(R["qh"][i[0], i[1]], R["kh"][i[0], i[2]]))
        width = 3.0
    slip("not divided", dot, 3, "not-divided")
    slip("by the width", lambda p, R: p.over(dot(p, R), width), 2, "divided-by-width")
    slip("backward", lambda p, R: p.over(p.root(width), dot(p, R)), 1, "backward")
    slip("times the root", lambda p, R: dot(p, R) * p.root(width), 1, "multiplied")
    if name == "scores":
        slip("root of the whole width", lambda p, R: p.over(dot(p, R), p.root(6)), 2, "root-full-width")
        slip("root of the heads", lambda p, R: p.over(dot(p, R), p.root(2)), 1, "root-heads")
        slip("full width", lambda p, R: p.over(dot(p, R), 6), 1, "full-width")
        for pair, name_ in (
            (("qh", "qh"), "query-with-query"),
            (("kh", "kh"), "key-with-key"),
            (("qh", "vh"), "query-with-value"),
            (("kh", "qh"), "transposed"),
        ):
            slip(
                name_,
                lambda p, R, a=pair[0], b=pair[1]: p.over(p.r(p.dot(R[a][i[0], i[1]], R[b][i[0], i[2]])), p.root(3)),
                1,
                name_,
                "other-role",
            )
        slip(
            "all coordinates",
            lambda p, R: p.over(p.r(p.dot(R["q"][i[1]], R["k"][i[2]])), p.root(3)),
            1,
            "all-coordinates",
        )
        slip("whole dot", lambda p, R: p.dot(R["q"][i[1]], R["k"][i[2]]), 0.7, "partial-result", "all-coordinates")
        slip(
            "other head",
            lambda p, R: p.over(p.r(p.dot(R["qh"][1 - i[0], i[1]], R["kh"][1 - i[0], i[2]])), p.root(3)),
            1,
            "other-head",
            "same-place-elsewhere",
        )
        odd = slice(i[0], None, 2)
        slip(
            "interleaved",
            lambda p, R: p.over(p.r(p.dot(R["q"][i[1]][odd], R["k"][i[2]][odd])), p.root(3)),
            0.7,
            "heads-interleaved",
        )
        for k in range(3):

            def lost(p: Pen, R: Rows, k: int = k) -> float:
                a = R["qh"][i[0], i[1]].copy()
                a[k] = abs(a[k])
                return p.over(p.r(p.dot(a, R["kh"][i[0], i[2]])), p.root(3))

            slip("sign lost", lost, 0.7, "sign-lost")

            def left(p: Pen, R: Rows, k: int = k) -> float:
                return p.over(
                    p.r(p.dot(list(np.delete(R["qh"][i[0], i[1]], k)), list(np.delete(R["kh"][i[0], i[2]], k)))),
                    p.root(3),
                )

            slip("term left out", left, 0.5, "term-left-out")
            slip(
                "bare product",
                lambda p, R, k=k: R["qh"][i[0], i[1], k] * R["kh"][i[0], i[2], k],
                0.3,
                "partial-result",
            )


def _blend_slips(page: Page, cell: Cell, slip: Callable[..., None]) -> None:
    name, i = cell
    s, v, sc = BLENDS[name]
    h = i[:-2]
    t, j = i[-2:]
    n = t + 1 if name == "heads" else page.rows[s].shape[-1]

    def row(R: Rows) -> tuple[Sequence[float], Sequence[float]]:
        return R[s][(*h, t)][:n], R[v][(*h, slice(0, n), j)]

    if n > 1:
        _products(row, n, slip)
        slip("plain average", lambda p, R: p.over(p.r(p.add(row(R)[1])), n), 3, "plain-average")
        slip("no shares", lambda p, R: p.add(row(R)[1]), 2, "no-shares")
        slip("scores for shares", lambda p, R: p.dot(R[sc][(*h, t)][:n], row(R)[1]), 2, "scores-not-shares")
        slip("own row", lambda p, R: R[v][(*h, t, j)], 2, "kept-own-row")
        for u in range(n):
            if u != t:
                slip(
                    "other word's shares",
                    lambda p, R, u=u: p.dot(R[s][(*h, u)][:n], row(R)[1]),
                    1.5 / n,
                    "other-word",
                    "other-token",
                    "neighbour-row",
                    "neighbour-cell",
                )
        if name != "heads":
            slip("column of shares", lambda p, R: p.dot(R[s][:, t], row(R)[1]), 2, "column-of-shares")
    if name == "heads":
        for kind in ("kh", "qh"):
            slip(
                "k or q for v",
                lambda p, R, o=kind: p.dot(R[s][h[0], t][:n], R[o][h[0], :n, j]),
                1,
                "key-for-value",
                "query-for-value",
                "other-role",
            )
        slip("other head's shares", lambda p, R: p.dot(R[s][1 - h[0], t][:n], row(R)[1]), 1.5, "other-head-shares")
        slip(
            "other head",
            lambda p, R: p.dot(R[s][1 - h[0], t][:n], R[v][1 - h[0], :n, j]),
            1.5,
            "other-head",
            "same-place-elsewhere",
            "heads-swapped",
        )
        slip(
            "interleaved",
            lambda p, R: p.dot(R[s][h[0], t][:n], R["v"][:n, 2 * j + h[0]]),
            0.7,
            "heads-interleaved",
            "neighbour-coordinate",
        )
    if name == "mixed":
        slip(
            "X or K for V",
            lambda p, R: p.dot(R[s][t], R["K"][:, j]) if j < 2 else math.nan,
            1,
            "key-for-value",
            "other-role",
        )
        slip(
            "Q for V",
            lambda p, R: p.dot(R[s][t], R["Q"][:, j]) if j < 2 else math.nan,
            1,
            "query-for-value",
            "other-role",
        )


def _soft_slips(page: Page, cell: Cell, slip: Callable[..., None]) -> None:
    name, i = cell
    src = SOFTS[name]

    def row(R: Rows) -> list[float]:
        return [float(x) for x in R[src][i[:-1]] if math.isfinite(x)]

    def share(p: Pen, x: float, xs: Sequence[float], base: float = math.e) -> float:
        e = [p.r(base**s) for s in xs]
        return p.over(p.r(base**x), p.r(p.add(e)))

    n = len(row(page.rows))
    j = i[-1]
    slip("not divided", lambda p, R: math.exp(row(R)[j]), 3, "not-divided")
    slip("score itself", lambda p, R: row(R)[j], 1.5, "score-itself")
    if n > 1:
        slip("exp left out", lambda p, R: p.over(row(R)[j], math.fsum(row(R))), 3, "exp-left-out")
        slip(
            "by raw scores",
            lambda p, R: p.over(p.r(math.exp(row(R)[j])), math.fsum(row(R))),
            1,
            "divided-by-raw-scores",
        )
        slip(
            "by the largest",
            lambda p, R: p.over(p.r(math.exp(row(R)[j])), max(p.r(math.exp(x)) for x in row(R))),
            1,
            "divided-by-largest",
        )
        slip(
            "by the others",
            lambda p, R: p.over(
                p.r(math.exp(row(R)[j])), p.r(math.fsum(p.r(math.exp(x)) for k, x in enumerate(row(R)) if k != j))
            ),
            1.5,
            "divided-by-others",
        )
        slip(
            "backward",
            lambda p, R: p.over(p.r(math.fsum(p.r(math.exp(x)) for x in row(R))), p.r(math.exp(row(R)[j]))),
            1.5,
            "backward",
        )
        slip("2^x", lambda p, R: share(p, row(R)[j], row(R), 2), 1, "powers-of-two")
        slip("10^x", lambda p, R: share(p, row(R)[j], row(R), 10), 1.5, "powers-of-ten")
        slip("1 - share", lambda p, R: 1 - share(p, row(R)[j], row(R)), 1.5, "one-minus-share")
        slip("equal shares", lambda p, R: 1 / n, 1.5, "equal-shares")
        slip("minus", lambda p, R: share(p, -row(R)[j], [-x for x in row(R)]), 1, "minus-score")
        for k in range(n):
            slip(
                "one left out of the total",
                lambda p, R, k=k: (
                    p.over(
                        p.r(math.exp(row(R)[j])),
                        p.r(math.fsum(p.r(math.exp(x)) for m, x in enumerate(row(R)) if m != k)),
                    )
                    if k != j
                    else math.nan
                ),
                1.0 / n,
                "term-left-out",
            )
        for k in range(n):
            if k != j:
                slip(
                    "sign lost",
                    lambda p, R, k=k: share(p, row(R)[j], [abs(x) if m == k else x for m, x in enumerate(row(R))]),
                    1.0 / n,
                    "sign-lost",
                )
        slip(
            "sign of it lost",
            lambda p, R: share(p, abs(row(R)[j]), [abs(x) if m == j else x for m, x in enumerate(row(R))]),
            1,
            "sign-lost",
        )
    tokens = page.rows[src].shape[-2] if len(page.rows[src].shape) > 1 else 1
    if tokens > 1:

        def column(R: Rows) -> list[float]:
            return [float(x) for x in R[src][(*i[:-2], slice(None), j)] if math.isfinite(x)]

        slip("over positions", lambda p, R: share(p, R[src][i], column(R)), 2, "column-not-row")
        for u in range(tokens):
            there = (*i[:-2], u, j)
            if u != i[-2] and math.isfinite(page.full[src][there]):
                slip(
                    "other token",
                    lambda p, R, k=there: share(p, R[src][k], [x for x in R[src][k[:-1]] if math.isfinite(x)]),
                    1.5 / tokens,
                    "other-token",
                    "neighbour-row",
                    "neighbour-cell",
                )
    if name == "shares":
        d: Callable[[Rows], list[float]] = lambda R: [float(x) for x in R["dots"][i[0], i[1]][:n]]
        if n > 1:
            slip("unscaled", lambda p, R: share(p, d(R)[j], d(R)), 2, "unscaled")
            slip(
                "scaled by the whole width",
                lambda p, R: share(p, p.over(d(R)[j], p.root(6)), [p.over(x, p.root(6)) for x in d(R)]),
                2,
                "root-full-width",
            )
            slip("by the width", lambda p, R: share(p, d(R)[j] / 3, [x / 3 for x in d(R)]), 1, "scaled-by-width")
            slip(
                "other head",
                lambda p, R: share(p, R[src][1 - i[0], i[1], j], R[src][1 - i[0], i[1]][:n]),
                1,
                "other-head",
                "same-place-elsewhere",
            )
        total = page.rows["dots"].shape[-1]
        if n < total:
            slip(
                "masked counted",
                lambda p, R: share(p, row(R)[j], [x / math.sqrt(3) for x in R["dots"][i[0], i[1]]]),
                2,
                "masked-counted",
                "mask-after-softmax",
            )
            slip(
                "masked as 0", lambda p, R: share(p, row(R)[j], [*row(R), *[0.0] * (total - n)]), 2, "masked-as-zero"
            )

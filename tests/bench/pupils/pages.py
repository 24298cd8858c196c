"""The rows of both lessons, worked out anew from their dials: as the machine has them, and as they are printed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.bench.pupils.pens import Pen, kept

Rows = dict[str, Any]
Cell = tuple[str, tuple[int, ...]]


@dataclass(frozen=True)
class Page:
    """One lesson for one prompt: `full` as the machine has it, `rows` as printed, `prints` and `asks` by name."""

    lesson: str
    prompt: str
    full: Rows
    rows: Rows
    asks: dict[str, int]

    def of(self, pen: Pen) -> Rows:
        if pen.machine:
            return self.full
        if pen.way == "short":  # a mean and a spread with the decimals that are asked
            return {
                n: np.vectorize(lambda v: kept(v, 2))(r) if n[:2] in ("mu", "si") else r for n, r in self.rows.items()
            }
        return self.rows


def _softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True))


def press_h(dials: Rows, ids: list[int], prompt: str) -> Page:
    """The toy GPT, out of its dials."""
    f: Rows = dict(dials)
    n, heads, wide = len(ids), 2, 3
    f["e"], f["p"] = dials["E"][ids], dials["P"][:n]
    f["x0"] = f["e"] + f["p"]

    def norm(x: str, k: str, out: str) -> None:
        f["mu" + k], f["sigma" + k] = f[x].mean(-1), np.sqrt(f[x].var(-1) + 1e-5)
        f[out] = (f[x] - f["mu" + k][:, None]) / f["sigma" + k][:, None]

    def split(row: np.ndarray) -> np.ndarray:
        return row.reshape(n, heads, wide).swapaxes(0, 1)

    norm("x0", "1", "a")
    f["q"], f["k"], f["v"] = f["a"] @ f["Wq"], f["a"] @ f["Wk"], f["a"] @ f["Wv"]
    f["qh"], f["kh"], f["vh"] = split(f["q"]), split(f["k"]), split(f["v"])
    f["dots"] = f["qh"] @ f["kh"].swapaxes(1, 2)
    see = np.tril(np.ones((n, n), bool))
    f["scores"] = np.where(see, f["dots"] / math.sqrt(3), -np.inf)
    f["aside_exp"] = np.exp(f["aside"])
    f["aside_total"] = f["aside_exp"].sum(-1)
    f["aside_shares"] = f["aside_exp"] / f["aside_total"][:, None]
    f["shares"] = _softmax(f["scores"])
    f["heads"] = f["shares"] @ f["vh"]
    f["blend"] = f["heads"].swapaxes(0, 1).reshape(n, 6)
    f["y"] = f["blend"] @ f["Wo"]
    f["x1"] = f["x0"] + f["y"]
    norm("x1", "2", "b")
    f["wide"] = f["b"] @ f["Wf"]
    f["bend"] = f["wide"] * np.vectorize(lambda z: 0.5 * (1 + math.erf(z / math.sqrt(2))))(f["wide"])
    f["m"] = f["bend"] @ f["Wp"]
    f["x2"] = f["x1"] + f["m"]
    norm("x2", "3", "c")
    f["logits"] = f["c"] @ f["Wlm"]
    f["chances"] = _softmax(f["logits"])
    f["cum"] = np.cumsum(f["chances"], -1)
    asks = {name: 3 if name in ("chances", "cum") else 2 for name in f}
    prints = {name: 4 if name[:2] in ("mu", "si") else asks[name] for name in f}
    return Page("press-h", prompt, f, _printed(f, prints, set(dials)), asks)


def bank(dials: Rows, ids: list[int], other: list[int], prompt: str) -> Page:
    """The river-bank page, out of its dials."""
    f: Rows = dict(dials)
    f["X"], f["X2"] = dials["words"][ids], dials["words"][other]
    f["word_dots"] = dials["words"] @ dials["words"].T
    f["trio"] = f["X"] @ f["X"][-1]
    f["trio_shares"], f["sharp_shares"] = _softmax(f["trio"]), _softmax(5 * f["trio"])
    for x, s, a, o in (("X", "S", "A", "out"), ("X2", "S2", "A2", "out2")):
        f[s] = f[x] @ f[x].T
        f[a] = _softmax(f[s])
        f[o] = f[a] @ f[x]
    f["Q"], f["K"], f["V"] = f["X"] @ f["Wq"], f["X"] @ f["Wk"], f["X"] @ f["Wv"]
    f["scores"] = f["Q"] @ f["K"].T
    f["scaled"] = f["scores"] / math.sqrt(2)
    f["weights"] = _softmax(f["scaled"])
    f["mixed"] = f["weights"] @ f["V"]
    asks = {name: 2 if name in ("Q", "K") else 3 for name in f}
    return Page("bank", prompt, f, _printed(f, asks, {*dials, "X", "X2"}), asks)


def translate(dials: Rows, ids: list[int], other: list[int], prompt: str) -> Page:
    """A part of the pair of sentences, out of its dials: what is asked, the shares, and what they bring."""
    f: Rows = dict(dials)
    width, reach = dials["E"].shape[1], dials["Wq"].shape[1]
    s0, t0 = dials["E"][ids] + dials["P"][: len(ids)], dials["E"][other] + dials["P"][: len(other)]
    f["s0"], f["t0"] = s0, t0
    f["e_asks"], f["d_asks"] = s0 @ dials["We"], t0 @ dials["Wd"]
    f["e_scores"] = f["e_asks"] @ s0.T / math.sqrt(width)
    f["e_shares"] = _softmax(f["e_scores"])
    f["memory"] = s0 + f["e_shares"] @ s0 @ dials["Ve"]
    see = np.tril(np.ones((len(other), len(other)), bool))
    f["d_scores"] = np.where(see, f["d_asks"] @ t0.T / math.sqrt(width), -np.inf)
    f["d_shares"] = _softmax(f["d_scores"])
    f["t1"] = t0 + f["d_shares"] @ t0 @ dials["Vd"]
    f["q"], f["k"], f["v"] = f["t1"] @ dials["Wq"], f["memory"] @ dials["Wk"], f["memory"] @ dials["Wv"]
    f["c_scores"] = f["q"] @ f["k"].T / math.sqrt(reach)
    f["c_shares"] = _softmax(f["c_scores"])
    f["brought"] = f["c_shares"] @ f["v"]
    asks = dict.fromkeys(f, 2)
    return Page("translate", prompt, f, _printed(f, asks, {*dials, "s0", "t0"}), asks)


def _printed(full: Rows, prints: dict[str, int], exact: set[str]) -> Rows:
    made = {}
    for name, values in full.items():
        made[name] = (
            values if name in exact else np.vectorize(lambda v, p=prints[name]: kept(v, p), otypes=[float])(values)
        )
    return made


Work = Callable[[Pen, Rows], float]


@dataclass(frozen=True)
class Way:
    """A way to a number. `listed`: on the judge's own list; `kinds`: under which of its names."""

    kind: str
    work: Work
    weight: float = 1.0
    kinds: frozenset[str] = frozenset()


DOTS = {  # name: left rows, right table, whether the right one is transposed
    "q": ("a", "Wq"), "k": ("a", "Wk"), "v": ("a", "Wv"), "y": ("blend", "Wo"), "wide": ("b", "Wf"), "m": ("bend", "Wp"),
    "logits": ("c", "Wlm"), "Q": ("X", "Wq"), "K": ("X", "Wk"), "V": ("X", "Wv"), "e_asks": ("s0", "We"),
    "d_asks": ("t0", "Wd"),
}  # fmt: skip
SCORES = {
    "dots": ("qh", "kh"),
    "S": ("X", "X"),
    "S2": ("X2", "X2"),
    "word_dots": ("words", "words"),
    "scores": ("Q", "K"),
}
BLENDS = {
    "heads": ("shares", "vh", "scores"),
    "out": ("A", "X", "S"),
    "out2": ("A2", "X2", "S2"),
    "mixed": ("weights", "V", "scaled"),
    "brought": ("c_shares", "v", "c_scores"),
}
SOFTS = {"shares": "scores", "chances": "logits", "trio_shares": "trio", "A": "S", "A2": "S2", "weights": "scaled",
         "e_shares": "e_scores", "d_shares": "d_scores", "c_shares": "c_scores"}  # fmt: skip
ADDS = {"x0": ("e", "p"), "x1": ("x0", "y"), "x2": ("x1", "m")}
NORMS = {"a": ("x0", "1"), "b": ("x1", "2"), "c": ("x2", "3")}


def cells(page: Page, names: Sequence[str] | None = None) -> Iterator[Cell]:
    """Every number that a pupil can be asked for."""
    known = [*DOTS, *SCORES, *BLENDS, *SOFTS, *ADDS, *NORMS, "mu1", "mu2", "mu3", "sigma1", "sigma2", "sigma3", "bend",
             "cum", "aside_exp", "aside_total", "aside_shares", "scaled"]  # fmt: skip
    for name in known:
        if name not in page.full or (names is not None and name not in names):
            continue
        if name in DOTS and DOTS[name][0] not in page.full:
            continue  # made otherwise in this lesson
        for index in np.ndindex(*page.full[name].shape):
            if math.isfinite(page.full[name][index]) and not _masked(page, name, index):
                yield name, tuple(int(i) for i in index)


def _masked(page: Page, name: str, index: tuple[int, ...]) -> bool:
    if name in SOFTS and not math.isfinite(page.full[SOFTS[name]][index]):
        return True
    return name == "dots" and index[2] > index[1]

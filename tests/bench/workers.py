"""Simulated pencil workers: people who work a cell by hand, honestly or with one slip."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import numpy as np

from tui_attention.engine.decimals import rounded
from tui_attention.engine.graph import Graph, Working
from tui_attention.engine.tensor import Index
from tui_attention.engine.working import Const, Node, Op, Style, apply, leaf
from tui_attention.judge.applied import AppliedSlip
from tui_attention.judge.groups import SlipGroup
from tui_attention.judge.question import Prepared
from tui_attention.judge.region import same

TIES = (ROUND_HALF_UP, ROUND_HALF_UP, ROUND_HALF_EVEN, ROUND_HALF_DOWN)


def kept(value: float, decimals: int, tie: str) -> float:
    """A number written down with so many decimals."""
    if not math.isfinite(value) or abs(value) > 1e12:
        return value
    return float(Decimal(f"{value:.12g}").quantize(Decimal(1).scaleb(-decimals), tie))


@dataclass(frozen=True)
class Hand:
    """How somebody works: digits kept in between, table of roots, reciprocals, which way ties go, digits written."""

    asks: int
    inner: int | None
    roots: int
    reciprocals: bool
    tie: str
    extra: int
    machine: bool

    @classmethod
    def drawn(cls, rng: random.Random, asks: int) -> Hand:
        """One way out of the mix."""
        return cls(
            asks,
            rng.choice((None, asks + 2, asks + 1, asks)),
            rng.choice((4, 3, 2)),
            rng.random() < 0.2,
            rng.choice(TIES),
            rng.choices((0, 1, 2), (8, 1, 1))[0],
            rng.random() < 0.05,
        )

    def answer(self, node: Node) -> str:
        """What is typed for a working; empty when it comes to no number."""
        style = Style("full") if self.machine else Style("printed")
        value = self._worked(node, style, top=True)
        if not math.isfinite(value) or abs(value) > 1e9:
            return ""
        decimals = self.asks + self.extra
        return f"{kept(value, decimals, self.tie):.{decimals}f}"

    def _worked(self, node: Node, style: Style, *, top: bool = False) -> float:
        if not isinstance(node, Op):
            return leaf(node, style)
        values = [self._worked(arg, style) for arg in node.args]
        if node.kind == "/" and self.reciprocals and not self.machine and values[1]:
            digits = max(4, 0 if self.inner is None else self.inner)
            value = values[0] * kept(1 / values[1], digits, self.tie)
        else:
            value = apply(node.kind, values)
        if top or self.machine or node.kind == "neg":
            return value
        if node.kind == "sqrt" and isinstance(node.args[0], Const):
            return kept(value, self.roots, self.tie)
        if node.kind == "phi":
            return kept(value, 4 if self.inner is None else min(4, self.inner), self.tie)
        return value if self.inner is None else kept(value, self.inner, self.tie)


def asked(graph: Graph, names: tuple[str, ...] | None = None) -> list[Working]:
    """Every computed cell of a graph, each once, counts and places left out."""
    found = []
    for step in graph.program.steps:
        if names is not None and step.name not in names:
            continue
        traced = graph.traced(step.name)
        if traced.view:
            continue
        for index in np.ndindex(*traced.shape):
            working = graph.working(step.name, index)
            if working.kind == "computed" and working.asks > 0:
                found.append(working)
    return found


def redrawn(graph: Graph, rng: random.Random) -> Graph:
    """The same lesson with fresh dials: as many decimals, about the same size, zeros as often."""
    turned: dict[tuple[str, Index], tuple[float, int]] = {}
    for name, table in graph.program.tables.items():
        if name == "splitter":
            continue
        most = float(np.abs(table.values).max())
        for index in np.ndindex(*table.values.shape):
            value = kept(rng.uniform(-most, most), table.prints, ROUND_HALF_UP)
            turned[name, index] = value, table.prints
    return graph.with_turned(turned)


@dataclass
class Counts:
    """How often what happened."""

    honest: int = 0
    honest_wrong: int = 0
    slips: int = 0
    slip_right: int = 0
    first: int = 0
    in_two: int = 0
    at_all: int = 0
    random: int = 0
    random_named: int = 0

    def add(self, other: Counts) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def rates(self) -> Mapping[str, float]:
        """Percentages under the names of the targets."""

        def part(some: int, whole: int) -> float:
            return 100 * some / whole if whole else 0.0

        return {
            "honest judged wrong": part(self.honest_wrong, self.honest),
            "slip judged right": part(self.slip_right, self.slips),
            "true slip named first": part(self.first, self.slips),
            "true slip in the first two": part(self.in_two, self.slips),
            "true slip named at all": part(self.at_all, self.slips),
            "random near number named": part(self.random_named, self.random),
        }


def shows(question: Prepared, group: SlipGroup) -> bool:
    return not same(rounded(group.exact, question.asks), question.region.printed)


def showing(question: Prepared) -> list[tuple[SlipGroup, AppliedSlip]]:
    """The slips that show: worked exactly, they print another number than the right one."""
    return [(group, made) for group in question.groups if shows(question, group) for made in group.members]

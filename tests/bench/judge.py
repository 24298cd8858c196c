"""The bench of the judge: is it fair to a pencil, and does it name the clash? `python -m tests.bench.judge`.

The answers come from pupils that share no arithmetic with the program. A last digit off by one is no slip.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from tests.bench.pupils.honest import honest
from tests.bench.pupils.pages import Cell, Page, Way, bank, cells, press_h, translate
from tests.bench.pupils.pens import Pen, cut, kept, pens
from tests.bench.pupils.slips import slips
from tests.bench.workers import redrawn
from tui_attention.engine.graph import Graph
from tui_attention.judge.choose import best_cell
from tui_attention.judge.verdict import Prepared, judge, prepare
from tui_attention.lessons.load import load
from tui_attention.lessons.run import open_run

LESSONS = (
    ("press-h", "h"),
    ("press-h", "had"),
    ("press-h", "bad head"),
    ("two-marks", "he"),
    ("two-marks", "cafe"),
    ("translate", "la maison rouge"),
    ("bank", "bank"),
    ("bank", "the river bank"),
    ("bank", "the money river bank the bank river money"),
)
FREE = frozenset({"one-more-decimal"})
TARGETS = {
    "honest judged wrong": ("<=", 0.3),
    "cut off judged wrong": ("<=", 0.3),
    "slip judged right": ("<=", 1.5),
    "listed slip in the first two": (">=", 93.0),
    "further slip in the first two": (">=", 80.0),
    "random near number named": ("<=", 10.0),
}
LISTED = frozenset(
    """sign lost;term left out;all positive;slid;reversed;exchanged;row of the table;column beside;not flattened;
    other table;not bent;not divided;by the width;backward;times the root;root of the heads;full width;
    query-with-query;key-with-key;transposed;all coordinates;other head;plain average;no shares;scores for shares;
    own row;other word's shares;column of shares;score itself;exp left out;by raw scores;by the largest;by the others;
    2^x;equal shares;minus;one left out of the total;sign of it lost;unscaled;masked counted;masked as 0;subtracted;
    first alone;second alone;multiplied;one beside;slot beside;flattened row;row before;mean kept;mean added;variance;
    only the mean divided;mean minus x;exchanged;earlier mean and spread;coordinate beside;head width;left out;
    root not taken;mean distance;after the root;range;ReLU;Phi alone;SiLU;Phi of minus;sign in front lost;halved;
    stopped early;itself;one too far;the rest;point in a term;sign of the answer;point;point back;sign""".replace(
        "\n    ", ""
    ).split(";")
)
"""The slips that the judge's rule lists by name; the others are those that a class makes besides."""


@dataclass
class Counts:
    """How often what happened: in all, by pencil family, by kind of slip, by tensor."""

    rates: dict[str, Counter[bool]] = field(default_factory=lambda: defaultdict(Counter))
    families: dict[str, Counter[bool]] = field(default_factory=lambda: defaultdict(Counter))
    kinds: dict[str, Counter[bool]] = field(default_factory=lambda: defaultdict(Counter))
    stages: dict[str, Counter[bool]] = field(default_factory=lambda: defaultdict(Counter))
    named: dict[str, Counter[bool]] = field(default_factory=lambda: defaultdict(Counter))
    lessons: dict[str, Counter[bool]] = field(default_factory=lambda: defaultdict(Counter))
    faults: list[str] = field(default_factory=list)

    def rate(self, name: str) -> float:
        return share(self.rates[name])


def share(counts: Counter[bool]) -> float:
    """The part that is true, in percent."""
    return 100 * counts[True] / max(1, counts.total())


def pages(sets: int, seed: int) -> Iterator[tuple[Graph, Page]]:
    """Every lesson and prompt, on its own dials and on redrawn ones."""
    for lesson, prompt in LESSONS:
        graph = open_run(lesson, prompt=prompt).graph
        for number in range(sets):
            drawn = redrawn(graph, random.Random(seed + number)) if number else graph
            yield drawn, page_of(drawn, lesson, prompt)


def vetted(count: int, seed: int) -> Iterator[tuple[Graph, Page]]:
    """Every lesson and prompt, on variants drawn from those that were vetted."""
    rng = random.Random(seed)
    for lesson, prompt in LESSONS:
        there = range(1, load(lesson).variants.count + 1)
        for number in rng.sample(there, min(count, len(there))):
            graph = open_run(lesson, prompt=prompt, variant=number).graph
            yield graph, page_of(graph, lesson, prompt)


def page_of(graph: Graph, lesson: str, prompt: str) -> Page:
    """The lesson's rows, worked out apart from the engine."""
    dials = {name: np.array(graph.tensor(name).values, float) for name in graph.program.tables if name != "splitter"}
    marks = graph.program.vocabulary.marks
    if lesson in ("press-h", "two-marks"):
        made = press_h(dials, [marks.index(mark) for mark in prompt], prompt)
        there = {name: value for name, value in made.full.items() if name in dials or not name.startswith("aside")}
        return replace(made, lesson=lesson, full=made.full if lesson == "press-h" else there)
    if lesson == "translate":
        second = [marks.index(word) for word in str(graph.inputs.other).split()]
        return translate(dials, [marks.index(word) for word in prompt.split()], second, prompt)
    other = [marks.index(word) for word in ["the", "money", "bank"]]
    return bank(dials, [marks.index(word) for word in prompt.split()], other, prompt)


def of_cell(counts: Counts, page: Page, cell: Cell, question: Prepared, rng: random.Random, rounds: int) -> None:
    """Honest pupils, pupils with a slip, and random near numbers, for one cell."""
    name, index = cell
    asks, full = page.asks[name], float(page.full[name][index])
    work = honest(page, cell)
    for pen in pens(asks, rng):
        value = work(pen, page.of(pen))
        if math.isfinite(value):
            _honest(counts, page, cell, question, pen, value)
    ways = slips(page, cell)
    for _ in range(rounds):
        _slip(counts, page, cell, question, rng.choices(ways, [way.weight for way in ways])[0], rng)
    for _ in range(rounds):
        off = rng.uniform(-0.5, 0.5) if rng.random() < 0.5 else full * rng.choice((-1, 1)) * rng.uniform(0.05, 0.5)
        verdict = judge(question, f"{kept(full + off, asks):.{asks}f}")
        if not verdict.accepted:
            counts.rates["random near number named"][verdict.kind == "slip"] += 1
            counts.named[name][verdict.kind == "slip"] += 1
            counts.lessons[page.lesson][verdict.kind == "slip"] += 1


def _honest(counts: Counts, page: Page, cell: Cell, question: Prepared, pen: Pen, value: float) -> None:
    for name, number in (
        ("honest judged wrong", kept(value, question.asks, pen.tie)),
        ("cut off judged wrong", cut(value, question.asks)),
    ):
        typed = f"{number:.{question.asks}f}"
        verdict = judge(question, typed)
        wrong = not verdict.accepted and verdict.kind not in FREE
        counts.rates[name][wrong] += 1
        if name == "honest judged wrong":
            counts.families[pen.name][wrong] += 1
            counts.stages[f"{page.lesson} {cell[0]}"][wrong] += 1
            if wrong:
                counts.faults.append(
                    f"{page.lesson} {page.prompt!r} {cell[0]}{list(cell[1])} {typed} {pen.name}: {verdict.kind}"
                )


def _slip(counts: Counts, page: Page, cell: Cell, question: Prepared, way: Way, rng: random.Random) -> None:
    name, index = cell
    asks, full = page.asks[name], float(page.full[name][index])
    pen = rng.choice(pens(asks, rng)[:10])
    try:
        value = way.work(pen, page.of(pen))
    except (ZeroDivisionError, OverflowError, ValueError):
        return
    if not math.isfinite(value) or abs(value) > 1e6:
        return
    number = kept(value, asks, pen.tie)
    if abs(number - full) <= 1.5 * 10**-asks:
        return
    verdict = judge(question, f"{number:.{asks}f}")
    counts.rates["slip judged right"][verdict.accepted] += 1
    if not verdict.accepted:
        told = {kind for slip in verdict.slips for kind in (slip.kind, *slip.also)}
        listed = "listed" if way.kind in LISTED else "further"
        counts.rates[f"{listed} slip in the first two"][bool(told & way.kinds)] += 1
        counts.kinds[f"{way.kind} ({listed})"][bool(told & way.kinds)] += 1


def measured(sets: int, seed: int, rounds: int, part: float = 1.0, variants: int = 0) -> Counts:
    """The counts over all lessons; `part` of the cells, drawn at random. With `variants`, on so many of each."""
    rng, counts = random.Random(seed), Counts()
    for graph, page in vetted(variants, seed) if variants else pages(sets, seed):
        every = list(cells(page))
        for cell in every if part >= 1 else rng.sample(every, max(1, int(len(every) * part))):
            name, index = cell
            question = prepare(graph, graph.working(*graph.source(name, index)))
            of_cell(counts, page, cell, question, rng, rounds)
    return counts


def timings(graph: Graph) -> tuple[list[tuple[float, str]], list[tuple[float, str]]]:
    """Milliseconds of processor time to open a question with its verdict, and to choose a sibling."""
    opened, chosen = [], []
    for step in graph.program.steps:
        traced = graph.traced(step.name)
        if traced.view or not traced.values.size:
            continue
        index = tuple(size - 1 for size in traced.shape)
        working = graph.working(step.name, index)
        if working.kind == "computed":
            start = time.process_time()
            judge(prepare(graph, working), "0.123")
            opened.append(((time.process_time() - start) * 1000, working.cell.address))
    for step in graph.program.steps:
        if (
            not graph.traced(step.name).view
            and graph.traced(step.name).values.size
            and graph.working(step.name, (0,) * len(graph.traced(step.name).shape)).askable
        ):
            start = time.process_time()
            best_cell(graph, step.name)
            chosen.append(((time.process_time() - start) * 1000, step.name))
    return sorted(opened, reverse=True), sorted(chosen, reverse=True)


def prompts(lesson: str) -> Iterator[str]:
    """A text of every legal length."""
    vocabulary = load(lesson).program.vocabulary
    marks = itertools.cycle(mark for mark in vocabulary.marks if mark.strip())
    text = list(itertools.islice(marks, vocabulary.most))
    for length in range(1, vocabulary.most + 1):
        yield (" " if vocabulary.words else "").join(text[:length])


def speed() -> None:
    """How long a question takes to open with its first verdict, and a sibling to be chosen."""
    for lesson in ("press-h", "two-marks", "bank", "modern", "translate"):
        opened: list[tuple[float, str]] = []
        chosen: list[tuple[float, str]] = []
        for prompt in prompts(lesson):
            found = timings(open_run(lesson, prompt=prompt).graph)
            opened += [(ms, f"{cell} of {prompt!r}") for ms, cell in found[0]]
            chosen += [(ms, f"{name} of {prompt!r}") for ms, name in found[1]]
        for what, times in (("open", sorted(opened, reverse=True)), ("choose", sorted(chosen, reverse=True))):
            p95 = times[len(times) // 20][0]
            print(f"{lesson}: to {what} p95 {p95:.0f} ms, worst {times[0][0]:.0f} ms, {times[0][1]}; of {len(times)}")


def main() -> None:
    """Print the table: targets, then families, tensors and kinds, then what is called wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6, help="slips and random numbers for each cell")
    parser.add_argument("--sets", type=int, default=2, help="sets of dials for each lesson and prompt")
    parser.add_argument("--part", type=float, default=0.3, help="the part of the cells that is looked at")
    parser.add_argument("--variants", type=int, default=0, help="so many vetted variants, and not sets of dials")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speed", action="store_true", help="only the times, over every tensor and length of prompt")
    args = parser.parse_args()
    if args.speed:
        speed()
        return
    counts = measured(args.sets, args.seed, args.rounds, args.part, args.variants)
    print(f"{'':32}{'target':>9}{'found':>9}{'of':>8}")
    for name, (sign, bound) in TARGETS.items():
        print(f"{name:32}{sign + ' ' + str(bound):>9}{counts.rate(name):8.2f}%{counts.rates[name].total():8}")
    for title, table, least in (
        ("honest judged wrong, by pencil", counts.families, 0),
        ("honest judged wrong, by tensor", counts.stages, 0),
        ("random near numbers named, by tensor", counts.named, 0),
        ("slips in the first two, by kind", counts.kinds, 1),
    ):
        order = sorted(table.items(), key=lambda entry: share(entry[1]) if least else -share(entry[1]))[:14]
        print(f"{title}: " + ", ".join(f"{name} {share(found):.1f}" for name, found in order))
    print("called wrong: " + ("; ".join(counts.faults[:12]) or "nothing"))
    for random_of, rates in sorted(counts.lessons.items()):
        print(f"random near numbers named in {random_of}: {share(rates):.1f} %")


if __name__ == "__main__":
    main()

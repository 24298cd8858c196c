"""The bench of the judge: is it fair to a pencil, and does it name the clash? `python -m tests.bench.judge`."""

from __future__ import annotations

import argparse
import random
import time

from tests.bench.workers import Counts, Hand, asked, redrawn, showing
from tui_attention.engine.graph import Graph
from tui_attention.judge.reading import read
from tui_attention.judge.verdict import Prepared, judge, prepare
from tui_attention.lessons.run import open_run

SETS = 8
TARGETS = {
    "honest judged wrong": ("<=", 0.5),
    "slip judged right": ("<=", 2.0),
    "true slip named first": (">=", 85.0),
    "true slip in the first two": (">=", 92.0),
    "true slip named at all": (">=", 94.0),
    "random near number named": ("<=", 18.0),
}
FREE = frozenset({"one-more-decimal"})


def of_question(question: Prepared, rng: random.Random, rounds: int) -> Counts:
    """The counts of one cell: `rounds` honest workers, slip-makers and random near numbers."""
    counts = Counts()
    slips = showing(question)
    weights = [made.weight for _, made in slips]
    for _ in range(rounds):
        typed = Hand.drawn(rng, question.asks).answer(question.root)
        if typed:
            verdict = judge(question, typed)
            counts.honest += 1
            counts.honest_wrong += not verdict.accepted and verdict.kind not in FREE
        if slips:
            group, made = rng.choices(slips, weights)[0]
            typed = Hand.drawn(rng, question.asks).answer(made.root)
            if typed:
                counts.slips += 1
                verdict = judge(question, typed)
                counts.slip_right += verdict.accepted
                named = () if verdict.accepted else question.likely.named(read(typed).numbers[0])
                hits = [likely.group for likely in named]
                counts.first += group in hits[:1]
                counts.in_two += group in hits[:2]
                counts.at_all += group in hits
        near = rng.uniform(-0.5, 0.5) + question.region.full
        verdict = judge(question, f"{near:.{question.asks}f}")
        if not verdict.accepted:
            counts.random += 1
            counts.random_named += verdict.kind == "slip"
    return counts


def of_graph(graph: Graph, seed: int, rounds: int) -> Counts:
    """The counts of every asked cell of a lesson."""
    rng = random.Random(seed)
    total = Counts()
    for working in asked(graph):
        total.add(of_question(prepare(graph, working), rng, rounds))
    return total


def fresh(lesson: str, sets: int, seed: int, rounds: int) -> Counts:
    """The same over several redrawn sets of dials together."""
    graph = open_run(lesson).graph
    total = Counts()
    for number in range(sets):
        total.add(of_graph(redrawn(graph, random.Random(seed + number)), seed + number, rounds))
    return total


def timings(graph: Graph) -> list[tuple[float, str]]:
    """Milliseconds of processor time from opening a question to its verdict, the slowest first."""
    found = []
    for working in asked(graph):
        start = time.process_time()
        judge(prepare(graph, working), "0.123")
        found.append(((time.process_time() - start) * 1000, working.cell.address))
    return sorted(found, reverse=True)


def main() -> None:
    """Print the table: targets, redrawn dials together, and each lesson's own dials beside."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="answers of each kind for each cell")
    parser.add_argument("--sets", type=int, default=SETS, help="redrawn sets of dials")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    columns = {
        f"{args.sets} fresh sets": fresh("press-h", args.sets, args.seed, args.rounds),
        "the page": of_graph(open_run("press-h").graph, args.seed, args.rounds * 4),
        "bank": of_graph(open_run("bank").graph, args.seed, args.rounds),
        "h.had": of_graph(open_run("press-h", prompt="h.had").graph, args.seed, max(1, args.rounds // 5)),
    }
    print(f"{'':28}{'target':>10}" + "".join(f"{name:>16}" for name in columns))
    for name, (sign, bound) in TARGETS.items():
        print(
            f"{name:28}{sign + ' ' + str(bound):>10}" + "".join(f"{c.rates()[name]:15.2f}%" for c in columns.values())
        )
    print(f"{'answers of each kind':38}" + "".join(f"{c.honest:16}" for c in columns.values()))
    for lesson, prompt in (("press-h", "h"), ("press-h", "had a bag.h"), ("bank", None)):
        slowest = timings(open_run(lesson, prompt=prompt).graph)[:3]
        print(f"slowest of {lesson} {prompt or ''}: " + ", ".join(f"{cell} {ms:.0f} ms" for ms, cell in slowest))


if __name__ == "__main__":
    main()

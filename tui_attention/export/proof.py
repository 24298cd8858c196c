"""What the short program at the end of the page prints, made from the lesson's numbers.

The program prints Python's `round(x, n)`, which is not how the page's drawn rows print: `1.1` here, `1.10` there.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tui_attention.lessons.run import LessonRun

LESSON = "press-h"
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def lines(run: LessonRun, stage: str | None = None) -> list[str]:
    """The program's lines for the prompt's last position; with `stage`, those whose numbers it makes.

    With several tokens, the score and the share of each head become lists: the last query against every key.
    """
    wanted = run.lesson.stage_index(stage) if stage is not None else -1
    return [text for tensor, text in _lines(run) if wanted in (-1, run.lesson.stage_of(tensor))]


def _lines(run: LessonRun) -> Iterator[tuple[str, str]]:
    """Each line with the tensor whose stage it belongs to."""

    def last(name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return np.asarray(run.graph.tensor(name).values[-1], dtype=np.float64)

    def row(name: str) -> str:
        decimals = run.graph.tensor(name).prints_at((-1,))
        return str([round(float(value), decimals or 0) for value in last(name)])

    def heads(name: str) -> str:
        rows = run.graph.tensor(name).values[:, -1, :].tolist()
        shown = [[round(value, 2) for value in row] for row in rows]
        return " ".join(str(row[0] if len(row) == 1 else row) for row in shown)

    tokens = run.graph.tensor("x0").shape[0]
    yield "x0", f"x after token + position: {row('x0')}"
    yield "sigma1", f"first norm mean/spread: {round(float(last('mu1')), 4)} {round(float(last('sigma1')), 4)}"
    for name in ("a", "q", "k", "v"):
        yield name, f"{name}: {row(name)}"
    yield "scores", f"head scores: {heads('scores')}"
    yield "shares", f"{_COUNTS[tokens] if tokens < len(_COUNTS) else tokens}-token shares: {heads('shares')}"
    rows = (
        ("attention projection", "y"),
        ("after attention add", "x1"),
        ("second norm", "b"),
        ("wide", "wide"),
        ("bend", "bend"),
        ("MLP projection", "m"),
        ("after block", "x2"),
        ("c", "c"),
        ("logits", "logits"),
    )
    for label, name in rows:
        yield name, f"{label}: {row(name)}"
    yield "greedy", f"greedy next mark: {int(last('greedy'))}"
    yield "chances", f"chances: {row('chances')}"
    yield "cum", f"cumulative: {row('cum')}"
    yield "drawn", f"ticket {run.graph.inputs.ticket_text()} picks mark: {int(last('drawn'))}"

"""The claims of `tests/data/*_claims.toml`: which numbers the program prints for each line of a document."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tui_attention.engine.decimals import printed
from tui_attention.engine.tensor import Tensor, place
from tui_attention.engine.working import steps
from tui_attention.lessons.run import LessonRun

DATA = Path(__file__).resolve().parent.parent / "data"

# A number as the documents write it. A sign after a letter, digit or bracket is an operator or a hyphen, and
# digits that follow a letter belong to a name (x0, dot12).
NUMBER = re.compile(
    r"(?<![\w.])(?:(?<![\w)\]])[-+])?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:\.\d+)*|\.\d+)(?:[eE][-+]?\d+)?"
)

# Why a number of a document is none of the lesson's.
FACTS = {
    "block": "the number of a block in the drawn stack; the toy has one",
    "date": "when the page was made",
    "decimals": "an argument of round() in the page's listing",
    "draw": "mean and spread of the normal numbers that the experiment draws",
    "factor": "the five by which the scores are sharpened",
    "gelu": "constants of the GELU in the page's listing",
    "index": "a subscript in the page's listing",
    "limit": "the largest share there is",
    "lines": "line numbers of the log, named in its heading",
    "measured": "rounding of the machine that made the log",
    "name": "the digit in the name of GPT-2",
    "root": "the head width in the page's listing, typed with a point",
    "seed": "the seed of the run",
    "slip": "part of a wrong answer that the page quotes",
    "spread": "the square, the width and the eps in the page's listing",
    "sum": "what the shares of a row sum to",
    "unit": "one unit of the last printed place",
    "version": "the versions that made the log",
    "width": "the width in the page's listing, typed with a point",
}


@dataclass(frozen=True, slots=True)
class Claimed:
    """The numbers that one item of a claim stands for; `fact` is the reason when the program prints none."""

    texts: tuple[str, ...]
    fact: str = ""


def corpus(document: str) -> dict[int, list[str]]:
    """Every numeric token of a document by line number."""
    lines: dict[str, list[str]] = json.loads((DATA / f"{document}_numbers.json").read_text())
    return {int(line): tokens for line, tokens in lines.items()}


def claims(document: str) -> dict[int, str]:
    """The claim of each line of a document."""
    lines: dict[str, str] = tomllib.loads((DATA / f"{document}_claims.toml").read_text())
    return {int(line): claim for line, claim in lines.items()}


_ITEM = re.compile(r"\{[^}]*\}|!\w+\([^)]*\)|(?:\"[^\"]*\"|[^\s\"])+")
_FACT = re.compile(r"!(\w+)\(([^)]*)\)")
_STEP = re.compile(r"step:(\d+):([^:]+)(?::(\d+)(?:-(\d+))?)?")
_LABEL = re.compile(r"label:(\w+):(\d+):(\d+)")
_TAKEN = re.compile(r"(mean|spread|sum)\((.+)\)(?:@(\d+))?")
_CELLS = re.compile(r"(-?)(\w+)(?:\[(.*)\])?(?:(@|~)(\d+))?")
_PART = re.compile(r'"([^"]*)"|(-?\d*):(-?\d*)|(-?\d+)')


def items(run: LessonRun, claim: str) -> Iterator[Claimed]:
    """What the items of a claim come to, from left to right."""
    for item in _ITEM.findall(claim):
        if fact := _FACT.fullmatch(item):
            yield Claimed(tuple(fact[2].split()), fact[1])
        else:
            yield Claimed(tuple(_texts(run, item)))


def _texts(run: LessonRun, item: str) -> list[str]:
    if item.startswith("{"):
        text = run.text(item)
        assert text is not None, f"{item} does not exist"
        return NUMBER.findall(text)
    if step := _STEP.fullmatch(item):
        return _step(run, int(step[1]), step[2], step[3], step[4])
    if label := _LABEL.fullmatch(item):
        return [run.graph.tensor(label[1]).axes[int(label[2])].labels[int(label[3])]]
    if taken := _TAKEN.fullmatch(item):
        return [_taken(run, taken[1], taken[2], taken[3])]
    cells = _CELLS.fullmatch(item)
    assert cells, f"{item!r} is no item of a claim"
    turned, name, inside, how, decimals = cells.groups()
    tensor = run.graph.tensor(name)
    return [_printed(tensor, index, bool(turned), how, int(decimals or 0)) for index in _indices(tensor, inside)]


def _step(run: LessonRun, number: int, address: str, first: str | None, last: str | None) -> list[str]:
    working = run.graph.working(*run.graph.locate(address))
    assert working.root is not None
    numbers = NUMBER.findall(steps(working.root, working.asks, working.cell.prints)[number])
    return numbers if first is None else numbers[int(first) : int(last or first) + 1]


def _taken(run: LessonRun, operation: str, cells: str, decimals: str | None) -> str:
    match = _CELLS.fullmatch(cells)
    assert match
    tensor = run.graph.tensor(match[2])
    indices = list(_indices(tensor, match[3]))
    values = np.array([float(tensor.values[index]) for index in indices])
    result = float({"mean": values.mean(), "spread": values.std(), "sum": values.sum()}[operation])
    # Plus 0.0: a sum that misses zero by the last bit has no sign worth printing.
    keep = tensor.prints_at(indices[0]) if decimals is None else int(decimals)
    return printed(round(result, 9) + 0.0, keep)


def _indices(tensor: Tensor, inside: str | None) -> Iterator[tuple[int, ...]]:
    if inside is None:
        assert tensor.shape == ()
        yield ()
        return
    parts = list(_PART.finditer(inside))
    assert len(parts) == len(tensor.shape), f"{tensor.name}[{inside}] against {tensor.shape}"
    ranges = [_places(tensor, axis, part) for axis, part in enumerate(parts)]
    for flat in np.ndindex(*map(len, ranges)):
        yield tuple(places[at] for places, at in zip(ranges, flat, strict=True))


def _places(tensor: Tensor, axis: int, part: re.Match[str]) -> range | list[int]:
    label, start, stop, number = part.groups()
    if start is not None:
        return range(tensor.shape[axis])[slice(int(start) if start else None, int(stop) if stop else None)]
    return [place(tensor.name, tensor.axes[axis], label if number is None else int(number))]


def _printed(tensor: Tensor, index: tuple[int, ...], turned: bool, how: str | None, decimals: int) -> str:
    value = float(tensor.values[index])
    if turned:
        return printed(-value, tensor.prints_at(index))
    if how == "@":
        return printed(value, decimals)
    return repr(round(value, decimals)) if how == "~" else tensor.text(index)

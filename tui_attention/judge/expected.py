"""Whether what a lesson file expects comes out: numbers with the digits that are written, answers as judged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from tui_attention.engine.decimals import printed, rounded
from tui_attention.engine.errors import AbsentError, BadInput, LessonError
from tui_attention.engine.graph import Working
from tui_attention.engine.tensor import Array
from tui_attention.judge.verb import lesson_sentences
from tui_attention.judge.verdict import Verdict, judge, prepare
from tui_attention.lessons.declare import Origin
from tui_attention.lessons.findings import Finding, Ground
from tui_attention.lessons.model import VERDICTS, Check, ExpectedAnswer
from tui_attention.lessons.positions import Path
from tui_attention.lessons.run import LessonRun

_NUMBER = re.compile(r"[-+]?\d[\d_]*(\.\d+)?([eE][-+]?\d+)?")


def unexpected(run: LessonRun) -> Iterator[Finding]:
    """What comes out otherwise than `[expect]` says, on the lesson's own inputs and dials."""
    ground = Ground(run)
    for name, wanted in run.lesson.expect.values.items():
        path: Path = ("expect", name)
        try:
            values = _values(run, name)
        except (AbsentError, BadInput, LessonError) as error:
            says = ground.lacking(name) if isinstance(error, AbsentError) else str(error)
            yield ground.finding("[expect]", f"{name}: {says}", path, error=False)
            continue
        yield from _compared(ground, name, values, wanted, path)
    for place, answer in enumerate(run.lesson.expect.answers):
        says = _misjudged(run, answer)
        if says:
            path = ("expect", "answer", place)
            yield ground.finding("[[expect.answer]]", f"{answer.check or answer.cell} {answer.typed!r}: {says}", path)


# ---------------------------------------------------------------- numbers


def _values(run: LessonRun, text: str) -> Array:
    if text in run.graph.names():
        return np.asarray(run.graph.tensor(text).values)  # a whole one, though it be a single number
    try:
        name, index = run.graph.locate(text)
    except BadInput:
        return run.formula(text).values
    return np.asarray(run.graph.tensor(name).values[index])


def _compared(ground: Ground, name: str, values: Array, wanted: Any, path: Path) -> Iterator[Finding]:
    """Number by number; a list stands for a row, a list of lists for a matrix."""
    if isinstance(wanted, list):
        if not values.shape or values.shape[0] != len(wanted):
            sized = "x".join(map(str, values.shape))
            has = f"holds {sized} numbers" if sized else "is a single number"
            yield ground.finding("[expect]", f"{name} {has}, and a list of {len(wanted)} stands here", path)
            return
        for place, inside in enumerate(wanted):
            yield from _compared(ground, f"{name}[{place}]", values[place], inside, (*path, place))
        return
    if values.shape:
        says = f"{name} is {'x'.join(map(str, values.shape))}; a list of numbers was expected"
        yield ground.finding("[expect]", says, path)
        return
    if isinstance(wanted, bool) or values.dtype == np.bool_:
        if bool(values) is not wanted:
            yield ground.finding("[expect]", f"{name} is {bool(values)}, not {wanted}", path)
        return
    text = _written(ground.lesson.origin, path, wanted)
    if not _NUMBER.fullmatch(text) and text not in ("inf", "-inf"):
        yield ground.finding("[expect]", f"{name}: a number was expected, not {text[:40]!r}", path)
        return
    value, decimals = float(values), _decimals(text)
    if decimals is None:
        if value != float(text):
            yield ground.finding("[expect]", f"{name} is {value:g}, not {text}", path)
    elif not abs(rounded(value, decimals) - float(text)) < 10.0**-decimals / 1000:
        says = f"{name} is {printed(value, decimals)} ({value:.{decimals + 4}f}), not {text}"
        yield ground.finding("[expect]", says, path)


def _written(origin: Origin | None, path: Path, wanted: Any) -> str:
    """The number as it is written in the file, its last zeros included."""
    if isinstance(wanted, str) or origin is None:
        return str(wanted).strip()
    located = origin.source(path).located
    spot = located.spots.get(path)
    return located.text[spot.start : spot.end].strip() if spot else repr(wanted)


def _decimals(text: str) -> int | None:
    """How many decimals are written; None where the number is to be met exactly."""
    mantissa, _, power = text.lower().partition("e")
    if "inf" in text:
        return None
    return max(len(mantissa.partition(".")[2]) - int(power or 0), 0)


# ---------------------------------------------------------------- answers


def _misjudged(run: LessonRun, answer: ExpectedAnswer) -> str:
    """What is wrong about the verdict on an answer; empty where it is as expected."""
    if answer.verdict and answer.verdict not in VERDICTS:
        return f"there is no verdict {answer.verdict!r}; there are: {' '.join(VERDICTS)}"
    if bool(answer.cell) is bool(answer.check):
        return "either 'cell' or 'check' was expected"
    try:
        working = _asked(run, answer)
    except (AbsentError, BadInput, LessonError) as error:
        return f"it cannot be asked: {error}"
    if working is None:
        return "the lesson's own prompt lacks the cell"
    verdict = judge(prepare(run, working, says=lesson_sentences(run, working)), answer.typed)
    return _unlike(verdict, answer)


def _unlike(verdict: Verdict, answer: ExpectedAnswer) -> str:
    named = [kind for slip in verdict.slips[:2] for kind in (slip.kind, *slip.also)]
    if answer.verdict and verdict.kind != answer.verdict:
        return f"the verdict is {verdict.kind!r}, not {answer.verdict!r}: {verdict.says}"
    if answer.slip and answer.slip not in named:
        return f"the slips named are {' '.join(named) or 'none'}, not {answer.slip!r}: {verdict.says}"
    if answer.says and answer.says.casefold() not in verdict.says.casefold():
        return f"what is said has no {answer.says!r}: {verdict.says}"
    return ""


def _asked(run: LessonRun, answer: ExpectedAnswer) -> Working | None:
    if answer.check:
        return run.check_working(_check(run, answer.check))
    return run.graph.working(*run.graph.source(*run.graph.locate(answer.cell)))


def _check(run: LessonRun, name: str) -> Check:
    checks = {check.id: check for stage in run.lesson.stages for check in stage.checks}
    if name not in checks:
        raise BadInput(f"there is no CHECK {name!r}; the CHECKs are: {' '.join(checks)}")
    if checks[name].sentence:
        raise BadInput(f"the answer of CHECK {name} is a sentence, which nobody judges")
    return checks[name]

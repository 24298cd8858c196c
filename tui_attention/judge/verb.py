"""One answer judged from outside the walk: what the verb `judge` prints, and its exit code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tui_attention.engine.errors import BadInput
from tui_attention.engine.graph import Working
from tui_attention.engine.tensor import address
from tui_attention.engine.working import Cell, operands
from tui_attention.judge.reading import read
from tui_attention.judge.verdict import Prepared, Verdict, judge, prepare
from tui_attention.lessons.run import LessonRun

ACCEPTED_CODE, WRONG_CODE, NO_ATTEMPT_CODE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """The verdict as JSON and as text, and the exit code: 0 accepted, 1 judged wrong, 2 no attempt."""

    payload: dict[str, Any]
    text: str
    code: int


def judge_cell(
    run: LessonRun, cell: str, typed: str, own: Iterable[tuple[str, str]] = (), show: bool = False
) -> JudgeReport:
    """Judge what was typed for a cell. `own` are pairs of a cell and the learner's number for it.

    Raises BadInput for an unknown cell, one that no pencil makes, or an own number that is none.
    """
    return _judged(run, _asked(run, cell), cell, typed, own, show=show)


class Bench:
    """Judges many answers to one lesson: what was made ready for one of them serves the next."""

    MOST_RUNS, MOST_QUESTIONS = 64, 1024

    def __init__(self, opens: Callable[[str | None, str | None], LessonRun]) -> None:
        """`opens` gives the lesson for a prompt and another text; None keeps what it has."""
        self._run = lru_cache(self.MOST_RUNS)(opens)
        self._question = lru_cache(self.MOST_QUESTIONS)(self._prepare)

    def judge(
        self,
        cell: str,
        typed: str,
        *,
        prompt: str | None = None,
        other: str | None = None,
        own: Iterable[tuple[str, str]] = (),
        show: bool = False,
    ) -> JudgeReport:
        """As `judge_cell`; `prompt` and `other` where an answer has its own. Raises BadInput."""
        question = self._question(cell, prompt, other)
        return _judged(self._run(prompt, other), question, cell, typed, own, show=show)

    def _prepare(self, cell: str, prompt: str | None, other: str | None) -> Prepared:
        return _asked(self._run(prompt, other), cell)


def _asked(run: LessonRun, cell: str) -> Prepared:
    """The question for a cell, made ready. Raises BadInput for a cell that is not asked."""
    graph = run.graph
    name, index = graph.locate(cell)
    working = graph.working(*graph.source(name, index))
    _check_asked(working, address(name, index), truth=graph.tensor(name).truth)
    return prepare(run, working, says=lesson_sentences(run, working))


def _judged(
    run: LessonRun, question: Prepared, cell: str, typed: str, own: Iterable[tuple[str, str]], *, show: bool
) -> JudgeReport:
    working, pairs = question.working, tuple(own)
    verdict = judge(question.with_own(own_numbers(run, pairs), _called(run, pairs)), typed)
    code = ACCEPTED_CODE if verdict.accepted else WRONG_CODE if verdict.attempt else NO_ATTEMPT_CODE
    payload: dict[str, Any] = {
        "cell": address(*run.graph.locate(cell)),
        "typed": typed,
        "read": {"kind": verdict.read.kind, "value": verdict.value, "decimals": verdict.decimals},
        "verdict": verdict.kind,
        "attempt": verdict.attempt,
        "slips": [{"kind": slip.kind, "says": slip.says, "also": list(slip.also)} for slip in verdict.slips],
        "says": verdict.says,
    }
    if verdict.accepted or show:
        payload["answer"] = working.cell.printed
    return JudgeReport(payload, _text(verdict, working, show=show), code)


def _check_asked(working: Working, where: str, *, truth: bool) -> None:
    # A share of a masked score is stated, not worked out, but it is a number that one can give.
    if working.kind in ("masked", "measured") or truth:
        raise BadInput(f"{where} is not asked: {working.says}")


def own_numbers(run: LessonRun, pairs: Iterable[tuple[str, str]]) -> Mapping[str, float]:
    """The learner's numbers by full address; a view's cell is its source. Raises BadInput."""
    found = {}
    for cell, number in pairs:
        name, index = run.graph.source(*run.graph.locate(cell))
        reading = read(number, shares=True)
        if not reading.numbers:
            raise BadInput(f"{number[:40]!r} is no number for {cell}: {reading.why}")
        found[address(name, index)] = reading.numbers[-1].value
    return found


def _called(run: LessonRun, pairs: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """The names under which the learner gave numbers, by full address of the source cell."""
    located = [run.graph.locate(cell) for cell, _ in pairs]
    return {address(*run.graph.source(*place)): run.graph.tensor(place[0]).short(place[1]) for place in located}


def lesson_sentences(run: LessonRun, working: Working) -> Mapping[str, str]:
    """The lesson's own sentences for the slips of a cell, by kind. Of other cells than its operands: addresses."""
    root = working.root
    mine = frozenset(operands(root)) if root is not None else frozenset()

    def show(cell: Cell) -> str:
        given = run.graph.tensor(cell.tensor).origin != "step" and cell.tensor not in run.graph.program.by_name
        return cell.printed if cell in mine or given else cell.address

    texts = {slip.kind: run.text(slip.text, show) for slip, _ in run.own_slips(working)}
    found = {kind: text for kind, text in texts.items() if text is not None}
    for stage in run.lesson.stages:
        for check in stage.checks:
            known = run.check_working(check) if check.says and not check.of else None
            if (known is not None and known.ref == working.ref) or (check.of and check.of == working.cell.tensor):
                filled = {entry.slip: run.text(entry.text, show) for entry in check.says}
                found |= {kind: text for kind, text in filled.items() if text is not None and kind not in found}
    return found


def _text(verdict: Verdict, working: Working, *, show: bool) -> str:
    lines = [f"read: {verdict.read.echo}"] if verdict.read.echo else []
    told = verdict.says.lower().startswith(f"{verdict.kind}:")
    lines += [verdict.says if told else f"{verdict.kind}: {verdict.says}"]
    if show and not verdict.accepted:
        lines.append(f"The number is {working.cell.printed}.")
    return "\n".join(lines)

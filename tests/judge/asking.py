"""Asking the judge about a cell of a lesson, in one line."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tui_attention.engine.graph import Working
from tui_attention.judge.verdict import Prepared, Verdict, judge, prepare
from tui_attention.lessons.run import LessonRun, open_run


@cache
def run(lesson: str, prompt: str | None = None) -> LessonRun:
    return open_run(lesson, prompt=prompt)


def working(where: LessonRun, cell: str) -> Working:
    return where.graph.working(*where.graph.source(*where.graph.locate(cell)))


@cache
def question(lesson: str, cell: str, prompt: str | None = None) -> Prepared:
    where = run(lesson, prompt)
    return prepare(where, working(where, cell))


def ask(lesson: str, cell: str, typed: str, own: Mapping[str, float] | None = None) -> Verdict:
    where = run(lesson)
    made = question(lesson, cell) if own is None else prepare(where, working(where, cell), own=own)
    return judge(made, typed)

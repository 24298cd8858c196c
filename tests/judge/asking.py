"""Asking the judge about a cell of a lesson, in one line."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tui_attention.engine.graph import Working
from tui_attention.judge.verdict import Prepared, Verdict, judge, prepare
from tui_attention.lessons.course import Course, open_course


@cache
def course(lesson: str, prompt: str | None = None) -> Course:
    return open_course(lesson, prompt=prompt)


def working(where: Course, cell: str) -> Working:
    return where.graph.working(*where.graph.source(*where.graph.locate(cell)))


@cache
def question(lesson: str, cell: str, prompt: str | None = None) -> Prepared:
    where = course(lesson, prompt)
    return prepare(where, working(where, cell))


def ask(lesson: str, cell: str, typed: str, own: Mapping[str, float] | None = None) -> Verdict:
    where = course(lesson)
    made = question(lesson, cell) if own is None else prepare(where, working(where, cell), own=own)
    return judge(made, typed)

"""Slips that a lesson declares itself, judged like any other."""

from __future__ import annotations

from tui_attention.engine.graph import Working
from tui_attention.engine.operation import FORMULA
from tui_attention.judge.applied import AppliedSlip
from tui_attention.lessons.run import LessonRun


def own_slips(run: LessonRun, working: Working) -> tuple[AppliedSlip, ...]:
    """The lesson's own slips of a cell; the lesson has been checked, so that their formulas are legal."""
    found = run.own_slips(working)
    return tuple(AppliedSlip(slip.kind, f"{slip.value} is worked out", FORMULA, node) for slip, node in found)

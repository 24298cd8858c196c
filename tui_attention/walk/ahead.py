"""Answers and hints for a number whose operands are covered themselves: nothing of these may be told."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tui_attention.walk.refs import CellRef

if TYPE_CHECKING:
    from tui_attention.judge.verdict import Verdict

MOST_NAMED = 3
NO_NUMBERS = 2
"""The last hint that tells no numbers: the formula in words, then the names of what goes in."""
OWN_ROW = "Right from your own numbers."


def screened(verdict: Verdict, covered: tuple[CellRef, ...]) -> Verdict:
    """The verdict as it may be told while `covered` operands are: right or not, and what to work out first.

    A slip's sentence, a lit cell, or whether arithmetic leads there would each tell something of them.
    """
    if not covered:
        return verdict
    if verdict.accepted:
        says = OWN_ROW if verdict.kind == "own-row" else verdict.says
    elif verdict.kind == "unfinished":
        says = verdict.read.why
    elif verdict.attempt:
        return replace(
            verdict, kind="wrong", says=f"That is not it. {first(covered)}", slips=(), cells=(), own_cells=()
        )
    else:
        says = verdict.says
    return replace(verdict, says=says, slips=(), cells=(), own_cells=())


def first(covered: tuple[CellRef, ...]) -> str:
    """`mu1[0] and sigma1[0] are still covered: work them out first.`"""
    named = [str(ref) for ref in covered[:MOST_NAMED]]
    if len(covered) > MOST_NAMED:
        return f"{', '.join(named)} and {len(covered) - MOST_NAMED} more are still covered: work them out first."
    if len(named) == 1:
        return f"{named[0]} is still covered: work it out first."
    return f"{', '.join(named[:-1])} and {named[-1]} are still covered: work them out first."

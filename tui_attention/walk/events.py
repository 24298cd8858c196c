"""What a walk tells its shell and its keeper: what changed, what an answer led to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from tui_attention.walk.ledger import Ledger, State
from tui_attention.walk.questions import Question

if TYPE_CHECKING:
    from tui_attention.judge.verdict import Verdict
    from tui_attention.walk.walk import Walk

StageMark = Literal["new", "visited", "open", "done", "borrowed"]


@dataclass(frozen=True, slots=True)
class Change:
    """What an action changed: what must be drawn again, and a sentence for the learner."""

    what: Literal["nothing", "step", "stage", "cover", "cell", "dials"]
    says: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an answer led to. `opened`: the tensor that shows as a whole now, or the empty text."""

    question: Question
    verdict: Verdict
    state: State
    opened: str = ""


class ProgressObserver(Protocol):
    """Whoever keeps a learner's progress: gives the ledger of a walk's inputs and dials, is told of every change."""

    def load(self, walk: Walk) -> Ledger: ...
    def place(self, walk: Walk) -> None: ...
    def ledger(self, walk: Walk) -> None: ...
    def answer(self, walk: Walk, outcome: Outcome, typed: str) -> None: ...
    def inputs(self, walk: Walk) -> None: ...

"""What a walk tells its shell and its observers: what changed, what an answer led to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from tui_attention.judge.verdict import Verdict
    from tui_attention.walk.ledger import Ledger, State
    from tui_attention.walk.questions import Question
    from tui_attention.walk.refs import Ref
    from tui_attention.walk.statistics import Attempt
    from tui_attention.walk.walk import Walk

ChangeKind = Literal["nothing", "step", "stage", "cover", "cell", "tensor", "dials", "digits", "look"]


class Change(NamedTuple):
    """What an action changed: the place (`step`, `stage`), the cover, a cell or CHECK (`ref`), a whole tensor."""

    what: ChangeKind
    ref: Ref | None = None
    tensor: str = ""


NOTHING = Change("nothing")


class Outcome(NamedTuple):
    """What an answer led to. `opened`: the tensor that shows as a whole now, or the empty text.

    `seen`: it was right, but its number had been on screen before.
    """

    question: Question
    verdict: Verdict
    state: State
    opened: str = ""
    seen: bool = False


class AnswerObserver(Protocol):
    """Whoever looks on while a learner answers: a keeper of progress, a class."""

    def answer(self, walk: Walk, outcome: Outcome, typed: str) -> None: ...


class ProgressObserver(AnswerObserver, Protocol):
    """Whoever keeps a learner's progress: gives the ledger of a walk's inputs and dials, is told of every change."""

    def load(self, walk: Walk) -> Ledger: ...
    def place(self, walk: Walk) -> None: ...
    def ledger(self, walk: Walk) -> None: ...
    def inputs(self, walk: Walk) -> None: ...
    def sentence(self, walk: Walk, ref: Ref, typed: str) -> None: ...
    def attempts(self) -> tuple[Attempt, ...]: ...


__all__ = ["NOTHING", "AnswerObserver", "Change", "ChangeKind", "Outcome", "ProgressObserver"]

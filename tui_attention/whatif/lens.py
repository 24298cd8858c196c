"""The logit lens: what the final table would say of the running row at every place and after each part of a block.

nostalgebraist, "interpreting GPT: the logit lens" (2020).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tui_attention.engine import formula
from tui_attention.engine.formula import Expr, Name
from tui_attention.engine.graph import Graph
from tui_attention.engine.tensor import Array
from tui_attention.lessons.model import LogitLens

ROW = "row"
"""The name that stands for the running row in the lens's formula."""


@dataclass(frozen=True, eq=False, slots=True)
class LensRow:
    """After one part: logits and chances [tokens, vocabulary], and which tensor they were read from."""

    tensor: str
    says: str
    logits: Array
    chances: Array

    def best(self, place: int) -> int:
        """The token with the largest logit at a place."""
        return int(np.argmax(self.logits[place]))

    def rank(self, place: int, token: int) -> int:
        """How many tokens have a larger logit there, plus one."""
        return int((self.logits[place] > self.logits[place, token]).sum()) + 1


def through(graph: Graph, lens: LogitLens) -> tuple[LensRow, ...]:
    """The lens at each of its rows. Raises LessonError for a formula that is none."""
    head = formula.parse(lens.head)
    found = []
    for tensor, says in lens.rows:

        def put(name: Name, tensor: str = tensor) -> Expr:
            return Name(tensor, name.column) if name.name == ROW else name

        logits = np.asarray(graph.evaluate(formula.mapped(head, put)).values, dtype=np.float64)
        raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
        found.append(LensRow(tensor, says, logits, raised / raised.sum(axis=-1, keepdims=True)))
    return tuple(found)


__all__ = ["LensRow", "through"]

"""Writing on: the chosen mark is appended, and what the earlier rows keep (the key-value cache)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tui_attention.engine import formula
from tui_attention.engine.errors import BadInput
from tui_attention.engine.graph import Graph
from tui_attention.engine.program import Program
from tui_attention.engine.traits import role_of
from tui_attention.lessons.run import LessonRun
from tui_attention.whatif.next_token import Choice, Sampling, choose


@dataclass(frozen=True, eq=False, slots=True)
class Written:
    """One token written: the choice, its mark, and the run with it appended (None at the last slot, with a word)."""

    choice: Choice
    mark: str
    run: LessonRun | None
    notice: str = ""


def logits_name(program: Program) -> str:
    """The tensor whose largest number is the greedy choice. Raises BadInput for a lesson that guesses no mark."""
    for step in program.steps:
        if isinstance(step.expr, formula.Call) and role_of(step.expr) == "greedy":
            [arg] = step.expr.args
            if isinstance(arg, formula.Name):
                return arg.name
    raise BadInput("this lesson guesses no next mark, so there is nothing to write on")


def write(run: LessonRun, sampling: Sampling, ticket: float) -> Written:
    """The next token of the prompt's last place, and the run with it appended.

    Raises BadInput for a ticket or temperature that is not legal, and where the lesson guesses no mark.
    """
    graph = run.graph
    logits = graph.tensor(logits_name(graph.program)).values
    choice = choose(np.asarray(logits[-1], dtype=np.float64), sampling, ticket)
    vocabulary = graph.program.vocabulary
    mark = vocabulary.marks[choice.token]
    if logits.shape[0] >= vocabulary.most:
        notice = (
            f"All {vocabulary.most} slots are taken. Each place has a learned row of its own, and a further place "
            "would have none: the text ends here."
        )
        return Written(choice, mark, None, notice)
    text = f"{graph.inputs.prompt} {mark}" if vocabulary.words else graph.inputs.prompt + mark
    return Written(choice, mark, run.with_graph(graph.with_inputs(prompt=text)))


def kept_rows(before: Graph, after: Graph, name: str) -> int:
    """How many rows of a tensor [tokens, ...] or [heads, tokens, ...] a longer prompt leaves as they were.

    Within 1e-12, since a product of more rows may add in another order. These are what a key-value cache keeps.
    0 where the tensor has no row for each place.
    """
    one, two = before.tensor(name), after.tensor(name)
    place = next((at for at, axis in enumerate(two.axes) if axis.name in ("token", "query")), -1)
    if place < 0 or one.shape[place] == two.shape[place] or len(one.shape) != len(two.shape):
        return 0
    shared = tuple(slice(min(a, b)) for a, b in zip(one.shape, two.shape, strict=True))
    a, b = (np.moveaxis(np.asarray(tensor.values[shared]), place, 0) for tensor in (one, two))
    same = [bool(np.allclose(row, other, rtol=0.0, atol=1e-12)) for row, other in zip(a, b, strict=True)]
    return next((at for at, equal in enumerate(same) if not equal), len(same))


__all__ = ["Written", "kept_rows", "logits_name", "write"]

"""What whoever leads a class decides about a walk: what is held back, what is shown to all, how far one may go."""

from __future__ import annotations

from typing import NamedTuple

from tui_attention.walk.refs import CellRef


class Lead(NamedTuple):
    """`held` are tensors whose numbers stay covered until the learner has settled them, whatever would show them.
    `shown` are cells that everybody may see. `front` is the last place that may be gone to, counted over the lesson
    (`places.rank`); None: any. `beyond` says why.
    """

    held: frozenset[str] = frozenset()
    shown: frozenset[CellRef] = frozenset()
    front: int | None = None
    beyond: str = "nobody has gone there yet"


ALONE = Lead()
"""Nobody leads."""

__all__ = ["ALONE", "Lead"]

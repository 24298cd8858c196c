"""Who may uncover and borrow: the learner alone, or whoever leads a class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tui_attention.walk.refs import Ref
    from tui_attention.walk.walk import Walk


class CoverPolicy(Protocol):
    """Asked before numbers are uncovered. A sentence says why not; the empty text allows it."""

    def may_uncover(self, walk: Walk) -> str:
        """Before the cover is lifted from everything."""

    def may_reveal(self, walk: Walk, ref: Ref) -> str:
        """Before one number, or one answer, is shown to be borrowed."""


class OwnCover:
    """The learner's own cover: everything is allowed."""

    def may_uncover(self, walk: Walk) -> str:
        """Nobody else is asked."""
        return ""

    def may_reveal(self, walk: Walk, ref: Ref) -> str:
        """Nobody else is asked."""
        return ""

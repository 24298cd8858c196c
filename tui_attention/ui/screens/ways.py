"""What a screen of a lesson decides in a way of its own, where another kind of screen decides otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tui_attention.interaction.commands import COMMANDS, command_of_letter
from tui_attention.interaction.controller import LessonController
from tui_attention.ui.guards.layer import GuardedScreen
from tui_attention.ui.keys import named_keys
from tui_attention.ui.seat import Seat
from tui_attention.walk.walk import Walk

if TYPE_CHECKING:
    from tui_attention.ui.screens.palette import PaletteEntry


class Ways(GuardedScreen[None]):
    """The ways of the lesson at home."""

    seat: Seat
    ascii: bool
    in_tree: bool

    def controller(self, walk: Walk) -> LessonController:
        """What decides at this screen's lesson."""
        return LessonController(walk)

    def seated(self, walk: Walk) -> Seat:
        """A seat at a walk."""
        return Seat(self.controller(walk), ascii=self.ascii)

    def letter(self, mark: str | None) -> str:
        """The command that a letter is while a judged number stands on the line; empty for none."""
        return command_of_letter(mark)

    def footer_keys(self, first: bool) -> Sequence[tuple[str, str, str]]:
        """Id, key and word of what the footer names; `first`: the wall of a new stage is being read."""
        return named_keys(self.seat, self.in_tree, first)

    def entries(self) -> Sequence[PaletteEntry]:
        """What the palette offers."""
        from tui_attention.ui.screens.palette import entries_of

        return entries_of(COMMANDS)

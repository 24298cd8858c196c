"""Which keys the footer names in each state of the lesson's screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui_attention.interaction.commands import BY_ID, COMMANDS, footer

if TYPE_CHECKING:
    from tui_attention.ui.seat import Seat

TYPING: tuple[tuple[str, str], ...] = (
    ("enter", "judge it"), ("esc", "leave it"), ("ctrl+u", "clear"), ("", "every letter belongs to the line"),
)  # fmt: skip
JUDGED: tuple[str, ...] = ("hint", "reveal", "keep", "next")
"""What the footer shows once a wrong number has been judged."""
MARKING: tuple[tuple[str, str], ...] = (("1", "had it"), ("2", "partly"), ("3", "not yet"), ("esc", "later"))
SAYING: tuple[tuple[str, str], ...] = (
    ("a letter", "begins your sentence"),
    ("space", "next"),
    ("pgup", "back"),
    ("esc", "letters are keys"),
    ("?", "help"),
)  # fmt: skip
"""At a CHECK for a sentence."""
IN_MODEL: tuple[str, ...] = ("next", "sources", "effects", "pattern", "head_off", "block_on", "help", "quit")
"""What the footer shows in a trained model: who brought the answer is two keys away."""
IN_TREE: tuple[tuple[str, str], ...] = (
    ("up down", "stage"),
    ("enter", "go there"),
    ("tab", "back"),
    ("?", "help"),
    ("q", "quit"),
)


def named_keys(seat: Seat, in_tree: bool, first: bool) -> list[tuple[str, str, str]]:
    """Id, key and word of what the footer names; `first`: the wall of a new stage is being read."""
    if seat.editor is not None:
        entering = "judge" if seat.editor.purpose == "number" else "done"
        shown = [("", key, entering if key == "enter" else word) for key, word in TYPING if key]
        if not seat.judged:
            return shown
        mine = [key for key in COMMANDS if key.id in JUDGED and (key.id != "keep" or seat.core.offer)]
        return [*((key.id, key.shown, key.short) for key in mine), shown[1], ("", "a digit", "begins anew")]
    if seat.marking:
        return [("", key, word) for key, word in MARKING]
    if in_tree:
        return [("", key, word) for key, word in IN_TREE]
    if not first and seat.asks_sentence():
        return [("", key, word) for key, word in SAYING]
    named = [BY_ID[name] for name in IN_MODEL] if seat.core.in_model else footer()
    return [(key.id, key.shown, key.short) for key in named]

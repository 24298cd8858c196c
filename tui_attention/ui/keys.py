"""What only the keys of the app need beside the one table of commands."""

from __future__ import annotations

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
WALKING = ("n", "p", "N", "P")
IN_TREE: tuple[tuple[str, str], ...] = (
    ("up down", "stage"),
    ("enter", "go there"),
    ("tab", "back"),
    ("?", "help"),
    ("q", "quit"),
)

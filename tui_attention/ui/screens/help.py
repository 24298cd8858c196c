"""Help: made from the table of keys."""

from __future__ import annotations

from collections.abc import Sequence

from tui_attention.interaction.command import Command
from tui_attention.interaction.commands import ARROWS, COMMANDS, GROUPS
from tui_attention.judge.promise import PROMISE
from tui_attention.render.pipeline import MARKS
from tui_attention.render.rows import EMPTY, Row, Span, paragraph, text_row
from tui_attention.ui.screens.page import PageScreen
from tui_attention.walk.visible import StageMark

INTRODUCTION = (
    "Work out each covered number with paper and pencil, type it, press Enter. Any number that you can "
    f"get from the printed rows by pencil counts as right. {PROMISE}"
)
MARKED: tuple[tuple[StageMark, str], ...] = (
    ("done", "every CHECK of the stage is settled"),
    ("borrowed", "settled, and some numbers were borrowed"),
    ("open", "something was left open"),
)


def help_rows(width: int, commands: Sequence[Command] = COMMANDS) -> list[Row]:
    """All keys, by group."""
    rows = paragraph(INTRODUCTION, min(width, 76), "told")
    for group, title in GROUPS:
        rows += [EMPTY, text_row(title, "section")]
        if group == "walking":
            rows += _entry("arrows", ARROWS, width)
        for key in commands:
            if key.group == group and key.shown:
                rows += _entry(key.shown, key.tooltip, width)
    rows += [EMPTY, text_row("Marks in the pipeline", "section")]
    for mark, says in MARKED:
        glyph, style = MARKS[mark]
        rows.append((Span(f"  {glyph:<8}", style), Span(says, "told")))
    return rows


def _entry(key: str, says: str, width: int) -> list[Row]:
    lines = paragraph(says, max(16, width - 10), "told")
    return [(Span(f"  {key:<8}" if n == 0 else " " * 10, "name"), *line) for n, line in enumerate(lines)]


class HelpScreen(PageScreen):
    """All keys."""

    def __init__(self) -> None:
        super().__init__("help")

    def make(self, width: int) -> Sequence[Row]:
        return help_rows(width)

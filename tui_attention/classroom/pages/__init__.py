"""What the teacher reads, as rows: the join page, the board, the room's answers, the slips. No screen."""

from __future__ import annotations

from tui_attention.classroom.pages.board import board_rows
from tui_attention.classroom.pages.join import Door, join_lines, join_rows
from tui_attention.classroom.pages.room import question_rows, slip_rows

__all__ = ["Door", "board_rows", "join_lines", "join_rows", "question_rows", "slip_rows"]

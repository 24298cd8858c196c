"""What the short program at the end of the page prints: `tui_attention.listings`, run on a lesson's dials.

The program prints Python's `round(x, n)`, which is not how the page's drawn rows print: `1.1` here, `1.10` there.
"""

from __future__ import annotations

from tui_attention.lessons.listing import printed_rows
from tui_attention.lessons.run import LessonRun
from tui_attention.listings import source

LESSON, PROGRAM = "press-h", "forward_pass"


def lines(run: LessonRun, stage: str | None = None) -> list[str]:
    """The program's lines for the prompt's last position; with `stage`, those whose numbers it makes."""
    wanted = run.lesson.stage_index(stage) if stage is not None else -1
    rows = printed_rows(run, PROGRAM)
    return [row.line() for row in rows if wanted in (-1, run.lesson.stage_of(row.tensors[-1]))]


def listing() -> list[str]:
    """The program itself."""
    return source(PROGRAM)

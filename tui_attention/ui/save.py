"""`Save this stage`: the screen as a picture (SVG) and as text, in the folder where the program was started."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tui_attention.render.rows import plain

if TYPE_CHECKING:
    from tui_attention.ui.attention import AttentionApp


def stage_text(app: AttentionApp) -> str:
    """The stage at hand as lines of text, whole, without the frame; covered numbers as marks."""
    seat = app.seat
    walk = seat.walk
    head = f"{walk.run.lesson.title}\n{walk.stage_number(walk.place.stage)} {walk.stage.title}".strip()
    return head + "\n\n" + "\n".join(plain(row) for row in seat.document().rows) + "\n"


def save_stage(app: AttentionApp, folder: Path | None = None) -> str:
    """Write both files; a sentence that says where. Raises OSError where the folder takes no file."""
    walk = app.seat.walk
    where = folder or Path.cwd()
    name = f"{walk.run.lesson.id}-{walk.stage.id}-{walk.place.step + 1}"
    for ending, text in ((".svg", app.export_screenshot(title=walk.run.lesson.title)), (".txt", stage_text(app))):
        (where / (name + ending)).write_text(text, encoding="utf-8")
    return f"Saved {name}.svg and {name}.txt in {where}."

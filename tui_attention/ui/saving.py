"""`Save this stage`: the screen as a picture (SVG) and as text, in the folder where the program was started."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tui_attention import files
from tui_attention.render.rows import plain
from tui_attention.ui.seat import Seat


def stage_name(seat: Seat) -> str:
    """The name of both files, without their endings."""
    walk = seat.walk
    return f"{walk.visible.id}-{walk.stage.id}-{walk.place.step + 1}"


def stage_text(seat: Seat) -> str:
    """The stage at hand as lines of text, whole, without the frame; covered numbers as marks."""
    walk = seat.walk
    head = f"{walk.visible.title}\n{walk.stage_number(walk.place.stage)} {walk.stage.title}".strip()
    return head + "\n\n" + "\n".join(plain(row) for row in seat.document().rows) + "\n"


def save_stage(seat: Seat, picture: Callable[[], str], folder: Path) -> str:
    """Write both files, over nothing; a sentence that says where. Raises OSError where the folder takes no file."""
    parts = {".svg": picture().encode(), ".txt": stage_text(seat).encode()}
    made = files.create(folder, stage_name(seat), parts)
    return f"Saved {' and '.join(path.name for path in made)} in {folder}."

"""Kept pictures and texts of the screen. `UPDATE_SNAPSHOTS=1 pytest tests/ui` writes them anew."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "snapshots"


def same(name: str, found: str) -> bool:
    """Whether what was found is what is kept under a name; with UPDATE_SNAPSHOTS it is kept from now on.

    What differs is written beside it, as `.found`, to look at.
    """
    path = FOLDER / name
    beside = path.with_name(path.name + ".found")
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found, encoding="utf-8")
    if path.exists() and path.read_text(encoding="utf-8") == found:
        beside.unlink(missing_ok=True)
        return True
    path.parent.mkdir(parents=True, exist_ok=True)
    beside.write_text(found, encoding="utf-8")
    return False

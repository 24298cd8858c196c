"""Who is learning, and where that person's file lies."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Final
from urllib.parse import quote

import platformdirs

from tui_attention.engine.errors import BadInput

MAX_NAME: Final = 32
_MAX_FILE: Final = 200  # bytes; file systems allow 255, and a damaged file's name grows


class BadLearnerError(BadInput):
    """A name that cannot be a learner's; its text is one sentence for the person."""


def valid_learner(name: str | None) -> str:
    """The name as it is stored; "" for nobody in particular (None). Capitals make no difference.

    Raises BadLearnerError for anything but 1 to 32 letters, digits, spaces and - _ . @, starting with
    a letter or digit.
    """
    if name is None:
        return ""
    # Not casefold(), which makes one name of Weiß and Weiss.
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).lower().strip(" "))
    fits = 1 <= len(folded) <= MAX_NAME and len(_file_stem(folded)) <= _MAX_FILE
    if not fits or not folded[0].isalnum() or not all(_is_name_char(char) for char in folded):
        raise BadLearnerError(
            f"A learner's name has 1 to {MAX_NAME} letters, digits, spaces or - _ . @ "
            "and starts with a letter or digit"
        )
    return folded


def default_path(learner: str | None = None) -> Path:
    """The learner's file in the user's data directory; nothing is created. Raises BadLearnerError."""
    folder = platformdirs.user_data_path("tui-attention", appauthor=False)
    name = valid_learner(learner)
    return folder / "learners" / f"{_file_stem(name)}.db" if name else folder / "progress.db"


def _is_name_char(char: str) -> bool:
    return char in " -_.@" or char.isalnum() or unicodedata.category(char) in ("Mn", "Mc")


def _file_stem(name: str) -> str:
    """ASCII only, since not every terminal's locale can name a file otherwise."""
    return "learner-" + quote(name, safe="", errors="replace")

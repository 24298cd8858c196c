"""Who may come in: the class's code, the teacher's token, and how guessing is slowed."""

from __future__ import annotations

from tui_attention.classroom.auth.codes import new_code, new_token, readable, same_code, same_token
from tui_attention.classroom.auth.doorkeeper import Auth, Doorkeeper
from tui_attention.classroom.auth.gate import Gate, Tries
from tui_attention.classroom.auth.limits import Bucket

__all__ = [
    "Auth",
    "Bucket",
    "Doorkeeper",
    "Gate",
    "Tries",
    "new_code",
    "new_token",
    "readable",
    "same_code",
    "same_token",
]

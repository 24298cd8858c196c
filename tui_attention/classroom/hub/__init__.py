"""The class itself, in plain Python: who is here, where the class stands, what is covered, asked and answered."""

from __future__ import annotations

from tui_attention.classroom.hub.hub import Hub
from tui_attention.classroom.hub.names import clean_name, identity
from tui_attention.classroom.hub.people import CheckMark, Member, Role
from tui_attention.classroom.hub.state import RoomAnswer, RoomPlace, RoomQuestion, RoomState
from tui_attention.classroom.hub.tally import RoomTally, tally

__all__ = [
    "CheckMark",
    "Hub",
    "Member",
    "Role",
    "RoomAnswer",
    "RoomPlace",
    "RoomQuestion",
    "RoomState",
    "RoomTally",
    "clean_name",
    "identity",
    "tally",
]

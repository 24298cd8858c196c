"""Who somebody is: decided by what they show, never by the name that they give."""

from __future__ import annotations

from typing import Literal

from tui_attention.classroom.auth.codes import same_code, same_token
from tui_attention.classroom.auth.gate import Gate
from tui_attention.classroom.hub.names import is_teacher
from tui_attention.classroom.hub.people import Role

Auth = Literal["code", "keys", "none"]


class Doorkeeper:
    """The class's code and the teacher's token, and how often each address was wrong."""

    def __init__(self, auth: Auth, code: str, token: str) -> None:
        self.auth = auth
        self.code = code
        self.gate = Gate()
        self._token = token

    def open_to(self, name: str) -> bool:
        """Whether somebody of this name comes in as a learner without showing anything."""
        return self.auth == "none" and not is_teacher(name)

    def takes_codes(self, name: str) -> bool:
        """Whether something typed can let somebody of this name in."""
        return is_teacher(name) or self.auth == "code"

    def asks(self, name: str) -> str:
        """What somebody of this name is asked for."""
        return "Teacher's token: " if is_teacher(name) else "Class code: "

    def role(self, name: str, typed: str) -> Role | None:
        """The role that somebody has earned by what they typed; None: none. Both comparisons take constant time."""
        if is_teacher(name):
            return "teacher" if same_token(typed, self._token) else None
        return "learner" if self.auth == "code" and same_code(typed, self.code) else None

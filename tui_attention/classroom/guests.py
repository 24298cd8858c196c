"""What a way into the class (ssh, the web) hands over, and what it gets back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tui_attention.classroom.hub.people import Role
from tui_attention.classroom.terminal.remote import RemoteTerminal


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who was let in: by what name, as what, with which key (its fingerprint), from which address.

    `ticket` is what a browser shows again when its page is loaded anew: it takes over from itself.
    """

    name: str
    role: Role
    key: str = ""
    address: str = ""
    ticket: str = ""


@dataclass(frozen=True, slots=True)
class Farewell:
    """How a visit ended: what is said after the terminal is given back, and the exit code."""

    says: str = ""
    code: int = 0


class Reception(Protocol):
    """Gives each guest a seat. Neither call raises but for being cancelled."""

    async def receive(self, guest: Guest, terminal: RemoteTerminal) -> Farewell:
        """The full-screen app on this terminal, until it ends."""
        ...

    async def converse(self, guest: Guest, terminal: RemoteTerminal) -> Farewell:
        """The line-by-line shell on this terminal, until it ends."""
        ...

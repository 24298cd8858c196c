"""What a browser shows instead of a code once it is in: signed, so that it still counts after a restart."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from typing import cast, get_args

from tui_attention.classroom.hub.people import Role

LONGEST = 400


class Tickets:
    """Makes and reads tickets. Another secret, or another class code in it, and the old ones are worth nothing."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def make(self, name: str, role: Role) -> str:
        """A ticket for somebody who has shown the code."""
        said = base64.urlsafe_b64encode(f"{role}\n{secrets.token_hex(8)}\n{name}".encode()).decode()
        return f"{said}.{self._signed(said)}"

    def read(self, ticket: str) -> tuple[str, Role] | None:
        """Name and role of a ticket of ours; None for anything else."""
        said, _, signed = ticket[:LONGEST].partition(".")
        if not hmac.compare_digest(signed.encode(), self._signed(said).encode()):
            return None
        try:
            role, _, name = base64.urlsafe_b64decode(said).decode().split("\n", 2)
        except (binascii.Error, ValueError):
            return None
        return (name, cast("Role", role)) if role in get_args(Role) else None

    def _signed(self, said: str) -> str:
        return hmac.new(self._secret, said.encode(), hashlib.sha256).hexdigest()

"""One Textual app on somebody else's terminal, and many of them in one process.

What is private in Textual, and what asyncssh or a browser need know nothing of, is in `driver`; limits of what a
client may send and hold are in `remote`.
"""

from __future__ import annotations

from tui_attention.classroom.terminal.remote import RemoteTerminal, Wire
from tui_attention.classroom.terminal.sizes import clamped

__all__ = ["RemoteTerminal", "Wire", "clamped"]

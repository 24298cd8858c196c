"""One learner's walk through a lesson, kept: opened where it was left, written down after each change.

The app and the plain shell both work on a `Session`; neither knows the store. `progress` and `reset` are the verbs
of the same names.
"""

from __future__ import annotations

from tui_attention.session.opening import Session, open_session
from tui_attention.session.progress import progress, reset

__all__ = ["Session", "open_session", "progress", "reset"]

"""One learner's walk through a lesson, kept: opened where it was left, written down after each change.

The app and the plain shell both work on a `Session`; neither knows the store. What is told and forgotten of
all lessons is in `progress`.
"""

from __future__ import annotations

from tui_attention.session.opening import Session, open_session

__all__ = ["Session", "open_session"]

"""The ladder of hints in numbers, apart from the hints, so that a walk can count them without loading the judge."""

from __future__ import annotations

HINT_LEVELS = 5
"""Hints to a question; the last one is the number."""
WHOLE_LINE = 4
"""The hint that shows the whole line: from it on the cell has served as a worked example."""

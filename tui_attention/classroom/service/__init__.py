"""A class as a whole: its folder, hub, doors and apps, started by one command and ended in order."""

from __future__ import annotations

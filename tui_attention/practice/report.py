"""What there is to review, as data and as text: for `progress`."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

from tui_attention.practice.asking import Where
from tui_attention.practice.review import all_cards, here
from tui_attention.practice.scheduling import coming_back, due, installed
from tui_attention.store import Store

MOST_NAMED = 6


def report(store: Store, now: float | None = None, where: Where = str) -> dict[str, Any]:
    """Of the lessons that are here: `due` and `cards` are counts, `next` is when the next card comes (Unix seconds),
    `back` kinds with their times.

    `installed` is False where the scheduler is missing; the rest is empty then.
    """
    moment = time.time() if now is None else now
    if not installed():
        return {"installed": False, "due": 0, "cards": 0, "next": None, "back": {}}
    cards = here(all_cards(store), where)
    late = due(cards, moment)
    coming = [card.due for card in cards if card.due > moment]
    return {
        "installed": True,
        "due": len(late),
        "cards": len(cards),
        "next": min(coming, default=None),
        "back": coming_back(cards),
    }


def lines(payload: dict[str, Any]) -> list[str]:
    """The same in sentences; none where there is nothing to say."""
    if not payload["cards"]:
        return []
    said = [f"to review: {payload['due']} due, of {payload['cards']} in all"]
    if not payload["due"] and payload["next"] is not None:
        said.append(f"  the next one on {datetime.fromtimestamp(payload['next']).date().isoformat()}")
    back = list(payload["back"].items())[:MOST_NAMED]
    if back:
        said.append("  keeps coming back: " + ", ".join(f"{kind} ({count} times)" for kind, count in back))
    return said

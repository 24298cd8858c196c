"""Guessing is slowed, never locked out: a whole class may sit behind one address."""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import Any, Final

from tui_attention.classroom.auth.limits import Bucket

MOST_TRIES: Final = 4
"""Wrong codes on one connection until it is closed."""
EACH_FAILURE: Final = 0.5
MOST_DELAY: Final = 4.0
RECENT: Final = 60.0
MOST_ADDRESSES: Final = 1000
NEW_RATE: Final = 8.0
NEW_BURST: Final = 90.0
"""New connections an address may make a second, and at once: a class that comes in together."""


@dataclass(slots=True)
class Tries:
    """The wrong codes of one connection."""

    wrong: int = 0

    def failed(self) -> bool:
        """One more; whether the connection has had enough."""
        self.wrong += 1
        return self.wrong >= MOST_TRIES


class Gate:
    """What is known of each address: its recent wrong codes, and how often it connects. Bounded."""

    def __init__(self) -> None:
        self.burst = NEW_BURST
        self._failures: OrderedDict[str, deque[float]] = OrderedDict()
        self._new: OrderedDict[str, Bucket] = OrderedDict()

    def expect(self, learners: int) -> None:
        """So many may come in at once from one address, and somewhat more who try again."""
        self.burst = max(NEW_BURST, 1.5 * learners)

    def failed(self, address: str, now: float) -> float:
        """A wrong code from this address; the seconds to wait before saying so."""
        recent = self._failures.setdefault(address, deque(maxlen=int(MOST_DELAY / EACH_FAILURE)))
        self._failures.move_to_end(address)
        _bound(self._failures)
        recent.append(now)
        return min(MOST_DELAY, EACH_FAILURE * sum(now - at < RECENT for at in recent))

    def may_connect(self, address: str, now: float) -> bool:
        """Whether one more connection from this address is taken now."""
        if address not in self._new:
            self._new[address] = Bucket(NEW_RATE, self.burst, now)
        self._new.move_to_end(address)
        _bound(self._new)
        return self._new[address].take(now)


def _bound(kept: OrderedDict[str, Any]) -> None:
    while len(kept) > MOST_ADDRESSES:
        kept.popitem(last=False)

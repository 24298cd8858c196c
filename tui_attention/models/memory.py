"""What stays in memory: float32 copies of tables and kept traces, under a budget; the longest unused goes first.

The screen and what is worked out beside it read and write the same budget: each entry is put in or taken out whole,
and what two threads make at the same time is made twice.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import RLock
from typing import Any

DEFAULT_MEGABYTES = 600


class MemoryBudget:
    """Results by key with their sizes in bytes. What is too large for the whole budget is made but not kept."""

    def __init__(self, megabytes: float = DEFAULT_MEGABYTES) -> None:
        self.limit = int(megabytes * 1_000_000)
        self.used = 0
        self._lock = RLock()
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], Any], size: Callable[[Any], int]) -> Any:
        """What is kept under `key`; made, and kept where it fits, when it is not there."""
        found = self.find(key)
        if found is not None:
            return found
        made = make()
        self.keep(key, made, size(made))
        return made

    def keep(self, key: Hashable, made: Any, size: int) -> None:
        """Keep something, letting go of what was unused longest."""
        with self._lock:
            self.drop(key)
            if size > self.limit:
                return
            while self.used + size > self.limit:
                _, (_, freed) = self._kept.popitem(last=False)
                self.used -= freed
            self._kept[key] = made, size
            self.used += size

    def find(self, key: Hashable) -> Any:
        """What is kept under `key`, or None."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def drop(self, key: Hashable) -> None:
        """Let go of one thing, if it is there."""
        with self._lock:
            if key in self._kept:
                self.used -= self._kept.pop(key)[1]

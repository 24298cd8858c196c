"""When garbage is collected in a class. Each painted step leaves about a thousand objects in circles; a full
collection with 60 apps alive stops everyone for most of a second, so it waits until nobody is typing.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from time import monotonic, perf_counter
from typing import Final

THRESHOLDS: Final = (2000, 20, 1_000_000)
"""Of the two young generations; the old one is never collected by itself."""
QUIET: Final = 0.4
LEAST: Final = 20.0
MOST: Final = 120.0
LONG: Final = 0.2
"""Seconds of a pause that is worth a line in the log."""


class Collector:
    """Collects when nobody has typed for a while. `typed` is when somebody last did, on the monotonic clock."""

    def __init__(self, typed: Callable[[], float], log: Callable[[str], object]) -> None:
        self._typed = typed
        self._log = log
        self._last = monotonic()
        self._before = gc.get_threshold()
        self.someone_left = False

    def someone_leaves(self) -> None:
        """An app has ended: it goes with the next collection."""
        self.someone_left = True

    async def run(self) -> None:
        """Until cancelled; then things are as they were."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(*THRESHOLDS)
        gc.enable()
        try:
            while True:
                await asyncio.sleep(0.25)
                now = monotonic()
                if self.due(now):
                    self._last = now
                    self._collect()
        finally:
            gc.set_threshold(*self._before)
            gc.unfreeze()

    def due(self, now: float) -> bool:
        """Whether to collect now: in a quiet moment at most every 20 seconds, and anyway after two minutes."""
        since = now - self._last
        quiet = now - self._typed() > QUIET
        return since > MOST or (quiet and since > LEAST and (self.someone_left or gc.get_count()[2] > 5))

    def _collect(self) -> None:
        self.someone_left = False
        began = perf_counter()
        found = gc.collect()
        took = perf_counter() - began
        if took > LONG:
            self._log(f"the garbage collector stopped the class for {took * 1000:.0f} ms and freed {found}")

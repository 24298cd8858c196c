"""The teacher's step goes round: to the next learner when the last one has painted. All at once, everybody would
wait for everybody; so the typical wait halves, and keys typed meanwhile come in between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

PAINTS_WITHIN: Final = 0.5
"""Seconds after which the next one gets it, whether this one has painted or not."""

Turn = Callable[[Callable[[], None]], None]
"""Told of the change; calls back when it has been drawn (at once where nothing is)."""


class Rounds:
    """One round at a time; a newer one ends the one that is going."""

    def __init__(self) -> None:
        self._going: asyncio.Task[None] | None = None

    def start(self, turns: Iterable[Turn]) -> None:
        """Go round these, in this order. Whoever was not reached by the last round is reached by this one."""
        self.stop()
        self._going = asyncio.get_running_loop().create_task(self._round(tuple(turns)))

    def stop(self) -> None:
        if self._going is not None:
            self._going.cancel()
            self._going = None

    async def _round(self, turns: tuple[Turn, ...]) -> None:
        for turn in turns:
            drawn = asyncio.Event()
            turn(drawn.set)
            try:
                await asyncio.wait_for(drawn.wait(), PAINTS_WITHIN)
            except TimeoutError:
                continue

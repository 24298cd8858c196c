"""The program slowed down on purpose: `python -m tests.bench.slowed SECONDS ARGUMENTS...`.

Every draw and every key takes up to so many seconds longer, by dice: what is a race on an idle machine happens here.
"""

from __future__ import annotations

import random
import sys
import time

from textual import events

from tui_attention.cli import main
from tui_attention.ui.guards.app import GuardedApp
from tui_attention.ui.guards.layer import GuardedScreen


def _work(seconds: float) -> None:
    """Keeps the processor busy: from outside, the program is seen to be at work."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def slow_down(most: float, seed: int = 1) -> None:
    """Make drawing, input and laying out slower from now on."""
    dice = random.Random(seed)
    draw, on_event = GuardedScreen.draw_if_stale, GuardedApp.on_event
    resized = GuardedScreen._refresh_layout

    def slow_draw(self: GuardedScreen[object]) -> bool:
        _work(dice.random() * most if self.stale else 0)
        return draw(self)

    async def slow_event(self: GuardedApp[object], event: events.Event) -> None:
        if isinstance(event, events.InputEvent):
            _work(dice.random() ** 3 * most)
        await on_event(self, event)

    def slow_layout(self: GuardedScreen[object], *given: object, **named: object) -> None:
        _work(dice.random() * most)
        resized(self, *given, **named)  # type: ignore[arg-type]

    GuardedScreen.draw_if_stale = slow_draw  # type: ignore[method-assign, assignment]
    GuardedApp.on_event = slow_event  # type: ignore[method-assign, assignment]
    GuardedScreen._refresh_layout = slow_layout  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    slow_down(float(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))

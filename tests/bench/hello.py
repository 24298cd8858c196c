"""The floor: the smallest Textual app that imports numpy and answers a key."""

from __future__ import annotations

import numpy as np
from textual import events
from textual.app import App, ComposeResult
from textual.widgets import Static


class Hello(App[None]):
    def compose(self) -> ComposeResult:
        self.count = 0
        yield Static("hello, world", id="hello", markup=False)

    def on_key(self, event: events.Key) -> None:
        if event.key == "q":
            self.exit()
            return
        self.count = int(np.add(self.count, 1))
        self.query_one("#hello", Static).update(f"hello, world {self.count}", layout=False)


if __name__ == "__main__":
    Hello().run()

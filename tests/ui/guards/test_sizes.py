"""The same to plain Textual: a size that is measured while the next one comes."""

from __future__ import annotations

import pytest

from tests.terminal.harness import PYTHON, Session

pytestmark = pytest.mark.terminal

SLOW = """
import time
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.widgets import Static
from tui_attention.ui.guards.app import GuardedApp
from tui_attention.ui.guards.layer import GuardedScreen

measure = LinuxDriver._get_terminal_size

def slowly(self):
    found = measure(self)
    time.sleep(0.4)  # the machine is busy with something else
    return found

class Sized:
    def compose(self):
        yield Static("first")
    def on_mount(self):
        self.set_interval(0.1, self.tell)
    def tell(self):
        self.query_one(Static).update(f"this is {self.app.size.width} wide")

class SizedScreen(Sized, GuardedScreen):
    pass

class PlainApp(Sized, App):
    pass

class OurApp(GuardedApp):
    def get_default_screen(self):
        return SizedScreen()
    def key_q(self):
        self.exit()

app = {made}
app.call_later(setattr, LinuxDriver, "_get_terminal_size", slowly)
app.run()
"""


def width_at_last(made: str) -> str:
    """What the app holds for its width, when its terminal becomes 100 wide and, at once, 60."""
    with Session([PYTHON, "-c", SLOW.replace("{made}", made)]) as session:
        session.wait_for("80 wide", timeout=30)
        session.wait_quiet(0.5)
        session.resize(100, 30)
        session.wait_quiet(0.15, timeout=0.15)
        session.resize(60, 30)
        session.wait_quiet(1.5, timeout=10)
        return session.text().strip().splitlines()[0]


@pytest.mark.slow
def test_textual_still_believes_an_old_size() -> None:
    assert "100 wide" in width_at_last("PlainApp()")


@pytest.mark.slow
def test_a_guarded_app_has_the_last_size() -> None:
    assert "60 wide" in width_at_last('OurApp({"TERM": "xterm-256color"})')

"""The app itself on a terminal: however it ends, it goes on at the same step with what was half typed."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

import pytest

from tests.terminal.harness import PYTHON, Session, colour_codes

pytestmark = pytest.mark.terminal
APP = [PYTHON, "-m", "tui_attention"]
LAYERS = {"?": "Walking", "G": "tokenizer", "L": "bank", "l": "in all", "z": "copy matrix"}
"""Keys, and what stands in the layer that each opens."""


def started(home: Path, *words: str, **env: str) -> Session:
    places = {name: str(home) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    session = Session([*APP, *words], env=places | env, background="rgb:0000/0000/0000")
    session.wait_for("pipeline")
    session.wait_quiet()
    return session


def holds(session: Session, typed: str) -> None:
    """The line is open at the second step of the stage, and exactly this stands on it."""
    session.wait_for(re.compile(rf"your number {re.escape(typed)} +(\d decimals +)?│"))
    assert "step 2 of 3" in session.text()


@pytest.mark.slow
def test_what_is_half_typed_survives_every_end(tmp_path: Path) -> None:
    with started(tmp_path, "press-h", "--stage", "flatten") as session:
        session.press("n")
        session.send("1")
        holds(session, "1")
        session.signal(signal.SIGKILL)  # after the very first mark
        session.wait_exit()
    with started(tmp_path) as session:
        holds(session, "1")
        session.send(b"\x1b[200~2.\x1b[201~")
        holds(session, "12.")
        session.signal(signal.SIGTERM)
        assert session.wait_exit() == 143
        session.assert_restored()
    with started(tmp_path) as session:
        holds(session, "12.")
        session.send("5")
        holds(session, "12.5")
        session.hang_up()
        assert session.process.wait(5) == 129
    with started(tmp_path) as session:
        holds(session, "12.5")
        session.press("ctrl+c")
        assert "once more quits" in session.text()
        session.press("6", "ctrl+c")  # any other key in between, and it asks again
        holds(session, "12.56")
        session.send(b"\x11q")  # Ctrl+Q is no key of ours; q belongs to the line
        holds(session, "12.56q")
        session.press("ctrl+c")
        session.send(b"\x03")
        assert session.wait_exit() == 130
        session.assert_restored()
    with started(tmp_path) as session:
        holds(session, "12.56q")
        session.press("escape", "q")
        assert "Not sent yet: 12.56q" in session.text()
        session.send("q")
        assert session.wait_exit() == 0


def test_without_colour_and_unicode_every_layer_has_neither(tmp_path: Path) -> None:
    # LANG=C, which Python itself mends to C.UTF-8
    poor = {"NO_COLOR": "1", "COLORTERM": "truecolor", "LANG": "C"}
    with started(tmp_path, "press-h", "--stage", "flatten", **poor) as session:
        for key, there in LAYERS.items():
            session.send(key)
            session.wait_for(there)
            session.press("escape")
        session.press("n", "1", "enter")
        session.press("escape")
        session.press("ctrl+p")
        session.send("theme")
        session.wait_for("Choose other colours")
        session.press("enter")
        session.wait_for("solarized")
        session.press("escape", "escape", "q")
        assert session.wait_exit() == 0
        session.assert_restored()
        assert bytes(session.sent).isascii()
        assert colour_codes(bytes(session.sent)) == []


def test_leaving_while_something_is_measured_takes_no_time(tmp_path: Path) -> None:
    with started(tmp_path, "bank", "--stage", "scaling") as session:
        session.send("nq")
        asked = time.monotonic()
        assert session.wait_exit() == 0
        assert time.monotonic() - asked < 2


def test_starting_stepping_covering_and_quitting_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    with started(tmp_path, "press-h", "--stage", "flatten") as session:
        session.press("n")
        session.wait_for("step 2 of 3")
        assert "0.5736" not in session.text()
        session.press("c")
        session.wait_for("uncovered")
        session.wait_for("0.5736")
        session.press("c")
        session.wait_for("····")
        session.wait_quiet()
        assert "0.5736" not in session.text()
        session.press("q")
        assert session.wait_exit() == 0
        session.assert_restored()

"""The first half second: a sign of life at once, and every end of it quiet and clean."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from tests.terminal.harness import PYTHON, Session
from tui_attention.ui.first import FAREWELL, first_frame

# How long a start takes depends on the machine: on a busy one these limits are no fact of the program.
pytestmark = [pytest.mark.terminal, pytest.mark.slow]
LONG = 60.0
"""Seconds for what must come to an end; how soon is a question for another test."""
APP = [PYTHON, "-m", "tui_attention"]


def at_home(home: Path) -> dict[str, str | None]:
    return {name: str(home) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}


def test_the_frame_stands_before_anything_heavy_is_loaded(tmp_path: Path) -> None:
    slow = tmp_path / "textual.py"
    slow.write_text("import time\ntime.sleep(60)\n", "utf-8")
    with Session(APP, env=at_home(tmp_path) | {"PYTHONPATH": str(tmp_path)}) as session:
        session.wait_for("opening ...", timeout=5)
        session.signal(signal.SIGINT)
        assert session.wait_exit(timeout=5) == 130
        session.assert_restored()
        assert "Traceback" not in session.tail()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_at_any_moment_of_the_start(tmp_path: Path, number: signal.Signals) -> None:
    """Once our first line has run: what Python itself does before is not ours."""
    for delay in (0.0, 0.15, 0.3, 0.5):
        with Session([*APP, "--no-save"], env=at_home(tmp_path)) as session:
            session.wait_for_bytes(1, timeout=20)
            time.sleep(delay)
            session.signal(number)
            assert session.wait_exit(timeout=LONG) == 128 + number, delay
            session.assert_restored()
            assert "Traceback" not in session.tail(), delay


SENT_AT = """
import functools, importlib, os, sys
module, owner, name, when, number = {point!r}
owner = getattr(importlib.import_module(module), owner)
real = getattr(owner, name)

@functools.wraps(real)
def at(*given, **named):
    setattr(owner, name, real)
    if when == "before":
        os.kill(os.getpid(), number)
    found = real(*given, **named)
    if when == "behind":
        os.kill(os.getpid(), number)
    return found

setattr(owner, name, at)
from tui_attention.__main__ import main
sys.argv[1:] = ["press-h", "--no-save"]
sys.exit(main())
"""
"""The program, which sends itself a signal before or behind a certain step of its start."""
POINTS = (
    ("tui_attention.ui.attention", "AttentionApp", "__init__", "before"),
    ("tui_attention.ui.guards.app", "GuardedApp", "on_load", "before"),
    ("tui_attention.ui.guards.app", "GuardedApp", "on_load", "behind"),
    ("tui_attention.ui.guards.driver", "GuardedDriver", "__init__", "before"),
    ("tui_attention.ui.guards.driver", "GuardedDriver", "start_application_mode", "before"),
    ("tui_attention.ui.guards.driver", "GuardedDriver", "start_application_mode", "behind"),
    ("tui_attention.ui.screens.main", "MainScreen", "compose", "before"),
    ("tui_attention.ui.screens.main", "MainScreen", "on_mount", "behind"),
    ("tui_attention.ui.screens.main", "MainScreen", "draw", "before"),
    ("tui_attention.ui.guards.driver", "GuardedDriver", "stop_application_mode", "before"),
)


@pytest.mark.parametrize("point", POINTS, ids=lambda point: "-".join(point[1:]))
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_no_signal_is_lost_between_two_who_answer_it(
    tmp_path: Path, point: tuple[str, ...], number: signal.Signals
) -> None:
    """The start hands the signals from one to the next; whoever has them, the program ends with their code."""
    script = SENT_AT.format(point=(*point, int(number)))
    with Session([PYTHON, "-c", script], env=at_home(tmp_path)) as session:
        if point[2] == "stop_application_mode":
            session.wait_for("covered", timeout=LONG)
            session.send("q")
            session.wait_quiet()
            session.send("q")
            assert session.wait_exit(timeout=LONG) in (0, 128 + number)
        else:
            assert session.wait_exit(timeout=LONG) == 128 + number
        session.assert_restored()
        assert "Traceback" not in session.tail()


def test_a_refusal_leaves_no_frame_behind(tmp_path: Path) -> None:
    with Session([*APP, "press-h", "--stage", "nowhere"], env=at_home(tmp_path)) as session:
        assert session.wait_exit() == 2
        session.assert_restored()
        assert "there is no stage" in session.text() or "nowhere" in session.text()
        assert FAREWELL in session.sent


def test_what_is_typed_during_the_start_is_not_lost(tmp_path: Path) -> None:
    with Session([*APP, "press-h", "--stage", "flatten", "--no-save"], env=at_home(tmp_path)) as session:
        session.wait_for("opening ...", timeout=5)
        session.send("n12")
        session.wait_for("your number 12", timeout=20)
        session.press("escape")
        session.send("qq")
        assert session.wait_exit() == 0


def test_the_frame_is_ascii_where_nothing_more_is_spoken() -> None:
    assert first_frame(40, 12, unicode=False).isascii()
    assert first_frame(40, 12, unicode=True).count("│") == 2 * 8

"""Some hundred inputs at the app on a real terminal; twenty thousand: `python -m tests.bench.fuzz --keys 20000`."""

from __future__ import annotations

import sys

import pytest

from tests.bench.fuzz import fuzz, shrunk
from tests.bench.fuzz_actions import Action, actions_of
from tests.bench.fuzz_play import Target

DUMMY = """
import os, signal, termios
signal.signal(signal.SIGWINCH, lambda *_: os.write(1, b"."))
signal.signal(signal.SIGTERM, lambda *_: (termios.tcsetattr(0, termios.TCSANOW, was), os._exit(143)))
was = termios.tcgetattr(0)
raw = termios.tcgetattr(0)
raw[3] &= ~(termios.ICANON | termios.ECHO)
termios.tcsetattr(0, termios.TCSANOW, raw)
os.write(1, b" When you press")
while os.read(0, 1) != b"x":
    pass
"""
"""Looks like the app to the harness, and ends on `x`."""


@pytest.mark.terminal
@pytest.mark.slow
def test_eight_hundred_inputs_do_no_harm() -> None:
    found = fuzz(Target(slack=4.0), keys=800, seed=20, shrink=False)
    assert found.inputs >= 800
    assert found.probes >= 1


def test_the_same_seed_does_the_same() -> None:
    assert actions_of(5, 3000) == actions_of(5, 3000)
    assert actions_of(5, 3000) != actions_of(6, 3000)
    kinds = {action.kind for action in actions_of(5, 20_000)}
    assert kinds == {"send", "resize", "stop", "probe", "hold", "leave"}


@pytest.mark.terminal
@pytest.mark.slow
def test_a_failing_sequence_is_made_short() -> None:
    """At a program that ends on `x`, all but the `x` is left out."""
    target = Target((sys.executable, "-c", DUMMY))
    actions = [Action("send", bytes([mark])) for mark in b"abxcd"]
    assert [action.data for action in shrunk(target, actions)] == [b"x"]

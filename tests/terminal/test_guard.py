"""The terminal's side of the app, on a small app that plugs in the same pieces."""

from __future__ import annotations

import io
import re
import signal
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.terminal.harness import PYTHON, Session, colour_codes
from tui_attention.ui import terminal
from tui_attention.ui.guards.driver import is_dark
from tui_attention.ui.terminal import ColourPolicy

pytestmark = pytest.mark.terminal
SMALL = [PYTHON, "-m", "tests.terminal.small_app"]


@pytest.fixture
def session() -> Iterator[Session]:
    with Session(SMALL, background="rgb:0000/0000/0000") as started:
        started.wait_for("step 1")
        started.wait_quiet()
        yield started


def line_end(text: str) -> re.Pattern[str]:
    """`text` at the end of a row: exactly this was typed."""
    return re.compile(rf"your number {re.escape(text)}$", re.MULTILINE)


# ---------------------------------------------------------------- bad input


GARBAGE = {
    "not UTF-8": b"\xff\xfe\xc3",
    "X10 mouse": b"\x1b[M \xff\xff\x1b[M#\xff\xff",
    "impossible keys": b"\x1b[97;5:3u\x1b[99999999u\x1b[55296;1u",
    "impossible sizes": b"\x1b[48;0;0;0;0t\x1b[<35;3;3M\x1b[?2048;2$y",
    "answers": b"\x1b]11;rgb:ff/ff\x1b\\\x1b[?62;4c",
    "ends of pastes": b"\x1b[201~\x1b[201~",
    "a click beyond the edge": b"\x1b[<0;9999;9999M\x1b[<0;9999;9999m",
}


def test_garbage_while_typing_changes_nothing(session: Session) -> None:
    for number, (name, garbage) in enumerate(GARBAGE.items(), 2):
        session.press("e", "\x15")  # Ctrl+U
        session.send(b"%d" % number + garbage + b".5")
        session.wait_for(line_end(f"{number}.5"))
        session.press("escape")
        session.send("n")
        assert f"step {number}" in session.wait_for(f"step {number}"), name
    session.send("q")
    assert session.wait_exit() == 0
    session.assert_restored()


def test_half_a_sequence_is_forgotten_and_half_a_paste_is_taken(session: Session) -> None:
    session.press("e")
    session.send(b"1\x1b[1;")
    time.sleep(0.3)
    session.send(b"2\x1b[200~.5\x1bq")
    session.wait_for(line_end("12.5q"), timeout=5)
    session.send(b"7")
    session.wait_for(line_end("12.5q7"))


def test_resizing_while_typing_keeps_the_text(session: Session) -> None:
    session.press("e")
    session.send(b"-0.7")
    for size in ((40, 12), (20, 8), (300, 80), (60, 20)):
        session.resize(*size)
        session.wait_quiet()
    session.send("1")
    session.wait_for(line_end("-0.71"))


# ---------------------------------------------------------------- ends


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130), (signal.SIGQUIT, 131)]
)
def test_a_signal_restores_the_terminal_and_says_which(session: Session, number: int, code: int) -> None:
    session.press("e")
    session.send("12")
    session.wait_for(line_end("12"))
    session.signal(number)
    assert session.wait_exit() == code
    session.assert_restored()
    assert "Traceback" not in session.tail()


def test_a_signal_during_the_start_leaves_a_sane_terminal() -> None:
    for delay in (0.1, 0.15, 0.2, 0.25):
        with Session(SMALL) as session:
            session.wait_quiet(delay, timeout=delay)
            session.signal(signal.SIGTERM)
            assert session.wait_exit() == 143
            session.assert_restored()


def test_a_crash_restores_the_terminal_exits_with_1_and_tells_no_numbers() -> None:
    with Session([*SMALL, "may-crash"]) as session:
        session.wait_for("step 1")
        session.send("x")
        assert session.wait_exit() == 1
        session.assert_restored()
        said = session.tail(20000).rpartition("?1049l")[2]
        assert "asked to crash" in said
        assert "locals" not in said


def test_a_closed_terminal_ends_the_app(session: Session) -> None:
    session.hang_up()
    assert session.process.wait(5) == 129


def test_a_closed_terminal_without_its_signal_ends_the_app() -> None:
    deaf = "import signal, runpy; signal.signal(signal.SIGHUP, signal.SIG_IGN);"
    deaf += "import tui_attention.ui.terminal as t; t.install_signal_exits = lambda app: None;"
    deaf += "runpy.run_module('tests.terminal.small_app', run_name='__main__')"
    with Session([PYTHON, "-c", deaf]) as session:
        session.wait_for("step 1")
        session.wait_quiet()
        session.hang_up()
        assert session.process.wait(5) == 129


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGTSTP])
def test_stopped_and_continued_it_paints_and_listens(session: Session, number: int) -> None:
    session.signal(number)
    time.sleep(0.1)
    before = len(session.sent)
    session.signal(signal.SIGCONT)
    session.wait_quiet(0.4)
    assert b"step 1" in session.sent[before:]
    threads = len(list(_threads(session)))
    session.press("n")
    session.wait_for("step 2")
    assert threads <= 4  # main, input, output; faulthandler has none
    session.send("q")
    assert session.wait_exit() == 0
    session.assert_restored()


def _threads(session: Session) -> Iterator[object]:
    return Path(f"/proc/{session.process.pid}/task").iterdir()


# ---------------------------------------------------------------- light or dark


def test_the_terminal_says_that_it_is_light() -> None:
    with Session(SMALL, background="rgb:fd/f6/e3") as session:
        session.wait_for("light")
        session.press("e")
        session.wait_for("answer")  # the placeholder: nothing of the reply was typed


def test_a_late_answer_is_not_typed_into_the_shell() -> None:
    with Session(["sh", "-c", " ".join(SMALL) + "; stty -icanon min 0 time 1; cat; echo end"]) as session:
        session.wait_for("step 1")
        session.send("q")
        time.sleep(0.1)
        session.send(b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\")
        assert session.wait_exit() == 0
        assert b"rgb" not in session.sent


@pytest.mark.parametrize(
    ("reply", "dark"),
    [
        (b"11;rgb:ffff/ffff/ffff", False),
        (b"11;rgb:2828/2828/2828", True),
        (b"11;rgba:00/00/00/ff", True),
        (b"11;rgb:f/f/f", False),
        (b"10;rgb:ff/ff/ff", None),
        (b"11;?", None),
        (b"", None),
    ],
)
def test_is_dark(reply: bytes, dark: bool | None) -> None:
    assert is_dark(reply) is dark


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("15;0", "dark"),
        ("0;15", "light"),
        ("0;default;15", "light"),
        ("0;7", "light"),
        ("x", None),
        ("", None),
    ],
)
def test_background_from_env(value: str, said: str | None) -> None:
    assert terminal.background_from_env({"COLORFGBG": value}) == said


# ---------------------------------------------------------------- colours


@pytest.mark.parametrize(
    ("env", "policy"),
    [
        ({"TERM": "xterm-256color"}, ColourPolicy("256", False)),
        ({"TERM": "tmux-256color", "COLORTERM": "truecolor"}, ColourPolicy("truecolor", False)),
        ({"TERM": "xterm-kitty"}, ColourPolicy("truecolor", False)),
        ({"TERM": "xterm"}, ColourPolicy("standard", True)),
        ({"TERM": "screen"}, ColourPolicy("standard", True)),
        ({"TERM": "linux"}, ColourPolicy("standard", True)),
        ({"TERM": "vt100"}, ColourPolicy("none", True)),
        ({"TERM": "dumb"}, ColourPolicy("none", True)),
        ({}, ColourPolicy("none", True)),
        ({"TERM": "xterm-256color", "NO_COLOR": "1", "COLORTERM": "truecolor"}, ColourPolicy("none", True)),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, ColourPolicy("256", False)),
    ],
)
def test_colour_policy(env: Mapping[str, str], policy: ColourPolicy) -> None:
    assert terminal.colour_policy(env) == policy


def painted(term: str, **env: str) -> tuple[bytes, list[bytes]]:
    """All that the small app writes through steps, typing, the palette, and leaving; its colour codes."""
    with Session(SMALL, term=term, env=env, background="rgb:0000/0000/0000") as session:
        session.wait_for("step 1")
        session.press("n", "e")
        session.send("12.5")
        session.press("escape")
        session.send("q")
        assert session.wait_exit() == 0
        sent = bytes(session.sent)
        return sent, colour_codes(sent)


def asked(sent: bytes) -> bool:
    """Whether a terminal that knows no such thing was asked about modes, colours or keys."""
    return any(question in sent for question in (b"$p", b"\x1b]11", b"\x1b[>", b"\x1b[<"))


def test_a_terminal_without_colours_gets_none_and_is_asked_nothing() -> None:
    sent, colours = painted("vt100")
    assert colours == []
    assert b"\x1b[7m" in sent or b"\x1b[1m" in sent  # weight and reverse remain
    assert not asked(sent)


@pytest.mark.parametrize("term", ["linux", "screen"])
def test_sixteen_colours_are_sixteen(term: str) -> None:
    sent, colours = painted(term)
    assert colours
    assert not [code for code in colours if b"38;" in code or b"48;" in code]
    assert asked(sent) == (term == "screen")


@pytest.mark.parametrize("colorterm", ["", "truecolor"])
def test_256_colours_are_not_rgb_and_truecolor_is(colorterm: str) -> None:
    _, colours = painted("xterm-256color", COLORTERM=colorterm)
    assert bool([code for code in colours if b"8;2;" in code]) == bool(colorterm)


# ---------------------------------------------------------------- whether to start at all


class Stream(io.StringIO):
    def __init__(self, tty: bool) -> None:
        super().__init__()
        self._tty = tty

    def isatty(self) -> bool:
        return self._tty


YES, NO = Stream(True), Stream(False)


@pytest.mark.parametrize(
    ("env", "streams", "size", "problem"),
    [
        ({"TERM": "xterm"}, (YES, YES, YES), (80, 24), None),
        ({"TERM": "vt100"}, (YES, YES, YES), (20, 5), None),
        ({"TERM": "xterm"}, (YES, YES, YES), (0, 0), None),
        ({"TERM": "xterm"}, (YES, YES, YES), None, None),
        ({"TERM": "xterm"}, (NO, YES, YES), None, "standard input is not a terminal"),
        ({"TERM": "xterm"}, (YES, NO, NO), None, "standard output and standard error are not a terminal"),
        ({"TERM": "xterm"}, (None, YES, YES), None, "standard input is not a terminal"),
        ({"TERM": "dumb"}, (YES, YES, YES), None, "TERM=dumb can't address the screen"),
        ({}, (YES, YES, YES), None, "TERM is not set"),
        ({"TERM": ""}, (YES, YES, YES), None, "TERM is not set"),
        ({"TERM": "xterm"}, (YES, YES, YES), (19, 24), "the terminal has 19x24 characters, fewer than 20x5"),
    ],
)
def test_terminal_problem(
    env: Mapping[str, str],
    streams: tuple[Stream | None, Stream | None, Stream | None],
    size: tuple[int, int] | None,
    problem: str | None,
) -> None:
    assert terminal.terminal_problem(env, *streams, size) == problem

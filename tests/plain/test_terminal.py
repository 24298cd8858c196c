"""The conversation on a real terminal: no code ever moves the cursor, and it ends as it should."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.harness import PYTHON, Session

pytestmark = pytest.mark.terminal


def plain(home: Path, *words: str, term: str = "xterm-256color", size: tuple[int, int] = (72, 60)) -> Session:
    command = [PYTHON, "-m", "tui_attention", *words]
    return Session(command, size=size, term=term, env={"XDG_DATA_HOME": str(home)})


@pytest.mark.parametrize("words", [("plain", "press-h"), ("press-h",)])
def test_typed_lines_are_not_echoed_twice_and_the_end_of_input_ends_it(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    with plain(tmp_path, *words, term="dumb") as session:
        session.wait_for("Type next, back or help.")
        session.send("next\r")
        session.wait_for("number>")
        session.send("8\r")
        session.wait_for("Right: 8.")
        session.send("\x04")
        assert session.wait_exit() == 0
        assert session.text().count("number> 8") == 1
        assert b"\x1b" not in session.sent
        session.assert_restored()


def test_ctrl_c_is_130(tmp_path: Path) -> None:
    with plain(tmp_path, "plain", "press-h") as session:
        session.wait_for("Type next")
        session.send("\x03")
        assert session.wait_exit() == 130
        assert b"Traceback" not in session.sent


def test_a_closed_terminal_keeps_what_was_done(tmp_path: Path) -> None:
    with plain(tmp_path, "plain", "press-h") as session:
        session.wait_for("Type next")
        session.send("goto mlp\r")
        session.wait_for("widen and bend")
        session.hang_up()
        session.process.wait(10)
    with plain(tmp_path, "plain") as session:
        session.wait_for("You go on where you left")


def test_a_narrow_terminal_is_kept_to(tmp_path: Path) -> None:
    with plain(tmp_path, "plain", "press-h", size=(40, 60)) as session:
        session.wait_for("Type next")
        session.send("quit\r")
        assert session.wait_exit() == 0
        lines = session.sent.decode().replace("\r", "").split("\n")
        assert max(map(len, lines)) <= 40

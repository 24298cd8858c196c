"""From outside, on a real terminal or pipe: names that would steer it, stops and ends that meet, readers that go."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.terminal.harness import PYTHON, ROOT, Session
from tui_attention.output import harmless, one_line

pytestmark = pytest.mark.terminal
APP = [PYTHON, "-m", "tui_attention"]
STEERING = "\x1b]0;title\x07\x1b[2J\x9b31m\rgone\u202e"


def ran(*words: str, home: Path, stdin: str = "") -> tuple[int, str]:
    """A command's exit code, and all that it writes."""
    env = {"HOME": str(home), "XDG_DATA_HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    done = subprocess.run(
        [*APP, *words], env=env, cwd=ROOT, input=stdin, capture_output=True, text=True, timeout=60, check=False
    )
    return done.returncode, done.stdout + done.stderr


# ---------------------------------------------------------------- names


def test_what_a_terminal_would_obey_is_written_out() -> None:
    assert harmless(STEERING) == r"\x1b]0;title\x07\x1b[2J\x9b31m\x0dgone\u202e"
    assert harmless("a\tb\nc − ½ 漢 é") == "a\tb\nc − ½ 漢 é"
    assert one_line("a\nb") == r"a\nb"
    assert len(one_line("x" * 5000, 100)) == 100


@pytest.mark.parametrize(
    "words",
    [
        ("lint", "{name}"),
        ("values", "{name}"),
        ("plain", "{name}"),
        ("plain", "press-h", "--stage", "{text}"),
        ("progress", "--learner", "{text}"),
        ("reset", "--yes", "{text}"),
        ("figures", "{file}/no", "--of", "{text}"),
        ("figures", "{file}"),
        ("explain", "press-h", "{text}"),
        ("judge", "press-h", "a[0,0]", "{text}"),
        ("{text}",),
        ("--{text}",),
    ],
)
def test_no_name_reaches_the_terminal_raw(words: tuple[str, ...], tmp_path: Path) -> None:
    name = tmp_path / f"{STEERING}.toml"
    name.write_text(f'format = 1\nid = "x"\ntitle = "{STEERING[:1]}"\n', "utf-8")
    given = [word.format(name=name, file=name, text=STEERING) for word in words]
    _, said = ran(*given, home=tmp_path)
    assert said.strip()
    assert not [mark for mark in said if mark in STEERING and not mark.isprintable() and mark not in "\n"], said
    assert "Traceback" not in said


def test_a_message_does_not_repeat_what_is_endless(tmp_path: Path) -> None:
    for address in (f"a[0,{'9' * 5000}]", f"a[{'0,' * 3000}0]", "x" * 5000):
        code, said = ran("explain", "press-h", address, home=tmp_path)
        assert code == 2
        assert max(map(len, said.split())) < 250, said[:200]


# ---------------------------------------------------------------- readers that go, inputs that are none


def test_a_reader_who_goes_changes_no_exit_code(tmp_path: Path) -> None:
    for typed, code in (("0.58", 1), ("1.73", 0), ("hello", 2)):
        line = f"set -o pipefail; {PYTHON} -m tui_attention judge press-h 'a[0,0]' {typed} 2>/dev/null | true; "
        done = subprocess.run(["bash", "-c", line + "exit ${PIPESTATUS[0]}"], cwd=ROOT, check=False, timeout=60)
        assert done.returncode == code, typed


def test_an_input_that_can_only_be_written_is_no_input(tmp_path: Path) -> None:
    """As `nohup` leaves it on a terminal."""
    command = [*APP, "plain", "press-h", "--no-save"]
    with Path(os.devnull).open("w") as nothing:
        done = subprocess.run(
            command, stdin=nothing, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
        )
    assert done.returncode == 0
    assert "descriptor" not in done.stderr


def test_plain_mode_opens_no_file_where_that_is_switched_off(tmp_path: Path) -> None:
    secret = tmp_path / "secret.toml"
    secret.write_text('password = "hunter2"\n', "utf-8")
    for words, typed in (
        (("plain", "--no-files"), f"lessons {secret}\nquit\n"),
        (("plain", "--no-files", str(secret)), ""),
    ):
        _, said = ran(*words, "--no-save", home=tmp_path, stdin=typed)
        assert "hunter2" not in said
        assert "password" not in said
    _, said = ran("plain", "--no-save", home=tmp_path, stdin=f"lessons {secret}\nquit\n")
    assert "format" in said, "without the switch it is opened, and its fault told"


# ---------------------------------------------------------------- stops, ends, the mouse


def started(home: Path, *words: str) -> Session:
    session = Session([*APP, "press-h", "--no-save", "--stage", "flatten", *words], env={"HOME": str(home)})
    session.wait_for("flatten a copy")
    session.wait_quiet()
    return session


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.06, 0.12])
@pytest.mark.parametrize("first", ["stop", "quit"])
def test_stopped_and_continued_around_leaving(tmp_path: Path, first: str, delay: float) -> None:
    with started(tmp_path) as session:
        if first == "quit":
            session.send("q")
        session.signal(signal.SIGSTOP)
        time.sleep(delay)
        session.signal(signal.SIGCONT)
        if first == "stop":
            session.send("q")
        assert session.wait_exit() == 0
        session.assert_restored()
        assert "Traceback" not in session.tail(20000)


def test_a_window_that_was_smaller_for_a_moment_is_drawn_anew(tmp_path: Path) -> None:
    with started(tmp_path) as session:
        before = len(session.sent)
        session.signal(signal.SIGWINCH)
        session.wait_quiet(0.4)
        assert b"pipeline" in session.sent[before:]
        session.send("q")
        assert session.wait_exit() == 0


def test_quit_from_outside_restores_the_terminal(tmp_path: Path) -> None:
    with started(tmp_path) as session:
        session.signal(signal.SIGQUIT)
        assert session.wait_exit() == 131
        session.assert_restored()


def test_without_the_mouse_no_report_is_asked_for_and_that_is_remembered(tmp_path: Path) -> None:
    words = ([*APP, "press-h", "--no-mouse"], [*APP, "press-h"])
    for command in words:
        with Session(command, env={"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}) as session:
            session.wait_for("pipeline")
            session.wait_quiet()
            session.send("q")
            assert session.wait_exit() == 0
            assert b"?1000h" not in session.sent
            assert b"?1003h" not in session.sent
    with Session(
        [*APP, "press-h", "--mouse"], env={"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    ) as session:
        session.wait_for("pipeline")
        session.wait_quiet()
        session.send("q")
        assert session.wait_exit() == 0
        assert b"?1000h" in session.sent


def test_figures_of_two_formulas_with_one_name_are_two_files(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    code, said = ran("figures", str(folder), "--of", "X+X", "--of", "X*X", home=tmp_path)
    assert code == 0, said
    assert len(list(folder.iterdir())) == 2
    ran("figures", str(folder), "--of", "X+X", home=tmp_path)
    assert len(list(folder.iterdir())) == 3, "nothing is written over"

"""A class over plain ssh: the app and nothing else, each learner's progress apart. On a real sshd on loopback."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.terminal.harness import PYTHON, ROOT, Session
from tests.terminal.ssh import Sshd, available

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(not available(), reason="sshd, ssh or ssh-keygen is not installed"),
]

KEY_OPTIONS = "restrict,pty"
"""Of a learner's line in authorized_keys, behind its command."""
SERVER_OPTIONS = ("DisableForwarding yes", "PermitTunnel no", "PermitUserRC no", "PermitUserEnvironment no")
"""Beside the ForceCommand in sshd_config."""
USUAL = ("Subsystem sftp internal-sftp",)
"""What most servers have."""

TITLE = "When you press"
OPENED = "HAS_A_SHELL"


Done = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Class:
    """A server and the keys of its learners."""

    server: Sshd
    keys: dict[str, Path]

    def command(self, learner: str, *words: str, options: Sequence[str] = ()) -> list[str]:
        """ssh to the server as a learner; `words` are what the learner asks the server to run."""
        own = {str(self.server.folder / "client"): str(self.keys[learner])}
        base = [own.get(word, word) for word in self.server.client()]
        at = base.index("-tt")
        return [*base[:at], *options, *base[at + 1 :], *words]

    def pipe(self, learner: str, text: str, *words: str, options: Sequence[str] = ("-T",)) -> Done:
        """The same with `text` as standard input and no terminal."""
        command = self.command(learner, *words, options=options)
        return subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, check=False)


def app(home: Path, *words: str) -> str:
    """The app as a server would start it, its progress below `home`."""
    where = [f"XDG_DATA_HOME={home}", f"PYTHONPATH={ROOT}", "LANG=C.UTF-8"]
    return " ".join(["env", *where, PYTHON, "-m", "tui_attention", *words])


@pytest.fixture(scope="module")
def by_key(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Class]:
    """One account, one key a learner: `command="tui-attention --learner NAME",restrict,pty KEY`."""
    home = tmp_path_factory.mktemp("home")
    server = Sshd([*SERVER_OPTIONS, *USUAL])
    keys, lines = {}, []
    for learner in ("ada", "grace"):
        server._keygen(learner)
        keys[learner] = server.folder / learner
        public = (server.folder / f"{learner}.pub").read_text()
        lines.append(f'command="{app(home, "--learner", learner)}",{KEY_OPTIONS} {public}')
    (server.folder / "authorized").write_text("".join(lines))
    with server:
        yield Class(server, keys)


@pytest.fixture(scope="module")
def by_account(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Class]:
    """One account a learner: `ForceCommand tui-attention --learner "$USER"`."""
    home = tmp_path_factory.mktemp("accounts")
    server = Sshd([f'ForceCommand {app(home, "--learner")} "$USER"', *SERVER_OPTIONS, *USUAL])
    with server:
        yield Class(server, {"me": server.folder / "client"})


@pytest.fixture(params=["by_key", "by_account"])
def room(request: pytest.FixtureRequest) -> Class:
    """Both ways to set a class up."""
    found: Class = request.getfixturevalue(request.param)
    return found


def first(room: Class) -> str:
    return next(iter(room.keys))


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("-T",), f"echo {OPENED}; echo $(echo {OPENED})"),
        (("-T",), "tui-attention --help"),
        (("-T", "-s"), "sftp"),
    ],
)
def test_whatever_a_learner_wants_run_the_lesson_is_what_runs(
    room: Class, options: tuple[str, ...], word: str
) -> None:
    done = room.pipe(first(room), "", word, options=options)
    assert done.returncode == 0, done.stderr
    assert TITLE in done.stdout
    assert OPENED not in done.stdout
    assert "usage" not in done.stdout


def test_nothing_that_is_typed_opens_a_shell(room: Class) -> None:
    lines = (f"!echo {OPENED}", f"; echo {OPENED}", f"$(echo {OPENED})", "\x1a", "~.", "quit")
    typed = "".join(f"{line}\n" for line in lines)
    done = room.pipe(first(room), typed, options=("-T", "-e", "none"))
    assert done.returncode == 0, done.stderr
    assert f"\n{OPENED}" not in done.stdout


def test_nothing_is_forwarded(room: Class) -> None:
    done = room.pipe(first(room), "", options=("-T", "-W", f"127.0.0.1:{room.server.port}"))
    assert done.returncode != 0
    assert "SSH-2.0" not in done.stdout


def test_learners_are_kept_apart(by_key: Class) -> None:
    assert "widen and bend" in by_key.pipe("ada", "goto mlp\n").stdout
    assert "widen and bend" not in by_key.pipe("grace", "where\n").stdout
    again = by_key.pipe("ada", "where\n").stdout
    assert "You go on where you left" in again
    assert "widen and bend" in again


def test_an_account_is_its_own_learner(by_account: Class) -> None:
    by_account.pipe("me", "goto heads\n")
    assert "heads" in by_account.pipe("me", "where\n").stdout.partition("Type")[2]


def test_on_a_terminal_it_shows_its_first_screen_and_leaves_it_in_order(by_key: Class) -> None:
    with Session(by_key.command("grace", options=("-tt",)), size=(80, 24)) as session:
        session.wait_for(TITLE, timeout=30)
        plain = "Type " in session.text()
        session.send("quit\r" if plain else "q")
        assert session.wait_exit() == 0
        session.assert_restored()


def test_a_dropped_line_loses_nothing(by_key: Class) -> None:
    command = by_key.command("grace", options=("-T",))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("goto roles\n")
        process.stdin.flush()
        for line in process.stdout:
            if "three roles" in line:
                break
        process.kill()
    assert "three roles" in by_key.pipe("grace", "where\n").stdout

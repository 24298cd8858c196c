"""The ssh that every machine has, against a class that runs as a process of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from tests.classroom.serving import Served, served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("ssh") is None, reason="no ssh client here"),
]
PATIENCE = 60
QUIET = ("-o", "UserKnownHostsFile=/dev/null", "-o", "StrictHostKeyChecking=no", "-F", "/dev/null")
NO_KEYS = ("-o", "PubkeyAuthentication=no", "-o", "NumberOfPasswordPrompts=1")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("class")


@pytest.fixture(scope="module")
def room(home: Path) -> Iterator[Served]:
    with served(home) as server:
        yield server


@pytest.fixture
def env(home: Path, room: Served) -> dict[str, str]:
    """An environment in which ssh takes the code from a program, as without a terminal of its own."""
    asks = home / "askpass"
    asks.write_text(f"#!/bin/sh\necho {room.code}\n")
    asks.chmod(0o700)
    return {
        **os.environ, "SSH_ASKPASS": str(asks), "SSH_ASKPASS_REQUIRE": "force", "DISPLAY": ":99", "HOME": str(home),
        "TERM": "xterm-256color", "LANG": "C.UTF-8",
    }  # fmt: skip


def run(env: dict[str, str], *command: str) -> tuple[int, str]:
    done = subprocess.run(
        command, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False
    )
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")


def ssh(room: Served, *before: str, name: str = "ada") -> list[str]:
    return ["ssh", *QUIET, *NO_KEYS, "-p", str(room.port), *before, f"{name}@127.0.0.1"]


def files(home: Path) -> set[Path]:
    return {path for path in home.rglob("*") if not path.name.endswith(("-wal", "-shm"))}


def test_a_learner_types_the_line_of_the_join_page(room: Served, env: dict[str, str]) -> None:
    del env["SSH_ASKPASS"], env["SSH_ASKPASS_REQUIRE"]
    line = ssh(room, name="Grace")
    child = pexpect.spawn(line[0], line[1:], env=env, dimensions=(24, 80), encoding="utf-8", timeout=PATIENCE)
    child.expect("(?i)code")
    child.sendline(f"{room.code[:4].lower()}-{room.code[4:]}")
    child.expect("pipeline")
    child.expect("quit")
    child.send("q")
    child.expect(r"\x1b\[\?1049l")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


@pytest.mark.parametrize("command", ["id", "bash -i", "plain; id", "/usr/bin/env", "sftp-server", "rsync --server ."])
def test_nothing_is_run(room: Served, env: dict[str, str], home: Path, command: str) -> None:
    before = files(home)
    for terminal in ("-T", "-tt"):
        code, said = run(env, *ssh(room, terminal), command)
        assert code == 1
        assert "This is a class and nothing else: no commands, no files, no forwarding." in " ".join(said.split())
    assert files(home) == before


def test_without_a_terminal_one_sentence(room: Served, env: dict[str, str]) -> None:
    for command in ((), ("plain",)):
        code, said = run(env, *ssh(room, "-T"), *command)
        assert code == 1
        assert "it needs a terminal" in said


def test_no_file_comes_or_goes(room: Served, env: dict[str, str], home: Path) -> None:
    before = files(home)
    for way in ((), ("-O",)):
        for given in (("/etc/hostname", "ada@127.0.0.1:/tmp/x"), ("ada@127.0.0.1:/etc/hostname", str(home / "got"))):
            code, _ = run(env, "scp", *way, *QUIET, *NO_KEYS, "-P", str(room.port), *given)
            assert code != 0
    code, _ = run(env, "sftp", *QUIET, *NO_KEYS, "-P", str(room.port), "ada@127.0.0.1:/etc/hostname")
    assert code != 0
    code, said = run(env, *ssh(room, "-s"), "netconf")
    assert code == 1
    assert "nothing else" in said
    assert files(home) == before


def test_nothing_is_forwarded(room: Served, env: dict[str, str]) -> None:
    code, said = run(env, *ssh(room, "-W", f"127.0.0.1:{room.port}"))
    assert code != 0
    assert "nothing else" in said
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    forward = ("-o", "ExitOnForwardFailure=yes", "-N", "-R", f"{port}:127.0.0.1:{room.port}")
    code, said = run(env, *ssh(room, *forward))
    assert code != 0
    assert "remote port forwarding failed" in said
    forward = ("-o", "ExitOnForwardFailure=yes", "-N", "-R", f"/tmp/none-{port}:127.0.0.1:{room.port}")
    assert run(env, *ssh(room, *forward))[0] != 0


def test_neither_agent_nor_display_is_lent(room: Served, env: dict[str, str], home: Path) -> None:
    agent = subprocess.Popen(["ssh-agent", "-D", "-a", str(home / "agent")], stdout=subprocess.DEVNULL)
    try:
        line = ssh(room, "-v", "-A", "-Y", "-tt", "-E", str(home / "log"), name="lender")
        given = env | {"SSH_AUTH_SOCK": str(home / "agent")}
        child = pexpect.spawn(line[0], line[1:], env=given, dimensions=(24, 80), encoding="utf-8", timeout=PATIENCE)
        child.expect("pipeline")
        child.send("q")
        child.send("q")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0
    finally:
        agent.terminate()
        agent.wait(10)
    log = (home / "log").read_text()
    assert "Requesting authentication agent forwarding" in log
    assert "X11 forwarding request failed" in log
    assert "ctype auth-agent" not in log  # the server opens no way to it
    assert "ctype x11" not in log


def test_one_terminal_for_each_connection(room: Served, env: dict[str, str], home: Path) -> None:
    control = str(home / "control")
    line = ssh(room, "-tt", "-M", "-S", control, name="first")
    child = pexpect.spawn(line[0], line[1:], env=env, dimensions=(24, 80), encoding="utf-8", timeout=PATIENCE)
    child.expect("pipeline")
    refused = {key: text for key, text in env.items() if not key.startswith("SSH_ASKPASS")}
    _, said = run(refused, "ssh", *QUIET, *NO_KEYS, "-S", control, "-o", "BatchMode=yes", "first@127.0.0.1", "id")
    assert "refused" in said
    child.send("n")
    child.expect("splitter")
    child.send("q")
    child.send("q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0

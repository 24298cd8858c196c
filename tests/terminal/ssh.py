"""A real sshd on loopback with keys of its own, and how to reach it; the machine's own is left alone."""

from __future__ import annotations

import getpass
import os
import shlex
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

SEPARATION = Path("/run/sshd")
"""Where sshd insists on an empty directory when root starts it."""


def sshd_path() -> str | None:
    """The server's path, which it must be started by; None where it is not installed."""
    return shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def available() -> bool:
    """Whether server, client and key maker are installed."""
    return bool(sshd_path() and shutil.which("ssh") and shutil.which("ssh-keygen"))


class Sshd:
    """A server for the user that runs it, on 127.0.0.1, until the block ends.

    `options` are further lines of sshd_config, such as a ForceCommand. Raises RuntimeError with what the
    server said if it does not come up.
    """

    def __init__(self, options: Sequence[str] = ()) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="sshd-")
        self.folder = Path(self._folder.name)
        self.port = _free_port()
        for name in ("host", "client"):
            self._keygen(name)
        shutil.copy(self.folder / "client.pub", self.folder / "authorized")
        config = [
            f"Port {self.port}",
            "ListenAddress 127.0.0.1",
            f"HostKey {self.folder / 'host'}",
            f"AuthorizedKeysFile {self.folder / 'authorized'}",
            "PidFile none",
            "StrictModes no",
            "PasswordAuthentication no",
            "KbdInteractiveAuthentication no",
            "PermitRootLogin prohibit-password",
            "PrintMotd no",
            "PrintLastLog no",
            "UsePAM no",
            *options,
        ]
        (self.folder / "config").write_text("\n".join(config) + "\n")

    def _keygen(self, name: str) -> None:
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.folder / name)]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)

    def __enter__(self) -> Self:
        server = sshd_path()
        assert server is not None
        if os.geteuid() == 0:
            SEPARATION.mkdir(mode=0o755, exist_ok=True)
        with (self.folder / "log").open("w") as log:
            self.process = subprocess.Popen(
                [server, "-D", "-e", "-f", str(self.folder / "config")], stderr=log, stdin=subprocess.DEVNULL
            )
        end = time.monotonic() + 5
        while not _listens(self.port):
            if self.process.poll() is not None or time.monotonic() > end:
                said = (self.folder / "log").read_text()
                self.__exit__(None, None, None)
                raise RuntimeError(f"sshd does not come up: {said}")
            time.sleep(0.02)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.terminate()
        self.process.wait(5)
        self._folder.cleanup()

    def client(self, command: Sequence[str] = (), cwd: Path | None = None) -> list[str]:
        """The ssh command that runs `command` there on a terminal; without one, a login."""
        ssh = ["ssh", "-tt", "-p", str(self.port), "-i", str(self.folder / "client"), "-F", "none"]
        for option in (
            "StrictHostKeyChecking=no",
            f"UserKnownHostsFile={self.folder / 'known'}",
            "IdentitiesOnly=yes",
            "LogLevel=ERROR",
        ):
            ssh += ["-o", option]
        ssh.append(f"{getpass.getuser()}@127.0.0.1")
        if command:
            place = f"cd {shlex.quote(str(cwd))} && " if cwd else ""
            ssh.append(f"{place}LANG=C.UTF-8 exec {shlex.join(command)}")
        return ssh


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.2)
        return probe.connect_ex(("127.0.0.1", port)) == 0

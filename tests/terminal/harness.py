"""A real pseudo-terminal with a screen behind it: starts a program, types, resizes, looks at the end.

with Session([sys.executable, "-m", "tui_attention"], size=(80, 24)) as session:
    session.wait_for("splitter")
    session.send("n")
    session.wait_quiet()
    session.send("q")
    assert session.wait_exit() == 0
    session.assert_restored()
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyte

KEYS = {
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "shift+tab": "\x1b[Z",
    "backspace": "\x7f",
    "delete": "\x1b[3~",
    "space": " ",
    "f1": "\x1bOP",
    "ctrl+c": "\x03",
    "ctrl+p": "\x10",
}
"""What a terminal sends for the keys that have a name."""

KEPT = ("PATH", "HOME", "USER", "LOGNAME", "VIRTUAL_ENV", "PYTHONPATH", "TMPDIR")
OFF = ("?1049l", "?25h", "?1000l", "?1003l", "?1006l", "?2004l", "?1004l", "?7h")
"""Modes that must be back when the program has ended: screen, cursor, mouse, paste, focus, wrapping."""
SGR = re.compile(rb"\x1b\[([\d;:]*)m")
QUIET = 0.15
ROOT = Path(__file__).resolve().parents[2]


def key(name: str) -> bytes:
    """The bytes of a named key, or the text itself."""
    return KEYS.get(name, name).encode()


def environment(term: str | None, extra: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """An environment that holds nothing of the caller's terminal; `None` takes a name out."""
    env = {name: os.environ[name] for name in KEPT if name in os.environ}
    env |= {"LANG": "C.UTF-8", "PYTHONFAULTHANDLER": "1"}
    if term is not None:
        env["TERM"] = term
    for name, value in (extra or {}).items():
        if value is None:
            env.pop(name, None)
        else:
            env[name] = value
    return env


class Screen(pyte.Screen):
    """pyte's screen, without its faults on what it does not know."""

    def select_graphic_rendition(self, *attributes: int, **_: Any) -> None:
        super().select_graphic_rendition(*attributes)

    def report_device_status(self, *_: Any, **__: Any) -> None:
        return


class Session:
    """One program on one pseudo-terminal.

    `sent` holds all bytes the program wrote. `background` is how this terminal answers the question for its
    background colour ("rgb:ffff/ffff/ffff"); None: it does not.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        size: tuple[int, int] = (80, 24),
        term: str | None = "xterm-256color",
        env: Mapping[str, str | None] | None = None,
        background: str | None = None,
        screen: bool = True,
        cwd: Path = ROOT,
    ) -> None:
        self.size = size
        self.sent = bytearray()
        self.background = background
        self.screen = Screen(*size)
        self._stream = pyte.ByteStream(self.screen) if screen else None
        self._answered = 0
        self._fed = 0
        self.master, self._slave = pty.openpty()
        self._set_size(size)
        self.attributes = termios.tcgetattr(self._slave)
        self.process = subprocess.Popen(
            list(command),
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env=environment(term, env),
            cwd=cwd,
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509 - one ioctl, and no other way to own the terminal
        )
        self.started = time.perf_counter()
        os.set_blocking(self.master, False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ------------------------------------------------------------ what the program writes

    def read(self, timeout: float) -> bytes:
        """What arrives next, at most `timeout` seconds later; empty if nothing does or it has ended."""
        if self.master < 0 or not select.select([self.master], [], [], timeout)[0]:
            return b""
        try:
            data = os.read(self.master, 65536)
        except (BlockingIOError, OSError):
            return b""
        self.sent += data
        if self.background is not None:
            self._answer()
        return data

    def _answer(self) -> None:
        question = b"\x1b]11;?"
        if self.sent.count(question) > self._answered:
            self._answered += 1
            self.send(f"\x1b]11;{self.background}\x1b\\".encode())

    def wait_quiet(self, quiet: float = QUIET, timeout: float = 10.0) -> bytes:
        """What arrives until `quiet` seconds pass without a byte."""
        got = bytearray()
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            data = self.read(quiet)
            if not data:
                break
            got += data
        return bytes(got)

    def wait_for_bytes(self, count: int, timeout: float = 15.0) -> None:
        """Waits until so many bytes have been written."""
        end = time.monotonic() + timeout
        while len(self.sent) < count and time.monotonic() < end:
            self.read(0.05)

    def wait_for(self, text: str | re.Pattern[str], timeout: float = 15.0) -> str:
        """Waits until `text` is on the screen, and returns the screen."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            shown = self.text()
            if (text in shown) if isinstance(text, str) else text.search(shown):
                return shown
            if not self.read(0.05) and self.process.poll() is not None and not self.read(0.05):
                break
        raise AssertionError(f"{text!r} is not on the screen:\n{self.text()}\n{self.tail()}")

    def text(self) -> str:
        """The screen as text, one line a row, without blanks at their ends."""
        self._emulate()
        return "\n".join(line.rstrip() for line in self.screen.display)

    def _emulate(self) -> None:
        if self._stream is not None and self._fed < len(self.sent):
            data, self._fed = bytes(self.sent[self._fed :]), len(self.sent)
            self._stream.feed(_known_to_pyte(data))

    def tail(self, count: int = 2000) -> str:
        """The end of what was written, for a failing test's message."""
        return bytes(self.sent[-count:]).decode("utf-8", "replace")

    # ------------------------------------------------------------ what is done to it

    def send(self, data: bytes | str) -> None:
        """Bytes or text as they are; reads meanwhile, so that neither side waits for the other."""
        rest = data.encode() if isinstance(data, str) else data
        while rest:
            readable, ready, _ = select.select([self.master], [self.master], [], 5)
            if not ready:
                # It may be waiting itself, for somebody to read what it writes.
                if readable and self.read(0.01):
                    continue
                raise AssertionError(f"the program reads no input\n{self.tail()}")
            try:
                rest = rest[os.write(self.master, rest[:512]) :]
            except BlockingIOError:
                self.read(0.01)

    def press(self, *names: str, quiet: float = QUIET) -> bytes:
        """Presses keys one after the other, waiting for quiet after each; what was written."""
        got = b""
        for name in names:
            self.send(key(name))
            got += self.wait_quiet(quiet)
        return got

    def _set_size(self, size: tuple[int, int]) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def resize(self, columns: int, rows: int) -> None:
        """A new size; the kernel sends SIGWINCH."""
        self._emulate()
        self.size = (columns, rows)
        self.screen.resize(rows, columns)
        self._set_size(self.size)

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def hang_up(self) -> None:
        """Closes the terminal, as a dropped connection does."""
        os.close(self._slave)
        os.close(self.master)
        self.master = self._slave = -1

    # ------------------------------------------------------------ how it ends

    def alive(self) -> bool:
        return self.process.poll() is None

    def wait_exit(self, timeout: float = 10.0) -> int:
        """The exit code (128 + n for signal n), once the program has ended and all it wrote was read."""
        end = time.monotonic() + timeout
        while self.process.poll() is None and time.monotonic() < end:
            if not self.read(0.05):
                time.sleep(0.005)
        if self.process.returncode is None:
            self.signal(signal.SIGABRT)  # faulthandler says where it stands
            self.wait_quiet(0.5, timeout=5)
            raise AssertionError(f"still running after {timeout} s\n{self.tail(6000)}")
        self.wait_quiet(0.05)
        code = self.process.returncode
        return 128 - code if code < 0 else code

    def assert_restored(self) -> None:
        """The terminal is as it was: line discipline, and every mode that was set is unset."""
        assert termios.tcgetattr(self._slave) == self.attributes, "the line discipline is not restored"
        sent = bytes(self.sent)
        for mode in OFF:
            on = mode[:-1] + ("h" if mode.endswith("l") else "l")
            set_at, unset_at = sent.rfind(f"\x1b[{on}".encode()), sent.rfind(f"\x1b[{mode}".encode())
            assert unset_at >= set_at, f"{mode} is missing at the end: {sent[-300:]!r}"

    def rss(self) -> int:
        """Resident memory in kB, of the program and its children."""
        total, todo = 0, [self.process.pid]
        while todo:
            pid = todo.pop()
            found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
            total += int(found[1]) if found else 0
            todo += [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        return total

    def close(self) -> None:
        """Ends the program, whatever state it is in."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        for descriptor in (self.master, self._slave):
            if descriptor >= 0:
                os.close(descriptor)
        self.master = self._slave = -1


def _take_terminal() -> None:
    """Makes the terminal the child's own, so that closing it sends SIGHUP."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _known_to_pyte(data: bytes) -> bytes:
    """Without the sequences of which pyte prints a part: kitty's keys, and mode queries."""
    return re.sub(rb"\x1b\[(?:[<>=][\d;]*u|\?[\d;]*\$p)", b"", data)


def colour_codes(data: bytes) -> list[bytes]:
    """The SGR sequences in `data` that set a colour, the default colours included."""
    return [match[0] for match in SGR.finditer(data) if _sets_colour(match[1])]


def _sets_colour(parameters: bytes) -> bool:
    numbers = [int(part) for part in re.split(rb"[;:]", parameters) if part]
    return any(30 <= number <= 49 or 90 <= number <= 107 for number in numbers)


PYTHON = sys.executable

"""Plays actions at the program on a real terminal, and says what is wrong at the first thing that is."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.fuzz_actions import Action
from tests.terminal.harness import ROOT, Session

APP = (sys.executable, "-m", "tui_attention", "press-h", "--no-save", "--stage", "flatten")
GARBAGE = (
    b"\xff",
    b"\x1b[M \xff\xff",
    b"\x1b[97;5:3u",
    b"\x1b[?62;4c",
    b"\x1b[201~",
    b"\x1b[48;0;0;0;0t",
    b"\xc3",
    b"\x1bn",
)
"""What may arrive in the middle of an answer and must leave no trace in it."""
LOOK_EVERY = 20
COMPARE_EVERY = 60
ANSWERED = 5.0
"""Seconds after the last input within which a new size must be answered."""
HOME = re.compile(r"\A (?!tui-attention)\S|is too small")
"""How the lesson's own screen begins, and no layer: a title without a frame around it."""
SIGNALS = {
    b"TERM": (signal.SIGTERM, 143),
    b"HUP": (signal.SIGHUP, 129),
    b"QUIT": (signal.SIGQUIT, 131),
    b"INT": (signal.SIGINT, 130),
}


class Fault(AssertionError):
    """The program did what it must not."""


@dataclass(frozen=True)
class Target:
    """The program, and how its answer line is opened and recognized. `slack` lengthens every limit."""

    command: Sequence[str] = APP
    opening: bytes = b"n"
    """Keys that bring a covered cell under the cursor, from the start; then a digit opens the line."""
    marker: str = "your number"
    """Stands on the answer line's row, left of what was typed."""
    slack: float = 1.0
    closed_within: float = 0.5
    """Seconds after held keys within which Escape must have closed a page."""


@dataclass
class Seen:
    """What was done and seen."""

    actions: int = 0
    inputs: int = 0
    starts: int = 0
    probes: int = 0
    holds: int = 0
    slowest_close: float = 0.0
    ends: dict[int, int] = field(default_factory=dict)


class Player:
    """One program after the other, as ends make it necessary."""

    def __init__(self, target: Target, folder: Path) -> None:
        self.target, self.folder = target, folder
        self.seen = Seen()
        self.may_quit = False
        self.session = self._start()

    def play(self, actions: Sequence[Action]) -> Seen:
        """All of them, and then the end. Raises Fault."""
        try:
            for number, action in enumerate(actions, 1):
                self.seen.actions = number
                self._do(action)
                self.seen.inputs += action.count
                if number % LOOK_EVERY == 0:
                    self._look()
                if number % COMPARE_EVERY == 0:
                    self._compare()
            self._answers()
            self._leave(b"TERM", b"")
        finally:
            self.session.close()
        return self.seen

    def _start(self) -> Session:
        home = str(self.folder)
        paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        session = Session(
            self.target.command,
            env={"HOME": home, "XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home, "PYTHONPATH": paths},
            cwd=self.folder,  # whatever the app saves lands here
        )
        self.seen.starts += 1
        self.may_quit = False
        session.wait_for(HOME, timeout=30 * self.target.slack)
        session.wait_quiet()
        return session

    def _do(self, action: Action) -> None:
        match action.kind:
            case "send":
                self._send(action.data)
            case "resize":
                self.session.resize(*action.size)
            case "stop":
                self._stop(action.seconds)
            case "probe":
                self._probe(action.data.decode())
            case "hold":
                page, _, held = action.data.partition(b"|")
                self._hold(page, held, action.count)
            case "leave":
                how, _, behind = action.data.partition(b"|")
                self._leave(how, behind)
            case "pause":
                self.session.wait_quiet(action.seconds, timeout=action.seconds)

    # ------------------------------------------------------------ sending and looking

    def _send(self, data: bytes) -> None:
        self.may_quit = self.may_quit or b"\x10" in data  # the palette offers Quit
        try:
            self.session.send(data)
        except OSError:
            self._look()

    def _look(self) -> None:
        self.session.wait_quiet(0.02, timeout=ANSWERED)
        self._no_traceback()
        if self.session.alive():
            return
        code = self.session.wait_exit()
        if not (self.may_quit and code == 0):
            raise Fault(f"ended with {code}:\n{self.session.tail(3000)}")
        self._ended(code)

    def _no_traceback(self) -> None:
        if b"Traceback (most" in self.session.sent:
            raise Fault(f"a traceback:\n{self.session.tail(3000)}")

    def _ended(self, code: int) -> None:
        self._no_traceback()
        self.session.assert_restored()
        self.seen.ends[code] = self.seen.ends.get(code, 0) + 1
        self.session.close()
        self.session = self._start()

    def _answers(self) -> None:
        """A new size is answered with a frame, and then there is quiet: neither a hang nor a loop."""
        size = (80, 24) if self.session.size != (80, 24) else (100, 30)
        self.session.resize(*size)
        if not self.session.wait_quiet(0.1, timeout=ANSWERED * self.target.slack) and not self.session.read(ANSWERED):
            self._look()
            raise self._stuck("no repaint after a new size")
        self.session.wait_quiet(0.3, timeout=ANSWERED * self.target.slack)
        if self._busy() > 0.4:
            raise self._stuck("it works without input")

    def _rest(self) -> None:
        """Until it neither writes nor works, for as long as that may take; keys that change nothing write nothing."""
        end = time.monotonic() + 4 * ANSWERED * self.target.slack
        while time.monotonic() < end:
            if not self.session.wait_quiet(0.3, timeout=ANSWERED) and self._busy() < 0.1:
                return

    def _compare(self) -> None:
        """Stopped and continued it draws the whole screen anew: all that it had drawn bit by bit must stand there."""
        self._rest()
        before = self.session.text()
        self._stop(0.01)
        drawn = self.session.wait_quiet(0.3, timeout=ANSWERED)
        self._rest()
        if not self.session.alive():
            return
        after = self.session.text()
        columns, rows = self.session.size
        if drawn and (before != after or (min(columns, rows) > 1 and not after.strip())):
            raise Fault(f"drawn bit by bit at {self.session.size}:\n{before}\n--- and at once:\n{after}")

    # ------------------------------------------------------------ what is tried

    def _home(self) -> None:
        """To the lesson, with nothing open, on a screen that has room."""
        time.sleep(0.12)  # what is half a sequence by now is forgotten
        if self.session.size[0] < 60 or self.session.size[1] < 20:
            self.session.resize(80, 24)
            self.session.wait_quiet()
        for count in range(10):
            self._press(b"\x1b")
            if count >= 2 and self._at_home():
                return
        end = time.monotonic() + ANSWERED * self.target.slack
        while time.monotonic() < end:  # it may still be busy with what came before
            self.session.read(0.05)
            if self._at_home():
                return
        raise self._stuck(f"Escape does not lead back to the lesson at {self.session.size}")

    def _at_home(self) -> bool:
        return HOME.search(self.session.text()) is not None and self._typed() is None

    def _stuck(self, says: str) -> Fault:
        """The fault of a program that does not answer: what it shows, how busy it is, and where it stands."""
        shown, busy = self.session.text(), self._busy()
        self.session.signal(signal.SIGABRT)  # faulthandler says where
        self.session.wait_quiet(0.5)
        return Fault(f"{says}; {busy:.2f} s of work in half a second:\n{shown}\n{self.session.tail(3000)}")

    def _busy(self) -> float:
        """Seconds of work in half a second."""
        before = _cpu(self.session.process.pid)
        time.sleep(0.5)
        return _cpu(self.session.process.pid) - before

    def _press(self, data: bytes) -> None:
        self._send(data)
        self.session.wait_quiet(0.15 * self.target.slack)
        self._look()

    def _probe(self, answer: str) -> None:
        """Types an answer with garbage in between, and looks for it. Where no answer line opens, nothing."""
        self._home()
        if not self.seen.probes:
            self._press(self.target.opening)
        self._press(answer[0].encode())
        if self._typed() is None:
            return
        for place, mark in enumerate(answer[1:]):
            self._send(GARBAGE[(place + len(answer)) % len(GARBAGE)])
            self._send(mark.encode())
        self.session.resize(*((120, 40) if self.session.size == (80, 24) else (80, 24)))
        end = time.monotonic() + ANSWERED * self.target.slack
        while (typed := self._typed()) != answer and time.monotonic() < end:
            self.session.read(0.05)
        if typed != answer:
            raise Fault(f"typed {answer!r}, the line holds {typed!r}:\n{self.session.text()}")
        self.seen.probes += 1
        self._press(b"\x1b")

    def _typed(self) -> str | None:
        """What stands on the answer line, up to the first gap; None if no line is open."""
        for line in self.session.text().splitlines():
            _, found, rest = line.partition(self.target.marker)
            if found:
                return re.split(r"[\s▏▎▊│┃|]", rest.strip())[0]
        return None

    def _hold(self, page: bytes, held: bytes, count: int) -> None:
        """A key held on a layer, then Escape: how long until the lesson is there again."""
        self._home()
        self._press(page)
        if HOME.search(self.session.text()):
            return  # nothing opened: no cell, or the answer line
        self.may_quit = True
        self._send(held * count)
        self.session.wait_quiet(0.02, timeout=0.2)
        if HOME.search(self.session.text()) or not self.session.alive():
            self._look()
            return  # Enter or a letter has led away from the page
        started = time.monotonic()
        self._send(b"\x1b")
        limit = self.target.closed_within * self.target.slack
        while not HOME.search(self.session.text()):
            if time.monotonic() - started > limit + ANSWERED:
                break
            self.session.read(0.02)
            if not self.session.alive():
                self._look()
                return
        took = time.monotonic() - started
        if took > limit:
            raise Fault(
                f"Escape closed the page {page!r} {took:.2f} s after {count} {held!r}:\n{self.session.text()}"
            )
        self.seen.holds += 1
        self.seen.slowest_close = max(self.seen.slowest_close, took)

    def _stop(self, seconds: float) -> None:
        self.session.signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.session.signal(signal.SIGCONT)

    def _leave(self, how: bytes, behind: bytes) -> None:
        """An end, and input behind it: the code, the terminal as it was, no word of an error."""
        self._home()
        if how in SIGNALS:
            number, code = SIGNALS[how]
            self.session.signal(number)
        else:
            code = 130 if how == b"\x03\x03" else 0
            self._send(how[:1])
            self.session.wait_quiet(0.15 * self.target.slack)
            if self.session.alive():
                self._send(how[:1])
        for mark in behind:
            if self.session.alive():
                self.session.resize(80 + mark % 7, 20 + mark % 5)
                self._send(bytes([mark]))
        try:
            found = self.session.wait_exit(10.0 * self.target.slack)
        except AssertionError as error:
            self.session.signal(signal.SIGABRT)
            self.session.wait_quiet()
            raise Fault(f"{how!r} does not end it: {error}\n{self.session.tail(3000)}") from error
        if found != code:
            raise Fault(f"{how!r} ended it with {found}, not {code}:\n{self.session.tail(3000)}")
        self._ended(found)


def _cpu(pid: int) -> float:
    """Seconds of work that a process has done."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

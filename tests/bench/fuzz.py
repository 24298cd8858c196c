"""Keys, mouse reports, pastes and raw bytes at random: `python -m tests.bench.fuzz --keys 10000 --seed 7`.

The same seed sends the same bytes. It fails on a traceback, on an end that nobody asked for, on a screen that
no longer answers, on an answer line that loses what was typed, and on a terminal that is not restored.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.terminal.harness import KEYS, ROOT, Session, key

APP = [sys.executable, "-m", "tui_attention", "press-h", "--no-save", "--stage", "flatten"]

QUITS = b"qQ\x03\x11"
"""Bytes that may end the app: never sent as keys of their own, only inside answers and pastes."""
SIZES = ((80, 24), (120, 40), (40, 15), (60, 20), (20, 5), (200, 60), (39, 11))
ANSWERS = ("-0.71", "12.5", "(3-4)/7", "=1.25", "0.125")
BATCH, LOOK_EVERY, PROBE_EVERY = 20, 200, 100


@dataclass(frozen=True)
class Target:
    """The program, and how its answer line is opened and recognized."""

    command: Sequence[str]
    opening: tuple[str, ...] = ("n",)
    """Keys that bring a covered cell under the cursor, from the start; then a digit opens the line."""
    marker: str = "your number"
    """Stands on the answer line's row, left of what was typed."""


@dataclass
class Result:
    """What was sent and seen."""

    seed: int
    keys: int = 0
    starts: int = 0
    probes: int = 0
    recent: deque[bytes] = field(default_factory=lambda: deque(maxlen=60))


class Fault(AssertionError):
    """The program did what it must not."""


# ---------------------------------------------------------------- what is sent


def _letter(dice: random.Random) -> bytes:
    return dice.choice("abcdefghijklmnoprstuvwxyzCGLNPYZ0123456789.,-+=()/*?% ").encode()


def _named(dice: random.Random) -> bytes:
    return key(dice.choice(sorted(name for name in KEYS if name != "ctrl+c")))


def _mouse(dice: random.Random) -> bytes:
    button = dice.choice((0, 0, 0, 1, 2, 32, 35, 35, 64, 65, 4, 16))
    column, row = dice.randint(1, 130), dice.randint(1, 45)
    return f"\x1b[<{button};{column};{row}{dice.choice('Mm')}".encode()


def _x10(dice: random.Random) -> bytes:
    return b"\x1b[M" + bytes(dice.randint(32, 255) for _ in range(3))


def _paste(dice: random.Random) -> bytes:
    text = b"".join(dice.choice((_letter, _raw, _unicode))(dice) for _ in range(dice.randint(0, 12)))
    return b"\x1b[200~" + text.replace(b"\x1b", b"") + b"q\x1b[201~"


def _unicode(dice: random.Random) -> bytes:
    return dice.choice("−½é٣²漢👩‍🔬\u202e\u0301\ufeff￼").encode()


def _raw(dice: random.Random) -> bytes:
    drawn = (dice.randrange(256) for _ in range(dice.randint(1, 8)))
    return bytes(byte for byte in drawn if byte not in QUITS)


def _broken(dice: random.Random) -> bytes:
    halves = (b"\x1b[", b"\x1bO", b"\x1b[1;", b"\x1b[<0;3", b"\x1b[97;5:3u", b"\x1b[99999999u", b"\x1b[M!")
    wholes = (b"\x1b[48;0;0;0;0t", b"\x1b[?2048;2$y", b"\x1b[?62;4c", b"\x1b]11;rgb:f/f/f\x07", b"\x1b[201~")
    return dice.choice(halves + wholes)


SENDERS: tuple[tuple[Callable[[random.Random], bytes], int], ...] = (
    (_letter, 40),
    (_named, 30),
    (_mouse, 10),
    (_x10, 4),
    (_paste, 4),
    (_unicode, 3),
    (_raw, 5),
    (_broken, 4),
)
GARBAGE = (
    b"\xff",
    b"\x1b[M \xff\xff",
    b"\x1b[97;5:3u",
    b"\x1b[?62;4c",
    b"\x1b[201~",
    b"\x1b[48;0;0;0;0t",
    b"\xc3",
)
"""What may arrive in the middle of an answer and must leave no trace in it."""


# ---------------------------------------------------------------- one run


class Run:
    """One seed against one target, over as many starts as the palette's Quit makes necessary."""

    def __init__(self, target: Target, seed: int, folder: Path) -> None:
        self.target = target
        self.dice = random.Random(seed)
        self.result = Result(seed)
        self.folder = folder
        self.may_quit = False
        self.session = self._start()

    def _start(self) -> Session:
        home = str(self.folder)
        paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        session = Session(
            self.target.command,
            env={"HOME": home, "XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home, "PYTHONPATH": paths},
            cwd=self.folder,  # whatever the app saves lands here
        )
        self.result.starts += 1
        self.may_quit = False
        session.wait_for(re.compile(r"\S"))
        session.wait_quiet()
        return session

    def go(self, keys: int) -> Result:
        """Sends `keys` things; raises Fault at the first thing that is wrong."""
        try:
            self._probe(self.target.opening)
            if not self.result.probes:
                raise Fault(f"no answer line, recognized by {self.target.marker!r}:\n{self.session.text()}")
            for index in range(1, keys + 1):
                self._send(self._draw())
                self.result.keys = index
                if index % BATCH == 0:
                    self._look()
                if index % PROBE_EVERY == 0:
                    self._probe(())
                if index % LOOK_EVERY == 0:
                    self._answers()
            self._end()
        finally:
            self.session.close()
        return self.result

    def _draw(self) -> bytes:
        senders, weights = zip(*SENDERS, strict=True)
        data: bytes = self.dice.choices(senders, weights)[0](self.dice)
        return data

    def _send(self, data: bytes) -> None:
        self.result.recent.append(data)
        self.may_quit = self.may_quit or b"\x10" in data  # the palette offers Quit
        try:
            self.session.send(data)
        except OSError:
            self._look()

    def _look(self) -> None:
        self.session.wait_quiet(0.02, timeout=5)
        if b"Traceback (most" in self.session.sent:
            raise Fault(f"a traceback:\n{self.session.tail(6000)}")
        if self.session.alive():
            return
        code = self.session.wait_exit()
        if not (self.may_quit and code == 0):
            raise Fault(f"ended with {code}:\n{self.session.tail(30000)}")
        self.session.assert_restored()
        self.session.close()
        self.session = self._start()

    def _answers(self) -> None:
        """The screen is repainted after a new size: the program neither hangs nor waits for a paste's end."""
        sizes = [size for size in SIZES if size != self.session.size]
        self.session.resize(*self.dice.choice(sizes))
        if not self.session.wait_quiet(0.1, timeout=5) and not self.session.read(5):
            self._look()
            shown = self.session.text()
            self.session.signal(signal.SIGABRT)  # faulthandler says where it stands
            self.session.wait_quiet()
            raise Fault(f"no repaint after a new size:\n{shown}\n{self.session.tail(6000)}")

    def _probe(self, opening: Sequence[str]) -> None:
        """Types an answer with garbage in between, and looks for it. Where no answer line opens, nothing."""
        time.sleep(0.12)  # what is half a sequence by now is forgotten
        if self.session.size[0] < 60 or self.session.size[1] < 20:
            self.session.resize(80, 24)
            self.session.wait_quiet()
        for count in range(8):
            self._press("escape")
            if count >= 2 and self._typed() is None:
                break
        else:
            raise Fault(f"Escape does not close the answer line:\n{self.session.text()}")
        for name in opening:
            self._press(name)
        answer = self.dice.choice(ANSWERS)
        self._send(answer[0].encode())
        self.session.wait_quiet(0.1)
        self._look()
        if self._typed() is None:
            return
        for mark in answer[1:]:
            self._send(self.dice.choice(GARBAGE))
            self._send(mark.encode())
        self.session.resize(*self.dice.choice(SIZES[:2]))
        end = time.monotonic() + 3
        while (typed := self._typed()) != answer and time.monotonic() < end:
            self.session.read(0.05)
        if typed != answer:
            raise Fault(f"typed {answer!r}, the line holds {typed!r}:\n{self.session.text()}")
        self.result.probes += 1
        self._send(b"\x1b")
        self.session.wait_quiet(0.15)

    def _press(self, name: str) -> None:
        self._send(key(name))
        self.session.wait_quiet(0.15)
        self._look()

    def _typed(self) -> str | None:
        """What stands on the answer line, up to the first gap; None if no line is open."""
        for line in self.session.text().splitlines():
            _, found, rest = line.partition(self.target.marker)
            if found:
                return re.split(r"[\s▏▎▊│┃|]", rest.strip())[0]
        return None

    def _end(self) -> None:
        self._look()
        self.session.signal(signal.SIGTERM)
        code = self.session.wait_exit()
        if code != 143:
            raise Fault(f"SIGTERM ended it with {code}:\n{self.session.tail()}")
        self.session.assert_restored()


def fuzz(target: Target, keys: int, seed: int) -> Result:
    """One run; a fault's message ends with the seed and the last things sent."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        run = Run(target, seed, Path(folder))
        try:
            return run.go(keys)
        except AssertionError as fault:
            recent = b" ".join(run.result.recent)
            place = f"seed {seed}, after {run.result.keys} keys; the last sent: {recent!r}"
            raise Fault(f"{fault}\n{place}") from fault


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fuzz", description=__doc__)
    parser.add_argument("--keys", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=None, help="default: drawn, and printed")
    parser.add_argument("--marker", default=Target.marker, help="text that marks the answer line")
    parser.add_argument("--open", default=",".join(Target.opening), help="keys before the first answer")
    parser.add_argument("command", nargs="*", help=f"the app, after --; default: {' '.join(APP[1:])}")
    args = parser.parse_args(argv)
    seed = random.SystemRandom().randrange(10**6) if args.seed is None else args.seed
    print(f"seed {seed}", flush=True)
    opening = tuple(filter(None, args.open.split(",")))
    started = time.monotonic()
    try:
        found = fuzz(Target(args.command or APP, opening, args.marker), args.keys, seed)
    except Fault as fault:
        print(fault)
        return 1
    took = time.monotonic() - started
    print(f"{found.keys} keys in {took:.0f} s, {found.starts} starts, {found.probes} answers kept; no fault")
    return 0


if __name__ == "__main__":
    sys.exit(main())

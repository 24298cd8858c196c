"""What the app costs on a real terminal, beside the smallest Textual app: `python -m tests.bench.terminal`.

Every number of the app stands beside the floor's (`tests/bench/hello.py`), measured in the same run and in
turns, since the machine's own speed changes from run to run.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.terminal import ssh
from tests.terminal.harness import ROOT, Session, key

APP = [sys.executable, "-m", "tui_attention", "press-h", "--no-save", "--stage", "flatten"]
HELLO = [sys.executable, "-m", "tests.bench.hello"]


@dataclass(frozen=True)
class Move:
    """One thing a person does: `once` at the start; then `before`, the measured key and `after`, in turns."""

    name: str
    keys: tuple[str, ...]
    once: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    most_bytes: int | None = None


MOVES = (
    Move("step", ("n",), most_bytes=4096),
    Move("back", ("p",), most_bytes=4096),
    Move("cell cursor", ("right", "right", "left", "left"), once=("n",), most_bytes=2560),
    Move("cover", ("c", "enter", "c")),
    Move("verdict", ("enter",), once=("c",), before=("0", ".", "5"), after=("escape",)),
    Move("tree move", ("down", "up"), once=("tab",)),
)
"""In this order, in one session. `keys` are taken in turns, so that each press has work to do."""

FIRST_PAINT_RATIO = 1.35
MEMORY_RATIO = 1.3
MEDIAN_MS, P95_MS = 16.0, 33.0
QUIET = 0.06
ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)")


@dataclass
class Keys:
    """Milliseconds to the last byte, and bytes, of each press of one move."""

    millis: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.millis) if self.millis else float("nan")

    @property
    def p95(self) -> float:
        return sorted(self.millis)[int(0.95 * (len(self.millis) - 1))] if self.millis else float("nan")

    @property
    def size(self) -> float:
        return statistics.median(self.sizes) if self.sizes else float("nan")

    @property
    def silent(self) -> int:
        """Presses after which nothing was written: a key that did nothing, and no measurement."""
        return sum(size == 0 for size in self.sizes)


def visible(data: bytes) -> int:
    """Characters in `data` that are no part of an escape sequence."""
    return len(ESCAPES.sub(b"", data).decode("utf-8", "ignore"))


def first_paint(session: Session) -> float:
    """Milliseconds from the start of the process until half the screen has been written."""
    columns, rows = session.size
    end = time.perf_counter() + 30
    while time.perf_counter() < end:
        if session.read(1.0) and visible(bytes(session.sent)) >= columns * rows // 2:
            return (time.perf_counter() - session.started) * 1000
        if not session.alive():
            break
    raise SystemExit(f"no first paint of {session.process.args!r}:\n{session.tail()}")


def pressed(session: Session, name: str) -> tuple[float, int]:
    """Milliseconds from a key to the last byte of its answer, and the bytes."""
    started = last = time.perf_counter()
    size = 0
    session.send(key(name))
    while data := session.read(QUIET if size else 0.5):
        last = time.perf_counter()
        size += len(data)
    return (last - started) * 1000, size


def measure(session: Session, move: Move, times: int) -> Keys:
    found = Keys()
    session.press(*move.once)
    for index in range(times):
        session.press(*move.before, quiet=QUIET)
        millis, size = pressed(session, move.keys[index % len(move.keys)])
        found.sizes.append(size)
        if size:
            found.millis.append(millis)
        session.press(*move.after, quiet=QUIET)
    return found


@dataclass
class Report:
    """All that one way of reaching the two programs gave."""

    paint: dict[str, list[float]]
    memory: dict[str, int]
    memory_after: int
    echo: Keys
    moves: dict[str, Keys]


Start = Callable[[list[str]], Session]


def run(app: list[str], start: Start, *, runs: int, times: int, local: bool) -> Report:
    """First paints in turns, then each move between two measurements of the floor's own echo."""
    paint: dict[str, list[float]] = {"app": [], "floor": []}
    for _ in range(runs):
        for name, command in (("floor", HELLO), ("app", app)):
            with start(command) as session:
                paint[name].append(first_paint(session))
    with start(HELLO) as floor, start(app) as session:
        first_paint(floor)
        first_paint(session)
        floor.wait_quiet(0.5)
        session.wait_quiet(0.5)
        memory = {"floor": floor.rss(), "app": session.rss()} if local else {}
        echo, moves = Keys(), {}
        for move in MOVES:
            part = measure(floor, Move("echo", ("n",)), times)
            echo.millis += part.millis
            echo.sizes += part.sizes
            moves[move.name] = measure(session, move, times)
        after = session.rss() if local else 0
        if not session.alive():
            raise SystemExit(f"the app ended during the benchmark:\n{session.tail()}")
    return Report(paint, memory, after, echo, moves)


def rows(title: str, report: Report) -> Iterator[tuple[str, ...]]:
    """The table's lines: what, app, floor, the difference or ratio, the limit, whether it holds, bytes."""
    yield (title, "app", "floor", "", "limit", "", "bytes", "limit", "")
    app, floor = min(report.paint["app"]), min(report.paint["floor"])
    ratio = app / floor
    yield (
        "first paint, ms",
        f"{app:.0f}",
        f"{floor:.0f}",
        f"x {ratio:.2f}",
        f"x {FIRST_PAINT_RATIO}",
        held(ratio <= FIRST_PAINT_RATIO),
        "",
        "",
        "",
    )
    for move in MOVES:
        keys = report.moves[move.name]
        for kind, value, base, limit in (
            ("median", keys.median, report.echo.median, MEDIAN_MS),
            ("p95", keys.p95, report.echo.p95, P95_MS),
        ):
            size = (f"{keys.size:.0f}", str(move.most_bytes or ""), held(_fits(keys, move)))
            yield (
                f"{move.name}, {kind} ms" + (f" ({keys.silent} silent)" if keys.silent else ""),
                f"{value:.1f}",
                f"{base:.1f}",
                f"+ {value - base:.1f}",
                f"+ {limit:.0f}",
                held(value - base <= limit),
                *(size if kind == "median" else ("", "", "")),
            )
    if report.memory:
        for name, value in (("memory, MB", report.memory["app"]), ("memory after, MB", report.memory_after)):
            ratio = value / report.memory["floor"]
            yield (
                name,
                f"{value / 1024:.1f}",
                f"{report.memory['floor'] / 1024:.1f}",
                f"x {ratio:.2f}",
                f"x {MEMORY_RATIO}",
                held(ratio <= MEMORY_RATIO),
                "",
                "",
                "",
            )


def _fits(keys: Keys, move: Move) -> bool | None:
    return None if move.most_bytes is None else bool(keys.millis) and keys.size <= move.most_bytes


def held(value: bool | None) -> str:
    return "" if value is None else "ok" if value else "MISSED"


def table(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


@contextmanager
def reached(kind: str, size: tuple[int, int], term: str) -> Iterator[Start]:
    """How to start a command: straight on the pseudo-terminal, or through ssh."""
    if kind == "local":
        yield lambda command: Session(command, size=size, term=term, screen=False)
        return
    with ssh.Sshd() as server:
        yield lambda command: Session(server.client(command, ROOT), size=size, term=term, screen=False)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.terminal", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="starts of each program for the first paint")
    parser.add_argument("--times", type=int, default=20, help="presses of each key")
    parser.add_argument("--size", default="80x24")
    parser.add_argument("--term", default="xterm-256color")
    parser.add_argument("--no-ssh", action="store_true")
    parser.add_argument("command", nargs="*", help=f"the app, after --; default: {' '.join(APP[1:])}")
    args = parser.parse_args(argv)
    columns, _, lines = args.size.partition("x")
    size = (int(columns), int(lines))
    kinds = ["local"]
    if not args.no_ssh:
        kinds += ["ssh"] if ssh.available() else []
    found: list[tuple[str, ...]] = []
    for kind in kinds:
        with reached(kind, size, args.term) as start:
            report = run(args.command or APP, start, runs=args.runs, times=args.times, local=kind == "local")
        found += rows(f"{kind}, {args.size}, {args.term}", report)
    print(table(found))
    if "ssh" not in kinds:
        print("ssh: not measured" + ("" if args.no_ssh else ", sshd and ssh are not installed"))
    return int(any("MISSED" in line for line in found))


if __name__ == "__main__":
    sys.exit(main())

"""How a class feels: real ssh clients that type, a server on one core, the clients on the other.

    python -m tests.bench.classroom                      10, 30, 60 and 100 learners, a key a second each
    python -m tests.bench.classroom --learners 30 --led  and the teacher's steps on everybody's screen
    python -m tests.bench.classroom --port 2222 --pid N  a server that runs already, whatever it serves

For each size: until everybody has joined; from a key to the first byte of what it changes (p50, p95, p99, most); the
server's share of its core and its memory; with --led, from the teacher's key to each learner's screen. The keys are
`n` ten times and `p` ten times, so that any lesson of ten steps will do. One JSON line a size on standard output.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import asyncssh

from tests.classroom.serving import Served, served

TICKS = os.sysconf("SC_CLK_TCK")
SETTLE = 2.0
KEYS = "n" * 10 + "p" * 10


class Typist(asyncssh.SSHClientSession[bytes]):
    """One learner's client: when something came, and how much."""

    def __init__(self) -> None:
        self.bytes = 0
        self.first = 0.0
        self.asked = 0.0
        self.answered = 0.0
        self.gone = False
        self.channel: asyncssh.SSHClientChannel[bytes]
        self.connection: asyncssh.SSHClientConnection

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        self.channel = chan

    def data_received(self, data: bytes, datatype: asyncssh.DataType) -> None:
        now = perf_counter()
        self.bytes += len(data)
        if not self.first and self.bytes > 1000:  # more than the modes of a terminal
            self.first = now
        if self.asked and not self.answered:
            self.answered = now

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone = True

    def ask(self) -> None:
        self.asked, self.answered = perf_counter(), 0.0

    @property
    def took(self) -> float | None:
        return self.answered - self.asked if self.answered else None


@dataclass
class Found:
    """What was measured, in milliseconds, megabytes and seconds."""

    learners: int
    joined: float = 0.0
    latencies: list[float] = field(default_factory=list)
    fans: list[float] = field(default_factory=list)
    rounds: list[float] = field(default_factory=list)
    teacher: list[float] = field(default_factory=list)
    missed: int = 0
    frames: list[int] = field(default_factory=list)
    cpu: float = 0.0
    memory: float = 0.0
    before: float = 0.0
    lag: float = 0.0

    def line(self) -> dict[str, Any]:
        line = {
            "learners": self.learners,
            "all joined s": round(self.joined, 2),
            **spread("", self.latencies),
            "samples": len(self.latencies),
            "missed": self.missed,
            "bytes a key": int(statistics.median(self.frames)) if self.frames else None,
            "cpu %": round(self.cpu, 1),
            "rss MB": round(self.memory),
            "MB each": round((self.memory - self.before) / max(1, self.learners), 1),
            "client lag ms": round(1000 * self.lag, 1),
        }
        if self.fans:
            line |= spread("led ", self.fans) | {
                "all screens ms": round(1000 * statistics.median(self.rounds)),
                "teacher's own ms": round(1000 * statistics.median(self.teacher)),
            }
        return line


def spread(name: str, values: Sequence[float]) -> dict[str, float | None]:
    """Percentiles in milliseconds."""
    ordered = sorted(values)
    at = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "most": 1.0}
    return {
        name + word: round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1) if ordered else None
        for word, share in at.items()
    }


async def join(port: int, name: str, password: str, size: tuple[int, int], term: str) -> Typist:
    connection = await asyncssh.connect(
        "127.0.0.1", port, username=name, password=password, known_hosts=None, client_keys=None, config=None,
        agent_path=None, login_timeout=120,
    )  # fmt: skip
    typist = Typist()
    await connection.create_session(lambda: typist, term_type=term, term_size=size, encoding=None)
    typist.connection = connection
    while not typist.first:
        await asyncio.sleep(0.005)
        if typist.gone:
            raise RuntimeError(f"{name} was sent away")
    return typist


async def lagging(found: Found) -> None:
    """How late this very process is: beyond a few milliseconds it measures itself."""
    while True:
        began = perf_counter()
        await asyncio.sleep(0.02)
        found.lag = max(found.lag, perf_counter() - began - 0.02)


async def types(typist: Typist, found: Found, seconds: float, period: float, chance: random.Random) -> None:
    await asyncio.sleep(chance.random() * period)
    for number in range(int(seconds / period)):
        before = typist.bytes
        typist.ask()
        typist.channel.write(KEYS[number % len(KEYS)].encode())
        await asyncio.sleep(period)
        if typist.took is None:
            found.missed += 1
        else:
            found.latencies.append(typist.took)
            found.frames.append(typist.bytes - before)


async def leads(teacher: Typist, others: Sequence[Typist], found: Found, rounds: int, period: float) -> None:
    for number in range(rounds):
        for typist in (teacher, *others):
            typist.ask()
        teacher.channel.write(KEYS[number % len(KEYS)].encode())
        await asyncio.sleep(period)
        took = [typist.took for typist in others]
        seen = [one for one in took if one is not None]
        found.missed += len(took) - len(seen)
        found.fans += seen
        if seen:
            found.rounds.append(max(seen))
        if teacher.took is not None:
            found.teacher.append(teacher.took)


async def prepare(server: Served, size: tuple[int, int], term: str, *, led: bool) -> None:
    """The teacher goes to a stage with matrices, and lets the class go where it is not to be led."""
    teacher = await join(server.port, "teacher", server.token, size, term)
    for keys in ("gflatten\r", "" if led else "f"):
        teacher.channel.write(keys.encode())
        await asyncio.sleep(SETTLE)
    teacher.connection.abort()
    await asyncio.sleep(0.5)


async def measure(args: argparse.Namespace, server: Served, learners: int, round_name: str) -> Found:
    size = (args.columns, args.rows)
    if not args.port:
        await prepare(server, size, args.term, led=args.led)
    found = Found(learners, before=memory(server.pid))
    began = perf_counter()
    joining = [
        join(server.port, f"{round_name}{number:03d}", server.code, size, args.term) for number in range(learners)
    ]
    typists = list(await asyncio.gather(*joining))
    found.joined = perf_counter() - began
    if args.led:
        typists.insert(0, await join(server.port, "teacher", server.token, size, args.term))
    await asyncio.sleep(SETTLE)
    lag = asyncio.create_task(lagging(found))
    cpu, began = processor(server.pid), perf_counter()
    if args.led:
        await leads(typists[0], typists[1:], found, args.rounds, args.period)
    else:
        chance = random.Random(3)
        await asyncio.gather(*(types(one, found, args.seconds, args.period, chance) for one in typists))
    found.cpu = 100 * (processor(server.pid) - cpu) / (perf_counter() - began)
    found.memory = memory(server.pid)
    lag.cancel()
    for typist in typists:
        typist.connection.abort()
    await asyncio.sleep(1)
    return found


def memory(pid: int) -> float:
    """Megabytes that the server holds in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def processor(pid: int) -> float:
    """Seconds of processor that the server has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


@contextlib.contextmanager
def server_of(args: argparse.Namespace) -> Iterator[Served]:
    """A class of our own on the first core, or the one that runs already."""
    if args.port:
        yield Served(args.port, args.pid, args.password, args.teacher_password)
        return
    with tempfile.TemporaryDirectory() as home, served(Path(home), "--max", "150", core=0) as server:
        yield server


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learners", type=int, nargs="+", default=[10, 30, 60, 100])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--period", type=float, default=1.0, help="seconds between two keys of one learner")
    parser.add_argument("--led", action="store_true", help="the teacher steps, the others follow")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--columns", type=int, default=120)
    parser.add_argument("--rows", type=int, default=40)
    parser.add_argument("--term", default="xterm-256color")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--pid", type=int, default=os.getpid())
    parser.add_argument("--password", default="")
    parser.add_argument("--teacher-password", default="")
    args = parser.parse_args(argv)
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[-1]})
    for number, learners in enumerate(args.learners):
        with server_of(args) as server:
            found = asyncio.run(measure(args, server, learners, f"r{number}x"))
            print(json.dumps(found.line()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

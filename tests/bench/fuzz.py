"""Keys, mouse reports, pastes, sizes, stops and ends at random: `python -m tests.bench.fuzz --keys 20000 --seed 7`.

The same seed does the same. It fails on a traceback, on an end that nobody asked for or with another code, on a
screen that no longer answers, works without input or is not what a whole repaint draws, on an answer line that loses
or swaps what was typed, on a page that Escape closes too late after held keys, and on a terminal that is not
restored. `--slow SECONDS` slows the program down on purpose. A sequence that fails is made as short as it can be,
and printed.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.bench.fuzz_actions import Action, actions_of
from tests.bench.fuzz_play import APP, Fault, Player, Seen, Target

TRIES = 24
"""How often a failing sequence is played again to make it shorter."""


def played(target: Target, actions: Sequence[Action]) -> Seen:
    """The actions at a fresh program. Raises Fault."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        return Player(target, Path(folder)).play(actions)


def fails(target: Target, actions: Sequence[Action]) -> Fault | None:
    """The fault that a sequence leads to, if it does."""
    try:
        played(target, actions)
    except Fault as fault:
        return fault
    except AssertionError as error:
        return Fault(str(error))
    return None


def shrunk(target: Target, actions: Sequence[Action], tries: int = TRIES) -> list[Action]:
    """A shorter sequence that fails too: halves, then quarters and so on are left out, as long as it still fails."""
    kept = list(actions)
    size = max(1, len(kept) // 2)
    while tries > 0 and size >= 1:
        start = 0
        while start < len(kept) and tries > 0:
            without = kept[:start] + kept[start + size :]
            tries -= 1
            if without and fails(target, without):
                kept = without
            else:
                start += size
        size //= 2
    return kept


def fuzz(target: Target, keys: int, seed: int, *, shrink: bool = True) -> Seen:
    """One run; a fault's message ends with the seed and the shortest sequence that was found to fail."""
    actions = actions_of(seed, keys)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        player = Player(target, Path(folder))
        try:
            return player.play(actions)
        except AssertionError as fault:
            done = actions[: player.seen.actions]
            near = done[-400:]
            short = shrunk(target, near) if shrink and fails(target, near) else near[-40:]
            told = "\n".join(f"  {action}" for action in short[-60:])
            raise Fault(f"{fault}\nseed {seed}, {player.seen.inputs} inputs; shortest found:\n{told}") from fault


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fuzz", description=__doc__)
    parser.add_argument("--keys", type=int, default=10_000, help="inputs; a burst counts as all that it holds")
    parser.add_argument("--seed", type=int, default=None, help="default: drawn, and printed")
    parser.add_argument("--slow", type=float, default=0.0, help="most seconds that a key and a frame take longer")
    parser.add_argument("--slack", type=float, default=1.0, help="lengthens every limit, for a busy machine")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--marker", default=Target.marker, help="text that marks the answer line")
    parser.add_argument("command", nargs="*", help=f"the app, after --; default: {' '.join(APP[1:])}")
    args = parser.parse_args(argv)
    seed = random.SystemRandom().randrange(10**6) if args.seed is None else args.seed
    print(f"seed {seed}", flush=True)
    target = Target(args.command or APP, marker=args.marker, slack=args.slack)
    if args.slow:
        command = [sys.executable, "-m", "tests.bench.slowed", str(args.slow), *target.command[3:]]
        target = replace(target, command=command, slack=max(args.slack, 1 + 20 * args.slow), closed_within=2.0)
    started = time.monotonic()
    try:
        seen = fuzz(target, args.keys, seed, shrink=not args.no_shrink)
    except Fault as fault:
        print(fault)
        return 1
    took = time.monotonic() - started
    ends = ", ".join(f"{count} with {code}" for code, count in sorted(seen.ends.items()))
    print(
        f"{seen.inputs} inputs in {took:.0f} s, {seen.starts} starts, ends: {ends}; {seen.probes} answers kept, "
        f"{seen.holds} pages closed after held keys in {seen.slowest_close:.2f} s at most; no fault"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

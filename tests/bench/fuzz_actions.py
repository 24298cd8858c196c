"""What a fuzz run does, as data: the same seed makes the same actions, and any part of them can be played alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from tests.terminal.harness import KEYS, key

QUITS = b"qQ\x03\x11"
"""Bytes that may end the app: sent by `leave` alone, or inside answers and pastes."""
SIZES = ((80, 24), (120, 40), (40, 15), (60, 20), (20, 5), (200, 60), (39, 11), (40, 12))
TINY = ((1, 1), (2, 50), (3, 20), (1, 24), (80, 1), (5, 5), (12, 3), (19, 6))
ANSWERS = ("-0.71", "12.5", "(3-4)/7", "=1.25", "0.125", "31415", "-2.75")
PAGES = ("?", "G", "L", "l", "z", "\r", "\x10")
"""Keys that open a layer from the lesson."""
HELD = ("down", "up", "n", "p", "pagedown", "pageup", "end", "home", "right", "left", "space", "tab", "enter")

Kind = Literal["send", "resize", "stop", "probe", "hold", "leave", "pause"]


@dataclass(frozen=True)
class Action:
    """One thing that is done to the program. `count` is how many inputs it stands for."""

    kind: Kind
    data: bytes = b""
    size: tuple[int, int] = (80, 24)
    seconds: float = 0.0
    count: int = 1

    def __str__(self) -> str:
        told = {
            "resize": f"{self.size[0]}x{self.size[1]}",
            "stop": f"{self.seconds:.2f}",
            "pause": f"{self.seconds:.2f}",
        }
        return f"{self.kind} {told.get(self.kind, repr(self.data))}" + (f" x{self.count}" if self.count > 1 else "")


# ---------------------------------------------------------------- single inputs


def _letter(dice: random.Random) -> bytes:
    return dice.choice("abcdefghijklmnoprtuvwxyzCGLNPYZ0123456789.,-+=()/*?% ").encode()


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


def _alt(dice: random.Random) -> bytes:
    return b"\x1b" + dice.choice(b"abcdefhnpxyz123").to_bytes(1, "big")


INPUTS: tuple[tuple[Callable[[random.Random], bytes], int], ...] = (
    (_letter, 40),
    (_named, 30),
    (_mouse, 10),
    (_x10, 4),
    (_paste, 4),
    (_unicode, 3),
    (_raw, 5),
    (_broken, 4),
    (_alt, 2),
)


def one_input(dice: random.Random) -> bytes:
    """One key, report, paste or piece of nonsense."""
    makers, weights = zip(*INPUTS, strict=True)
    made: bytes = dice.choices(makers, weights)[0](dice)
    return made


# ---------------------------------------------------------------- actions


def _single(dice: random.Random) -> Iterator[Action]:
    yield Action("send", one_input(dice))


def _burst(dice: random.Random) -> Iterator[Action]:
    count = dice.randint(5, 60)
    yield Action("send", b"".join(one_input(dice) for _ in range(count)), count=count)


def _layers_and_sizes(dice: random.Random) -> Iterator[Action]:
    """A layer opens or closes while the window is next to nothing, or becomes so."""
    for _ in range(dice.randint(1, 4)):
        yield Action("resize", size=dice.choice(TINY + SIZES))
        yield Action(
            "send", dice.choice(PAGES).encode() + key(dice.choice(("down", "enter", "escape", "n"))), count=2
        )
    yield Action("resize", size=dice.choice(SIZES))


def _storm(dice: random.Random) -> Iterator[Action]:
    """Sizes across the smallest that the lesson has, with keys between them."""
    for _ in range(dice.randint(3, 8)):
        yield Action("resize", size=dice.choice(((39, 11), (40, 12), (41, 13), (40, 11), (61, 24), (63, 24))))
        yield Action("send", _letter(dice))


def _stopped(dice: random.Random) -> Iterator[Action]:
    yield Action("stop", seconds=dice.choice((0.0, 0.01, 0.05, 0.12, 0.2)))


def _held(dice: random.Random) -> Iterator[Action]:
    page = dice.choice(PAGES)
    yield Action("hold", page.encode() + b"|" + key(dice.choice(HELD)), count=dice.choice((30, 60, 150)))


def _probe(dice: random.Random) -> Iterator[Action]:
    yield Action("probe", dice.choice(ANSWERS).encode())


def _leave(dice: random.Random) -> Iterator[Action]:
    """The end, and what is typed and resized behind it."""
    behind = b"".join(
        dice.choice((b"\x10", b"n", b"?", b"\x1b", b"1", b"\x03", b"z")) for _ in range(dice.randint(0, 6))
    )
    yield Action("leave", dice.choice((b"q", b"\x03\x03", b"TERM", b"HUP", b"QUIT", b"INT")) + b"|" + behind)


MAKERS: tuple[tuple[Callable[[random.Random], Iterator[Action]], int], ...] = (
    (_single, 300),
    (_burst, 12),
    (_layers_and_sizes, 6),
    (_storm, 4),
    (_stopped, 3),
    (_held, 4),
    (_probe, 6),
    (_leave, 1),
)


def actions_of(seed: int, inputs: int) -> list[Action]:
    """The actions of a seed: as many as it takes for so many inputs."""
    dice = random.Random(seed)
    makers, weights = zip(*MAKERS, strict=True)
    found = [Action("probe", ANSWERS[0].encode())]
    while sum(action.count for action in found) < inputs:
        for _ in range(200):
            found += dice.choices(makers, weights)[0](dice)
    total, kept = 0, []
    for action in found:
        if total >= inputs:
            break
        total += action.count
        kept.append(action)
    return kept

"""What the terminal is and what may be sent to it. No Textual: plain mode is decided before it is loaded."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

SMALLEST = (20, 5)
"""Columns and rows below which not even the app's own refusal fits."""

Colours = Literal["none", "standard", "256", "truecolor"]

# Terminals that print, or beep at, what they were never told about.
_SIMPLE = ("linux", "vt", "ansi", "cons", "sun")
_COLOURLESS = ("vt52", "vt100", "vt102", "vt220", "vt320", "vt420", "ansi-mono", "xterm-mono")
# Terminals with all colours whose name does not say so; COLORTERM does not cross ssh.
_TRUECOLOR = ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour", "rio")
_DARK_OF_16 = frozenset({0, 1, 2, 3, 4, 5, 6, 8})


class ColourPolicy(NamedTuple):
    """The colours to use: how many, and whether as the terminal's own (an `ansi-…` theme) or as RGB."""

    colours: Colours
    ansi: bool


def terminal_problem(
    env: Mapping[str, str],
    stdin: IO[str] | None,
    stdout: IO[str] | None,
    stderr: IO[str] | None,
    size: tuple[int, int] | None = None,
) -> str | None:
    """Why the full-screen app can't run here, as a clause for people; None if it can.

    `size` is (columns, rows); None or zeros mean unknown, which is no reason. Textual reads stdin, draws on
    stderr and measures stdout; without a terminal on stdin it would wait for ever.
    """
    streams = (("standard input", stdin), ("standard output", stdout), ("standard error", stderr))
    missing = [name for name, stream in streams if stream is None or stream.closed or not stream.isatty()]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        return f"{' and '.join(missing)} {verb} not a terminal"
    term = env.get("TERM", "")
    if not term:
        return "TERM is not set"
    if term in {"dumb", "unknown"}:
        return f"TERM={term} can't address the screen"
    if size is not None and min(size) > 0 and (size[0] < SMALLEST[0] or size[1] < SMALLEST[1]):
        return f"the terminal has {size[0]}x{size[1]} characters, fewer than {SMALLEST[0]}x{SMALLEST[1]}"
    return None


def colour_policy(env: Mapping[str, str]) -> ColourPolicy:
    """How many colours the terminal has, by NO_COLOR (if not empty), COLORTERM and TERM."""
    term = env.get("TERM", "").strip().lower()
    if env.get("NO_COLOR") or term in {"", "dumb", *_COLOURLESS} or term.endswith("-m"):
        return ColourPolicy("none", ansi=True)
    if env.get("COLORTERM", "").strip().lower() in {"truecolor", "24bit"}:
        return ColourPolicy("truecolor", ansi=False)
    if term.startswith(_TRUECOLOR) or term.endswith("-direct"):
        return ColourPolicy("truecolor", ansi=False)
    if "256color" in term:
        return ColourPolicy("256", ansi=False)
    return ColourPolicy("standard", ansi=True)


def asks_nothing(env: Mapping[str, str]) -> bool:
    """Whether a terminal of this kind prints what it does not understand, so that nothing is asked of it."""
    return env.get("TERM", "").startswith(_SIMPLE)


def background_from_env(env: Mapping[str, str]) -> Literal["dark", "light"] | None:
    """The background by COLORFGBG, if it says one: the last number of `15;0` or `0;default;15`."""
    last = env.get("COLORFGBG", "").rpartition(";")[2].strip()
    if not (last.isascii() and last.isdigit()):
        return None
    return "dark" if int(last) in _DARK_OF_16 else "light"

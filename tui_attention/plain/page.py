"""The lines that go out: wrapped to the width, in the characters that the output can carry."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import NamedTuple, TextIO

from tui_attention.output import put

WIDTH, NARROWEST, WIDEST = 72, 20, 500

_ASCII: Mapping[int, str] = str.maketrans(
    {
        "·": ".", "×": "x", "−": "-", "–": "-", "—": "-", "‑": "-", "…": "...", "√": "root", "≥": ">=", "≤": "<=",
        "→": "->", "←": "<-", "÷": "/", "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "\u00a0": " ", "Φ": "Phi",
        "σ": "sigma", "μ": "mu", "Σ": "sum",
    }
)  # fmt: skip


class Paragraph(NamedTuple):
    """A paragraph; its further lines stand `hang` columns in.

    `raw`: lines that stay as they are. `prose`: on paper it stands between empty lines.
    """

    text: str
    hang: int = 0
    raw: bool = False
    prose: bool = False


def sentence(text: str) -> str:
    """The text with a full stop behind it, unless it ends in a mark already; a comma at its end makes way."""
    text = text.rstrip(",;")
    return text if text.endswith((".", "?", "!", ":")) else f"{text}."


def width_of(env: Mapping[str, str], stdout: TextIO) -> int:
    """The columns of a line: COLUMNS where it is set, else 72 or the terminal's own where that is narrower."""
    given = env.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given):
        return min(max(int(given), NARROWEST), WIDEST)
    with contextlib.suppress(OSError, ValueError, AttributeError):
        if stdout.isatty():
            columns = os.get_terminal_size(stdout.fileno()).columns
            return max(NARROWEST, min(columns, WIDTH)) if columns else WIDTH
    return WIDTH


def clean(text: str) -> str:
    """Text from outside, without what could move a cursor or ring a bell."""
    return "".join(mark if mark.isprintable() else " " for mark in text)


class Transcript:
    """Writes paragraphs to a stream. `hidden` is what stands for a covered number."""

    def __init__(self, out: TextIO, width: int = WIDTH) -> None:
        self.width = width
        self._out = out
        self._encoding = getattr(out, "encoding", None) or "utf-8"

    def say(self, text: str, hang: int = 0) -> None:
        """One paragraph, wrapped at spaces; a word longer than a line is broken."""
        lines = wrap(
            self.fit(text),
            self.width,
            subsequent_indent=" " * hang,
            break_on_hyphens=False,
            drop_whitespace=True,
        )
        self._put("\n".join(lines))

    def parts(self, parts: Iterable[Paragraph], *, airy: bool = False) -> None:
        """Several paragraphs, one below the other; `airy`: with empty lines around prose and drawings."""
        before: Paragraph | None = None
        for part in parts:
            if airy and before is not None and (before.prose or part.prose or before.raw != part.raw):
                self.blank()
            before = part
            if part.raw:
                self._put("\n".join(self.fit(line).rstrip() for line in part.text.split("\n")))
            else:
                self.say(part.text, part.hang)

    def blank(self) -> None:
        """An empty line."""
        self._put("")

    def prompt(self, text: str) -> None:
        """The start of a line that the learner goes on with."""
        self._put(self.fit(text), end="", flush=True)

    def echo(self, typed: str) -> None:
        """What was typed, where no terminal has shown it already; ends the line of the prompt."""
        self._put(self.fit(clean(typed)))

    def end_line(self) -> None:
        """Ends the line of the prompt, so that what follows begins on its own."""
        self._put("", flush=True)

    def _put(self, text: str, end: str = "\n", *, flush: bool = False) -> None:
        """Raises BrokenPipeError when nobody reads any more: a conversation is over then."""
        if not put(text, to=self._out, end=end, flush=flush):
            raise BrokenPipeError

    def fit(self, text: str) -> str:
        """The text in characters that the output has: others by their stand-ins, at last as `?`."""
        try:
            text.encode(self._encoding)
        except (UnicodeEncodeError, LookupError):
            plain = text.translate(_ASCII)
            encoding = self._encoding if self._known() else "ascii"
            return plain.encode(encoding, "replace").decode(encoding)
        return text

    def _known(self) -> bool:
        try:
            "".encode(self._encoding)
        except LookupError:
            return False
        return True

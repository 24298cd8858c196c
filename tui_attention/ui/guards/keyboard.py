"""From the terminal's bytes to Textual's events, whatever the bytes are.

Textual 8.2.8 hands what the terminal sends straight to its parser. Where that goes wrong:

- A byte that is not UTF-8 raises in the strict decoder, and the input thread takes the app down
  (Textualize/textual#6456).
- `ESC [ M` and three raw bytes, the X10 mouse report of old terminals, is no UTF-8 beyond column 95
  (no report found).
- A key report with a part too many (`ESC [ 97;5:3 u`) or no character at all (`ESC [ 99999999 u`) raises in
  the parser; a lone surrogate gets through it and raises later, in the thread that writes the screen
  (no report found).
- An unknown but complete sequence (a terminal's answer to somebody else's question), or half of one on a slow
  link, is retyped as single keys: an `m` or a `q` that nobody pressed (Textualize/textual#541 and #3742).
- A sequence that a link or a busy machine cuts behind its ESC is the Escape key and then its rest as letters
  (Textualize/textual#4816).
- `ESC` inside a bracketed paste does the same to the pasted text, and a paste that never ends swallows the
  keyboard for ever (no report found).
- A letter with Alt is a key that still carries the letter as its text (no report found).

`Keyboard` therefore cuts the bytes into whole keys, reports and pastes, and shows the parser nothing else.
"""

from __future__ import annotations

import contextlib
import re
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator

from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import XTermParser
from textual.message import Message
from textual.messages import InBandWindowResize

ESC = 0x1B
HALF_SEQUENCE = 0.1
"""Seconds until a lone ESC is the Escape key and half a sequence is given up."""
REJOINED = 2.0
"""Seconds within which the rest of what was given up is still known for what it is: a slow link cuts anywhere."""
HALF_PASTE = 2.0
"""Seconds of silence until a paste without an end is taken as it stands."""
BURST = 3
"""Different letters that arrive at once without being one text are more than a hand can press."""
LONGEST_SEQUENCE = 64
LONGEST_STRING = 4096
LONGEST_PASTE = 1_000_000
FARTHEST = 10_000

_PASTE_STARTS = b"\x1b[200~"
_PASTE_ENDS = b"\x1b[201~"
_STRINGS = frozenset(b"]P_^X")  # OSC, DCS, APC, PM, SOS: what terminals answer with, up to ST or BEL
_KNOWN = frozenset(key.encode() for key in ANSI_SEQUENCES_KEYS if len(key) > 1)  # rxvt's end in `$`
_X10_LENGTH = 6  # ESC [ M, button, column, row
_WINDOW_SIZE = re.compile(rb"\x1b\[48;.*t")
_CURSOR_ENDS = b"ABCDFH"
_MOUSE = re.compile(rb"\x1b\[<\d{1,5};\d{1,5};\d{1,5}[Mm]")
_WHOLE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~])")
_NO_TEXT = ("alt+", "ctrl+", "super+", "hyper+", "meta+")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


class EscapeTakenBack(events.Event):
    """The Escape before was no key but the beginning of the one that follows: a link had cut it in two."""


class Burst(events.Event):
    """Marks that arrived at once: one by one each may be a key, together they may be text."""

    def __init__(self, keys: tuple[events.Key, ...]) -> None:
        super().__init__()
        self.keys = keys

    @property
    def text(self) -> str:
        """The marks."""
        return "".join(key.character or "" for key in self.keys)


def _bursts(found: list[Message]) -> Iterator[Message]:
    """The events of one reading; where all of them are marks, and three letters among them differ, as a burst."""
    keys = tuple(event for event in found if isinstance(event, events.Key) and event.is_printable)
    letters = {key.character for key in keys if key.character and key.character.isalpha()}
    if len(keys) == len(found) and len(letters) >= BURST:
        yield Burst(keys)
    else:
        yield from found


class Keyboard:
    """A stream of bytes in, Textual's events out.

    `answered` is called with the payload of every operating system command that arrives (a terminal's answer
    about its colours); such an answer never becomes keys.
    """

    def __init__(
        self, answered: Callable[[bytes], None] | None = None, *, longest_paste: int = LONGEST_PASTE
    ) -> None:
        self._answered = answered
        self._longest_paste = longest_paste
        self._parser = XTermParser()
        self._decoder = getincrementaldecoder("utf-8")("ignore")
        self._sequence = bytearray()
        self._paste: bytearray | None = None
        self._since = 0.0
        self._given_up: tuple[bytes, float] | None = None
        self._tail = False  # the sequence at hand begins with an ESC that was given out as Escape

    @property
    def waiting(self) -> bool:
        """Whether a sequence or a paste has begun and not ended."""
        return bool(self._sequence) or self._paste is not None

    def close(self) -> None:
        """Let go of everything: a cache of Textual's class keeps each parser, and through it an app, for ever."""
        with contextlib.suppress(RuntimeError, StopIteration):
            list(self._parser.feed(""))
        XTermParser._parse_extended_key.cache_clear()
        self._parser = XTermParser()

    def feed(self, data: bytes, now: float) -> Iterator[Message]:
        """The events that `data` completes; `now` in seconds of any steady clock."""
        yield from _bursts(list(self._fed(data, now)))

    def _fed(self, data: bytes, now: float) -> Iterator[Message]:
        self._since = now
        self._rejoin(data, now)
        for byte in data:
            if self._paste is not None:
                yield from self._pasted(byte)
            elif self._sequence:
                yield from self._continued(byte)
            else:
                yield from self._plain(byte)

    def tick(self, now: float) -> Iterator[Message]:
        """The events that silence completes: the Escape key, or a paste that was never closed."""
        silence = now - self._since
        if self._paste is not None:
            if silence >= HALF_PASTE:
                yield from self._end_paste(self._paste)
        elif self._sequence and silence >= HALF_SEQUENCE:
            if self._tail:
                yield from self._retyped()
                return
            half = bytes(self._sequence)
            self._sequence.clear()
            self._given_up = half, now
            if len(half) == 1:
                yield events.Key("escape", "\x1b")

    def _rejoin(self, data: bytes, now: float) -> None:
        """Whether this is the rest of what silence has given up: then it goes on from there."""
        if self._given_up is None or not data:
            return
        (half, when), self._given_up = self._given_up, None
        if self._sequence or self._paste is not None or now - when > REJOINED:
            return
        if len(half) == 1 and data[0] in b"[O":
            self._sequence[:], self._tail = half, True
        elif len(half) > 1 and (found := _WHOLE.match(half + data)) and found.end() > len(half):
            bare = len(half) == 2 and data[0] in _CURSOR_ENDS
            if bare or (found.end() - len(half) > 1 and _is_input(found[0])):
                self._sequence[:] = half

    def _retyped(self) -> Iterator[Message]:
        """What looked like the rest of a sequence was typed after all: its marks, without the ESC."""
        marks = bytes(self._sequence[1:])
        self._sequence.clear()
        self._tail = False
        for byte in marks:
            yield from self._plain(byte)

    def _plain(self, byte: int) -> Iterator[Message]:
        if byte == ESC:
            self._decoder.reset()
            self._sequence.append(byte)
            return
        # A bad byte is left out, not shown as U+FFFD: nobody meant to type that into an answer.
        for mark in self._decoder.decode(bytes([byte])):
            yield from self._parsed(mark)

    def _continued(self, byte: int) -> Iterator[Message]:
        sequence = self._sequence
        if sequence.startswith(b"\x1b[M"):  # X10: the next three bytes are data, even an ESC
            sequence.append(byte)
            if len(sequence) == _X10_LENGTH:
                yield from self._finished()
            return
        if self._tail and not 0x20 <= byte < 0x7F:
            yield from self._retyped()
            yield from self._plain(byte)
            return
        if byte == ESC:
            yield from self._second_escape()
            return
        if len(sequence) > 1 and sequence[1] in _STRINGS:
            self._string(byte)
            return
        if len(sequence) == 1 and byte >= 0x80:  # Alt and a letter beyond ASCII: the letter
            sequence.clear()
            yield from self._plain(byte)
            return
        if len(sequence) > 1 and not 0x20 <= byte < 0x7F:  # cut off: Enter and Tab still count
            sequence.clear()
            yield from self._plain(byte)
            return
        sequence.append(byte)
        if _complete(sequence):
            yield from self._finished()
        elif len(sequence) > LONGEST_SEQUENCE:  # nonsense, but its end is still its end
            sequence.pop()

    def _second_escape(self) -> Iterator[Message]:
        """ESC within a sequence: the first half is given up, unless ESC and a backslash end a string."""
        if len(self._sequence) == 1:
            yield events.Key("escape", "\x1b")
        elif self._sequence[1] in _STRINGS:
            self._sequence.append(ESC)
            return
        self._sequence[:] = [ESC]

    def _string(self, byte: int) -> None:
        sequence = self._sequence
        if sequence[-1] == ESC:
            if byte == ord("\\"):
                self._answer(bytes(sequence[1:-1]))
                sequence.clear()
            else:  # not ST: a new sequence began
                sequence[:] = [ESC, byte]
        elif byte == 0x07:
            self._answer(bytes(sequence[1:]))
            sequence.clear()
        elif len(sequence) < LONGEST_STRING:
            sequence.append(byte)

    def _answer(self, text: bytes) -> None:
        if self._answered is not None and text.startswith(b"]"):
            self._answered(text[1:])

    def _finished(self) -> Iterator[Message]:
        sequence = bytes(self._sequence)
        if self._tail:
            if not _is_input(sequence):
                yield from self._retyped()
                return
            self._tail = False
            yield EscapeTakenBack()
        self._sequence.clear()
        if len(sequence) > LONGEST_SEQUENCE or _WINDOW_SIZE.match(sequence):
            return  # a report of the window's size, even a forged one, would scale every click after it
        if sequence == _PASTE_STARTS:
            self._paste = bytearray()
            return
        if sequence.startswith(b"\x1b[M"):
            button, column, row = (value - 32 for value in sequence[3:])
            if min(button, column - 1, row - 1) < 0:
                return
            # The parser reads only SGR reports. X10 does not say which button was let go: the left one.
            released = button & 0b1100011 == 3
            sequence = b"\x1b[<%d;%d;%d%s" % (
                0 if released else button,
                column,
                row,
                b"m" if released else b"M",
            )
        yield from self._parsed(sequence.decode("ascii"))

    def _parsed(self, text: str) -> Iterator[Message]:
        """Textual's own reading of one character or one whole sequence."""
        try:
            found = list(self._parser.feed(text))
            # `ESC x` is whole for us, half for the parser: it would wait. Alt and a letter end here.
            if self._parser._timeout_time is not None and len(text) == 2:
                self._parser._timeout_time = 0.0
                found += self._parser.tick()
        except (ArithmeticError, LookupError, RuntimeError, StopIteration, TypeError, ValueError):
            # The parser's generator is dead after any error of its own.
            found = []
            self._parser = XTermParser()
        if self._parser._timeout_time is not None:  # a whole sequence that it does not know
            self._parser = XTermParser()
        yield from map(_textless, filter(_harmless, found))

    def _pasted(self, byte: int) -> Iterator[Message]:
        paste = self._paste
        assert paste is not None
        paste.append(byte)
        if byte == ord("~") and paste.endswith(_PASTE_ENDS):
            yield from self._end_paste(paste[: -len(_PASTE_ENDS)])
        elif len(paste) > self._longest_paste:  # the start is kept, and enough of the end to see it
            del paste[self._longest_paste - 16 : -16]

    def _end_paste(self, paste: bytearray) -> Iterator[Message]:
        self._paste = None
        text = _CONTROLS.sub("", paste.decode("utf-8", "ignore"))
        if text:
            yield events.Paste(text)


def _complete(sequence: bytearray) -> bool:
    """Whether ESC and what follows is a whole control sequence or a key with Alt."""
    kind, last = sequence[1], sequence[-1]
    if kind == ord("["):
        if len(sequence) == 3 and last == ord("["):  # the Linux console's F1 to F5
            return False
        if sequence == b"\x1b[M":
            return False
        return len(sequence) > 2 and (0x40 <= last <= 0x7E or bytes(sequence) in _KNOWN)
    if kind == ord("O"):
        return len(sequence) > 2 and 0x40 <= last <= 0x7E
    return kind not in _STRINGS


def _is_input(sequence: bytes) -> bool:
    """Whether a whole sequence is a key, a click or the start of a paste, rather than an answer or nonsense."""
    return sequence in _KNOWN or sequence == _PASTE_STARTS or _MOUSE.fullmatch(sequence) is not None


def _textless(message: Message) -> Message:
    """A letter with Alt or Ctrl is a key, not a text: Textual's event carries the letter all the same."""
    if not isinstance(message, events.Key) or not message.key.startswith(_NO_TEXT):
        return message
    return events.Key(message.key, None) if message.is_printable else message


def _harmless(message: Message) -> bool:
    """Leaves out what could not be drawn, places on no screen, and sizes: SIGWINCH brings the true one."""
    if isinstance(message, events.Key) and message.character is not None:
        return not any("\ud800" <= mark <= "\udfff" for mark in message.character)
    if isinstance(message, events.MouseEvent):
        return max(message.x, message.y) < FARTHEST
    return not isinstance(message, events.Resize | InBandWindowResize)

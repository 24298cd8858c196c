"""Byte-pair encoding in plain Python: a text to the ids of a model's vocabulary, and back.

Own code and no library: it is short, needs nothing installed, and gives the reference's ids on hostile texts.
"""

from __future__ import annotations

import heapq
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from tui_attention.engine.errors import BadInput
from tui_attention.engine.tensor import BLANK
from tui_attention.models.splitting import pieces
from tui_attention.output import unsure

Prefix = Literal["", "always", "missing"]
SPACE = "\u2581"  # stands for a space in vocabularies of the SentencePiece kind


def _alphabet() -> dict[int, str]:
    """GPT-2's letter for each byte: printable ones stand for themselves, the others from U+0100 on."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {**{byte: chr(byte) for byte in plain}, **{byte: chr(256 + n) for n, byte in enumerate(others)}}


_LETTERS: Mapping[int, str] = _alphabet()
_BYTES: Mapping[str, int] = {letter: byte for byte, letter in _LETTERS.items()}


@dataclass(frozen=True, slots=True)
class Encoded:
    """The ids of a text, and the bytes that the vocabulary lacks and that are therefore left out."""

    ids: tuple[int, ...]
    dropped: bytes = b""


@dataclass(frozen=True, eq=False, slots=True)
class Tokenizer:
    """A vocabulary with its merges. Tokens and merges are UTF-8 in the vocabulary's own letters.

    `merges` ranks `left right`; with `scores` a pair ranks by the score of what it makes. `patterns` cut the text
    first; without any it stays whole and spaces become `SPACE`. `prefix`: whether a space is put before the text,
    always or where there is none. `control` are texts that are read as one token.
    """

    vocabulary: Mapping[bytes, int]
    tokens: tuple[bytes, ...]
    merges: Mapping[bytes, int] = field(default_factory=dict)
    scores: Mapping[bytes, float] | None = None
    control: Mapping[str, int] = field(default_factory=dict)
    patterns: tuple[str, ...] = ()
    bytewise: bool = True
    compose: bool = False
    prefix: Prefix = ""
    whole_first: bool = False
    unknown: int | None = None
    _known: dict[str, tuple[tuple[int, ...], bytes]] = field(default_factory=dict)

    # ------------------------------------------------------------ to ids

    def encode(self, text: str) -> Encoded:
        """The ids of a text; control tokens written in it are read as such, nothing is put before it.

        Raises BadInput for a text that is no Unicode (half of a pair, bytes that are no UTF-8).
        """
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise BadInput("the text holds bytes that are no UTF-8") from None
        ids, dropped, first = list[int](), bytearray(), True
        for part, control in self._parts(text):
            if control is not None:
                ids.append(control)
            else:
                for piece in self._pieces(part, first):
                    found, lost = self._piece(piece)
                    ids += found
                    dropped += lost
            first = False
        return Encoded(tuple(ids), bytes(dropped))

    def _parts(self, text: str) -> Iterable[tuple[str, int | None]]:
        if not self.control:
            return [(text, None)] if text else []
        names = sorted(self.control, key=len, reverse=True)
        cut = re.split("(" + "|".join(map(re.escape, names)) + ")", text)
        return [(part, self.control[part] if place % 2 else None) for place, part in enumerate(cut) if part]

    def _pieces(self, text: str, first: bool) -> list[str]:
        if self.compose:
            text = unicodedata.normalize("NFC", text)
        if not self.bytewise:
            spaced = text.replace(" ", SPACE)
            before = self.prefix == "always" or (self.prefix == "missing" and not spaced.startswith(SPACE))
            return [SPACE + spaced if before and first else spaced]
        if self.prefix and not text[:1].isspace():
            text = " " + text
        return pieces(text, self.patterns)

    def _piece(self, piece: str) -> tuple[tuple[int, ...], bytes]:
        if piece not in self._known:
            found = self._bytes(piece) if self.bytewise else self._characters(piece)
            if len(piece) > 40:
                return found
            self._known[piece] = found
        return self._known[piece]

    def _bytes(self, piece: str) -> tuple[tuple[int, ...], bytes]:
        raw = piece.encode("utf-8")
        letters = [_LETTERS[byte].encode() for byte in raw]
        whole = b"".join(letters)
        if self.whole_first and whole in self.vocabulary:
            return (self.vocabulary[whole],), b""
        there = [letter for letter in letters if letter in self.vocabulary]
        lost = b""
        if len(there) < len(letters):
            lost = bytes(byte for byte, letter in zip(raw, letters, strict=True) if letter not in self.vocabulary)
        return tuple(self.vocabulary[token] for token in self._merged(there)), lost

    def _characters(self, piece: str) -> tuple[tuple[int, ...], bytes]:
        """Characters that the vocabulary lacks become bytes `<0xE2>`, after the merges as before them."""
        ids, lost = list[int](), bytearray()
        for token in self._merged([char.encode() for char in piece]):
            if token in self.vocabulary:
                ids.append(self.vocabulary[token])
                continue
            names = [b"<0x%02X>" % byte for byte in token]
            if all(name in self.vocabulary for name in names):
                ids += [self.vocabulary[name] for name in names]
            elif self.unknown is not None:
                ids.append(self.unknown)
            else:
                lost += token
        return tuple(ids), bytes(lost)

    def _rank(self, left: bytes, right: bytes) -> float | None:
        if self.scores is None:
            return self.merges.get(left + b" " + right)
        score = self.scores.get(left + right)
        return None if score is None else -score

    def _merged(self, parts: list[bytes]) -> list[bytes]:
        """Neighbours joined, always the best-ranked pair first, of equal ones the leftmost."""
        size = len(parts)
        if size < 2:
            return parts
        before, after = list(range(-1, size - 1)), list(range(1, size + 1))
        waiting: list[tuple[float, int, bytes, bytes]] = []

        def offer(place: int) -> None:
            if place >= 0 and after[place] < size:
                left, right = parts[place], parts[after[place]]
                rank = self._rank(left, right)
                if rank is not None:
                    heapq.heappush(waiting, (rank, place, left, right))

        for place in range(size - 1):
            offer(place)
        while waiting:
            _, place, left, right = heapq.heappop(waiting)
            other = after[place]
            if parts[place] != left or other >= size or parts[other] != right or not left:
                continue  # one of the two was joined elsewhere meanwhile
            parts[place], parts[other] = left + right, b""
            after[place] = after[other]
            if after[place] < size:
                before[after[place]] = place
            offer(before[place])
            offer(place)
        return [part for part in parts if part]

    # ------------------------------------------------------------ to text

    def raw(self, token: int) -> bytes:
        """The bytes that a token stands for; a control token's own name."""
        written = self.tokens[token]
        if self.bytewise:
            text = written.decode("utf-8")
            if token in self.control.values() or any(letter not in _BYTES for letter in text):
                return written
            return bytes(_BYTES[letter] for letter in text)
        if re.fullmatch(rb"<0x[0-9A-F]{2}>", written):
            return bytes([int(written[3:5], 16)])
        return written.replace(SPACE.encode(), b" ")

    def text(self, token: int) -> str:
        """One token as text; what is no whole character shows as the replacement mark."""
        return self.raw(token).decode("utf-8", "replace") if 0 <= token < len(self.tokens) else f"<{token}>"

    def decode(self, ids: Iterable[int]) -> str:
        """The text of several tokens; a character may be spread over some of them."""
        known = b"".join(self.raw(token) if token < len(self.tokens) else b"" for token in ids)
        return known.decode("utf-8", "replace")

    def label(self, token: int) -> str:
        """One token for a row's label: blanks and bytes that are no character made visible."""
        if not 0 <= token < len(self.tokens):
            return f"<{token}>"
        shown = []
        for char in self.raw(token).decode("utf-8", "surrogateescape"):
            if char == " ":
                shown.append(BLANK)
            elif 0xDC80 <= ord(char) <= 0xDCFF:
                shown.append(f"<{ord(char) - 0xDC00:02X}>")
            elif char.isprintable() and not unsure(char):
                shown.append(char)
            else:
                shown.append({"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(char, f"<{ord(char):02X}>"))
        return "".join(shown)

"""Bytes to events: Textual's own reading of good input, and nothing from bad input."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import XTermParser

from tui_attention.ui.guards.keyboard import HALF_PASTE, HALF_SEQUENCE, Burst, Keyboard

LATER = max(HALF_PASTE, HALF_SEQUENCE) + 1.0


def read(*chunks: bytes) -> list[str]:
    """What comes of the chunks, silence at the end."""
    keyboard = Keyboard()
    found = [message for chunk in chunks for message in keyboard.feed(chunk, 0.0)]
    found += keyboard.tick(LATER)
    assert not keyboard.waiting
    single = [key for message in found for key in (message.keys if isinstance(message, Burst) else (message,))]
    return [told(message) for message in single]


def told(message: object) -> str:
    match message:
        case events.Key():
            return message.key
        case events.Paste():
            return f"paste {message.text}"
        case events.MouseEvent():
            return f"{type(message).__name__} {message.button} {message.x:.0f},{message.y:.0f}"
        case _:
            return type(message).__name__


def as_textual_reads(sequence: str) -> list[str]:
    parser = XTermParser()
    theirs = list(parser.feed(sequence))
    if parser._timeout_time is not None:
        parser._timeout_time = 0.0
        theirs += parser.tick()
    return [told(event) for event in theirs]


def test_every_key_that_textual_knows_reads_as_textual_reads_it() -> None:
    for sequence in sorted(ANSI_SEQUENCES_KEYS):
        expected = as_textual_reads(sequence)
        if sequence == "\x1b\x1b":  # two Escapes in one: theirs is what a slow hand would get
            expected = ["escape", "escape"]
        assert read(sequence.encode()) == expected, repr(sequence)
        assert read(*(bytes([byte]) for byte in sequence.encode())) == expected, repr(sequence)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"12.5\r", ["1", "2", "full_stop", "5", "enter"]),
        ("−½é".encode(), ["minus_sign", "½", "é"]),
        (b"\x1b", ["escape"]),
        (b"\x1b\x1b[A", ["escape", "up"]),
        (b"\x1bx", ["alt+x"]),
        (b"\x1b[97;5u", ["ctrl+a"]),
        (b"\x1b[<0;5;3M\x1b[<0;5;3m", ["MouseDown 1 4,2", "MouseUp 1 4,2"]),
        (b"\x1b[200~1.5\r\n2\x1b[201~n", ["paste 1.5\r\n2", "n"]),
        (b"\x1b[I\x1b[O", ["AppFocus", "AppBlur"]),
        (b"\x1b[?2026;2$y", ["TerminalSupportsSynchronizedOutput"]),
    ],
)
def test_good_input(data: bytes, expected: list[str]) -> None:
    assert read(data) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b"1\xff\xfe\xc3(2", ["1", "left_parenthesis", "2"], id="not UTF-8"),
        pytest.param(b"\x1b[M !!n", ["MouseDown 1 0,0", "n"], id="X10 press"),
        pytest.param(b"\x1b[M#\xff\xe9n", ["MouseUp 1 222,200", "n"], id="X10 release, beyond ASCII"),
        pytest.param(b"\x1b[M\n\n\nabc", ["a", "b", "c"], id="X10 nonsense"),
        pytest.param(b"\x1b[M \x1b!n", ["n"], id="X10 with an ESC in it"),
        pytest.param(b"\x1b[M!", [], id="half an X10 report"),
        pytest.param(b"\x1b[97;5:3un", ["n"], id="key event type"),
        pytest.param(b"\x1b[1:2un", ["n"], id="key without a number"),
        pytest.param(b"\x1b[99999999un", ["n"], id="no such character"),
        pytest.param(b"\x1b[97;1;99999999999un", ["n"], id="no such text"),
        pytest.param(b"\x1b[55296;1un", ["n"], id="a surrogate"),
        pytest.param(b"\x1b[48;0;0;0;0t\x1b[<0;3;3M", ["MouseDown 1 2,2"], id="resized to nothing"),
        pytest.param(b"\x1b[48;9999;9999;1;1tn", ["n"], id="resized to everything"),
        pytest.param(b"\x1b[?2048;2$yn", ["n"], id="a resizing mode nobody asked for"),
        pytest.param(b"\x1b[?62;4cq", ["q"], id="an answer nobody asked for"),
        pytest.param(b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\n", ["n"], id="a colour, ST"),
        pytest.param(b"\x1b]11;rgb:ffff/ffff/ffff\x07n", ["n"], id="a colour, BEL"),
        pytest.param(b"\x1bP1+r436f=323536\x1b\\n", ["n"], id="a capability"),
        pytest.param(b"\x1b[", [], id="half a sequence"),
        pytest.param(b"\x1b[12;", [], id="more of a sequence"),
        pytest.param(b"\x1b[12\r", ["enter"], id="a sequence cut off by Enter"),
        pytest.param(b"\x1b[" + b"1" * 500 + b"un", ["n"], id="a sequence without end"),
        pytest.param(b"\x1b]" + b"1" * 9000 + b"\x07n", ["n"], id="a string without end"),
        pytest.param(b"\x1b[200~a\x1bq\x1b[31mb\x00\x07c\x1b[201~n", ["paste aq[31mbc", "n"], id="dirty paste"),
        pytest.param(b"\x1b[200~a\x1b[200~b\x1b[201~\x1b[201~n", ["paste a[200~b", "n"], id="nested paste"),
        pytest.param(b"\x1b[200~12.5", ["paste 12.5"], id="a paste without an end"),
        pytest.param(b"\x1b[200~1\xff2\x1b[201~", ["paste 12"], id="paste that is not UTF-8"),
        pytest.param(b"\x1b[<0;99999999999999999999;1Mn", ["n"], id="a click on the moon"),
    ],
)
def test_bad_input(data: bytes, expected: list[str]) -> None:
    assert read(data) == expected
    if b"M" not in data:
        assert read(*(bytes([byte]) for byte in data)) == expected


def test_a_sequence_that_comes_in_two_halves_is_one_key() -> None:
    assert read(b"\x1b[", b"A") == ["up"]
    assert read(b"\x1b[20", b"0~1.", b"5\x1b[2", b"01~") == ["paste 1.5"]


def test_after_half_a_sequence_has_been_given_up_keys_count_again() -> None:
    keyboard = Keyboard()
    assert not list(keyboard.feed(b"\x1b[1;", 0.0))
    assert not list(keyboard.tick(HALF_SEQUENCE / 2))
    assert not list(keyboard.tick(HALF_SEQUENCE))
    assert [told(event) for event in keyboard.feed(b"12\x1b[A", 1.0)] == ["1", "2", "up"]


def test_an_endless_paste_keeps_its_start_and_sees_its_end() -> None:
    (paste, after) = read(b"\x1b[200~" + b"12" * 600_000 + b"\x1b[201~n")
    assert paste.startswith("paste 1212")
    assert len(paste) < 1_000_100
    assert after == "n"


def test_answers_about_colours_are_handed_on() -> None:
    answers: list[bytes] = []
    keyboard = Keyboard(answers.append)
    assert not list(keyboard.feed(b"\x1b]11;rgb:00/00/00\x07\x1b]11;rgb:ff/ff/ff\x1b\\", 0.0))
    assert answers == [b"11;rgb:00/00/00", b"11;rgb:ff/ff/ff"]


PIECES = st.one_of(
    st.binary(max_size=6),
    st.sampled_from([b"\x1b", b"\x1b[", b"\x1b[M", b"\x1b[<", b"\x1b[200~", b"\x1b[201~", b"\x1b]", b"\x1bO"]),
    st.sampled_from([key.encode() for key in sorted(ANSI_SEQUENCES_KEYS)]),
    st.from_regex(rb"\x1b\[[0-9:;<?]{0,12}[a-zA-Z~$]", fullmatch=True),
)


@given(st.lists(PIECES, max_size=30))
def test_no_bytes_raise_and_the_keyboard_works_afterwards(pieces: list[bytes]) -> None:
    keyboard = Keyboard()
    for piece in pieces:
        for message in keyboard.feed(piece, 0.0):
            if isinstance(message, events.Key) and message.character:
                message.character.encode()
    list(keyboard.tick(LATER))
    assert [told(event) for event in keyboard.feed(b"n\x1b[A", LATER)] == ["n", "up"]

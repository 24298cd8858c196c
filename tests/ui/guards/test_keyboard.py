"""The same bytes to plain Textual: where it no longer goes wrong, `guards/keyboard.py` has less to do."""

from __future__ import annotations

import os
from threading import Timer

import pytest
from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from tui_attention.ui.guards.keyboard import HALF_SEQUENCE, EscapeTakenBack, Keyboard


def plain(*pieces: str) -> list[Message]:
    """What Textual's own parser makes of it."""
    parser = XTermParser()
    return [message for piece in pieces for message in parser.feed(piece)]


def guarded(*pieces: bytes | float) -> list[Message]:
    """What ours makes of it; a number is a silence in seconds."""
    keyboard, now = Keyboard(), 0.0
    found: list[Message] = []
    for piece in pieces:
        if isinstance(piece, float):
            now += piece
            found += keyboard.tick(now)
        else:
            found += keyboard.feed(piece, now)
    return [*found, *keyboard.tick(now + 9.0)]


def keys(messages: list[Message]) -> list[str]:
    return [message.key if isinstance(message, events.Key) else type(message).__name__ for message in messages]


async def test_a_byte_that_is_not_utf8_still_ends_textuals_input_thread(driver: LinuxDriver) -> None:
    reading, writing = os.pipe()
    timer = Timer(1.0, driver.exit_event.set)
    try:
        os.write(writing, b"1\xff2")
        driver.fileno = reading
        timer.start()  # a thread that goes on would go on for ever
        with pytest.raises(UnicodeDecodeError):
            driver.run_input_thread()
    finally:
        timer.cancel()
        os.close(reading)
        os.close(writing)
    assert keys(guarded(b"1\xff2")) == ["1", "2"]


def test_an_impossible_key_report_still_raises_in_textuals_parser() -> None:
    for report in ("\x1b[97;5:3u", "\x1b[99999999u"):
        with pytest.raises((ValueError, OverflowError, LookupError, RuntimeError)):
            plain(report)
        assert guarded(report.encode()) == []


def test_an_answer_nobody_asked_for_is_still_retyped_by_textual() -> None:
    answer = "\x1b[?62;4c"
    parser = XTermParser()
    found = [*parser.feed(answer), *parser.feed("\x1b"), *parser.feed("")]
    assert any(isinstance(message, events.Key) and message.character for message in found)
    assert guarded(answer.encode()) == []


def test_a_letter_with_alt_still_has_a_text_in_textual() -> None:
    parser = XTermParser()
    list(parser.feed("\x1bn"))
    parser._timeout_time = 0.0
    (key,) = parser.tick()
    assert isinstance(key, events.Key)
    assert key.key == "alt+n"
    assert key.is_printable
    for data in (b"\x1b[110;3u", b"\x1bn"):
        (ours,) = guarded(data)
        assert isinstance(ours, events.Key)
        assert not ours.is_printable


def test_escape_inside_a_paste_is_still_taken_apart_by_textual() -> None:
    found = plain("\x1b[200~a\x1bqb\x1b[201~")
    assert [message.text for message in found if isinstance(message, events.Paste)] != ["aqb"]
    (paste,) = guarded(b"\x1b[200~a\x1bqb\x1b[201~")
    assert isinstance(paste, events.Paste)
    assert paste.text == "aqb"


# ---------------------------------------------------------------- cut by a slow link


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        pytest.param((b"12\x1b", 0.2, b"[D", b"7"), ["1", "2", "escape", "EscapeTakenBack", "left", "7"], id="arrow"),
        pytest.param((b"\x1b", 0.2, b"[", 0.05, b"D"), ["escape", "EscapeTakenBack", "left"], id="in three"),
        pytest.param((b"\x1b", 1.5, b"[3~"), ["escape", "EscapeTakenBack", "delete"], id="a long while"),
        pytest.param((b"\x1b", 0.2, b"[<0;3;4M"), ["escape", "EscapeTakenBack", "MouseDown"], id="click"),
        pytest.param((b"\x1b", 0.2, b"[200~ab\x1b[201~"), ["escape", "EscapeTakenBack", "Paste"], id="paste"),
        pytest.param((b"\x1b[", 0.2, b"D"), ["left"], id="behind the bracket"),
        pytest.param((b"\x1b[1;", 0.2, b"5C"), ["ctrl+right"], id="in the numbers"),
        pytest.param((b"\x1b", 0.2, b"[", 0.2, b"n"), ["escape", "left_square_bracket", "n"], id="typed after Esc"),
        pytest.param((b"\x1b", 0.2, b"[n"), ["escape", "left_square_bracket", "n"], id="typed quickly"),
        pytest.param((b"\x1b", 0.2, 5.0, b"[D"), ["escape", "left_square_bracket", "D"], id="much later"),
        pytest.param((b"\x1b[", 0.2, b"5"), ["5"], id="a digit behind half a sequence"),
        pytest.param((b"\x1b[1;", 0.2, b"2", b"3"), ["2", "3"], id="digits behind half a sequence"),
        pytest.param((b"\x1b", 0.2, b"2"), ["escape", "2"], id="a digit behind Esc"),
    ],
)
def test_a_cut_sequence_is_the_key_it_was(pieces: tuple[bytes | float, ...], expected: list[str]) -> None:
    assert keys(guarded(*pieces)) == expected


def test_textual_itself_makes_escape_and_letters_of_a_cut_arrow() -> None:
    parser = XTermParser()
    found = list(parser.feed("\x1b"))
    assert parser._timeout_time is not None
    parser._timeout_time = 0.0
    found += [*parser.tick(), *parser.feed("[D")]
    assert keys(found) == ["escape", "left_square_bracket", "D"]
    assert HALF_SEQUENCE < 0.3
    assert issubclass(EscapeTakenBack, events.Event)

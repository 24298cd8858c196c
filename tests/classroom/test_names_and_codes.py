from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_attention.classroom.auth import Bucket, Gate, Tries, new_code, new_token, readable, same_code, same_token
from tui_attention.classroom.hub.names import clean_name, identity, is_teacher


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("ada", "ada"),
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("[@click=app.quit]bob[/]", "clickapp.quitbob"),
        ("\x1b]0;pwn\x07\x1b[31mred", "0pwn31mred"),
        ("../../etc/passwd", "....etcpasswd"),
        ("\u202egnp", "gnp"),
        ("a" * 500, "a" * 24),
        ("  ", "guest"),
        ("", "guest"),
        ("名前", "guest"),
        ("a\nb\tc", "abc"),
        ("Ada   L.", "Ada L."),
    ],
)
def test_names_are_cleaned(raw: str, shown: str) -> None:
    assert clean_name(raw) == shown


@given(st.text(max_size=80))
def test_a_clean_name_is_harmless_whatever_it_was(raw: str) -> None:
    name = clean_name(raw)
    assert 1 <= len(name) <= 24
    assert clean_name(name) == name
    assert all(mark.isalnum() or mark in " ._-" for mark in name)
    assert not any(unicodedata.combining(mark) or unicodedata.east_asian_width(mark) in "WF" for mark in name)
    assert identity(name) == identity(raw)


@pytest.mark.parametrize("raw", ["teacher", "TEACHER", " Teacher ", "teacher\u200b"])
def test_nobody_is_called_teacher_without_the_token(raw: str) -> None:
    assert is_teacher(raw)


def test_codes_and_tokens() -> None:
    code = new_code()
    assert same_code(readable(code).lower(), code)
    assert same_code(f" {code[:4]} {code[4:]} ", code)
    assert not same_code(code[:-1], code)
    assert not same_code("", code)
    assert not same_code(code + code, code)
    assert same_code("oOiIlL22", "00111122")
    token = new_token()
    assert same_token(f" {token}\n", token)
    assert not same_token(token[:-1], token)
    assert not same_token(token.upper() + "x", token)
    assert len({new_code() for _ in range(200)}) == 200


def test_wrong_codes_wait_longer_each_time_and_never_for_ever() -> None:
    gate = Gate()
    waits = [gate.failed("10.0.0.1", float(n)) for n in range(12)]
    assert waits == [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.0, 4.0, 4.0, 4.0]
    assert gate.failed("10.0.0.2", 12.0) == 0.5
    assert gate.failed("10.0.0.1", 500.0) == 0.5
    tries = Tries()
    assert [tries.failed() for _ in range(4)] == [False, False, False, True]


def test_a_whole_class_may_connect_at_once_a_flood_may_not() -> None:
    gate = Gate()
    assert all(gate.may_connect("10.0.0.1", 0.0) for _ in range(90))
    assert not gate.may_connect("10.0.0.1", 0.0)
    assert gate.may_connect("10.0.0.2", 0.0)
    assert gate.may_connect("10.0.0.1", 1.0)


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 3)), max_size=60))
def test_a_bucket_never_gives_more_than_its_rate(asks: list[tuple[float, float]]) -> None:
    bucket, now, taken = Bucket(2.0, 5.0), 0.0, 0.0
    for wait, amount in asks:
        now += wait
        if bucket.take(now, amount):
            taken += amount
        assert taken <= 5.0 + 2.0 * now + 1e-6


def test_what_is_owed_is_waited_for() -> None:
    bucket = Bucket(10.0, 5.0)
    assert bucket.owe(0.0, 5.0) == 0.0
    assert bucket.owe(0.0, 20.0) == pytest.approx(2.0)
    assert not bucket.take(1.9)
    assert bucket.take(2.2)


def test_a_large_class_may_come_in_at_once() -> None:
    gate = Gate()
    gate.expect(150)
    assert sum(gate.may_connect("10.0.0.1", 0.0) for _ in range(400)) == 225

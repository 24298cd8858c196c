"""What a typed line is read as: every style of number, arithmetic left undone, and what is refused."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tui_attention.judge import reading as reading_module
from tui_attention.judge.arithmetic import MAX_DEPTH, NamedNumber, Typed, TypedOp, parse
from tui_attention.judge.number import MAX_DIGITS
from tui_attention.judge.reading import (
    MAX_TYPED,
    as_percent,
    evaluate,
    is_exp_of_zero,
    looks_like_percent,
    outcomes,
    read,
)

NUMBERS = [
    (".92", 0.92, 2),
    ("+.92", 0.92, 2),
    ("-.87", -0.87, 2),
    ("- 0.87", -0.87, 2),
    ("0.920", 0.92, 3),
    ("007", 7.0, 0),
    ("\u22120.87", -0.87, 2),
    ("\uff0d0.87", -0.87, 2),
    ("\ufe630.87", -0.87, 2),
    ("\u20130.87", -0.87, 2),
    ("\u20140.87", -0.87, 2),
    ("\u20120.87", -0.87, 2),
    ("\u20100.87", -0.87, 2),
    ("\u20150.87", -0.87, 2),
    ("\u207b0.87", -0.87, 2),
    ("\u30fc0.87", -0.87, 2),
    ("\uff0b0.87", 0.87, 2),
    ("－０．８７", -0.87, 2),
    ("٠٫٩٢", 0.92, 2),
    ("०.९२", 0.92, 2),
    ("\U0001d7ce.\U0001d7d7", 0.9, 1),
    ("\u00a00.92\u3000", 0.92, 2),
    ("\u200b0.92\ufeff", 0.92, 2),
    ("\t0.92\r\n", 0.92, 2),
    ("0,92", 0.92, 2),
    ("0,234", 0.234, 3),
    (",5", 0.5, 1),
    ("1.234", 1.234, 3),
    ("1,2345", 1.2345, 4),
    ("1,234.5", 1234.5, 1),
    ("1.234,5", 1234.5, 1),
    ("1 234,5", 1234.5, 1),
    ("1\u202f234,5", 1234.5, 1),
    ("1 234.5", 1234.5, 1),
    ("1 234", 1234.0, 0),
    ("1'234.50", 1234.5, 2),
    ("1.234.567", 1234567.0, 0),
    ("1,234,567", 1234567.0, 0),
    ("9.2e-1", 0.92, 2),
    ("9.2E\u22121", 0.92, 2),
    ("9.2e+1", 92.0, 0),
    ("9e2", 900.0, 0),
    ("-87/100", -0.87, 2),
    ("-87 / 100", -0.87, 2),
    ("\u221287\u2044100", -0.87, 2),
    ("2/1", 2.0, 0),
    ("0/7", 0.0, 0),
    ("1/3", 1 / 3, None),
    ("-2/3", -2 / 3, None),
    ("\u00bd", 0.5, 1),
    ("0.92.", 0.92, 2),
    ("92.", 92.0, 0),
    ("=0.92", 0.92, 2),
    ("= 0.92", 0.92, 2),
    ("0.92 =", 0.92, 2),
    ("q[0] = 0.92", 0.92, 2),
    ("q [0,2]=-0.92", -0.92, 2),
    ("q[0]: 0.92", 0.92, 2),
    ('splitter["."] = 3', 3.0, 0),
    ("sigma1 = 0.57", 0.57, 2),
    ("~0.92", 0.92, 2),
    ("\u22480.92", 0.92, 2),
    ("=~ 0.92", 0.92, 2),
    ("(0.92)", 0.92, 2),
    ("(( -0.92 ))", -0.92, 2),
    ("(1.10-0.1067)/0.5736 = 1.73", 1.73, 2),
    ("-(0.49)", -0.49, 2),
    ("-( -0.49 )", 0.49, 2),
    ("\u2212(0,49)", -0.49, 2),
    ("minus 0.49", -0.49, 2),
    ("about 0.58", 0.58, 2),
    ("q[0] = approx. -(0.49)?", -0.49, 2),
    ("0.58?", 0.58, 2),
    ("0.58\u2026", 0.58, 2),
    ("0.58...", 0.58, 2),
    ('"0.58"', 0.58, 2),
    ("\u201c0,58\u201d", 0.58, 2),
    ("\u00ab 0.58 \u00bb", 0.58, 2),
    ("0.58 (rounded)", 0.58, 2),
    ("0.58 (to 2 decimals)", 0.58, 2),
    ("0.58 [I think].", 0.58, 2),
    ("0.58 (?)", 0.58, 2),
]


@pytest.mark.parametrize(("text", "value", "decimals"), NUMBERS)
def test_a_number_is_read(text: str, value: float, decimals: int | None) -> None:
    found = read(text)
    assert found.kind == "number"
    assert [(n.value, n.decimals) for n in found.numbers] == [(value, decimals)]
    assert found.echo
    assert found.why == ""
    assert found.expression is None


@pytest.mark.parametrize("text", ["1,234", "-1,234", "12,345", "１，２３４"])
def test_a_comma_before_three_digits_is_read_both_ways(text: str) -> None:
    thousand, decimal = read(text).numbers
    assert thousand.value == 1000 * decimal.value
    assert (thousand.decimals, decimal.decimals) == (0, 3)
    assert read(text).echo == f"{thousand.text} or {decimal.text}"


@pytest.mark.parametrize("text", ["-0.00", "0.00", "+0.00", "\u22120.00", "0,00"])
def test_zero_has_no_sign(text: str) -> None:
    (number,) = read(text).numbers
    assert (number.value, number.decimals, number.text) == (0.0, 2, "0.00")
    assert math.copysign(1.0, number.value) == 1.0


def test_bare_zeros_are_one_number() -> None:
    assert read("-0").numbers == read("0").numbers


def test_a_label_is_kept() -> None:
    assert read("q [0, 2] = 0.92").label == "q[0,2]"
    assert read("0.92").label == ""
    assert read("q[0] = 1.1*2").label == "q[0]"


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [("92%", 0.92, 2), ("92 %", 0.92, 2), ("91.8%", 0.918, 3), ("９２％", 0.92, 2), ("-5%", -0.05, 2),
     ("92 percent", 0.92, 2), ("92%.", 0.92, 2), ("p[0,1] = 92%", 0.92, 2), ("100%", 1.0, 2),
     ("33,3%", 0.333, 3), ("9.2e1%", 0.92, 2)],
)  # fmt: skip
def test_percent_in_a_share_stage(text: str, value: float, decimals: int) -> None:
    found = read(text, shares=True)
    assert [(n.value, n.decimals) for n in found.numbers] == [(value, decimals)]
    assert found.echo.endswith(f"= {found.numbers[0].text}")


def test_percent_elsewhere_is_explained() -> None:
    found = read("92%")
    assert found.kind == "unreadable"
    assert found.numbers == ()
    assert "percent" in found.why


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [("92", 0.918, True), ("91.8", 0.918, True), ("91.83", 0.91834, True), ("92", 0.93, False),
     ("0.92", 0.918, False), ("1", 1.0, False), ("100", 1.0, True), ("50", 0.5, True), ("0", 0.0, False),
     ("1/3", 0.0033, False), ("33.3", 1 / 3, True), ("hello", 0.5, False)],
)  # fmt: skip
def test_a_missing_percent_sign_shows(text: str, value: float, expected: bool) -> None:
    assert looks_like_percent(read(text, shares=True), value, 2) is expected


def test_as_percent_moves_two_places() -> None:
    assert [(n.value, n.decimals, n.text) for n in as_percent(read("-91.8"))] == [(-0.918, 3, "-0.918")]
    assert [n.decimals for n in as_percent(read("1/3"))] == [None]


ARITHMETIC = [
    ("(1.10-0.1067)/0.5736", (1.10 - 0.1067) / 0.5736),
    ("(1,10\u22120,1067)\u00f70,5736", (1.10 - 0.1067) / 0.5736),
    ("q[0] = (1.10-0.1067)/0.5736", (1.10 - 0.1067) / 0.5736),
    ("1.1*2", 2.2),
    ("1.1x2", 2.2),
    ("1.1 X 2", 2.2),
    ("1.1\u00d72", 2.2),
    ("1.1\u00b72", 2.2),
    ("1.1\u22c52", 2.2),
    ("1.73(0.2)", 0.346),
    ("(2)(3)", 6.0),
    ("(2)3", 6.0),
    ("[1+2]*3", 9.0),
    ("{1+2}/3", 1.0),
    ("sqrt(3)", math.sqrt(3)),
    ("root 3", math.sqrt(3)),
    ("root(3)", math.sqrt(3)),
    ("root of 3", math.sqrt(3)),
    ("\u221a3", math.sqrt(3)),
    ("2\u221a3", 2 * math.sqrt(3)),
    ("-0.71/root3", -0.71 / math.sqrt(3)),
    ("0.8*cos(1)-(-0.4)*sin(1)", 0.8 * math.cos(1) + 0.4 * math.sin(1)),
    ("0.8 cos 1 + 0.4 sin 1", 0.8 * math.cos(1) + 0.4 * math.sin(1)),
    ("-log(0.25)", -math.log(0.25)),
    ("ln 2", math.log(2)),
    ("-1.37*sigmoid(-1.37)", -1.37 / (1 + math.exp(1.37))),
    ("SiLU(-1.37)", -1.37 / (1 + math.exp(1.37))),
    ("gelu(1)", 0.5 * (1 + math.erf(1 / math.sqrt(2)))),
    ("tanh(0.5)/relu(2)", math.tanh(0.5) / 2),
    ("max(0.3, -0.2, 0.5)", 0.5),
    ("max(0.3,0.4) - min(1;2)", -0.6),
    ("abs(-0.4)", 0.4),
    ("exp(0)", 1.0),
    ("exp -0.5", math.exp(-0.5)),
    ("e^-0.5", math.exp(-0.5)),
    ("e**(1-2)", math.exp(-1)),
    ("EXP(1)/(exp(1)+exp(2))", math.e / (math.e + math.e**2)),
    ("0.2*Phi(0)", 0.1),
    ("0.2\u03a6(0)", 0.1),
    ("-2^2", -4.0),
    ("2^3^2", 512.0),
    ("3\u00b2", 9.0),
    ("10\u207b\u00b9", 0.1),
    ("1 - -2", 3.0),
    ("1--2", 3.0),
    ("-(0.5+0)", -0.5),
    ("87\u00f7100", 0.87),
    ("1.0/2", 0.5),
    ("6/3/2", 1.0),
    ("1-2-3", -4.0),
    ("1/2(4)", 2.0),
    ("92% * 0.5", 0.46),
    ("1.1*2 = ____", 2.2),
    ("1.1*2 = ?", 2.2),
    ("(1.1*2", 2.2),
]


@pytest.mark.parametrize(("text", "value"), ARITHMETIC)
def test_arithmetic_is_left_undone(text: str, value: float) -> None:
    found = read(text)
    assert found.kind == "unfinished"
    assert found.numbers == ()
    assert found.why
    assert found.expression is not None
    assert evaluate(found.expression) == pytest.approx(value, rel=1e-14)


def test_the_sentence_and_echo_never_hold_the_result() -> None:
    found = read("2*3.5")
    assert "7" not in found.echo + found.why


@pytest.mark.parametrize(
    "text", ["1/0.0", "sqrt(-1)", "exp(1000)", "9e30^11", "exp(exp(exp(9)))", "0^-1", "(-8)^0.5", "1/(2-2)"]
)
def test_arithmetic_without_a_value(text: str) -> None:
    node = read(text).expression
    assert node is not None
    assert evaluate(node) is None
    assert outcomes(node) == ()


def test_named_cells_are_looked_up() -> None:
    node = read("(x0[0, 0] - mu1) / sigma1").expression
    assert node is not None
    assert evaluate(node) is None
    assert evaluate(node, {"x0[0,0]": 3.0, "mu1": 1.0, "sigma1": 4.0}) == 0.5
    assert read("3 x0[0]").expression == TypedOp("product", (Typed(3.0, None, "3"), NamedNumber("x0[0]")))


def test_a_comma_in_arithmetic_is_read_both_ways() -> None:
    node = read("50,257*2").expression
    assert node is not None
    assert outcomes(node) == (50.257 * 2, 50257 * 2)


def test_exp_of_zero_is_known() -> None:
    assert all(is_exp_of_zero(read(text)) for text in ("exp(0)", "e^0", "exp 0.00", "exp(-0)"))
    assert not any(is_exp_of_zero(read(text)) for text in ("exp(1)", "1", "0", "", "exp(0)*2"))


@pytest.mark.parametrize(
    ("text", "word"),
    [("1_000", "nderscore"), ("nan", "infinite"), ("NaN", "infinite"), ("inf", "infinite"),
     ("-inf", "infinite"), ("-\u221e", "infinite"), ("Infinity", "infinite"), ("0x1F", "decimal"),
     ("0b1", "decimal"), ("--1", "two signs"), ("+-1", "two signs"), ("\u2212\u22121", "two signs"),
     ("0.9.2", "decimal point"), ("0,9,2", "decimal point"), ("0..92", "decimal point"),
     ("1,23.4", "decimal point"), ("5/0", "divided by 0"), ("hello", "not a number"),
     ("no-idea", "not a number"), (".", "not a number"), ("-", "not a number"), ("e", "not a number"),
     ("1 2", "more than one number"), ("0.5, 0.7", "more than one number"), ("1 23", "more than one number"),
     ("1.1)-2", "pair up"), ("q[0]", "names a cell"), ("0.92f", "could not be read"),
     ("\u00bd\u00bd", ""), ("1\u00bd", ""), ("1e99", ""), ("9" * 31, "30 digits"), ("mean(1)", ""),
     ("hello = 3 = help", ""), ("\ud800", ""), ("\x1b[31m1", ""), ("1.10-", ""), ("2e", "")],
)  # fmt: skip
def test_refused_with_its_own_sentence(text: str, word: str) -> None:
    found = read(text)
    assert found.kind == "unreadable"
    assert word in found.why
    assert found.why.endswith(".")
    assert found.numbers == ()
    assert found.echo.isprintable()


@pytest.mark.parametrize("text", ["", " ", "\u3000\t\n", "\u200b", "=", "q[0] =", "____", "?"])
def test_blank_is_empty(text: str) -> None:
    assert read(text).kind == "empty"
    assert read(text).why


def test_refusals_differ() -> None:
    sentences = {read(text).why for text in ("1_000", "nan", "0x1F", "--1", "0.9.2", "", "hello")}
    assert len(sentences) == 7


@pytest.mark.parametrize("unit", ["1", "(", "-", "1+", "2^", "sqrt ", "[", "a[", "=", "1,", "½", "²", "e^", " "])
def test_long_text_is_refused_at_once(unit: str) -> None:
    started = time.perf_counter()
    for text in (unit * 1_000_000, (unit * MAX_TYPED)[:MAX_TYPED]):
        assert read(text).kind in ("unreadable", "empty")
    assert time.perf_counter() - started < 0.5


def test_depth_is_bounded() -> None:
    assert parse("(" * MAX_DEPTH + "1+1" + ")" * MAX_DEPTH) is not None
    assert parse("(" * (MAX_DEPTH + 1) + "1+1" + ")" * (MAX_DEPTH + 1)) is None


def test_a_long_honest_sum_is_read() -> None:
    node = read("+".join(["0.27*0.11"] * 30)).expression
    assert node is not None
    assert evaluate(node) == pytest.approx(30 * 0.27 * 0.11)


ODD = st.text(alphabet="0123456789.,-+ ()eExX*/^%=~[]_'√½²−１٣πnaifq", max_size=40)


@given(st.one_of(st.text(), ODD), st.booleans())
@settings(max_examples=600, deadline=None)
def test_any_text_is_read(text: str, shares: bool) -> None:
    found = read(text, shares=shares)
    assert (found.kind == "number") == bool(found.numbers)
    assert (found.kind == "unfinished") == (found.expression is not None)
    assert (found.kind == "number") == (found.why == "")
    assert found.echo.isprintable()
    assert all(math.isfinite(number.value) for number in found.numbers)
    if found.expression is not None:
        assert all(math.isfinite(value) for value in outcomes(found.expression))
    looks_like_percent(found, 0.5, 2)


WRITTEN = st.tuples(st.booleans(), st.integers(0, 10**9), st.integers(0, 9))
DIGITS = st.sampled_from(["0123456789", "０１２３４５６７８９", "٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९"])


@given(
    WRITTEN,
    DIGITS,
    st.sampled_from(".,"),
    st.sampled_from(["", ",", ".", " ", "\u202f", "'"]),
    st.sampled_from("-\u2212\u2013\u2014\uff0d\ufe63"),
)
@settings(max_examples=400, deadline=None)
def test_decimals_come_back_in_every_style(
    written: tuple[bool, int, int], digits: str, point: str, grouper: str, minus: str
) -> None:
    negative, scaled, places = written
    plain = f"{scaled:0{places + 1}d}"
    whole, decimals = plain[: len(plain) - places], plain[len(plain) - places :]
    if grouper == point:
        grouper = ""
    typed = f"{int(whole):,}".replace(",", grouper) + (point + decimals if places else "")
    typed = (minus if negative else "") + typed.translate(str.maketrans("0123456789", digits))
    expected = float(("-" if negative else "") + whole + "." + (decimals or "0")) + 0.0
    readings = {(number.value, number.decimals) for number in read(typed).numbers}
    assert (expected, places) in readings or _is_one_lone_point_group(typed, grouper)
    assert len(readings) <= 2


def _is_one_lone_point_group(typed: str, grouper: str) -> bool:
    """`1.234` written for a thousand: deliberately the decimal instead."""
    return grouper == "." and typed.count(".") == 1 and "," not in typed


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e9, max_value=1e9))
@settings(max_examples=300, deadline=None)
def test_all_digits_of_a_float_come_back(value: float) -> None:
    assume(value == 0 or abs(value) >= 10.0**-MAX_DIGITS)
    assert [number.value for number in read(repr(value)).numbers] == [value]


@given(st.integers(-(10**6), 10**6), st.integers(1, 10**4))
def test_fractions_are_exact(top: int, bottom: int) -> None:
    (number,) = read(f"{top}/{bottom}").numbers
    assert number.value == top / bottom + 0.0


def test_the_module_lists_what_it_offers() -> None:
    assert all(hasattr(reading_module, name) for name in reading_module.__all__)

"""One answer judged from outside: the payload, the text, the exit code."""

from __future__ import annotations

import json

import pytest

from tests.judge.asking import run
from tui_attention.engine.errors import BadInput
from tui_attention.judge.verb import judge_cell


def test_the_payload_of_a_slip() -> None:
    report = judge_cell(run("press-h"), "a[0,0]", "0.58")
    assert report.code == 1
    assert json.loads(json.dumps(report.payload)) == report.payload
    assert report.payload["cell"] == "a[0,0]"
    assert report.payload["typed"] == "0.58"
    assert report.payload["read"] == {"kind": "number", "value": 0.58, "decimals": 2}
    assert report.payload["verdict"] == "slip"
    assert report.payload["attempt"] is True
    assert [slip["kind"] for slip in report.payload["slips"]] == ["backward"]
    assert "1.73" not in json.dumps(report.payload)
    assert report.text.startswith("read: 0.58\nslip: ")


@pytest.mark.parametrize(
    ("typed", "verdict", "code"),
    [
        ("1.73", "right", 0),
        ("2.50", "wrong", 1),
        ("1.7", "one-more-decimal", 2),
        ("", "empty", 2),
        ("nan", "unreadable", 2),
    ],
)
def test_codes(typed: str, verdict: str, code: int) -> None:
    report = judge_cell(run("press-h"), "a[0,0]", typed)
    assert (report.payload["verdict"], report.code) == (verdict, code)
    assert ("answer" in report.payload) == (code == 0)
    assert report.payload["slips"] == []


def test_the_number_is_shown_on_request() -> None:
    report = judge_cell(run("press-h"), "a[0,0]", "9", show=True)
    assert report.payload["answer"] == "1.73"
    assert "The number is 1.73." in report.text


def test_short_addresses_and_views() -> None:
    assert judge_cell(run("press-h"), "sigma1", "0.57").payload["cell"] == "sigma1[0]"
    assert judge_cell(run("press-h"), "qh[1,0,2]", "-0.21").payload["verdict"] == "right"
    assert judge_cell(run("press-h"), "qkv[0,0]", "0.92").payload["verdict"] == "right"


def test_own_numbers() -> None:
    report = judge_cell(run("press-h"), "q[0,0]", "0.69", own=[("a[0]", "0,58")])
    assert report.payload["verdict"] == "own-row"
    assert report.code == 0
    for own in ([("a[0]", "many")], [("a[9]", "1.0")], [("zz", "1.0")]):
        with pytest.raises(BadInput):
            judge_cell(run("press-h"), "q[0,0]", "0.69", own=own)


@pytest.mark.parametrize(
    ("lesson", "cell"), [("bank", "mask[0,0]"), ("bank", "scaling[0,0]"), ("bank", "order_blind")]
)
def test_what_no_pencil_makes_is_not_asked(lesson: str, cell: str) -> None:
    with pytest.raises(BadInput, match="is not asked"):
        judge_cell(run(lesson), cell, "1")


def test_a_masked_share_is_nothing() -> None:
    assert judge_cell(run("bank"), "causal_weights[0,2]", "0").payload["verdict"] == "right"
    report = judge_cell(run("bank"), "causal_weights[0,2]", "0.522")
    assert [slip["kind"] for slip in report.payload["slips"]] == ["masked-counted"]


def test_the_lessons_own_sentence_is_used() -> None:
    report = judge_cell(run("bank"), "sharp_shares[2]", "0.498")
    assert report.payload["slips"][0]["says"].startswith("That is the share at the ordinary loudness.")


def test_a_lessons_sentence_is_said_of_the_number_that_was_typed() -> None:
    typed = judge_cell(run("press-h"), "a[0,0]", "0.577").payload["says"]
    assert typed.startswith("0.577 is what comes out when you divide backward.")
    mine = judge_cell(run("press-h"), "a[0,0]", "0.52", [("mu1[0]", "0")]).payload["says"]
    assert mine.startswith("0.52 is what comes out when you divide backward.")

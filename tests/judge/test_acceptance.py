"""A table of typed answers, made without the judge: verdict, kind of slip, exit code and shape of each."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tui_attention.judge.verb import JudgeReport, judge_cell
from tui_attention.lessons.run import LessonRun, open_run

TABLE = Path(__file__).parent.parent / "data" / "judge_acceptance.toml"
CODES = {
    "right": 0, "pencil": 0, "own-row": 0, "slip": 1, "early": 1, "wrong": 1,
    "one-more-decimal": 2, "unfinished": 2, "percent": 2, "empty": 2, "unreadable": 2,
}  # fmt: skip
SETS: list[dict[str, Any]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))["set"]


@cache
def run(lesson: str, prompt: str | None, other: str | None) -> LessonRun:
    return open_run(lesson, prompt=prompt, other=other)


def where(entry: dict[str, Any]) -> LessonRun:
    return run(entry["lesson"], entry.get("prompt"), entry.get("other"))


def name(entry: dict[str, Any]) -> str:
    return f"{entry['lesson']} {entry.get('prompt', '')}|"


def entries(entry: dict[str, Any], table: str) -> list[tuple[str, str, str]]:
    """Expected, cell, typed."""
    found = entry.get(table, {}).items()
    return [(expected, *line.split(" ", 1)) for expected, lines in found for line in lines]


def shaped(report: JudgeReport, typed: str) -> str:
    """The verdict, after what holds of every answer."""
    payload = report.payload
    assert json.loads(json.dumps(payload)) == payload
    assert {"cell", "typed", "read", "verdict", "attempt", "slips"} <= set(payload)
    assert set(payload["read"]) == {"kind", "value", "decimals"}
    assert payload["typed"] == typed
    assert report.code == CODES[payload["verdict"]]
    assert payload["attempt"] is (report.code < 2)
    assert bool(payload["slips"]) is (payload["verdict"] == "slip")
    assert len(payload["slips"]) <= 2
    assert all(slip["kind"] and slip["says"] for slip in payload["slips"])
    assert ("answer" in payload) is (report.code == 0)
    assert payload["says"]
    return str(payload["verdict"])


@pytest.mark.parametrize("entry", SETS, ids=name)
def test_every_slip_is_named(entry: dict[str, Any]) -> None:
    missed = []
    for kind, cell, typed in entries(entry, "slips"):
        report = judge_cell(where(entry), cell, typed)
        verdict = shaped(report, typed)
        named = {kind for slip in report.payload["slips"] for kind in (slip["kind"], *slip["also"])}
        if kind not in named:
            missed.append((cell, typed, kind, verdict, named))
    assert not missed


@pytest.mark.parametrize("entry", SETS, ids=name)
def test_every_verdict_is_the_one_expected(entry: dict[str, Any]) -> None:
    found = [
        (cell, typed, expected, shaped(judge_cell(where(entry), cell, typed), typed))
        for expected, cell, typed in entries(entry, "verdicts")
    ]
    assert [line for line in found if line[2] != line[3]] == []


@pytest.mark.parametrize("entry", [entry for entry in SETS if "own" in entry], ids=name)
def test_own_numbers_are_carried_where_they_are_operands(entry: dict[str, Any]) -> None:
    for cell, typed, expected, *carried in entry["own"]:
        own = [(of, number) for of, _, number in (pair.partition("=") for pair in carried)]
        verdict = shaped(judge_cell(where(entry), cell, typed, own=own), typed)
        assert verdict == expected, (cell, typed, carried)


def test_set_ups_that_lead_there_are_told_from_those_that_do_not() -> None:
    for cell, typed, leads in (
        ("a[0,0]", "(1.10 \u2212 0.1067) \u00f7 0.5736", True),
        ("a[0,0]", "0.5736/(1.10-0.1067)", False),
        ("scores[0,0,0]", "-0.71/\u221a3", True),
        ("scores[0,0,0]", "-0.71 \u00f7 root 3", True),
        ("scores[0,0,0]", "-0.71/3", False),
        ("q[0,0]", "1.73(0.2) + -0.01(0.0) + -1.70(-0.4) + -0.10(0.1) + -0.17(0.3) + 0.25(-0.2)", True),
        ("mu1[0]", "0.64/6", True),
        ("mu1[0]", "0.64/5", False),
    ):
        report = judge_cell(run("press-h", None, None), cell, typed)
        assert shaped(report, typed) == "unfinished"
        assert report.payload["says"].startswith("That set-up leads there.") is leads, typed


def test_near_twins_of_one_slip_are_told_once() -> None:
    """The rest of a running total is 1 less it, or what lies behind it: one sentence, whichever was worked."""
    report = judge_cell(run("press-h", None, None), "cum[0,3]", "0.508")
    assert [slip["kind"] for slip in report.payload["slips"]] == ["the-rest"]


def test_a_lesson_s_sentence_follows_on_the_fact_that_names_the_cell() -> None:
    says = judge_cell(run("press-h", None, None), "q[0,0]", "-0.44").payload["says"]
    assert says.startswith("-0.44 is what comes out when the minus of a[2] is lost. ")
    assert says.endswith("before you add.")


@pytest.mark.parametrize("entry", [entry for entry in SETS if entry.get("prompt") in (None, "ha")], ids=name)
def test_the_right_number_is_not_said_of_a_wrong_one(entry: dict[str, Any]) -> None:
    """Not even as an operand that happens to be the same."""
    for _, cell, typed in entries(entry, "slips"):
        payload = judge_cell(where(entry), cell, typed, show=True).payload
        said = re.sub(r"\[[^\]]*\]", "", payload["says"].replace(typed, ""))
        assert payload["answer"] not in re.findall(r"-?\d[\d,]*(?:\.\d+)?", said), (cell, typed, payload["says"])


def test_an_operand_that_equals_the_right_number_is_called_by_its_address() -> None:
    says = judge_cell(run("press-h", "ha", None), "heads[0,0,2]", "-0.85").payload["says"]
    assert "-0.85" not in says.removeprefix("-0.85")
    says = judge_cell(run("press-h", "h", None), "heads[0,0,0]", "7.77").payload["says"]
    assert "0.90" not in says

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from tui_attention.engine.errors import BadInput
from tui_attention.export import values
from tui_attention.lessons.run import LessonRun, open_run

COURSES = [
    ("press-h", "h"),
    ("press-h", "had a. bad c"),
    ("bank", "the river bank"),
    ("bank", "bank"),
    ("bank", "money money the bank river"),
]


def all_of(run: LessonRun) -> dict[str, Any]:
    payload = values.payload(run, values.names(run))
    back: dict[str, Any] = json.loads(json.dumps(payload, allow_nan=False))
    return back


def numbers(nested: Any, truth: bool) -> Any:
    return np.array(nested, dtype=object if truth else float)


@pytest.mark.parametrize(("lesson", "prompt"), COURSES)
def test_json_holds_every_tensor_to_the_last_bit(lesson: str, prompt: str) -> None:
    run = open_run(lesson, prompt=prompt)
    back = all_of(run)
    assert list(back) == ["lesson", "inputs", "tensors"]
    assert back["lesson"] == lesson
    assert back["inputs"]["prompt"] == prompt
    assert list(back["tensors"]) == list(run.graph.names())
    for name, found in back["tensors"].items():
        tensor = run.graph.tensor(name)
        assert list(found) == ["shape", "axes", "labels", "values"]
        assert tuple(found["shape"]) == tensor.shape
        assert found["axes"] == [axis.name for axis in tensor.axes]
        assert [len(labels) for labels in found["labels"]] == found["shape"]
        read = np.array(found["values"], dtype=object)
        assert read.shape == tensor.shape
        for index in np.ndindex(*tensor.shape):
            value: Any = read[index]
            wanted = tensor.values[index]
            if tensor.truth:
                assert value is bool(wanted)
            elif np.isneginf(wanted):
                assert value is None
            else:
                assert value == wanted
                assert math.copysign(1, value) == math.copysign(1, wanted)


def test_masked_scores_are_null_and_their_shares_zero() -> None:
    tensors = all_of(open_run("press-h", prompt="ha"))["tensors"]
    assert tensors["scores"]["values"][0][0][1] is None
    assert tensors["shares"]["values"][0][0] == [1.0, 0.0]
    assert tensors["mask"]["values"] == [[True, False], [True, True]]
    assert tensors["ids"]["values"] == [7, 0]
    assert tensors["E"]["values"][1][3] == 0
    assert math.copysign(1, tensors["E"]["values"][1][3]) == -1


def test_inputs_are_those_that_the_lesson_has() -> None:
    assert all_of(open_run("press-h"))["inputs"] == {"prompt": "h", "ticket": 0.4}
    assert all_of(open_run("bank"))["inputs"] == {"prompt": "the river bank", "other": "the money bank"}


def test_text_holds_every_digit_and_every_label() -> None:
    run = open_run("press-h", prompt="h ")
    shown = values.text(run, ["shares", "mu1", "head_width", "mask", "scores"])
    assert "shares 2x2x2 [head, query, key]" in shown
    assert "query \\ key" in shown
    assert '" "' in shown
    for name in ("shares", "mu1"):
        for value in run.graph.tensor(name).values.flat:
            assert repr(float(value)) in shown
    assert "-inf" in shown
    assert "True" in shown
    assert "head_width = 3.0" in shown


@pytest.mark.parametrize("width", [40, 80, 100, 200])
def test_text_stays_within_the_width(width: int) -> None:
    run = open_run("press-h", prompt="had")
    shown = values.text(run, ["Wc", "qkv", "chances"], width)
    numbers_only = [line for line in shown.splitlines() if "[" not in line]
    assert max(map(len, numbers_only)) <= width


def test_only_what_a_stage_makes() -> None:
    run = open_run("press-h")
    assert values.names(run, "flatten") == ("mu1", "sigma1", "a")


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(BadInput, match="no tensor 'zz'"):
        values.payload(open_run("press-h"), ["zz"])


def test_what_holds_no_number_with_a_short_prompt_is_one_line() -> None:
    run = open_run("modern", prompt="tea")
    assert values.text(run, ["earlier"]).splitlines() == [
        "earlier 0x8 [token, coordinate]   rows of the text without its last word"
    ]
    assert [name for name in run.graph.names() if values.text(run, [name])] == list(run.graph.names())

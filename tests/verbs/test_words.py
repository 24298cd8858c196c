from __future__ import annotations

import json

import pytest

from tests.verbs.running import Capture, ran
from tui_attention.verbs.table import VERBS
from tui_attention.verbs.words import arranged, verb_of


@pytest.mark.parametrize(
    ("words", "verb", "rest"),
    [
        ([], "", []),
        (["press-h"], "", ["--", "press-h"]),
        (["values", "press-h", "x0"], "values", ["--", "press-h", "x0"]),
        (["--json", "values", "press-h"], "values", ["--json", "--", "press-h"]),
        (["--prompt", "values", "press-h"], "", ["--prompt", "values", "--", "press-h"]),
        (["--prompt=values", "log"], "log", ["--prompt=values"]),
        (["values", "log"], "values", ["--", "log"]),
        (["--", "values", "press-h"], "values", ["--", "press-h"]),
        (["judge", "press-h", "q[0,0]", "-0.44"], "judge", ["--", "press-h", "q[0,0]", "-0.44"]),
    ],
)
def test_which_verb_is_meant(words: list[str], verb: str, rest: list[str]) -> None:
    assert verb_of(words, VERBS) == (verb, rest)


@pytest.mark.parametrize(
    ("words", "order"),
    [
        (["a", "--json", "b"], ["--json", "--", "a", "b"]),
        (["--prompt", "h", "a"], ["--prompt=h", "--", "a"]),
        (["--ticket", "-0.1", "a"], ["--ticket=-0.1", "--", "a"]),
        (["--prompt", "--x", "a"], ["--prompt=--x", "--", "a"]),
        (["--prompt"], ["--prompt"]),
        (["-0.44", "-.5", "-3", "-1e-3"], ["--", "-0.44", "-.5", "-3", "-1e-3"]),
        (["-0,87"], ["-0,87"]),
        (["--", "-0,87", "--json"], ["--", "-0,87", "--json"]),
        (["--own", "q[0,0]=0.92", "k=-1", "press-h"], ["--own=q[0,0]=0.92", "--own=k=-1", "--", "press-h"]),
        (["--own=a=1", "x"], ["--own=a=1", "--", "x"]),
        (["dir", "--of", "A", "A2", "--format", "png"], ["--of=A", "--of=A2", "--format=png", "--", "dir"]),
        (["--own"], ["--own"]),
    ],
)
def test_the_order_of_words(words: list[str], order: list[str]) -> None:
    assert arranged(words) == order


ORDERS = [
    ["values", "press-h", "x0", "--json", "--prompt", "ha"],
    ["values", "--json", "press-h", "--prompt", "ha", "x0"],
    ["values", "--prompt=ha", "--json", "press-h", "x0"],
    ["--prompt", "ha", "values", "press-h", "x0", "--json"],
    ["values", "--json", "--prompt", "ha", "--", "press-h", "x0"],
]


def test_names_stand_before_or_after_options(capsys: Capture) -> None:
    found = [ran(capsys, *words) for words in ORDERS]
    assert {one.code for one in found} == {0}
    assert len({one.out for one in found}) == 1
    assert json.loads(found[0].out)["inputs"]["prompt"] == "ha"

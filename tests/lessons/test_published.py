"""Worked examples as teachers publish them, written as lessons: the published numbers come out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui_attention.cli import main

HEAD = """format = 1
id = "published"
title = "published"
"""
STAGE = """
[[stage]]
id = "whole"
title = "all of it"
wall = "Rows do not know of each other."
steps = '''
"""
CHECK = """
'''
[[stage.check]]
ask = "Which number stands there?"
cell = """

THREE_INPUTS = f"""{HEAD}
[tables.x]
axes = ["input", "feature"]
values = [[1, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]]
[tables.Wk]
values = [[0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]]
[tables.Wq]
values = [[1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]]
[tables.Wv]
values = [[0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]]
{STAGE}k = x @ Wk
q = x @ Wq
v = x @ Wv
scores = q @ k.T
shares = softmax(scores)
out = shares @ v{CHECK}"out[0,0]"
[expect]
k = [[0, 1, 1], [4, 4, 0], [2, 3, 1]]
q = [[1, 0, 2], [2, 2, 2], [2, 1, 3]]
v = [[1, 2, 3], [2, 8, 0], [2, 6, 3]]
scores = [[2, 4, 4], [4, 16, 12], [4, 12, 10]]
"shares[0]" = [6.3379e-02, 4.6831e-01, 4.6831e-01]
out = [[1.9366, 6.6831, 1.5951], [2.0000, 7.9640, 0.0540], [1.9997, 7.7599, 0.3584]]
"""
WAVES = f"""{HEAD}
[constants]
width = 4
base = 100
[tables.at]
axes = ["place", "one"]
values = [[0], [1], [2], [3]]
[tables.pair]
axes = ["one", "pair"]
values = [[0, 1]]
{STAGE}slow = base ** (2 * pair / width)
angle = at / slow
high = sin(angle)
low = cos(angle){CHECK}"high[1,0]"
[expect]
high = [[0, 0], [0.84147098, 0.09983342], [0.90929743, 0.19866933], [0.14112001, 0.29552021]]
low = [[1, 1], [0.54030231, 0.99500417], [-0.41614684, 0.98006658], [-0.9899925, 0.95533649]]
"""
LOSS = f"""{HEAD}
[vocabulary]
marks = ["cat", "dog", "bird"]
split = "words"
most = 1
[inputs]
prompt = "cat"
[tables.scores]
values = [[2.0, 1.0, 0.1]]
{STAGE}p = softmax(scores)
loss = cross_entropy(scores, tokens(prompt)){CHECK}"loss[0]"
[expect]
p = [[0.659, 0.242, 0.099]]
loss = [0.417]
[[expect.answer]]
cell = "p[0,0]"
typed = "0.645"
verdict = "slip"
slip = "exp-left-out"
[[expect.answer]]
cell = "loss[0]"
typed = "-0.42"
verdict = "slip"
slip = "sign-lost"
"""


@pytest.mark.parametrize("lesson", [THREE_INPUTS, WAVES, LOSS], ids=["three inputs", "waves", "loss"])
def test_published_numbers_come_out(lesson: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "published.toml"
    path.write_text(lesson)
    assert main(["lint", str(path)]) == 0, capsys.readouterr()
    path.write_text(lesson.replace("[expect]", '[expect]\n"1 + 1" = 3'))
    assert main(["lint", str(path)]) == 1


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("most = 1\n", "", "most = 1 in [vocabulary] allows no longer one"),
        (
            "p = softmax(scores)",
            "p = layer_norm(scores, gain, gain)",
            "a gain and a bias stand behind them: layer_norm(x, mean(x), spread(x), gain, bias)",
        ),
    ],
)
def test_what_trips_an_author_is_said_with_its_mend(
    old: str, new: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "published.toml"
    path.write_text(LOSS.replace(old, new).replace(STAGE, f"[tables.gain]\nvalues = [1, 1, 1]\n{STAGE}"))
    assert main(["lint", str(path)]) == 1
    assert says in capsys.readouterr().out

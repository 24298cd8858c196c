"""Marks that are wide, that combine, that are written from right to left: borders and columns stay where they are."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.ui.seated import screen_text, seated
from tui_attention.engine.graph import Graph
from tui_attention.export.values import text
from tui_attention.lessons.lint import lint
from tui_attention.lessons.load import load
from tui_attention.lessons.run import LessonRun
from tui_attention.ui.editor import Editor

MARKS = ["漢", "e\u0301", "\u05d0"]
LESSON = """
format = 1
id = "marks"
title = "A 漢 and an e\u0301 and an \u05d0"
[vocabulary]
marks = ["漢", "e\u0301", "\u05d0"]
split = "words"
[inputs]
prompt = "漢 e\u0301 \u05d0"
[tables.E]
axes = ["mark", "coordinate"]
rows = ["漢", "e\u0301", "\u05d0"]
prints = 2
values = [[0.25, -0.50, 0.10], [1.00, 0.00, -0.10], [0.05, -0.00, 0.30]]
[[stage]]
id = "one"
title = "one 漢 e\u0301 \u05d0"
wall = "A wall of 漢 e\u0301 \u05d0."
steps = '''
x = E[tokens(prompt)]
S = x @ x.T
A = softmax(S)
'''
earns = [["漢字", "two marks"], ["e\u0301 \u05d0", "two more"]]
[[stage.check]]
ask = "How much is 漢 for e\u0301 and \u05d0?"
cell = "A[1,0]"
"""


def columns(text: str) -> int:
    """The columns of a text, counted mark by mark as terminals do; no library is asked."""
    wide = sum(2 if unicodedata.east_asian_width(mark) in "WF" else 1 for mark in text)
    return wide - sum(1 for mark in text if unicodedata.category(mark) in ("Mn", "Me"))


def kept(folder: Path) -> str:
    path = folder / "lesson.toml"
    path.write_text(LESSON, "utf-8")
    return str(path)


def ends(line: str) -> list[int]:
    """The columns in which the words of a line end."""
    return [columns(line[: found.end()]) for found in re.finditer(r"\S+", line)]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 15)])
async def test_borders_and_columns_stand_straight(size: tuple[int, int], tmp_path: Path) -> None:
    async with seated(kept(tmp_path), size=size, cover=False) as (app, pilot):
        for keys in ((), ("n",), ("n",), ("z",)):
            await pilot.press(*keys)
            await pilot.pause()
            shown = screen_text(app).splitlines()
            framed = [line for line in shown if line.endswith(("│", "┐", "┘"))]
            assert len(framed) > 5
            assert {columns(line) for line in framed} == {size[0]}
        head = next(place for place, line in enumerate(shown) if line.split()[2:5] == MARKS)
        numbers = [ends(line) for line in shown[head + 1 : head + 4]]
        assert all(places[-5:] == ends(shown[head])[-5:] for places in numbers)


def test_columns_of_values_stand_straight(tmp_path: Path) -> None:
    lesson = load(kept(tmp_path))
    head, *rows = text(LessonRun(lesson, Graph(lesson.program)), ["S"], 80).splitlines()[1:5]
    assert [ends(row)[-3:] for row in rows] == [ends(head)[-3:]] * 3


@pytest.mark.parametrize("mark", ["\u2764\ufe0f", "1\ufe0f\u20e3", "\U0001f44d\U0001f3fd", "\U0001f1e9\U0001f1ea"])
def test_a_mark_of_unsure_width_is_in_no_lesson_and_on_no_line(mark: str, tmp_path: Path) -> None:
    path = tmp_path / "lesson.toml"
    path.write_text(LESSON.replace("漢", mark), "utf-8")
    assert [finding for finding in lint(str(path)) if "do not agree how wide" in str(finding)]
    line = Editor("sentence")
    line.insert(f"a {mark} b")
    assert columns(line.text) == cell_len(line.text)

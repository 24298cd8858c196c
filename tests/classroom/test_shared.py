"""What the learners of a class have in common, and that nobody notices."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.segment import Segment
from textual.strip import Strip

from tui_attention.classroom.seats.lessons import ClassLessons
from tui_attention.engine.errors import BadInput
from tui_attention.options import Options
from tui_attention.session import open_session
from tui_attention.ui.painting import Strips


def test_a_lesson_is_read_once_and_each_turns_own_dials(tmp_path: Path) -> None:
    lessons = ClassLessons()
    names = ("ada", "bob", "cleo")
    ada, bob, cleo = (open_session(Options(), tmp_path / name, opens=lessons.open) for name in names)
    graphs = [session.walk.opened.run.graph for session in (ada, bob, cleo)]
    assert graphs[0] is graphs[1] is graphs[2]
    before = bob.walk.view("E").texts.tolist()
    ada.walk.turn("E[7,0]", 0.5, 1)
    cleo.walk.change_inputs("he")
    assert bob.walk.view("E").texts.tolist() == before
    assert bob.walk.visible.inputs.prompt == "h"
    for session in (ada, bob, cleo):
        session.close()
    with open_session(Options(), tmp_path / "ada", opens=lessons.open) as ada:
        assert ada.walk.view("E").texts[7, 0] == "0.50"
    with open_session(Options(), tmp_path / "bob", opens=lessons.open) as bob:
        assert bob.walk.opened.run.graph is graphs[1]


def test_only_so_many_lessons_are_held_open() -> None:
    lessons = ClassLessons()
    lessons.most_open = 2
    runs = [lessons.open("press-h", variant=number) for number in range(4)]
    assert len(lessons._runs) == 2
    assert lessons.open("press-h", variant=3) is runs[3]
    assert lessons.open("press-h", variant=0) is not runs[0]
    with pytest.raises(BadInput):
        lessons.open("no-such-lesson")


def test_painted_rows_are_bounded() -> None:
    strips = Strips()
    for number in range(strips.most + 10):
        strips.keep(number, Strip([Segment("x")]))
    assert len(strips._kept) == strips.most
    assert strips.get(9) is None
    assert strips.get(10) is not None

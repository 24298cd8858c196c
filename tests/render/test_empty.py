"""A text so short that a matrix has no numbers: it is drawn and read out as what it is."""

from __future__ import annotations

import io

import pytest

from tui_attention.interaction.controller import LessonController
from tui_attention.lessons.run import open_run
from tui_attention.options import Options
from tui_attention.plain import run as plain_run
from tui_attention.ui.seat import Seat
from tui_attention.walk.walk import Walk


@pytest.mark.parametrize("size", [(38, 12), (54, 22)])
def test_a_vector_and_matrices_without_numbers_are_drawn(size: tuple[int, int]) -> None:
    walk = Walk(open_run("modern", prompt="we"))
    walk.goto("cache")
    drawn = []
    while walk.stage.id == "cache":
        seat = Seat(LessonController(walk))
        seat.size = size
        drawn.append(seat.layout())
        walk.next()
    assert len(drawn) == 10


def test_line_by_line_it_is_said() -> None:
    out = io.StringIO()
    words = io.StringIO("goto cache\n" + "next\n" * 4 + "quit\n")
    assert plain_run(Options("modern", named=True, prompt="we", save=False), words, out) == 0
    said = " ".join(out.getvalue().split())
    assert "short_r (typical sizes of those rows): 0 numbers, one per token. It has no numbers here." in said

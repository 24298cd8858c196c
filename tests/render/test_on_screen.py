"""What is asked is on the screen: the asked cell, its whole pencil line and what it is made of, without scrolling."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tui_attention.engine.decimals import BLANK
from tui_attention.interaction.controller import LessonController
from tui_attention.lessons.run import open_run
from tui_attention.render.panel import begin
from tui_attention.render.pipeline import tree_width
from tui_attention.render.rows import cells_of, plain
from tui_attention.ui.seat import Seat
from tui_attention.walk.ledger import Entry
from tui_attention.walk.places import Place
from tui_attention.walk.questions import Question
from tui_attention.walk.walk import Walk

PROMPTS = {
    "press-h": ("h", "ha.", "habcdefg"),
    "bank": ("the river bank", "river", "the river bank the money bank the bank"),
    "two-marks": ("he", "h", "habcdefg"),
    "modern": ("we like tea", "we", "we like tea and cake we"),
    "translate": ("la maison rouge", "maison", "la maison rouge maison"),
}
SIZES = ((80, 24), (100, 30), (120, 40))
SMALL = ((60, 20), (40, 15))
QUICK = (("press-h", "h"), ("press-h", "ha."), ("bank", "the river bank"), ("modern", "we like tea"))
CASES = [
    pytest.param(lesson, prompt, size, marks=() if quick and size == (80, 24) else pytest.mark.slow)
    for lesson, prompts in PROMPTS.items()
    for prompt in prompts
    for quick in [(lesson, prompt) in QUICK]
    for size in SIZES
]


def pay(walk: Walk, question: Question) -> None:
    """The question settled as if it had been answered rightly: where it is the last one, its whole tensor shows."""
    walk._set(question.ref, Entry("paid"))
    walk._settle(question)


def asked(seat: Seat) -> Iterator[str]:
    """Every CHECK of the place, each while it is the open one, the ones before it settled."""
    walk = seat.walk
    before = walk.ledger
    for question in walk.questions():
        if walk.ledger.entry(question.ref).settled:
            continue  # with one mark the last place is the first, and a cell is asked once
        seat.settle_in()
        yield str(question.ref)
        pay(walk, question)
    walk._note(before)


def seat_of(lesson: str, prompt: str | None = None) -> Seat:
    return Seat(LessonController(Walk(open_run(lesson, prompt=prompt))))


def window(seat: Seat, size: tuple[int, int]) -> tuple[list[str], set[object], list[str]]:
    """The rows of the document that show, the cells in them, and the rows below them."""
    wide = size[0] - (tree_width(seat.walk.visible, size[0]) if size[0] >= 62 else 0)
    seat.size = (wide, size[1] - 2)
    seat.come_home()
    seat.fold_wall()
    made, wanted = seat.layout(), seat.wanted()
    top = begin(made, wanted, seat.line_cell_source())
    rows = made.document.rows[top : top + made.body]
    assert len(made.desk) + made.body + (3 if made.desk else 2) <= max(size[1] - 2, 7)
    return [plain(row) for row in rows], {key.source for *_, key in cells_of(rows)}, [plain(row) for row in made.desk]


def stages(lesson: str, prompt: str | None = None) -> Iterator[Seat]:
    """A seat at every step of a lesson."""
    seat = seat_of(lesson, prompt)
    for number, stage in enumerate(seat.walk.stages):
        for step in range(max(1, len(stage.steps))):
            seat.walk.move(Place(number, step))
            seat.settle_in()
            yield seat


@pytest.mark.parametrize(("lesson", "prompt", "size"), CASES)
def test_what_is_asked_is_on_the_screen(lesson: str, prompt: str, size: tuple[int, int]) -> None:
    wrong = []
    for seat in stages(lesson, prompt):
        for ref in asked(seat):
            question = seat.core.open_question()
            assert question is not None
            assert str(question.ref) == ref
            if question.sentence:
                continue
            _, cells, desk = window(seat, size)
            missing = seat.wanted() - cells if question.cell is not None else set()
            line = seat.walk.visible.line(question.cell) if question.cell is not None else None
            text = "".join("".join(desk).split())
            if missing or (line is not None and "".join(line.line.split()) not in text):
                wrong.append((seat.walk.stage.id, ref, sorted(map(str, missing))))
    assert not wrong


@pytest.mark.parametrize(("lesson", "prompt"), [("press-h", "h"), ("bank", "the river bank")])
def test_on_a_small_screen_at_least_the_asked_cell_and_its_line(lesson: str, prompt: str) -> None:
    wrong = []
    for seat in stages(lesson, prompt):
        question = seat.core.open_question()
        if question is None or question.cell is None:
            continue
        for size in SMALL:
            _, cells, desk = window(seat, size)
            line = seat.line_cell()
            if question.cell not in cells or (line is not None and not any(BLANK in row for row in desk)):
                wrong.append((str(question.ref), size))
    assert not wrong


def test_the_wall_is_read_first_where_it_hides_the_step_and_is_one_line_after() -> None:
    seat = seat_of("press-h", "h")
    seat.walk.goto("roles")
    seat.settle_in()
    seat.size = (56, 22)
    seat.come_home()
    assert seat.layout().first
    assert "Each place has three jobs" in plain(seat.layout().document.rows[0])
    seat.fold_wall()
    made = seat.layout()
    assert not made.first
    assert plain(made.document.rows[0]).startswith("▸ Each place has three jobs")
    assert plain(made.document.rows[0]).endswith("w reads it")
    seat.toggle_wall()
    assert "Three views of it" in " ".join(map(plain, seat.layout().document.rows))
    seat.size = (120, 60)
    seat.walls.clear()
    assert not seat.layout().first


def test_for_a_projector_the_step_stands_alone_in_the_middle() -> None:
    seat = seat_of("press-h", "h")
    seat.walk.goto("roles")
    seat.settle_in()
    seat.size, seat.bare = (120, 38), True
    seat.come_home()
    made = seat.layout()
    rows = [plain(row) for row in made.document.rows]
    shown = [row for row in rows if row]
    assert not made.first
    assert not any("three jobs" in row or "Two minuses" in row for row in rows)
    assert any("Wq" in row for row in shown)
    left = min(len(row) - len(row.lstrip()) for row in shown)
    assert abs(left - (seat.width - max(map(len, shown)))) <= 1
    assert not rows[0]
    assert "q[0] = " in plain(made.desk[0])


def test_on_a_wide_screen_what_belongs_to_a_step_stands_beside_its_matrices() -> None:
    seat = seat_of("press-h")
    seat.walk.goto("q")
    seat.settle_in()
    rows, _, _ = window(seat, (200, 50))
    assert any("Wq  seek table" in row and "+--> x seek table" in row for row in rows)
    assert any(row.startswith("a ") and "from" in row for row in rows), "and the next matrix beside the row"
    rows, _, _ = window(seat, (80, 24))
    assert not any("Wq" in row and "+-->" in row for row in rows)

"""The mark that is chosen stands beside its whole number, and the end says what the machine would write."""

from __future__ import annotations

from tests.render.test_on_screen import pay, seat_of, window
from tui_attention.interaction.summary import summary
from tui_attention.render.rows import plain
from tui_attention.ui.seat import Seat


def at(lesson: str, step: str, prompt: str | None = None) -> Seat:
    seat = seat_of(lesson, prompt)
    seat.walk.goto(step)
    seat.settle_in()
    return seat


def paid(seat: Seat) -> str:
    """The step's rows once all that is asked here is settled."""
    for question in seat.walk.questions():
        pay(seat.walk, question)
    seat.changed()
    return "\n".join(window(seat, (80, 24))[0])


def test_a_choice_has_its_mark_beside_it() -> None:
    assert "greedy   1 b" in paid(at("press-h", "greedy"))
    assert "drawn   3 d" in paid(at("press-h", "drawn"))
    assert "greedy   1 b   5 f" in paid(at("press-h", "greedy", "h."))
    assert "greedy  3 and  3 and  3 and" in paid(at("modern", "greedy"))


def test_a_covered_choice_tells_no_mark() -> None:
    seat = at("press-h", "greedy")
    shown = [row for row in window(seat, (80, 24))[0] if row.startswith("greedy")]
    assert [row.split() for row in shown] == [["greedy", "····"]]


def test_the_end_says_what_the_machine_would_write() -> None:
    seat = at("press-h", "greedy")
    assert summary(seat.walk).written == 'What the machine would write after "h" is still open: greedy, drawn.'
    paid(seat)
    seat.walk.goto("drawn")
    paid(seat)
    assert summary(seat.walk).written == 'After "h" the machine would write "b"; the ticket 0.40 draws "d".'
    assert summary(at("bank", "dots").walk).written == ""
    seat = at("translate", "following")
    paid(seat)
    assert summary(seat.walk).written == 'After "go the red" the machine would write "house".'


def test_the_line_of_a_check_says_that_any_covered_cell_can_be_asked() -> None:
    seat = at("press-h", "q")
    assert window(seat, (80, 24))[2][-1] == "type it (2 decimals), or move to another cell"
    assert window(seat, (40, 15))[2][-1] == "type it, or move to another cell"
    seat = at("press-h", "mu1")
    line = "type the number (2 decimals), or press Enter"
    assert line in [plain(row) for row in seat.layout().desk], "there is no other"


def test_a_cell_has_one_address_on_a_screen() -> None:
    """The one for people, in the pencil line, the question, what is said and the working."""
    for prompt, cell, other in (("h", "x0[2]", "x0[0,2]"), ("ha", "x0[1,2]", "x0[2]")):
        seat = at("press-h", "x0", prompt)
        seat.cursor = seat.find(seat.walk.visible.locate(cell))
        seat.open_answer("0.1")
        seat.submit()
        said = [*window(seat, (80, 24))[2], *(message.text for message in seat.core.said)]
        said += [message.text for message in seat.perform("why", cell).messages]
        text = " ".join(said)
        assert cell in text
        assert other not in text

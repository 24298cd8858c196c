"""Nothing early: while a CHECK is open, neither its number nor its name is drawn anywhere at its place."""

from __future__ import annotations

import re

import pytest

from tests.render.test_on_screen import asked, seat_of, stages, window
from tui_attention.plain.narration import Narrator
from tui_attention.render.frame import bar
from tui_attention.render.glossary import glossary_rows
from tui_attention.render.rows import plain
from tui_attention.ui.seat import Seat

LESSONS = {"press-h": "h", "bank": "the river bank"}

COINCIDENCES = {
    "splitter.1": "the list that the number is looked up in",
    "token-row.1": "the table that the number is looked up in",
    "toy-world.1": "the table that the number is looked up in",
    "flatten.4": "0.00 and 1.00 are what any row comes to",
    "flatten.5": "0.00 and 1.00 are what any row comes to",
    "output.1": "the number is handed on from the row it stands in",
    "logits.3": "a whole number of a mark heads a column",
    "logits.6": "a whole number of a mark heads a column",
}
"""CHECKs whose answer is read off something that has to be shown, and why."""


def drawn(seat: Seat) -> str:
    """Everything at a place: the whole document, the rows below it, the border, and the plain narration."""
    rows, _, desk = window(seat, (80, 24))
    document = [plain(row) for row in seat.layout().document.rows + seat.document().rows]
    visible = seat.walk.visible
    told = Narrator(visible.stage, visible, brief=True)
    step = told.step(visible.place.step) if visible.step is not None else []
    words = [part.text for part in told.wall() + step + told.end()]
    border = plain(bar(visible.stage.title, visible.standard, 60))
    return "\n".join([*document, *rows, *desk, border, *words])


def answer_of(seat: Seat) -> str:
    """The printed number that is asked for; empty for a sentence."""
    question = seat.core.open_question()
    assert question is not None
    if question.sentence:
        return ""
    return seat.walk._plan.asked_working(question).cell.printed


@pytest.mark.parametrize("lesson", LESSONS)
def test_an_open_check_s_number_is_not_drawn_at_its_place(lesson: str) -> None:
    found = []
    for seat in stages(lesson, LESSONS[lesson]):
        for _ in asked(seat):
            question = seat.core.open_question()
            assert question is not None
            answer = answer_of(seat)
            if not answer or question.check is None or question.check.id in COINCIDENCES:
                continue
            text = drawn(seat)
            # A number that another visible cell prints is a coincidence; what is looked for is the answer's own line.
            hits = [line for line in text.split("\n") if re.search(rf"(?<![\d.,]){re.escape(answer)}(?![\d])", line)]
            others = {str(cell) for cell in visible_texts(seat)}
            if hits and answer not in others:
                found.append((question.check.id, answer, hits[:2]))
    assert not found


def visible_texts(seat: Seat) -> set[str]:
    """The texts of all cells that may be shown now, the asked one not among them."""
    visible, question = seat.walk.visible, seat.core.open_question()
    texts = set()
    for name in visible.names():
        view = visible.view(name)
        for source, text in zip(view.sources.ravel().tolist(), view.texts.ravel().tolist(), strict=True):
            if text and (question is None or source != question.cell):
                texts.add(str(text))
    return texts


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_standard_name_is_drawn_nowhere_before_it_is_earned(lesson: str) -> None:
    """In borders, captions, formulas, axes, notes and questions.

    `key` is also what is pressed in press-h, and a tensor may have a standard name for its own.
    """
    found = []
    for seat in stages(lesson, LESSONS[lesson]):
        visible = seat.walk.visible
        names = {
            earned.standard
            for number, stage in enumerate(visible.stages)
            if number >= visible.place.stage and not visible.earned(number)
            for earned in stage.earns
        }
        met = {
            e.standard for number, stage in enumerate(visible.stages) if visible.earned(number) for e in stage.earns
        }
        text = drawn(seat).casefold()
        asks = " ".join(visible.ask(question) for question in visible.questions()).casefold()
        parts = (part for name in names - met - {"key", *visible.names()} for part in name.split(" / "))
        early = [part for part in parts if re.search(rf"\b{re.escape(part.casefold())}\b", text + asks)]
        found += [(visible.stage.id, visible.place.step, part) for part in early]
    assert not found


def test_formulas_show_the_plain_name_until_the_other_is_earned() -> None:
    seat = seat_of("press-h", "h")
    seat.walk.goto("flatten")
    seat.settle_in()
    shown = drawn(seat)
    assert "flatten_copy(x0, mu1, sigma1)" in shown
    assert "layer_norm(" not in shown
    assert "layer normalization" not in shown
    seat.walk.goto("mlp")
    seat.settle_in()
    assert "layer_norm(x1, mu2, sigma2)" in drawn(seat)


def test_the_glossary_uncovers_its_names_one_by_one() -> None:
    from tui_attention.lessons.load import glossary

    seat = seat_of("press-h", "h")

    def names() -> str:
        return "\n".join(map(plain, glossary_rows(seat.walk.visible.terms(glossary()), 100)))

    assert "tokenizer" not in names()
    assert "text splitter" in names()
    seat.walk.goto("roles")
    assert "layer normalization" in names()
    assert "softmax" not in names()
    seat.walk.goto("retold")
    own = [term for term in glossary() if term.lesson == "press-h"]
    assert all(term.standard in names() for term in own), "each name of the sheet is earned at a stage"


def test_yes_and_no_are_covered_until_the_question_is_settled() -> None:
    seat = seat_of("bank", "the river bank")
    seat.walk.goto("raw")
    seat.settle_in()
    assert not re.search(r"same_row.*\b(yes|no)\b", drawn(seat))
    question = seat.core.open_question()
    assert question is not None
    seat.core.answer("yes, one word")
    seat.core.answer("had")
    seat.changed()
    assert re.search(r"same_row\W+yes", drawn(seat))


def test_prose_does_not_tell_what_a_check_left_open() -> None:
    seat = seat_of("press-h", "h")
    seat.walk.goto("retold")
    seat.settle_in()
    assert "off with the mean ····" in drawn(seat).replace("\n", " ")

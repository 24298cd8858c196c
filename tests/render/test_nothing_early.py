"""Nothing early: while a CHECK is open, neither its answer nor its name is drawn anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from tests.render.test_on_screen import asked, pay, seat_of, stages, window
from tui_attention.engine.decimals import BLANK
from tui_attention.lessons.load import glossary, names
from tui_attention.plain.narration import Narrator
from tui_attention.render.frame import bar
from tui_attention.render.glossary import glossary_rows
from tui_attention.render.pipeline import header_row, tree_rows
from tui_attention.render.rows import CellKey, Row, plain
from tui_attention.ui.seat import Seat
from tui_attention.walk.questions import Question

LESSONS = names()
SIZE = (80, 24)

READ_OFF = "it is read off a table, which has to be shown"
HANDED_ON = "it is handed on unchanged from the row it stands in"
COUNT = "a count, written as what numbers stages, columns and steps"
ELSEWHERE = "another number of an operand is printed alike"

COINCIDENCES = {
    "press-h": {
        "splitter.1": READ_OFF,
        "token-row.1": READ_OFF,
        "score.4": COUNT,
        "output.1": HANDED_ON,
        "logits.3": COUNT,
        "logits.6": COUNT,
        "shapes.1": COUNT,
    },
    "bank": {"toy-world.1": READ_OFF, "toy-world.2": ELSEWHERE},
    "two-marks": {"roles.2": ELSEWHERE, "score.2": ELSEWHERE, "guess.2": COUNT, "guess.3": COUNT},
    "modern": {
        "rows.1": READ_OFF,
        "roles.3": COUNT,
        "score.1": ELSEWHERE,
        "score.2": ELSEWHERE,
        "swiglu.2": ELSEWHERE,
        "cache.1": COUNT,
        "logits.1": ELSEWHERE,
        "logits.2": COUNT,
    },
    "translate": {"pair.1": ELSEWHERE, "pair.2": ELSEWHERE, "next-word.1": HANDED_ON, "next-word.2": COUNT},
}
"""CHECKs whose answer stands somewhere at their own place all the same, and why it has to."""


def drawn(seat: Seat) -> str:
    """Everything at a place: document, rows below it, borders, tree, header, glossary, and the plain narration."""
    shown, _, desk = window(seat, SIZE)
    visible = seat.walk.visible
    rows: list[Row] = [*seat.layout().document.rows, *seat.document().rows]
    rows += [bar(visible.stage.title, visible.standard, 60), header_row(visible, 80)]
    rows += tree_rows(visible, (24, 40), visible.place.stage, False)
    rows += glossary_rows(visible.terms(glossary()), 100)
    told = Narrator(visible.stage, visible, brief=True)
    step = told.step(visible.place.step) if visible.step is not None else []
    words = [part.text for part in told.wall() + step + told.end()]
    return "\n".join([*map(plain, rows), *shown, *desk, *words])


def answer_of(seat: Seat, question: Question) -> str:
    """The printed number that is asked for."""
    return seat.walk._plan.asked_working(question).cell.printed


def lines_with(number: str, text: str) -> list[str]:
    """The lines in which a number stands by itself."""
    alone = re.compile(rf"(?<![\d.,]){re.escape(number)}(?!\d)(?!\.\d)")
    return [line for line in text.split("\n") if alone.search(line)]


@pytest.mark.parametrize("lesson", LESSONS)
def test_an_open_check_s_number_is_drawn_nowhere_at_its_place(lesson: str) -> None:
    """Apart from the coincidences that are listed; each of these is one."""
    found: dict[str, list[str]] = {}
    for seat in stages(lesson):
        for _ in asked(seat):
            question = seat.core.open_question()
            assert question is not None
            if question.sentence or question.check is None:
                continue
            hits = lines_with(answer_of(seat, question), drawn(seat))
            if hits:
                found.setdefault(question.check.id, hits[:2])
    assert {check: hits for check, hits in found.items() if check not in COINCIDENCES[lesson]} == {}
    assert set(COINCIDENCES[lesson]) <= set(found), "a coincidence that is none any more"


MET_AGAIN = "another number, which comes to the same"
LEFT_OPEN = {
    ("mlp", "output.2"): "a number of the wide row is printed alike",
    ("mlp", "mlp.2"): "Phi is looked up beside the number itself",
    ("dots", "toy-world.2"): "a zero among the products",
    ("dots", "dots.1"): MET_AGAIN,
    ("raw", "dots.1"): MET_AGAIN,
    ("raw", "dots.2"): MET_AGAIN,
    ("raw", "dots.4"): MET_AGAIN,
    ("wired", "dots.4"): MET_AGAIN,
}
"""Stages in which the answer of a CHECK of before is read outside of a matrix all the same, and why."""
TOTAL = re.compile(r"1\.0+")
"""What every row of shares comes to, beside it."""


def unasked(rows: Iterable[Row]) -> str:
    """The text of rows without the cells of their matrices."""
    return "\n".join("".join(span.text for span in row if not isinstance(span.key, CellKey)) for row in rows)


@pytest.mark.parametrize("lesson", LESSONS)
def test_what_a_check_left_open_asks_for_is_told_nowhere_later(lesson: str) -> None:
    """Its number shows in the matrices of later steps, as an operand, and in no line, prose, plot or program."""
    left: dict[str, Question] = {}
    found = []
    for seat in stages(lesson):
        window(seat, SIZE)
        seat.core.answered = None
        told = unasked(seat.document().rows)
        visible = seat.walk.visible
        for name, question in left.items():
            if question.cell is not None and visible.line(question.cell).result != BLANK:
                found.append((visible.stage.id, name, "line"))
            answer = answer_of(seat, question)
            count = "." not in answer or TOTAL.fullmatch(answer)
            if not count and (visible.stage.id, name) not in LEFT_OPEN and (hits := lines_with(answer, told)):
                found.append((visible.stage.id, name, hits[0]))
        left |= {q.check.id: q for q in seat.walk.questions() if q.check is not None and not q.sentence}
    assert not found


@pytest.mark.parametrize("lesson", LESSONS)
def test_yes_and_no_are_covered_until_the_question_is_settled(lesson: str) -> None:
    for seat in stages(lesson):
        step = seat.walk.step
        if step is None or not seat.walk._run.graph.tensor(step.name).truth or seat.walk.visible.shape(step.name):
            continue
        sentences = [question for question in seat.walk.questions() if question.sentence]
        assert sentences, "somebody is asked before it is told"
        told = rf"{step.name}\W+(yes|no)\b"
        assert not re.search(told, drawn(seat))
        for question in sentences:
            pay(seat.walk, question)
        seat.changed()
        assert re.search(told, drawn(seat))


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_standard_name_is_drawn_nowhere_before_it_is_earned(lesson: str) -> None:
    """In borders, captions, formulas, axes, notes, questions and the glossary.

    `key` is also what is pressed in press-h, and a tensor may have a standard name for its own.
    """
    found = []
    for seat in stages(lesson):
        visible = seat.walk.visible
        early = {
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
        parts = (part for name in early - met - {"key", *visible.names()} for part in re.split(" / |, ", name))
        hits = [part for part in parts if re.search(rf"\b{re.escape(part.casefold())}\b", text + asks)]
        found += [(visible.stage.id, visible.place.step, part) for part in hits]
    assert not found


def test_formulas_show_the_plain_name_until_the_other_is_earned() -> None:
    seat = seat_of("press-h")
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
    seat = seat_of("press-h")

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

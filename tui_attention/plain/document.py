"""The whole lesson on paper: the answer key with every number, or the worksheet with blanks to fill in.

Both are the same text. On the worksheet every number that a step makes is blank, in matrices, prose and pictures
alike, and each CHECK leaves room for its answer; no covered number reaches the output.
"""

from __future__ import annotations

from collections.abc import Iterator

from tui_attention.engine.decimals import printed
from tui_attention.engine.working import line
from tui_attention.lessons.course import Course, open_course
from tui_attention.options import Options
from tui_attention.plain.page import Page, Part, sentence
from tui_attention.plain.telling import Teller, stage_name
from tui_attention.render import plain
from tui_attention.walk.ledger import Ledger
from tui_attention.walk.places import number
from tui_attention.walk.questions import Desk, Question
from tui_attention.walk.sight import Sight
from tui_attention.walk.view import BLANK

RULE = "_"


def write(options: Options, page: Page) -> None:
    """The lesson, or the one stage that was asked for; uncovered unless `options.cover`. Raises BadInput."""
    course = open_course(options.lesson, options.prompt, options.other, options.ticket)
    for parts in pages(course, cover=bool(options.cover), stage=options.stage, width=page.width):
        page.parts(parts, airy=True)
        page.blank()


def pages(
    course: Course,
    *,
    cover: bool,
    stage: str | None = None,
    width: int,
) -> Iterator[list[Part]]:
    """The parts of the document, one group after the other. Raises BadInput for an unknown stage."""
    lesson = course.lesson
    chosen = range(len(lesson.stages))
    if stage is not None:
        place = lesson.stage_named(stage)
        chosen = range(place, place + 1)
    yield _title(course, cover)
    sight = _sight(course, cover)
    numbers = [number(lesson, place) for place in range(len(lesson.stages))]
    heard: set[str] = set()
    asked = 0
    for place in chosen:
        room = lesson.stages[place]
        teller = Teller(room, sight, hidden=BLANK, width=width, heard=heard)
        yield [Part(f"{stage_name(lesson.stages, numbers, place)}.".upper())]
        if wall := teller.wall():
            yield wall
        for step in range(len(room.steps)):
            yield teller.step(step)
        if end := teller.end():
            yield end
        for question in _questions(course, place):
            asked += 1
            yield _check(question, asked, sight, cover=cover, width=width)
        if earned := teller.earned():
            yield earned
    if stage is None and (rest := _rest(course, sight, heard)):
        yield rest


def _sight(course: Course, cover: bool) -> Sight:
    """Nothing worked out yet, all of it covered; or everything worked out, all of it open."""
    orders = {step.name: place for place, step in enumerate(course.lesson.program.steps)}
    now = 0 if cover else len(orders)
    return Sight(course, Ledger(), cover, now, False, orders)


def _title(course: Course, cover: bool) -> list[Part]:
    inputs = course.graph.inputs
    parts = [Part(course.lesson.title), Part(f'Prompt: "{inputs.prompt}".')]
    if inputs.other is not None:
        parts.append(Part(f'Other sentence: "{inputs.other}".'))
    if inputs.ticket is not None:
        parts.append(Part(f"Ticket: {inputs.ticket:.2f}."))
    if cover:
        return [*parts, Part("Worksheet: every number that a step makes is left blank.")]
    return [*parts, Part("Answer key: every number, and the answer to every CHECK.")]


def _rest(course: Course, sight: Sight, heard: set[str]) -> list[Part]:
    """Tables that no step reads and no stage shows: the constants."""
    room = course.lesson.stages[-1]
    teller = Teller(room, sight, hidden=BLANK, heard=heard)
    left = [name for name in course.graph.names() if name not in heard]
    parts = [part for name in left for part in teller.tensor(name)]
    return [Part("What else the formulas use."), *parts] if parts else []


# ---------------------------------------------------------------- the questions


def _questions(course: Course, place: int) -> Iterator[Question]:
    """The CHECKs of a stage in the lesson's order, each with the cell that it asks for."""
    desk = Desk(course)
    for check in course.lesson.stages[place].checks:
        if desk.present(check):
            yield from desk.of_check(check, Ledger())


def _check(question: Question, asked: int, sight: Sight, *, cover: bool, width: int) -> list[Part]:
    desk, check = Desk(sight.course), question.check
    filled = (sight.text(check.ask) or "") if check is not None else ""
    parts = [Part(f"CHECK {asked}. {plain.worded(desk.ask(question, filled), BLANK)}", 2)]
    if cover:
        lines = 3 if question.sentence else 1
        room = [RULE * (width - len("Answer: ")), *[RULE * width] * (lines - 1)]
        return [*parts, Part("Answer: " + "\n".join(room), raw=True)]
    return [*parts, Part(f"Answer: {_answer(question, desk, sight)}", 2)]


def _answer(question: Question, desk: Desk, sight: Sight) -> str:
    """What the answer key says; for a number its pencil line too."""
    if question.sentence and question.check is not None:
        return sight.text(question.check.answer) or ""
    working = desk.asked_working(question)
    if question.of_cell:
        return " ".join(map(sentence, plain.pencil(sight.line(question.name, question.index), BLANK)))
    result = printed(working.cell.value, working.asks, commas=working.asks == 0)
    return f"{line(working.root, sight.show)} = {result}" if working.root is not None else result


__all__ = ["pages", "write"]

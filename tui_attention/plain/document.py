"""The whole lesson on paper: the answer key with every number, or the worksheet with blanks to fill in.

Both are the same text. On the worksheet every number that a step makes is blank, in matrices, prose and pictures
alike, and each CHECK leaves room for its answer; no covered number reaches the output.
"""

from __future__ import annotations

from collections.abc import Iterator

from tui_attention.engine.decimals import printed
from tui_attention.lessons.run import LessonRun
from tui_attention.options import Options
from tui_attention.plain.narration import Narrator, stage_name
from tui_attention.plain.page import Paragraph, Transcript, sentence
from tui_attention.render import plain
from tui_attention.walk.ledger import Ledger
from tui_attention.walk.places import number
from tui_attention.walk.questions import Question, QuestionPlan
from tui_attention.walk.view import BLANK
from tui_attention.walk.visible import VisibleLesson
from tui_attention.whatif.scenario import described, open_scenario

RULE = "_"


def write(options: Options, page: Transcript) -> None:
    """The lesson, or the one stage that was asked for; uncovered unless `options.cover`. Raises BadInput."""
    given = options.lesson, options.prompt, options.other, options.ticket
    run = open_scenario(*given, scenario=options.scenario, variant=options.variant)
    for parts in pages(run, cover=bool(options.cover), stage=options.stage, width=page.width):
        page.parts(parts, airy=True)
        page.blank()


def pages(
    run: LessonRun,
    *,
    cover: bool,
    stage: str | None = None,
    width: int,
) -> Iterator[list[Paragraph]]:
    """The parts of the document, one group after the other. Raises BadInput for an unknown stage."""
    lesson = run.lesson
    chosen = range(len(lesson.stages))
    if stage is not None:
        place = lesson.stage_named(stage)
        chosen = range(place, place + 1)
    yield _title(run, cover)
    visible = _sight(run, cover)
    numbers = [number(lesson, place) for place in range(len(lesson.stages))]
    heard: set[str] = set()
    asked = 0
    for place in chosen:
        room = lesson.stages[place]
        narrator = Narrator(room, visible, hidden=BLANK, width=width, heard=heard)
        yield [Paragraph(f"{stage_name(lesson.stages, numbers, place)}.".upper())]
        if wall := narrator.wall():
            yield wall
        for step in range(len(room.steps)):
            yield narrator.step(step)
        if end := narrator.end():
            yield end
        for question in _questions(run, place):
            asked += 1
            yield _check(question, asked, visible, cover=cover, width=width)
        if earned := narrator.earned():
            yield earned
    if stage is None and (rest := _rest(run, visible, heard)):
        yield rest


def _sight(run: LessonRun, cover: bool) -> VisibleLesson:
    """Nothing worked out yet, all of it covered but what is measured; or everything worked out, all of it open."""
    orders = {step.name: place for place, step in enumerate(run.lesson.program.steps)}
    now = 0 if cover else len(orders)
    measured = frozenset(name for name in orders if _measured(run, name)) if cover else frozenset()
    return VisibleLesson(run, Ledger(opened=measured), cover, now, False, orders)


def _measured(run: LessonRun, name: str) -> bool:
    """Whether the numbers of a step are measured: nobody can fill them in."""
    traced = run.graph.traced(name)
    return not traced.view and run.graph.working(name, (0,) * len(traced.shape)).kind == "measured"


def _title(run: LessonRun, cover: bool) -> list[Paragraph]:
    inputs = run.graph.inputs
    parts = [Paragraph(run.lesson.title), Paragraph(f'Prompt: "{inputs.prompt}".')]
    if inputs.other is not None:
        parts.append(Paragraph(f'Other sentence: "{inputs.other}".'))
    if inputs.ticket is not None:
        parts.append(Paragraph(f"Ticket: {inputs.ticket_text()}."))
    if run.variant:
        parts.append(Paragraph(f"Variant: {run.variant}."))
    if changed := described(run):
        parts.append(Paragraph(f"This sheet is changed: {'; '.join(changed)}."))
    if cover:
        return [*parts, Paragraph("Worksheet: every number that a pencil can make is left blank.")]
    return [*parts, Paragraph("Answer key: every number, and the answer to every CHECK.")]


def _rest(run: LessonRun, visible: VisibleLesson, heard: set[str]) -> list[Paragraph]:
    """Tables that no step reads and no stage shows: the constants."""
    room = run.lesson.stages[-1]
    narrator = Narrator(room, visible, hidden=BLANK, heard=heard)
    left = [name for name in run.graph.names() if name not in heard]
    parts = [part for name in left for part in narrator.tensor(name)]
    return [Paragraph("What else the formulas use."), *parts] if parts else []


# ---------------------------------------------------------------- the questions


def _questions(run: LessonRun, place: int) -> Iterator[Question]:
    """The CHECKs of a stage in the lesson's order, each with the cell that it asks for."""
    desk = QuestionPlan(run)
    for check in run.lesson.stages[place].checks:
        if desk.present(check):
            yield from desk.of_check(check, Ledger())


def _check(question: Question, asked: int, visible: VisibleLesson, *, cover: bool, width: int) -> list[Paragraph]:
    desk, check = QuestionPlan(visible.run), question.check
    filled = (visible.text(visible.run.ask(check)) or "") if check is not None else ""
    parts = [Paragraph(f"CHECK {asked}. {plain.worded(desk.ask(question, filled), BLANK)}", 2)]
    if cover:
        lines = 3 if question.sentence else 1
        room = [RULE * (width - len("Answer: ")), *[RULE * width] * (lines - 1)]
        return [*parts, Paragraph("Answer: " + "\n".join(room), raw=True)]
    return [*parts, Paragraph(f"Answer: {_answer(question, desk, visible)}", 2)]


def _answer(question: Question, desk: QuestionPlan, visible: VisibleLesson) -> str:
    """What the answer key says; for a number its pencil line too."""
    if question.sentence and question.check is not None:
        return visible.text(question.check.answer) or ""
    working = desk.asked_working(question)
    if question.cell is not None:
        return " ".join(map(sentence, plain.pencil(visible.line(question.cell), BLANK)))
    result = printed(working.cell.value, working.asks, commas=working.asks == 0)
    return f"{visible.formula(working)} = {result}" if working.root is not None else result


__all__ = ["pages", "write"]

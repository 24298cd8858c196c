"""The whole lesson on paper: the answer key with every number, or the worksheet with blanks to fill in.

Both are the same text. On the worksheet every number that a step makes is blank, in matrices, prose and pictures
alike, and each CHECK leaves room for its answer; no covered number reaches the output.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tui_attention.export.compare import compare, told
from tui_attention.options import Options
from tui_attention.plain.narration import Narrator, stage_name
from tui_attention.plain.page import Paragraph, Transcript, sentence
from tui_attention.render import plain
from tui_attention.walk.opened import OpenLesson
from tui_attention.walk.questions import Question
from tui_attention.walk.sheet import sheet
from tui_attention.walk.view import BLANK
from tui_attention.walk.visible import VisibleLesson
from tui_attention.whatif.scenario import described, open_scenario

RULE = "_"


def write(options: Options, page: Transcript) -> None:
    """The lesson, or the one stage that was asked for; uncovered unless `options.cover`. Raises BadInput."""
    given = options.lesson, options.prompt, options.other, options.ticket
    run = open_scenario(*given, scenario=options.scenario, variant=options.variant, megabytes=options.memory)
    for parts in pages(OpenLesson.of(run), cover=bool(options.cover), stage=options.stage, width=page.width):
        page.parts(parts, airy=True)
        page.blank()


def pages(
    opened: OpenLesson,
    *,
    cover: bool,
    stage: str | None = None,
    width: int,
) -> Iterator[list[Paragraph]]:
    """The parts of the document, one group after the other. Raises BadInput for an unknown stage."""
    run = opened.run
    visible = sheet(run, cover=cover)
    chosen = range(len(visible.stages))
    if stage is not None:
        place = run.lesson.stage_named(stage)
        chosen = range(place, place + 1)
    yield _title(visible, described(run))
    numbers = [visible.number(place) for place in range(len(visible.stages))]
    heard: set[str] = set()
    asked = 0
    for place in chosen:
        room = visible.stages[place]
        visible = replace(visible, furthest=place)  # names are earned on the way
        narrator = Narrator(
            room, visible, hidden=BLANK, width=width, heard=heard, compared=lambda: told(compare(run))
        )
        yield [Paragraph(f"{stage_name(visible.stages, numbers, place)}.".upper())]
        if wall := narrator.wall():
            yield wall
        for step in range(len(room.steps)):
            yield narrator.step(step)
        if end := narrator.end():
            yield end
        for question in visible.every_question(place):
            asked += 1
            yield _check(question, asked, visible, width=width)
        if earned := narrator.earned():
            yield earned
    if stage is None and (rest := _rest(visible, heard)):
        yield rest


def _title(visible: VisibleLesson, changed: Sequence[str]) -> list[Paragraph]:
    inputs = visible.inputs
    parts = [Paragraph(visible.title), Paragraph(inputs.told)]
    if inputs.other is not None:
        parts.append(Paragraph(f'Other sentence: "{inputs.other}".'))
    if inputs.ticket is not None:
        parts.append(Paragraph(f"Ticket: {inputs.ticket_text()}."))
    if visible.variant:
        parts.append(Paragraph(f"Variant: {visible.variant}."))
    if changed:
        parts.append(Paragraph(f"This sheet is changed: {'; '.join(changed)}."))
    if visible.cover:
        return [*parts, Paragraph("Worksheet: every number that a pencil can make is left blank.")]
    return [*parts, Paragraph("Answer key: every number, and the answer to every CHECK.")]


def _rest(visible: VisibleLesson, heard: set[str]) -> list[Paragraph]:
    """Tables that no step reads and no stage shows: the constants."""
    narrator = Narrator(visible.stages[-1], visible, hidden=BLANK, heard=heard)
    left = [name for name in visible.names() if name not in heard]
    parts = [part for name in left for part in narrator.tensor(name)]
    return [Paragraph("What else the formulas use."), *parts] if parts else []


# ---------------------------------------------------------------- the questions


def _check(question: Question, asked: int, visible: VisibleLesson, *, width: int) -> list[Paragraph]:
    parts = [Paragraph(f"CHECK {asked}. {plain.worded(visible.ask(question), BLANK)}", 2)]
    if visible.cover:
        lines = 3 if question.sentence else 1
        room = [RULE * (width - len("Answer: ")), *[RULE * width] * (lines - 1)]
        return [*parts, Paragraph("Answer: " + "\n".join(room), raw=True)]
    return [*parts, Paragraph(f"Answer: {_answer(question, visible)}", 2)]


def _answer(question: Question, visible: VisibleLesson) -> str:
    """What the answer key says; for a number its pencil line too."""
    if question.sentence and question.check is not None:
        return visible.text(question.check.answer) or ""
    line = visible.asked_line(question)
    if question.cell is not None:
        return " ".join(map(sentence, plain.pencil(line, BLANK)))
    return f"{line.line} = {line.result}" if line.line else line.result


__all__ = ["pages", "write"]

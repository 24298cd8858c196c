"""A stage in paragraphs: what is said on entering it, at each of its steps, and at its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from tui_attention.lessons.load import glossary
from tui_attention.lessons.model import Note, Plot, Stage
from tui_attention.plain.page import Paragraph, sentence
from tui_attention.render import plain
from tui_attention.render.glyphs import ascii_text
from tui_attention.render.plots import plot_lines
from tui_attention.render.prose import notes_at, program_lines
from tui_attention.render.rows import plain as text_of
from tui_attention.render.shapes import stands_with
from tui_attention.walk.steps import StepView
from tui_attention.walk.view import BLANK, COVER, Picture
from tui_attention.walk.visible import VisibleLesson

COVERED = "covered"


class Narrator:
    """Tells one stage. `heard` are the tensors already read out, which are not read out again.

    `hidden` stands for a covered number. `width`: drawings that fit into it stay as they are, instead of being told
    by their words. `brief`: rows of a table that only go on beyond the printed ones are left out.
    `compared` gives the sentence that a comparison with another implementation ends with.
    """

    def __init__(
        self,
        stage: Stage,
        visible: VisibleLesson,
        *,
        hidden: str = COVERED,
        width: int = 0,
        heard: set[str] | None = None,
        brief: bool = False,
        compared: Callable[[], str] | None = None,
    ) -> None:
        self.stage = stage
        self.visible = visible
        self.hidden = hidden
        self.width = width
        self.brief = brief
        self.compared = compared
        self.heard = set() if heard is None else heard

    # ------------------------------------------------------------ the three parts of a stage

    def wall(self) -> list[Paragraph]:
        """What goes wrong without this stage."""
        found = [text for text in map(self.text, self.stage.wall) if text]
        return [Paragraph(text, prose=True) for text in found] + self._drawings("")

    def step(self, number: int) -> list[Paragraph]:
        """One step: its formula, its shapes, what it reads, what it makes, and what stands beside it."""
        step, count = self.stage.steps[number], len(self.stage.steps)
        caption = f": {step.caption}" if step.caption else ""
        which = f"Step {number + 1} of {count}" if count > 1 else "Step"
        parts = [
            Paragraph(sentence(f"{which}{caption}")),
            Paragraph(f"{step.name} = {self.visible.formula(step)}", 2),
        ]
        told = self.visible.step_view(step)
        if told.shapes:
            parts.append(Paragraph(f"Shapes: {told.shapes}", 2))
        parts += self._operands(told)
        parts += self.tensor(step.name, again=True)
        return parts + self._beside(step.name)

    def end(self) -> list[Paragraph]:
        """What stands at the end of a stage."""
        parts = [part for name in self.stage.recap for part in self.tensor(name)]
        if self.stage.listing:
            parts += self._listing(self.stage.listing)
        parts += self._beside("")
        if self.stage.compare and self.compared is not None:
            parts.append(Paragraph(self.compared()))
        if self.stage.glossary:
            parts += terms(self.visible, own=True, hidden=self.hidden if self.hidden == BLANK else "")
        return parts

    def earned(self) -> list[Paragraph]:
        """The standard names that the stage has earned."""
        return [Paragraph(f"Name earned: {earned.plain} = {earned.standard}.") for earned in self.stage.earns]

    # ------------------------------------------------------------ pieces

    def text(self, prose: str, *, page_only: bool = False) -> str | None:
        filled = self.visible.text(prose, page_only=page_only)
        return None if filled is None else plain.worded(" ".join(filled.split()), self.hidden)

    def tensor(self, name: str, *, again: bool = False) -> list[Paragraph]:
        """A tensor read row by row; nothing when it was read before and `again` is false."""
        if name in self.heard and not again:
            return []
        self.heard.add(name)
        view = self.visible.view(name)
        lines = plain.tensor(view, self.hidden)
        if self.brief and not again and view.continued_from is not None and len(view.shape) == 2:
            kept, rows = view.continued_from, view.axes[0].name
            lines[kept + 1 :] = [f"Further {rows}s, from {kept} on, continue it: values {name}."]
        return [Paragraph(line, 2) for line in lines]

    def _operands(self, step: StepView) -> list[Paragraph]:
        known = self.visible.names()
        names = [name for name in step.reads if name in known]
        old = [name for name in names if name in self.heard]
        parts = [part for name in names for part in self.tensor(name)]
        if old:
            parts.insert(0, Paragraph(f"It reads {', '.join(old)}, as read out above.", 2))
        return parts

    def _listing(self, name: str) -> list[Paragraph]:
        """A program and the rows that it prints; line by line only where there is a width to draw in."""
        parts = [Paragraph("The program prints:"), *(Paragraph(line, 2) for line in self.visible.listing(name))]
        if self.width:
            parts[:0] = [Paragraph("The program:"), Paragraph("\n".join(program_lines(name, self.width)), raw=True)]
        return parts

    def _beside(self, name: str) -> list[Paragraph]:
        stage = self.stage
        tables = [table for table in stage.tables if stands_with(table, stage.steps) == name]
        parts = [Paragraph(line, 2) for table in tables for line in plain.table(self.visible, table, self.hidden)]
        parts += self._drawings(name) if name else []
        notes = notes_at(self.visible, stage, name) if self.hidden != BLANK else stage.notes
        for note in notes:
            text = self.text(note.text, page_only=note.page_only) if self.hidden != BLANK or note.at == name else None
            parts += [Paragraph(text, prose=True)] if text else []
        return parts + [part for plot in stage.plots if plot.at == name for part in self._plot(plot)]

    def _drawings(self, name: str) -> list[Paragraph]:
        return [part for note in self.stage.diagrams if note.at == name for part in self._drawing(note)]

    def _drawing(self, note: Note) -> list[Paragraph]:
        filled = self.visible.text(note.text, page_only=note.page_only)
        if filled is None:
            return []
        if self.width and max(map(len, filled.split("\n"))) <= self.width:
            return [Paragraph(plain.worded(filled, self.hidden), raw=True)]
        words = plain.drawing(self.visible, note, self.hidden)
        return [Paragraph(sentence(f"Drawing: {'; '.join(words).replace(',;', ',')}"), 2)] if words else []

    def _plot(self, plot: Plot) -> list[Paragraph]:
        pictures = self.visible.picture(plot)
        if self.width:
            return [
                Paragraph(f"Picture: {plot.title or plot.kind}."),
                Paragraph(self._drawn(plot, pictures), raw=True),
            ]
        told = plain.picture(plot, pictures, self.hidden)
        if all(name in self.heard for name in plot.of):
            return [Paragraph(f"{told[0]} It draws {', '.join(plot.of)}, as read out above.", 2)]
        return [Paragraph(line, 2) for line in told]

    def _drawn(self, plot: Plot, pictures: tuple[Picture, ...]) -> str:
        """The picture as it is drawn; where a number of it is covered, its axes alone."""
        hidden = any(part.hidden for part in pictures)
        if hidden:
            pictures = tuple(replace(part, values=np.full(part.values.shape, np.nan)) for part in pictures)
        lines = plot_lines(replace(plot, title=""), pictures, self.width, ascii=True)
        drawn = "\n".join(map(text_of, lines))
        return drawn.replace(ascii_text(COVER), self.hidden) if hidden else drawn


def terms(
    visible: VisibleLesson, wanted: Callable[[str], bool] = lambda text: True, *, own: bool = False, hidden: str = ""
) -> list[Paragraph]:
    """The glossary, or the lines of it whose names are wanted, or the lesson's `own`; `hidden`: not yet earned."""
    found = [term for term in glossary() if wanted(f"{term.plain} {term.standard}".casefold())]
    shown = visible.terms(term for term in found if not own or term.lesson == visible.id)
    said = [(term, term.standard.replace(COVER, hidden or "not earned yet")) for term in shown]
    return [
        Paragraph(f"{term.plain}: {standard}." + (f" {term.formula}." if term.formula else ""), 2)
        for term, standard in said
    ]


def stage_name(stages: Sequence[Stage], numbers: Sequence[str], place: int) -> str:
    """`Stage 4 of 13, flatten a copy`; what comes before the first numbered stage has no number."""
    number = numbers[place]
    return (
        f"Stage {number} of {numbers[-1]}, {stages[place].title}"
        if number
        else f"Before stage 1, {stages[place].title}"
    )


__all__ = ["COVERED", "Narrator", "stage_name", "terms"]

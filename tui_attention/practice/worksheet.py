"""A worksheet of a lesson, and its key: the same paper with blanks or with every number.

On the sheet, what a step makes is blank, in tables and prose alike; what no pencil makes (measured, stated, masked)
is given, and so are the numbers of stages that are not on it. In prose a blank number stands as its address.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tui_attention.engine.errors import BadInput
from tui_attention.engine.formula import parse
from tui_attention.engine.graph import Working
from tui_attention.engine.tensor import Index, Tensor, address
from tui_attention.engine.working import Cell, line, operands
from tui_attention.judge.choose import best_cell
from tui_attention.judge.verdict import prepare
from tui_attention.lessons.model import Check, Lesson, Stage
from tui_attention.lessons.run import LessonRun
from tui_attention.practice.guide import also_right, mistakes, number_text
from tui_attention.practice.paper import BLANK, Paper, PaperQuestion, PaperStage, PaperStep, PaperTable
from tui_attention.render.phi import ROUND, phi
from tui_attention.walk.places import number
from tui_attention.walk.steps import reads, step_view
from tui_attention.whatif.scenario import described

MOST_COPIED = 40
"""Cells of a row that is only looked up, at most, for it to be copied out by the learner."""
_A_LINE = 6
"""Numbers that a pencil writes on one line, with their signs."""
MOST_LINES = 4
"""Lines of room for one CHECK, at most."""


def places_of(lesson: Lesson, stages: tuple[str, ...] = ()) -> tuple[int, ...]:
    """Where the stages of these ids stand, in the lesson's order; all that compute or ask where none is named.

    Raises BadInput for one that the lesson lacks.
    """
    if stages:
        return tuple(sorted({lesson.stage_named(stage) for stage in stages}))
    return tuple(place for place, stage in enumerate(lesson.stages) if stage.steps or stage.checks)


def chosen_cells(run: LessonRun, places: tuple[int, ...]) -> dict[str, str]:
    """For each CHECK that leaves it open, the cell to ask for: the same on all sheets of a class."""
    checks = (check for place in places for check in run.lesson.stages[place].checks if check.of)
    return {check.id: best_cell(run, check.of) or "" for check in checks}


@dataclass(eq=False)
class Worksheet:
    """The stages that are on the paper, by their place in the lesson; `cells` as `chosen_cells` gives them."""

    run: LessonRun
    places: tuple[int, ...]
    cells: Mapping[str, str]

    def sheet(self) -> Paper:
        """The paper to be filled in."""
        return self._paper(key=False)

    def key(self) -> Paper:
        """The paper with every number, what else counts as right, and the mistakes behind wrong numbers."""
        return self._paper(key=True)

    def _paper(self, *, key: bool) -> Paper:
        lesson = self.run.lesson
        stages = []
        asked = 0
        for place in self.places:
            stage = lesson.stages[place]
            checks = [check for check in stage.checks if self._present(check)]
            questions = tuple(self._question(check, asked + n, key=key) for n, check in enumerate(checks, 1))
            asked += len(questions)
            name = f"{number(lesson, place)} {stage.title}".strip()
            steps = tuple(self._step(stage, n, key=key) for n in range(len(stage.steps)))
            stages.append(PaperStage(name, steps, questions))
        given = tuple(table for name in self._given for table in self._tables(name, key=True))
        if any(table.phi_of for place in self.places for table in lesson.stages[place].tables):
            given = (*given, _phi_table())
        return Paper(lesson.id, lesson.title, self.run.variant, key, self._about(), given, tuple(stages))

    def _about(self) -> tuple[str, ...]:
        inputs, graph = self.run.graph.inputs, self.run.graph
        lines = [inputs.told.removesuffix(".")]
        if inputs.other is not None:
            lines.append(f'Other sentence: "{inputs.other}"')
        if inputs.ticket is not None:
            lines.append(f"Ticket: {inputs.ticket_text()}")
        lines += [f"{name} = {graph.cell(name, ()).printed}" for name in self._read if not graph.traced(name).shape]
        if changed := described(self.run):
            lines.append(f"This sheet is changed: {'; '.join(changed)}.")
        return tuple(lines)

    # ------------------------------------------------------------ what is given, what is blank

    @cached_property
    def _made(self) -> frozenset[str]:
        """What the steps on the paper make."""
        return frozenset(step.name for place in self.places for step in self.run.lesson.stages[place].steps)

    @cached_property
    def _read(self) -> tuple[str, ...]:
        """What the steps and CHECKs on the paper read and do not make: dials, and results of stages not on it."""
        stages = [self.run.lesson.stages[place] for place in self.places]
        formulas = [step.expr for stage in stages for step in stage.steps]
        asked = [check.cell or check.value for stage in stages for check in stage.checks if check.cell or check.value]
        found = dict.fromkeys(name for expr in (*formulas, *map(parse, asked)) for name in reads(expr))
        if "prompt" in found:
            found = {"splitter": None, **found}
        return tuple(name for name in found if name in self.run.graph.names() and name not in self._made)

    @cached_property
    def _given(self) -> tuple[str, ...]:
        """The tables that stand at the top of the paper."""
        tables = (name for name in self._read if self.run.graph.traced(name).shape)
        return tuple(name for name in tables if not self._only_looked_at(name) or self._small(name))

    def _small(self, name: str) -> bool:
        return int(self.run.graph.traced(name).values.size) <= MOST_COPIED

    def _only_looked_at(self, name: str) -> bool:
        """Whether it holds cells of others: a row that is looked up, a slice, a table laid beside another."""
        return self.run.graph.traced(name).view

    @cached_property
    def _copied(self) -> frozenset[str]:
        """The addresses of the dials that a blank row is copied from."""
        found = set[str]()
        for name in self._made:
            if self._only_looked_at(name) and self._small(name):
                for index in np.ndindex(*self.run.graph.traced(name).shape):
                    found.add(address(*self.run.graph.source(name, index)))
        return frozenset(found)

    def _blank(self, name: str, index: Index) -> bool:
        """Whether a cell of a step's result is left to the learner."""
        graph = self.run.graph
        source, place = graph.source(name, index)
        if source not in self._made:
            return name in self._made  # a row that is looked up, to be copied out
        return graph.working(source, place).askable

    def _show(self, cell: Cell) -> str:
        """A number in prose, or the address of one that is blank."""
        hidden = self._blank(cell.tensor, cell.index) or cell.address in self._copied
        return self.run.graph.tensor(cell.tensor).short(cell.index) if hidden else cell.printed

    # ------------------------------------------------------------ tables

    def _step(self, stage: Stage, place: int, *, key: bool) -> PaperStep:
        step, graph = stage.steps[place], self.run.graph
        shown = not self._only_looked_at(step.name) or (self._small(step.name) and self._fresh(step.name))
        tables = tuple(self._tables(step.name, key=key)) if shown else ()
        return PaperStep(step.caption, f"{step.name} = {step.text}", step_view(graph, step).shapes, tables)

    def _fresh(self, name: str) -> bool:
        """Whether a view is a row looked up in a table, and not the learner's own numbers once more."""
        source, _ = self.run.graph.source(name, (0,) * len(self.run.graph.traced(name).shape))
        return source not in self._made

    def _tables(self, name: str, *, key: bool) -> Iterator[PaperTable]:
        """A tensor as one table, or as one for each place along its leading axes."""
        tensor = self.run.graph.tensor(name)
        lead = tensor.shape[:-2]
        for places in np.ndindex(*lead):
            where = "".join(f", {tensor.axes[n].name} {tensor.axes[n].labels[p]}" for n, p in enumerate(places))
            yield self._table(tensor, places, f"{tensor.title}{where}".strip(", "), key=key)

    def _table(self, tensor: Tensor, lead: Index, title: str, *, key: bool) -> PaperTable:
        flat = tensor.shape[len(lead) :]
        rows = flat[-2] if len(flat) > 1 else 1
        columns = flat[-1] if flat else 1
        heads = tensor.axes[-1].labels if flat else ("",)
        labels = tensor.axes[-2].labels if len(flat) > 1 else ("",)
        corner = tensor.axes[-2].name if len(flat) > 1 else tensor.axes[-1].name if flat else ""

        def text(row: int, column: int) -> str:
            index = (*lead, *((row, column) if len(flat) > 1 else (column,) if flat else ()))
            if not key and self._blank(tensor.name, index):
                return BLANK
            if tensor.truth:
                return "yes" if tensor.values[index] else "no"
            return self.run.graph.cell(tensor.name, index).printed

        texts = tuple(tuple(text(row, column) for column in range(columns)) for row in range(rows))
        return PaperTable(tensor.name, title, corner, tuple(map(_mark, heads)), tuple(map(_mark, labels)), texts)

    # ------------------------------------------------------------ CHECKs

    def _present(self, check: Check) -> bool:
        """Whether this prompt and these numbers have the CHECK at all."""
        run = self.run
        left_out = run.text(check.ask, page_only=check.page_only) is None or run.text(check.answer) is None
        return not left_out and (check.sentence or self._working(check) is not None)

    def _working(self, check: Check) -> Working | None:
        """What a numeric CHECK asks for; None where this prompt lacks its cell."""
        graph = self.run.graph
        if not check.of:
            return self.run.check_working(check)
        cell = self.cells.get(check.id)
        try:
            return graph.working(*graph.source(*graph.locate(cell))) if cell else None
        except BadInput:  # chosen on another prompt
            return None

    def _question(self, check: Check, asked: int, *, key: bool) -> PaperQuestion:
        run = self.run
        ask = " ".join((run.text(check.ask, None if key else self._show) or "").split())
        working = None if check.sentence else self._working(check)
        if working is None:
            return PaperQuestion(asked, ask, None, answer=(run.text(check.answer) or "") if key else "")
        cell = working.cell
        short = run.graph.tensor(cell.tensor).short(cell.index) if check.of else ""
        if short and short not in ask:
            ask = f"{ask} ({short})"
        if not key:
            return PaperQuestion(asked, ask, working.asks, room=_room(working))
        says = {entry.slip: run.text(entry.text) or "" for entry in check.says}
        prepared = prepare(run, working, says=says)
        pencil = line(working.root) if working.root is not None and working.kind == "computed" else ""
        answer = number_text(working.cell.value, working.asks)
        return PaperQuestion(asked, ask, working.asks, pencil, answer, also_right(prepared), mistakes(prepared))


def _phi_table() -> PaperTable:
    """Phi of round numbers, where a stage needs it: no pencil makes it."""
    title = "in between, take what lies in between; below zero, look it up without the minus and take it away from 1"
    columns = tuple(f"{z:.1f}" for z in ROUND)
    return PaperTable("Phi", title, "z", columns, ("Phi",), (tuple(map(phi, ROUND)),))


def _room(working: Working) -> int:
    """Lines that a pencil needs: by how many numbers go in, since how long they are would tell of them."""
    count = len(operands(working.root)) if working.root is not None else 0
    return min(MOST_LINES, max(1, -(-count // _A_LINE)))


def _mark(label: str) -> str:
    """A label that can be seen: a blank stands in quotes."""
    return f'"{label}"' if label.isspace() else label

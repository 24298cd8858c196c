"""Everything that can be wrong with a lesson file, found before a learner does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

import numpy as np

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.engine.formula import names as names_in
from tui_attention.engine.graph import Graph
from tui_attention.engine.naming import parse as parse_formula
from tui_attention.lessons import load, vetting
from tui_attention.lessons.declare import unknown
from tui_attention.lessons.model import Check, Lesson, Note, Plot, Stage, TextTable
from tui_attention.lessons.parts import LessonPart
from tui_attention.lessons.run import Absent, LessonRun
from tui_attention.listings import PROGRAMS

DIAGRAM_COLUMNS = 56  # the stage panel of a terminal of 80 columns
MOST_CHARACTERS = 500  # of a paragraph
CELL_CHARACTERS = 40  # of a text in a table
_MOST_CELLS = 5_000

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: where it stands (a stage, a check, a file and line) and what is wrong, for a person."""

    where: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file and self.line else ""
        return f"{place}{self.where}: {self.message}" if self.where else f"{place}{self.message}"


def lint(lesson: str | Lesson, *, slips: Collection[str] | None = None) -> list[Finding]:
    """The faults of a lesson: its id, the path of its file or folder, or the lesson itself once loaded.

    References, formulas, CHECKs and pictures are tried with the lesson's own inputs. `slips` are the kinds of slip
    that there are; None leaves them unchecked. A lesson that cannot be loaded has that one finding. Raises BadInput
    where there is no such lesson.
    """
    found: list[Finding] = []
    inherited: set[str] = set()
    if isinstance(lesson, str):
        content, file = load.content_of(lesson)
        try:
            origin = load.origin_of(content, file)
            for path, message in unknown(origin.raw, LessonPart):
                line, column = origin.source(path).located.of(path, key=True)
                found.append(Finding(origin.label(path[:-1]), message, origin.source(path).file, line, column))
            lesson = load.build(origin)
            # What came with another lesson and is not used here is no fault of this file.
            inherited = {f"[{'.'.join(map(str, path))}]" for path in origin.others if len(path) == 2}
        except LessonError as error:
            return [*found, _of_error(file, error)]
    try:
        run = LessonRun(lesson, Graph(lesson.program))
    except BadInput as error:
        return [*found, Finding("[inputs]", str(error))]
    found += [finding for finding in _Lint(run, slips).all() if finding.where not in inherited]
    return list(dict.fromkeys(found))


def _of_error(where: str, error: LessonError) -> Finding:
    return Finding("" if error.file else where, error.message, error.file, error.line, error.column)


def _place(error: LessonError) -> str:
    """Where in the file, as far as it is known."""
    places = (("line", error.line), ("column", error.column if error.line else 0))
    return "".join(f", {name} {place}" for name, place in places if place)


# ---------------------------------------------------------------- prose

_BACKQUOTED = re.compile(r"`[^`]*`")
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{[^{}]*\}")
# A name may hold digits: x0, GPT-2, block 1, an address such as q[0]; so may a formula such as exp(0).
_NAMES = re.compile(r"[A-Za-z_]\w*\s?[(\[][\w,.\s-]*[)\]]|[A-Za-z_]+-\d+|[A-Za-z_]\w*|\bblock \d+", re.ASCII)
_INDEX = re.compile(r"\[[^\]]*\]")
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_DIGITS = re.compile(r"\d(?:[\d.,]*\d)?")


def typed_numbers(text: str) -> list[str]:
    """The numbers that stand in prose as digits: not in a placeholder, in backquotes or in a name."""
    for pattern, instead in ((_BACKQUOTED, " "), (_PLACEHOLDER, " ")):
        text = pattern.sub(instead, text)
    text = re.sub(r"\bblock \d+", " ", text)
    return _DIGITS.findall(_NAMES.sub(" ", text))


def loose_braces(text: str) -> bool:
    """Whether a brace has no partner."""
    rest = _PLACEHOLDER.sub(" ", text)
    return "{" in rest or "}" in rest


class _Lint:
    def __init__(self, run: LessonRun, slips: Collection[str] | None) -> None:
        self.run, self.lesson, self.graph, self.slips = run, run.lesson, run.graph, slips
        self.broken: set[str] = set()

    def all(self) -> list[Finding]:
        found = [*self.tensors(), *self.settings(), *self.glossary(), *self.around(), *self.variants()]
        for stage in self.lesson.stages:
            found += self.stage(stage)
        return found

    def tried(
        self, where: str, do: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> tuple[T | None, list[Finding]]:
        """The result, or the fault that stands in its way."""
        try:
            return do(*args, **kwargs), []
        except Absent as absent:
            return None, [Finding(where, f"the lesson's own prompt lacks {absent}")]
        except LessonError as error:
            return None, [Finding(where + _place(error), error.message)]
        except BadInput as error:
            return None, [Finding(where, str(error))]

    # ------------------------------------------------------------ the computation

    def tensors(self) -> Iterator[Finding]:
        for name in self.graph.names():
            step = self.lesson.program.by_name.get(name)
            if step is not None and names_in(step.expr) & self.broken:
                self.broken.add(name)
                continue
            where = f"step {name}" if step else f"[tables.{name}]"
            tensor, faults = self.tried(where, self.graph.tensor, name)
            yield from faults
            if faults:
                self.broken.add(name)
            elif tensor is not None and step is not None and not self.graph.traced(name).view and tensor.values.size:
                if np.isnan(tensor.values).any() or np.isposinf(tensor.values).any():
                    self.broken.add(name)
                    yield Finding(f"{where}, line {step.line}", "some of its numbers are infinite or undefined")
                yield from self.tried(where, self.graph.working, name, (0,) * tensor.values.ndim)[1]

    def hurt(self, text: str) -> bool:
        """Whether a reference reads a step that has a finding of its own already."""
        return bool(self.broken & set(_WORD.findall(text)))

    def settings(self) -> Iterator[Finding]:
        for name in self.lesson.program.settings:
            if name not in self.lesson.program.by_name:
                yield Finding(f"[tensors.{name}]", f"no step makes {name}")
        read = frozenset().union(*(names_in(step.expr) for step in self.lesson.program.steps))
        for name in self.lesson.program.tables:
            if name not in read and name != "splitter":
                yield Finding(f"[tables.{name}]", f"no step reads {name}")
        for fact in self.lesson.facts.values():
            if not fact.source.strip():
                yield Finding(f"[facts.{fact.name}]", "a fact says where it is from; 'source' is empty")

    def glossary(self) -> Iterator[Finding]:
        for term in load.glossary():
            if term.lesson == self.lesson.id and self.lesson.stage_index(term.see) < 0:
                yield Finding(
                    f"glossary, {term.plain}", f"'see' names {term.see!r}, which is no stage of {term.lesson}"
                )

    def around(self) -> Iterator[Finding]:
        known = {block.id for block in self.lesson.blocks}
        if self.lesson.next_lesson and self.lesson.next_lesson not in load.names():
            yield Finding("the lesson", f"'next' names {self.lesson.next_lesson!r}, which is no lesson")
        for stage in self.lesson.stages:
            if stage.block and stage.block not in known:
                yield Finding(f"stage {stage.id}", f"'block' names {stage.block!r}, which is no block")
        files = Counter(plot.file for stage in self.lesson.stages for plot in stage.plots if plot.file)
        for file, count in files.items():
            if count > 1:
                yield Finding("the lesson", f"{count} pictures are called {file!r}")

    def variants(self) -> Iterator[Finding]:
        """Whether the list of variants and their numbers agree; the conditions are tried by `vetting` alone."""
        for accept in self.lesson.variants.accepts:
            if not self.hurt(accept.cells):
                yield from self.tried(f"[[variants.accept]] {accept.cells}", self.run.formula, accept.cells)[1]
        for message in vetting.misfits(self.lesson):
            yield Finding("[variants]", message)

    # ------------------------------------------------------------ a stage

    def stage(self, stage: Stage) -> list[Finding]:
        where = f"stage {stage.id}"
        made = {step.name for step in stage.steps}
        found: list[Finding] = []
        for text in (
            stage.title,
            stage.standard,
            *(name for earned in stage.earns for name in (earned.plain, earned.standard)),
        ):
            found += self.words(f"{where}, title", text)
        for step in stage.steps:
            found += self.words(f"{where}, step {step.name}", step.caption)
        for number, text in enumerate(stage.wall, 1):
            found += self.paragraph(f"{where}, wall {number}", text)
        for number, note in enumerate(stage.notes, 1):
            found += self.paragraph(f"{where}, note {number}", note.text)
        found += self.listing(where, stage.listing)
        for number, diagram in enumerate(stage.diagrams, 1):
            found += self.diagram(f"{where}, diagram {number}", diagram.text)
        for number, table in enumerate(stage.tables, 1):
            found += self.table(f"{where}, table {number}", table)
        for number, plot in enumerate(stage.plots, 1):
            found += self.plot(f"{where}, plot {number}", plot)
        placed: tuple[Note | TextTable | Plot, ...] = (*stage.notes, *stage.diagrams, *stage.tables, *stage.plots)
        for at in dict.fromkeys(part.at for part in placed if part.at and part.at not in made):
            found.append(Finding(where, f"something stands 'at' {at!r}, which is no step of this stage"))
        known = self.graph.names()
        found += [
            Finding(f"{where}, recap", f"nothing is called {name!r}") for name in stage.recap if name not in known
        ]
        for compare in stage.compare:
            named = (compare.ours, compare.query, compare.key, compare.value, compare.mask)
            found += [
                Finding(f"{where}, compare", f"nothing is called {name[:40]!r}")
                for name in named
                if name and name not in known
            ]
        for check in stage.checks:
            found += [*self.check(check), *self.early(stage, check)]
        if made and not self.copied(stage) and all(check.sentence for check in stage.checks):
            found.append(Finding(where, "it has steps, but no check whose answer is a number"))
        return found

    def listing(self, where: str, name: str) -> Iterator[Finding]:
        """A program that is shown must be one that there is."""
        if name and name not in PROGRAMS:
            yield Finding(where, f"there is no program {name[:40]!r} to list; there is: {' '.join(PROGRAMS)}")

    def copied(self, stage: Stage) -> bool:
        """Whether the stage is a copy in a repeated block: it has no CHECKs of its own."""
        block, _, number = stage.block.rpartition("_")
        return number.isdigit() and any(known.id == block for known in self.lesson.blocks)

    # ------------------------------------------------------------ texts

    def words(self, where: str, text: str) -> Iterator[Finding]:
        """Text without placeholders of its own: a title, a caption."""
        for number in typed_numbers(text):
            yield Finding(where, f"the number {number} is typed by hand: {text[:60]!r}")

    def text(self, where: str, text: str) -> list[Finding]:
        """A text with placeholders: each must resolve, and no number may be typed beside them."""
        found = list(self.words(where, text))
        if loose_braces(text):
            found.append(Finding(where, f"a brace has no partner (write {{{{ or }}}} for one): {text[:60]!r}"))
        for placeholder in dict.fromkeys(re.findall(r"\{[^{}]+\}", text.replace("{{", "  ").replace("}}", "  "))):
            if self.hurt(placeholder):
                continue
            filled, faults = self.tried(f"{where}, {placeholder}", self.run.text, placeholder)
            found += faults
            if filled is None and not faults:
                found.append(Finding(where, f"the lesson's own prompt lacks the cell of {placeholder}"))
        return found

    def paragraph(self, where: str, text: str) -> list[Finding]:
        found = self.text(where, text)
        filled = None if found or self.hurt(text) else self.run.text(text)
        if not text.strip():
            found.append(Finding(where, "it is empty"))
        if len(filled or text) > MOST_CHARACTERS:
            found.append(
                Finding(where, f"{len(filled or text)} characters; at most {MOST_CHARACTERS} are easy to read")
            )
        return found

    def diagram(self, where: str, text: str) -> list[Finding]:
        found = self.text(where, text)
        filled = text if found or self.hurt(text) else self.run.text(text) or text
        wide = max(map(len, filled.split("\n")))
        if wide > DIAGRAM_COLUMNS:
            found.append(Finding(where, f"it is {wide} columns wide; {DIAGRAM_COLUMNS} fit"))
        if not filled.isascii():
            found.append(Finding(where, "a diagram is drawn in ASCII"))
        return found

    def table(self, where: str, table: TextTable) -> list[Finding]:
        if table.phi_of:
            if table.columns or table.rows:
                return [Finding(where, "it has 'phi_of', so 'columns' and 'rows' are not shown")]
            if table.phi_of not in self.graph.names():
                return [Finding(where, f"'phi_of' names {table.phi_of!r}, which nothing makes")]
            return []
        if not table.columns or not table.rows:
            return [Finding(where, "it has no 'columns' or no 'rows'")]
        found: list[Finding] = []
        for cell in (cell for row in (table.columns, *table.rows) for cell in row):
            found += self.text(where, cell)
            if len(_PLACEHOLDER.sub("", cell)) > CELL_CHARACTERS:
                found.append(Finding(where, f"a text of more than {CELL_CHARACTERS} characters: {cell[:60]!r}"))
        return found

    # ------------------------------------------------------------ pictures

    def plot(self, where: str, plot: Plot) -> list[Finding]:
        found = list(self.words(where, plot.title))
        if not plot.of:
            return [*found, Finding(where, "'of' is empty")]
        if plot.labels and len(plot.labels) != len(plot.of):
            found.append(Finding(where, f"{len(plot.labels)} 'labels' for {len(plot.of)} of 'of'"))
        for label in plot.labels:
            found += self.text(where, label)
        for text in plot.of:
            if self.hurt(text):
                continue
            traced, faults = self.tried(f"{where}, {text[:40]}", self.run.formula, text)
            found += faults
            if traced is None:
                continue
            rank = len(traced.shape)
            least, most = {"heatmap": (2, 4), "bars": (1, 3)}.get(plot.kind, (1, 1))
            if not least <= rank <= most or traced.values.size > _MOST_CELLS:
                found.append(
                    Finding(where, f"a picture of kind {plot.kind} cannot show {text[:40]!r} with {rank} axes")
                )
            elif plot.kind in ("arrows", "plane"):
                found += [
                    Finding(where, f"{text[:40]!r} has no {name!r}; it has: {' '.join(traced.axes[0].labels)}")
                    for name in (plot.x, plot.y)
                    if name not in traced.axes[0].labels
                ]
        return found

    # ------------------------------------------------------------ CHECKs

    def check(self, check: Check) -> list[Finding]:
        where = f"check {check.id}"
        found = [*self.paragraph(f"{where}, ask", check.ask)]
        if check.ask_several:
            found += self.paragraph(f"{where}, ask_several", check.ask_several)
        if check.answer:
            found += self.paragraph(f"{where}, answer", check.answer)
        kinds = Counter(says.slip for says in check.says)
        for says in check.says:
            found += self.paragraph(f"{where}, {says.slip}", says.text)
        for kind, count in kinds.items():
            if self.slips is not None and kind not in self.slips:
                found.append(Finding(where, f"there is no slip of kind {kind!r}"))
            if count > 1:
                found.append(Finding(where, f"{count} sentences for the slip {kind!r}; only one is ever said"))
        if check.sentence:
            return found + ([Finding(where, "a sentence CHECK has no slips")] if check.says else [])
        return found + (self.chosen(where, check) if check.of else self.asked(where, check))

    def chosen(self, where: str, check: Check) -> list[Finding]:
        """A CHECK whose cell the program chooses: some cell of the tensor must be one that can be asked."""
        if check.of not in self.graph.names():
            return [Finding(where, f"'of' names {check.of!r}, which nothing makes")]
        if check.of in self.broken:
            return []
        tensor, faults = self.tried(where, self.graph.tensor, check.of)
        if tensor is None:
            return faults
        indices = (index for _, index in zip(range(_MOST_CELLS), np.ndindex(*tensor.shape), strict=False))
        if not any(self.graph.working(check.of, index).askable for index in indices):
            return [Finding(where, f"no cell of {check.of} can be asked")]
        return []

    def early(self, stage: Stage, check: Check) -> Iterator[Finding]:
        """What a CHECK asks for is made in its stage or before."""
        now = self.lesson.stages.index(stage)
        for name in _WORD.findall(_INDEX.sub(" ", f"{check.cell} {check.of} {check.value}")):
            if (later := self.lesson.stage_of(name)) > now:
                yield Finding(f"check {check.id}", f"{name} is made later, in stage {self.lesson.stages[later].id}")

    def asked(self, where: str, check: Check) -> list[Finding]:
        if self.hurt(check.cell or check.value):
            return []
        working, faults = self.tried(where, self.run.check_working, check)
        if faults:
            return faults
        if working is None:
            return [Finding(where, "the lesson's own prompt lacks the cell that it asks for")]
        if working.kind != "dial" and not working.askable:
            return [Finding(where, f"no pencil makes {check.cell or check.value} ({working.kind})")]
        if not np.isfinite(working.cell.value):
            return [Finding(where, f"{check.cell or check.value} is {working.cell.value}, which nobody can answer")]
        if check.cell and check.asks is not None:
            return [Finding(where, "'asks' belongs to 'value'; a cell is asked as its tensor says")]
        if check.value and not names_in(parse_formula(check.value)):
            return [Finding(where, "its answer depends on nothing in the lesson")]
        return []

"""Everything that can be wrong with a lesson file, found before a learner does: errors first, then complaints."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator

import numpy as np

from tui_attention.engine import formula
from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.engine.formula import Expr
from tui_attention.engine.formula import names as names_in
from tui_attention.engine.graph import Graph
from tui_attention.engine.traits import is_slow, role_of
from tui_attention.engine.working import FULL, MOST_PARTS, evaluate, is_endless
from tui_attention.lessons import load, sound, vetting
from tui_attention.lessons.declare import unknown
from tui_attention.lessons.findings import WORD, Finding, Ground, of_error
from tui_attention.lessons.model import Check, Lesson, Note, Plot, Stage, TextTable
from tui_attention.lessons.parts import LessonPart
from tui_attention.lessons.positions import Path
from tui_attention.lessons.run import LessonRun
from tui_attention.listings import PROGRAMS

DIAGRAM_COLUMNS = 56  # the stage panel of a terminal of 80 columns
MOST_CHARACTERS = 500  # of a paragraph
CELL_CHARACTERS = 40  # of a text in a table
MOST_STEPS, MOST_TRIED = (
    150,
    8_000_000,
)  # numbers gone through, of a lesson that is tried with prompts of every length


def lint(
    lesson: str | Lesson,
    *,
    slips: Collection[str] | None = None,
    possible: Callable[[LessonRun, Check], Collection[str]] | None = None,
) -> list[Finding]:
    """The faults of a lesson: its id, the path of its file or folder, or the lesson itself once loaded.

    References, formulas, CHECKs and pictures are tried with the lesson's own inputs. `slips` are the kinds of slip
    that there are; None leaves them unchecked; `possible` gives those of one CHECK, for what is said of a wrong one.
    A lesson that cannot be loaded has that one finding. Raises BadInput where there is no such lesson.
    """
    found: list[Finding] = []
    if isinstance(lesson, str):
        content, file = load.content_of(lesson)
        try:
            origin = load.origin_of(content, file)
            for path, message in unknown(origin.raw, LessonPart):
                placed = origin.error(message, path, key=True)
                where = origin.label(path[:-1])
                found.append(Finding(where, message, placed.file, placed.line, placed.column, error=True))
            lesson = load.build(origin)
        except LessonError as error:
            return [*found, of_error(error)]
    try:
        ground = Ground(LessonRun(lesson, Graph(lesson.program)), slips, possible)
    except BadInput as error:
        return [*found, Finding("[inputs]", str(error), error=True)]
    found += sound.errors(ground)
    found += _Complaints(ground).all()
    return list(dict.fromkeys(found))


# ---------------------------------------------------------------- prose

_BACKQUOTED = re.compile(r"`[^`]*`")
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{[^{}]*\}")
# A name may hold digits: x0, GPT-2, block 1, an address such as q[0]; so may a formula such as exp(0).
_NAMES = re.compile(r"[A-Za-z_]\w*\s?[(\[][\w,.\s-]*[)\]]|[A-Za-z_]+-\d+|[A-Za-z_]\w*|\bblock \d+", re.ASCII)
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


class _Complaints:
    """What is legal and yet not good; of parts that were taken over from another lesson, nothing is said."""

    def __init__(self, ground: Ground) -> None:
        self.ground, self.run, self.lesson, self.graph = ground, ground.run, ground.lesson, ground.graph

    def all(self) -> Iterator[Finding]:
        for where, message, path, part in self.found():
            if self.ground.own(path):
                yield self.ground.finding(where, message, path, part, key=not part)
        yield from self.glossary()
        yield from self.other_prompts()

    def found(self) -> Iterator[tuple[str, str, Path, str]]:
        yield from self.unused()
        yield from self.masks()
        yield from self.endless()
        yield from self.around()
        for stage in self.lesson.stages:
            yield from self.stage(stage)

    # ------------------------------------------------------------ the computation

    def unused(self) -> Iterator[tuple[str, str, Path, str]]:
        program = self.lesson.program
        for name in program.settings:
            if name not in program.by_name:
                yield f"[tensors.{name}]", f"no step makes {name}", ("tensors", name), ""
        read = frozenset[str]().union(*(names_in(step.expr) for step in program.steps))
        for switch in self.lesson.switches.values():
            read |= {word for text in switch.steps.values() for word in WORD.findall(text)}
        told = set(WORD.findall(" ".join(self.texts()))) | {name for s in self.lesson.stages for name in s.recap}
        for name in program.tables:
            if name not in read and name != "splitter":
                yield f"[tables.{name}]", f"no step reads {name}", ("tables", name), ""
        for key, names in (("constants", program.constants), ("facts", program.facts)):
            for name in names:
                if name not in read and name not in told:
                    yield f"[{key}]", f"{name} is never used and never shown", (key, name), ""
        for fact in self.lesson.facts.values():
            if not fact.source.strip():
                says = "a fact says where it is from; 'source' is empty"
                yield f"[facts.{fact.name}]", says, ("facts", fact.name, "source"), ""

    def texts(self) -> Iterator[str]:
        """Every text that may refer to something."""
        for stage in self.lesson.stages:
            yield from stage.wall
            yield from (note.text for note in (*stage.notes, *stage.diagrams))
            yield from (cell for table in stage.tables for row in (table.columns, *table.rows) for cell in row)
            yield from (text for plot in stage.plots for text in (*plot.of, *plot.labels))
            for check in stage.checks:
                yield from (check.ask, check.ask_several, check.answer, check.means, check.cell, check.value)
                yield from (says.text for says in check.says)
                yield from (text for slip in check.slips for text in (slip.value, slip.text))
        yield from (slip.value for slips in self.lesson.slips.values() for slip in slips)

    def masks(self) -> Iterator[tuple[str, str, Path, str]]:
        """A mask holds 0 and 1, or 0 and minus infinity: anything else is a mistake that still computes."""
        for stage in self.lesson.stages:
            for step in stage.steps:
                if names_in(step.expr) & self.ground.broken:
                    continue
                for part in formula.walk(step.expr, indices=False):
                    if role_of(part) != "mask" or not isinstance(part, formula.Call) or len(part.args) < 2:
                        continue
                    values = self.graph.evaluate(part.args[1]).values.astype(np.float64)
                    strange = values[~np.isin(values, (0.0, 1.0)) & ~np.isneginf(values)]
                    mixed = np.isneginf(values).any() and (values == 1).any()
                    if strange.size or mixed:
                        name = formula.spell(part.args[1])
                        held = f"{float(strange[0]):g}" if strange.size else "1 beside minus infinity"
                        says = f"the mask {name} holds {held}; 0 and 1 were expected, or 0 and minus infinity"
                        yield f"step {step.name}", says, (*self.ground.stage_path(stage), "steps"), f"{step.name} ="

    def endless(self) -> Iterator[tuple[str, str, Path, str]]:
        """Steps that nobody works out with a pencil."""
        for stage in self.lesson.stages:
            for step in stage.steps:
                if is_slow(step.expr) or (names_in(step.expr) | {step.name}) & self.ground.broken:
                    continue
                first = self.graph.working(step.name, (0,) * len(self.graph.traced(step.name).shape))
                if first.kind == "computed" and first.root is not None and is_endless(first.root):
                    says = f"a number of {step.name} takes more than {MOST_PARTS:,} numbers and operations: no pencil"
                    says += " goes through them, so it is only judged right or wrong"
                    yield f"step {step.name}", says, (*self.ground.stage_path(stage), "steps"), f"{step.name} ="

    def other_prompts(self) -> Iterator[Finding]:
        """Prompts of every legal length: the lesson's own one works, and a shorter or longer one must not break."""
        inputs, marks = self.lesson.program.inputs, self.lesson.program.vocabulary
        if not inputs.texts() or self.ground.broken:
            return
        own = inputs.prompt.split() if marks.words else list(inputs.prompt)
        small = self.graph.cost < MOST_TRIED and len(self.lesson.program.steps) < MOST_STEPS
        longest = marks.most if small else 0  # what takes long is tried once
        for length in range(1, longest + 1):
            words = (own * marks.most)[:length]
            text = (" " if marks.words else "").join(words)
            if not text.strip() or length == len(own):
                continue
            try:
                graph = Graph(self.lesson.program, inputs.changed(prompt=text))
                broken = self.broken_on(graph)
            except (BadInput, LessonError) as error:
                broken = str(error)
            if broken:
                kind = "word" if marks.words else "mark"
                says = f"a prompt of {length} {kind}{'s' * (length > 1)} is legal and breaks: {broken}"
                if length > len(own):
                    says += f"; most = {len(own)} in [vocabulary] allows no longer one"
                yield self.ground.finding("[inputs]", says, ("inputs", "prompt"))
                return

    def broken_on(self, graph: Graph) -> str:
        """Which step has no value for another prompt, and why; empty where all have."""
        for step in self.lesson.program.steps:
            if is_slow(step.expr):
                continue
            try:
                values = graph.tensor(step.name).values
            except LessonError as error:
                return f"{step.name} = {step.text}: {error.message}"
            if values.dtype == np.float64 and (np.isnan(values).any() or np.isposinf(values).any()):
                return f"{step.name} = {step.text} becomes infinite or undefined"
        return ""

    # ------------------------------------------------------------ around the stages

    def glossary(self) -> Iterator[Finding]:
        for term in load.glossary():
            if term.lesson == self.lesson.id and self.lesson.stage_index(term.see) < 0:
                says = f"'see' names {term.see!r}, which is no stage of {term.lesson}"
                yield Finding(f"glossary, {term.plain}", says)

    def around(self) -> Iterator[tuple[str, str, Path, str]]:
        known = {block.id for block in self.lesson.blocks}
        if self.lesson.next_lesson and not load.known(self.lesson.next_lesson):
            yield "the lesson", f"'next' names {self.lesson.next_lesson!r}, which is no lesson", ("next",), ""
        for stage in self.lesson.stages:
            if stage.block and stage.block not in known:
                says = f"'block' names {stage.block!r}, which is no block"
                yield f"stage {stage.id}", says, (*self.ground.stage_path(stage), "block"), ""
        files = Counter(plot.file for stage in self.lesson.stages for plot in stage.plots if plot.file)
        for file, count in files.items():
            if count > 1:
                yield "the lesson", f"{count} pictures are called {file!r}", ("stage",), ""
        for message in vetting.misfits(self.lesson):
            yield "[variants]", message, ("variants",), ""

    # ------------------------------------------------------------ a stage

    def stage(self, stage: Stage) -> Iterator[tuple[str, str, Path, str]]:
        where, path = f"stage {stage.id}", self.ground.stage_path(stage)
        made = {step.name for step in stage.steps}
        copied = self.ground.copied(stage)
        if not stage.wall and not copied:
            yield where, "it has no wall: what goes wrong without this step?", path, ""
        for key, text in (("title", stage.title), ("standard", stage.standard)):
            yield from self.words(f"{where}, {key}", (*path, key), text)
        for earned in stage.earns:
            yield from self.words(f"{where}, earns", (*path, "earns"), f"{earned.plain}, {earned.standard}")
        for step in stage.steps:
            yield from self.words(f"{where}, step {step.name}", (*path, "steps"), step.caption)
        yield from self.parts(stage, where, path)
        placed: tuple[Note | TextTable | Plot, ...] = (*stage.notes, *stage.diagrams, *stage.tables, *stage.plots)
        for at in dict.fromkeys(part.at for part in placed if part.at and part.at not in made):
            yield where, f"something stands 'at' {at!r}, which is no step of this stage", path, ""
        if stage.listing and stage.listing not in PROGRAMS:
            says = f"no program is called {stage.listing!r}; there are: {' '.join(PROGRAMS)}"
            yield f"{where}, listing", says, (*path, "listing"), ""
        for check in stage.checks:
            yield from self.check(stage, check)
        if made and not copied and all(check.sentence for check in stage.checks):
            yield where, "it has steps, but no check whose answer is a number", path, ""

    def parts(self, stage: Stage, where: str, path: Path) -> Iterator[tuple[str, str, Path, str]]:
        for number, text in enumerate(stage.wall, 1):
            yield from self.paragraph(f"{where}, wall {number}", (*path, "wall"), text)
        for number, note in enumerate(stage.notes):
            yield from self.paragraph(f"{where}, note {number + 1}", (*path, "note", number, "text"), note.text)
        for number, diagram in enumerate(stage.diagrams):
            held = (*path, "diagram", number, "text")
            yield from self.diagram(f"{where}, diagram {number + 1}", held, diagram.text)
        for number, table in enumerate(stage.tables):
            yield from self.table(f"{where}, table {number + 1}", (*path, "table", number), table)
        for number, plot in enumerate(stage.plots):
            yield from self.plot(f"{where}, plot {number + 1}", (*path, "plot", number), plot)

    # ------------------------------------------------------------ texts

    def words(self, where: str, path: Path, text: str) -> Iterator[tuple[str, str, Path, str]]:
        """Digits that somebody typed."""
        for number in typed_numbers(text):
            says = f"the number {number} is typed by hand: {text[:60]!r}; write a placeholder, or the word"
            yield where, says, path, number

    def text(self, where: str, path: Path, text: str) -> Iterator[tuple[str, str, Path, str]]:
        """A text with placeholders: no number may be typed beside them."""
        yield from self.words(where, path, text)
        if loose_braces(text):
            yield where, f"a brace has no partner (write {{{{ or }}}} for one): {text[:60]!r}", path, "{"

    def filled(self, text: str) -> str:
        """The text as it is read, where it can be filled in."""
        if loose_braces(text) or self.ground.hurt(text):
            return text
        try:
            return self.run.text(text) or text
        except (LessonError, BadInput):  # said already, as an error
            return text

    def paragraph(self, where: str, path: Path, text: str) -> Iterator[tuple[str, str, Path, str]]:
        yield from self.text(where, path, text)
        length = len(self.filled(text))
        if not text.strip():
            yield where, "it is empty", path, ""
        if length > MOST_CHARACTERS:
            yield where, f"{length} characters; at most {MOST_CHARACTERS} are easy to read", path, ""

    def diagram(self, where: str, path: Path, text: str) -> Iterator[tuple[str, str, Path, str]]:
        yield from self.text(where, path, text)
        filled = self.filled(text)
        wide = max(map(len, filled.split("\n")))
        if wide > DIAGRAM_COLUMNS:
            yield where, f"it is {wide} columns wide; {DIAGRAM_COLUMNS} fit", path, ""
        if not filled.isascii():
            yield where, "a diagram is drawn in ASCII", path, ""

    def table(self, where: str, path: Path, table: TextTable) -> Iterator[tuple[str, str, Path, str]]:
        if table.phi_of:
            if table.columns or table.rows:
                yield where, "it has 'phi_of', so 'columns' and 'rows' are not shown", path, ""
            return
        if not table.columns or not table.rows:
            yield where, "it has no 'columns' or no 'rows'", path, ""
        wide = [len(row) for row in table.rows if len(row) != len(table.columns)]
        if wide and table.columns:
            yield where, f"a row has {wide[0]} texts under {len(table.columns)} columns", (*path, "rows"), ""
        for cell in (cell for row in (table.columns, *table.rows) for cell in row):
            yield from self.text(where, path, cell)
            if len(_PLACEHOLDER.sub("", cell)) > CELL_CHARACTERS:
                yield where, f"a text of more than {CELL_CHARACTERS} characters: {cell[:60]!r}", path, ""

    def plot(self, where: str, path: Path, plot: Plot) -> Iterator[tuple[str, str, Path, str]]:
        yield from self.words(where, (*path, "title"), plot.title)
        if plot.labels and len(plot.labels) != len(plot.of):
            yield where, f"{len(plot.labels)} 'labels' for {len(plot.of)} of 'of'", (*path, "labels"), ""
        for label in plot.labels:
            yield from self.text(where, (*path, "labels"), label)

    # ------------------------------------------------------------ CHECKs

    def check(self, stage: Stage, check: Check) -> Iterator[tuple[str, str, Path, str]]:
        where, path = f"check {check.id}", self.ground.check_path(stage, check)
        yield from self.paragraph(f"{where}, ask", (*path, "ask"), check.ask)
        if check.answer:
            yield from self.paragraph(f"{where}, answer", (*path, "answer"), check.answer)
        if check.means:
            yield from self.paragraph(f"{where}, means", (*path, "means"), check.means)
        if check.ask_several:
            yield from self.paragraph(f"{where}, ask_several", (*path, "ask_several"), check.ask_several)
        kinds = Counter(says.slip for says in check.says)
        for number, says in enumerate(check.says):
            yield from self.paragraph(f"{where}, {says.slip}", (*path, "says", number, "text"), says.text)
        for kind, count in kinds.items():
            if count > 1:
                yield where, f"{count} sentences for the slip {kind!r}; only one is ever said", (*path, "says"), ""
        for number, slip in enumerate(check.slips):
            yield from self.paragraph(f"{where}, {slip.kind}", (*path, "slip", number, "text"), slip.text)
        if check.sentence and check.says:
            yield where, "a sentence CHECK has no slips", (*path, "says"), ""
        if check.cell and not self.ground.hurt(check.cell):
            yield from self.shown(where, (*path, "cell"), check)
        yield from self.indistinct(where, path, check)

    def shown(self, where: str, path: Path, check: Check) -> Iterator[tuple[str, str, Path, str]]:
        """A view has no number of its own: where its source is on screen, there is nothing to ask."""
        try:
            name, index = self.graph.locate(check.cell)
        except (BadInput, LessonError):
            return
        source, _ = self.graph.source(name, index)
        step = self.lesson.program.by_name.get(name)
        if source == name or step is None or _looked_up(step.expr):
            return
        yield where, f"{check.cell} is a cell of {source} seen again, and that is on screen already", path, ""

    def indistinct(self, where: str, path: Path, check: Check) -> Iterator[tuple[str, str, Path, str]]:
        """Slips of the lesson's own that give the right number on its own dials."""
        try:
            working = self.run.check_working(check)
            made = [] if working is None else list(self.run.own_slips(working, check))
        except (BadInput, LessonError):
            return
        for slip, node in made:
            if working is not None and working.cell.prints is not None:
                right, wrong = round(working.cell.value, working.asks), round(evaluate(node, FULL), working.asks)
                if right == wrong:
                    says = f"the slip {slip.kind!r} gives the right number, {working.cell.printed}, on the own dials"
                    yield where, says, path, ""


def _looked_up(expr: Expr) -> bool:
    """Whether a view reads rows by a row of whole numbers: finding those is the question."""
    return isinstance(expr, formula.Indexed) and any(
        not isinstance(item, formula.Slice | formula.Num | formula.Label) for item in expr.items
    )


__all__ = ["Finding", "lint", "loose_braces", "typed_numbers"]

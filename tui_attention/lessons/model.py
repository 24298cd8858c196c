"""What a lesson is made of, as frozen dataclasses. The computation itself is an engine program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.engine.formula import Step
from tui_attention.engine.naming import parse_steps
from tui_attention.engine.program import Program
from tui_attention.engine.switch import Switch
from tui_attention.lessons.declare import (
    DECIMALS,
    FLAG,
    FORMULA,
    IDENTIFIER,
    LINES,
    NUMBER,
    PAIRS,
    PARAGRAPH,
    PARAGRAPHS,
    ROWS,
    TEXT,
    TEXTS,
    Fields,
    Kind,
    Origin,
    build,
    choice,
    declared,
    listed,
    many,
)
from tui_attention.lessons.variants import Variants

PlotKind = Literal["heatmap", "bars", "arrows", "plane", "curve"]


@dataclass(frozen=True, slots=True)
class Fact:
    """A number that is stated, with where it is from; usable in formulas and prose."""

    name: str
    value: float = field(metadata=declared(NUMBER, "the number"))
    source: str = field(metadata=declared(TEXT, "where it is from"))
    prints: int = field(default=0, metadata=declared(DECIMALS, "its decimals"))


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph. `at` names the step that it stands with; empty: the end of the stage."""

    text: str = field(metadata=declared(PARAGRAPH, "the paragraph; it may hold placeholders"))
    at: str = field(
        default="", metadata=declared(TEXT, "the step that it stands with (default: the end of the stage)")
    )
    page_only: bool = field(
        default=False,
        metadata=declared(FLAG, "leave it out for another prompt or turned dials than the lesson's own"),
    )


@dataclass(frozen=True, slots=True)
class Diagram(Note):
    """Lines of ASCII, at most 56 columns wide."""

    text: str = field(metadata=declared(LINES, "the lines, ASCII, at most 56 columns; they may hold placeholders"))


@dataclass(frozen=True, slots=True)
class Says:
    """The lesson's own sentence for a slip."""

    slip: str = field(metadata=declared(TEXT, "the kind of slip, as `language` lists them"))
    text: str = field(metadata=declared(PARAGRAPH, "what is said; it may hold placeholders"))


@dataclass(frozen=True, slots=True)
class OwnSlip:
    """A slip of the lesson's own: `value` is a formula for the wrong number, or for a whole matrix of them."""

    kind: str = field(metadata=declared(TEXT, "its kind: a word of your own, or one that there is"))
    value: str = field(metadata=declared(FORMULA, "what comes out: one number, or a matrix of the tensor's shape"))
    text: str = field(metadata=declared(PARAGRAPH, "what is said; it may hold placeholders"))


@dataclass(frozen=True, slots=True)
class Check:
    """A question. One of `cell`, `of`, `value` (judged) or `answer` (a sentence; the learner marks it).

    `of` names a tensor: the program chooses the coordinate whose slips are most visible. `value` is a formula over
    cells with `asks` decimals. `ask_several` is asked instead where the prompt has several marks. `id` is unique in
    its lesson.
    """

    id: str
    ask: str = field(metadata=declared(PARAGRAPH, "the question; it may hold placeholders"))
    ask_several: str = field(
        default="", metadata=declared(PARAGRAPH, "the question where the prompt has several marks, if it is another")
    )
    cell: str = field(default="", metadata=declared(TEXT, "the cell that answers it: a[0,0]"))
    of: str = field(default="", metadata=declared(TEXT, "a tensor: the program chooses the cell"))
    value: str = field(default="", metadata=declared(FORMULA, "a formula over cells that answers it"))
    answer: str = field(
        default="", metadata=declared(PARAGRAPH, "a sentence that answers it; the learner marks the own one")
    )
    at: str = field(
        default="", metadata=declared(TEXT, "the step at which a sentence is asked; else the stage's end")
    )
    means: str = field(
        default="", metadata=declared(PARAGRAPH, "one sentence after a right number: what it means, for any numbers")
    )
    asks: int | None = field(default=None, metadata=declared(DECIMALS, "decimals asked, beside `value`"))
    page_only: bool = field(
        default=False,
        metadata=declared(FLAG, "leave it out for another prompt or turned dials than the lesson's own"),
    )
    in_copies: bool = field(default=False, metadata=declared(FLAG, "ask it in each copy of a repeated block, too"))
    says: tuple[Says, ...] = field(default=(), metadata=declared(many(Says), "the lesson's own sentences for slips"))
    slips: tuple[OwnSlip, ...] = field(
        default=(), metadata=declared(many(OwnSlip), "slips of the lesson's own", name="slip")
    )

    @property
    def sentence(self) -> bool:
        return bool(self.answer)


VERDICTS = (
    "right", "pencil", "own-row", "slip", "early", "wrong", "one-more-decimal", "unfinished", "unreadable", "percent",
    "empty",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExpectedAnswer:
    """An answer that a learner may type, and what the judge has to make of it."""

    typed: str = field(metadata=declared(TEXT, "what is typed"))
    cell: str = field(default="", metadata=declared(TEXT, "the cell that is asked: a[0,0]"))
    check: str = field(default="", metadata=declared(TEXT, "or the CHECK: flatten.2"))
    verdict: str = field(default="", metadata=declared(TEXT, f"one of {' '.join(VERDICTS)}"))
    slip: str = field(
        default="", metadata=declared(TEXT, "the kind of slip that has to be named, among the first two")
    )
    says: str = field(default="", metadata=declared(TEXT, "words that have to stand in what is said"))


@dataclass(frozen=True, eq=False, slots=True)
class Expectations:
    """What must come out of a lesson: numbers by address, with the digits that are written, and answers."""

    values: Mapping[str, Any] = field(default_factory=dict)
    answers: tuple[ExpectedAnswer, ...] = field(
        default=(), metadata=declared(many(ExpectedAnswer), "answers and their verdicts", name="answer")
    )


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture of tensors: the same declaration for terminal, cover and figures.

    `of` are names or formulas; `x` and `y` are column labels where the picture is drawn in two of the columns.
    """

    kind: PlotKind = field(metadata=declared(choice(*get_args(PlotKind)), "how it is drawn"))
    of: tuple[str, ...] = field(default=(), metadata=declared(TEXTS, "what is drawn: names or formulas"))
    title: str = field(default="", metadata=declared(TEXT, "what stands above it"))
    file: str = field(default="", metadata=declared(IDENTIFIER, "the name of its file, for `figures`"))
    x: str = field(default="", metadata=declared(TEXT, "the column drawn to the right (arrows, plane)"))
    y: str = field(default="", metadata=declared(TEXT, "the column drawn upward (arrows, plane)"))
    labels: tuple[str, ...] = field(default=(), metadata=declared(TEXTS, "a label for each of `of`"))
    at: str = field(
        default="", metadata=declared(TEXT, "the step that it stands with (default: the end of the stage)")
    )


@dataclass(frozen=True, slots=True)
class TextTable:
    """A small table of texts with placeholders. `phi_of` names a tensor whose values of Phi are listed instead."""

    columns: tuple[str, ...] = field(default=(), metadata=declared(TEXTS, "what stands above the columns"))
    rows: tuple[tuple[str, ...], ...] = field(
        default=(), metadata=declared(ROWS, "the rows; they may hold placeholders")
    )
    phi_of: str = field(default="", metadata=declared(TEXT, "a tensor: list Phi of its numbers instead"))
    at: str = field(
        default="", metadata=declared(TEXT, "the step that it stands with (default: the end of the stage)")
    )


@dataclass(frozen=True, slots=True)
class Compare:
    """A head that is compared with another implementation at its stage's end: the names of its tensors.

    `ours` is its output; with `mask`, the other one is given that mask too.
    """

    ours: str = field(metadata=declared(TEXT, "the head's output"))
    query: str = field(metadata=declared(TEXT, "its queries"))
    key: str = field(metadata=declared(TEXT, "its keys"))
    value: str = field(metadata=declared(TEXT, "its values"))
    mask: str = field(default="", metadata=declared(TEXT, "its mask, where it has one"))


@dataclass(frozen=True, slots=True)
class Recap:
    """Tensors of earlier stages that are shown again at the top of this one."""

    of: tuple[str, ...] = field(metadata=declared(TEXTS, "their names"))


class Earned(NamedTuple):
    """A plain name and the standard name that it has now earned."""

    plain: str
    standard: str


def _steps(fields: Fields, name: str, given: Any) -> tuple[Step, ...]:
    text = str(TEXT.read(fields, name, given))
    try:
        steps = parse_steps(text)
    except LessonError as error:
        raise fields.origin.inside(error, fields.at(name)) from None
    file, line, before = fields.origin.begins(text, fields.at(name))
    return tuple(
        step._replace(line=line + step.line - 1, file=file, before=before if step.line == 1 else 0) for step in steps
    )


def _checks(fields: Fields, name: str, given: Any) -> tuple[Check, ...]:
    stage, found = fields.raw.get("id"), []
    for number, inside in enumerate(listed(fields, name, given), 1):
        check = build(Check, inside, id=f"{stage}.{number}")
        answers = [key for key in ("cell", "of", "value", "answer") if getattr(check, key)]
        if len(answers) != 1:
            given_as = " and ".join(answers) or "none"
            raise inside.fail(f"it needs exactly one of cell, of, value, answer, not {given_as}")
        found.append(check)
    return tuple(found)


def _recaps(fields: Fields, name: str, given: Any) -> tuple[str, ...]:
    return tuple(tensor for inside in listed(fields, name, given) for tensor in build(Recap, inside).of)


def _earned(fields: Fields, name: str, given: Any) -> tuple[Earned, ...]:
    return tuple(Earned(*pair) for pair in PAIRS.read(fields, name, given))


STEPS = Kind("formulas, one a line", _steps)
CHECKS = Kind("tables", _checks, "tables", Check)
RECAPS = Kind("tables", _recaps, "tables", Recap)
EARNED = Kind("a list of pairs of texts", _earned)


@dataclass(frozen=True, slots=True)
class Stage:
    """One room of the pipeline. `wall`, notes, diagrams and tables are texts with placeholders.

    `listing` names a program that is shown with the rows that it prints (`tui_attention.listings`).
    """

    id: str = field(metadata=declared(IDENTIFIER, "its name in addresses and files"))
    title: str = field(metadata=declared(TEXT, "its name in plain words"))
    standard: str = field(default="", metadata=declared(TEXT, "the field's name, shown once it is earned"))
    block: str = field(default="", metadata=declared(TEXT, "the block that it belongs to"))
    wall: tuple[str, ...] = field(default=(), metadata=declared(PARAGRAPHS, "what goes wrong without this step"))
    wall_in_copies: tuple[str, ...] = field(
        default=(),
        metadata=declared(PARAGRAPHS, "the wall of each copy of a repeated block; {n} is the copy's number"),
    )
    earns: tuple[Earned, ...] = field(
        default=(), metadata=declared(EARNED, "pairs of a plain name and the standard name that is earned here")
    )
    steps: tuple[Step, ...] = field(
        default=(),
        metadata=declared(STEPS, "one `name = formula   # caption` a line; `inner` before hides it from workings"),
    )
    notes: tuple[Note, ...] = field(default=(), metadata=declared(many(Note), "paragraphs", name="note"))
    diagrams: tuple[Diagram, ...] = field(
        default=(), metadata=declared(many(Diagram), "drawings in letters", name="diagram")
    )
    tables: tuple[TextTable, ...] = field(
        default=(), metadata=declared(many(TextTable), "small tables", name="table")
    )
    recap: tuple[str, ...] = field(default=(), metadata=declared(RECAPS, "tensors of earlier stages, shown again"))
    checks: tuple[Check, ...] = field(default=(), metadata=declared(CHECKS, "questions", name="check"))
    plots: tuple[Plot, ...] = field(default=(), metadata=declared(many(Plot), "pictures", name="plot"))
    glossary: bool = field(default=False, metadata=declared(FLAG, "show the glossary here"))
    listing: str = field(default="", metadata=declared(TEXT, "a program of this package that is shown with its rows"))
    compare: tuple[Compare, ...] = field(
        default=(), metadata=declared(many(Compare), "a head that is compared with another implementation")
    )


class Block(NamedTuple):
    """A node of the pipeline tree that groups stages."""

    id: str
    title: str


class Term(NamedTuple):
    """One line of the glossary: the plain name, the standard one, the formula, and the stage that earns it."""

    plain: str
    standard: str
    formula: str = ""
    see: str = ""
    lesson: str = ""


@dataclass(frozen=True, slots=True)
class LogitLens:
    """What the final table would say of the running row before the end."""

    head: str = field(default="", metadata=declared(TEXT, "logits from a running row that is called `row`"))
    rows: tuple[tuple[str, str], ...] = field(
        default=(), metadata=declared(PAIRS, "the running rows, each with where it stands")
    )


@dataclass(frozen=True, eq=False, slots=True)
class Lesson:
    """A whole lesson, read-only and shared by everybody who walks it."""

    id: str
    title: str
    summary: str
    program: Program
    stages: tuple[Stage, ...]
    blocks: tuple[Block, ...] = ()
    facts: Mapping[str, Fact] = field(default_factory=dict)
    next_lesson: str = ""
    switches: Mapping[str, Switch] = field(default_factory=dict)
    variants: Variants = field(default_factory=Variants)
    slips: Mapping[str, tuple[OwnSlip, ...]] = field(default_factory=dict)
    expect: Expectations = field(default_factory=Expectations)
    origin: Origin | None = None
    lens: LogitLens | None = None

    def stage_index(self, stage_id: str) -> int:
        """Where the stage stands; -1 when the lesson has none of that id."""
        return next((place for place, stage in enumerate(self.stages) if stage.id == stage_id), -1)

    def stage_named(self, stage_id: str) -> int:
        """Where the stage stands. Raises BadInput, saying what would be legal, when there is none of that id."""
        place = self.stage_index(stage_id)
        if place < 0:
            legal = " ".join(stage.id for stage in self.stages)
            raise BadInput(f"{self.id} has no stage {stage_id[:40]!r}; its stages are: {legal}")
        return place

    def stage_of(self, tensor: str) -> int:
        """The stage whose step makes the tensor; -1 for dials and constants."""
        for place, stage in enumerate(self.stages):
            if any(step.name == tensor for step in stage.steps):
                return place
        return -1

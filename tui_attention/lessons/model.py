"""What a lesson is made of, as frozen dataclasses. The computation itself is an engine program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tui_attention.engine.errors import BadInput
from tui_attention.engine.formula import Step
from tui_attention.engine.program import Program
from tui_attention.engine.switch import Switch
from tui_attention.lessons.variants import Variants

PlotKind = Literal["heatmap", "bars", "arrows", "plane", "curve"]


@dataclass(frozen=True, slots=True)
class Fact:
    """A number that is stated, with where it is from; usable in formulas and prose."""

    name: str
    value: float
    source: str
    prints: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph. `at` names the step that it stands with; empty: the end of the stage."""

    text: str
    at: str = ""
    page_only: bool = False


@dataclass(frozen=True, slots=True)
class Says:
    """The lesson's own sentence for a slip."""

    slip: str
    text: str


@dataclass(frozen=True, slots=True)
class Check:
    """A question. One of `cell`, `of`, `value` (judged) or `answer` (a sentence; the learner marks it).

    `of` names a tensor: the program chooses the coordinate whose slips are most visible. `value` is a formula over
    cells with `asks` decimals. `ask_several` is asked instead where the prompt has several marks. `id` is unique in
    its lesson.
    """

    id: str
    ask: str
    ask_several: str = ""
    cell: str = ""
    of: str = ""
    value: str = ""
    answer: str = ""
    asks: int | None = None
    page_only: bool = False
    says: tuple[Says, ...] = ()

    @property
    def sentence(self) -> bool:
        return bool(self.answer)


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture of tensors: the same declaration for terminal, cover and figures.

    `of` are names or formulas; `x` and `y` are column labels where the picture is drawn in two of the columns.
    """

    kind: PlotKind
    of: tuple[str, ...]
    title: str = ""
    file: str = ""
    x: str = ""
    y: str = ""
    labels: tuple[str, ...] = ()
    at: str = ""


@dataclass(frozen=True, slots=True)
class TextTable:
    """A small table of texts with placeholders. `phi_of` names a tensor whose values of Phi are listed instead."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    phi_of: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Compare:
    """A head that is compared with another implementation at its stage's end: the names of its tensors.

    `ours` is its output; with `mask`, the other one is given that mask too.
    """

    ours: str
    query: str
    key: str
    value: str
    mask: str = ""


@dataclass(frozen=True, slots=True)
class Earned:
    """A plain name and the standard name that it has now earned."""

    plain: str
    standard: str


@dataclass(frozen=True, slots=True)
class Stage:
    """One room of the pipeline. `wall`, notes, diagrams and tables are texts with placeholders.

    `listing` names a program that is shown with the rows that it prints (`tui_attention.listings`).
    """

    id: str
    title: str
    standard: str = ""
    block: str = ""
    wall: tuple[str, ...] = ()
    earns: tuple[Earned, ...] = ()
    steps: tuple[Step, ...] = ()
    notes: tuple[Note, ...] = ()
    diagrams: tuple[Note, ...] = ()
    tables: tuple[TextTable, ...] = ()
    recap: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    plots: tuple[Plot, ...] = ()
    glossary: bool = False
    listing: str = ""
    compare: tuple[Compare, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A node of the pipeline tree that groups stages."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Term:
    """One line of the glossary: the plain name, the standard one, the formula, and the stage that earns it."""

    plain: str
    standard: str
    formula: str = ""
    see: str = ""
    lesson: str = ""


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

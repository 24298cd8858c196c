"""A lesson's computation as plain data: dials, constants, inputs, settings and steps. No prose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from tui_attention.engine.errors import BadInput
from tui_attention.engine.formula import Step
from tui_attention.engine.operation import Vocabulary
from tui_attention.engine.tensor import Array, Axis, Decimals


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """A table of dials as printed. Rows from `continued_from` on are not printed in the lesson's document."""

    name: str
    values: Array
    axes: tuple[Axis, ...]
    prints: int
    title: str = ""
    standard: str = ""
    continued_from: int | None = None
    asks: int | None = None


class TensorFormat(NamedTuple):
    """What a lesson says of a computed tensor. `axes` renames its axes."""

    prints: Decimals = None
    asks: Decimals = None
    axes: tuple[str, ...] = ()
    title: str = ""
    standard: str = ""


class Inputs(NamedTuple):
    """What the person may change: prompts (texts) and a ticket from 0 to 1; None where the lesson has none.

    A lesson that works on no text has an empty prompt.
    """

    prompt: str = ""
    other: str | None = None
    ticket: float | None = None

    def changed(self, prompt: str | None = None, other: str | None = None, ticket: float | None = None) -> Inputs:
        """The same with some of them replaced. Raises BadInput for one that the lesson lacks or cannot take."""
        if prompt and not self.prompt:
            raise BadInput("this lesson works on no text; --prompt belongs to lessons that do")
        if other is not None and self.other is None:
            raise BadInput("this lesson has one prompt only; --other belongs to lessons with two")
        if ticket is not None and self.ticket is None:
            raise BadInput("this lesson draws no ticket; --ticket belongs to lessons that do")
        if ticket is not None and not 0 <= ticket <= 1:
            raise BadInput(f"the ticket is {ticket:g}; it should be from 0 to 1")
        return Inputs(
            self.prompt if prompt is None else prompt,
            self.other if other is None else other,
            self.ticket if ticket is None else ticket,
        )

    @property
    def told(self) -> str:
        """The prompt as a sentence, for a lesson without a text as well."""
        return f'Prompt: "{self.prompt}".' if self.prompt else "It works on no text."

    def ticket_text(self) -> str:
        """The ticket with all its digits, at least two decimals."""
        whole, _, digits = format(Decimal(repr(self.ticket if self.ticket is not None else 0.0)), "f").partition(".")
        return f"{whole}.{digits:0<2}"

    def texts(self) -> dict[str, str]:
        prompt = self.prompt or None  # a lesson without a text has an empty one
        return {name: text for name, text in (("prompt", prompt), ("other", self.other)) if text is not None}


@dataclass(frozen=True, eq=False, slots=True)
class Program:
    """A lesson's computation. `constants` and `facts` are numbers by name; `steps` are in their order.

    `file` is where the steps are written, for what is said of a fault in them. `switched` are the switches thrown,
    `variant` is the number of the drawn tables that stand in place of the lesson's own; 0 for those.
    """

    vocabulary: Vocabulary
    inputs: Inputs
    tables: Mapping[str, Table]
    constants: Mapping[str, float]
    facts: Mapping[str, float]
    settings: Mapping[str, TensorFormat]
    steps: tuple[Step, ...]
    prints: int = 2
    asks: int | None = None
    by_name: Mapping[str, Step] = field(default_factory=dict)
    file: str = ""
    switched: tuple[str, ...] = ()
    variant: int = 0

    def order(self, name: str) -> int:
        """Which step makes the tensor `name`, from 0; -1 for a dial, a constant or an input."""
        step = self.by_name.get(name)
        return -1 if step is None else self.steps.index(step)

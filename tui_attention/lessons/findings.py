"""What is found wrong with a lesson, and the ground that every search for it stands on."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from tui_attention.engine.errors import AbsentError, BadInput, LessonError
from tui_attention.engine.graph import Graph
from tui_attention.engine.tensor import Tensor, parse_address
from tui_attention.lessons.model import Check, Lesson, Stage
from tui_attention.lessons.positions import Path

if TYPE_CHECKING:
    from tui_attention.lessons.run import LessonRun

P = ParamSpec("P")
T = TypeVar("T")
WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: where it stands (a stage, a check, a file and line) and what is wrong, for a person.

    An `error` makes wrong numbers or none: such a lesson is not opened. Everything else is a complaint.
    """

    where: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    error: bool = False

    @property
    def says(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message

    def __str__(self) -> str:
        return str(self.as_error())

    def as_error(self) -> LessonError:
        return LessonError(self.says, file=self.file, line=self.line, column=self.column)


def of_error(error: LessonError) -> Finding:
    """A file that is no lesson, as a finding."""
    return Finding("", error.message, error.file, error.line, error.column, error=True)


@dataclass(eq=False, slots=True)
class Ground:
    """A lesson on its own inputs, where its parts are written, and which of its steps are known to be broken.

    `slips` are the kinds of slip that there are; None leaves them unchecked. `possible` gives those of one CHECK.
    """

    run: LessonRun
    slips: Collection[str] | None = None
    possible: Callable[[LessonRun, Check], Collection[str]] | None = None
    broken: set[str] = field(default_factory=set)

    @property
    def lesson(self) -> Lesson:
        return self.run.lesson

    @property
    def graph(self) -> Graph:
        return self.run.graph

    def finding(
        self, where: str, message: str, path: Path = (), part: str = "", *, key: bool = False, error: bool = False
    ) -> Finding:
        """A fault of the part at `path`, at the piece `part` of it."""
        origin = self.lesson.origin
        if origin is None:
            return Finding(where, message, error=error)
        placed = origin.error(message, path or ("id",), part, key=key or not path)
        return Finding(where, message, placed.file, placed.line, placed.column, error)

    def own(self, path: Path) -> bool:
        """Whether the part is written in this file, and not taken over from the lesson that it extends."""
        origin = self.lesson.origin
        return origin is None or origin.source(path) is origin.main

    def tried(
        self, where: str, path: Path, part: str, do: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> tuple[T | None, list[Finding]]:
        """The result, or the fault that stands in its way: at its own place, where it has one."""
        try:
            return do(*args, **kwargs), []
        except AbsentError as absent:
            return None, [self.finding(where, self.lacking(str(absent)), path, part, error=True)]
        except LessonError as error:
            if error.file and error.line:
                return None, [Finding(where, error.message, error.file, error.line, error.column, error=True)]
            return None, [self.finding(where, error.message, path, part, error=True)]
        except BadInput as error:
            return None, [self.finding(where, str(error), path, part, error=True)]

    def lacking(self, text: str) -> str:
        """That the lesson's own prompt lacks a cell, and which cells there are: `K is 3x2; its rows are 0 to 2`."""
        says = f"the lesson's own prompt lacks the cell of {text}"
        if not self.graph.inputs.texts():
            says = f"there is no cell {text}"
        try:
            asked = parse_address(text.strip("{}").removeprefix("line ").strip())
            tensor = self.graph.tensor(asked.name)
        except (BadInput, LessonError):
            return says
        sizes_of = tensor.short((0,) * tensor.values.ndim).count(",") + 1 if tensor.values.ndim else 0
        if len(asked.parts) < sizes_of:
            one = ",".join(map(str, (*asked.parts, *(0,) * (sizes_of - len(asked.parts)))))
            return f"{text} is no single cell: {asked.name} has {sizes_of} axes; {asked.name}[{one}] is one"
        return f"{says}; {sizes(tensor)}"

    def hurt(self, text: str) -> bool:
        """Whether a reference reads a step that has a finding of its own already."""
        return bool(self.broken & set(WORD.findall(text)))

    # ------------------------------------------------------------ where things stand

    def stage_path(self, stage: Stage) -> Path:
        """Where a stage is written; a copy in a repeated block is written where its original is."""
        written = self.lesson.origin.raw.get("stage", []) if self.lesson.origin else []
        ids = [raw.get("id") for raw in written]
        for name in (stage.id, stage.id.rpartition("_")[0]):
            if name in ids:
                return ("stage", ids.index(name))
        return ("stage",)

    def check_path(self, stage: Stage, check: Check) -> Path:
        """Where a CHECK is written."""
        return (*self.stage_path(stage), "check", stage.checks.index(check))

    def copied(self, stage: Stage) -> bool:
        """Whether the stage is a copy in a repeated block."""
        block, _, number = stage.block.rpartition("_")
        return number.isdigit() and any(known.id == block for known in self.lesson.blocks)


def sizes(tensor: Tensor) -> str:
    """The places that there are: `K is 3x2; its rows are 0 to 2, its columns 0 to 1`."""
    if not tensor.shape:
        return f"{tensor.name} is a single number"
    names = ["rows", "columns"] if len(tensor.shape) == 2 else [f"{axis.name}s" for axis in tensor.axes]
    if len(tensor.shape) == 1:
        names = ["places"]
    ranges = [f"its {name} are 0 to {size - 1}" for name, size in zip(names, tensor.shape, strict=True)]
    return f"{tensor.name} is {'x'.join(map(str, tensor.shape))}; {', '.join(ranges)}"

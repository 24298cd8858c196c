"""From a lesson file to a Lesson. A file is data: it can name listed operations, nothing else."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, get_args

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.engine.formula import Step, parse_steps, rename, spell
from tui_attention.engine.program import Program
from tui_attention.lessons.model import (
    Block,
    Check,
    Earned,
    Lesson,
    Note,
    Plot,
    PlotKind,
    Says,
    Stage,
    Term,
    TextTable,
)
from tui_attention.lessons.reading import Fields, dials

FORMAT = 1
MOST_BYTES = 2_000_000
MOST_STAGES = 200
MOST_COPIES = 48


def _data() -> Traversable:
    return resources.files("tui_attention.lessons") / "data"


def names() -> tuple[str, ...]:
    """The ids of the lessons that come with the program; the first is the one to begin with."""
    found = sorted(entry.name for entry in _data().iterdir() if (entry / "lesson.toml").is_file())
    return tuple(sorted(found, key=lambda name: name != "press-h"))


def load(name: str) -> Lesson:
    """The lesson called `name`, or the one in the folder or file that `name` is a path of.

    Raises BadInput when there is none, LessonError (file, line, what was expected) when the file is not legal.
    """
    path = Path(name)
    if name in names():
        entry: Traversable | Path = _data() / name / "lesson.toml"
    elif path.suffix == ".toml" and path.is_file():
        entry = path
    elif path.is_dir() and (path / "lesson.toml").is_file():
        entry = path / "lesson.toml"
    else:
        raise BadInput(f"there is no lesson {name[:60]!r}; the lessons are: {' '.join(names())}")
    return read(entry.read_bytes(), str(entry))


def glossary() -> tuple[Term, ...]:
    """Plain name, standard name and formula of everything that the lessons earn."""
    raw = tomllib.loads((_data() / "glossary.toml").read_text("utf-8"))
    keys = ("plain", "standard", "formula", "see", "lesson")
    return tuple(Term(**{key: term.get(key, "") for key in keys}) for term in raw["term"])


def read(content: bytes, file: str) -> Lesson:
    """A lesson from the bytes of its file. Raises LessonError."""
    if len(content) > MOST_BYTES:
        raise LessonError(f"a lesson of at most {MOST_BYTES:,} bytes was expected", file=file)
    try:
        text = content.decode("utf-8")
        raw = tomllib.loads(text)
    except UnicodeDecodeError:
        raise LessonError("text in UTF-8 was expected", file=file) from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise LessonError(f"not a TOML file: {error}", file=file) from None
    if raw.get("format") != FORMAT:
        raise LessonError(f"'format = {FORMAT}' was expected, not {raw.get('format')!r}", file=file)
    if "extends" in raw:
        raw = _extended(raw, file)
    return _Builder(raw, text, file).lesson()


def _extended(raw: dict[str, Any], file: str) -> dict[str, Any]:
    """The file joined with the lesson that it extends: its dials, facts, settings and vocabulary are reused."""
    parent = str(raw["extends"])
    if parent not in names():
        raise LessonError(f"'extends' names no lesson: {parent!r}; the lessons are: {' '.join(names())}", file=file)
    base = tomllib.loads((_data() / parent / "lesson.toml").read_text("utf-8"))
    merged = dict(raw)
    for key in ("tables", "facts", "tensors", "constants", "vocabulary", "inputs", "defaults"):
        merged[key] = {**base.get(key, {}), **raw.get(key, {})}
    for key in ("stage", "block"):
        merged.setdefault(key, base.get(key, []))
    return merged


class _Builder:
    def __init__(self, raw: dict[str, Any], text: str, file: str) -> None:
        self.raw, self.text, self.file = raw, text, file
        self.top = Fields(raw, file, "the lesson")

    def lesson(self) -> Lesson:
        top = self.top
        blocks = [Fields(block, self.file, "a block") for block in top.tables_of("block")]
        stages = [self.stage(Fields(stage, self.file, "a stage")) for stage in top.tables_of("stage")]
        if not stages or len(stages) > MOST_STAGES:
            raise LessonError(f"1 to {MOST_STAGES} stages were expected", file=self.file)
        stages, tree = self.repeated(stages, blocks)
        self.unique([stage.id for stage in stages], "stage id")
        steps = tuple(step for stage in stages for step in stage.steps)
        parts = dials(top)
        program = Program(
            steps=steps,
            by_name={step.name: step for step in steps},
            vocabulary=parts.vocabulary,
            inputs=parts.inputs,
            tables=parts.tables,
            constants=parts.constants,
            facts={name: fact.value for name, fact in parts.facts.items()},
            settings=parts.settings,
            prints=parts.prints,
        )
        taken = [*parts.tables, *parts.constants, *parts.facts, *parts.inputs.texts(), "ticket"]
        self.unique([*(step.name for step in steps), *taken], "name")
        return Lesson(
            top.text("id"),
            top.text("title"),
            top.text("summary", ""),
            program,
            tuple(stages),
            tuple(tree),
            parts.facts,
            top.text("next", ""),
        )

    def unique(self, found: Iterable[str], what: str) -> None:
        seen: set[str] = set()
        for name in found:
            if name in seen:
                raise LessonError(f"the {what} {name!r} stands twice", file=self.file, line=self.line_of(name))
            seen.add(name)

    def line_of(self, text: str, start: int = 0) -> int:
        at = self.text.find(text, start)
        return self.text.count("\n", 0, at) + 1 if at >= 0 else 0

    def stage(self, fields: Fields) -> Stage:
        name = fields.text("id")
        steps_text = fields.text("steps", "")
        try:
            steps = parse_steps(steps_text)
        except LessonError as error:
            raise error.located(self.file, self.line_of(steps_text)) from None
        first = self.line_of(steps_text)
        steps = tuple(replace(step, line=first + step.line - 1) for step in steps)
        checks = tuple(
            self.check(Fields(check, self.file, f"a check of stage {name!r}"), f"{name}.{number}")
            for number, check in enumerate(fields.tables_of("check"), 1)
        )
        return Stage(
            id=name,
            title=fields.text("title"),
            standard=fields.text("standard", ""),
            block=fields.text("block", ""),
            wall=paragraphs(fields.text("wall", "")),
            earns=tuple(Earned(plain, standard) for plain, standard in fields.pairs("earns")),
            steps=steps,
            notes=tuple(self.note(Fields(note, self.file, "a note")) for note in fields.tables_of("note")),
            diagrams=tuple(
                self.diagram(Fields(note, self.file, "a diagram")) for note in fields.tables_of("diagram")
            ),
            tables=tuple(self.table(Fields(table, self.file, "a table")) for table in fields.tables_of("table")),
            recap=tuple(
                x for recap in fields.tables_of("recap") for x in Fields(recap, self.file, "a recap").texts("of")
            ),
            checks=checks,
            plots=tuple(self.plot(Fields(plot, self.file, "a plot")) for plot in fields.tables_of("plot")),
            glossary=fields.flag("glossary"),
            compare=bool(fields.tables_of("compare")),
        )

    def note(self, fields: Fields) -> Note:
        return Note(" ".join(fields.text("text").split()), fields.text("at", ""), fields.flag("page_only"))

    def diagram(self, fields: Fields) -> Note:
        return Note(fields.text("text").strip("\n"), fields.text("at", ""), fields.flag("page_only"))

    def table(self, fields: Fields) -> TextTable:
        rows = tuple(tuple(map(str, row)) for row in fields.lists("rows"))
        columns = fields.texts("columns")
        if any(len(row) != len(columns) for row in rows):
            raise LessonError(f"every row of a table with {len(columns)} columns needs as many texts", file=self.file)
        return TextTable(columns, rows, fields.text("phi_of", ""), fields.text("at", ""))

    def plot(self, fields: Fields) -> Plot:
        kinds: dict[str, PlotKind] = {kind: kind for kind in get_args(PlotKind)}
        kind = fields.text("kind")
        if kind not in kinds:
            raise LessonError(f"a plot's kind is one of {' '.join(kinds)}, not {kind!r}", file=self.file)
        return Plot(
            kinds[kind],
            fields.texts("of"),
            fields.text("title", ""),
            fields.text("file", ""),
            fields.text("x", ""),
            fields.text("y", ""),
            fields.texts("labels"),
            fields.text("at", ""),
        )

    def check(self, fields: Fields, check_id: str) -> Check:
        given = [key for key in ("cell", "of", "value", "answer") if fields.text(key, "")]
        if len(given) != 1:
            raise LessonError(
                f"{fields.what} needs exactly one of cell, of, value, answer, not {' and '.join(given) or 'none'}",
                file=self.file,
                line=self.line_of(fields.text("ask")),
            )
        says = [Fields(entry, self.file, "a sentence for a slip") for entry in fields.tables_of("says")]
        return Check(
            id=check_id,
            ask=" ".join(fields.text("ask").split()),
            cell=fields.text("cell", ""),
            of=fields.text("of", ""),
            value=fields.text("value", ""),
            answer=" ".join(fields.text("answer", "").split()),
            asks=fields.number("asks"),
            page_only=fields.flag("page_only"),
            says=tuple(Says(entry.text("slip"), " ".join(entry.text("text").split())) for entry in says),
        )

    def repeated(self, stages: list[Stage], blocks: list[Fields]) -> tuple[list[Stage], list[Block]]:
        """Blocks with `copies` written out: each further copy reads what the copy before it made, with its own dials.

        `carry = ["x0", "x2"]`: copy 2 reads x2 where copy 1 read x0. `copies = [{Wq = "Wq_2"}, ...]` names the dials
        of the second copy, the third and so on. Copy n's names, stage ids and checks end in `_n`.
        """
        tree: list[Block] = []
        for block in blocks:
            name, title = block.text("id"), block.text("title")
            tree.append(Block(name, title))
            copies = block.tables_of("copies")
            if not copies:
                continue
            if len(copies) > MOST_COPIES:
                raise LessonError(f"at most {MOST_COPIES} copies of a block were expected", file=self.file)
            inside = [stage for stage in stages if stage.block == name]
            carried_in, carried_out = block.pair("carry")
            last = stages.index(inside[-1]) + 1
            made = {step.name for stage in inside for step in stage.steps}
            if carried_out not in made:
                raise LessonError(
                    f"'carry' ends in {carried_out!r}, which block {name!r} does not make", file=self.file
                )
            extra: list[Stage] = []
            before = carried_out
            for number, swapped in enumerate(copies, 2):
                new = (
                    {old: f"{old}_{number}" for old in made}
                    | {carried_in: before}
                    | {k: str(v) for k, v in swapped.items()}
                )
                extra += [_copy(stage, new, number, name) for stage in inside]
                before = new[carried_out]
                tree.append(
                    Block(f"{name}_{number}", block.text("copy_title", f"{title}, copy {{n}}").format(n=number))
                )
            behind = [_renamed(stage, {carried_out: before}) for stage in stages[last:]]
            stages = stages[:last] + extra + behind
        return stages, tree


def _copy(stage: Stage, new: Mapping[str, str], number: int, block: str) -> Stage:
    return replace(
        _renamed(stage, dict(new)),
        id=f"{stage.id}_{number}",
        block=f"{block}_{number}",
        wall=(),
        notes=(),
        diagrams=(),
        tables=(),
        checks=(),
        plots=(),
        earns=(),
    )


def _renamed(stage: Stage, new: dict[str, str]) -> Stage:
    return replace(stage, steps=tuple(_renamed_step(step, new) for step in stage.steps))


def _renamed_step(step: Step, new: dict[str, str]) -> Step:
    expr = rename(step.expr, new)
    text = step.text if expr == step.expr else spell(expr).removeprefix("(").removesuffix(")")
    return replace(step, name=new.get(step.name, step.name), expr=expr, text=text)


def paragraphs(text: str) -> tuple[str, ...]:
    """A text cut at its empty lines, each paragraph on one line."""
    return tuple(" ".join(part.split()) for part in text.split("\n\n") if part.strip())

"""From a lesson file to a Lesson. A file is data: it can name listed operations, nothing else."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.engine.naming import parse_steps
from tui_attention.engine.ops import split
from tui_attention.engine.program import Program
from tui_attention.engine.switch import Switch, switched
from tui_attention.lessons.blocks import Repeated, repeated, spell_renamed
from tui_attention.lessons.model import (
    Check,
    Compare,
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
from tui_attention.lessons.reading import Fields, dials, variants
from tui_attention.lessons.source import MOST_BYTES, parse

FORMAT = 1
MOST_STAGES = 200
MOST_STEPS = 1_000
MOST_PARTS = 1_000  # notes, CHECKs, pictures and their like, of all stages together

_MAKES = re.compile(r"^\s*(?:inner\s+)?([A-Za-z_]\w*)\s*=(?!=)", re.MULTILINE | re.ASCII)
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,60}")


_DATA = Path(__file__).parent / "data"


def names() -> tuple[str, ...]:
    """The ids of the lessons that come with the program; the first is the one to begin with."""
    found = sorted(entry.name for entry in _DATA.iterdir() if (entry / "lesson.toml").is_file())
    return tuple(sorted(found, key=lambda name: name != "press-h"))


def following(lesson: Lesson) -> str:
    """The id of the lesson that comes after: the one it names, else the next of the list; empty where it is alone."""
    known = names()
    place = known.index(lesson.id) if lesson.id in known else -1
    coming = lesson.next_lesson or known[(place + 1) % len(known)]
    return "" if coming == lesson.id else coming


def load(name: str) -> Lesson:
    """The lesson called `name`, or the one in the folder or file that `name` is a path of.

    Raises BadInput when there is none, LessonError (file, line, what was expected) when the file is not legal.
    """
    return read(*content_of(name))


def glossary() -> tuple[Term, ...]:
    """Plain name, standard name and formula of everything that the lessons earn."""
    raw = tomllib.loads((_DATA / "glossary.toml").read_text("utf-8"))
    keys = ("plain", "standard", "formula", "see", "lesson")
    return tuple(Term(**{key: term.get(key, "") for key in keys}) for term in raw["term"])


def read(content: bytes, file: str) -> Lesson:
    """A lesson from the bytes of its file. Raises LessonError."""
    return build(*parse(content, file), file)


def build(text: str, raw: dict[str, Any], file: str) -> Lesson:
    """A lesson from the text and the tables of its file. Raises LessonError."""
    if raw.get("format") != FORMAT:
        found = f", not {str(raw['format'])[:40]!r}" if "format" in raw else ""
        raise LessonError(f"'format = {FORMAT}' was expected{found}", file=file)
    if "extends" in raw:
        raw = _extended(raw, file)
    return _Builder(raw, text, file).lesson()


def known(name: str) -> bool:
    """Whether there is a lesson called `name`, or one in that file or folder."""
    return _entry(name) is not None


def _entry(name: str) -> Path | None:
    """The file of a lesson; None where there is none."""
    if name in names():
        return _DATA / name / "lesson.toml"
    path = Path(name)
    try:
        file = path / "lesson.toml" if path.is_dir() else path
        return file if file.suffix == ".toml" and file.is_file() else None
    except OSError:  # a name that no file can have, or a folder that may not be looked into
        return None


def content_of(name: str) -> tuple[bytes, str]:
    """The bytes of the lesson called `name`, or in that file or folder, and the file's name.

    Raises BadInput when there is none. Never reads more than a lesson may have.
    """
    entry = _entry(name)
    if entry is None:
        others = "a path should be that of a .toml file, or of a folder with a lesson.toml"
        raise BadInput(f"there is no lesson {name[:60]!r}; the lessons are: {' '.join(names())}; {others}")
    try:
        with entry.open("rb") as file:
            return file.read(MOST_BYTES + 1), str(entry)
    except OSError as error:
        raise BadInput(f"{str(entry)[:200]} cannot be read: {error.strerror}") from None


def _extended(raw: dict[str, Any], file: str) -> dict[str, Any]:
    """The file joined with the lesson that it extends: its dials, facts, settings and vocabulary are reused."""
    parent = raw["extends"]
    if not isinstance(parent, str) or parent not in names():
        raise LessonError(
            f"'extends' names no lesson: {str(parent)[:40]!r}; the lessons are: {' '.join(names())}", file=file
        )
    base = tomllib.loads((_DATA / parent / "lesson.toml").read_text("utf-8"))
    merged = dict(raw)
    top = Fields(raw, file, "the lesson")
    for key in ("tables", "facts", "tensors", "constants", "vocabulary", "inputs", "defaults"):
        merged[key] = {**base.get(key, {}), **top.table_of(key)}
    # How to draw is the same; which draws are good is not, since other steps work on them.
    merged["variants"] = {**base.get("variants", {}), "vetted": [], **top.table_of("variants")}
    for key in ("stage", "block"):
        merged.setdefault(key, base.get(key, []))
    made = _made(merged["stage"])
    inherited = [switch for switch in base.get("switch", []) if made >= set(switch["steps"])]
    merged["switch"] = [*inherited, *top.tables_of("switch")]
    return merged


def _made(stages: Any) -> set[str]:
    """The names of what the stages' steps make, read off their text."""
    texts = [str(stage.get("steps", "")) for stage in stages if isinstance(stage, dict)]
    return {name for text in texts for name in _MAKES.findall(text)}


class _Builder:
    def __init__(self, raw: dict[str, Any], text: str, file: str) -> None:
        self.raw, self.text, self.file = raw, text, file
        self.top = Fields(raw, file, "the lesson")

    def lesson(self) -> Lesson:
        top = self.top
        blocks = [Fields(block, self.file, "a block") for block in top.tables_of("block")]
        written = top.tables_of("stage")
        if not 1 <= len(written) <= MOST_STAGES:
            raise LessonError(f"1 to {MOST_STAGES} stages were expected", file=self.file)
        self.bounded(written)
        all_of = repeated(tuple(map(self.stage, range(1, len(written) + 1), written)), blocks)
        stages = all_of.stages
        self.unique([stage.id for stage in stages], "stage id")
        self.unique([block.id for block in all_of.blocks], "block")
        steps = tuple(step for stage in stages for step in stage.steps)
        if len(steps) > MOST_STEPS:
            raise LessonError(f"at most {MOST_STEPS:,} steps, copies included, were expected", file=self.file)
        parts = dials(top)
        settings = {copy: parts.settings[name] for copy, name in all_of.copied.items() if name in parts.settings}
        program = Program(
            steps=steps,
            by_name={step.name: step for step in steps},
            vocabulary=parts.vocabulary,
            inputs=parts.inputs,
            tables=parts.tables,
            constants=parts.constants,
            facts={name: fact.value for name, fact in parts.facts.items()},
            settings=settings | parts.settings,
            prints=parts.prints,
            file=self.file,
        )
        taken = [*parts.tables, *parts.constants, *parts.facts, *parts.inputs.texts(), "ticket"]
        self.unique([*(step.name for step in steps), *taken], "name")
        self.own_prompts(program)
        return Lesson(
            self.identifier(top),
            top.text("title"),
            top.text("summary", ""),
            program,
            stages,
            all_of.blocks,
            parts.facts,
            top.text("next", ""),
            self.switches(program, all_of),
            variants(Fields(top.table_of("variants"), self.file, "[variants]"), parts.tables),
        )

    def switches(self, program: Program, repeated: Repeated) -> dict[str, Switch]:
        """What can be done otherwise, by id; a step of a repeated block is touched in every copy."""
        found: dict[str, Switch] = {}
        for fields in (Fields(entry, self.file, "a switch") for entry in self.top.tables_of("switch")):
            name = self.identifier(fields)
            own = {step: text for step, text in fields.table_of("steps").items() if isinstance(text, str)}
            if name in found or not own or len(own) < len(fields.table_of("steps")):
                raise fields.fail(
                    f"the switch {name!r} should stand once and name a formula for each step it touches"
                )
            steps = {step: spell_renamed(text, repeated.behind.get(step, {})) for step, text in own.items()}
            for new in repeated.renamed:
                steps |= {new[step]: spell_renamed(text, new) for step, text in own.items() if step in new}
            for step in steps:
                if step not in program.by_name:
                    raise fields.fail(f"the switch {name!r} touches {step!r}, which no step makes")
            found[name] = Switch(name, fields.text("title"), steps)
            switched(program, [found[name]])
        return found

    def bounded(self, written: list[dict[str, Any]]) -> None:
        """Raises LessonError where the stages hold more parts than anybody reads."""
        parts = sum(len(value) for stage in written for value in stage.values() if isinstance(value, list))
        if parts > MOST_PARTS:
            raise LessonError(f"at most {MOST_PARTS:,} notes, checks and pictures were expected", file=self.file)

    def own_prompts(self, program: Program) -> None:
        """Raises LessonError where the lesson's own prompt is not made of its own marks."""
        for key, text in program.inputs.texts().items():
            try:
                split(program.vocabulary, text)
            except BadInput as error:
                raise LessonError(f"[inputs] {key}: {error}", file=self.file) from None

    def identifier(self, fields: Fields, key: str = "id") -> str:
        """An id: it may become part of a file's name. Raises LessonError."""
        name = fields.text(key)
        if not _ID.fullmatch(name):
            raise fields.fail(f"{key!r} should be letters, digits, - and _, not {name[:40]!r}")
        return name

    def unique(self, found: Iterable[str], what: str) -> None:
        seen: set[str] = set()
        for name in found:
            if name in seen:
                raise LessonError(f"the {what} {name!r} stands twice", file=self.file, line=self.last_of(name))
            seen.add(name)

    def last_of(self, name: str) -> int:
        """The last line that names something: a step, an entry, a table or an id; 0 for none."""
        word = re.escape(name)
        says = re.compile(rf"\s*(inner\s+)?{word}\s*=|\s*\[\w+\.{word}\]|\s*id\s*=\s*.{word}\W")
        return max((number for number, line in enumerate(self.text.split("\n"), 1) if says.match(line)), default=0)

    def line_of(self, text: str, start: int = 0) -> int:
        at = self.text.find(text, start)
        return self.text.count("\n", 0, at) + 1 if at >= 0 else 0

    def stage(self, place: int, raw: dict[str, Any]) -> Stage:
        name = self.identifier(Fields(raw, self.file, f"stage {place}"))
        fields = Fields(raw, self.file, f"stage {name!r}")

        def parts(key: str) -> list[Fields]:
            return [Fields(part, self.file, f"a {key} of stage {name!r}") for part in fields.tables_of(key)]

        steps_text = fields.text("steps", "")
        try:
            steps = parse_steps(steps_text)
        except LessonError as error:
            raise error.located(self.file, self.line_of(steps_text)) from None
        first = self.line_of(steps_text)
        steps = tuple(replace(step, line=first + step.line - 1) for step in steps)
        checks = tuple(self.check(check, f"{name}.{number}") for number, check in enumerate(parts("check"), 1))
        return Stage(
            id=name,
            title=fields.text("title"),
            standard=fields.text("standard", ""),
            block=fields.text("block", ""),
            wall=paragraphs(fields.text("wall", "")),
            earns=tuple(Earned(plain, standard) for plain, standard in fields.pairs("earns")),
            steps=steps,
            notes=tuple(map(self.note, parts("note"))),
            diagrams=tuple(map(self.diagram, parts("diagram"))),
            tables=tuple(map(self.table, parts("table"))),
            recap=tuple(name for recap in parts("recap") for name in recap.texts("of")),
            checks=checks,
            plots=tuple(map(self.plot, parts("plot"))),
            glossary=fields.flag("glossary"),
            listing=fields.text("listing", ""),
            compare=tuple(map(self.compare, parts("compare"))),
        )

    def note(self, fields: Fields) -> Note:
        return Note(" ".join(fields.text("text").split()), fields.text("at", ""), fields.flag("page_only"))

    def diagram(self, fields: Fields) -> Note:
        return Note(fields.text("text").strip("\n"), fields.text("at", ""), fields.flag("page_only"))

    def table(self, fields: Fields) -> TextTable:
        rows = tuple(tuple(map(str, row)) for row in fields.lists("rows"))
        columns = fields.texts("columns")
        if any(len(row) != len(columns) for row in rows):
            raise fields.fail(f"every row needs as many texts as there are columns, {len(columns)}")
        return TextTable(columns, rows, fields.text("phi_of", ""), fields.text("at", ""))

    def compare(self, fields: Fields) -> Compare:
        ours, query, key, value = (fields.text(name) for name in ("ours", "query", "key", "value"))
        return Compare(ours, query, key, value, fields.text("mask", ""))

    def plot(self, fields: Fields) -> Plot:
        kinds: dict[str, PlotKind] = {kind: kind for kind in get_args(PlotKind)}
        kind = fields.text("kind")
        if kind not in kinds:
            raise fields.fail(f"'kind' is one of {' '.join(kinds)}, not {kind[:40]!r}")
        return Plot(
            kinds[kind],
            fields.texts("of"),
            fields.text("title", ""),
            self.identifier(fields, "file") if "file" in fields.raw else "",
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
            ask_several=" ".join(fields.text("ask_several", "").split()),
            cell=fields.text("cell", ""),
            of=fields.text("of", ""),
            value=fields.text("value", ""),
            answer=" ".join(fields.text("answer", "").split()),
            asks=fields.number("asks"),
            page_only=fields.flag("page_only"),
            says=tuple(Says(entry.text("slip"), " ".join(entry.text("text").split())) for entry in says),
        )


def paragraphs(text: str) -> tuple[str, ...]:
    """A text cut at its empty lines, each paragraph on one line."""
    return tuple(" ".join(part.split()) for part in text.split("\n\n") if part.strip())

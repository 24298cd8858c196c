"""From a lesson file to a Lesson. A file is data: it can name listed operations, nothing else."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tui_attention.engine import formula
from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.engine.ops import OPERATIONS, PLAIN_NAMES, split
from tui_attention.engine.program import Program
from tui_attention.engine.switch import Switch, switched
from tui_attention.engine.traits import role_of
from tui_attention.lessons import declare, parts
from tui_attention.lessons.blocks import Repeated, repeated, spell_renamed
from tui_attention.lessons.declare import Fields, Origin, Source, unknown
from tui_attention.lessons.model import Lesson, LogitLens, Term
from tui_attention.lessons.parts import LessonPart
from tui_attention.lessons.source import MOST_BYTES, parse
from tui_attention.lessons.variants import Variants

FORMAT = 1
MOST_STAGES = 200
MOST_STEPS = 1_000
MOST_PARTS = 1_000  # notes, CHECKs, pictures and their like, of all stages together
MOST_PARENTS = 8

_MAKES = re.compile(r"^\s*(?:inner\s+)?([A-Za-z_]\w*)\s*=(?!=)", re.MULTILINE | re.ASCII)
_DATA = Path(__file__).parent / "data"


def names() -> tuple[str, ...]:
    """The ids of the lessons that come with the program; the first is the one to begin with."""
    found = sorted(entry.name for entry in _DATA.iterdir() if (entry / "lesson.toml").is_file())
    return tuple(sorted(found, key=lambda name: name != "press-h"))


class Shelf(NamedTuple):
    """Folders in which own lessons stand: `name.toml`, or `name/lesson.toml`."""

    folders: tuple[Path, ...] = ()

    def files(self) -> dict[str, Path]:
        """The files of the own lessons by their ids, in the order of their names.

        Raises BadInput where one has the id of a lesson of the program, or of another.
        """
        found: dict[str, Path] = {}
        for file in self._all():
            name = _id_of(file)
            if name in names():
                raise BadInput(f"{file}: the id {name!r} is that of a lesson of the program; give it another one")
            if name in found and found[name] != file:
                raise BadInput(f"{file}: the id {name!r} is also that of {found[name]}; give one of them another")
            if name:
                found[name] = file
        return found

    def _all(self) -> list[Path]:
        return [file for folder in self.folders for file in _files(folder)]

    def names(self) -> tuple[str, ...]:
        """Every lesson there is: those of the program, then the own ones. Raises BadInput as `files`."""
        return (*names(), *self.files())

    def resolved(self, name: str) -> str:
        """The path of the own lesson of that id; every other name as it is. Raises BadInput as `files`."""
        if name in names() or not self.folders:
            return name
        found = self.files()
        return str(found[name]) if name in found else name

    def kept(self, name: str, *, paths: bool = True) -> str:
        """Where the lesson is now whose progress is kept under `name`: an id, or the path that its file had.

        A file that is gone from its place is looked for by its name in the folders. Raises BadInput where there is
        none, where it lies outside the folders and no `paths` may be opened.
        """
        if name in names():
            return name
        if paths and known(name):
            return name
        last = Path(name).name.removesuffix(".toml")
        own = {str(file): file.parent.name if file.name == "lesson.toml" else file.stem for file in self._all()}
        same = [file for file in own if Path(file).resolve() in (Path(name), Path(name) / "lesson.toml")]
        for file in (*same, *(file for file, called in own.items() if called == last)):
            return file
        raise BadInput(f"the lesson {last[:60]!r} is not here")

    def beside(self, name: str) -> Shelf:
        """The same with the folder that a lesson is read from, where it is named by its path."""
        file = _entry(name)
        if file is None or name in names():
            return self
        folder = file.parent.parent if file.name == "lesson.toml" else file.parent
        return self if folder in self.folders else Shelf((*self.folders, folder))


def beside(lesson: Lesson) -> Shelf:
    """The folder that a lesson was read from, where it is an own one."""
    return Shelf() if lesson.origin is None or shipped(lesson) else Shelf().beside(lesson.origin.main.file)


_OWN_ID = re.compile(r"""^id\s*=\s*["']([A-Za-z0-9][A-Za-z0-9_-]{0,60})["']""", re.MULTILINE)


def _files(folder: Path) -> list[Path]:
    try:
        found = [entry / "lesson.toml" if entry.is_dir() else entry for entry in sorted(folder.iterdir())]
        return [file for file in found if file.suffix == ".toml" and file.is_file()]
    except OSError:
        return []


def _id_of(file: Path) -> str:
    """The id that a lesson file gives itself; empty for a file that is no lesson."""
    try:
        with file.open("rb") as opened:
            found = _OWN_ID.search(opened.read(MOST_BYTES).decode("utf-8", "replace"))
    except OSError:
        return ""
    return found[1] if found else ""


def following(lesson: Lesson) -> str:
    """The id of the lesson that comes after: the one it names, else the next of the list; empty where it is alone.

    After an own lesson that names none comes the one behind it in its folder.
    """
    try:
        own = tuple(beside(lesson).files())
    except BadInput:
        own = ()
    known = own if lesson.id in own else names()
    place = known.index(lesson.id) if lesson.id in known else -1
    coming = lesson.next_lesson or known[(place + 1) % len(known)]
    return "" if coming == lesson.id or coming not in (*names(), *own) else coming


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
    origin = origin_of(content, file)
    for path, says in unknown(origin.raw, LessonPart):
        raise origin.error(f"{origin.label(path[:-1])}: {says}", path, key=True)
    return build(origin)


def origin_of(content: bytes, file: str, children: tuple[Path, ...] = ()) -> Origin:
    """The tables of a file, joined with those of the lesson that it extends. Raises LessonError."""
    text, raw = parse(content, file)
    origin = Origin(raw, Source(file, text))
    if raw.get("format") != FORMAT:
        found = f", not {str(raw['format'])[:40]!r}" if "format" in raw else ""
        raise origin.error(f"'format = {FORMAT}' was expected{found}", ("format",))
    return _extended(origin, children) if "extends" in raw else origin


def build(origin: Origin) -> Lesson:
    """The lesson that a file's tables are. Raises LessonError."""
    return _Builder(origin).lesson()


def shipped(lesson: Lesson) -> bool:
    """Whether the lesson comes with the program."""
    return lesson.origin is not None and Path(lesson.origin.main.file).is_relative_to(_DATA)


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


_JOINED = ("tables", "facts", "tensors", "constants", "vocabulary", "inputs", "defaults")


def _extended(origin: Origin, children: tuple[Path, ...]) -> Origin:
    """The file joined with the lesson that it extends: its dials, facts, settings and vocabulary are reused."""
    parent, own = origin.raw["extends"], Path(origin.main.file)
    entry = None
    if isinstance(parent, str):
        beside = (own.parent / parent, own.parent / f"{parent}.toml", own.parent.parent / parent)
        found = [Path(parent)] if parent in names() else beside
        entry = next((there for path in found if (there := _entry(str(path)))), None)
    if entry is None:
        says = f"'extends' names no lesson: {str(parent)[:40]!r}; a path or one of {' '.join(names())} was expected"
        raise origin.error(says, ("extends",))
    chain = (*children, own.resolve())
    if entry.resolve() in chain or len(chain) > MOST_PARENTS:
        raise origin.error(f"'extends': {parent[:40]!r} extends this lesson in its turn", ("extends",))
    base = origin_of(*content_of(str(entry)), chain)
    raw, others = dict(origin.raw), dict(origin.others)
    for key in _JOINED:
        theirs, ours = base.raw.get(key, {}), raw.get(key, {})
        if not isinstance(ours, Mapping) or not isinstance(theirs, Mapping):
            continue
        raw[key] = {**theirs, **ours}
        others |= {(key, name): base.source((key, name)) for name in theirs.keys() - ours.keys()}
    for key in ("stage", "block"):
        if key not in raw and key in base.raw:
            raw[key] = base.raw[key]
            others[key,] = base.source((key,))
    drawn = raw.get("variants", {})
    if isinstance(drawn, Mapping):  # how to draw is the same; which draws are good is not: other steps work on them
        theirs = base.raw.get("variants", {})
        raw["variants"] = {**theirs, "vetted": [], **drawn}
        others |= {("variants", name): base.source(("variants", name)) for name in theirs.keys() - drawn.keys()}
    own = raw.get("switch", [])
    theirs = base.raw.get("switch", [])
    if isinstance(own, list) and isinstance(theirs, list):
        made = _made(raw.get("stage"))
        taken = [switch for switch in theirs if isinstance(switch, dict) and made >= set(switch.get("steps", ()))]
        raw["switch"] = [*own, *taken]
        others |= {("switch", len(own) + place): base.main for place in range(len(taken))}
    return Origin(raw, origin.main, others)


def _made(stages: Any) -> set[str]:
    """The names of what the stages' steps make, read off their text."""
    texts = [str(stage.get("steps", "")) for stage in stages or () if isinstance(stage, dict)]
    return {name for text in texts for name in _MAKES.findall(text)}


class _Builder:
    def __init__(self, origin: Origin) -> None:
        self.origin, self.raw = origin, origin.raw
        self.top = Fields(origin.raw, origin)

    def lesson(self) -> Lesson:
        self.bounded()
        part = declare.build(LessonPart, self.top)
        all_of = repeated(part.stage, part.block, self.top)
        stages = all_of.stages
        for place, stage in enumerate(part.stage):
            self.unique([other.id for other in stages], stage.id, "stage id", ("stage", place, "id"))
        for place, block in enumerate(part.block):
            self.unique([other.id for other in all_of.blocks], block.id, "block", ("block", place, "id"))
        program = self.program(part, all_of)
        self.own_prompts(program)
        return Lesson(
            part.id,
            part.title,
            part.summary,
            program,
            stages,
            all_of.blocks,
            part.facts,
            part.next,
            self.switches(part, program, all_of),
            self.variants(part.variants, program),
            {name: tensor.slips for name, tensor in part.tensors.items() if tensor.slips},
            part.expect,
            self.origin,
            self.lens(part.lens, program),
        )

    def lens(self, given: LogitLens | None, program: Program) -> LogitLens | None:
        """The logit lens over running rows that the lesson makes. Raises LessonError."""
        if given is None:
            return None
        missing = next((name for name, _ in given.rows if name not in program.by_name), "")
        if missing or not given.rows or not given.head:
            says = f"{missing!r}, which no step makes" if missing else "no row, or has no formula"
            raise self.origin.error(f"the lens reads {says}", ("lens",))
        return given

    def switches(self, part: LessonPart, program: Program, all_of: Repeated) -> dict[str, Switch]:
        """What can be done otherwise, by id; a step of a repeated block is touched in every copy."""
        found: dict[str, Switch] = {}
        for place, switch in enumerate(part.switch):
            path = ("switch", place)
            if switch.id in found:
                raise self.origin.error(f"the switch {switch.id!r} should stand once", (*path, "id"))
            own = switch.steps
            steps = {step: spell_renamed(text, all_of.behind.get(step, {})) for step, text in own.items()}
            for new in all_of.renamed:
                steps |= {new[step]: spell_renamed(text, new) for step, text in own.items() if step in new}
            for step in steps:
                if step not in program.by_name:
                    message = f"the switch {switch.id!r} touches {step!r}, which no step makes"
                    raise self.origin.error(message, (*path, "steps", step), key=True)
            found[switch.id] = Switch(switch.id, switch.title, steps)
            try:
                switched(program, [found[switch.id]])
            except LessonError as error:
                raise self.origin.error(error.message, (*path, "steps")) from None
        return found

    def variants(self, given: Variants, program: Program) -> Variants:
        """What the lesson says of its variants. Raises LessonError."""
        drawn: set[str] = set()
        for place, draw in enumerate(given.draws):
            path = ("variants", "draw", place)
            for name in draw.tables:
                if name not in program.tables or name == "splitter":
                    raise self.origin.error(f"{name[:40]!r} is no table that can be redrawn", (*path, "tables"), name)
                if name in drawn:
                    raise self.origin.error(f"the table {name!r} is drawn twice", (*path, "tables"), name)
                drawn.add(name)
            if not draw.tables or not draw.low < draw.high:
                raise self.origin.error("[[variants.draw]]: 'tables', 'from' and a larger 'to' were expected", path)
        for place, accept in enumerate(given.accepts):
            if all(bound is None for bound in (accept.above, accept.below, accept.within, accept.gap)):
                message = "[[variants.accept]]: one of 'above', 'below', 'within', 'gap' was expected"
                raise self.origin.error(message, ("variants", "accept", place))
        if given.vetted and not given.draws:
            message = "[variants]: 'vetted' lists seeds, but no [[variants.draw]] says what they draw"
            raise self.origin.error(message, ("variants", "vetted"))
        return given

    def program(self, part: LessonPart, all_of: Repeated) -> Program:
        """The lesson's computation. Raises LessonError."""
        steps = tuple(step for stage in all_of.stages for step in stage.steps)
        if len(steps) > MOST_STEPS:
            raise self.origin.error(f"at most {MOST_STEPS:,} steps, copies included, were expected", ("stage",))
        marks = parts.vocabulary(part.vocabulary, parts.at(self.origin, "vocabulary"))
        tables = parts.splitter(marks)
        for name, table in part.tables.items():
            if name in tables:
                message = f"the name {name!r} stands twice: it is the list of the vocabulary"
                raise self.origin.error(message, ("tables", name), key=True)
            tables[name] = parts.table(name, table, parts.at(self.origin, "tables", name), part.defaults)
        settings = {name: parts.format_of(tensor) for name, tensor in part.tensors.items()}
        copies = {copy: settings[name] for copy, name in all_of.copied.items() if name in settings}
        prints, asks = parts.results(part.defaults)
        program = Program(
            steps=steps,
            by_name={step.name: step for step in steps},
            vocabulary=marks,
            inputs=parts.inputs(part.inputs),
            tables=tables,
            constants=part.constants,
            facts={name: fact.value for name, fact in part.facts.items()},
            settings=copies | settings,
            prints=prints,
            asks=asks,
            file=self.origin.main.file,
        )
        self.named(program)
        self.ordered(program)
        return program

    def ordered(self, program: Program) -> None:
        """Raises LessonError where a table that the vocabulary's numbers read has its rows in another order."""
        marks = program.vocabulary.marks
        ids = {step.name for step in program.steps if role_of(step.expr) == "lookup"}
        for step in program.steps:
            for part in formula.walk(step.expr):
                match part:
                    case formula.Indexed(base=formula.Name(name=name), items=(first, *_)) if name in program.tables:
                        by_mark = isinstance(first, formula.Name) and first.name in ids
                        lookup = not isinstance(first, formula.Slice) and role_of(first) == "lookup"
                        if by_mark or lookup:
                            self.in_order(name, program.tables[name].axes[0].labels, marks)

    def in_order(self, name: str, rows: tuple[str, ...], marks: tuple[str, ...]) -> None:
        if name == "splitter" or not set(rows) & set(marks):
            return  # rows without names of their own
        for place, (row, mark) in enumerate(zip(rows, marks, strict=False)):
            if row != mark:
                says = f"row {place} is called {row!r}, and the vocabulary has {mark!r} there; one order was expected"
                raise self.origin.error(f"[tables.{name}]: {says}", ("tables", name, "rows", place))

    def named(self, program: Program) -> None:
        """Raises LessonError where a name stands twice, or is that of an operation."""
        places: dict[str, tuple[str | int, ...]] = {}
        for key in ("tables", "constants", "facts"):
            for name in self.raw.get(key, {}):
                if name in places or name in ("prompt", "other", "ticket"):
                    raise self.origin.error(f"the name {name!r} stands twice", (key, name), key=True)
                places[name] = (key, name)
        taken = {*places, *program.tables, "prompt", "other", "ticket"}
        for step in program.steps:
            if step.name in taken:
                raise LessonError(
                    f"the name {step.name!r} stands twice; each step and table has a name of its own",
                    file=step.file,
                    line=step.line,
                    column=1,
                )
            taken.add(step.name)
            if step.name in OPERATIONS or step.name in PLAIN_NAMES:
                says = f"{step.name!r} is the name of an operation; another name for the step was expected"
                raise LessonError(says, file=step.file, line=step.line, column=1)

    def bounded(self) -> None:
        """Raises LessonError where there are no stages, or more parts than anybody reads."""
        written = self.raw.get("stage", [])
        if isinstance(written, Mapping):
            raise self.origin.error("'stage' should be written [[stage]], as there are several", ("stage",), key=True)
        if not isinstance(written, list) or not 1 <= len(written) <= MOST_STAGES:
            raise self.origin.error(f"1 to {MOST_STAGES} stages were expected, each begun by [[stage]]", ("stage",))
        count = sum(len(value) for stage in written if isinstance(stage, Mapping) for value in _lists(stage))
        if count > MOST_PARTS:
            raise self.origin.error(f"at most {MOST_PARTS:,} notes, checks and pictures were expected", ("stage",))

    def own_prompts(self, program: Program) -> None:
        """Raises LessonError where the lesson's own prompt is not made of its own marks."""
        for key, text in program.inputs.texts().items():
            if not program.vocabulary.marks:
                says = f"[inputs] {key}: a text needs a [vocabulary] with the marks that it is made of"
                raise self.origin.error(says, ("inputs", key))
            try:
                split(program.vocabulary, text)
            except BadInput as error:
                raise self.origin.error(f"[inputs] {key}: {error}", ("inputs", key)) from None

    def unique(self, found: Iterable[str], name: str, what: str, path: tuple[str | int, ...]) -> None:
        if list(found).count(name) > 1:
            raise self.origin.error(f"the {what} {name!r} stands twice", path)


def _lists(stage: Mapping[str, Any]) -> Iterable[list[Any]]:
    return (value for value in stage.values() if isinstance(value, list))

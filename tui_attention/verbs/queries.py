"""Verbs that compute and print: they keep nothing and ask nothing."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tui_attention.engine.errors import BadInput
from tui_attention.output import put

if TYPE_CHECKING:
    from tui_attention.lessons.run import LessonRun
    from tui_attention.whatif.scenario import Scenario


def folders_of(args: Namespace) -> tuple[Path, ...]:
    """The folders of own lessons: that of the command line, and that of the user's data. Raises BadInput."""
    from tui_attention.store import default_path

    given = getattr(args, "lessons", None)
    if given is not None and not Path(given).is_dir():
        raise BadInput(f"--lessons: a folder of lesson files was expected, not {given[:60]!r}")
    own = default_path().parent / "lessons"
    return (*([Path(given)] if given is not None else []), *([own] if own.is_dir() else []))


def resolved(args: Namespace, lesson: str) -> str:
    """The path of an own lesson of that id; every other name as it is. Raises BadInput."""
    from tui_attention.lessons.load import Shelf

    return Shelf(folders_of(args)).resolved(lesson)


def course_of(args: Namespace, lesson: str) -> LessonRun:
    """The lesson with the inputs of the command line. Raises BadInput or LessonError."""
    from tui_attention.whatif.scenario import open_scenario

    lesson = resolved(args, lesson)
    scenario, variant = scenario_from(args), variant_from(args)
    run = open_scenario(lesson, args.prompt, args.other, args.ticket, scenario=scenario, variant=variant)
    if args.stage is not None:
        run.lesson.stage_named(args.stage)
    return run


def scenario_from(args: Namespace) -> Scenario | None:
    """What the command line does otherwise than the lesson; None where it says nothing of it."""
    given = [getattr(args, name, None) for name in ("set", "without", "bend", "reverse")]
    if not any(given):
        return None
    from tui_attention.whatif.scenario import Scenario

    return Scenario(tuple(args.set), tuple(args.without), args.bend, args.reverse)


def variant_from(args: Namespace) -> int | str | None:
    """The variant that the command line asks for, by its number or by a name; None where it says nothing of it."""
    name: str | None = args.variant_for
    return args.variant if name is None else name


def folder_of(text: str) -> Path:
    """The folder to write to, which need not be there yet. Raises BadInput."""
    folder = Path(text)
    if not text or (folder.exists() and not folder.is_dir()):
        raise BadInput(f"a folder to write to was expected, not {text[:60]!r}")
    return folder


def _print_json(payload: object) -> None:
    put(json.dumps(payload, allow_nan=False))


def _width() -> int:
    """Columns to print in: those of the terminal, or 100 where there is none."""
    return max(40, shutil.get_terminal_size((100, 24)).columns) if sys.stdout.isatty() else 100


_INPUTS = ("prompt", "other", "ticket", "stage", "set", "without", "bend", "reverse", "variant", "variant_for")


def lessons(args: Namespace) -> int:
    """List the lessons; with inputs, those that take them."""
    from tui_attention.lessons.load import Shelf
    from tui_attention.models.opening import Outline, guided_outline

    courses, refusal = list[Outline](), ""
    for name in Shelf(folders_of(args)).names():
        try:
            lesson = course_of(args, name).lesson
        except BadInput as error:
            refusal = str(error)
            continue
        stages = tuple(stage.id for stage in lesson.stages)
        courses.append(Outline(lesson.id, lesson.title, lesson.summary, stages))
    guided, asked = guided_outline(), [getattr(args, name, None) for name in _INPUTS]
    if not any(asked) and not (args.json and guided.missing):  # a script finds what it can open
        courses.append(guided)
    if not courses:
        raise BadInput(f"no lesson takes these inputs; the last of them says: {refusal}")
    if args.json:
        rows = [
            {
                "lesson": found.id,
                "title": found.title,
                "summary": found.summary,
                "stages": list(found.stages),
            }
            for found in courses
        ]
        _print_json(rows)
        return 0
    wide = max(len(found.id) for found in courses)
    for found in courses:
        put(f"{found.id:<{wide}}  {found.title}")
        for told in (found.summary, f"stages: {' '.join(found.stages)}", found.missing):
            if told:
                put(f"{'':<{wide}}  {told}")
    return 0


def values(args: Namespace) -> int:
    """Print tensors at full precision."""
    from tui_attention.export import values as export

    run = course_of(args, args.lesson)
    names = args.name or export.names(run, args.stage)
    if args.json:
        _print_json(export.payload(run, names))
    else:
        put(export.text(run, names, _width(), as_printed=args.printed))
    return 0


def explain(args: Namespace) -> int:
    """Print where one cell comes from."""
    from tui_attention.export import explain as export

    found = export.explain(course_of(args, args.lesson), args.cell)
    if args.json:
        _print_json(export.payload(found))
    else:
        put(export.text(found, _width()))
    return 0


_OWN = re.compile(r"(.*?)=([^=]*)", re.DOTALL)


def judge(args: Namespace) -> int:
    """Judge one typed answer; the exit code is the verdict's. With --batch, a file of them."""
    if args.batch is not None:
        return _batch(args)
    missing = [name for name in ("cell", "typed") if getattr(args, name) is None]
    if missing:
        names = ", ".join(name.upper() for name in missing)
        raise BadInput(f"the following arguments are required: {names}, or --batch FILE for many answers")
    run, own = course_of(args, args.lesson), []
    for entry in args.own:
        parts = _OWN.fullmatch(entry)
        if not parts:
            raise BadInput(
                f"{entry[:60]!r} is no number of one's own; write a cell, = and a number, as in q[0,2]=-0.08"
            )
        own.append((parts[1].strip(), parts[2].strip()))
    from tui_attention.judge.verb import judge_cell

    report = judge_cell(run, args.cell, args.typed, own=own, show=args.show)
    if args.json:
        _print_json(report.payload)
    else:
        put(report.text)
    return report.code


def _batch(args: Namespace) -> int:
    """Judge every line of a file, or of standard input; 2 when a line could not be read."""
    from tui_attention.judge.batch import batch, table
    from tui_attention.judge.verb import Bench
    from tui_attention.whatif.scenario import open_scenario

    if args.cell is not None or args.own or args.show:
        raise BadInput("with --batch the cell, what was typed, own and show stand in the file")
    course_of(args, args.lesson)  # what is wrong with the command line is said before anything is judged
    scenario, variant = scenario_from(args), variant_from(args)

    def opened(prompt: str | None, other: str | None) -> LessonRun:
        given = args.lesson, prompt or args.prompt, other or args.other, args.ticket
        return open_scenario(*given, scenario=scenario, variant=variant)

    bench = Bench(opened)
    with contextlib.ExitStack() as stack:
        lines = sys.stdin
        if args.batch != "-":
            lines = stack.enter_context(Path(args.batch).open(encoding="utf-8", errors="replace", newline=""))
        faults: list[bool] = []

        def watched() -> Iterator[dict[str, Any]]:
            for result in batch(bench, lines):
                faults.append("error" in result)
                yield result

        if args.json:
            for result in watched():
                _print_json(result)
        else:
            for text in table(watched()):
                put(text, end="")
    return 2 if any(faults) else 0


def log(args: Namespace) -> int:
    """Print the workshop log; what the measured lines rest on is said on stderr."""
    from tui_attention.export import log as export

    written = export.write(course_of(args, export.LESSON), args.stage, number=args.numbered)
    put("\n".join(written.lines))
    if written.note:
        sys.stdout.flush()
        put(written.note, to=sys.stderr)
    return 0


def proof(args: Namespace) -> int:
    """Print what the page's program prints."""
    from tui_attention.export import proof as export

    lines = export.lines(course_of(args, export.LESSON), args.stage)
    if not lines:
        raise BadInput(f"the program prints no number of stage {args.stage}")
    put("\n".join([*export.listing(), "", *lines] if args.listing else lines))
    return 0


def figures(args: Namespace) -> int:
    """Write pictures and print their paths."""
    from tui_attention.export import figures as export

    run = course_of(args, args.lesson)
    for path in export.write(run, folder_of(args.dir), args.format, args.of, args.stage):
        put(str(path))
    return 0

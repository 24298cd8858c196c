"""Verbs with a learner: the app, the plain shell, and what is kept of both."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from tui_attention import interrupts
from tui_attention.engine.errors import BadInput
from tui_attention.options import FIRST_LESSON, Options
from tui_attention.output import put
from tui_attention.verbs.queries import folder_of, folders_of, scenario_from, variant_from


def _options(args: Namespace) -> Options:
    """The options of a walk. Raises BadInput; its inputs are checked when the lesson opens, before the screen."""
    from tui_attention.lessons.load import Shelf, known
    from tui_attention.models.opening import GUIDED, is_model
    from tui_attention.store import valid_learner

    shelf = Shelf(folders_of(args))
    named = FIRST_LESSON if args.lesson is None else args.lesson
    lesson = shelf.resolved(named)
    lesson_here = known(lesson) or is_model(lesson)
    if not lesson_here or not (getattr(args, "files", True) or named in shelf.names()):
        raise BadInput(_unknown(named, shelf.names()))
    valid_learner(args.learner)
    # Nobody works 576 terms out by hand: a model is open unless asked otherwise.
    cover = bool(args.cover) if is_model(lesson) and lesson != GUIDED else args.cover
    return Options(
        lesson,
        args.lesson is not None,
        args.prompt,
        args.other,
        args.ticket,
        args.stage,
        cover,
        args.learner,
        args.save,
        getattr(args, "all", False),
        args.env,
        scenario_from(args),
        variant_from(args),
        args.files,
        getattr(args, "mouse", None),
        shelf.folders,
        memory=getattr(args, "memory", None),
    )


def _unknown(word: str, lessons: tuple[str, ...]) -> str:
    from tui_attention.verbs.table import VERBS

    legal = f"the lessons are: {' '.join(lessons)}; the verbs are: {' '.join(VERBS)}"
    return f"there is no verb or lesson {word[:40]!r}; {legal}"


def _has_screen(env: Mapping[str, str]) -> bool:
    """Whether there is a terminal that can be painted: all three streams are one, and TERM can move a cursor."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    paints = os.name == "nt" or env.get("TERM", "dumb") not in ("", "dumb")  # Windows sets no TERM
    return paints and all(stream is not None and stream.isatty() for stream in streams)


def app(args: Namespace) -> int:
    """The full-screen app, or the plain shell where there is no screen."""
    options = _options(args)
    if not _has_screen(args.env):
        return _plain(options)
    from tui_attention.ui.app import run

    return run(options)


def review(args: Namespace) -> int:
    """A review of what went wrong, in the app, or line by line where there is no screen."""
    from tui_attention.practice.scheduling import require
    from tui_attention.store import valid_learner

    require()
    valid_learner(args.learner)
    options = Options(
        learner=args.learner,
        save=args.save,
        env=args.env,
        files=args.files,
        mouse=args.mouse,
        lessons=folders_of(args),
        review=args.minutes,
    )
    if args.plain or not _has_screen(args.env):
        return _plain(options)
    from tui_attention.ui.app import run

    return run(options)


def plain(args: Namespace) -> int:
    """The line-by-line shell."""
    return _plain(_options(args))


def _plain(options: Options) -> int:
    interrupts.ordinary()
    from tui_attention.plain import run

    return run(options, sys.stdin, sys.stdout)


def screenshots(args: Namespace) -> int:
    """Write the pictures of the app."""
    from tui_attention.ui.shots import write

    folder = folder_of(args.dir)
    folder.mkdir(parents=True, exist_ok=True)
    return write(folder)


# ---------------------------------------------------------------- progress


def progress(args: Namespace) -> int:
    """Show what is kept."""
    from tui_attention.session.progress import progress as report

    if args.export is not None or args.take is not None:
        return _carried(args)
    payload, text = report(Options(learner=args.learner))
    payload["review"] = _to_review(args)
    if args.json:
        put(json.dumps(payload, allow_nan=False))
        return 0
    if payload["trouble"]:
        put(payload["trouble"], to=sys.stderr)
    put(text)
    from tui_attention.practice.report import lines

    for line in lines(payload["review"]):
        put(line)
    return 0


def _to_review(args: Namespace) -> dict[str, object]:
    from tui_attention.lessons.load import Shelf
    from tui_attention.practice.report import report
    from tui_attention.session.opening import open_store

    with open_store(args.learner, make=False) as store:
        return report(store, where=Shelf(folders_of(args)).kept)


def _carried(args: Namespace) -> int:
    """Everything out to a file, or what another machine had in from one."""
    from tui_attention.files import create_at
    from tui_attention.practice import transfer
    from tui_attention.session.opening import open_store

    if args.export is not None and args.take is not None:
        raise BadInput("one of --export and --import was expected")
    with open_store(args.learner, make=args.take is not None) as store:
        if args.take is not None:
            count = transfer.taken(store, Path(args.take))
            if store.trouble:
                raise BadInput(store.trouble.rstrip("."))
            put(f"Taken over: {count} rows that were new or later.")
            return 0
        file, data = Path(args.export), transfer.written(store).encode()
    try:
        create_at(file, data)
    except FileExistsError:
        raise BadInput(f"{file} is there already; nothing is written over it") from None
    put(f"Written: {file}.")
    return 0


def reset(args: Namespace) -> int:
    """Forget a lesson's progress, or all of it, after asking."""
    from tui_attention.lessons.load import names
    from tui_attention.session.opening import key_of
    from tui_attention.session.progress import progress as report
    from tui_attention.session.progress import reset as forget

    options = Options(learner=args.learner)
    kept = [lesson["lesson"] for lesson in report(options)[0]["lessons"]]
    wanted = None if args.lesson is None else key_of(args.lesson)
    if wanted is not None and wanted not in (*names(), *kept):
        legal = " ".join(dict.fromkeys((*names(), *kept)))
        raise BadInput(f"there is no lesson {args.lesson[:60]!r}; the lessons are: {legal}")
    chosen = [lesson for lesson in kept if wanted in (None, lesson)]
    if not chosen:
        put("There is nothing to forget.")
        return 0
    if not args.yes and not _agreed(f"Forget all progress in {' and '.join(chosen)}? Type yes to do so: "):
        put("Nothing was forgotten.")
        return 0
    forget(options, wanted)
    put(f"Forgotten: {' '.join(chosen)}.")
    return 0


def _agreed(question: str) -> bool:
    put(question, end="", flush=True)
    answer = sys.stdin.readline() if sys.stdin is not None else ""
    if not answer.endswith("\n"):
        put()
    return answer.strip().lower() in ("yes", "y")

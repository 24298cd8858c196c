"""The verbs `class` and `web`: a class of many, and one person in a browser."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from tui_attention.engine.errors import BadInput
from tui_attention.options import FIRST_LESSON
from tui_attention.output import put

FORGOTTEN = "Forgotten: {}."


def needs(module: str, verb: str, extra: str) -> None:
    """Raises BadInput with the command that installs what a verb needs."""
    if find_spec(module) is None:
        raise BadInput(f"{verb} needs {module}; install it with: pip install '.[{extra}]'")


def hold(args: Namespace) -> int:
    """Hold a class; or export one, or forget one, or one learner of it. Raises BadInput."""
    if args.forget is not None:
        return _forget(args.forget, args.learner)
    if args.export is not None:
        return _export(args.name, args.export)
    if args.learner is not None:
        raise BadInput("--learner goes with --forget: whom to forget")
    needs("asyncssh", "class", "class")
    if args.web is not None:
        needs("textual_serve", "--web", "web")
    from tui_attention.ui.app import settle_environment

    settle_environment()
    from tui_attention.classroom.service.options import ClassOptions
    from tui_attention.classroom.service.running import run_class

    options = ClassOptions(
        lesson=args.lesson or FIRST_LESSON,
        named=args.lesson is not None,
        host=args.host,
        port=args.port,
        name=args.name,
        most=args.max,
        auth=args.auth,
        authorized_keys=None if args.authorized_keys is None else Path(args.authorized_keys),
        headless=args.headless,
        variants=args.variants,
        lessons=None if args.lessons is None else Path(args.lessons),
        web=args.web,
        allow_root=args.allow_root,
        allow_open=args.allow_open,
        env=args.env,
    )
    return run_class(options, _printer())


def _forget(name: str, learner: str | None) -> int:
    from tui_attention.classroom.keep import ClassFolder, ClassStore

    folder = ClassFolder(name)
    if not folder.exists:
        raise BadInput(f"there is no class {name!r} in {folder.path.parent}")
    if learner is None:
        folder.forget()
        put(FORGOTTEN.format(name))
        return 0
    from tui_attention.classroom.hub.names import identity

    folder.lock()
    store = ClassStore(folder.database)
    try:
        found = next((one for one in store.members() if identity(one.name) == identity(learner)), None)
        if found is None:
            raise BadInput(f"the class {name} has no learner {learner[:40]!r}")
        store.forget_member(found.id)
        folder.forget_progress(found.id)
    finally:
        store.close()
        folder.unlock()
    put(FORGOTTEN.format(f"{found.name} of {name}"))
    return 0


def _export(name: str, where: str) -> int:
    from tui_attention.classroom.keep import ClassFolder, ClassStore, as_csv, as_json
    from tui_attention.classroom.keep.export import rows_of

    if not where.endswith((".csv", ".json")):
        raise BadInput(f"{where} is neither .csv nor .json")
    folder = ClassFolder(name)
    if not folder.exists:
        raise BadInput(f"there is no class {name!r} in {folder.path.parent}")
    store = ClassStore(folder.database)
    try:
        rows = list(rows_of(store.answers(), store.members()))
        text = as_csv(rows) if where.endswith(".csv") else as_json(name, rows, store.questions())
    finally:
        store.close()
    with Path(where).open("w", encoding="utf-8", newline="") as file:
        file.write(text)
    put(f"{len(rows)} answers are in {where}.", to=sys.stderr)
    return 0


def page(args: Namespace) -> int:
    """The app in a browser, for one person on this machine. Raises BadInput."""
    needs("textual_serve", "web", "web")
    from tui_attention.ui.app import settle_environment

    settle_environment()
    from tui_attention.classroom.service.alone import run_alone
    from tui_attention.verbs.interactive import _options

    return run_alone(_options(args), args.port, _printer())


def _printer() -> Callable[[str], None]:
    """Prints lines where standard output is now: while apps run, something else stands in its place."""
    out = sys.stdout

    def say(line: str) -> None:
        put(line, to=out, flush=True)

    return say

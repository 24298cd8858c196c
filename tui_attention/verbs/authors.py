"""Verbs for those who write lessons."""

from __future__ import annotations

import json
import re
import shutil
import sys
import time
from argparse import Namespace
from pathlib import Path

from tui_attention.engine.errors import BadInput
from tui_attention.output import put
from tui_attention.verbs.queries import folders_of, resolved


def _width() -> int:
    """Columns to print in: those of the terminal, or 100 where there is none."""
    return max(40, shutil.get_terminal_size((100, 24)).columns) if sys.stdout.isatty() else 100


def language(args: Namespace) -> int:
    """Print what a lesson file may hold."""
    from tui_attention.judge.slips import any_working
    from tui_attention.lessons import reference

    kinds = any_working()
    put(json.dumps(reference.payload(kinds), allow_nan=False) if args.json else reference.text(_width(), kinds))
    return 0


def new(args: Namespace) -> int:
    """Write a lesson file to begin with; a file that is there already is left alone."""
    from tui_attention.files import create_at
    from tui_attention.lessons.skeleton import shapes, skeleton

    path = Path(args.file)
    name = re.sub(r"[^A-Za-z0-9-]+", "-", path.stem).strip("-") or "lesson"
    if path.suffix != ".toml":
        raise BadInput(f"a file that ends in .toml was expected, not {args.file[:60]!r}")
    text = skeleton(name, args.tokens or "", shapes(args.tables))
    try:
        create_at(path, text.encode())
    except FileExistsError:
        raise BadInput(f"{args.file[:60]!r} is there already; it is left as it is") from None
    put(f"{args.file}: now `tui-attention lint {args.file}` checks it, `tui-attention {args.file}` walks through it")
    return 0


def lint(args: Namespace) -> int:
    """Check a lesson file, or every lesson there is; 1 when something is wrong."""
    from tui_attention.lessons.load import Shelf

    shelf = Shelf(folders_of(args))
    if (args.lesson is None) is not args.all:
        raise BadInput("either a lesson or --all was expected")
    if args.watch:
        return _watched(resolved(args, args.lesson or ""))
    faulty = [
        name for name in ([args.lesson] if args.lesson else shelf.names()) if _linted(shelf.resolved(name), args)
    ]
    return 1 if faulty else 0


def _linted(lesson: str, args: Namespace) -> bool:
    faults = found(lesson)
    if args.variants is not None and not faults:
        faults += _vetted(lesson, args.variants)
    for fault in faults:
        put(fault)
    if not faults:
        put(f"{lesson}: nothing to complain of")
    return bool(faults)


def found(lesson: str) -> list[str]:
    """Everything that is wrong with a lesson, what comes out otherwise than it expects included. Raises BadInput."""
    from tui_attention.judge.expected import unexpected
    from tui_attention.judge.slips import kinds, possible
    from tui_attention.lessons.lint import lint as check
    from tui_attention.lessons.run import open_run

    faults = check(lesson, slips=kinds(), possible=possible)
    if not any(fault.error for fault in faults):
        faults += unexpected(open_run(lesson))
    return [str(fault) for fault in faults]


LOOKS = 0.3  # seconds between two looks at a watched file


def _watched(lesson: str) -> int:
    """Check a lesson at every save, until it is interrupted; what is said is what has changed."""
    from tui_attention.lessons.load import content_of

    path = Path(content_of(lesson)[1])
    put(f"{path}: watched; Ctrl+C ends it", flush=True)
    last: tuple[float, int] | None = None
    before: list[str] | None = None
    while True:
        try:
            state = path.stat()
        except FileNotFoundError:  # an editor replaces it
            time.sleep(LOOKS)
            continue
        if (now := (state.st_mtime, state.st_size)) != last:
            last = now
            faults = found(lesson)
            for line in changes(before, faults):
                put(line, flush=True)
            before = faults
        time.sleep(LOOKS)


def changes(before: list[str] | None, now: list[str]) -> list[str]:
    """What a save has changed: what is mended, what is new, and how much is left."""
    if before is None:
        return now or ["nothing to complain of"]
    plain = [_unplaced(fault) for fault in now]
    were = [_unplaced(fault) for fault in before]
    mended = [f"mended: {fault}" for fault in were if fault not in plain]
    new = [fault for fault, said in zip(now, plain, strict=True) if said not in were]
    left = len(now) - len(new)
    told = [*mended, *new]
    if not now:
        return [*told, "nothing to complain of"]
    return [*told, f"{left} as before"] if left and told else told or [f"saved; {len(now)} as before"]


def _unplaced(fault: str) -> str:
    """A fault without the line and column that it moves about with."""
    return re.sub(r"^(.*?):\d+(:\d+)?: ", "", fault)


def _vetted(lesson: str, wanted: int) -> list[str]:
    """Try the variants that there are, and find more until there are `wanted`; what is wrong with them."""
    from tui_attention.lessons import load, vetting

    found = load.load(lesson)
    if not found.variants.draws:
        raise BadInput(f"{found.id} has no [[variants.draw]]: nothing says which tables may be redrawn")
    faults = list(vetting.doubts(found))
    if faults:
        return [*faults, "a variant stays what it is for ever; loosen the condition, or begin a new lesson"]
    drawn, tries = list[vetting.Vetted](), 0
    for tries, draw in vetting.search(found, max(0, wanted - found.variants.count)):  # noqa: B007
        drawn += [draw] if draw is not None else []
    if drawn:
        file = vetting.keep(found, drawn)
        put(f"{len(drawn)} of {tries} draws pass: variants {found.variants.count + 1} to {wanted}, kept in {file}")
    else:
        put(f"its {found.variants.count} variants are good exercises")
    return []

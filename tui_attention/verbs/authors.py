"""Verbs for those who write lessons."""

from __future__ import annotations

import json
import re
import shutil
import sys
from argparse import Namespace
from pathlib import Path

from tui_attention.engine.errors import BadInput
from tui_attention.output import put


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
    from tui_attention.lessons.skeleton import shapes, skeleton

    path = Path(args.file)
    name = re.sub(r"[^A-Za-z0-9-]+", "-", path.stem).strip("-") or "lesson"
    if path.suffix != ".toml":
        raise BadInput(f"a file that ends in .toml was expected, not {args.file[:60]!r}")
    text = skeleton(name, args.tokens or "", shapes(args.tables))
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise BadInput(f"{args.file[:60]!r} is there already; it is left as it is") from None
    put(f"{args.file}: now `tui-attention lint {args.file}` checks it, `tui-attention {args.file}` walks through it")
    return 0

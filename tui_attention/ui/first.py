"""The first sign of life: an empty frame on the terminal, before anything heavy is loaded. No Textual, no numpy."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from tui_attention import interrupts
from tui_attention.output import speaks_unicode
from tui_attention.ui.terminal import SMALLEST

FAREWELL: Final = b"\x1b[?1049l\x1b[?25h"
"""Back to the screen as it was: the frame's only traces are the alternate screen and the hidden cursor."""


def first_frame(columns: int, rows: int, *, unicode: bool) -> str:
    """The frame that the lesson will stand in, as what draws it on an empty alternate screen."""
    corners, across, down = ("┌┐└┘", "─", "│") if unicode else ("++++", "-", "|")
    lines = [f"{corners[0]}{across * (columns - 2)}{corners[1]}"]
    lines += [f"{down}\x1b[{columns}G{down}"] * (rows - 4)
    lines += [f"{corners[2]}{across * (columns - 2)}{corners[3]}"]
    frame = "".join(f"\x1b[{y};1H{line}" for y, line in enumerate(lines, 2))
    return f"\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J tui-attention{frame}\x1b[3;3Hopening ...\x1b[{rows};1H"


@contextmanager
def first_shown(env: Mapping[str, str], descriptor: int) -> Iterator[None]:
    """Show the frame while the block loads what is to follow; take it back where that fails or is ended."""
    shown = _show(env, descriptor)
    try:
        yield
    except BaseException:
        if shown:
            os.write(descriptor, FAREWELL)
        raise


def _show(env: Mapping[str, str], descriptor: int) -> bool:
    """Whether the terminal is ours to draw on, and large enough."""
    try:
        columns, rows = os.get_terminal_size(descriptor)
        if os.tcgetpgrp(descriptor) != os.getpgrp() or columns < SMALLEST[0] or rows < SMALLEST[1]:
            return False  # in the background, the screen is somebody else's
        interrupts.at_once(FAREWELL, descriptor)
        os.write(descriptor, first_frame(columns, rows, unicode=speaks_unicode(env)).encode())
    except OSError:
        return False
    return True

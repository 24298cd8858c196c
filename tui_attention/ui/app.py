"""Starting the app on a terminal: the one place of the package's screens that looks at the process around it."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import IO

from tui_attention.engine.errors import BadInput
from tui_attention.options import Options
from tui_attention.ui.first import first_shown
from tui_attention.ui.terminal import terminal_problem


def run(options: Options) -> int:
    """Run the app; the exit code. Raises BadInput, also where the terminal can't show it."""
    env = _as_set(options.env or os.environ, sys.stderr)
    problem = terminal_problem(env, sys.stdin, sys.stdout, sys.stderr)
    if problem is not None:
        raise BadInput(f"{problem}; `tui-attention plain` needs no screen")
    # What is made while starting lives as long as the app: looking for garbage in it only delays the first paint.
    gc.disable()
    with first_shown(env, sys.stderr.fileno()):
        from tui_attention.session import open_session
        from tui_attention.ui.attention import AttentionApp

        session = open_session(replace(options, env=env))
    with session:
        if options.mouse is not None:
            session.set_setting("mouse", "on" if options.mouse else "off")
        app = AttentionApp(session)
        app.run(mouse=session.setting("mouse") != "off")
        return app.return_code or 0


def settle_environment() -> None:
    """Before Textual is imported, for a process of many apps: none of them takes anything from this environment.

    Each gets its own terminal's; all are drawn in full colour and brought down to what each terminal has.
    """
    for name in [name for name in os.environ if name.startswith("TEXTUAL_")]:
        del os.environ[name]
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"):
        os.environ.pop(name, None)
    os.environ["TEXTUAL_COLOR_SYSTEM"] = "truecolor"


def _as_set(env: Mapping[str, str], screen: IO[str] | None) -> dict[str, str]:
    """The environment with the locale that the person set; that of C where the screen is not written in UTF-8.

    In a locale without UTF-8, Python goes over to it all the same and says LC_CTYPE=C.UTF-8 for its children.
    """
    found = dict(env)
    if sys.flags.utf8_mode and found.get("LC_CTYPE") == "C.UTF-8":
        del found["LC_CTYPE"]
    encoding = getattr(screen, "encoding", None) or ""
    return found if encoding.lower().startswith("utf") else found | {"LC_ALL": "C"}

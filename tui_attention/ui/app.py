"""Starting the app on a terminal: the one place of the package's screens that looks at the process around it."""

from __future__ import annotations

import gc
import os
import sys

from tui_attention.engine.errors import BadInput
from tui_attention.options import Options
from tui_attention.ui.terminal import terminal_problem


def run(options: Options) -> int:
    """Run the app; the exit code. Raises BadInput, also where the terminal can't show it."""
    env = options.env or dict(os.environ)
    problem = terminal_problem(env, sys.stdin, sys.stdout, sys.stderr)
    if problem is not None:
        raise BadInput(f"{problem}; `tui-attention plain` needs no screen")
    # What is made while starting lives as long as the app: looking for garbage in it only delays the first paint.
    gc.disable()
    from tui_attention.session import open_session
    from tui_attention.ui.attention import AttentionApp

    with open_session(options) as session:
        app = AttentionApp(session)
        app.run()
        return app.return_code or 0

"""The walk as a conversation, line by line: for screen readers, braille displays, logs, pipes and narrow screens.

Nothing moves the cursor, nothing is drawn, nothing is coloured; every line says what may be typed next.
"""

from __future__ import annotations

from typing import TextIO

from tui_attention.options import Options
from tui_attention.plain.page import Transcript, width_of

INTERRUPTED = 130


def run(options: Options, stdin: TextIO, stdout: TextIO) -> int:
    """One conversation, or with `options.all` the whole lesson as a document; the exit code.

    0 at the end of the input or after `quit`, 130 after Ctrl+C. Raises BadInput or LessonError before the first
    line; BrokenPipeError when nobody reads any more.
    """
    page = Transcript(stdout, width_of(options.env, stdout))
    if options.all:
        from tui_attention.plain.document import write

        write(options, page)
        return 0
    from tui_attention.plain.shell import Shell
    from tui_attention.session import open_session

    with open_session(options) as session:
        try:
            Shell(session, page, stdin).run()
        except KeyboardInterrupt:
            page.end_line()
            return INTERRUPTED
    return 0

"""The command line: which verb is meant, what is said when something is wrong, and the exit code.

Exit codes: 0 fine, 1 judged wrong or a check failed, 2 bad usage or input, 130 interrupted.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TextIO

from tui_attention import interrupts, output
from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.verbs.table import APP, VERBS, parser_of
from tui_attention.verbs.words import arranged, verb_of

FINE, BAD, INTERRUPTED = 0, 2, 130
LONGEST_REFUSAL = 1_500
"""Characters of a sentence on stderr: what is longer quotes something that nobody wants to read whole."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; `argv` is without the program's name.

    Raises SystemExit(0) for --help and --version. Bad input never shows a traceback: one sentence on stderr.
    """
    _mend_streams()
    try:
        code = run(list(sys.argv[1:] if argv is None else argv), os.environ)
        output.flush()
    except (BadInput, LessonError) as error:
        return _refused(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        output.silence(sys.stdout)
        return FINE
    except OSError as error:
        output.silence(sys.stdout)
        return _refused(f"{error.filename or 'standard input or output'}: {error.strerror or error}")
    return code


def run(words: list[str], env: Mapping[str, str]) -> int:
    """The verb's own exit code. Raises BadInput or LessonError for what the person should put right."""
    name, rest = verb_of(words, VERBS)
    verb = VERBS.get(name, APP)
    parser, ordered = parser_of(verb), arranged(rest)
    parser.check_options(ordered)
    names = ordered[ordered.index("--") + 1 :] if "--" in ordered else []
    if verb is APP and len(names) > 1:
        raise BadInput(
            f"{names[0]!r} is no verb, and the app takes one lesson only; the verbs are: {' '.join(VERBS)}"
        )
    args = parser.parse_args(ordered)
    args.env = dict(env)
    threads = getattr(args, "threads", None)
    if threads or not {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"} & os.environ.keys():
        # Read when numpy is loaded, which is later. On a busy machine two threads that wait for each other take ten
        # times as long as one.
        os.environ["OPENBLAS_NUM_THREADS"] = str(threads or 1)
    module, _, function = verb.runs.partition(":")
    if verb is not APP:
        interrupts.ordinary()
    code: int = getattr(import_module(module), function)(args)
    return code


def _refused(why: str) -> int:
    """Say one sentence, where anybody can read it; the exit code."""
    with contextlib.suppress(OSError):
        output.put(output.one_line(f"tui-attention: {why}", LONGEST_REFUSAL), to=sys.stderr, flush=True)
    return BAD


def _mend_streams() -> None:
    """Make the three streams usable: one that is closed, or an input that cannot be read, becomes the null device;
    a strange character is no accident.

    A file opened later, such as the learner's progress, would otherwise get the number of a closed stream.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None or (name == "stdin" and _reads_nothing(stream)):
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - until the end
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def _reads_nothing(stream: TextIO) -> bool:
    """Whether the stream is open for writing alone, as `nohup` leaves standard input."""
    try:
        import fcntl

        return fcntl.fcntl(stream.fileno(), fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY
    except (ImportError, OSError, ValueError):
        return False

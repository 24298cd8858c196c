"""Every verb in one table: its names, its options, what it is for, and the function that does it.

A new verb is one entry of `VERBS` and one function that takes the parsed words and returns an exit code.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TextIO, cast

from tui_attention import __version__
from tui_attention.engine.errors import BadInput
from tui_attention.options import FIRST_LESSON
from tui_attention.output import put
from tui_attention.verbs.arguments import (
    Adds,
    add_all,
    add_carry,
    add_class,
    add_cover,
    add_figures,
    add_files,
    add_inputs,
    add_inspect,
    add_json,
    add_judge,
    add_learner,
    add_lint,
    add_listing,
    add_model,
    add_mouse,
    add_new,
    add_numbered,
    add_page,
    add_printed,
    add_review,
    add_save,
    add_scenario,
    add_sheets,
    add_stage,
    add_vetting,
    add_yes,
)

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class Verb(NamedTuple):
    """One verb. `names` are (metavar, how many as argparse counts, help); `runs` is "module:function"."""

    name: str
    says: str
    runs: str
    names: tuple[tuple[str, str, str], ...] = ()
    options: tuple[Adds, ...] = ()
    more: str = ""


class Parser(argparse.ArgumentParser):
    """A parser whose complaint is one sentence."""

    def error(self, message: str) -> NoReturn:
        """Raises BadInput."""
        strange = re.match(r"unrecognized arguments: (?:-- )?(.*)", message)
        if strange:
            message = f"{strange[1]!r} is too much here"
        raise BadInput(f"{message}; `{self.prog} --help` says what is legal")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Raises OSError where the help cannot be written; argparse would say nothing."""
        put(message, to=cast("TextIO | None", file), end="", flush=True)

    def check_options(self, words: Sequence[str]) -> None:
        """Raises BadInput for an option that the verb lacks, before argparse complains of missing names."""
        for word in words:
            option = word.partition("=")[0]
            if word == "--":
                return
            if option not in self._option_string_actions:
                number = bool(re.match(r"-[\d.,]", option))
                self.error(
                    f"{word} looks like an option; write -- before it" if number else f"{option} is no option here"
                )


LESSON = ("LESSON", "", "a lesson's id, or the path of a lesson file")
LESSON_OR_FIRST = ("LESSON", "?", f"a lesson's id, or the path of a lesson file (default: {FIRST_LESSON})")
CELL = ("CELL", "", 'the address of a cell: q[0,2], splitter["."], sigma1')
MODEL = ("PATH", "?", "a GGUF file, a safetensors file, a folder, or smollm2")
AUTHORS = "tui_attention.verbs.authors"
READS, LEARNS = "tui_attention.verbs.queries", "tui_attention.verbs.interactive"
PRACTICE = "tui_attention.verbs.practice"
CLASSES = "tui_attention.verbs.classes"
MODELS = "tui_attention.verbs.models"

APP = Verb(
    "",
    "Work through a lesson in the terminal, with a pencil.",
    f"{LEARNS}:app",
    (LESSON_OR_FIRST,),
    (add_inputs("the stage to open"), add_scenario, add_cover, add_learner, add_save, add_files, add_mouse),
)

_ALL = (
    Verb(
        "lessons",
        "list the lessons; with inputs, only those that take them",
        f"{READS}:lessons",
        (),
        (add_inputs("a stage that the lesson should have"), add_json),
    ),
    Verb(
        "values",
        "print tensors at full precision",
        f"{READS}:values",
        (LESSON, ("NAME", "*", "tensors (default: every one, the dial tables included)")),
        (add_inputs("without NAME, only what this stage makes"), add_scenario, add_printed, add_json),
    ),
    Verb(
        "explain",
        "say where one number comes from",
        f"{READS}:explain",
        (LESSON, CELL),
        (add_inputs(), add_scenario, add_json),
        "Every cell can be explained. Where no pencil makes the number (a dial, a masked score, a truth value, a "
        "measurement) there are no operands, and the formula is the number itself (-inf where masked).",
    ),
    Verb(
        "judge",
        "judge a typed answer, or a file of them",
        f"{READS}:judge",
        (LESSON, ("CELL", "?", CELL[2]), ("TYPED", "?", "what the learner typed")),
        (add_inputs(), add_scenario, add_judge, add_json),
        "Exit code: 0 right, 1 wrong, 2 no attempt (or bad usage); with --batch, 0 when every line could be read. "
        "-0.44 may stand as it is; -0,87 and -87/100 look "
        "like options, so write -- before them.",
    ),
    Verb(
        "log",
        "print the workshop log of the lesson bank",
        f"{READS}:log",
        (),
        (add_inputs("only the section of this stage"), add_numbered),
        "The comparison near the end is measured when the log is printed: our head against PyTorch, or against an "
        "independent loop where torch is not installed, on the log's sentence with every dial of words, Wq, Wk and "
        "Wv redrawn by numpy.random.default_rng(seed).standard_normal, the seed of the third line. Its last digits "
        "depend on the machine. A note on stderr says the same.",
    ),
    Verb(
        "proof",
        "print what the short program of press-h prints",
        f"{READS}:proof",
        (),
        (add_inputs("only the lines of this stage"), add_scenario, add_listing),
    ),
    Verb(
        "plain",
        "work through a lesson line by line",
        f"{LEARNS}:plain",
        (LESSON_OR_FIRST,),
        (
            add_all,
            add_inputs("the stage to start at; with --all, the only one"),
            add_scenario,
            add_cover,
            add_learner,
            add_save,
            add_files,
        ),
    ),
    Verb(
        "review",
        "review what went wrong, on fresh numbers",
        f"{LEARNS}:review",
        (),
        (add_review, add_learner, add_save, add_files, add_mouse),
        "A kind of slip that was named at a step comes back a day later, and then when it is about to be forgotten: "
        "often where it keeps slipping, less and less often where it does not. R in the app does the same.",
    ),
    Verb(
        "worksheet",
        "write worksheets on paper, each with its key and marking guide",
        f"{PRACTICE}:worksheet",
        (LESSON, ("DIR", "", "the folder to write to; it is made if need be")),
        (add_sheets, add_inputs("only this stage"), add_scenario),
        "A sheet is LESSON-N-sheet.pdf, its key LESSON-N-key.pdf; N is the variant, 0 the lesson's own numbers. On a "
        "sheet, what a step makes is blank. Made again, the files are the same byte for byte.",
    ),
    Verb(
        "class",
        "hold a class: learners come in by ssh, the teacher leads or lets go",
        f"{CLASSES}:hold",
        (LESSON_OR_FIRST,),
        (add_class,),
        "This terminal is the teacher's; the class ends when it is left. With --headless it runs until it is ended, "
        "and the teacher comes in as `teacher` with the token whose file is named at the start.",
    ),
    Verb(
        "web",
        "work through a lesson in a browser on this machine",
        f"{CLASSES}:page",
        (LESSON_OR_FIRST,),
        (
            add_page,
            add_inputs("the stage to open"),
            add_scenario,
            add_cover,
            add_learner,
            add_save,
            add_files,
            add_mouse,
        ),
    ),
    Verb(
        "progress",
        "show what has been worked out so far",
        f"{LEARNS}:progress",
        (),
        (add_carry, add_learner, add_json),
    ),
    Verb(
        "reset",
        "forget the progress of a lesson, or of all",
        f"{LEARNS}:reset",
        (("LESSON", "?", "the lesson to forget (default: all of them)"),),
        (add_learner, add_yes),
    ),
    Verb(
        "figures",
        "write the pictures of a lesson as files",
        f"{READS}:figures",
        (("DIR", "", "the folder to write to; it is made if need be"),),
        (add_figures, add_inputs("only the pictures of this stage")),
    ),
    Verb(
        "screenshots",
        "write the pictures of the app that the README shows",
        f"{LEARNS}:screenshots",
        (("DIR", "", "the folder to write to; it is made if need be"),),
    ),
    Verb(
        "lint",
        "check a lesson file",
        f"{AUTHORS}:lint",
        (("LESSON", "?", "a lesson's id, or the path of a lesson file"),),
        (add_lint, add_vetting),
        "Exit code: 0 nothing to complain of, 1 something, 2 no such lesson.",
    ),
    Verb(
        "new",
        "write a lesson file to begin with",
        f"{AUTHORS}:new",
        (("FILE", "", "the lesson file to write; it ends in .toml and is not there yet"),),
        (add_new,),
    ),
    Verb(
        "language",
        "print what a lesson file may hold: operations, keys, placeholders",
        f"{AUTHORS}:language",
        (),
        (add_json,),
    ),
    Verb(
        "model",
        "walk through a trained model with the keys of a lesson",
        f"{MODELS}:walk",
        (MODEL,),
        (add_model, add_stage, add_cover, add_learner, add_save),
        "PATH is a GGUF file, a safetensors file, a folder with config.json, or smollm2 where its package is "
        "installed. values, explain, plain and the app itself take such a PATH in a lesson's place, too.",
    ),
    Verb(
        "inspect",
        "print what a trained model makes of a prompt",
        f"{MODELS}:inspect",
        (MODEL,),
        (add_model, add_inspect, add_json),
        "PATH is a GGUF file, a safetensors file, a folder with config.json, or smollm2 where its package is "
        "installed. Blocks and heads count from 0; nothing is put before the prompt.",
    ),
)
VERBS: dict[str, Verb] = {verb.name: verb for verb in _ALL}


def parser_of(verb: Verb) -> Parser:
    """The parser of one verb; the app's also tells of the verbs."""
    lines = [f"  {other.name:<12} {other.says}" for other in VERBS.values()]
    about = "verbs (each has --help):\n" + "\n".join(lines)
    parser = Parser(
        prog=f"tui-attention {verb.name}".strip(),
        description=verb.says[0].upper() + verb.says[1:].removesuffix(".") + ".",
        epilog=verb.more if verb.name else about,
        formatter_class=argparse.HelpFormatter if verb.name else argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    for metavar, count, says in verb.names:
        more: dict[str, Any] = {"default": []} if count == "*" else {}  # without it argparse calls the name required
        parser.add_argument(metavar.lower(), metavar=metavar, help=says, nargs=count or None, **more)
    for adds in verb.options:
        adds(parser)
    if not verb.name:
        parser.add_argument("--version", action="version", version=f"tui-attention {__version__}")
    return parser

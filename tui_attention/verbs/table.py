"""Every verb in one table: its names, its options, what it is for, and the function that does it.

A new verb is one entry of `VERBS` and one function that takes the parsed words and returns an exit code.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TextIO, cast

from tui_attention import __version__
from tui_attention.engine.errors import BadInput
from tui_attention.options import FIRST_LESSON
from tui_attention.output import put

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

Adds = Callable[[argparse.ArgumentParser], object]


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


def ticket(text: str) -> float:
    """A ticket as typed, read as everywhere. Raises BadInput for what is no number from 0 to 1."""
    from tui_attention.interaction.typed import ticket as typed

    return typed(text)


def count(text: str) -> int:
    """A whole number as typed. Raises BadInput."""
    if not re.fullmatch(r"\d{1,6}", text.strip(), re.ASCII):
        raise BadInput(f"{text[:40]!r} is no whole number from 0 up")
    return int(text)


# ---------------------------------------------------------------- groups of options


def _inputs(stage: str = "a stage of the lesson; checked, nothing more") -> Adds:
    def add(parser: argparse.ArgumentParser) -> None:
        group = parser.add_argument_group("inputs of the lesson")
        group.add_argument("--prompt", metavar="TEXT", help="the text to work on, in the lesson's marks or words")
        group.add_argument("--other", metavar="TEXT", help="the second text, in lessons that compare two")
        group.add_argument("--ticket", metavar="N", type=ticket, help="the ticket that draws a mark, from 0 to 1")
        group.add_argument("--stage", metavar="ID", help=stage)
        group.add_argument(
            "--lessons",
            metavar="DIR",
            help="a folder of own lessons, seen beside the folder `lessons` of the user's data",
        )
        variant = group.add_mutually_exclusive_group()
        variant.add_argument(
            "--variant", metavar="N", type=count, help="other numbers: variant N; 0 is the lesson itself"
        )
        variant.add_argument(
            "--variant-for", metavar="NAME", help="the variant that belongs to a name, always the same"
        )

    return add


def _scenario(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what is done otherwise")
    group.add_argument(
        "--set",
        metavar="CELL=NUMBER",
        action="append",
        default=[],
        help="set a cell of an input table, or one of a mask to 0 or 1; may stand several times: --set 'E[7,0]=0.5'",
    )
    group.add_argument(
        "--without",
        metavar="PART",
        action="append",
        default=[],
        help="leave a part out: head0, head1, scale, mask, residual, norm or positions, where the lesson has it",
    )
    group.add_argument("--bend", choices=("gelu", "tanh", "relu"), default="", help="how the MLP bends")
    group.add_argument("--reverse", action="store_true", help="take the tokens in the opposite order")


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON for other programs")


def _cover(parser: argparse.ArgumentParser) -> None:
    cover = parser.add_mutually_exclusive_group()
    cover.add_argument(
        "--cover", dest="cover", action="store_true", default=None, help="cover what is to be worked out"
    )
    cover.add_argument("--no-cover", dest="cover", action="store_false", default=None, help="show every number")


def _learner(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--learner", metavar="NAME", help="whose progress, where several people share an account")


def _save(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-save", dest="save", action="store_false", help="keep nothing on disk")


def _files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--no-files",
        dest="files",
        action="store_false",
        help="open no lesson by its path and write no files: for accounts that others log in to",
    )


def _mouse(parser: argparse.ArgumentParser) -> None:
    mouse = parser.add_mutually_exclusive_group()
    mouse.add_argument("--mouse", dest="mouse", action="store_true", default=None, help="ask for mouse reports again")
    mouse.add_argument(
        "--no-mouse",
        dest="mouse",
        action="store_false",
        default=None,
        help="ask for no mouse reports, now and from now on: after a dead line nobody can switch them off",
    )


def _all(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--all", action="store_true", help="print the whole lesson as a document; with --cover, the worksheet"
    )


def _judge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--own",
        metavar="CELL=NUMBER",
        action="append",
        default=[],
        help="a number of the learner's own that is carried on; may stand several times or take several",
    )
    parser.add_argument("--show", action="store_true", help="print the right number whatever the verdict")
    parser.add_argument(
        "--batch",
        metavar="FILE",
        help="judge every line of FILE (- for standard input) in place of CELL and TYPED: CSV with a head line, or "
        "JSON lines, each with cell and typed and, where wanted, prompt, other, own, show; what else is there is "
        "handed through",
    )


def _numbered(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--numbered", action="store_true", help="put the number of each line of the whole log before it"
    )


def _listing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--listing", action="store_true", help="print the program itself before its rows")


def _figures(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("svg", "png"), default="svg", help="svg (needs nothing more) or png")
    parser.add_argument("--lesson", metavar="LESSON", default="bank", help="whose pictures (default: bank)")
    parser.add_argument(
        "--of",
        metavar="NAME",
        action="append",
        default=[],
        help="draw these matrices instead, as heatmaps with their numbers: names or formulas such as scores[0]",
    )


def _class(parser: argparse.ArgumentParser) -> None:
    door = parser.add_argument_group("the door")
    door.add_argument("--host", metavar="ADDRESS", default="127.0.0.1", help="listen there (default: 127.0.0.1)")
    door.add_argument("--port", metavar="N", type=int, default=2222, help="the ssh port (default: 2222)")
    door.add_argument("--web", metavar="PORT", type=int, help="serve a page with a terminal there, too")
    door.add_argument("--max", metavar="N", type=int, default=60, help="learners at once (default: 60)")
    door.add_argument(
        "--auth", choices=("code", "keys", "none"), default="code", help="what lets learners in (default: code)"
    )
    door.add_argument("--authorized-keys", metavar="FILE", help="the keys of a standing class, for --auth keys")
    door.add_argument("--allow-open", action="store_true", help="--auth none on an address that others reach")
    door.add_argument("--allow-root", action="store_true", help="run with an administrator's rights")
    group = parser.add_argument_group("the class")
    group.add_argument("--name", metavar="CLASS", default="class", help="go on with this class, or begin it")
    group.add_argument("--lessons", metavar="DIR", help="own lessons, beside those that come with the program")
    group.add_argument("--variants", action="store_true", help="own numbers for each learner")
    group.add_argument("--headless", action="store_true", help="no screen here: the teacher comes in by ssh")
    kept = parser.add_argument_group("what is kept (these do that and nothing else)")
    kept.add_argument("--export", metavar="FILE", help="write all answers of --name as .csv or .json")
    kept.add_argument("--forget", metavar="CLASS", help="delete a class with everything in it")
    kept.add_argument("--learner", metavar="NAME", help="with --forget: only this learner of it")


def _page(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", metavar="N", type=int, default=8000, help="the page's port (default: 8000)")


def _yes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="do not ask")


def _stage(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stage", metavar="ID", help="the stage to open, such as share_23")


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch(r"\d{1,9}", text.strip(), re.ASCII) or not low <= int(text) <= high:
            raise BadInput(f"{text[:40]!r} is no whole number from {low} to {high:,}")
        return int(text)

    return read


def _model(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the model at work")
    group.add_argument("--prompt", metavar="TEXT", help="the text to read; control tokens in it are read as such")
    group.add_argument(
        "--memory",
        metavar="MB",
        type=_whole(1, 1_000_000),
        default=600,
        help="megabytes for copies of tables and kept traces (default: 600)",
    )
    group.add_argument(
        "--threads", metavar="N", type=_whole(1, 1024), help="how many threads a product takes (default: 1)"
    )


def _inspect(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--top", metavar="N", type=_whole(1, 1_000_000), default=10, help="how many next tokens (default: 10)"
    )
    for name, says in (
        ("--head", "print what this head looks at (block and head from 0); may stand several times"),
        ("--without", "switch this head off; may stand several times"),
    ):
        parser.add_argument(name, metavar="L.H", action="append", default=[], help=says)
    parser.add_argument(
        "--lens",
        metavar="WORD",
        nargs="?",
        const="",
        help="what the last place would answer after each block, and the rank of the answer or of WORD's first token",
    )
    parser.add_argument("--greedy", metavar="N", type=_whole(0, 1_000_000), default=0, help="write N tokens on")


def minutes(text: str) -> float:
    """Minutes as typed. Raises BadInput."""
    if not re.fullmatch(r"\d{1,3}(\.\d{1,2})?", text.strip(), re.ASCII) or not float(text):
        raise BadInput(f"a review takes minutes, from 0.01 to 999, not {text[:40]!r}")
    return float(text)


def _review(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--minutes", metavar="N", type=minutes, default=10.0, help="how long (default: 10)")
    parser.add_argument("--plain", action="store_true", help="line by line")
    parser.add_argument("--lessons", metavar="DIR", help="a folder of own lessons")


def _carry(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lessons", metavar="DIR", help="a folder of own lessons, for what is due of them")
    parser.add_argument("--export", metavar="FILE", help="write everything that is kept to a new file, as JSON")
    parser.add_argument(
        "--import",
        metavar="FILE",
        dest="take",
        help="join what --export wrote on another machine; the later one stays",
    )


def _sheets(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--variants",
        metavar="1-30",
        nargs="?",
        const="all",
        help="a sheet and a key of each of these variants (or all)",
    )
    which.add_argument(
        "--for", metavar="FILE", dest="names", help="of the variants that go with the names in a file, one a line"
    )
    parser.add_argument("--stages", metavar="A,B", help="only these stages; what they read from others is given")
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4", help="the size of the paper (default: a4)")
    parser.add_argument("--text", action="store_true", help="plain text instead of PDF; needs nothing more")


def _new(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tokens", metavar="TEXT", help='the words of the prompt, such as "the cat sat"')
    parser.add_argument(
        "--tables", metavar="NAME=ROWSxCOLUMNS,...", required=True, help="the tables, such as X=3x4,Wq=4x4,b=4"
    )


def _printed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--printed", action="store_true", help="with the decimals that the lesson shows")


def _lint(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="check every lesson that there is")
    parser.add_argument("--watch", action="store_true", help="check at every save, and say what has changed")
    parser.add_argument("--lessons", metavar="DIR", help="a folder of own lessons")


def _vetting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--variants",
        metavar="N",
        nargs="?",
        const=30,
        type=count,
        help="try every variant of the lesson, and find and keep more until there are N (default: 30)",
    )


# ---------------------------------------------------------------- the verbs

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
    (_inputs("the stage to open"), _scenario, _cover, _learner, _save, _files, _mouse),
)

_ALL = (
    Verb(
        "lessons",
        "list the lessons; with inputs, only those that take them",
        f"{READS}:lessons",
        (),
        (_inputs("a stage that the lesson should have"), _json),
    ),
    Verb(
        "values",
        "print tensors at full precision",
        f"{READS}:values",
        (LESSON, ("NAME", "*", "tensors (default: every one, the dial tables included)")),
        (_inputs("without NAME, only what this stage makes"), _scenario, _printed, _json),
    ),
    Verb(
        "explain",
        "say where one number comes from",
        f"{READS}:explain",
        (LESSON, CELL),
        (_inputs(), _scenario, _json),
        "Every cell can be explained. Where no pencil makes the number (a dial, a masked score, a truth value, a "
        "measurement) there are no operands, and the formula is the number itself (-inf where masked).",
    ),
    Verb(
        "judge",
        "judge a typed answer, or a file of them",
        f"{READS}:judge",
        (LESSON, ("CELL", "?", CELL[2]), ("TYPED", "?", "what the learner typed")),
        (_inputs(), _scenario, _judge, _json),
        "Exit code: 0 right, 1 wrong, 2 no attempt (or bad usage); with --batch, 0 when every line could be read. "
        "-0.44 may stand as it is; -0,87 and -87/100 look "
        "like options, so write -- before them.",
    ),
    Verb(
        "log",
        "print the workshop log of the lesson bank",
        f"{READS}:log",
        (),
        (_inputs("only the section of this stage"), _numbered),
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
        (_inputs("only the lines of this stage"), _scenario, _listing),
    ),
    Verb(
        "plain",
        "work through a lesson line by line",
        f"{LEARNS}:plain",
        (LESSON_OR_FIRST,),
        (
            _all,
            _inputs("the stage to start at; with --all, the only one"),
            _scenario,
            _cover,
            _learner,
            _save,
            _files,
        ),
    ),
    Verb(
        "review",
        "review what went wrong, on fresh numbers",
        f"{LEARNS}:review",
        (),
        (_review, _learner, _save, _files, _mouse),
        "A kind of slip that was named at a step comes back a day later, and then when it is about to be forgotten: "
        "often where it keeps slipping, less and less often where it does not. R in the app does the same.",
    ),
    Verb(
        "worksheet",
        "write worksheets on paper, each with its key and marking guide",
        f"{PRACTICE}:worksheet",
        (LESSON, ("DIR", "", "the folder to write to; it is made if need be")),
        (_sheets, _inputs("only this stage"), _scenario),
        "A sheet is LESSON-N-sheet.pdf, its key LESSON-N-key.pdf; N is the variant, 0 the lesson's own numbers. On a "
        "sheet, what a step makes is blank. Made again, the files are the same byte for byte.",
    ),
    Verb(
        "class",
        "hold a class: learners come in by ssh, the teacher leads or lets go",
        f"{CLASSES}:hold",
        (LESSON_OR_FIRST,),
        (_class,),
        "This terminal is the teacher's; the class ends when it is left. With --headless it runs until it is ended, "
        "and the teacher comes in as `teacher` with the token whose file is named at the start.",
    ),
    Verb(
        "web",
        "work through a lesson in a browser on this machine",
        f"{CLASSES}:page",
        (LESSON_OR_FIRST,),
        (_page, _inputs("the stage to open"), _scenario, _cover, _learner, _save, _files, _mouse),
    ),
    Verb("progress", "show what has been worked out so far", f"{LEARNS}:progress", (), (_carry, _learner, _json)),
    Verb(
        "reset",
        "forget the progress of a lesson, or of all",
        f"{LEARNS}:reset",
        (("LESSON", "?", "the lesson to forget (default: all of them)"),),
        (_learner, _yes),
    ),
    Verb(
        "figures",
        "write the pictures of a lesson as files",
        f"{READS}:figures",
        (("DIR", "", "the folder to write to; it is made if need be"),),
        (_figures, _inputs("only the pictures of this stage")),
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
        (_lint, _vetting),
        "Exit code: 0 nothing to complain of, 1 something, 2 no such lesson.",
    ),
    Verb(
        "new",
        "write a lesson file to begin with",
        f"{AUTHORS}:new",
        (("FILE", "", "the lesson file to write; it ends in .toml and is not there yet"),),
        (_new,),
    ),
    Verb(
        "language",
        "print what a lesson file may hold: operations, keys, placeholders",
        f"{AUTHORS}:language",
        (),
        (_json,),
    ),
    Verb(
        "model",
        "walk through a trained model with the keys of a lesson",
        f"{MODELS}:walk",
        (MODEL,),
        (_model, _stage, _cover, _learner, _save),
        "PATH is a GGUF file, a safetensors file, a folder with config.json, or smollm2 where its package is "
        "installed. values, explain, plain and the app itself take such a PATH in a lesson's place, too.",
    ),
    Verb(
        "inspect",
        "print what a trained model makes of a prompt",
        f"{MODELS}:inspect",
        (MODEL,),
        (_model, _inspect, _json),
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

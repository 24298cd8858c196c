"""The options that verbs have in common, each added to a parser by one function, and what their words are read as."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable

from tui_attention.engine.errors import BadInput

Adds = Callable[[argparse.ArgumentParser], object]


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


def add_inputs(stage: str = "a stage of the lesson; checked, nothing more") -> Adds:
    """What the lesson is computed from; `stage` says what its stage is for."""

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


def add_scenario(parser: argparse.ArgumentParser) -> None:
    """What is computed otherwise: cells set, switches thrown, a variant."""
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


def add_json(parser: argparse.ArgumentParser) -> None:
    """JSON in place of sentences."""
    parser.add_argument("--json", action="store_true", help="print JSON for other programs")


def add_cover(parser: argparse.ArgumentParser) -> None:
    """Whether the numbers are covered."""
    cover = parser.add_mutually_exclusive_group()
    cover.add_argument(
        "--cover", dest="cover", action="store_true", default=None, help="cover what is to be worked out"
    )
    cover.add_argument("--no-cover", dest="cover", action="store_false", default=None, help="show every number")


def add_learner(parser: argparse.ArgumentParser) -> None:
    """Whose progress."""
    parser.add_argument("--learner", metavar="NAME", help="whose progress, where several people share an account")


def add_save(parser: argparse.ArgumentParser) -> None:
    """Whether anything is kept."""
    parser.add_argument("--no-save", dest="save", action="store_false", help="keep nothing on disk")


def add_files(parser: argparse.ArgumentParser) -> None:
    """Whether files may be named."""
    parser.add_argument(
        "--no-files",
        dest="files",
        action="store_false",
        help="open no lesson by its path and write no files: for accounts that others log in to",
    )


def add_mouse(parser: argparse.ArgumentParser) -> None:
    """Whether the mouse reports."""
    mouse = parser.add_mutually_exclusive_group()
    mouse.add_argument("--mouse", dest="mouse", action="store_true", default=None, help="ask for mouse reports again")
    mouse.add_argument(
        "--no-mouse",
        dest="mouse",
        action="store_false",
        default=None,
        help="ask for no mouse reports, now and from now on: after a dead line nobody can switch them off",
    )


def add_all(parser: argparse.ArgumentParser) -> None:
    """The whole lesson at once."""
    parser.add_argument(
        "--all", action="store_true", help="print the whole lesson as a document; with --cover, the worksheet"
    )


def add_judge(parser: argparse.ArgumentParser) -> None:
    """What an answer is judged by."""
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


def add_numbered(parser: argparse.ArgumentParser) -> None:
    """Numbers before the lines of a log."""
    parser.add_argument(
        "--numbered", action="store_true", help="put the number of each line of the whole log before it"
    )


def add_listing(parser: argparse.ArgumentParser) -> None:
    """The program before its rows."""
    parser.add_argument("--listing", action="store_true", help="print the program itself before its rows")


def add_figures(parser: argparse.ArgumentParser) -> None:
    """Which pictures, in which format."""
    parser.add_argument("--format", choices=("svg", "png"), default="svg", help="svg (needs nothing more) or png")
    parser.add_argument("--lesson", metavar="LESSON", default="bank", help="whose pictures (default: bank)")
    parser.add_argument(
        "--of",
        metavar="NAME",
        action="append",
        default=[],
        help="draw these matrices instead, as heatmaps with their numbers: names or formulas such as scores[0]",
    )


def add_class(parser: argparse.ArgumentParser) -> None:
    """The door of a class, who may come in, and what is kept."""
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


def add_page(parser: argparse.ArgumentParser) -> None:
    """Where the page is."""
    parser.add_argument("--port", metavar="N", type=int, default=8000, help="the page's port (default: 8000)")


def add_yes(parser: argparse.ArgumentParser) -> None:
    """Do not ask."""
    parser.add_argument("--yes", action="store_true", help="do not ask")


def add_stage(parser: argparse.ArgumentParser) -> None:
    """The stage to open."""
    parser.add_argument("--stage", metavar="ID", help="the stage to open, such as share_23")


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch(r"\d{1,9}", text.strip(), re.ASCII) or not low <= int(text) <= high:
            raise BadInput(f"{text[:40]!r} is no whole number from {low} to {high:,}")
        return int(text)

    return read


def add_model(parser: argparse.ArgumentParser) -> None:
    """How a model is worked with."""
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


def add_inspect(parser: argparse.ArgumentParser) -> None:
    """What is looked at in a model."""
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


def add_review(parser: argparse.ArgumentParser) -> None:
    """How long a review takes, and where."""
    parser.add_argument("--minutes", metavar="N", type=minutes, default=10.0, help="how long (default: 10)")
    parser.add_argument("--plain", action="store_true", help="line by line")
    parser.add_argument("--lessons", metavar="DIR", help="a folder of own lessons")


def add_carry(parser: argparse.ArgumentParser) -> None:
    """What is carried to or from another machine."""
    parser.add_argument("--lessons", metavar="DIR", help="a folder of own lessons, for what is due of them")
    parser.add_argument("--export", metavar="FILE", help="write everything that is kept to a new file, as JSON")
    parser.add_argument(
        "--import",
        metavar="FILE",
        dest="take",
        help="join what --export wrote on another machine; the later one stays",
    )


def add_sheets(parser: argparse.ArgumentParser) -> None:
    """Which sheets of paper."""
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


def add_new(parser: argparse.ArgumentParser) -> None:
    """What a new lesson begins with."""
    parser.add_argument("--tokens", metavar="TEXT", help='the words of the prompt, such as "the cat sat"')
    parser.add_argument(
        "--tables", metavar="NAME=ROWSxCOLUMNS,...", required=True, help="the tables, such as X=3x4,Wq=4x4,b=4"
    )


def add_printed(parser: argparse.ArgumentParser) -> None:
    """Printed digits."""
    parser.add_argument("--printed", action="store_true", help="with the decimals that the lesson shows")


def add_lint(parser: argparse.ArgumentParser) -> None:
    """Which lessons are checked, and when."""
    parser.add_argument("--all", action="store_true", help="check every lesson that there is")
    parser.add_argument("--watch", action="store_true", help="check at every save, and say what has changed")
    parser.add_argument("--lessons", metavar="DIR", help="a folder of own lessons")


def add_vetting(parser: argparse.ArgumentParser) -> None:
    """What variants are found and kept."""
    parser.add_argument(
        "--variants",
        metavar="N",
        nargs="?",
        const=30,
        type=count,
        help="try every variant of the lesson, and find and keep more until there are N (default: 30)",
    )


# ---------------------------------------------------------------- the verbs

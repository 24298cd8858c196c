"""A lesson file from anywhere: it is read or refused, soon, and can do nothing else."""

from __future__ import annotations

import resource
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lessons.toy import HEAD, STAGE, TABLE, TOY, run, steps
from tui_attention.engine import formula
from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.engine.ops import OPERATIONS
from tui_attention.lessons.lint import lint
from tui_attention.lessons.load import load, read
from tui_attention.lessons.source import MOST_BYTES

SOON = 100
"""Times the work of a moment; each takes about ten. What it stands against takes minutes, or all the memory."""

DEEP = "(" * 400 + "1" + ")" * 400
BIG = ",".join(["0.5"] * 200)
WIDE = f"[tables.W]\nvalues = [{','.join([f'[{BIG}]'] * 100)}]".replace("],[", "],\n[")

IN_BLOCK = (
    TOY.replace('title = "one"', 'title = "one"\nblock = "b"')
    + """
[[block]]
id = "b"
title = "b"
carry = ["E", "y"]
"""
)

HOSTILE: dict[str, str | bytes] = {
    "empty": "",
    "bad TOML": "format = = 1",
    "not UTF-8": b"format = 1\ntitle = '\xff\xfe'",
    "nothing but zeros": b"\0" * 1000,
    "five megabytes": b"#" * 5_000_000,
    "nested lists": "v = " + "[" * 900,
    "many nested lists": "\n".join(["v ="] + ["[" * 900] * 300),
    "nested tables": "v = " + "{a = " * 190,
    "a key of many parts": "\n".join([".".join(["a"] * 400) + str(n) + " = 1" for n in range(500)]),
    "a key of quoted parts": "\n".join(["[" + ".".join(["'a'"] * 240) + str(n) + "]" for n in range(500)]),
    "a very long key": ".".join(["a"] * 200_000) + " = 1",
    "a number of many digits": "format = 1\nv = " + "9" * 990 + "\nw = 1",
    "a list of numbers": "v = [\n" + "0,\n" * 150_000 + "]",
    "a number that is none": TOY.replace("0.25", "nan"),
    "a number without end": TOY.replace("0.25", "inf"),
    "a huge constant": TOY.replace("[tables.E]", "[constants]\nc = 1e300\n[tables.E]"),
    "an escape sequence": TOY.replace("A wall", "A \\u001b[2J wall"),
    "a turned direction": TOY.replace("A wall", "A \\u202e wall"),
    "a path for an id": TOY.replace('id = "toy"', 'id = "../toy"'),
    "a path for a picture": TOY + '[[stage.plot]]\nkind = "bars"\nof = ["x"]\nfile = "../../x"\n',
    "a name that is no name": TOY.replace("[tables.E]", '[tables."E; import os"]'),
    "a table that is none": HEAD + "tables = 3" + STAGE,
    "a table of the wrong kind": HEAD + "[tables]\nE = 3\n" + STAGE,
    "stages that are none": HEAD + TABLE + "stage = 3",
    "a stage that is none": HEAD + "stage = [3]\n" + TABLE,
    "a prompt too long": TOY.replace('prompt = "ab"', 'prompt = "' + "ab" * 400 + '"'),
    "a prompt of other marks": TOY.replace('prompt = "ab"', 'prompt = "xyz"'),
    "extends a file": TOY.replace("format = 1", 'format = 1\nextends = "../../../etc/passwd"'),
    "extends a number": TOY.replace("format = 1", "format = 1\nextends = 3"),
    "code in a formula": steps("x = __import__('os').system('true')"),
    "an attribute in a formula": steps("x = E.__class__"),
    "a name of Python": steps("x = open(E)"),
    "a deep formula": steps(f"x = {DEEP}"),
    "a long formula": steps("x = " + "+".join(["1"] * 2000)),
    "a chain of terms": steps("x = " + "+".join(["1"] * 240)),
    "a chain of turns": steps("x = E" + ".T" * 240),
    "a chain of minus signs": steps("x = " + "-" * 480 + "1"),
    "a step that reads itself": steps("x = x + 1"),
    "a circle": steps("x = y", "y = x"),
    "a huge number": steps("x = 1e400"),
    "a huge place": steps("x = E[1000000000]"),
    "a huge slice": steps("x = E[:1000000000000:1000000000]"),
    "a slice of nothing": steps("x = E[5:1]", "y = mean(x)"),
    "a place that is no number": steps("x = E[0 / 0]"),
    "a place without end": steps("x = E[1 / 0]"),
    "sizes without end": steps("x = scaling_experiment(0, 1000000000)"),
    "a seed that is no number": steps("x = scaling_experiment(0 / 0, 4)"),
    "many experiments": steps(*(f"x{n} = scaling_experiment({n}, 1024, 1024, 1024)" for n in range(50))),
    "doubled again and again": steps("x0 = pack(E, E)", *(f"x{n} = pack(x{n - 1}, x{n - 1})" for n in range(1, 40))),
    "workings that double": steps("inner x0 = E", *(f"inner x{n} = x{n - 1} + x{n - 1}" for n in range(1, 50))),
    "products in a row": steps("y = " + " @ ".join(["E.T @ E"] * 12)),
    "large products in a row": f"{steps('y = W @ W.T @ W @ W.T @ W @ W.T @ W @ W.T')}{WIDE}",
    "large products in many steps": f"{steps(*(f'y{n} = W @ W.T' for n in range(900)))}{WIDE}",
    "tables squared": f"{steps('y = causal(W[0]) ', 'z = W[:,0] * W.T')}{WIDE}",
    "a loop over much": f"{steps('y = attention_loop(W, W, W)')}{WIDE}",
    "many loops": f"{steps(*(f'y{n} = attention_loop(E, E, E)' for n in range(900)))}",
    "a chain of steps": steps("x0 = E + 1", *(f"x{n} = x{n - 1} + 1" for n in range(1, 900))),
    "a chain of views": steps("x0 = E.T", *(f"x{n} = x{n - 1}.T" for n in range(1, 900))),
    "a web of steps": steps("x0 = E", "x1 = E + 1", *(f"x{n} = x{n - 1} + x{n - 2}" for n in range(2, 500))),
    "more steps than anybody takes": steps(*(f"x{n} = E" for n in range(3000))),
    "many stages": HEAD + TABLE + "".join(f"[[stage]]\nid = 's{n}'\ntitle = 's'\n" for n in range(2000)),
    "many checks": TOY + '[[stage.check]]\nask = "{line y[0,0]}"\ncell = "y[0,0]"\n' * 3000,
    "a block without stages": TOY + '[[block]]\nid = "b"\ntitle = "b"\ncopies = [{}, {}]\ncarry = ["E", "y"]\n',
    "copies without end": IN_BLOCK + "copies = [\n" + "{},\n" * 3000 + "]\n",
    "copies of copies": IN_BLOCK + "copies = [{}]\n" + "".join(
        f'[[block]]\nid = "b{"_2" * n}"\ntitle = "b"\ncarry = ["E", "y"]\ncopies = [{{}}]\n' for n in range(1, 90)
    ),
    "a title that formats": IN_BLOCK + 'copies = [{}]\ncopy_title = "{n:>1000000000} {n.__class__} {x}"\n',
    "braces": TOY.replace("A wall", "{" * 901 + " wall"),
    "odd placeholders": TOY.replace("A wall", "{} {:} {line} {rows} {rows prompt} {rows 3} {x.__class__} {x!r}"),
    "odd addresses": TOY.replace("A wall", "{x[[0]]} {x[} {x[0,0,0]} {x[0,-9]} {x[1e9]} {y[0,0] @ x} {last[0]}"),
    "odd checks": TOY.replace('cell = "y[0,0]"', 'value = "x"'),
    "a check of nothing": TOY.replace('cell = "y[0,0]"', 'value = "0 / 0"'),
    "a picture of nothing": TOY + '[[stage.plot]]\nkind = "plane"\nof = ["", "x[0", "3", "x"]\nx = "q"\n',
    "decimals for other columns": TOY + "[tensors.y]\nprints = [1, 2, 3, 4, 5]\n",
    "axes for another tensor": TOY + '[tensors.y]\naxes = ["a"]\n',
    "dates": TOY.replace("prints = 2", "prints = 1979-05-27"),
}  # fmt: skip


def refusal(do: Callable[[], object]) -> LessonError | None:
    """The LessonError that it ends in, if any; anything else goes on its way."""
    try:
        do()
    except LessonError as error:
        return error
    return None


def moment() -> float:
    """Seconds of processor time for a fixed piece of work, as this machine does it right now."""
    start = time.process_time()
    sum(n * n for n in range(1_500_000))
    return time.process_time() - start


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_or_read_soon(name: str, tmp_path: Path) -> None:
    content = HOSTILE[name]
    path = tmp_path / "lesson.toml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    first = moment()
    start = time.process_time()
    findings = lint(str(path))
    taken = time.process_time() - start
    assert taken < SOON * max(first, moment())
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500_000, "kilobytes"
    harmless = {"a chain of steps", "a web of steps", "a title that formats"}
    assert bool(findings) or name in harmless
    for finding in findings:
        assert len(str(finding)) < 3000
        assert str(finding).isprintable()


def test_nothing_but_a_lesson_error_leaves_the_loader() -> None:
    for name, content in HOSTILE.items():
        error = refusal(lambda text=content: read(text.encode() if isinstance(text, str) else text, "file.toml"))  # type: ignore[misc]
        assert error is None or error.file == "file.toml", name


def test_no_more_is_read_of_a_file_than_a_lesson_may_have(tmp_path: Path) -> None:
    """A sparse file of 50 GB takes no longer than a small one."""
    path = tmp_path / "lesson.toml"
    with path.open("wb") as file:
        file.truncate(50_000_000_000)
    with pytest.raises(LessonError, match=f"at most {MOST_BYTES:,} bytes"):
        load(str(path))


def test_only_toml_files_and_folders_of_lessons_are_read(tmp_path: Path) -> None:
    for name in ("/etc/passwd", str(tmp_path), str(tmp_path / "none.toml"), "../press-h", ""):
        with pytest.raises(BadInput, match="there is no lesson"):
            load(name)


def test_a_copy_title_knows_only_its_number() -> None:
    content = HOSTILE["a title that formats"]
    assert isinstance(content, str)
    lesson = read(content.encode(), "file.toml")
    assert lesson.blocks[1].title == "{n:>1000000000} {n.__class__} {x}"


def test_reading_a_lesson_opens_no_other_file(tmp_path: Path) -> None:
    """An audit hook sees every file that is opened while lessons of odd references are read and linted."""
    path = tmp_path / "lesson.toml"
    path.write_text(TOY.replace("A wall", "{x[0,0]} {open} {__import__} {rows E}"))
    code = f"""
        import sys
        from tui_attention.lessons.lint import lint
        lint("press-h")
        seen = []
        sys.addaudithook(lambda event, args: seen.append((event, str(args[:1]))))
        lint({str(path)!r})
        bad = [s for s in seen if s[0] in ("exec", "os.system", "subprocess.Popen", "socket.connect", "compile")]
        files = [s[1] for s in seen if s[0] == "open" and {str(path)!r} not in s[1] and "lessons/data" not in s[1]]
        assert not bad and not files, (bad, files)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# ---------------------------------------------------------------- properties

PIECES = """E x prompt 1 2.5 1e9 . .T [ ] ( ) , : + - * / @ "a" ' # [0] [-1] [:,0] [::-1] softmax( mean( pack( = é
tokens(prompt) causal( ticket"""
pieces = st.sampled_from([*PIECES.split(), " ", "\n", "inner "])


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=600), st.lists(pieces, max_size=60).map("".join)))
def test_any_text_is_a_formula_or_a_lesson_error(text: str) -> None:
    for read_it in (formula.parse, formula.parse_steps):
        error = refusal(lambda read_it=read_it: read_it(text))  # type: ignore[misc]
        assert error is None or error.column >= 0


COURSE = run(TOY)
OPERANDS = "E x y 1 0 -2 E[0] E.T E[:,0] x[-1] x[5:] 1/0 0/0 tokens(prompt) causal(tokens(prompt))"
operands = st.sampled_from(OPERANDS.split(" "))


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> str:
    if depth == 0 or draw(st.booleans()):
        return draw(operands)
    inside = expressions(depth - 1)
    name = draw(st.sampled_from(sorted(OPERATIONS)))
    if name in "+-*/@":
        return f"({draw(inside)} {name} {draw(inside)})"
    if name == "neg":
        return f"(-{draw(inside)})"
    return f"{name}({', '.join(draw(st.lists(inside, min_size=1, max_size=4)))})"


@settings(max_examples=400, deadline=None)
@given(expressions())
def test_any_operation_on_any_operands_has_a_value_or_is_refused(text: str) -> None:
    try:
        traced = COURSE.graph.evaluate(formula.parse(text))
    except LessonError:
        return
    assert len(traced.axes) == traced.values.ndim
    assert tuple(map(len, traced.axes)) == traced.shape
    for index in [(0,) * len(traced.shape), tuple(size - 1 for size in traced.shape)] if traced.values.size else []:
        traced.at(index)


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from('{}[]":+-*/@.,0123456789 abxyELT\\line rows columns prompt last'), max_size=80))
def test_any_prose_is_filled_or_refused(text: str) -> None:
    try:
        filled = COURSE.text(text)
    except LessonError:
        return
    assert filled is None or isinstance(filled, str)

"""The conversation: walked to the end by the text alone, every command, and whatever else is typed."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.plain.talk import NUMBER, SENTENCE, Blind, converse, options, say
from tui_attention.interaction.commands import BY_WORD, WORDS
from tui_attention.lessons.run import open_run
from tui_attention.plain import run
from tui_attention.session.progress import progress

AT_A = ["goto a[0,0]"]


def after(lines: list[str], lesson: str = "press-h") -> str:
    """What the last line leads to."""
    before = say(lines[:-1], options(lesson)).rstrip("\n")
    return say(lines, options(lesson))[len(before) :]


# ---------------------------------------------------------------- to the end


@pytest.mark.parametrize("lesson", ["press-h", "bank"])
def test_somebody_who_follows_only_the_text_pays_the_lesson_to_its_end(lesson: str) -> None:
    follower = Blind(open_run(lesson))
    text = converse(follower, options(lesson))
    summary = text[text.index("This was the last step") :]
    assert "0 paid with help, 0 borrowed, 0 open" in summary
    assert follower.answered > 20
    assert "Traceback" not in text


def test_wrong_numbers_leave_everything_open_and_never_end_it() -> None:
    run = open_run("press-h")
    follower = Blind(run)
    wrong = 0

    def answer(new: str, prompt: str) -> str | None:
        nonlocal wrong
        if "This was the last step" in new:
            return "quit"
        if prompt == NUMBER:
            wrong += 1
            return "12345.6" if wrong % 2 else "next"
        return "next" if prompt == SENTENCE else follower(new, prompt)

    text = converse(answer)
    assert "0 paid, 0 paid with help, 0 borrowed" in text[text.index("This was the last step") :]
    assert "goto flatten" in text


def test_hints_to_the_last_borrow_the_number_and_ask_its_neighbour() -> None:
    text = say([*AT_A, *["hint"] * 5])
    assert [f"Hint {level} of 5:" in text for level in range(1, 6)] == [True] * 5
    assert "borrowed" in text
    assert "neighbour a[" in text


def test_a_paid_check_reads_its_tensor_out() -> None:
    text = say([*AT_A, "1.73"])
    assert "Right: 1.73." in text
    assert "Paid." in text
    assert "Now a shows." in text
    assert "token 0 (h): 0: 1.73, 1: -0.01" in text


def test_a_covered_number_is_not_read_out_before() -> None:
    text = say([*AT_A, "values a", "values a[0,0]", "why a[0,0]", "again", "where", "checks"])
    assert "1.73" not in text
    assert "a[0] = (1.10 - 0.1067) / 0.5736 = ?" in text


def test_each_product_has_its_shapes_and_each_score_its_query_and_key() -> None:
    text = say(["goto q[0,0]", "goto scores"])
    assert "Shapes: [1x6] @ [6x6] -> [1x6]" in text
    assert "head by query by key; each row is one query, along it stand the keys" in text


# ---------------------------------------------------------------- sentences


def test_a_sentence_is_marked_by_the_learner() -> None:
    go = ["goto token-row", "next", "back", "0.28"]
    text = say([*go, "marks would have sizes", "hm", "partly", "checks"])
    assert "The lesson's answer: That marks have sizes" in text
    assert "That is no mark: had, partly or not yet" in text
    assert "Paid with help." in text


def test_at_a_sentence_a_command_word_alone_is_a_command_and_more_is_the_answer() -> None:
    go = ["goto token-row", "0.28"]
    assert "Stage 3 of" in after([*go, "next"])
    assert "Stage 3 of" in after([*go, "  NEXT "])
    for sentence in ("next I would add", "why not, values are numbers", "goto school", "hint at it", "n"):
        assert "The lesson's answer" in after([*go, sentence])
    assert "heads" in after([*go, "goto heads"])


def test_not_yet_leaves_the_sentence_open_and_goes_on() -> None:
    text = say(["goto token-row", "0.28", "no idea", "not yet", "checks"])
    assert "It stays open" in text
    assert "2. CHECK token-row.2: open" in text


# ---------------------------------------------------------------- commands


def test_every_command_can_be_typed_everywhere() -> None:
    words = [word.word for word in WORDS if word.word != "quit"]
    for go in (["where"], AT_A, ["goto token-row", "0.28"], ["goto token-row", "0.28", "so"]):
        for start in range(0, len(words), 8):
            text = say([*go, *words[start : start + 8], "quit"])
            assert "Traceback" not in text
            assert "Goodbye." in text


def test_help_names_every_command() -> None:
    text = after(["help"])
    for word in WORDS:
        assert f"{word.word}:" in text


def test_goto_by_number_name_title_and_cell() -> None:
    for wanted in ("4", "flatten", "Flatten a copy", "mu1[0]"):
        assert "flatten a copy" in after([f"goto {wanted}"])
    assert "is neither a stage nor a cell" in after(["goto nowhere"])
    assert "The stages: route, 1 splitter" in after(["goto"])


def test_back_and_the_first_and_last_place() -> None:
    assert "This is the first step." in after(["back"])
    assert "Before stage 1" in after(["next", "back"])
    assert "This was the last step" in after(["goto retold", "next"])


def test_values_reads_what_is_named() -> None:
    assert "mark 7 (h): 0: 0.28" in after(["values E"])
    assert "x0[2] = ?" in after(["goto x0", "values x0[0,2] mu1"])
    assert "has no tensor" in after(["values nothing"])
    assert "is no name" in after(["values !!"])


def test_why_tells_the_line_the_steps_and_the_operands() -> None:
    text = after(["goto b", "why a[5]"])
    assert "a[5] = (0.25 - 0.1067) / 0.5736 = 0.25" in text
    assert "It reads x0[5] 0.25, mu1 0.1067, sigma1 0.5736." in text
    left_open = after(["goto b", "why a[0]"])
    assert "a[0] = (1.10 - 0.1067) / 0.5736 = ?" in left_open
    assert "a dial, as printed" in after(["why E[h,0]"])
    assert "why takes a cell" in after(["why"]).lower()


def test_reveal_borrows() -> None:
    text = after([*AT_A, "reveal"])
    assert "= 1.73." in text
    assert "Borrowed: 1.73." in text
    assert "neighbour" in text
    sentence = after(["goto token-row", "0.28", "reveal"])
    assert "The lesson's answer" in sentence
    assert "Borrowed." in sentence


def test_any_covered_cell_can_be_asked_by_its_name() -> None:
    text = after(["goto x0", "a[0,0] = 1.73"])
    assert "Right: 1.73." in text
    assert "shows already" in after(["hint E[h,0]"]) or "not asked" in after(["hint E[h,0]"])
    assert "is typed with its name" in after(["0.7"])


def test_keep_carries_ones_own_number_on() -> None:
    assert "none stands here" in after(["keep"])
    text = after([*AT_A, "0.58", "keep"])
    assert "Kept: a[0] = 0.58 is yours" in text
    assert "0: your own 0.58*, 1: covered" in after([*AT_A, "0.58", "keep", "values a"])


def test_cover_shows_everything_and_what_was_seen_is_paid_with_help() -> None:
    text = say([*AT_A, "cover", "cover", "1.73"])
    assert "1.73" in text[: text.index("Covered.")]
    assert "Paid with help, since the number had been on screen before." in text


def test_without_the_cover_every_step_is_read_out_and_nothing_is_asked() -> None:
    run = open_run("press-h")
    text = converse(Blind(run), options(cover=False))
    assert "CHECK 1" not in text
    assert "covered." not in text[text.index("Stage 1 of") : text.index("This was the last step")]
    assert "logits (final scores): 1 by 10" in text


def test_a_dial_turned_and_taken_back() -> None:
    text = say([*AT_A, "turn E[h,0] 0.5", "where", "undo", "where"])
    assert "E[7,0] is 0.5 now." in text
    assert "Dials turned: E[7,0] 0.5." in text
    assert "The last turn is taken back." in text
    assert "turn takes a dial and a number" in after(["turn E[h,0] nothing"]).lower()
    assert "is not a dial" in after(["turn a[0,0] 1"])


def test_digits_cycle() -> None:
    text = say(["goto b", "digits", "digits", "values mu1", "digits"])
    assert "0.106667" in text
    assert "as printed" in text


def test_glossary_and_lessons() -> None:
    assert "query" in after(["glossary query"])
    assert "the glossary has no" in after(["glossary xyzzy"]).lower()
    assert "bank: " in after(["lessons"])
    assert 'Prompt: "the river bank"' in after(["lessons bank"])
    assert "there is no lesson" in after(["lessons nothing"]).lower()


def test_beginnings_of_words_count_only_while_nothing_is_asked() -> None:
    assert "Stage 1 of" in after(["n"])
    assert "may be" in after(["h"])
    assert "Stage 5" not in after([*AT_A, "n"])


# ---------------------------------------------------------------- as a program


Done = subprocess.CompletedProcess[bytes]


def program(text: str | bytes = "", env: dict[str, str] | None = None) -> Done:
    code = (
        "import sys\nfrom tui_attention.options import Options\nfrom tui_attention.plain import run\n"
        f"sys.exit(run(Options(lesson='press-h', named=True, save=False, env={env or {}!r}), sys.stdin, sys.stdout))"
    )
    return subprocess.run(
        [sys.executable, "-c", code],
        input=text.encode() if isinstance(text, str) else text,
        capture_output=True,
        check=False,
        timeout=60,
        env={"PYTHONPATH": str(Path.cwd()), "PATH": "/usr/bin:/bin", **(env or {})},
    )


def test_the_end_of_the_input_ends_it_well() -> None:
    done = program(text="next\nnext")
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.endswith(b"> \n")


def test_what_comes_through_a_pipe_is_echoed() -> None:
    assert b"number> 8\nRight: 8." in program(text="next\n8\n").stdout


def test_in_ascii_where_the_output_has_no_more() -> None:
    text = "next\nnext\nnext\nnext\n×·−√\n"
    done = program(text=text, env={"PYTHONIOENCODING": "ascii:backslashreplace"})
    assert done.returncode == 0
    assert done.stdout.isascii()


def test_bytes_that_are_no_text() -> None:
    done = program(text=b"next\n\xff\xfe\x00\x1b[A\x9b\n\n8\n", env={"PYTHONIOENCODING": "utf-8:surrogateescape"})
    assert done.returncode == 0, done.stderr
    assert b"\x1b" not in done.stdout


def test_lines_keep_to_the_width() -> None:
    for columns in (40, 72):
        out = io.StringIO()
        lines = "".join(f"{line}\n" for line in ["next", "next", "help", "goto qkv", "why qkv[0,0]", "glossary"])
        run(options(env={"COLUMNS": str(columns)}), io.StringIO(lines), out)
        assert max(map(len, out.getvalue().split("\n"))) <= columns


def test_ctrl_c_is_130_and_keeps_what_was_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    class Interrupted(io.StringIO):
        def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
            line = super().readline(size)
            if not line:
                raise KeyboardInterrupt
            return line

    opts = options(save=True)
    assert run(opts, Interrupted("goto a[0,0]\n1.73\n"), io.StringIO()) == 130
    lesson = progress(opts)[0]["lessons"][0]
    assert (lesson["place"]["stage"], lesson["counts"]["paid"]) == ("flatten", 1)


def test_a_second_start_goes_on_at_the_same_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    say(["goto a[0,0]", "1.73"], options(save=True))
    text = say(["where"], options(save=True))
    assert "You go on where you left" in text
    assert "flatten a copy, step 3 of 3" in text
    assert "token 0 (h): 0: 1.73" in text


def test_nobody_reads_any_more() -> None:
    class Closed(io.StringIO):
        def write(self, text: str, /) -> int:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        run(options(), io.StringIO("next\n"), Closed())


PIECES = st.one_of(
    st.sampled_from([word.word for word in WORDS]),
    st.sampled_from(
        ["0.92", "-0.40", "1", "had", "not yet", "a[0,0]", "q[0,2] = 1", "(1+2", "exp(0)", 'splitter["."]']
    ),
    st.sampled_from(
        ["goto mlp", "goto bank", "goto scaling", "goto loop_gap", "values x0 e", "checks all", "glossary a"]
    ),
    st.sampled_from(["why a[0,0]", "why scores[0,0,0]", "hint q[0,0]", "reveal qkv[0,7]", "turn E[h,0] 1e3"]),
    st.sampled_from(["turn E[0,0] .5", "lessons bank", "lessons press-h"]),
    st.text(max_size=30),
    st.builds(" ".join, st.tuples(st.sampled_from([word.word for word in WORDS]), st.text(max_size=20))),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(PIECES, max_size=25))
def test_whatever_is_typed_it_goes_on(lines: list[str]) -> None:
    out = io.StringIO()
    typed = "".join(line.replace("\n", " ").replace("\r", " ") + "\n" for line in lines)
    assert run(options(), io.StringIO(typed), out) == 0
    assert "····" not in out.getvalue()
    assert "\x1b" not in out.getvalue()


@pytest.mark.parametrize("lesson", ["press-h", "bank"])
def test_what_is_shown_as_an_example_can_be_typed(lesson: str) -> None:
    text = " ".join(after(["help"], lesson).split())
    shown = [form for forms in re.findall(r"As in: (.*?)\. ", text) for form in forms.split(", goto ")]
    forms = [form if form.split()[0] in BY_WORD else f"goto {form}" for form in shown]
    assert len(forms) >= 8
    for form in [*forms, re.findall(r"as in (\S+ = 0\.41)", text)[0]]:
        answer = after([form], lesson)
        assert not re.search(r"has no tensor|is neither|no name of|no lesson|not the address|not a number", answer), (
            form
        )


def test_once_seen_a_number_is_paid_with_help_and_no_neighbour_is_asked() -> None:
    text = say(["goto a", "cover", "cover", "1.73"])
    assert "on screen before" in text
    assert "neighbour" not in text


@pytest.mark.parametrize("lesson", ["press-h", "bank"])
def test_no_sentence_ends_twice(lesson: str) -> None:
    text = say(["next"] * 60, options(lesson))
    assert not re.search(r"[^.]\.\.$|,\.", text, re.MULTILINE)

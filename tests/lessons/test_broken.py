"""Broken lesson files: the first sentence says where, what is wrong, and what would be right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tui_attention.cli import main

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
WHOLE = re.search(r"```toml\n(format = 1\n.*?)```", README, re.DOTALL)[1]  # type: ignore[index]
"""The lesson of the README, which each case changes in one place."""

CASES = (
    # toml-quote
    ('title = "Two dot products"', 'title = "Two dot products',
     '3:26: not a TOML file: a text in quotes ends on its line; the closing quote is missing'),
    # toml-list
    ('values = [[0.9, 0.1], [0.3, 0.8]]', 'values = [[0.9, 0.1], [0.3, 0.8]',
     '19:1: not a TOML file: a list is not closed: ] is missing'),
    # toml-comma-number
    ('values = [[0.9, 0.', 'values = [[0,9, 0,',
     '17:23: [tables.words]: row 1 has 2 numbers and row 0 has 4; all of one length were expected'),
    # toml-equals
    ('cell =', 'cell:',
     "32:5: not a TOML file: a line 'key = value' was expected; = is missing"),
    # no-format
    ('format = 1\n', '',
     "1:1: 'format = 1' was expected"),
    # no-id
    ('id = "two-dots"\n', '',
     "1:1: the lesson: 'id' is missing: letters, digits, - and _"),
    # id-space
    ('id = "two-', 'id = "two ',
     "2:6: the lesson: 'id' should be letters, digits, - and _, not 'two dots'"),
    # no-vocab
    ('[vocabulary]\nmarks = ["sun", "sea"]\nsplit = "words"\n', '',
     '7:10: [inputs] prompt: a text needs a [vocabulary] with the marks that it is made of'),
    # no-split
    ('split = "words"\n', '',
     '6:10: [vocabulary]: every mark should be one character, not \'sun\'; write split = "words"'),
    # word-twice
    ('marks = ["sun", "sea"', 'marks = ["sun", "sea", "sun"',
     "6:24: [vocabulary]: 'marks' should be a list of different texts; 'sun' stands twice, at 0 and 2"),
    # rows-order
    ('rows = ["sun", "sea', 'rows = ["sea", "sun',
     "14:9: [tables.words]: row 0 is called 'sea', and the vocabulary has 'sun' there; one order was expected"),
    # rows-two-of-three
    ('values = [[0.9, 0.1], [0.3, 0.8]', 'values = [[0.9, 0.1], [0.3, 0.8], [0.1,0.2]',
     "14:8: [tables.words]: 'rows' should name all 3 of them, not 2"),
    # ragged
    ('values = [[0.9, 0.1], [0.3, 0.8', 'values = [[0.9, 0.1], [0.3, 0.8, 0.4',
     '17:23: [tables.words]: row 1 has 3 numbers and row 0 has 2; all of one length were expected'),
    # text-number
    ('values = [[0.9', 'values = [["0.9"',
     "17:12: [tables.words]: row 0 holds '0.9', which is no number"),
    # prints-hides
    ('values = [[0.9', 'values = [[0.95',
     "17:12: [tables.words]: 'prints = 1' hides digits of 0.95; prints = 2 shows them all"),
    # asks-above
    ('[[stage]', '[tensors.S]\nprints = 2\nasks = 3\n\n[[stage]',
     "21:8: [tensors.S]: 'asks = 3' is more than the 2 decimals that it prints; asks = prints at most"),
    # stage-single
    ('[[stage]]\n', '[stage]\n',
     "19:1: 'stage' should be written [[stage]], as there are several"),
    # table-twice
    ('[[stage]', '[tables.words]\nvalues=[[1]]\n\n[[stage]',
     '19:14: not a TOML file: [tables.words] stands twice; once was expected'),
    # unknown-key
    ('cell', 'cel',
     "32:1: check scores.1: the key 'cel' means nothing here; did you mean 'cell'?"),
    # checks
    ('[[stage.check', '[[stage.checks',
     "30:1: stage scores: the key 'checks' means nothing here; did you mean 'check'?"),
    # cell-out
    ('cell = "S[0', 'cell = "S[2',
     "32:8: check scores.1: the lesson's own prompt lacks the cell that it asks for; S is 2x2; its rows ar"),
    # cell-unknown
    ('cell = "S', 'cell = "Z',
     "32:8: check scores.1: nothing is called 'Z' in this lesson"),
    # cell-one-index
    ('cell = "S[0,0', 'cell = "S[0',
     '32:8: check scores.1: S[0] is no single cell: S has 2 axes; S[0,0] is one'),
    # name-typo
    ('S = X @ X', 'S = X @ Xx',
     "27:9: step S: nothing is called 'Xx' here; did you mean 'X'?"),
    # op-typo
    ('A = soft', 'A = sof',
     "28:5: step A: 'sofmax' is not an operation; the operations are: argmax attention_loop causal cos cro"),
    # shape
    ('S = X @ X.T', 'S = X @ words[0:1]',
     '27:7: step S: X (2 token x 2 axis) @ a result (1 word x 2 axis) do not fit: 2 columns (axis) against'),
    # no-T
    ('S = X @ X.T', 'S = X @ [1,2]',
     "27:9: a number, a name or '(' was expected, not '['; numbers in a list stand in a table, [tables.NAME]"),
    # attr
    ('S = X @ X.T', 'S = X @ X.t',
     "27:11: '.T' (exchange the last two axes) is the only thing that may follow a point; write .T"),
    # power-neg
    ('A = softmax(S)', 'A = (S - 1) ** 0.5',
     "28:13: step A: '**' has no value for some of these: a root of less than 0, or 0 to a power below 0"),
    # python-if
    ('A = softmax(S) ', 'A = softmax(S) if 1 else 2 ',
     "28:16: an operator or the end of the formula was expected, not 'if'"),
    # eq-twice
    ('A =', 'A ==',
     "28:1: a step 'name = formula' was expected"),
    # comment-slash
    ('X = words[tokens(prompt)]     #', 'X = words[tokens(prompt)]     //',
     '26:31: a comment begins with #, not with //'),
    # plusassign
    ('A ', 'A +',
     "28:1: a step 'name = formula' was expected"),
    # divzero
    ('A = softmax(S', 'A = S / (X[0,0] - 0.9',
     '28:1: step A: A[0,0] has no finite value: it divides by words[0,0] - 0.9, which is 0'),
    # divzero2
    ('A = softmax(S)', 'A = 1 / 0',
     '28:1: step A: A has no finite value: it divides by 0'),
    # step-op
    ('A', 'softmax',
     "28:1: 'softmax' is the name of an operation; another name for the step was expected"),
    # step-twice
    ('A', 'S',
     "28:1: the name 'S' stands twice; each step and table has a name of its own"),
    # digit-prose
    ('wall = "Two', 'wall = "2',
     "23:9: stage scores, wall 1: the number 2 is typed by hand: '2 words must become one number. {line S["),
    # no-wall
    ('wall = "Two words must become one number. {line S[0,1]} pairs their coordinates."\n', '',
     '19:1: stage scores: it has no wall: what goes wrong without this step?'),
    # brace
    ('wall = "Two words must become one number. {line S[0,1]}',
     'wall = "Two words must become one number. {line S[0,1]',
     "23:43: stage scores, wall 1: a brace has no partner (write {{ or }} for one): 'Two words must become"),
    # brace-unknown
    ('wall = "Two words must become one number. {line', 'wall = "Two words must become one number. {lines',
     "23:43: stage scores, wall 1, {lines S[0,1]}: an operator or the end of the formula was expected, not 'S'"),
    # brace-cell
    ('wall = "Two words must become one number. {line S[0,1',
     'wall = "Two words must become one number. {line S[0,7',
     "23:43: stage scores, wall 1: the lesson's own prompt lacks the cell of {line S[0,7]}; S is 2x2; its "),
    # slip-kind
    ('cell = "S[0,0]"\n', 'cell = "S[0,0]"\n[[stage.check.says]]\nslip = "no-such"\ntext = "x"\n',
     "34:8: check scores.1: there is no slip of kind 'no-such'; those of this cell are: added answer-sign "),
    # ask-only
    ('cell = "S[0,0]"\n', '',
     '30:1: check scores.1: it needs exactly one of cell, of, value, answer, not none'),
    # axis-wrong
    ('[[stage]', '[tensors.S]\naxes = ["a"]\n\n[[stage]',
     '30:1: step S: S has 2 axes (token, other token), and [tensors.S] names 1 of them; all were expected,'),
    # inputs-unknown
    ('prompt ', 'prompts ',
     "10:1: [inputs]: the key 'prompts' means nothing here; did you mean 'prompt'?"),
    # expect-wrong
    ('cell = "S[0,0]"\n', 'cell = "S[0,0]"\n[expect]\n"S[0,1]" = 0.36\n',
     '34:12: [expect]: S[0,1] is 0.35 (0.350000), not 0.36'),
    # expect-cell
    ('cell = "S[0,0]"\n', 'cell = "S[0,0]"\n[expect]\n"S[0,9]" = 0.36\n',
     "34:12: [expect]: S[0,9]: the lesson's own prompt lacks the cell of S[0,9]; S is 2x2; its rows are 0 "),
    # expect-shape
    ('cell = "S[0,0]"\n', 'cell = "S[0,0]"\n[expect]\n"S[0]" = [0.82]\n',
     '34:10: [expect]: S[0] holds 2 numbers, and a list of 1 stands here'),
    # answer-verdict
    ('cell = "S[0,0]"\n',
     'cell = "S[0,0]"\n[[expect.answer]]\ncell = "S[0,0]"\ntyped = "0.82"\nverdict = "correct"\n',
     "33:1: [[expect.answer]]: S[0,0] '0.82': there is no verdict 'correct'; there are: right pencil own-r"),
    # answer-not
    ('cell = "S[0,0]"\n', 'cell = "S[0,0]"\n[[expect.answer]]\ncell = "S[0,0]"\ntyped = "0.12"\nverdict = "right"\n',
     "33:1: [[expect.answer]]: S[0,0] '0.12': the verdict is 'wrong', not 'right': No usual slip gives tha"),
    # name-unshown
    ('earns = [["match number", "dot-product score"', 'earns = [["match number"',
     '24:9: stage scores: \'earns\' should be a list of pairs of texts, [["own name", "standard name"]]'),
    # unused-const
    ('[[stage]', '[constants]\nd = 2\n\n[[stage]',
     '20:1: [constants]: d is never used and never shown'),
    # tables-list
    ('[tables.words', '[[tables.words]',
     '12:1: [tables.words] should be written in single brackets, once'),
    # table-singular
    ('[tables', '[table',
     "12:1: the lesson: the key 'table' means nothing here; did you mean 'tables'?"),
    # tensor-is-table
    ('X =', 'words =',
     "26:1: the name 'words' stands twice; each step and table has a name of its own"),
    # mask
    ('A = softmax(S', 'A = softmax(masked(S, X)',
     '28:1: step A: the mask X holds 0.9; 0 and 1 were expected, or 0 and minus infinity'),
    # unicode-minus
    ('values = [[', 'values = [[−',
     '17:12: not a TOML file: − is no minus of TOML; - was expected'),
    # smart-quotes
    ('title = "Two dot products"', 'title = “Two dot products”',
     '3:9: not a TOML file: “ is no quote of TOML; a straight " or \' was expected'),
    # steps-list
    ('X =', 'S\nX =',
     "26:1: a step 'name = formula' was expected"),
    # matmul-star
    ('S = X @', 'S = X *',
     '10:10: [inputs]: a prompt of 3 words is legal and breaks: S = X * X.T: X (3 token x 2 axis) and a re'),
    # np-call
    ('A = softmax', 'A = np.exp',
     "28:8: '.T' (exchange the last two axes) is the only thing that may follow a point; write exp(...) wi"),
    # kwarg
    ('A = softmax(S', 'A = softmax(S, axis=1',
     "28:20: '=' is not part of any formula; operands are told apart by their order, without names"),
    # too-many-args
    ('A = softmax(S', 'A = softmax(S, S',
     "28:5: step A: 'softmax' takes (row), not 2 operands"),
)  # fmt: skip


@pytest.mark.parametrize(("old", "new", "says"), CASES)
def test_the_first_sentence_leads_to_the_mend(
    old: str, new: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert WHOLE.count(old) == 1
    path = tmp_path / "mine.toml"
    path.write_text(WHOLE.replace(old, new), "utf-8")
    assert main(["lint", str(path)]) == 1
    said = capsys.readouterr()
    first = (said.out + said.err).split("\n")[0]
    assert first.startswith(f"{path}:{says}"), first
    place = re.match(r":(\d+):(\d+): ", first.removeprefix(str(path)))
    assert place is not None
    assert int(place[1]) <= WHOLE.count("\n") + 8


def test_it_is_a_lesson_without_the_changes(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(WHOLE, "utf-8")
    assert main(["lint", str(path)]) == 0

"""Many answers at once: what is read of a line, what comes out, and how fast."""

from __future__ import annotations

import csv
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.judge.asking import run
from tests.verbs.running import ran
from tui_attention.engine.errors import BadInput
from tui_attention.judge.batch import batch, table
from tui_attention.judge.verb import Bench, judge_cell
from tui_attention.lessons.run import open_run

FIELDS = {"cell", "typed", "read", "verdict", "attempt", "slips", "says"}


def bench(lesson: str = "press-h") -> Bench:
    return Bench(lambda prompt, other: open_run(lesson, prompt, other))


def judged(text: str, lesson: str = "press-h") -> list[dict[str, Any]]:
    return list(batch(bench(lesson), io.StringIO(text)))


def test_json_lines_give_what_one_answer_gives() -> None:
    lines = [
        {"cell": "a[0,0]", "typed": "0.58", "pupil": "ann", "tries": [1, 2.50]},
        {"cell": "q[0]", "typed": "0.69", "own": {"a[0]": 0.58}},
        {"cell": "q[0,0]", "typed": "9", "show": True, "prompt": None},
    ]
    first, second, third = judged("\n".join(map(json.dumps, lines)))
    assert first == {**judge_cell(run("press-h"), "a[0,0]", "0.58").payload, "pupil": "ann", "tries": [1, 2.5]}
    assert second["verdict"] == "own-row"
    assert second["cell"] == "q[0,0]"
    assert third["answer"] == "0.92"


def test_a_number_of_json_keeps_the_digits_that_were_typed() -> None:
    found = judged('{"cell": "x1[0,0]", "typed": 1.410, "n": 1.50}')[0]
    assert (found["typed"], found["read"]["decimals"], found["n"]) == ("1.410", 3, 1.5)


def test_csv_with_a_head_line_in_any_order() -> None:
    text = '\ufeffpupil,typed,cell,own,show\nann,"0,58","a[0,0]",,\nbob,0.69,"q[0,0]","a[0] = 0.58; a[1]=-0.01",yes\n'
    first, second = judged(text)
    assert (first["verdict"], first["slips"][0]["kind"], first["pupil"]) == ("slip", "backward", "ann")
    assert (second["verdict"], second["pupil"]) == ("own-row", "bob")
    assert judged("cell;typed\nx1[0,0];1,41\n")[0]["verdict"] == "right"


def test_each_answer_may_have_its_own_prompt_and_other_sentence() -> None:
    one, two = judged('{"cell": "x0[1,0]", "typed": "0.08", "prompt": "ha"}\n{"cell": "x0[0,0]", "typed": "1.10"}')
    assert (one["verdict"], two["verdict"]) == ("right", "right")
    line = '{"cell": "out2[2,0]", "typed": "0.435", "other": "the river bank"}'
    assert judged(line, "bank")[0]["verdict"] == "right"


def test_a_bad_line_says_so_in_its_place_and_the_rest_goes_on() -> None:
    text = "\n".join(
        (
            '{"cell": "zz", "typed": "1", "id": 7}',
            "{nothing",
            "[1]",
            '{"cell": "a[0,0]"}',
            '{"cell": "a[0,0]", "typed": "1.73", "prompt": "?"}',
            '{"cell": "a[0,0]", "typed": "1.73", "own": {"a[0]": "many"}}',
            '{"cell": "a[0,0]", "typed": "1.73", "own": "a=b=c"}',
            '{"cell": "a[0,0]", "typed": "1.73", "show": "perhaps"}',
            '{"cell": "a[0,0]", "typed": ["1.73"]}',
            '{"cell": "mask[0,0]", "typed": "1"}',
            '{"cell": "a[0,0]", "typed": "1.73"}',
        )
    )
    *bad, good = judged(text)
    assert [set(found) - {"id"} for found in bad] == [{"error"}] * 10
    assert bad[0]["id"] == 7
    assert all(found["error"].startswith(f"line {number}: ") for number, found in enumerate(bad, 1))
    assert good["verdict"] == "right"


@pytest.mark.parametrize(
    ("text", "says"), [("", "nothing to judge"), (" \n", "nothing"), ("cell,number\n", "lacks typed")]
)
def test_what_is_no_file_of_answers_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        judged(text)


def test_csv_comes_out_with_a_column_for_each_field_and_what_was_handed_through() -> None:
    text = "cell,typed,pupil\nzz,1,cy\na[0],0.58,ann\n".replace("a[0]", '"a[0,0]"') + "short\n"
    rows = list(csv.DictReader(io.StringIO("".join(table(judged(text))))))
    assert [row["pupil"] for row in rows] == ["cy", "ann", ""]
    assert rows[1]["slips"] == "backward"
    assert (rows[1]["verdict"], rows[1]["attempt"], rows[1]["value"], rows[1]["error"]) == (
        "slip",
        "true",
        "0.58",
        "",
    )
    assert "line 4" in rows[2]["error"]


def test_the_verb_reads_a_file_or_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "answers.csv"
    file.write_text('cell,typed\n"a[0,0]",0.58\n"a[0,0]",1.73\n', encoding="utf-8")
    found = ran(capsys, "judge", "press-h", "--batch", str(file), "--json")
    assert found.code == 0
    assert [json.loads(line)["verdict"] for line in found.out.splitlines()] == ["slip", "right"]
    assert set(json.loads(found.out.splitlines()[0])) == FIELDS
    monkeypatch.setattr("sys.stdin", io.StringIO('{"cell": "a[0,0]", "typed": "1.73"}\nnope\n'))
    found = ran(capsys, "judge", "press-h", "--batch", "-")
    assert found.code == 2
    assert found.out.splitlines()[0].startswith("cell,typed,read,value")
    assert len(found.out.splitlines()) == 3


def test_five_hundred_answers_a_second_once_warm() -> None:
    """On an idle core it is several thousand; the bound leaves room for a busy machine."""
    room = bench()
    lines = [json.dumps({"cell": f"q[0,{n % 6}]", "typed": f"{n / 100:.2f}"}) for n in range(600)]
    list(batch(room, lines[:6]))
    start = time.process_time()
    assert len(list(batch(room, lines))) == 600
    assert time.process_time() - start < 600 / 500

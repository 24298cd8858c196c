"""A number that takes more parts than a pencil goes through: judged soon, with no search for slips; lint says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui_attention.engine.working import MOST_PARTS, is_endless
from tui_attention.judge import question
from tui_attention.judge.verb import judge_cell
from tui_attention.lessons.lint import lint
from tui_attention.lessons.run import open_run

LESSON = """
format = 1
id = "endless"
title = "endless"
[tables.V]
prints = 2
values = [{rows}]
[[stage]]
id = "one"
title = "one"
wall = "A wall."
steps = '''
inner D = V @ V
E = D / 10
A = softmax(D)
'''
[[stage.check]]
ask = "How much?"
cell = "A[0,0]"
"""


@pytest.fixture
def endless(tmp_path: Path) -> str:
    """A lesson whose shares go through 50 products of 50 pairs each."""
    numbers = [[str((7 * i + 3 * j) % 19 / 100) for j in range(50)] for i in range(50)]
    path = tmp_path / "endless.toml"
    path.write_text(LESSON.format(rows=",\n".join(f"[{', '.join(row)}]" for row in numbers)), "utf-8")
    return str(path)


def test_no_slip_is_looked_for(endless: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = open_run(endless)
    root = run.graph.working("A", (0, 0)).root
    assert root is not None
    assert is_endless(root)
    monkeypatch.setattr(question, "slips", lambda *_: pytest.fail("slips are looked for"))
    assert judge_cell(run, "A[0,0]", "0.02").code == 0
    assert judge_cell(run, "A[0,0]", "0.5").payload["verdict"] == "wrong"


def test_lint_says_it(endless: str) -> None:
    says = f"a number of A takes more than {MOST_PARTS:,} numbers and operations"
    assert [says in str(finding) for finding in lint(endless)] == [True]

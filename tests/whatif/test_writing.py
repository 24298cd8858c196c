"""The toy GPT goes on writing, and keeps what it has worked out."""

from __future__ import annotations

import numpy as np
import pytest

from tui_attention.engine.errors import BadInput
from tui_attention.lessons.run import open_run
from tui_attention.whatif.next_token import Sampling
from tui_attention.whatif.writing import kept_rows, write


def test_greedy_writes_what_the_lesson_says_until_the_slots_are_full() -> None:
    run = open_run("press-h")
    for _ in range(11):
        wanted = int(run.graph.tensor("greedy").values[-1])
        written = write(run, Sampling(temperature=0), 0.4)
        assert written.mark == run.graph.program.vocabulary.marks[wanted]
        assert written.run is not None
        assert written.run.graph.inputs.prompt == run.graph.inputs.prompt + written.mark
        run = written.run
    last = write(run, Sampling(temperature=0), 0.4)
    assert last.run is None
    assert "12 slots" in last.notice


def test_every_earlier_row_is_kept_and_none_without_the_mask() -> None:
    before = open_run("press-h", "he").graph
    after = before.with_inputs("hea")
    assert [kept_rows(before, after, name) for name in ("k", "v", "kh", "x1", "logits", "scores")] == [2] * 6
    assert kept_rows(before, after, "Wq") == 0
    assert kept_rows(before, before.with_inputs("ha"), "k") == 0


def test_a_lesson_without_a_guess_writes_nothing() -> None:
    with pytest.raises(BadInput, match="guesses no next mark"):
        write(open_run("bank"), Sampling(), 0.4)


def test_rows_are_kept_up_to_the_first_that_differs() -> None:
    before = open_run("press-h", "he").graph
    after = before.with_inputs("hae")
    assert kept_rows(before, after, "k") == 1
    assert np.array_equal(before.tensor("k").values[0], after.tensor("k").values[0])

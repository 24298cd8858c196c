"""A model's rows are worked out by several threads: the screen, the outline, a page. None gets in another's way."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tests.models import making
from tui_attention.interaction.controller import LessonController
from tui_attention.interaction.messages import LeftError
from tui_attention.models.checkpoint import open_checkpoint
from tui_attention.models.graph import ModelGraph, model_run
from tui_attention.models.memory import MemoryBudget
from tui_attention.models.opening import open_named
from tui_attention.models.running import Model
from tui_attention.walk.walk import Walk

CONFIG = {**making.CASES["llama"], "num_hidden_layers": 24}


def test_many_threads_work_out_the_same_rows_once(tmp_path: Path) -> None:
    run = model_run(open_checkpoint(making.folder(tmp_path / "m", CONFIG)), "3 1 4 1 5")
    graph = run.graph
    assert isinstance(graph, ModelGraph)

    def outline() -> None:
        while graph.prepare_outline():
            pass

    def page() -> None:
        for _ in graph.painted.rest(graph.painted_rows()):
            pass

    def exactly() -> None:
        while graph.pending("logits"):
            graph.prepare()

    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(work) for work in (outline, page, exactly, page, exactly, outline)]:
            done.result(timeout=60)
    plain = Model(graph.house.checkpoint)
    wanted = plain.run(graph.ids)
    rows = graph.painted_rows()
    assert (len(rows.past), len(rows.outputs)) == (24, 25)
    assert np.abs(rows.outputs[-1] - wanted.outputs[-1]).max() < 1e-3
    assert len(graph.outline()) == 24


def test_a_budget_that_several_threads_use_keeps_its_count() -> None:
    memory = MemoryBudget(0.001)

    def use(first: int) -> None:
        for number in range(600):
            memory.get(("x", (first + number) % 40), lambda: b"0" * 90, len)

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(use, first) for first in (0, 7, 19, 30)]:
            done.result(timeout=60)
    assert memory.used == 90 * len(memory._kept) <= memory.limit


@pytest.mark.parametrize("command", ["effects", "sources", "head_off", "pattern"])
def test_a_long_command_can_be_left_and_changes_nothing(tmp_path: Path, command: str) -> None:
    core = LessonController(Walk(open_named(str(making.folder(tmp_path / "m", CONFIG)), "3 1 4"), cover=False))
    before, told = core.walk.opened.run, []

    def tick(done: int, count: int) -> None:
        told.append((done, count))
        if len(told) == 3:
            raise LeftError

    core.tick = tick
    with pytest.raises(LeftError):
        core.do(command, "23.1" if command in ("head_off", "pattern") else "")
    assert told == [(1, 24), (2, 24), (3, 24)]
    assert core.walk.opened.run is before
    core.tick = None
    assert not core.do(command, "23.1" if command in ("head_off", "pattern") else "").refused


def test_a_head_that_is_switched_keeps_the_rows_before_it(tmp_path: Path) -> None:
    run = model_run(open_checkpoint(making.folder(tmp_path / "m", CONFIG)), "3 1 4")
    core = LessonController(Walk(run, cover=False))
    core.do("head_off", "20.2")
    graph = core.walk.opened.run.graph
    assert isinstance(graph, ModelGraph)
    assert isinstance(run.graph, ModelGraph)
    kept, fresh = graph.painted_rows(), graph.painted.run(graph.ids, graph.switches)
    assert kept.outputs[20] is run.graph.painted_rows().outputs[20]
    assert np.abs(kept.outputs[-1] - fresh.outputs[-1]).max() < 1e-4
    assert np.abs(kept.outputs[21] - run.graph.painted_rows().outputs[21]).max() > 1e-4

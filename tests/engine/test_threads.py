"""A graph that a thread fills while the event loop reads it and makes others from it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tui_attention.engine.errors import LessonError
from tui_attention.engine.graph import Graph
from tui_attention.lessons.load import read
from tui_attention.lessons.run import open_run


@pytest.fixture(autouse=True)
def impatient() -> Iterator[None]:
    """The interpreter changes threads as often as it can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def beside(do: Callable[[], object], here: Callable[[], object]) -> None:
    """`here` in this thread again and again, until `do` in another one is done. Raises what either raised."""
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(do)
        while not running.done():
            here()
        running.result()


def fill(graph: Graph) -> None:
    for name in graph.names():
        graph.tensor(name)
        shape = graph.traced(name).shape
        graph.working(name, (0,) * len(shape))


STEPS = 300
LONG = """
format = 1
id = "long"
title = "long"
[vocabulary]
marks = ["a"]
[inputs]
prompt = "a"
[tables.X]
values = [[0.5, 0.25]]
[tables.Y]
values = [[0.5, 0.25]]
[[stage]]
id = "one"
title = "one"
steps = '''
z = Y + Y
s0 = X + X
"""


@pytest.mark.parametrize("trial", range(3))
def test_turning_a_dial_while_a_thread_looks_ahead(trial: int) -> None:
    steps = "\n".join(f"s{number} = s{number - 1} + X" for number in range(1, STEPS))
    graph = Graph(read(f"{LONG}{steps}\n'''".encode(), "long.toml").program)
    beside(lambda: fill(graph), lambda: graph.turn("Y", (0, 0), 0.75, 2))


@pytest.mark.parametrize("trial", range(5))
def test_two_threads_that_ask_for_the_same_get_the_same(trial: int) -> None:
    graph = open_run("press-h", prompt="had").graph
    seen: dict[str, set[int]] = {name: set() for name in graph.names()}

    def look() -> None:
        for name in graph.names():
            seen[name].add(id(graph.traced(name)))
            seen[name].add(id(graph.tensor(name).values))

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in graph.names():
        assert seen[name] == {id(graph.traced(name)), id(graph.tensor(name).values)}, name


def test_what_two_threads_compute_counts_once_against_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lesson that is just allowed alone is allowed when somebody looks ahead, too."""
    alone = open_run("press-h", prompt="had").graph
    fill(alone)
    together = open_run("press-h", prompt="had").graph
    threads = [threading.Thread(target=fill, args=(together,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together.cost == alone.cost
    monkeypatch.setattr("tui_attention.engine.graph.MOST_COST", alone.cost / 2)
    with pytest.raises(LessonError, match="take too long"):
        fill(open_run("press-h", prompt="had").graph)


def test_a_turned_graph_shares_what_the_dial_does_not_reach() -> None:
    graph = open_run("press-h").graph
    fill(graph)
    turned = graph.turn("Wlm", (0, 0), 0.9, 1)
    assert turned.traced("q") is graph.traced("q")
    assert turned.traced("logits") is not graph.traced("logits")
    assert not np.array_equal(turned.tensor("logits").values, graph.tensor("logits").values)

"""Every tensor against reference numbers that were computed without this program, at 1e-12."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tui_attention.lessons.run import open_run

DATA = Path(__file__).resolve().parent.parent / "data"
TOLERANCE = 1e-12
BY_HEAD_AND_KEY = ("scores", "shares")


@lru_cache
def prompts(name: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads((DATA / f"{name}.json").read_text())["prompts"]
    return found


CASES = [(name, prompt) for name in ("one_token", "two_token", "long") for prompt in prompts(name)]


@pytest.mark.parametrize(("name", "prompt"), CASES)
def test_every_reference_number(name: str, prompt: str) -> None:
    graph = open_run("press-h", prompt=prompt).graph
    reference = prompts(name)[prompt]
    assert len(reference) == 23

    def agrees(tensor: str, place: tuple[Any, ...], wanted: Any) -> None:
        gap = np.abs(graph.tensor(tensor).values[place] - np.array(wanted)).max()
        assert gap <= TOLERANCE, (tensor, place, gap)

    for key, rows in reference.items():
        for token, row in enumerate(rows):
            if key == "norm":
                for number, (mean, spread) in enumerate(row, 1):
                    agrees(f"mu{number}", (token,), mean)
                    agrees(f"sigma{number}", (token,), spread)
            elif key == "heads":
                agrees("heads", (slice(None), token), row)
            elif key in BY_HEAD_AND_KEY:
                for head, keys in enumerate(row):
                    agrees(key, (head, token, slice(len(keys))), keys)
                    ahead = graph.tensor(key).values[head, token, len(keys) :]
                    assert (ahead == (-math.inf if key == "scores" else 0.0)).all()
            else:
                agrees(key, (token,), row)


def test_all_reference_prompts_are_there() -> None:
    assert [len(prompts(name)) for name in ("one_token", "two_token", "long")] == [10, 30, 1]


def test_slot_rows_are_the_printed_ones_and_their_continuation() -> None:
    wanted = json.loads((DATA / "positions.json").read_text())["rows"]
    table = open_run("press-h").graph.tensor("P")
    shown = [[table.text((row, column)) for column in range(6)] for row in range(12)]
    assert shown == wanted
    assert table.continued_from == 2

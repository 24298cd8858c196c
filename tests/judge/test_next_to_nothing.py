"""Numbers that print as 0 and are not, where something is divided by them: a row of equal numbers, a small share."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.lessons.toy import run
from tui_attention.engine.tensor import address
from tui_attention.export import explain as export
from tui_attention.export.explain import explain
from tui_attention.judge.hint_levels import HINT_LEVELS
from tui_attention.judge.hints import hint_at_level

EQUAL = """
format = 1
id = "equal"
title = "equal"
[tables.X]
axes = ["row", "coordinate"]
prints = 2
values = [[1.00, 1.00, 1.00], [1.00, 2.00, 3.00]]
[[stage]]
id = "one"
title = "one"
wall = "A wall."
steps = '''
mu = mean(X)
sigma = spread(X)
y = layer_norm(X, mu, sigma)
share = exp(-5 * X)
odds = (X - 0.998) / share
apart = (X * X - X) / (share * share) / 1000
'''
"""
NO_NUMBER = re.compile(r"nan|inf(?!ormation)", re.IGNORECASE)


def test_the_pencil_divides_by_the_first_two_digits() -> None:
    found = explain(run(EQUAL), "y[0,0]")
    assert found.steps == ("(1.00 - 1.00) / 0.0032", "0.00 / 0.0032", "0.00")
    assert "rounding at every step" not in export.text(found)


@pytest.mark.parametrize("name", ["y", "share", "odds", "apart"])
def test_workings_and_hints_of_every_cell_are_numbers(name: str) -> None:
    where = run(EQUAL)
    for index in np.ndindex(*where.graph.tensor(name).shape):
        told = export.text(explain(where, address(name, index)))
        told += "".join(
            hint_at_level(where, where.graph.working(name, index), level).says for level in range(1, HINT_LEVELS + 1)
        )
        assert not NO_NUMBER.search(told), told
        assert np.isfinite(where.by_hand(name, index))

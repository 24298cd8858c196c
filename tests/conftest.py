"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from tui_attention.engine import experiment
from tui_attention.engine.tensor import Array


def pytest_xdist_auto_num_workers() -> int:
    """Two workers a core: a test that drives a screen or a terminal waits for more than half of its time."""
    return 2 * (os.cpu_count() or 1)


@pytest.fixture(autouse=True, scope="session")
def one_experiment() -> Iterator[None]:
    """The seeded experiment takes a tenth of a second and gives the same each time: it is run once a process."""
    run = cache(experiment.scaling)

    def remembered(seed: int, widths: Sequence[int]) -> Array:
        found: Array = run(seed, tuple(widths))
        return found.copy()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiment, "scaling", remembered)
        yield

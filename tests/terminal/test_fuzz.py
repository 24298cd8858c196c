"""Five hundred random keys at the app on a real terminal; ten thousand: `python -m tests.bench.fuzz`."""

from __future__ import annotations

import pytest

from tests.bench.fuzz import APP, Target, fuzz


@pytest.mark.terminal
@pytest.mark.slow
def test_five_hundred_random_keys_do_no_harm() -> None:
    found = fuzz(Target(APP), keys=500, seed=20)
    assert found.keys == 500
    assert found.probes >= 1

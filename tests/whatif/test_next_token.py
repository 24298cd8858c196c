"""Greedy, temperature, top-k, top-p and the ticket."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tui_attention.engine.errors import BadInput
from tui_attention.lessons.run import open_run
from tui_attention.whatif.next_token import Sampling, choose, ticket_of

LOGITS = np.log(np.array([0.5, 0.3, 0.15, 0.05]))


def test_one_at_temperature_one_is_the_lessons_own_draw() -> None:
    for prompt in ("h", "he", "cab", "deaf.h"):
        graph = open_run("press-h", prompt).graph
        logits = graph.tensor("logits").values[-1]
        for ticket in (0.0, 0.1, 0.4, 0.77, 1.0):
            drawn = graph.with_inputs(ticket=ticket).tensor("drawn").values[-1]
            assert choose(logits, Sampling(), ticket).token == drawn, (prompt, ticket)


def test_temperature_zero_is_greedy_and_says_so() -> None:
    found = choose(LOGITS, Sampling(temperature=0), 0.99)
    assert found.token == 0
    assert "greedy" in found.notices[0]


def test_a_low_temperature_sharpens_and_a_high_one_flattens() -> None:
    cold, hot = choose(LOGITS, Sampling(0.5), 0.5).chances, choose(LOGITS, Sampling(100.0), 0.5).chances
    assert np.allclose(cold, np.array([0.25, 0.09, 0.0225, 0.0025]) / 0.365, atol=1e-12)
    assert np.allclose(hot, 0.25, atol=0.01)


def test_top_k_and_top_p_keep_the_fewest() -> None:
    assert choose(LOGITS, Sampling(top_k=2), 0.5).kept == (0, 1)
    assert np.allclose(choose(LOGITS, Sampling(top_k=2), 0.5).chances, [0.625, 0.375, 0, 0], atol=1e-12)
    assert choose(LOGITS, Sampling(top_p=0.79), 0.5).kept == (0, 1)
    assert choose(LOGITS, Sampling(top_p=0.81), 0.5).kept == (0, 1, 2)
    assert choose(LOGITS, Sampling(top_p=0.1), 0.999).kept == (0,)
    assert choose(LOGITS, Sampling(top_k=3, top_p=0.6), 0.5).kept == (0, 1)


def test_the_ticket_lands_on_the_boundary_it_reaches() -> None:
    assert choose(LOGITS, Sampling(), 0.5).token == 0
    assert choose(LOGITS, Sampling(), 0.501).token == 1
    assert choose(LOGITS, Sampling(), 1.0).token == 3
    assert choose(LOGITS, Sampling(top_k=2), 1.0).token == 1


@pytest.mark.parametrize(
    ("sampling", "notice", "kept"),
    [
        (Sampling(top_k=-1), "top-k -1 is outside 0 to 4; 0 is used: all.", 4),
        (Sampling(top_k=9), "top-k 9 is outside 0 to 4; 4 is used.", 4),
        (Sampling(top_p=1.5), "top-p 1.5 is outside 0 to 1; 1 is used: all.", 4),
        (Sampling(top_p=0.0), "top-p 0 is outside 0 to 1; only the likeliest is kept.", 1),
    ],
)
def test_what_is_out_of_range_is_clamped_with_a_notice(sampling: Sampling, notice: str, kept: int) -> None:
    found = choose(LOGITS, sampling, 0.5)
    assert found.notices == (notice,)
    assert len(found.kept) == kept


@pytest.mark.parametrize("temperature", [-0.1, float("nan"), float("inf")])
def test_a_negative_temperature_is_refused(temperature: float) -> None:
    with pytest.raises(BadInput, match=re.escape("0 or more was expected")):
        choose(LOGITS, Sampling(temperature), 0.5)


def test_a_ticket_outside_is_refused() -> None:
    with pytest.raises(BadInput, match="from 0 to 1"):
        choose(LOGITS, Sampling(), 1.01)


def test_a_seed_draws_the_same_tickets_for_everybody() -> None:
    assert ticket_of(7, 0) == ticket_of(7, 0)
    assert ticket_of(7, 0) != ticket_of(7, 1)
    assert all(0 <= ticket_of(7, draw) <= 1 for draw in range(5))

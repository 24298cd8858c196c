"""What holds for every cell of every lesson, whatever is typed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bench.judge import TARGETS, measured
from tests.bench.workers import asked
from tests.judge.asking import question, run
from tui_attention.engine.decimals import rounded
from tui_attention.engine.working import EXACT_ON_PRINTED, evaluate, styles
from tui_attention.judge.choose import best_cell, visibility
from tui_attention.judge.slips import kinds
from tui_attention.judge.verdict import ACCEPTED, ATTEMPTS, judge, prepare

CELLS = [
    (lesson, prompt, working.cell.address)
    for lesson, prompt in (("press-h", None), ("press-h", "had"), ("bank", None))
    for working in asked(run(lesson, prompt).graph)
]


@pytest.mark.parametrize(
    ("lesson", "prompt"), [("press-h", None), pytest.param("press-h", "ab", marks=pytest.mark.slow), ("bank", None)]
)
def test_every_honest_style_is_accepted_for_every_cell(lesson: str, prompt: str | None) -> None:
    where = run(lesson, prompt)
    for working in asked(where.graph):
        made = prepare(where, working)
        for style in styles(working.asks):
            for extra in (0, 1, 2):
                decimals = working.asks + extra
                typed = f"{rounded(evaluate(made.root, style), decimals):.{decimals}f}"
                assert judge(made, typed).accepted, (working.cell, style, typed)


def test_numbers_that_plain_arithmetic_misses_are_right() -> None:
    """About one printed number in five of the page is not what exact arithmetic on the printed rows gives."""
    graph = run("press-h").graph
    missed = []
    for working in asked(graph):
        exact = rounded(evaluate(working.root, EXACT_ON_PRINTED), working.asks) if working.root else 0.0
        if exact != rounded(working.cell.value, working.asks):
            missed.append(working.cell.address)
            assert judge(prepare(graph, working), f"{exact:.{working.asks}f}").kind == "pencil"
    assert len(missed) > 24
    assert {"scores[0,0,0]", "x2[0,0]", "logits[0,0]", "y[0,2]", "cum[0,9]"} <= set(missed)


@given(
    st.sampled_from(CELLS),
    st.text(max_size=12)
    | st.floats(-20, 20).map(str)
    | st.from_regex(r"-?[0-9]{1,2}[.,][0-9]{0,3}%?", fullmatch=True),
)
@settings(max_examples=400, deadline=None)
def test_it_never_raises_and_its_verdict_is_whole(where: tuple[str, str | None, str], typed: str) -> None:
    lesson, prompt, cell = where
    verdict = judge(question(lesson, cell, prompt), typed)
    assert verdict.says
    assert verdict.accepted == (verdict.kind in ACCEPTED)
    assert verdict.attempt == (verdict.kind in ATTEMPTS)
    assert bool(verdict.slips) == (verdict.kind == "slip")
    assert all({slip.kind, *slip.also} <= kinds() and slip.cells for slip in verdict.slips)
    assert (verdict.value is None) == (verdict.read.kind != "number")


@given(st.sampled_from(CELLS), st.data())
@settings(max_examples=300, deadline=None)
def test_the_right_number_is_not_said_before_it_is_given(
    where: tuple[str, str | None, str], data: st.DataObject
) -> None:
    lesson, prompt, cell = where
    made = question(lesson, cell, prompt)
    slips = [group for group in made.groups if made.visible(group)]
    near = data.draw(st.floats(-0.5, 0.5)) + made.region.full
    of_slip = bool(slips) and data.draw(st.booleans())
    value = slips[data.draw(st.integers(0, len(slips) - 1))].exact if of_slip else near
    typed = f"{value:.{made.asks}f}"
    verdict = judge(made, typed)
    if not verdict.accepted:
        said = set(re.findall(r"-?\d+\.\d+", re.sub(r"\[[^\]]*\]", "", verdict.says)))
        known = {cell.printed for cell in made.operands} | {typed, "0.00001", "1.702", "0.1", "0.01"}
        known |= {text.removeprefix("-") for text in known} | {f"-{text}" for text in known}
        assert said <= known, verdict.says


@pytest.mark.parametrize("lesson", ["press-h", "bank"])
def test_a_slip_that_the_lesson_has_words_for_can_happen(lesson: str) -> None:
    """What a lesson says of a slip is found at its CHECK; only exp(0) has its sentence without being a number."""
    where = run(lesson)
    for stage in where.lesson.stages:
        for check in stage.checks:
            working = where.check_working(check)
            for entry in check.says:
                assert entry.slip in kinds(), (check.id, entry.slip)
                if working is not None and entry.slip != "replaced-by-zero":
                    groups = prepare(where, working).groups
                    assert any(entry.slip in group.kinds for group in groups), (check.id, entry.slip)


def test_the_cell_whose_slips_show_best_is_asked() -> None:
    where = run("press-h")
    assert best_cell(where, "bend") == "bend[0,4]"
    assert best_cell(where, "c") == "c[0,0]"
    assert best_cell(where, "c", frozenset({"c[0,0]"})) == "c[0,2]"
    assert best_cell(where, "scores", frozenset({"scores[0,0,0]", "scores[1,0,0]"})) is None

    def visible(cell: str) -> float:
        return visibility(where.graph, question("press-h", cell).working)

    assert visible("bend[0,4]") > visible("bend[0,0]")
    assert visible("c[0,0]") > 0.99


@pytest.mark.slow
def test_a_small_bench_reaches_its_targets() -> None:
    """The whole one is `python -m tests.bench.judge`; here few answers are drawn, so the bounds have some room."""
    counts = measured(1, seed=3, rounds=3, part=0.04)
    for name, (sign, bound) in TARGETS.items():
        rate = counts.rate(name)
        assert rate <= bound + 3 if sign == "<=" else rate >= bound - 8, (name, rate, counts.faults)

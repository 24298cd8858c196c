"""Every number that the two documents print, line by line, against what the program prints for it."""

from __future__ import annotations

from functools import cache

import pytest

from tests.documents.claims import FACTS, Claimed, claims, corpus, items
from tui_attention.engine.ops import EPSILON
from tui_attention.lessons.run import LessonRun, open_run

LESSONS = {"press_h": "press-h", "bank": "bank"}
LINES = [(document, line) for document in LESSONS for line in corpus(document)]


@cache
def run(document: str) -> LessonRun:
    return open_run(LESSONS[document])


def claimed(document: str, line: int) -> list[Claimed]:
    return list(items(run(document), claims_of(document)[line]))


@cache
def claims_of(document: str) -> dict[int, str]:
    return claims(document)


@pytest.mark.parametrize(("document", "line"), LINES, ids=[f"{document}-line-{line}" for document, line in LINES])
def test_the_program_prints_the_numbers_of_the_line(document: str, line: int) -> None:
    printed = [text for item in claimed(document, line) for text in item.texts]
    wanted = corpus(document)[line]
    assert len(printed) == len(wanted), f"line {line}: {claims_of(document)[line]}"
    # The page writes 50,257 but 3072; the program always writes the comma.
    same = [text if "," in token else text.replace(",", "") for text, token in zip(printed, wanted, strict=True)]
    assert same == wanted, f"line {line}: {claims_of(document)[line]}"


@pytest.mark.parametrize("document", LESSONS)
def test_every_line_with_numbers_is_claimed_and_no_other(document: str) -> None:
    assert claims_of(document).keys() == corpus(document).keys()


@pytest.mark.parametrize("document", LESSONS)
def test_numbers_that_are_not_computed_say_why(document: str) -> None:
    reasons = {item.fact for line in corpus(document) for item in claimed(document, line)} - {""}
    assert reasons <= FACTS.keys()


@pytest.mark.parametrize("document", LESSONS)
def test_facts_are_few(document: str) -> None:
    """Subscripts of the page's listing aside, nearly every number is the program's."""
    counts = {"fact": 0, "computed": 0}
    for line in corpus(document):
        for item in claimed(document, line):
            if item.fact != "index":
                counts["fact" if item.fact else "computed"] += len(item.texts)
    assert counts["fact"] < counts["computed"] / 8, counts


def test_what_depends_on_the_machine_is_measured_small() -> None:
    """Lines 86 and 88 of the log print 2.22e-16; another machine rounds otherwise."""
    graph = run("bank").graph
    assert float(graph.tensor("loop_gap").values) <= 1e-15
    assert float(graph.tensor("loop_gap_masked").values) <= 1e-15


def test_the_eps_of_the_listing_is_the_one_under_the_root() -> None:
    assert float(corpus("press_h")[359][-1]) == run("press_h").lesson.facts["norm_eps"].value == EPSILON

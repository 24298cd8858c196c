"""The words for states and marks, the same on every screen, page and line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tui_attention.walk.ledger import STATES, Mark, State
from tui_attention.walk.view import Digits


class StateWord(NamedTuple):
    """How a state is called: in a sentence, at the head of a column, and where columns are scarce."""

    said: str
    head: str
    narrow: str


STATE_WORDS: Mapping[State, StateWord] = {
    "paid": StateWord("paid", "paid", "paid"),
    "helped": StateWord("paid with help", "with help", "help"),
    "borrowed": StateWord("borrowed", "borrowed", "borr."),
    "open": StateWord("open", "open", "open"),
}
COUNTS_AS: Mapping[State, str] = {
    "paid": "Paid.",
    "helped": "Paid with help.",
    "borrowed": "Counted as borrowed.",
    "open": "Left open.",
}
SEEN = "Paid with help, since the number had been on screen before."


class MarkWord(NamedTuple):
    """A learner's own mark on a sentence: its key, how it is called, what else may be typed, what it comes to."""

    mark: Mark
    key: str
    says: str
    typed: frozenset[str]
    leads_to: str


MARKS: tuple[MarkWord, ...] = (
    MarkWord("had", "1", "had it", frozenset({"had", "had it", "yes"}), "Paid."),
    MarkWord("partly", "2", "partly", frozenset({"partly", "part"}), "Paid with help."),
    MarkWord("not yet", "3", "not yet", frozenset({"not yet", "not", "no"}), "It stays open; come back to it."),
)

DIGITS_SAID: Mapping[Digits, str] = {
    "printed": "as printed",
    "pencil": "as a pencil gets them",
    "all": "all digits",
}


SELF_MARKED: Mapping[State, str] = {"paid": "had it", "helped": "partly", "borrowed": "borrowed", "open": "open"}


def self_marked(counts: Mapping[Any, int]) -> str:
    """`3 had it, 1 partly, 8 open`: sentences, by the learner's own marks."""
    return ", ".join(f"{counts[state]} {SELF_MARKED[state]}" for state in STATES if counts[state])


def mark_of(typed: str) -> MarkWord | None:
    """The mark that a key or a typed word is; None for anything else."""
    word = " ".join(typed.casefold().strip(" .!").split())
    return next((mark for mark in MARKS if word == mark.key or word in mark.typed), None)


def counted(counts: Mapping[Any, int], *, every: bool = True) -> str:
    """`7 paid, 1 paid with help, 0 borrowed, 23 open`; without `every` only what there is."""
    return ", ".join(f"{counts[state]} {STATE_WORDS[state].said}" for state in STATES if every or counts[state])

"""From a walk's ledger to the store and back."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from tui_attention.engine.errors import BadInput
from tui_attention.engine.tensor import Index
from tui_attention.lessons.run import LessonRun
from tui_attention.store import Answer, CellState, KeptNote, Own, SavedPlace, Store
from tui_attention.walk.events import Outcome
from tui_attention.walk.ledger import BY_MARK, STATES, Entry, Ledger, State
from tui_attention.walk.refs import CellRef, CheckRef, Ref, parse_ref
from tui_attention.walk.walk import Walk

if TYPE_CHECKING:
    from tui_attention.walk.statistics import Attempt

SENTENCE = "sentence"
"""The verdict of an answer that nobody judged."""

_MARK_OF = {state: mark for mark, state in BY_MARK.items()}


class SavedInputs(NamedTuple):
    """The inputs, the variant and the dials that a lesson was left with.

    `turned` is in the order of turning: name, index, value, decimals. `switched` are the switches thrown.
    """

    prompt: str
    other: str | None
    ticket: float | None
    turned: tuple[tuple[str, Index, float, int], ...] = ()
    switched: tuple[str, ...] = ()
    variant: int = 0

    def text(self) -> str:
        turned = [[name, list(index), value, decimals] for name, index, value, decimals in self.turned]
        inputs = {"prompt": self.prompt, "other": self.other, "ticket": self.ticket}
        return json.dumps({**inputs, "turned": turned, "switched": list(self.switched), "variant": self.variant})


def start_of(run: LessonRun) -> SavedInputs:
    """What a course would be left with."""
    inputs = run.graph.inputs
    turned = tuple((name, index, value, decimals) for (name, index), (value, decimals) in run.graph.turned.items())
    program = run.graph.program
    return SavedInputs(inputs.prompt, inputs.other, inputs.ticket, turned, program.switched, program.variant)


def read_start(text: str) -> SavedInputs | None:
    """The inverse of `Start.text`; None for anything else."""
    try:
        raw = json.loads(text)
        turned = tuple(
            (str(name), tuple(int(place) for place in index), float(value), int(decimals))
            for name, index, value, decimals in raw["turned"]
        )
        ticket = raw["ticket"]
        other = raw["other"]
        return SavedInputs(
            str(raw["prompt"]),
            None if other is None else str(other),
            None if ticket is None else float(ticket),
            turned,
            tuple(map(str, raw.get("switched", ()))),
            int(raw.get("variant", 0)),
        )
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError):
        return None


class StoreObserver:
    """Writes a walk's changes through to the store; only what differs from what it wrote last.

    It writes nothing before `wake`, so that opening a lesson changes no progress.
    """

    def __init__(self, store: Store, lesson: str) -> None:
        self.lesson = lesson
        self._store = store
        self._known: dict[str, Ledger] = {}
        self._furthest = ""
        self._awake = False

    def start(self) -> SavedInputs | None:
        """The inputs and dials that the lesson was left with."""
        return read_start(self._note("start"))

    def furthest(self) -> str:
        """The id of the furthest stage visited."""
        return self._note("furthest")

    def _note(self, kind: str) -> str:
        return next((note.value for note in self._store.notes(self.lesson, "") if note.kind == kind), "")

    def wake(self, walk: Walk) -> None:
        """From now on write; first where the walk stands and what it stands on."""
        self._awake = True
        self.place(walk)
        self.inputs(walk)
        self.ledger(walk)

    # ------------------------------------------------------------ what a walk calls

    def load(self, walk: Walk) -> Ledger:
        """The ledger that was kept for the walk's inputs and dials."""
        ledger = read_ledger(self._store, self.lesson, walk.identity, walk.opened.run)
        self._known[walk.identity] = ledger
        return ledger

    def place(self, walk: Walk) -> None:
        if not self._awake:
            return
        self._store.save_place(SavedPlace(self.lesson, walk.stage.id, walk.place.step))
        furthest = walk.stages[walk.furthest].id
        if furthest != self._furthest:
            self._furthest = furthest
            self._store.save_note(self.lesson, "", KeptNote("furthest", "", furthest))

    def inputs(self, walk: Walk) -> None:
        if self._awake:
            self._store.save_note(self.lesson, "", KeptNote("start", "", start_of(walk.opened.run).text()))

    def ledger(self, walk: Walk) -> None:
        if not self._awake:
            return
        dials, new = walk.identity, walk.ledger
        old = self._known.get(dials, Ledger())
        self._known[dials] = new
        for ref, entry in new.entries.items():
            if entry != old.entry(ref):
                kept = CellState(self.lesson, dials, str(ref), entry.state, entry.hints, seen=entry.seen)
                self._store.save_cell(kept)
                self._mark(walk, ref, entry)
        for kind, names in (("opened", new.opened - old.opened), ("seen", new.seen - old.seen)):
            for name in sorted(names):
                self._store.save_note(self.lesson, dials, KeptNote(kind, name, ""))
        for check, cells in new.chosen.items():
            if old.chosen.get(check) != cells:
                self._store.save_note(
                    self.lesson, dials, KeptNote("chosen", check.id, json.dumps([str(cell) for cell in cells]))
                )
        for cell, value in new.own.items():
            if old.own.get(cell) != value:
                typed = new.entry(cell).typed or repr(value)
                self._store.save_own(self.lesson, dials, Own(str(cell), typed, value))

    def answer(self, walk: Walk, outcome: Outcome, typed: str) -> None:
        if not self._awake:
            return
        ref, verdict = outcome.question.ref, outcome.verdict
        self._answered(walk, ref, typed, verdict.kind, tuple(slip.kind for slip in verdict.slips))
        if verdict.attempt:
            self._store.save_draft(self.lesson, str(ref), "")  # what was being typed has been judged

    def sentence(self, walk: Walk, ref: Ref, typed: str) -> None:
        """What was said to a sentence CHECK is kept beside the judged answers; nobody judges it."""
        if self._awake:
            self._answered(walk, ref, typed, SENTENCE, ())
            self._store.save_draft(self.lesson, str(ref), "")

    def _answered(self, walk: Walk, ref: Ref, typed: str, verdict: str, kinds: tuple[str, ...]) -> None:
        self._store.add_answer(
            Answer(
                lesson=self.lesson,
                stage=walk.stage.id,
                cell=str(ref),
                typed=typed,
                verdict=verdict,
                kinds=kinds,
                hints=walk.ledger.entry(ref).hints,
                when=time.time(),
                dials=walk.identity,
                inputs=start_of(walk.opened.run)._replace(turned=()).text(),
            )
        )

    def attempts(self) -> tuple[Attempt, ...]:
        """Every answer to the lesson that counts, whatever the prompt and dials were."""
        from tui_attention.walk.statistics import Attempt

        return tuple(
            Attempt(ref, answer.stage, answer.kinds)
            for answer in attempts(self._store, self.lesson)
            if (ref := _ref(answer.cell)) is not None
        )

    def _mark(self, walk: Walk, ref: Ref, entry: Entry) -> None:
        """A sentence that the learner marked is also listed as a mark."""
        mark = next((mark for mark in BY_MARK if mark == entry.typed), None)
        if mark is not None and isinstance(ref, CheckRef) and ref in _sentences(walk.opened.run):
            self._store.save_mark(self.lesson, ref.id, mark)


def _ref(text: str) -> Ref | None:
    """What was kept as text; None for what is none, as a file from elsewhere may hold."""
    try:
        return parse_ref(text)
    except ValueError:
        return None


def _sentences(run: LessonRun) -> frozenset[CheckRef]:
    """The CHECKs that are answered with a sentence."""
    return frozenset(CheckRef(check.id) for stage in run.lesson.stages for check in stage.checks if check.sentence)


def read_ledger(store: Store, lesson: str, dials: str, run: LessonRun) -> Ledger:
    """The ledger kept for one set of inputs and dials; what the lesson no longer has is left out."""
    entries: dict[Ref, Entry] = {}
    sentences = _sentences(run)
    for cell in store.cells(lesson, dials):
        state: State = next((known for known in STATES if known == cell.state), "open")
        ref = _ref(cell.cell)
        if ref is not None:
            typed = _MARK_OF.get(state, "") if ref in sentences else ""
            entries[ref] = Entry(state, cell.hints, typed, seen=cell.seen)
    for answer in attempts(store, lesson):
        ref = _ref(answer.cell)
        if answer.dials == dials and ref is not None:
            entry = entries.get(ref, Entry())
            entries[ref] = entry._replace(typed=answer.typed, kinds=entry.kinds + answer.kinds)
    notes = store.notes(lesson, dials)
    return Ledger(
        entries,
        frozenset(note.name for note in notes if note.kind == "opened"),
        frozenset(note.name for note in notes if note.kind == "seen"),
        _chosen({note.name: note.value for note in notes if note.kind == "chosen"}, run),
        {ref: own.value for own in store.own(lesson, dials) if isinstance(ref := _ref(own.cell), CellRef)},
    )


def attempts(store: Store, lesson: str) -> Iterator[Answer]:
    """The answers that count as attempts: the same number typed again for the same cell is none."""
    answers = store.answers(lesson)
    if not answers:
        return
    # The judge is loaded for those only who have answered something: the first start does not wait for it.
    from tui_attention.judge.reading import read
    from tui_attention.judge.verdict import ATTEMPTS

    last: dict[tuple[str, str], tuple[float, ...]] = {}
    for answer in answers:
        key, numbers = (answer.dials, answer.cell), tuple(number.value for number in read(answer.typed).numbers)
        if answer.verdict in ATTEMPTS and last.get(key) != numbers:
            last[key] = numbers
            yield answer


def _chosen(kept: Mapping[str, str], run: LessonRun) -> dict[CheckRef, tuple[CellRef, ...]]:
    """The cells asked for each CHECK, where the lesson and this prompt still have them all."""
    chosen = {}
    for check, text in kept.items():
        try:
            cells = tuple(str(cell) for cell in json.loads(text))
            chosen[CheckRef(check)] = tuple(CellRef(*run.graph.locate(cell)) for cell in cells)
        except (ValueError, TypeError, RecursionError, BadInput):
            continue
    return chosen


__all__ = ["SavedInputs", "StoreObserver", "attempts", "read_ledger", "read_start", "start_of"]

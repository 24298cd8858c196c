"""Where a learner is in a lesson, and what may be shown: a plain state machine without any screen.

The app, the plain shell and the tests are thin shells over it. Whatever they show comes from `view`, `line`, `text`
and their like, which hand out the covered mark in place of a covered number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui_attention.engine.errors import BadInput
from tui_attention.engine.formula import Step
from tui_attention.engine.tensor import address
from tui_attention.judge.hint_levels import HINT_LEVELS
from tui_attention.lessons.model import Stage
from tui_attention.lessons.run import LessonRun
from tui_attention.walk import places
from tui_attention.walk.events import NOTHING, Change, ChangeKind, Outcome, ProgressObserver
from tui_attention.walk.history import History
from tui_attention.walk.lead import ALONE, Lead
from tui_attention.walk.ledger import BY_MARK, Entry, Ledger, Mark, State
from tui_attention.walk.opened import OpenLesson
from tui_attention.walk.places import Place
from tui_attention.walk.questions import Question, QuestionPlan
from tui_attention.walk.refs import CellRef, CheckRef, Ref
from tui_attention.walk.settling import seen_before, settled
from tui_attention.walk.view import Digits, View
from tui_attention.walk.visible import PencilLine, StageMark, VisibleLesson
from tui_attention.walk.window import AS_IT_STANDS, Arrangement

# The judge is loaded with the first question: the first screen does not wait for it.
if TYPE_CHECKING:
    from tui_attention.judge.hints import Hint
    from tui_attention.judge.verdict import NamedSlip, Prepared, Verdict
    from tui_attention.walk.statistics import Attempt


class Walk:
    """One learner's way through one lesson."""

    def __init__(
        self,
        run: LessonRun,
        *,
        cover: bool = True,
        learner: str = "",
        place: Place | None = None,
        furthest: int = 0,
        observer: ProgressObserver | None = None,
    ) -> None:
        self._run = run
        self._cover = cover
        self.learner = learner
        self._place = places.legal(run.lesson, place or Place())
        self._furthest = max(furthest, self._place.stage)
        self._ledgers: dict[str, Ledger] = {}
        self._history = History()
        self._predicting: CellRef | None = None
        self._held: frozenset[str] = frozenset()
        self._reached: frozenset[int] = frozenset()
        self._observer = observer
        self._plan = QuestionPlan(run)
        self._prepared: tuple[object, Prepared] | None = None
        self._called: dict[CellRef, str] = {}
        self._named: tuple[Ref | None, NamedSlip | None] = (None, None)
        self._attempts: tuple[Attempt, ...] = ()
        self._edition = 0
        self._lead = ALONE
        self._last: VisibleLesson | None = None
        self.digits: Digits = "printed"
        self.arrangement: Arrangement = AS_IT_STANDS
        self._see()

    # ------------------------------------------------------------ where

    @property
    def opened(self) -> OpenLesson:
        """The lesson with every number uncovered: for those who keep, measure and check, never for a screen."""
        return OpenLesson(self._plan, self._history.past[-1] if self._history.past else None)

    @property
    def place(self) -> Place:
        return self._place

    @property
    def stages(self) -> tuple[Stage, ...]:
        return self._run.lesson.stages

    @property
    def stage(self) -> Stage:
        return self.stages[self._place.stage]

    @property
    def step(self) -> Step | None:
        """The current step; None in a stage without steps."""
        return self.stage.steps[self._place.step] if self.stage.steps else None

    @property
    def covered(self) -> bool:
        """Whether the cover is on."""
        return self._cover

    @property
    def furthest(self) -> int:
        """The furthest stage that was visited."""
        return self._furthest

    @property
    def at_end(self) -> bool:
        return self._place == places.last(self._run.lesson)

    @property
    def identity(self) -> str:
        """Which inputs and dials the ledger belongs to: empty for the lesson's own."""
        return identity_of(self._run)

    # ------------------------------------------------------------ moving

    def _move(self, place: Place) -> Change:
        if place == self._place:
            return NOTHING
        if self._lead.front is not None and places.rank(self.stages, place) > self._lead.front:
            raise BadInput(self._lead.beyond)
        what: ChangeKind = "step" if place.stage == self._place.stage else "stage"
        self._place = place
        self._furthest = max(self._furthest, place.stage)
        self._see()
        if self._observer:
            self._observer.place(self)
        return Change(what)

    @property
    def lead(self) -> Lead:
        """What whoever leads has decided about this walk."""
        return self._lead

    def follow(self, lead: Lead) -> None:
        """From now on, what whoever leads decides: see `Lead`. The place stays."""
        self._lead = lead

    def next(self) -> Change:
        """One step on; at the last step nothing changes."""
        return self._move(places.after(self._run.lesson, self._place))

    def back(self) -> Change:
        """One step back; at the first step nothing changes."""
        return self._move(places.before(self._run.lesson, self._place))

    def next_stage(self) -> Change:
        return self._move(places.stage_after(self._run.lesson, self._place))

    def back_stage(self) -> Change:
        return self._move(places.stage_before(self._run.lesson, self._place))

    def move(self, place: Place) -> Change:
        """To a place, kept inside the lesson."""
        return self._move(places.legal(self._run.lesson, place))

    def goto(self, text: str) -> Change:
        """To a stage (by id, number, title or how one title alone begins) or to the step that makes a cell.

        Raises BadInput.
        """
        wanted = text.strip()
        for number, stage in enumerate(self.stages):
            if wanted and wanted.lower() in (stage.id, stage.title.lower(), self.stage_number(number)):
                return self._move(Place(number, 0))
        name = wanted
        if wanted not in self._run.graph.names():
            if "[" not in wanted:
                begun = [n for n, stage in enumerate(self.stages) if stage.title.lower().startswith(wanted.lower())]
                if wanted and len(begun) == 1:
                    return self._move(Place(begun[0], 0))
                ids = " ".join(stage.id for stage in self.stages)
                raise BadInput(f"{wanted[:40]!r} is neither a stage nor a cell; the stages are: {ids}")
            name, _ = self._run.graph.locate(wanted)
        return self._move(places.home(self._run.lesson, name) or self._place)

    def stage_number(self, stage: int) -> str:
        """The stage's number in the tree, as text; empty for what comes before the first."""
        return places.number(self._run.lesson, stage)

    # ------------------------------------------------------------ the ledger

    @property
    def ledger(self) -> Ledger:
        key = self.identity
        if key not in self._ledgers:
            self._ledgers[key] = self._observer.load(self) if self._observer else Ledger()
        return self._ledgers[key]

    def _note(self, ledger: Ledger) -> None:
        self._ledgers[self.identity] = ledger
        if self._observer:
            self._observer.ledger(self)

    def _set(self, ref: Ref, entry: Entry) -> None:
        self._note(self.ledger.with_entry(ref, entry))

    def _see(self) -> None:
        """What stands on the screen now without having been worked out is seen, however it came there."""
        shown = places.now(self._run.lesson, self._place) + (not self._cover and self.step is not None)
        seen = frozenset(step.name for step in self._run.lesson.program.steps[:shown]) - self.held
        if not seen <= self.ledger.seen:
            self._note(self.ledger.with_seen(seen))

    def see(self, tensors: frozenset[str]) -> None:
        """What stood on a page of its own while it was open is seen, too."""
        if not self._cover and not tensors <= self.ledger.seen:
            self._note(self.ledger.with_seen(tensors))

    def attempts(self) -> tuple[Attempt, ...]:
        """Every answer to this lesson that counts, under whatever prompt and dials."""
        return self._observer.attempts() if self._observer else self._attempts

    # ------------------------------------------------------------ cover and dials

    def toggle_cover(self) -> Change:
        """Cover or uncover everything. What is seen through an open cover counts at most as paid with help."""
        self._cover = not self._cover
        self._see()
        return Change("cover")

    def turn(self, dial: str, value: float, decimals: int) -> Change:
        """Turn one dial, by its address. Raises BadInput when it is none."""
        graph = self._run.graph
        name, index = graph.source(*graph.locate(dial))
        self.change(self._run.with_graph(graph.turn(name, index, value, decimals)))
        return Change("dials", CellRef(name, index))

    def turns(self, cell: CellRef) -> bool:
        """Whether the cell can be set by hand: a number of an input table, or of a mask."""
        graph = self._run.graph
        return (graph.tensor(cell.tensor).origin == "dial" and cell.tensor != "splitter") or graph.is_mask(
            cell.tensor
        )

    def change(self, run: LessonRun) -> Change:
        """Go over to other numbers of the same lesson; `undo` comes back."""
        from tui_attention.walk.moved import names_moved, stages_moved

        self._history = self._history.remember(self._run)
        before = self.visible
        waiting, held = self.predicting, self.held
        self._held = frozenset()
        self._take(run, see=waiting is None)
        self._reached = stages_moved(names_moved(before, self.visible), self.stages)
        if waiting is not None:
            # What an earlier change moved was not predicted yet either.
            self._held = held | names_moved(before, self.visible) | {waiting.tensor}
            self._see()
        return Change("dials")

    def undo(self) -> Change:
        """Take the last change back."""
        return self._moved_in(self._history.back(self._run))

    def redo(self) -> Change:
        """Make the change again that was taken back last."""
        return self._moved_in(self._history.forward(self._run))

    def _moved_in(self, found: tuple[History, LessonRun] | None) -> Change:
        if found is None:
            return NOTHING
        from tui_attention.walk.moved import names_moved, stages_moved

        self._predicting, self._held = None, frozenset()
        self._history, before = found[0], self.visible
        self._take(found[1])
        self._reached = stages_moved(names_moved(before, self.visible), self.stages)
        return Change("dials")

    @property
    def before(self) -> VisibleLesson | None:
        """The lesson before the last change, as far as it may be shown; None where nothing was changed."""
        return self.visible_of(self._history.past[-1]) if self._history.past else None

    # ------------------------------------------------------------ predicting

    def predict(self, cell: CellRef) -> None:
        """Before the next change: what moves by it stays covered until this cell has been predicted or borrowed.

        Raises BadInput for a cell that no pencil makes.
        """
        source = CellRef(*self._run.graph.source(cell.tensor, cell.index))
        if not self._run.graph.working(source.tensor, source.index).askable:
            raise BadInput(f"{source} is made by no pencil, so it can't be predicted; a computed cell was expected")
        self._predicting, self._held = source, frozenset()
        self._see()  # what an earlier prediction held back shows now

    @property
    def predicting(self) -> CellRef | None:
        """The cell whose number is to be predicted, until it is answered."""
        if self._predicting is not None and self._held and self.ledger.entry(self._predicting).settled:
            self._predicting, self._held = None, frozenset()
            self._see()
        return self._predicting

    @property
    def held(self) -> frozenset[str]:
        """The tensors that are covered until the prediction is made."""
        return self._held if self._predicting is not None else frozenset()

    def change_inputs(
        self, prompt: str | None = None, other: str | None = None, ticket: float | None = None
    ) -> Change:
        """Another prompt or ticket. Raises BadInput when it is not legal."""
        return self.change(self._run.with_graph(self._run.graph.with_inputs(prompt, other, ticket)))

    def _take(self, run: LessonRun, *, see: bool = True) -> None:
        self._run = run
        self._plan = QuestionPlan(run)
        self._edition += 1
        self._prepared = None
        if see:
            self._see()
        if self._observer:
            self._observer.inputs(self)

    # ------------------------------------------------------------ what may be shown

    @property
    def visible(self) -> VisibleLesson:
        """What may be shown now; the same object while nothing has changed."""
        held = self.held if self.predicting is not None else frozenset()
        last, ledger = self._last, self.ledger
        if (
            last is None
            or last.ledger is not ledger
            or last.place != self._place
            or last.cover != self._cover
            or last.digits != self.digits
            or last.arrangement != self.arrangement
            or last.edition != self._edition
            or last.lead is not self._lead
            or last.held != held
            or last.furthest != self._furthest
            or last.reached is not self._reached
            or not last.is_of(self._plan)
        ):
            last = self._last = self._visible(self._plan, ledger, held)
        return last

    def visible_of(self, run: LessonRun) -> VisibleLesson:
        """What may be shown of the same lesson under other numbers, at the same place."""
        ledger = self._ledgers.get(identity_of(run), Ledger())
        return self._visible(QuestionPlan(run), ledger, frozenset())

    def _visible(self, plan: QuestionPlan, ledger: Ledger, held: frozenset[str]) -> VisibleLesson:
        now = places.now(plan.run.lesson, self._place)
        moment = now, self.step is not None, self.digits, self._place, self._furthest, held, self._edition
        return VisibleLesson(plan, ledger, self._cover, *moment, self._lead, self._reached, self.arrangement)

    def view(self, name: str) -> View:
        """The tensor as it may be shown now. Raises BadInput for an unknown name."""
        return self.visible.view(name)

    def line(self, cell: CellRef) -> PencilLine:
        """The cell's pencil line; covered numbers as marks."""
        return self.visible.line(cell)

    def text(self, prose: str, *, page_only: bool = False) -> str | None:
        """Prose with its placeholders filled in; covered numbers as marks; None when it is left out."""
        return self.visible.text(prose, page_only=page_only)

    # ------------------------------------------------------------ questions

    def questions(self, place: Place | None = None) -> tuple[Question, ...]:
        """The CHECKs asked at a place (the present one), in the lesson's order, siblings behind their CHECK."""
        return self._plan.at(place or self._place, self.ledger)

    def question(self, target: Ref | str) -> Question:
        """The question that an answer belongs to: a CHECK, or any cell; as text, an address in any legal form.

        Raises BadInput when there is no such cell, or when no pencil makes it.
        """
        return self._plan.find(self.ref(target), self._place, self.ledger)

    def ref(self, target: Ref | str) -> Ref:
        """What a text means: a CHECK's key, or an address in any legal form. Raises BadInput."""
        if not isinstance(target, str):
            return target
        return CheckRef.parse(target) or self._plan.locate(target)

    def open_question(self) -> Question | None:
        """The first question here that is not settled."""
        return next((asked for asked in self.questions() if not self.ledger.entry(asked.ref).settled), None)

    def ask(self, question: Question) -> str:
        """The question's text."""
        return self.visible.ask(question)

    # ------------------------------------------------------------ answering

    def prepare(self, question: Question) -> None:
        """Make the judge ready for a question: when it opens, so that the verdict is quick."""
        self._judge_of(question)

    def _judge_of(self, question: Question) -> Prepared:
        from tui_attention.judge.verdict import prepare

        visible = self.visible
        settled = sum(entry.settled for entry in self.ledger.entries.values())
        moment = self._place, self._cover, self.held, self._lead, self.ledger.opened, settled
        key = (question.ref, tuple(sorted(self.ledger.own.items())), moment, tuple(self._called.items()))
        if self._prepared is None or self._prepared[0] != key:
            own = self.ledger.own_texts()
            made = prepare(
                self._run,
                self._plan.asked_working(question),
                own=own,
                says=self._sentences(question),
                shown=lambda cell: visible.shown(CellRef(cell.tensor, cell.index)),
            )
            self._prepared = key, made.with_own(own, {str(ref): name for ref, name in self._called.items()})
        return self._prepared[1]

    def call(self, address: str) -> None:
        """Remember the name by which the learner speaks of a cell. Raises BadInput."""
        name, index = self._run.graph.locate(address)
        self._called[CellRef(*self._run.graph.source(name, index))] = self._run.graph.tensor(name).short(index)

    def called(self, cell: CellRef) -> str:
        """What a cell is called: as the learner does, else by its short address."""
        return self._called.get(cell) or self.visible.short(cell)

    def _sentences(self, question: Question) -> dict[str, str]:
        """The lesson's own sentences for the slips of a question, by kind of slip."""
        found: dict[str, str] = {}
        for check in self._plan.speaking(question, self.ledger):
            for entry in check.says:
                found.setdefault(entry.slip, self.visible.remark(entry.text))
        for slip, _ in self._run.own_slips(self._plan.asked_working(question)):
            found.setdefault(slip.kind, self.visible.remark(slip.text))
        return found

    def answer(self, target: Ref | str, typed: str) -> Outcome:
        """Judge a typed number for a CHECK or a cell. Raises BadInput."""
        from tui_attention.judge.verdict import judge
        from tui_attention.walk.ahead import screened
        from tui_attention.walk.statistics import Attempt

        question = self.question(target)
        verdict = screened(judge(self._judge_of(question), typed), self.visible.covered_operands(question))
        entry, counts = self.ledger.entry(question.ref), False
        opened = ""
        if verdict.attempt:
            named = verdict.slips[0] if verdict.slips else None
            self._named = question.ref, named
            counts = not self._typed_again(question, entry, verdict)
        kinds = tuple(dict.fromkeys(slip.kind for slip in verdict.slips))
        if counts:
            entry = entry._replace(typed=typed, kinds=entry.kinds + kinds)
            self._attempts = (*self._attempts, Attempt(question.ref, self.stage.id, kinds))
        if verdict.accepted and not entry.settled:
            seen = seen_before(self.ledger, self._plan, question, self._lead.shown)
            entry = entry._replace(state="helped" if entry.hints or seen else "paid", seen=seen)
        self._set(question.ref, entry)
        if verdict.accepted:
            opened = self._settle(question)
            if verdict.value is not None and question.cell is not None:
                self._note(self.ledger.with_own(question.cell, verdict.value))
        outcome = Outcome(question, verdict, entry.state, opened, entry.seen)
        if self._observer:
            self._observer.answer(self, outcome, typed)
        return outcome

    def _typed_again(self, question: Question, entry: Entry, verdict: Verdict) -> bool:
        """Whether the number is the last one once more: that is one attempt, not two."""
        from tui_attention.judge.verdict import judge

        return bool(entry.typed) and judge(self._judge_of(question), entry.typed).value == verdict.value

    def keep(self, target: Ref | str, value: float) -> None:
        """Keep one's own number for a cell on purpose: later rows are judged from it. Raises BadInput."""
        cell = self.ref(target)
        if not isinstance(cell, CellRef):
            raise BadInput("only the number of a cell can be kept")
        self._note(self.ledger.with_own(cell, value))

    def _settle(self, question: Question) -> str:
        """What follows from an answer that settles; the tensor that shows as a whole now, or the empty text."""
        ledger, opened = settled(self.ledger, self._plan, self._place, question)
        if ledger is not self.ledger:
            self._note(ledger)
        return opened

    def hint(self, target: Ref | str) -> Hint:
        """One level up the ladder; the last one is the number, which borrows the cell. Raises BadInput."""
        from tui_attention.judge.hints import Hint, first_level, hint_at_level
        from tui_attention.walk.ahead import NO_NUMBERS, first

        question = self.question(target)
        entry = self.ledger.entry(question.ref)
        slip = self._named[1] if self._named[0] == question.ref else None
        level = min(HINT_LEVELS, max(entry.hints + 1, first_level(slip is not None)))
        covered = self.visible.covered_operands(question)
        if covered and level > NO_NUMBERS:
            return Hint(NO_NUMBERS, f"{first(covered)} Or borrow this number.")
        hint = hint_at_level(self._run, self._plan.asked_working(question), level, slip)
        if not entry.settled:
            self._set(question.ref, entry._replace(hints=level, state="borrowed" if level == HINT_LEVELS else "open"))
            if level == HINT_LEVELS:
                self._settle(question)
        return hint

    def reveal(self, target: Ref | str) -> Change:
        """Borrow the number: only this cell shows, and a sibling is asked. Raises BadInput."""
        question = self.question(target)
        entry = self.ledger.entry(question.ref)
        if entry.settled:
            return NOTHING
        self._set(question.ref, entry._replace(state="borrowed"))
        self._settle(question)
        return Change("cell", question.ref)

    def say(self, target: Ref | str, typed: str) -> None:
        """The learner's own sentence for a CHECK, as typed: it is kept, nobody judges it. Raises BadInput."""
        question = self.question(target)
        if not question.sentence:
            raise BadInput("this question is answered with a number")
        if self._observer:
            self._observer.sentence(self, question.ref, typed)

    def mark(self, target: Ref | str, mark: Mark) -> Change:
        """The learner's own verdict on a sentence: had it, partly, not yet. Raises BadInput for a number."""
        question = self.question(target)
        if not question.sentence:
            raise BadInput("this question is answered with a number")
        self._set(question.ref, self.ledger.entry(question.ref)._replace(state=BY_MARK[mark], typed=mark))
        return Change("cell", question.ref)

    # ------------------------------------------------------------ the whole way

    def stage_states(self, stage: int) -> tuple[tuple[Ref, State], ...]:
        """Reference and state of every CHECK of a stage."""
        return self.visible.stage_states(stage)

    def stage_mark(self, stage: int) -> StageMark:
        """How a stage stands in the tree."""
        return self.visible.stage_mark(stage)

    def counts(self) -> dict[State, int]:
        """How many CHECKs of the lesson are in each state."""
        return self.visible.counts()


def identity_of(run: LessonRun) -> str:
    """Which inputs, dials and switches a ledger belongs to: empty for the lesson's own."""
    graph = run.graph
    if graph.own:
        return ""
    parts = [repr(x) for x in (graph.inputs.prompt, graph.inputs.other, graph.inputs.ticket)]
    turned = (f"{address(n, i)}={v!r}" for (n, i), (v, _) in sorted(graph.turned.items()))
    variant = [f"variant={graph.program.variant}"] if graph.program.variant else []
    return " ".join([*parts, *variant, *turned, *sorted(graph.program.switched)])

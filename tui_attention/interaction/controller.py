"""One learner at one lesson: commands and answers go in, changes and messages come out.

The app, the plain shell, a front end that speaks JSON and a class all drive this object; none of them decides what an
answer means. It prints nothing, draws nothing and keeps no file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.interaction.commands import BY_ID
from tui_attention.interaction.messages import KeptOffer, Message, Reply, refusal
from tui_attention.interaction.policy import CoverPolicy, OwnCover
from tui_attention.walk.refs import CellRef, Ref
from tui_attention.walk.view import COVERED, SHOWN
from tui_attention.whatif.next_token import Sampling

if TYPE_CHECKING:
    from tui_attention.interaction.examples import Examples
    from tui_attention.interaction.summary import Summary
    from tui_attention.walk.events import AnswerObserver
    from tui_attention.walk.questions import Question
    from tui_attention.walk.visible import VisibleLesson
    from tui_attention.walk.walk import Walk

T = TypeVar("T")
AskedKind = Literal["nothing", "number", "sentence", "mark"]


@dataclass(frozen=True, slots=True)
class Asking:
    """What an answer would belong to now. `place` and `count` number the CHECKs of this step, 0 for a cell alone;
    a CHECK keeps its number whatever this prompt leaves out, and its sibling has it too.

    `settled`: it has been answered or borrowed already, and still stands there to be read. `decimals` are those that
    are asked for.
    """

    kind: AskedKind
    question: Question | None = None
    ask: str = ""
    place: int = 0
    count: int = 0
    settled: bool = False
    decimals: int | None = None


class LessonController:
    """What a learner does at one lesson.

    `focus` is the cell that the learner points at, for front ends that can point. `said` are the messages of the last
    command. `answered` is the question that was answered or helped with last, until something else is done;
    `sampling`, `seed` and `drawn` say how the next token is chosen and how many tickets of the seed are used up.
    `marking` tells that its `sentence` waits for the learner's own mark; `offer` is the number that may be kept.
    """

    def __init__(
        self,
        walk: Walk,
        *,
        policy: CoverPolicy | None = None,
        observers: Sequence[AnswerObserver] = (),
        asks_uncovered: bool = True,
    ) -> None:
        """`asks_uncovered`: whether CHECKs are asked while nothing is covered, as on a projector."""
        self.walk = walk
        self.policy: CoverPolicy = policy or OwnCover()
        self.observers = tuple(observers)
        self.asks_uncovered = asks_uncovered
        self.focus: CellRef | None = None
        self.said: tuple[Message, ...] = ()
        self.answered: Question | None = None
        self.marking = False
        self.sentence = ""
        self.offer: KeptOffer | None = None
        self.passed: frozenset[Ref] = frozenset()
        self.only: Ref | None = None
        """The one question that is asked here, in a review; None asks all CHECKs of a step."""
        self._asking: tuple[tuple[object, ...], Asking] | None = None
        self.draft: tuple[Ref, str] | None = None
        self.sought = ""
        """What a stage was last looked for by."""
        self.word = ""
        """In a trained model, the word that the pages are about; empty: the answer."""
        self.apply: Callable[[Callable[[], Reply]], Reply] | None = None
        """What a long command that is worked out in a thread changes the walk by."""
        self.tick: Callable[[int, int], None] | None = None
        """Told how far a long command is; raises `LeftError` where the learner has gone on."""
        self.sampling = Sampling()
        self.seed: int | None = None
        self.drawn = 0

    # ------------------------------------------------------------ what is seen

    @property
    def visible(self) -> VisibleLesson:
        """What may be shown now."""
        return self.walk.visible

    @property
    def in_model(self) -> bool:
        """Whether a trained model is walked through, and not a lesson."""
        return self.visible.vocabulary.cut is not None  # only a model brings a tokenizer of its own

    @property
    def examples(self) -> Examples:
        """What may be typed in this lesson."""
        from tui_attention.interaction.examples import examples

        return examples(self.visible)

    def summary(self) -> Summary:
        """What is paid, borrowed and open, stage by stage, and what comes next."""
        from tui_attention.interaction.summary import summary

        return summary(self.walk)

    # ------------------------------------------------------------ the question at hand

    def open_question(self) -> Question | None:
        """The first question here that is neither settled nor left aside."""
        if not (self.walk.covered or self.asks_uncovered):
            return None
        entry = self.walk.ledger.entry
        here = (asked for asked in self.walk.questions() if self.only in (None, asked.ref))
        found = (asked for asked in here if asked.ref not in self.passed)
        return next((asked for asked in found if not entry(asked.ref).settled), None)

    def question(self) -> Question | None:
        """What a number given now would answer: the covered cell that is pointed at, else the open CHECK."""
        if self.focus is not None and self.visible.state(self.focus) == COVERED:
            try:
                return self.walk.question(self.focus)
            except BadInput:
                return self.open_question()
        return self.open_question()

    def asking(self) -> Asking:
        """The question at hand; one that was just answered stands until something else is done.

        Worked out once for a moment, since a frame asks for it in many places.
        """
        given = self.visible, self.answered, self.focus, self.marking, self.passed
        if self._asking is None or any(one is not other for one, other in zip(given, self._asking[0], strict=True)):
            self._asking = given, self._asked_now()
        return self._asking[1]

    def _asked_now(self) -> Asking:
        question = self.answered if self.answered is not None else self.question()
        if question is None:
            return Asking("nothing")
        kind: AskedKind = "mark" if self.marking else "sentence" if question.sentence else "number"
        place, count = self.visible.numbered(question)
        decimals = self.visible.asked_decimals(question)
        settled = self.walk.ledger.entry(question.ref).settled
        return Asking(kind, question, self.walk.ask(question), place, count, settled, decimals)

    def worth_pointing_at(self) -> tuple[CellRef, ...]:
        """Where to begin: the cell of the open CHECK while it is covered, else what its formula reads."""
        question = self.open_question()
        if question is None or question.sentence:
            return ()
        if question.cell is not None:
            # A number that already stands there is to be found by the learner, not by the cursor.
            return () if self.visible.state(question.cell) == SHOWN else (question.cell,)
        return self.visible.asked_operands(question)

    # ------------------------------------------------------------ what is done

    def do(self, command: str, argument: str = "") -> Reply:
        """Do a command of the table, by its id. Raises KeyError for one that a front end does by itself."""
        handler = BY_ID[command].handler
        if handler is None:
            raise KeyError(command)
        return self._told(lambda: handler(self, argument))

    def answer(self, typed: str, target: Ref | str | None = None) -> Reply:
        """A line that is no command: a number, a sentence or a mark, for the question at hand or a named one."""
        from tui_attention.interaction.answering import take

        return self._told(lambda: take(self, typed, target))

    def _told(self, action: Callable[[], Reply]) -> Reply:
        try:
            reply = action()
        except (BadInput, LessonError) as error:
            reply = Reply(messages=(refusal(str(error), frozenset(self.visible.names())),))
        reply = reply._replace(messages=tuple(map(self._in_short, reply.messages)))
        self.said = reply.messages
        return reply

    def _in_short(self, message: Message) -> Message:
        """With each address as the screen has it."""
        return message._replace(text=self.visible.addressed(message.text))

    def slices(self, parts: Iterable[T], count: int) -> Iterator[T]:
        """The parts of a long command one by one; between them it can be left. Raises what `tick` raises."""
        for done, part in enumerate(parts, 1):
            yield part
            if self.tick is not None:
                self.tick(done, count)

    def applied(self, action: Callable[[], Reply]) -> Reply:
        """Change something, at the end of a long command: where its front end wants that, in its own thread."""
        return action() if self.apply is None else self.apply(action)

    # ------------------------------------------------------------ letting go

    def hush(self) -> None:
        """Let go of what was said, and of the question that was just answered."""
        self.said, self.answered, self.marking, self.offer = (), None, False, None

    def arrive(self) -> None:
        """At a new place, or over new numbers: nothing is said, kept ready or left aside."""
        self.hush()
        self.passed = frozenset()

    def go_on(self) -> bool:
        """Let go of a question that is settled, so that the next one is at hand; whether there was one."""
        asked = self.answered
        if asked is None or self.marking or not self.walk.ledger.entry(asked.ref).settled:
            return False
        self.hush()
        return True

    def prepare(self) -> None:
        """Make the judge ready for the question at hand, so that the verdict is quick."""
        question = self.question()
        if question is not None and not question.sentence:
            self.walk.prepare(question)


__all__ = ["Asking", "LessonController"]

"""The conversation: what is asked, what an answer leads to, and what may be typed next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from tui_attention.engine.decimals import BLANK
from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.interaction.command import Command, FrontEnd
from tui_attention.interaction.commands import WORDS
from tui_attention.interaction.controller import AskedKind, LessonController
from tui_attention.interaction.messages import Reply, refusal
from tui_attention.interaction.walking import heading
from tui_attention.judge.promise import PROMISE, decimals
from tui_attention.plain.commands import LOCAL, spoken
from tui_attention.plain.narration import COVERED, Narrator
from tui_attention.plain.page import Paragraph, Transcript, clean
from tui_attention.plain.words import command
from tui_attention.render import plain
from tui_attention.session import Session
from tui_attention.walk.questions import Question
from tui_attention.walk.refs import CellRef, Ref
from tui_attention.walk.view import COVERED as COVERED_CELL
from tui_attention.walk.visible import VisibleLesson
from tui_attention.walk.walk import Walk

if TYPE_CHECKING:
    from tui_attention.practice.review import Review

LONGEST = 10_000


class Shell:
    """One learner's conversation on one page."""

    def __init__(self, session: Session, page: Transcript, stdin: TextIO) -> None:
        self.session = session
        self.page = page
        self.core = self.controller(session.walk)
        self._stdin = stdin
        self._shown = stdin.isatty()  # a terminal shows what is typed by itself
        self.heard: set[str] = set()
        self.done = False
        self._asked: Ref | None = None
        self._promised = False
        self._trouble = ""
        self._earned = ""  # the stage whose names were told
        self._review: Review | None = None
        self._waits: LessonController | None = None  # the lesson, while a review is going on

    # ------------------------------------------------------------ the loop

    def run(self) -> None:
        """Until `quit` or the end of the input."""
        minutes = self.session.options.review
        if minutes is None:
            self.greet()
            self._say_due()
        else:
            self._begin_review(minutes)
        while not self.done:
            self.invite()
            line = self._read()
            if line is None:
                self.page.end_line()
                return
            self.hear(line)

    def hear(self, line: str) -> None:
        """One line that was typed, and what it leads to."""
        try:
            found = command(line, self.asked(), self.core.visible)
            if found is None:
                before = self.core.visible
                self.told(self.core.answer(line), before)
            else:
                self.perform(*found)
        except (BadInput, LessonError) as error:
            self.say(refusal(str(error), frozenset(self.core.visible.names())).text)

    def words(self) -> Sequence[tuple[str, str]]:
        """Every word that may be typed, and what it does."""
        return [(command.word, spoken(command, self.core.examples)) for command in WORDS]

    def controller(self, walk: Walk) -> LessonController:
        """What decides in this conversation."""
        return LessonController(walk, asks_uncovered=False)

    def perform(self, command: Command, argument: str) -> None:
        """Do a command: the conversation's own, or the core's. Raises BadInput or LessonError."""
        if command.id == "next" and self._review is not None:
            self._review_on()
            return
        if isinstance(command.target, FrontEnd):
            LOCAL[command.target.name](self, argument)
            return
        before = self.core.visible
        earned = self._names_earned() if command.id == "next" and self.at_stage_end and not before.at_end else []
        self.told(self.core.do(command.id, argument), before, earned)

    def _read(self) -> str | None:
        """The next line without its end; None at the end of the input. What is far too long is cut."""
        line = self._stdin.readline(LONGEST)
        rest = line
        while rest and not rest.endswith("\n") and len(rest) == LONGEST:
            rest = self._stdin.readline(LONGEST)
        if not line:
            return None
        line = line.rstrip("\r\n")
        if not self._shown:
            self.page.echo(line)
        return line

    def say(self, text: str) -> None:
        """A sentence of the core, its covered numbers in words."""
        self.page.say(plain.worded(clean(text), COVERED).replace(BLANK, "?"))

    def tell(self, parts: list[Paragraph]) -> None:
        self.page.parts(parts)

    def told(self, reply: Reply, before: VisibleLesson, earned: list[Paragraph] | None = None) -> None:
        """What a command led to: its messages, then whatever there is to be read now."""
        self._messages(reply)
        if reply.page is not None:
            self.say(f"{reply.page.title[:1].upper()}{reply.page.title[1:]}:")
            for line in reply.page.lines:
                self.page.say(clean(line.text), 2)
        self.tell(earned or [])
        if reply.changed("digits"):
            self.session.set_setting("digits", self.core.visible.digits)
            self.say("Type values to hear this step so.")
        for change in reply.changes:
            if change.what == "tensor" and (before.view(change.tensor).states == COVERED_CELL).any():
                self.say(f"Now {change.tensor} shows.")
                self.tell(self.narrator().tensor(change.tensor, again=True))
        if reply.changed("stage"):
            self.enter()
        elif reply.changed("step", "cover"):
            self.page.blank()
            self.step()
        elif reply.changed("dials"):
            self.heard.clear()
            self.step()

    def _messages(self, reply: Reply) -> None:
        kinds = {message.kind for message in reply.messages}
        for message in reply.messages:
            if message.kind == "answer" and "marked" not in kinds:
                self.say(f"The lesson's answer: {message.text}")
            elif message.kind not in ("yours", "answer"):  # both stand above in the conversation
                self.say(message.text)

    # ------------------------------------------------------------ where we are

    def narrator(self) -> Narrator:
        visible = self.core.visible
        return Narrator(visible.stage, visible, heard=self.heard, brief=True, compared=self._compared)

    def _compared(self) -> str:
        from tui_attention.export.compare import compare, told

        return told(compare(self.core.walk.opened.run))

    def change_lesson(self, name: str) -> None:
        """Go over to another lesson. Raises BadInput or LessonError, and then nothing changes."""
        self.core = self.controller(self.session.change_lesson(name))
        self.page.blank()
        self.greet()

    def taken_up(self, walk: Walk) -> None:
        """Another walk of the same lesson, in place of the one that was open."""
        self.core = self.controller(walk)
        self.page.blank()
        self.greet()

    # ------------------------------------------------------------ review

    def _begin_review(self, minutes: float) -> None:
        """The conversation begins with a review; with the lesson, where there is none."""
        try:
            self.reviewed("", minutes)
        except BadInput as error:
            self.say(refusal(str(error)).text)
        if self._review is None:
            self.greet()

    def _say_due(self) -> None:
        if any(answer.kinds for answer in self.session.store.answers()):
            from tui_attention.practice.review import due_count

            if count := due_count(self.session.store, where=self.session.kept_at):
                self.say(f"To review: {count}. Type review for them.")

    def fresh_numbers(self) -> None:
        """The stage at hand on the next variant's numbers. Raises BadInput."""
        if self._review is not None:
            raise BadInput("a review has fresh numbers already")
        self.core = self.controller(self.session.fresh_numbers())
        self.say(f"Variant {self.core.visible.variant}: this stage on fresh numbers. What was done before is kept.")
        self.enter()

    def reviewed(self, kind: str, minutes: float | None = None) -> None:
        """Begin a review, of one kind of slip where it is named, or end the one that is going on. Raises BadInput."""
        from tui_attention.practice.review import ENDED, MINUTES, NOTHING_DUE, Review

        if self._review is not None:
            self._end_review(ENDED)
            return
        wanted = frozenset({kind.replace(" ", "-")}) if kind else None
        lasts, where = MINUTES if minutes is None else minutes, self.session.kept_at
        review = Review(self.session.store, minutes=lasts, kinds=wanted, where=where)
        if not review.next():
            self.say(NOTHING_DUE)
            return
        self._review, self._waits = review, self.core
        self._review_question()

    def _review_on(self) -> None:
        """The next question of the review, or its end."""
        if self._review is None:
            return
        if self._review.next():
            self._review_question()
            return
        self._end_review(self._review.summed_up())

    def _review_question(self) -> None:
        from tui_attention.practice.review import ReviewCover

        review = self._review
        if review is None or review.walk is None or review.key is None:
            return
        self.core = LessonController(review.walk, policy=ReviewCover(), asks_uncovered=False)
        self.core.only = review.ref
        self.core.focus = review.ref if isinstance(review.ref, CellRef) else None
        state = review.state()
        self.page.blank()
        variant = f", variant {self.core.visible.variant}" if self.core.visible.variant else ""
        left = f"{state.left} more after this" if state.left else "the last one"
        self.say(f"Review, {left}. next goes on, review ends it.")
        self.say(f"{self.core.visible.title}{variant}. {heading(self.core)}.")
        self.heard.clear()
        self.step()

    def _end_review(self, says: str) -> None:
        self._review = None
        if self._waits is not None:
            self.core, self._waits = self._waits, None
        self.say(says)
        self.enter()

    def greet(self) -> None:
        """The lesson, its inputs, and the place where the walk goes on."""
        visible = self.core.visible
        other = f' Other sentence: "{visible.inputs.other}".' if visible.inputs.other is not None else ""
        self.say(f"{visible.title}. {visible.inputs.told}{other}")
        if visible.turned():
            self.say(f"Dials turned: {len(visible.turned())}.")
        covered = "covered until you have worked them out" if visible.cover else "not covered, and nothing is asked"
        self.say(f"The numbers are {covered}. Type help for all the words that you can type, quit to leave.")
        if self.session.resumed:
            self.say("You go on where you left; type again to hear all of it.")
        self.enter()

    def enter(self) -> None:
        """Tell a stage from here: its wall, if this is its first step, and the step at hand."""
        self.heard.clear()
        self._earned = ""
        self.page.blank()
        self.say(f"{heading(self.core)}.")
        if self.core.visible.place.step == 0:
            self.tell(self.narrator().wall())
        self.step()

    def step(self) -> None:
        """Tell the step at hand, and the stage's end if this is its last."""
        self.core.arrive()
        self._asked = None
        narrator = self.narrator()
        if self.core.visible.step is not None:
            self.tell(narrator.step(self.core.visible.place.step))
        if self.at_stage_end:
            self.tell(narrator.end())

    @property
    def at_stage_end(self) -> bool:
        visible = self.core.visible
        return visible.place.step >= len(visible.stage.steps) - 1

    def _names_earned(self) -> list[Paragraph]:
        """The names that the stage has earned: once its questions are done with, and once only."""
        stage = self.core.visible.stage
        if self._earned == stage.id:
            return []
        self._earned = stage.id
        return self.narrator().earned()

    # ------------------------------------------------------------ asking

    def asked(self) -> AskedKind:
        """What a line that is no command would be now."""
        if self.core.marking:
            return "mark"
        question = self.core.question()
        return "nothing" if question is None else "sentence" if question.sentence else "number"

    def invite(self) -> None:
        """Ask what is open, say what may be typed, and wait."""
        if self.session.trouble and self.session.trouble != self._trouble:
            self._trouble = self.session.trouble
            self.say(self._trouble)
        question, asked = self.core.question(), self.asked()
        if asked == "nothing" and self.at_stage_end:
            self.tell(self._names_earned())
        if question is not None and asked != "mark" and question.ref != self._asked:
            self._ask(question)
        match asked:
            case "mark":
                self.say("Mark yourself. Type had, partly or not yet.")
            case "sentence":
                self.say("Type your answer on one line, or reveal, next, help.")
            case "number":
                offer = self.core.offer
                keep = ", keep" if offer is not None and question and offer.cell == question.ref else ""
                count = self.core.visible.asked_decimals(question) if question is not None else None
                wanted = f" ({decimals(count)})" if count is not None else ""
                self.say(f"Type your number{wanted}, or why, hint, reveal{keep}, next, help.")
            case "nothing" if self._review is not None:
                was = f"{self._review.was} " if self._review.settled else ""
                self.say(f"{was}Type next to go on, or review to end it.")
            case "nothing":
                end = self.core.visible.at_end
                self.say(f"Type {'next for the summary' if end else 'next'}, back or help.")
        self.page.prompt({"mark": "mark> ", "sentence": "sentence> ", "number": "number> ", "nothing": "> "}[asked])

    def _ask(self, question: Question) -> None:
        self._asked = question.ref
        self.core.go_on()
        asking = self.core.asking()
        which = f" {asking.place} of {asking.count}" if asking.count > 1 else ""
        self.say(f"CHECK{which}. {asking.ask}")
        if asking.kind == "number" and not self._promised:
            self._promised = True
            self.say(PROMISE)
        self.core.prepare()  # so that the verdict does not wait

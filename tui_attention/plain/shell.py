"""The conversation: what is asked, what an answer leads to, and what may be typed next."""

from __future__ import annotations

from typing import TextIO

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.judge.reading import Reading, read
from tui_attention.plain.examples import Examples, examples
from tui_attention.plain.narration import COVERED, Narrator, stage_name
from tui_attention.plain.page import Paragraph, Transcript, clean, sentence
from tui_attention.plain.words import Asked, command
from tui_attention.render import plain
from tui_attention.session import Session
from tui_attention.walk.events import Outcome
from tui_attention.walk.ledger import Mark, State
from tui_attention.walk.questions import Question
from tui_attention.walk.view import BLANK
from tui_attention.walk.view import COVERED as COVERED_CELL
from tui_attention.walk.walk import Walk

LONGEST = 10_000
MOST_CELLS = 6
MARKS: dict[str, Mark] = {
    "had": "had", "had it": "had", "yes": "had", "partly": "partly", "part": "partly", "not yet": "not yet",
    "not": "not yet", "no": "not yet",
}  # fmt: skip
PAID: dict[State, str] = {
    "paid": "Paid.",
    "helped": "Paid with help.",
    "borrowed": "Counted as borrowed, since it had been shown.",
    "open": "Left open.",
}


class Shell:
    """One learner's conversation on one page."""

    def __init__(self, session: Session, page: Transcript, stdin: TextIO) -> None:
        self.session = session
        self.page = page
        self._stdin = stdin
        self._shown = stdin.isatty()  # a terminal shows what is typed by itself
        self.heard: set[str] = set()
        self.passed: set[str] = set()
        self.marking: Question | None = None
        self.kept: tuple[str, float] | None = None
        self.done = False
        self._asked = ""
        self._trouble = ""
        self._earned = ""  # the stage whose names were told

    @property
    def walk(self) -> Walk:
        return self.session.walk

    # ------------------------------------------------------------ the loop

    def run(self) -> None:
        """Until `quit` or the end of the input."""
        from tui_attention.plain.commands import DO

        self.greet()
        while not self.done:
            self.invite()
            line = self._read()
            if line is None:
                self.page.end_line()
                return
            try:
                found = command(line, self.asked(), self.walk)
                if found is None:
                    self.take(line)
                else:
                    DO[found[0].name](self, found[1])
            except (BadInput, LessonError) as error:
                self.say(sentence(f"{str(error)[:1].upper()}{str(error)[1:]}"))

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

    @property
    def examples(self) -> Examples:
        """What may be typed in this lesson."""
        return examples(self.walk)

    def say(self, text: str) -> None:
        """A sentence of the walk or the judge, its covered numbers in words."""
        self.page.say(plain.worded(text, COVERED).replace(BLANK, "?"))

    def tell(self, parts: list[Paragraph]) -> None:
        self.page.parts(parts)

    # ------------------------------------------------------------ where we are

    def narrator(self) -> Narrator:
        return Narrator(self.walk.stage, self.walk.visible, heard=self.heard, brief=True)

    def greet(self) -> None:
        """The lesson, its inputs, and the place where the walk goes on."""
        walk, inputs = self.walk, self.walk.run.graph.inputs
        other = f' Other sentence: "{inputs.other}".' if inputs.other is not None else ""
        self.say(f'{walk.run.lesson.title}. Prompt: "{inputs.prompt}".{other}')
        if walk.run.graph.turned:
            self.say(f"Dials turned: {len(walk.run.graph.turned)}.")
        covered = "covered until you have worked them out" if walk.covered else "not covered, and nothing is asked"
        self.say(f"The numbers are {covered}. Type help for all the words that you can type, quit to leave.")
        if self.session.resumed:
            self.say("You go on where you left; type again to hear all of it.")
        self.enter()

    def heading(self) -> str:
        walk = self.walk
        numbers = [walk.stage_number(place) for place in range(len(walk.stages))]
        return stage_name(walk.stages, numbers, walk.place.stage)

    def enter(self) -> None:
        """Tell a stage from here: its wall, if this is its first step, and the step at hand."""
        self.heard.clear()
        self._earned = ""
        self.page.blank()
        self.say(f"{self.heading()}.")
        if self.walk.place.step == 0:
            self.tell(self.narrator().wall())
        self.step()

    def step(self) -> None:
        """Tell the step at hand, and the stage's end if this is its last."""
        self.passed.clear()
        self.marking = None
        self._asked = ""
        narrator = self.narrator()
        if self.walk.step is not None:
            self.tell(narrator.step(self.walk.place.step))
        if self.at_stage_end:
            self.tell(narrator.end())

    @property
    def at_stage_end(self) -> bool:
        return self.walk.place.step >= len(self.walk.stage.steps) - 1

    def tell_earned(self) -> None:
        """The names that the stage has earned: once its questions are done with, and once only."""
        if self._earned != self.walk.stage.id:
            self._earned = self.walk.stage.id
            self.tell(self.narrator().earned())

    # ------------------------------------------------------------ asking

    def question(self) -> Question | None:
        """The first question here that is neither settled nor left aside; none while the numbers are uncovered."""
        if not self.walk.covered:
            return None
        entry = self.walk.ledger.entry
        found = (asked for asked in self.walk.questions() if asked.key not in self.passed)
        return next((asked for asked in found if not entry(asked.key).settled), None)

    def asked(self) -> Asked:
        if self.marking is not None:
            return "mark"
        question = self.question()
        return "nothing" if question is None else "sentence" if question.sentence else "number"

    def invite(self) -> None:
        """Ask what is open, say what may be typed, and wait."""
        if self.session.trouble and self.session.trouble != self._trouble:
            self._trouble = self.session.trouble
            self.say(self._trouble)
        question, asked = self.question(), self.asked()
        if asked == "nothing" and self.at_stage_end:
            self.tell_earned()
        if question is not None and asked != "mark" and question.key != self._asked:
            self._ask(question)
        end = self.walk.at_end
        match asked:
            case "mark":
                self.say("Mark yourself. Type had, partly or not yet.")
            case "sentence":
                self.say("Type your answer on one line, or reveal, next, help.")
            case "number":
                keep = ", keep" if self.kept and question and self.kept[0] == question.key else ""
                self.say(f"Type your number, or why, hint, reveal{keep}, next, help.")
            case "nothing":
                self.say(f"Type {'next for the summary' if end else 'next'}, back or help.")
        self.page.prompt({"mark": "mark> ", "sentence": "sentence> ", "number": "number> ", "nothing": "> "}[asked])

    def _ask(self, question: Question) -> None:
        self._asked = question.key
        here = [asked.key for asked in self.walk.questions()]
        which = f" {here.index(question.key) + 1} of {len(here)}" if len(here) > 1 else ""
        self.say(f"CHECK{which}. {self.walk.ask(question)}")
        if not question.sentence:
            self.walk.prepare(question)  # so that the verdict does not wait

    # ------------------------------------------------------------ answering

    def take(self, line: str) -> None:
        """A line that is no command: a mark, a sentence, a number, or `a[0,2] = 0.92` for any cell."""
        question = self.question()
        if self.marking is not None:
            self._take_mark(self.marking, line)
        elif question is not None and question.sentence:
            self._take_sentence(question, line)
        else:
            self._take_number(question, line)

    def _take_mark(self, question: Question, line: str) -> None:
        mark = MARKS.get(" ".join(line.casefold().strip(" .!").split()))
        if mark is None:
            self.say("That is no mark.")
            return
        self.walk.mark(question.key, mark)
        self.marking = None
        self.passed.add(question.key)
        self.say({"had": "Paid.", "partly": "Paid with help.", "not yet": "It stays open; come back to it."}[mark])

    def _take_sentence(self, question: Question, line: str) -> None:
        if not line.strip():
            self.say("Nothing was typed.")
            return
        self.tell_answer(question)
        self.marking = question

    def tell_answer(self, question: Question) -> None:
        """The lesson's own answer to a sentence."""
        if question.check is not None:
            self.say(f"The lesson's answer: {self.walk.text(question.check.answer) or ''}")

    def _take_number(self, question: Question | None, line: str) -> None:
        reading = read(line)
        key = self._labelled(reading) or (question.key if question else None)
        if key is None:
            if line.strip():
                typed = f"{self.examples.cell} = 0.41"
                self.say(f"Nothing is asked here. A number for a covered cell is typed with its name: {typed}")
            return
        hidden = self._hides(key)
        outcome = self.walk.answer(key, line)
        self.told(outcome, line)
        if outcome.opened and hidden:
            self.say(f"Now {outcome.opened} shows.")
            self.tell(self.narrator().tensor(outcome.opened, again=True))

    def _hides(self, key: str) -> bool:
        """Whether any cell of the tensor that a key belongs to is covered."""
        question = self.walk.question(key)
        return question.of_cell and bool((self.walk.view(question.name).states == COVERED_CELL).any())

    def _labelled(self, reading: Reading) -> str | None:
        """The cell that stands before an equals sign, if the lesson has it."""
        if not reading.label:
            return None
        try:
            self.walk.run.graph.locate(reading.label)
        except BadInput:
            return None
        return reading.label

    def told(self, outcome: Outcome, line: str) -> None:
        """What the judge says of an answer."""
        verdict, question = outcome.verdict, outcome.question
        if verdict.read.kind == "number" and verdict.read.echo != line.strip():
            self.say(f"Read: {clean(verdict.read.echo)}.")
        self.say(verdict.says)
        self.kept = None
        if verdict.accepted:
            self.say(PAID[outcome.state])
        elif verdict.kind == "slip":
            self.look(verdict.cells)
            if question.of_cell and verdict.value is not None:
                self.kept = (question.key, verdict.value)

    def look(self, cells: tuple[str, ...]) -> None:
        """The cells that a verdict or a hint is about, with their numbers where these may be read."""
        graph = self.walk.run.graph
        found = [graph.cell(*graph.locate(cell)) for cell in cells[:MOST_CELLS]]
        if found:
            more = f" and {len(cells) - MOST_CELLS} more" if len(cells) > MOST_CELLS else ""
            self.say(f"Look at {', '.join(f'{c.address} {self.walk.visible.show(c)}' for c in found)}{more}.")

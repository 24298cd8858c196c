"""A learner's seat at a lesson: the walk, the cell cursor, the line being typed, what was said. No Textual."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from tui_attention.engine.errors import BadInput
from tui_attention.engine.tensor import address
from tui_attention.judge.hint_levels import HINT_LEVELS
from tui_attention.render.answer_panel import AnswerPanel, Said
from tui_attention.render.rows import CellKey
from tui_attention.ui.editor import LABELS, Editor, Purpose
from tui_attention.ui.stand import Stand
from tui_attention.walk.events import Change, Outcome
from tui_attention.walk.ledger import Mark
from tui_attention.walk.questions import Question
from tui_attention.walk.view import COVERED, DIGITS
from tui_attention.walk.walk import Walk

if TYPE_CHECKING:
    from tui_attention.judge.number import Number

Wish = Literal["", "end", "working"]
MARKS: tuple[tuple[str, Mark, str], ...] = (
    ("1", "had", "had it"),
    ("2", "partly", "partly"),
    ("3", "not yet", "not yet"),
)


class Seat(Stand):
    """What a learner sees and does at one place of a lesson; every screen and key goes through it."""

    def __init__(self, walk: Walk, *, ascii: bool = False) -> None:
        super().__init__(walk, ascii=ascii)
        self.editor: Editor | None = None
        self.said: tuple[Said, ...] = ()
        self.slips: frozenset[str] = frozenset()
        self.asked: Question | None = None
        self.marking = False
        self.named: tuple[str, float] | None = None
        self.left = ("", "")

    # ------------------------------------------------------------ what is seen

    def target(self) -> Question | None:
        """The question that a number typed now would answer: the covered cell at the cursor, else the open CHECK."""
        if self.cursor is not None and self.walk.visible.state(self.cursor.name, self.cursor.at) == COVERED:
            try:
                return self.walk.question(self.cursor.source)
            except BadInput:
                return self.walk.open_question()
        return self.walk.open_question()

    def answer_panel(self) -> AnswerPanel:
        question = self.asked if self.asked is not None else self.target()
        editor = self.editor
        ask = self.walk.ask(question) if question else ""
        if editor is not None and editor.purpose not in ("number", "sentence"):
            ask = self._purpose_text(editor)
            question = None
        return AnswerPanel(
            self.cursor,
            self._check_label(question),
            ask,
            LABELS[editor.purpose] if editor else "",
            editor.text if editor else "",
            editor.caret if editor else 0,
            not (editor and editor.judged),
            self.said,
            tuple((key, says) for key, _, says in MARKS) if self.marking else (),
            self._invite(question),
            self._onward(),
        )

    def _check_label(self, question: Question | None) -> str:
        if question is None:
            return ""
        if question.check is None:
            return "CELL "
        keys = [asked.key for asked in self.walk.questions()]
        if len(keys) < 2 or question.key not in keys:
            return "CHECK "
        return f"CHECK {keys.index(question.key) + 1}/{len(keys)} "

    def _invite(self, question: Question | None) -> str:
        if question is None:
            return "All CHECKs here are settled: n goes on." if self.walk.questions() else ""
        entry = self.walk.ledger.entry(question.key)
        if entry.settled:
            return ""
        return "Enter: answer in your own words" if question.sentence else "type the number, or press Enter"

    def _onward(self) -> str:
        """What comes next, once an answer has been settled."""
        if self.asked is None or self.marking or not self.walk.ledger.entry(self.asked.key).settled:
            return ""
        return "Enter: the next CHECK here" if self.walk.open_question() is not None else "n goes on"

    def _purpose_text(self, editor: Editor) -> str:
        inputs = self.walk.run.graph.inputs
        match editor.purpose:
            case "goto":
                return "A stage (its name or number) or a cell such as q[0,2]."
            case "turn":
                return (
                    f"The dial {editor.target}: which number should stand there? All that follows is computed anew."
                )
            case "ticket":
                return f"The ticket is {inputs.ticket}; a number from 0 to 1."
            case _:
                vocabulary = self.walk.run.graph.program.vocabulary
                return f"Up to {vocabulary.most} of: {vocabulary.listed()}"

    # ------------------------------------------------------------ arriving

    def settle_in(self) -> None:
        """At a new place: nothing is typed or said, and the cursor stands where the first question is."""
        self.changed()
        self.editor = None
        self.hush()
        self.home()

    def tell(self, says: str | None) -> None:
        """Something that is no answer to a key."""
        if says:
            self.said = (*self.said, Said(_sentence(says), "hint"))

    def hush(self) -> None:
        """Let go of what was said."""
        self.said, self.slips, self.asked, self.marking, self.named = (), frozenset(), None, False, None

    def go(self, move: Callable[[], Change]) -> Wish:
        """A step on or back. At the end of the lesson, a wish for the end screen."""
        change = move()
        if change.what == "nothing":
            if self.walk.at_end and move == self.walk.next:
                return "end"
            self.said = (Said(change.says),) if change.says else ()
            return ""
        self.settle_in()
        return ""

    def place_cursor(self, key: CellKey) -> None:
        super().place_cursor(key)
        if not self.marking and self.editor is None:
            self.hush()

    # ------------------------------------------------------------ typing

    def open(self, purpose: Purpose, target: str = "", text: str = "") -> None:
        self.hush()
        # What stands in an input already is replaced by what is typed, unless the caret is moved first.
        given = bool(text) and purpose not in ("number", "sentence", "goto")
        self.editor = Editor(purpose, target, text, len(text), judged=given)

    def open_answer(self, first: str = "") -> bool:
        """The answer line for the question at hand; False when there is none."""
        self.hush()
        question = self.target()
        if question is None:
            return False
        left, text = self.left
        self.open("sentence" if question.sentence else "number", question.key)
        if not question.sentence:
            self.walk.prepare(question)
        if self.editor is not None:
            self.editor.insert(first or (text if left == question.key else ""))
        return True

    def take_up(self, target: str, typed: str) -> bool:
        """An answer that was half typed, back on its line; False where it is not asked here: there when it is."""
        asked, cell = self.walk.open_question(), self.document().find(target)
        if asked is None or asked.key != target:
            if cell is None or self.walk.visible.state(cell.name, cell.at) != COVERED:
                self.left = (target, typed)
                return False
            self.cursor, self.at_home = cell, True
        self.open("sentence" if asked and asked.key == target and asked.sentence else "number", target, typed)
        return True

    def close(self) -> None:
        """Leave the line; what was typed for a question is there again when it is opened with Enter."""
        editor, named = self.editor, self.named
        if editor is not None and editor.purpose in ("number", "sentence"):
            self.left = (editor.target, "" if editor.judged else editor.text)
        self.editor = None
        self.hush()
        if named is not None:
            self.named = named
            self.said = (Said(f"k keeps your {named[1]:g}, h gives a hint."),)

    @property
    def judged(self) -> bool:
        """Whether the line that is open holds a number that has been judged: letters are keys again then."""
        return self.editor is not None and self.editor.judged and self.editor.purpose == "number"

    def enter(self) -> Wish:
        """Enter where nothing is typed: on to the next question, or the answer line, or the cell's working."""
        if self.asked is not None and self.walk.ledger.entry(self.asked.key).settled:
            self.hush()
            if self.walk.open_question() is not None:
                self.home()
                return ""
        cell = self.cursor
        covered = cell is not None and self.walk.visible.state(cell.name, cell.at) == COVERED
        if (covered or self.walk.open_question() is not None) and self.open_answer():
            return ""
        return "working" if cell is not None else ""

    def submit(self) -> None:
        """Enter on the line that is open."""
        editor = self.editor
        if editor is None:
            return
        try:
            self._submit(editor)
        except BadInput as error:
            self.said = (Said(_sentence(str(error)), "bad"),)
            editor.judged = True

    def _submit(self, editor: Editor) -> None:
        text = editor.text
        match editor.purpose:
            case "number":
                self._judged(editor, self.walk.answer(editor.target, text))
            case "sentence":
                self._committed(editor.target)
            case "goto":
                self._gone(text)
            case "turn":
                self._turned(editor)
            case "prompt" | "other":
                changed = (text, None) if editor.purpose == "prompt" else (None, text)
                self._anew(self.walk.change_inputs(*changed))
            case "ticket":
                self._anew(self.walk.change_inputs(ticket=_number(text, "the ticket is a number from 0 to 1").value))

    def _judged(self, editor: Editor, outcome: Outcome) -> None:
        verdict = outcome.verdict
        self.asked = outcome.question
        style = "good" if verdict.accepted else "bad" if verdict.attempt else "told"
        sentences = [slip.says for slip in verdict.slips] or [verdict.says]
        self.said = tuple(Said(_sentence(text), style) for text in dict.fromkeys(sentences) if text)
        self.slips = frozenset(cell for slip in verdict.slips for cell in slip.cells)
        value = verdict.value
        kept = value is not None and verdict.kind == "slip" and outcome.question.of_cell
        self.named = (outcome.question.key, value) if kept and value is not None else None
        editor.judged = True
        self.changed()
        if verdict.accepted:
            self.editor = None
        self.keep_cursor()

    def _committed(self, key: str) -> None:
        question = self.walk.question(key)
        self.editor = None
        self.asked = question
        self.marking = True
        answer = question.check.answer if question.check else ""
        self.said = (Said(self.walk.text(" ".join(answer.split())) or "", "told"),)

    def mark(self, key: str) -> None:
        """The learner's mark on a sentence: 1 had it, 2 partly, 3 not yet."""
        found = next(((mark, says) for pressed, mark, says in MARKS if pressed == key), None)
        if found is None or self.asked is None:
            return
        mark, says = found
        asked = self.asked
        self.walk.mark(asked.key, mark)
        self.changed()
        self.hush()
        self.asked = asked
        self.said = (Said(f"Marked: {says}.", "good" if mark == "had" else "told"),)

    def _gone(self, text: str) -> None:
        self.walk.goto(text)
        self.settle_in()
        if "[" in text:
            name, index = self.walk.run.graph.source(*self.walk.run.graph.locate(text.strip()))
            self.cursor = self.document().find(address(name, index)) or self.cursor

    def _turned(self, editor: Editor) -> None:
        found = _number(editor.text, "a dial is a number")
        change = self.walk.turn(editor.target, found.value, found.decimals if found.decimals is not None else 4)
        self._anew(change)

    def _anew(self, change: Change) -> None:
        cursor = self.cursor
        self.settle_in()
        if cursor is not None:
            self.cursor = self.document().find(cursor.source) or self.cursor
        self.said = (Said(change.says),)

    # ------------------------------------------------------------ help with an answer

    def hint(self) -> None:
        question = self._for_help()
        if question is None:
            return
        if question.sentence:
            self.said = (Said("Press Enter, say it in a sentence, and compare with ours.", "hint"),)
            return
        hint = self.walk.hint(question.key)
        self.changed()
        self.keep_cursor()
        self.asked = question
        self.said = (Said(f"Hint {hint.level} of {HINT_LEVELS}: {hint.says}", "hint"),)
        self.slips = frozenset(hint.cells)

    def reveal(self) -> None:
        question = self._for_help()
        if question is None:
            return
        if question.sentence:
            self._committed(question.key)
            return
        self.walk.reveal(question.key)
        self.editor = None
        self.changed()
        self.keep_cursor()
        self.asked = question
        number = (
            self.walk.visible.line(question.name, question.index).result
            if question.of_cell
            else self.walk.working(question).cell.printed
        )
        self.said = (Said(f"Borrowed: {number}", "told"),)

    def _for_help(self) -> Question | None:
        if self.editor is not None and self.editor.purpose == "number":
            return self.walk.question(self.editor.target)
        if self.asked is not None and self.walk.ledger.entry(self.asked.key).settled:
            # The next question is read before it is helped with.
            self.hush()
            if self.walk.open_question() is not None:
                self.home()
                return None
        question = self.asked or self.target()
        if question is None:
            self.said = (Said("Nothing is asked here that is still open."),)
        return question

    def keep(self) -> None:
        """Keep one's own number on purpose."""
        if self.named is None:
            self.said = (Said("There is no number of yours here whose slip was named."),)
            return
        key, value = self.named
        self.walk.keep(key, value)
        self.editor = None
        self.changed()
        self.hush()
        self.said = (Said(f"Kept: later rows are judged from your {value:g} at {key} as well."),)

    def digits(self) -> None:
        place = DIGITS.index(self.walk.digits)
        self.walk.digits = DIGITS[(place + 1) % len(DIGITS)]
        self.changed()
        self.keep_cursor()
        says = {"printed": "as printed", "pencil": "as a pencil gets them", "all": "all digits"}
        self.said = (Said(f"Digits: {says[self.walk.digits]}."),)

    def turn(self) -> None:
        cell = self.cursor
        if cell is None or self.walk.run.graph.tensor(cell.source.partition("[")[0]).origin != "dial":
            self.said = (Said("Put the cursor on a dial, a number of an input table, to turn it."),)
            return
        shown = self.walk.view(cell.name).text(cell.at)
        self.open("turn", cell.source, shown)

    def undo(self) -> None:
        self._anew(self.walk.undo())

    def edit_input(self, purpose: Purpose) -> None:
        inputs = self.walk.run.graph.inputs
        found = {"prompt": inputs.prompt, "other": inputs.other, "ticket": inputs.ticket}[purpose]
        if found is None:
            says = "This lesson has one sentence only." if purpose == "other" else "This lesson draws no ticket."
            self.said = (Said(says),)
            return
        self.open(purpose, "", f"{found:g}" if isinstance(found, float) else str(found))


def _number(text: str, expected: str) -> Number:
    """A number as the judge reads it. Raises BadInput."""
    from tui_attention.judge.reading import read

    reading = read(text)
    if not reading.numbers:
        raise BadInput(reading.why or expected)
    return reading.numbers[-1]


def _sentence(text: str) -> str:
    """With a capital where the first word is plain, and a full stop."""
    text = text.strip()
    return text if not text or text[-1] in ".!?:" else text + "."

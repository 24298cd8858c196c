"""A learner's seat at a lesson: the controller, the cell cursor, the line being typed. No Textual."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from typing import Literal

from tui_attention.engine.errors import BadInput
from tui_attention.interaction.commands import BY_ID
from tui_attention.interaction.controller import Asking, LessonController
from tui_attention.interaction.messages import Message, MessageKind, Reply, ReplyPage, Tone, sentence
from tui_attention.interaction.words import MARKS
from tui_attention.judge.promise import PROMISE, decimals
from tui_attention.render.answer_panel import AnswerPanel
from tui_attention.render.panel import Layout, layout
from tui_attention.render.rows import CellKey
from tui_attention.ui.editor import Editor, Purpose, label_of
from tui_attention.ui.stand import Stand
from tui_attention.walk.questions import Question
from tui_attention.walk.refs import CellRef, Ref, parse_ref
from tui_attention.walk.view import COVERED

Wish = Literal["", "end", "working"]
NOT_SHOWN: frozenset[MessageKind] = frozenset({"read", "state", "look", "left", "cover", "working", "end"})
"""What the screen shows by itself: in the header, in the matrices, on the end page."""

ANY_CELL = (
    "type the number{}, or with the arrows any covered cell",
    "type it{}, or move to another cell",
    "type it, or move to another cell",
)
WALKING = ("n", "p", "N", "P")


class Seat(Stand):
    """What a learner sees and does at one place of a lesson; every screen and key goes through it."""

    def __init__(self, core: LessonController, *, ascii: bool = False) -> None:
        super().__init__(core, ascii=ascii)
        self._editor: Editor | None = None
        self.page: ReplyPage | None = None
        self.aside: Ref | None = None
        """The sentence whose line was left: letters are keys again."""
        self.letters = True
        """Whether a letter begins a sentence where one is asked."""
        self.afterwards = ""
        """What a review says of its question once it is settled."""
        self._laid: tuple[object, Layout] | None = None
        self.drafts: dict[str, str] = {}
        """What is half typed, by the question that it is for: whatever leads away from a line, it is there again."""

    @property
    def editor(self) -> Editor | None:
        """The line that is open to type on."""
        return self._editor

    @editor.setter
    def editor(self, editor: Editor | None) -> None:
        self._note_draft()
        self._editor = editor

    def _note_draft(self) -> None:
        editor = self._editor
        if editor is None or editor.purpose not in ("number", "sentence"):
            return
        text = "" if editor.judged else editor.text
        if text:
            self.drafts[str(editor.target)] = text
        else:
            self.drafts.pop(str(editor.target), None)

    def half_typed(self) -> dict[str, str]:
        """The drafts as they are now, that on the open line among them."""
        self._note_draft()
        return dict(self.drafts)

    # ------------------------------------------------------------ what is seen

    @property
    def said(self) -> tuple[Message, ...]:
        """What is shown of what was said last."""
        return tuple(message for message in self.core.said if message.kind not in NOT_SHOWN)

    @property
    def slips(self) -> frozenset[CellRef]:
        """The cells that what was said last is about."""
        return frozenset(cell for message in self.said for cell in message.cells)

    @property
    def marking(self) -> bool:
        return self.core.marking

    def answer_panel(self) -> AnswerPanel:
        editor = self.editor
        typing = editor is not None and editor.purpose not in ("number", "sentence")
        asking = Asking("nothing") if typing else self.core.asking()
        number = asking.kind == "number" and not asking.settled
        return AnswerPanel(
            self.cursor if typing else self.line_cell(),
            _check_label(asking),
            self._purpose_text(editor) if editor is not None and typing else asking.ask,
            label_of(editor.purpose) if editor else "",
            editor.text if editor else "",
            editor.caret if editor else 0,
            not (editor and editor.judged),
            self.said,
            tuple((mark.key, mark.says) for mark in MARKS) if self.marking else (),
            "" if typing else self._invite(asking),
            self._onward(),
            decimals(asking.decimals) if number and asking.decimals is not None else "",
            PROMISE if number and asking.decimals else "",
        )

    def layout(self) -> Layout:
        """The panel as it is now."""
        desk, wanted = self.answer_panel(), self.wanted()
        wall = self.walls.get(self.walk.stage.id)
        key = (self._version, self.options, desk, wanted, wall, self.size[1])
        if self._laid is None or self._laid[0] != key:
            self._laid = key, layout(self.walk.visible, self.options, desk, self.size[1], wanted=wanted, wall=wall)
        return self._laid[1]

    def _invite(self, asking: Asking) -> str:
        if asking.question is None:
            return "All CHECKs here are settled: n goes on." if self.walk.questions() else ""
        if asking.settled:
            return ""
        if asking.kind == "sentence":
            return "Enter: answer in your own words"
        wanted = f" ({decimals(asking.decimals)})" if asking.decimals is not None else ""
        if not self._more_covered(asking.question):
            return f"type the number{wanted}, or press Enter"
        found = (says.format(wanted) for says in ANY_CELL)
        return next((says for says in found if len(says) <= self.width), ANY_CELL[-1].format(wanted))

    def _more_covered(self, asked: Question) -> bool:
        """Whether the step made more cells that are covered: each can be asked."""
        made = self.walk.step.name if self.walk.step is not None else ""
        keys = (key for *_, key in self.document().cells if key.name == made and key.source != asked.ref)
        return any(self.walk.visible.state(key.ref) == COVERED for key in keys)

    def _onward(self) -> str:
        """What comes next, once an answer has been settled."""
        asked = self.core.answered
        if asked is None or self.marking or not self.walk.ledger.entry(asked.ref).settled:
            return ""
        if self.core.open_question() is not None:
            return "Enter: the next CHECK here"
        return f"{self.afterwards} n goes on".strip()

    def _purpose_text(self, editor: Editor) -> str:
        inputs = self.walk.visible.inputs
        match editor.purpose:
            case "goto":
                return f"A stage (its name or number) or a cell such as {self.core.examples.cell}."
            case "turn":
                dial = self.walk.visible.addressed(str(editor.target))
                return f"The dial {dial}: which number should stand there? All that follows is computed anew."
            case "ticket":
                return f"The ticket is {inputs.ticket_text()}; a number from 0 to 1."
            case "prompt" | "other" | "compare":
                vocabulary = self.walk.visible.vocabulary
                return f"Up to {vocabulary.most} of: {vocabulary.listed()}"
            case command:
                form = BY_ID[command].argument.form.format(**asdict(self.core.examples))
                return f"{BY_ID[command].help}. As in: {form.partition(' ')[2] or form}."

    # ------------------------------------------------------------ saying

    def say(self, text: str, style: Tone = "told") -> None:
        """A sentence of the screen's own."""
        self.core.said = (Message("notice", self.walk.visible.addressed(text), style),)

    def tell(self, says: str | None) -> None:
        """Something that is no answer to a key."""
        if says:
            self.core.said = (*self.core.said, Message("hint", sentence(says), "hint"))

    def hush(self) -> None:
        """Let go of what was said."""
        self.core.hush()

    # ------------------------------------------------------------ doing

    def perform(self, command: str, argument: str = "") -> Reply:
        """Do a command of the core, and bring cursor and line to where it led."""
        reply = self.core.do(command, argument)
        self.taken(reply)
        return reply

    def taken(self, reply: Reply) -> None:
        """What a command led to, wherever it was worked out."""
        self._after(reply)
        self.page = reply.page

    def _after(self, reply: Reply) -> None:
        focus = self.core.focus
        if reply.changed():
            self.changed()
        if any(message.kind == "kept" for message in reply.messages):
            self.editor = None
        said = self.core.said
        if reply.changed("step", "stage"):
            self.settle_in()
        elif reply.changed("dials"):
            cursor = self.cursor
            self.settle_in()
            if cursor is not None:
                self.cursor = self.find(cursor.source) or self.cursor
                if self.cursor is None:
                    self.core.focus = cursor.ref  # its number is still to be worked out
        elif focus is not None and (self.cursor is None or focus != self.cursor.ref):
            self.point_at(focus)  # the command led there
        else:
            self.keep_cursor()
        self.core.said = said

    def settle_in(self) -> None:
        """At a new place: nothing is typed or said, and the cursor stands where the first question is."""
        self.changed()
        self.editor = self.aside = None
        self.core.arrive()
        self.home()

    def place_cursor(self, key: CellKey) -> None:
        super().place_cursor(key)
        if not self.marking and self.editor is None:
            self.hush()

    # ------------------------------------------------------------ typing

    def open(self, purpose: Purpose, target: Ref | None = None, text: str = "") -> None:
        self.hush()
        # What stands in an input already is replaced by what is typed, unless the caret is moved first.
        given = bool(text) and purpose not in ("number", "sentence", "goto")
        self.editor = Editor(purpose, target, text, len(text), judged=given)

    def open_for(self, command: str) -> None:
        """The line on which a command asks for its argument; a sentence where the lesson has nothing to change."""
        inputs = self.walk.visible.inputs
        match command:
            case "turn":
                self._open_turn()
            case "prompt":
                self.open("prompt", None, inputs.prompt)
            case "other" if inputs.other is None:
                self.say("This lesson has one sentence only.")
            case "other":
                self.open("other", None, inputs.other or "")
            case "ticket" if inputs.ticket is None:
                self.say("This lesson draws no ticket.")
            case "ticket":
                self.open("ticket", None, inputs.ticket_text())
            case _:
                self.open(command)

    def _open_turn(self) -> None:
        cell = self.cursor
        if cell is None or not self.walk.turns(cell.source):
            self.say("Put the cursor on a dial, a number of an input table or of a mask, to turn it.")
            return
        self.open("turn", cell.source, self.walk.visible.show(cell.ref))

    def asks_sentence(self) -> bool:
        """Whether a sentence is asked now that any letter begins: unless its line was left with Escape."""
        if self.core.answered is not None or not self.walk.covered or not self.letters:
            return False
        question = self.core.question()
        return question is not None and question.sentence and question.ref != self.aside

    def begins_sentence(self, mark: str | None) -> bool:
        """At a CHECK for a sentence, any letter is its first one."""
        return mark is not None and mark.isalpha() and self.asks_sentence()

    def walks_on(self, mark: str | None) -> bool:
        """No sentence begins with `nn` or `pp`: whoever types it, or holds the key, is walking. Closes the line."""
        editor = self.editor
        if editor is None or editor.purpose != "sentence" or mark not in WALKING or editor.text != mark:
            return False
        editor.text = ""
        self.editor = None
        self.hush()
        return True

    def letters_are_keys(self) -> None:
        """Until the place is another one, letters do not begin a sentence."""
        question = self.core.question()
        if question is not None and question.sentence:
            self.aside = question.ref

    def open_answer(self, first: str = "") -> bool:
        """The answer line for the question at hand; False when there is none."""
        self.hush()
        question = self.core.question()
        if question is None:
            return False
        left = self.drafts.get(str(question.ref), "")
        self.open("sentence" if question.sentence else "number", question.ref)
        if not question.sentence and not self.core.in_model:  # there it takes seconds, and Enter waits beside
            self.walk.prepare(question)
        if self.editor is not None:
            self.editor.insert(first or left)
        return True

    def take_up(self, target: str, typed: str) -> bool:
        """An answer that was half typed, back on its line; False where it is not asked here: there when it is."""
        try:
            ref = parse_ref(target)
        except ValueError:
            return False
        asked = self.core.open_question()
        cell = self.find(ref) if isinstance(ref, CellRef) else None
        if asked is None or asked.ref != ref:
            if cell is None or self.walk.visible.state(cell.ref) != COVERED:
                return False
            self.cursor, self.at_home = cell, True
        self.open("sentence" if asked and asked.ref == ref and asked.sentence else "number", ref, typed)
        return True

    def close(self) -> None:
        """Leave the line; what was typed for a question is there again when it is opened with Enter."""
        offer = self.core.offer
        if self.editor is not None and self.editor.purpose == "sentence":
            self.aside = self.editor.target
        self.editor = None
        self.hush()
        if offer is not None:
            self.core.offer = offer
            self.say(f"k keeps your {offer.value:g}, h gives a hint.")

    @property
    def judged(self) -> bool:
        """Whether the line that is open holds a number that has been judged: letters are keys again then."""
        return self.editor is not None and self.editor.judged and self.editor.purpose == "number"

    def enter(self) -> Wish:
        """Enter where nothing is typed: on to the next question, or the answer line, or the cell's working."""
        if self.core.go_on() and self.core.open_question() is not None:
            self.home()
            return ""
        cell = self.cursor
        covered = cell is not None and self.walk.visible.state(cell.ref) == COVERED
        if (covered or self.core.open_question() is not None) and self.open_answer():
            return ""
        return "working" if cell is not None else ""

    def go_to(self, where: str) -> None:
        """To the step that makes a cell, the cursor on it."""
        if not self.perform("goto", where).refused:
            self._point_at(where)

    def takes_time(self, editor: Editor) -> bool:
        """Whether what the line is for may take seconds: in a model, long commands and cells of many terms."""
        return self.core.in_model and (editor.purpose in ("number", "goto") or self.is_slow(editor))

    @staticmethod
    def is_slow(editor: Editor) -> bool:
        """Whether the line's whole command is worked out beside the screen: it changes nothing there."""
        return editor.purpose in BY_ID and BY_ID[editor.purpose].slow

    def warm(self, editor: Editor) -> None:
        """Work out, beside the screen, what the line is about; what is answered then comes at once."""
        with suppress(BadInput):
            if editor.purpose == "goto":
                self.walk.visible.locate(editor.text)
            elif editor.purpose == "number" and editor.target is not None:
                self.walk.prepare(self.walk.question(editor.target))

    def answer(self, editor: Editor) -> Reply:
        """What comes of the line; it may be asked beside the screen."""
        if editor.purpose in ("number", "sentence"):
            cursor = self.cursor
            if cursor is not None and cursor.source == editor.target and cursor.ref != cursor.source:
                self.walk.call(str(cursor.ref))
            return self.core.answer(editor.text, editor.target)
        argument = f"{editor.target} {editor.text}" if editor.purpose == "turn" else editor.text
        return self.core.do(editor.purpose, argument)

    def submit(self) -> None:
        """Enter on the line that is open."""
        if self.editor is not None:
            self.submitted(self.editor, self.answer(self.editor))

    def submitted(self, editor: Editor, reply: Reply) -> None:
        """What came of a line, if it is still the one that is open."""
        if editor.purpose in ("number", "sentence"):
            self._judged(editor, reply)
        else:
            self.taken(reply)
            if not reply.refused and self.editor is editor:
                self.editor = None
            if editor.purpose == "goto" and not reply.refused:
                self._point_at(editor.text)
        if reply.refused and self.editor is not None:
            editor.judged = True

    def _judged(self, editor: Editor, reply: Reply) -> None:
        self.changed()
        editor.judged = True
        asked = self.core.answered
        if self.marking or (asked is not None and any(message.style == "good" for message in reply.messages)):
            self.editor = None
        self.keep_cursor()

    def _point_at(self, text: str) -> None:
        if "[" not in text:
            return
        try:
            ref = self.walk.ref(text.strip())
        except BadInput:
            return
        found = self.find(ref) if isinstance(ref, CellRef) else None
        self.cursor = found or self.cursor

    def mark(self, key: str) -> None:
        """The learner's mark on a sentence: 1 had it, 2 partly, 3 not yet."""
        if self.marking:
            self.core.answer(key)
            self.changed()

    # ------------------------------------------------------------ help with an answer

    def help_with(self, command: str) -> Reply:
        """`hint` or `reveal`, for what is being typed or asked."""
        answers = self.editor is not None and self.editor.purpose == "number"
        target = str(self.editor.target) if self.editor is not None and answers else ""
        before = self.core.answered
        reply = self.perform(command, target)
        if command == "reveal" and not reply.refused:
            self.editor = None
        if before is not None and self.core.answered is None and self.core.open_question() is not None:
            self.home()  # the next question is read before it is helped with
        return reply

    def digits(self) -> None:
        self.perform("digits")


def _check_label(asking: Asking) -> str:
    if asking.question is None:
        return ""
    if asking.question.check is None:
        return "CELL "
    return f"CHECK {asking.place}/{asking.count} " if asking.count > 1 and asking.place else "CHECK "


__all__ = ["Seat", "Wish"]

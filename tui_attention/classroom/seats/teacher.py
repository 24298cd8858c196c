"""The teacher's app: the same lesson, whose place, cover and reveals are the class's; and the class's own pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from textual import events
from textual.binding import BindingType

from tui_attention.classroom.hub.hub import Hub
from tui_attention.classroom.seats.commands import ClassKey
from tui_attention.classroom.seats.led import formula_number, lead_of, order_of, place_of, stage_numbers
from tui_attention.classroom.seats.screens import MOUSE, ClassScreen, bindings_of
from tui_attention.classroom.seats.wired import WiredApp
from tui_attention.engine.errors import BadInput
from tui_attention.ui.screens.main import MainScreen
from tui_attention.walk.refs import CellRef, parse_ref

if TYPE_CHECKING:
    from textual.app import App

    from tui_attention.classroom.hub.state import RoomQuestion
    from tui_attention.classroom.pages.join import Door
    from tui_attention.classroom.seats.lessons import ClassLessons
    from tui_attention.render.rows import Link
    from tui_attention.session import Session
    from tui_attention.ui.seat import Seat
    from tui_attention.walk.questions import Question
    from tui_attention.walk.walk import Walk

TEACHER_KEYS: tuple[ClassKey, ...] = (
    ClassKey("b", "board", "board", "the board: who is where, who is stuck; Enter there shows one learner's screen"),
    ClassKey("J", "join", "join page", "the join page, for the projector"),
    ClassKey("a", "ask", "ask", "ask the room: the cell at the cursor, or the open CHECK"),
    ClassKey("R", "open_up", "reveal", "reveal to all: what the room is asked, else the cell at the cursor"),
    ClassKey("x", "close_question", "ask no more", "the room is asked nothing more"),
    ClassKey("v", "answers", "answers", "the room's answers, as they come in"),
    ClassKey("M", "slips", "mistakes", "the mistakes: the slips of this lesson so far"),
    ClassKey("f", "lead", "lead or free", "lead the class, or let it go"),
    ClassKey("B", "borrowing", "borrowing", "learners may borrow numbers, or may not"),
    ClassKey("E", "export", "export", "write all answers as CSV and JSON"),
    MOUSE,
)
IN_FOOTER: tuple[str, ...] = ("ask", "answers", "open_up", "board", "lead")


class Classroom(Protocol):
    """What the teacher's app needs of the class around it."""

    @property
    def hub(self) -> Hub: ...
    @property
    def door(self) -> Door: ...
    @property
    def trouble(self) -> str | None: ...
    def export(self) -> str: ...
    def app_of(self, member: int) -> App[Any] | None: ...
    def watch(self, member: int, on: bool) -> None: ...
    def ends_with(self, app: App[Any]) -> bool: ...


class TeacherScreen(ClassScreen):
    """The lesson as the teacher walks it: the class follows."""

    CLASS_KEYS: ClassVar[tuple[ClassKey, ...]] = TEACHER_KEYS
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(TEACHER_KEYS)

    def __init__(self, session: Session, lessons: ClassLessons, classroom: Classroom, *, ascii: bool = False) -> None:
        self.classroom = classroom
        self._class_trouble: str | None = None
        self._quits = False
        super().__init__(session, lessons, ascii=ascii)

    @property
    def hub(self) -> Hub:
        return self.classroom.hub

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(1.0, self._look_round)
        if isinstance(self.app, WiredApp) and self.app.terminal is None:
            self.call_after_refresh(self.action_join)  # before the class has come: the room reads it

    def _look_round(self) -> None:
        """Once a second: how many are here, and whether the class can be kept."""
        trouble = self.classroom.trouble
        if trouble != self._class_trouble:
            self._class_trouble = trouble
            self.seat.tell(trouble or "The class's file is written again.")
        self._as_the_room()
        self.redraw()

    def seated(self, walk: Walk) -> Seat:
        seat = super().seated(walk)
        seat.letters = False  # a teacher's letters are keys at every question; Enter opens the line
        return seat

    def is_text(self, burst: str) -> bool:
        return False

    def take_input(self, event: events.Event) -> bool:
        self._quits = self._quits and isinstance(event, events.Key) and event.key == "q"
        return super().take_input(event)

    def action_quit(self) -> None:
        here = self.hub.here
        if self.classroom.ends_with(self.app) and here and not self._quits:
            self._quits = True
            whom = "the learner" if here == 1 else f"the {here} learners"
            self.seat.say(f"q once more ends the class for {whom} who are here; any other key goes on.", "hint")
            return
        super().action_quit()

    def footer_keys(self, first: bool) -> Sequence[tuple[str, str, str]]:
        keys = super().footer_keys(first)
        if not any(id == "cover" for id, _, _ in keys):
            return keys
        own = {key.action: key for key in TEACHER_KEYS}
        lead = "free" if self.hub.state.led else "lead"
        named = [(own[name].id, own[name].key, lead if name == "lead" else own[name].short) for name in IN_FOOTER]
        kept = {id: (id, key, word) for id, key, word in keys}
        return [kept["next"], kept["back"], *named, kept["help"]]

    def notes(self) -> str:
        state, hub = self.hub.state, self.hub
        parts = (
            f"{hub.here} here",
            "led" if state.led else "free",
            "borrowing" if state.borrowing else "",
            "asked" if state.held else "",
            "not kept" if self.classroom.trouble else "",
        )
        return "  ".join(part for part in parts if part)

    # ------------------------------------------------------------ what the class follows

    def after_input(self) -> None:
        super().after_input()
        self.lead_on()

    def arrived(self, follow: bool = True) -> None:
        super().arrived(follow)
        self.lead_on()

    def lead_on(self) -> None:
        """The class stands where the teacher does, covered as the teacher has it."""
        walk = self.seat.walk
        self.hub.cover(walk.covered)
        self.hub.step(place_of(walk, self.session.lesson), order_of(walk))
        self._as_the_room()

    def _as_the_room(self) -> None:
        """On a projector, too, what the room is asked is covered, and what was revealed to all shows."""
        lead = lead_of(self.hub.state, self.session.lesson)._replace(front=None)
        if lead != self.seat.walk.lead:
            self.seat.walk.follow(lead)
            self.seat.changed()
            self.seat.keep_cursor()
            self.redraw()

    def _revealed(self, question: RoomQuestion) -> str:
        """The number that was revealed to all; empty for a sentence, or another lesson."""
        if question.place.lesson != self.session.lesson:
            return ""
        ref = parse_ref(question.target)
        if not isinstance(ref, CellRef):
            return formula_number(self.seat.walk.opened.run, question)
        self._as_the_room()
        visible = self.seat.walk.visible
        return visible.show(ref) if visible.shown(ref) else ""

    def action_perform(self, command: str) -> None:
        super().action_perform(command)
        answered = self.seat.core.answered
        if command == "reveal" and answered is not None and self.seat.walk.ledger.entry(answered.ref).settled:
            self.hub.reveal(self.session.lesson, str(answered.ref))

    # ------------------------------------------------------------ the class's own actions

    def action_lead(self) -> None:
        self.hub.lead(not self.hub.state.led)
        self.seat.say("You lead: the class stands where you do." if self.hub.state.led else "Free: each walks alone.")

    def action_borrowing(self) -> None:
        self.hub.allow_borrowing(not self.hub.state.borrowing)
        may = "may" if self.hub.state.borrowing else "may not"
        self.seat.say(f"Learners {may} take numbers without working for them.")

    def _pointed_at(self) -> Question | None:
        """What is pointed at: the cell at the cursor where a pencil makes it, else the open CHECK."""
        core = self.seat.core
        at = core.question()
        if at is not None:
            return at
        cell = self.seat.cursor
        if cell is None:
            return None
        try:
            return self.seat.walk.question(cell.source)
        except BadInput:
            return None

    def action_ask(self) -> None:
        question = self._pointed_at()
        if question is None:
            self.seat.say("Put the cursor on a number that a pencil makes, or go where a CHECK is asked.")
            return
        walk = self.seat.walk
        tensor = walk.visible.source(question.cell).tensor if question.cell is not None else ""
        if tensor and walk.visible.view(tensor, ()).origin not in ("step", "inner"):
            tensor = ""  # it is to be found in a table that everybody sees
        text = walk.ask(question) or f"Work out {question.ref}."
        self.hub.ask(place_of(walk, self.session.lesson), str(question.ref), tensor, text)
        self.action_answers()

    def action_answers(self) -> None:
        from tui_attention.classroom.seats.layers import AnswersScreen

        if self.hub.state.question is None:
            self.seat.say("The room is asked nothing: a asks it what the cursor is on.")
            return
        self.app.push_screen(AnswersScreen(self.classroom, self._revealed))

    def action_open_up(self) -> None:
        question = self._pointed_at()
        if self.hub.state.held is not None:
            self.hub.reveal()
            self.seat.say("Revealed to all.")
        elif question is not None:
            self.hub.reveal(self.session.lesson, str(question.ref))
            self.seat.say(f"{question.ref} is revealed to all.")
        else:
            self.seat.say("Nothing here is covered; c uncovers everything for all.")

    def action_close_question(self) -> None:
        self.hub.close_question()
        self.seat.say("The room is asked nothing now.")

    def action_board(self) -> None:
        from tui_attention.classroom.seats.layers import BoardScreen

        walk = self.seat.walk
        board = BoardScreen(self.classroom, walk.stage.id, stage_numbers(walk))
        self.app.push_screen(board, self._look_at)

    def _look_at(self, link: Link | None) -> None:
        from tui_attention.classroom.seats.layers import LookScreen

        if link is not None and link.action == "member":
            self.app.push_screen(LookScreen(self.classroom, int(link.argument)))

    def action_slips(self) -> None:
        from tui_attention.classroom.seats.layers import SlipsScreen

        self.app.push_screen(SlipsScreen(self.classroom, self.session.lesson))

    def action_join(self) -> None:
        from tui_attention.classroom.seats.layers import JoinScreen

        self.app.push_screen(JoinScreen(self.classroom.door))

    def action_export(self) -> None:
        self.seat.say(self.classroom.export())


class TeacherApp(WiredApp, inherit_bindings=False):
    """The teacher's app, on the server's own terminal or over a line."""

    def __init__(self, classroom: Classroom, lessons: ClassLessons, session: Session, **wired: Any) -> None:
        self.classroom = classroom
        self.lessons = lessons
        super().__init__(session, **wired)

    def lesson_screen(self) -> MainScreen:
        return TeacherScreen(self.session, self.lessons, self.classroom, ascii=not self.speaks_unicode)

"""A learner's app in a class: the same app, led by the state of the class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import BindingType
from textual.message import Message

from tui_attention.classroom.hub.hub import Hub
from tui_attention.classroom.hub.state import RoomState
from tui_attention.classroom.seats.commands import ClassKey
from tui_attention.classroom.seats.led import REVEALED, Report, RoomController, formula_number, put_before, to_place
from tui_attention.classroom.seats.screens import MOUSE, ClassScreen, bindings_of
from tui_attention.classroom.seats.wired import WiredApp
from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.ui.screens.main import MainScreen

if TYPE_CHECKING:
    from tui_attention.classroom.seats.lessons import ClassLessons
    from tui_attention.classroom.terminal.remote import RemoteTerminal
    from tui_attention.session import Session
    from tui_attention.walk.walk import Walk

FOLLOW = ClassKey("f", "follow", "follow", "follow the teacher again, after looking back")
WELCOME = "You are {who} in the class {name}. {how} Your teacher sees where you are and what you answer."
LED = "You go where your teacher goes; p looks back, f follows again."
FREE = "You walk alone."
LEADS = "Your teacher leads the class: this lesson, until it is let go."


class RoomChanged(Message, bubble=False):
    """The class has changed; `done` is to be called when that has been drawn."""

    def __init__(self, state: RoomState, done: Callable[[], None]) -> None:
        self.state = state
        self.done = done
        super().__init__()


class LearnerScreen(ClassScreen):
    """The lesson, led or free."""

    CLASS_KEYS: ClassVar[tuple[ClassKey, ...]] = (FOLLOW, MOUSE)
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(CLASS_KEYS)

    def __init__(
        self, session: Session, lessons: ClassLessons, hub: Hub, member: int, *, ascii: bool = False
    ) -> None:
        self.hub = hub
        self.member = member
        self.following = True
        self.watched = False
        self._seq = -1
        self._taken: RoomState | None = None
        """The state of the class that this screen shows; the class may be further."""
        self._asked_room = 0
        self._revealed_room = 0
        self._report = Report(hub, member)
        super().__init__(session, lessons, ascii=ascii)

    def controller(self, walk: Walk) -> RoomController:
        return RoomController(walk, self.hub, self.member, self.session.lesson)

    def on_mount(self) -> None:
        super().on_mount()
        self.take(self.hub.state)
        member, state = self.hub.member(self.member), self.hub.state
        if state.held is None and member is not None:
            how = LED if state.led else FREE
            self.seat.say(WELCOME.format(who=member.name, name=state.name, how=how), "hint")

    def notes(self) -> str:
        state = self.hub.state
        led = "" if not state.led else "led" if self.following else "f follows"
        led += ", teacher away" if state.led and not state.teacher else ""
        parts = ("watched" if self.watched else "", "the room is asked" if state.held else "", led)
        return "  ".join(part for part in parts if part)

    def footer_keys(self, first: bool) -> Sequence[tuple[str, str, str]]:
        keys = list(super().footer_keys(first))
        if self.hub.state.led and not self.following and any(id == "cover" for id, _, _ in keys):
            keys = [(FOLLOW.id, FOLLOW.key, FOLLOW.short) if key[0] == "cover" else key for key in keys]
        return keys

    # ------------------------------------------------------------ the class

    def take(self, state: RoomState) -> bool:
        """The state of the class as it is now; False for one that is no newer than the last."""
        if state.seq <= self._seq:
            return False
        self._seq, self._taken = state.seq, state
        self._core().take(state)
        self.seat.changed()
        question = state.question
        if question is not None and question.number != self._asked_room:
            self._asked_room = question.number
            self.following = True
            self._go(state, to_question=True)
        elif (state.led and self.following) or (state.led and self._beyond(state)):
            self._go(state, to_question=False)
        if question is not None and question.revealed and question.number != self._revealed_room:
            self._revealed_room = question.number
            if number := formula_number(self.seat.walk.opened.run, question):
                self.seat.say(REVEALED.format(number=number), "hint")
        self.seat.keep_cursor()
        self._tell()
        self.redraw()
        return True

    def _core(self) -> RoomController:
        core = self.seat.core
        assert isinstance(core, RoomController)
        return core

    def _beyond(self, state: RoomState) -> bool:
        """Whether a learner who is not following stands where the teacher has not been."""
        front = self.seat.walk.lead.front
        from tui_attention.classroom.seats.led import order_of

        return self.session.lesson != state.place.lesson or (front is not None and order_of(self.seat.walk) > front)

    def _go(self, state: RoomState, *, to_question: bool) -> None:
        """To where the class stands, or to what it is asked."""
        question = state.question
        wanted = question.place if to_question and question is not None else state.place
        try:
            if wanted.lesson != self.session.lesson:
                super().change_lesson(wanted.lesson)
        except (BadInput, LessonError) as error:
            self.seat.say(str(error))
            return
        place = to_place(self.seat.walk, wanted)
        if place is not None and place != self.seat.walk.place:
            self.seat.walk.move(place)
            self.seat.settle_in()
            self.arrived()
        if to_question and question is not None:
            self._point_at(question.target)
            self.seat.say("Your teacher asks the room this.", "hint")

    def _point_at(self, target: str) -> None:
        self.seat.fold_wall()
        self.panel.follow = True
        cell = put_before(self.seat.core, target)
        if self.seat.editor is not None:
            return
        found = self.seat.document().find(cell) if cell is not None else None
        if found is not None:
            self.seat.place_cursor(found)
        else:
            self.seat.home()

    def watched_by_teacher(self, on: bool) -> None:
        """The teacher begins or ceases to look at this screen: the learner is told."""
        if on != self.watched:
            self.watched = on
            if on:
                self.seat.say("Your teacher is looking at your screen.", "hint")
            self.redraw()

    # ------------------------------------------------------------ the learner

    def after_input(self) -> None:
        super().after_input()
        self._stray()
        self._tell()

    def arrived(self, follow: bool = True) -> None:
        super().arrived(follow)
        self._stray()
        self._tell()

    def _stray(self) -> None:
        """Who goes elsewhere looks back; who comes back to where the class is follows it again."""
        state = self._taken
        if state is not None and state.led:
            here = to_place(self.seat.walk, state.place) == self.seat.walk.place
            self.following = here and self.session.lesson == state.place.lesson

    def _tell(self) -> None:
        self._report.tell(self.seat.core, self.session, following=self.following)

    def action_follow(self) -> None:
        state = self._taken = self.hub.state
        self.following = True
        self._go(state, to_question=False)
        self.seat.say("You follow your teacher." if state.led else "You are where your teacher is.")

    def change_lesson(self, name: str, stage: str = "") -> None:
        """Raises BadInput while the teacher leads another lesson."""
        if name != self.seat.walk.visible.id and self.hub.state.led:
            raise BadInput(LEADS.rstrip("."))
        super().change_lesson(name, stage)


class LearnerApp(WiredApp, inherit_bindings=False):
    """One learner's app."""

    def __init__(self, hub: Hub, member: int, lessons: ClassLessons, session: Session, **wired: Any) -> None:
        self.hub = hub
        self.member = member
        self.lessons = lessons
        super().__init__(session, **wired)

    def lesson_screen(self) -> MainScreen:
        return LearnerScreen(self.session, self.lessons, self.hub, self.member, ascii=not self.speaks_unicode)

    @property
    def screen_of_lesson(self) -> LearnerScreen:
        assert isinstance(self.main, LearnerScreen)
        return self.main

    def turn(self, state: RoomState, done: Callable[[], None]) -> None:
        """A turn in a round: take the state, and call back when it has been drawn."""
        terminal: RemoteTerminal | None = self.terminal
        if terminal is None or not self.is_running:
            done()
            return
        terminal.on_next_frame(done)
        self.post_message(RoomChanged(state, done))

    def on_room_changed(self, message: RoomChanged) -> None:
        if not self.main.is_mounted or not self.screen_of_lesson.take(message.state):
            message.done()

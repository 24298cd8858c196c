"""The line-by-line shell in a class: for screen readers, TERM=dumb, and whoever asks for `plain`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from tui_attention.classroom.guests import Farewell
from tui_attention.classroom.hub.hub import Hub
from tui_attention.classroom.hub.state import RoomState
from tui_attention.classroom.seats.commands import NOT_HERE, words
from tui_attention.classroom.seats.led import REVEALED, Report, RoomController, formula_number, put_before, to_place
from tui_attention.classroom.seats.lines import LineInput
from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.interaction.command import Command
from tui_attention.output import speaks_unicode
from tui_attention.plain.commands import spoken
from tui_attention.plain.page import WIDTH, Transcript, sentence
from tui_attention.plain.shell import Shell

if TYPE_CHECKING:
    from tui_attention.classroom.seats.lessons import ClassLessons
    from tui_attention.classroom.terminal.remote import RemoteTerminal
    from tui_attention.session import Session
    from tui_attention.walk.walk import Walk

WELCOME = "You are in the class {name} as {who}. {how}"
LED = "Your teacher leads: type next and back to look around where the class has been, follow to go on with it."
FREE = "You walk alone."


class _Ascii(StringIO):
    """A page whose characters are ASCII."""

    encoding = "ascii"


class _Unicode(StringIO):
    encoding = "utf-8"


class ClassShell(Shell):
    """A learner's conversation, led by the state of the class."""

    def __init__(self, session: Session, page: Transcript, hub: Hub, member: int, lessons: ClassLessons) -> None:
        self.hub = hub
        self.member = member
        self.lessons = lessons
        self.following = True
        self._report = Report(hub, member, plain=True)
        self._seq = -1
        self._asked_room = 0
        self._revealed_room = 0
        super().__init__(session, page, StringIO())

    def controller(self, walk: Walk) -> RoomController:
        return RoomController(walk, self.hub, self.member, self.session.lesson, asks_uncovered=False)

    def change_lesson(self, name: str) -> None:
        """Raises BadInput for a lesson that is not the class's, or while the teacher leads another."""
        name = self.lessons.key(name)
        if self.hub.state.led and name != self.hub.state.place.lesson:
            raise BadInput("your teacher leads the class: this lesson, until it is let go")
        super().change_lesson(name)

    def perform(self, command: Command, argument: str) -> None:
        if command.id in NOT_HERE:
            self.say(NOT_HERE[command.id])
        elif command.id == "lessons" and not argument:
            for lesson in self.lessons.listed():
                self.say(f"{lesson.id}: {sentence(lesson.title)} {sentence(lesson.summary)}")
            self.say("Type lessons with a name to go over to it.")
        else:
            super().perform(command, argument)

    def words(self) -> Sequence[tuple[str, str]]:
        own = ("follow", "to where your teacher is, and on with the class")
        return (own, *((command.word, spoken(command, self.core.examples)) for command in words()))

    def hear(self, line: str) -> None:
        if line.strip().casefold() == "follow":
            self.follow()
        else:
            super().hear(line)
        state = self.hub.state
        if state.led:
            here = to_place(self.core.walk, state.place) == self.core.walk.place
            self.following = here and self.session.lesson == state.place.lesson
        self.tell_class()

    def tell_class(self) -> None:
        """Where the learner is and how the CHECKs stand."""
        self._report.tell(self.core, self.session, following=self.following)

    def follow(self) -> None:
        """To where the teacher is."""
        self.following = True
        if not self._go(self.hub.state):
            self.say("You are where your teacher is.")

    def take(self, state: RoomState) -> bool:
        """The state of the class as it is now; whether anything was said about it."""
        if state.seq <= self._seq:
            return False
        self._seq = state.seq
        core = self.core
        assert isinstance(core, RoomController)
        covered = core.walk.covered
        core.take(state)
        said = False
        question = state.question
        if question is not None and question.number != self._asked_room:
            self._asked_room = question.number
            self.page.end_line()
            self._go(state, to_question=True)
            self.say(f"Your teacher asks the room: {question.text}")
            said = True
        elif state.led and self.following:
            said = self._go(state)
        if question is not None and question.revealed and question.number != self._revealed_room:
            self._revealed_room = question.number
            if number := formula_number(core.walk.opened.run, question):
                self.page.end_line()
                self.say(REVEALED.format(number=number))
                said = True
        if not said and core.walk.covered != covered:
            self.page.end_line()
            self.say("Covered for all." if core.walk.covered else "Your teacher has uncovered the numbers.")
            said = True
        self.tell_class()
        return said

    def _go(self, state: RoomState, *, to_question: bool = False) -> bool:
        question = state.question
        wanted = question.place if to_question and question is not None else state.place
        if wanted.lesson != self.session.lesson:
            try:
                super().change_lesson(wanted.lesson)
            except (BadInput, LessonError) as error:
                self.say(str(error))
                return True
        place = to_place(self.core.walk, wanted)
        moved = place is not None and place != self.core.walk.place
        if place is not None and moved:
            self.core.walk.move(place)
            self.core.arrive()
            self.page.end_line()
            self.enter()
        if to_question and question is not None:
            self.core.focus = put_before(self.core, question.target)
        return moved


class Conversation:
    """A shell on a remote terminal, in the loop: what is typed goes in, what is said goes out."""

    def __init__(
        self,
        terminal: RemoteTerminal,
        session: Session,
        hub: Hub,
        member: int,
        lessons: ClassLessons,
    ) -> None:
        self._terminal = terminal
        self._unicode = speaks_unicode(terminal.env)
        self._out: StringIO = _Unicode() if self._unicode else _Ascii()
        page = Transcript(self._out, min(WIDTH, terminal.size[0]))
        self.shell = ClassShell(session, page, hub, member, lessons)
        self._input = LineInput("utf-8" if self._unicode else "ascii")
        self._ended = asyncio.Event()
        self.subscribed: Callable[[], None] = lambda: None

    async def run(self, name: str, who: str) -> Farewell:
        """Until `quit`, the end of input, or the line's end."""
        shell, state = self.shell, self.shell.hub.state
        self._terminal.typed = self._typed
        self._terminal.ended = self._ended.set
        shell.say(WELCOME.format(name=name, who=who, how=LED if state.led else FREE))
        shell.greet()
        shell.take(state)
        shell.invite()
        self._flush()
        self._terminal.ready()
        await self._ended.wait()
        return Farewell("" if shell.done else "Goodbye.")

    def changed(self, state: RoomState) -> None:
        """The class has changed."""
        if self.shell.take(state):
            self.shell.invite()
        self._flush()

    def _typed(self, data: bytes) -> None:
        typed = self._input.feed(data)
        self._write(typed.echo)
        for line in typed.lines:
            self.shell.hear(line)
            if self.shell.done:
                break
            self.shell.invite()
            self._flush()
        self._flush()
        if typed.ended or self.shell.done:
            self._ended.set()

    def _flush(self) -> None:
        text = self._out.getvalue()
        if text:
            self._out.seek(0)
            self._out.truncate()
            self._write(text.replace("\n", "\r\n"))

    def _write(self, text: str) -> None:
        if text:
            self._terminal.wire.write(text.encode("utf-8" if self._unicode else "ascii", "replace"))

"""The lesson's screen as it is in a class: nothing of it acts on the server's machine, and it has a few keys more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from tui_attention.classroom.seats.commands import NOT_HERE, ClassKey, offered
from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.render.rows import EMPTY, Link, Row, Span, paragraph, text_row
from tui_attention.session import Session
from tui_attention.ui.screens.help import help_rows
from tui_attention.ui.screens.main import MainScreen
from tui_attention.ui.screens.page import PageScreen
from tui_attention.ui.screens.palette import PaletteEntry, entries_of

if TYPE_CHECKING:
    from tui_attention.classroom.seats.lessons import ClassLessons

MOUSE = ClassKey("m", "mouse", "mouse", "the mouse on or off: clicks set the cursor")


class ClassScreen(MainScreen):
    """The base of a learner's and the teacher's screen."""

    CLASS_KEYS: ClassVar[tuple[ClassKey, ...]] = (MOUSE,)

    def __init__(self, session: Session, lessons: ClassLessons, *, ascii: bool = False) -> None:
        self.lessons = lessons
        super().__init__(session, ascii=ascii)

    # ------------------------------------------------------------ its commands

    def do(self, command: str) -> None:
        own = next((key for key in self.CLASS_KEYS if key.id == command), None)
        if own is not None:
            getattr(self, f"action_{own.action}")()
            self.redraw()
        else:
            super().do(command)

    def letter(self, mark: str | None) -> str:
        own = next((key.id for key in self.CLASS_KEYS if key.key == mark), "")
        return own or super().letter(mark)

    def entries(self) -> Sequence[PaletteEntry]:
        own = [PaletteEntry(key.id, key.short.capitalize(), key.key, sentence_of(key)) for key in self.CLASS_KEYS]
        return [*own, *entries_of(offered())]

    def action_perform(self, command: str) -> None:
        if command in NOT_HERE:
            self.seat.say(NOT_HERE[command])
        else:
            super().action_perform(command)

    def action_review(self) -> None:
        self.seat.say(NOT_HERE["review"])

    def action_afresh(self) -> None:
        self.seat.say(NOT_HERE["afresh"])

    def action_reload(self) -> None:
        self.seat.say(NOT_HERE["reload"])

    def action_save(self) -> None:
        self.seat.say(NOT_HERE["save"])

    # ------------------------------------------------------------ what a class does otherwise

    def action_lessons(self) -> None:
        self.app.push_screen(ClassLessonsScreen(self.lessons, self.session.lesson), self.follow_link)

    def action_help(self) -> None:
        self.app.push_screen(ClassHelpScreen(self.CLASS_KEYS))

    def action_mouse(self) -> None:
        from tui_attention.classroom.seats.wired import WiredApp

        assert isinstance(self.app, WiredApp)
        on = self.app.turn_mouse()
        self.seat.say("The mouse is your terminal's own here." if on is None else f"Mouse {'on' if on else 'off'}.")

    def change_lesson(self, name: str, stage: str = "") -> None:
        """Raises BadInput for a lesson that the class does not have."""
        if name != self.seat.walk.visible.id:
            name = self.lessons.key(name)
        super().change_lesson(name, stage)

    def follow_link(self, link: Link | None) -> None:
        try:
            super().follow_link(link)
        except (BadInput, LessonError) as error:
            text = str(error)
            self.seat.say(f"{text[:1].upper()}{text[1:]}.")
            self.redraw()


def sentence_of(key: ClassKey) -> str:
    """What a key does, as a sentence."""
    return key.says[:1].upper() + key.says[1:]


def bindings_of(keys: Sequence[ClassKey]) -> list[BindingType]:
    """Textual's bindings of such keys."""
    return [Binding(key.key, key.action, key.says, show=False) for key in keys]


class ClassHelpScreen(PageScreen):
    """The class's own keys, then all others."""

    def __init__(self, keys: Sequence[ClassKey]) -> None:
        super().__init__("help")
        self._keys = keys

    def make(self, width: int) -> Sequence[Row]:
        rows: list[Row] = [text_row("In this class", "section")]
        for key in self._keys:
            rows += paragraph(key.says, max(16, width - 10), "told", (Span(f"  {key.key:<8}", "name"),))
        return [*rows, EMPTY, *help_rows(width, offered())]


class ClassLessonsScreen(PageScreen):
    """The lessons of the class; `here` is the key of the one that is open."""

    LINKED = True

    def __init__(self, lessons: ClassLessons, here: str) -> None:
        super().__init__("lessons")
        self._lessons = lessons
        self._here = here

    def make(self, width: int) -> Sequence[Row]:
        rows: list[Row] = []
        for lesson in self._lessons.listed():
            mark = "▶ " if lesson.key == self._here else "  "
            rows.append((Span(mark, "now"), Span(lesson.title, "title", Link("lesson", lesson.id))))
            rows += [(Span("  "), *row) for row in paragraph(lesson.summary, max(16, width - 2), "told")]
            rows.append(EMPTY)
        return rows

"""The lesson's screen as it is in a class: nothing of it acts on the server's machine, and it has a few keys more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.render.rows import EMPTY, Link, Row, Span, paragraph, text_row
from tui_attention.session import Session
from tui_attention.ui.screens.help import help_rows
from tui_attention.ui.screens.main import MainScreen
from tui_attention.ui.screens.page import PageScreen

if TYPE_CHECKING:
    from tui_attention.classroom.seats.lessons import ClassLessons

NOT_SAVED = "Nothing is saved on the class's machine; y and Y copy to your own clipboard."


@dataclass(frozen=True, slots=True)
class ClassKey:
    """A key that only a class has: its action, and what it does, as help says it."""

    key: str
    action: str
    says: str


MOUSE = ClassKey("m", "mouse", "the mouse on or off: clicks set the cursor")


class ClassScreen(MainScreen):
    """The base of a learner's and the teacher's screen."""

    CLASS_KEYS: ClassVar[tuple[ClassKey, ...]] = (MOUSE,)

    def __init__(self, session: Session, lessons: ClassLessons, *, ascii: bool = False) -> None:
        self.lessons = lessons
        super().__init__(session, ascii=ascii)

    # ------------------------------------------------------------ what a class does otherwise

    def action_save(self) -> None:
        self.seat.say(NOT_SAVED)

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
            self.lessons.check(name)
        super().change_lesson(name, stage)

    def follow_link(self, link: Link | None) -> None:
        try:
            super().follow_link(link)
        except (BadInput, LessonError) as error:
            text = str(error)
            self.seat.say(f"{text[:1].upper()}{text[1:]}.")
            self.redraw()


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
        return [*rows, EMPTY, *help_rows(width)]


class ClassLessonsScreen(PageScreen):
    """The lessons of the class; `here` is the key of the one that is open."""

    LINKED = True

    def __init__(self, lessons: ClassLessons, here: str) -> None:
        super().__init__("lessons")
        self._lessons = lessons
        self._here = here

    def make(self, width: int) -> Sequence[Row]:
        rows: list[Row] = []
        for name, title, summary in self._lessons.listed():
            mark = "▶ " if name == self._here else "  "
            rows.append((Span(mark, "now"), Span(title, "title", Link("lesson", name))))
            rows += [(Span("  "), *row) for row in paragraph(summary, max(16, width - 2), "told")]
            rows.append(EMPTY)
        return rows

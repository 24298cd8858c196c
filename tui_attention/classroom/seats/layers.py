"""The teacher's pages: who is where, what the room answered, one learner's screen, how one comes in."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tui_attention.classroom.hub.people import anonymous
from tui_attention.classroom.pages import board_rows, join_rows, question_rows, slip_rows
from tui_attention.classroom.terminal.driver import picture_of
from tui_attention.render.rows import Row, Span, paragraph
from tui_attention.ui.lines import BarLines
from tui_attention.ui.screens.layer import Layer
from tui_attention.ui.screens.page import PageScreen

if TYPE_CHECKING:
    from tui_attention.classroom.hub.state import RoomQuestion
    from tui_attention.classroom.pages.join import Door
    from tui_attention.classroom.seats.teacher import Classroom

REFRESH: Final = 0.5
"""Seconds between two looks at the class: twice a second is enough for a board."""


class LivePage(PageScreen):
    """A page about the class, made anew while the class goes on. `a` hides the names, for a projector."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("a", "anonymous", show=False)]

    def __init__(self, title: str, classroom: Classroom) -> None:
        super().__init__(title)
        self.classroom = classroom
        self.unnamed = False
        self._seen: tuple[int, int, int] = (0, 0, 0)

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(REFRESH, self._look)

    def _look(self) -> None:
        hub = self.classroom.hub
        seen = hub.roster, hub.state.seq, int(time.time() // 10)
        if seen != self._seen:
            self._seen = seen
            self.anew()

    def anew(self) -> None:
        """Its rows are others now."""
        self._made = (0, [], [])
        self.redraw()

    def names(self) -> Mapping[int, str]:
        """What the learners are called here."""
        members = self.classroom.hub.members
        return anonymous(members) if self.unnamed else {member.id: member.name for member in members}

    def action_anonymous(self) -> None:
        self.unnamed = not self.unnamed
        self.anew()


class BoardScreen(LivePage):
    """One line a learner; Enter shows their screen."""

    LINKED = True

    def __init__(self, classroom: Classroom, stage: str, numbers: Mapping[str, str]) -> None:
        super().__init__(f"class {classroom.hub.state.name}", classroom)
        self._stage, self._numbers = stage, numbers

    def make(self, width: int) -> Sequence[Row]:
        return board_rows(
            self.classroom.hub.members,
            time.time(),
            width,
            names=self.names(),
            stage=self._stage,
            numbers=self._numbers,
        )

    def keys(self) -> Sequence[tuple[str, str]]:
        shown = "show names" if self.unnamed else "hide names"
        return (("up down", "choose"), ("enter", "their screen"), ("a", shown), ("esc", "close"))


class AnswersScreen(LivePage):
    """The question to the room and its answers; r reveals, w says who."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r,o", "reveal", show=False),
        Binding("w", "who", show=False),
        Binding("x", "end", show=False),
    ]

    def __init__(self, classroom: Classroom, revealed: Callable[[RoomQuestion], str]) -> None:
        """`revealed` gives the right number once everybody may see it."""
        super().__init__("the room is asked", classroom)
        self.who = False
        self._revealed = revealed

    def make(self, width: int) -> Sequence[Row]:
        hub = self.classroom.hub
        question = hub.state.question
        if question is None:
            return paragraph("The room is asked nothing now.", width, "told")
        tally = hub.tally(question.place.lesson, question.target)
        right = self._revealed(question) if question.revealed else ""
        names = self.names() if self.who else None
        return question_rows(question, tally, hub.here, width, names=names, right=right)

    def keys(self) -> Sequence[tuple[str, str]]:
        question = self.classroom.hub.state.question
        reveal = [] if question is None or question.revealed else [("r", "reveal to all")]
        return (*reveal, ("w", "who"), ("a", "hide names"), ("x", "ask no more"), ("esc", "close"))

    def action_reveal(self) -> None:
        self.classroom.hub.reveal()
        self.anew()

    def action_who(self) -> None:
        self.who = not self.who
        self.anew()

    def action_end(self, by: int = 0) -> None:
        if by:
            super().action_end(by)
        else:
            self.classroom.hub.close_question()
            self.action_close()


class SlipsScreen(LivePage):
    """The slips of a lesson so far, with who made them."""

    def __init__(self, classroom: Classroom, lesson: str) -> None:
        super().__init__("slips so far", classroom)
        self._lesson = lesson

    def make(self, width: int) -> Sequence[Row]:
        return slip_rows(self.classroom.hub.slips(self._lesson), width, names=self.names())

    def keys(self) -> Sequence[tuple[str, str]]:
        return (("up down", "scroll"), ("a", "show names" if self.unnamed else "hide names"), ("esc", "close"))


class JoinScreen(PageScreen):
    """How one comes in."""

    def __init__(self, door: Door) -> None:
        super().__init__(f"class {door.name}")
        self._door = door

    def make(self, width: int) -> Sequence[Row]:
        return join_rows(self._door, width)

    def keys(self) -> Sequence[tuple[str, str]]:
        return (("up down", "scroll"), ("esc", "to the lesson; J shows this page again"))


class Mirror(Widget):
    """Another app's screen as it is."""

    DEFAULT_CSS = "Mirror { width: 100%; height: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self._strips: list[Strip] = []

    def show(self, strips: list[Strip]) -> None:
        """These lines from now on."""
        if strips != self._strips:
            self._strips = strips
            self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        strip = self._strips[y] if y < len(self._strips) else Strip.blank(width)
        return strip.adjust_cell_length(width)

    def render_lines(self, crop: Region) -> list[Strip]:
        return [self.render_line(y).crop(crop.x, crop.right) for y in range(crop.y, crop.bottom)]


class LookScreen(Layer[None]):
    """One learner's screen, who is told that it is looked at."""

    def __init__(self, classroom: Classroom, member: int) -> None:
        super().__init__()
        self.classroom = classroom
        self.member = member

    def compose(self) -> ComposeResult:
        yield Mirror()
        yield BarLines(id="keys")

    def on_mount(self) -> None:
        super().on_mount()
        self.classroom.watch(self.member, True)
        self.set_interval(REFRESH, self.redraw)

    def on_unmount(self) -> None:
        self.classroom.watch(self.member, False)

    def draw(self) -> None:
        app = self.classroom.app_of(self.member)
        member = self.classroom.hub.member(self.member)
        name = member.name if member is not None else "?"
        self.query_one(Mirror).show(picture_of(app) if app is not None else [])
        here = f" {name}, as it is; {name} is told. " if app is not None else f" {name} is not at a screen now. "
        self.bottom.show([(Span(here, "bar-title"), Span("esc", "key"), Span(" close", "key-word"))])


__all__ = ["AnswersScreen", "BoardScreen", "JoinScreen", "LookScreen", "SlipsScreen"]

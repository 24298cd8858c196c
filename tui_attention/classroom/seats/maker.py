"""Makes the apps and shells of a class, and goes round them when the class changes."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App

from tui_attention.classroom.guests import Farewell, Guest
from tui_attention.classroom.hub.hub import Hub
from tui_attention.classroom.hub.people import Member
from tui_attention.classroom.hub.state import RoomState
from tui_attention.classroom.keep import ClassFolder, ClassStore, as_csv, as_json
from tui_attention.classroom.keep.export import rows_of
from tui_attention.classroom.pages.join import Door
from tui_attention.classroom.seats.learner import LearnerApp
from tui_attention.classroom.seats.lessons import ClassLessons
from tui_attention.classroom.seats.talk import Conversation
from tui_attention.classroom.seats.teacher import TeacherApp
from tui_attention.classroom.seats.wired import WiredApp
from tui_attention.classroom.terminal.driver import Routed
from tui_attention.classroom.terminal.remote import RemoteTerminal
from tui_attention.classroom.terminal.rounds import Rounds, Turn
from tui_attention.options import Options
from tui_attention.session import Session, open_session
from tui_attention.ui.painting import Strips

if TYPE_CHECKING:
    from collections.abc import Mapping

Log = Callable[[str], object]


class Maker:
    """The class as the teacher's app sees it, and the maker of everybody's seat."""

    def __init__(
        self,
        hub: Hub,
        folder: ClassFolder,
        store: ClassStore,
        *,
        lessons: ClassLessons,
        routed: Routed,
        log: Log,
        variants: bool = False,
    ) -> None:
        self._variants = variants
        self._hub = hub
        self._folder = folder
        self._store = store
        self._lessons = lessons
        self._routed = routed
        self._log = log
        self._rounds = Rounds()
        self._strips = Strips()
        self._apps: dict[int, LearnerApp] = {}
        self._talks: dict[int, Conversation] = {}
        self._teachers = 0
        self._door: Door | None = None
        hub.subscribe(self._go_round)

    # ------------------------------------------------------------ what the teacher's app asks for

    @property
    def hub(self) -> Hub:
        return self._hub

    @property
    def door(self) -> Door:
        assert self._door is not None, "the door is opened before anybody comes in"
        return self._door

    def opened(self, door: Door) -> None:
        """The class can be reached now."""
        self._door = door

    @property
    def trouble(self) -> str | None:
        return self._store.trouble

    def export(self) -> str:
        """Write every answer beside the class's file; the sentence that says where."""
        stamp = time.strftime("%Y%m%d-%H%M%S")
        rows = list(rows_of(self._store.answers(), self._hub.members))
        try:
            for ending, text in (
                ("csv", as_csv(rows)),
                ("json", as_json(self._hub.state.name, rows, self._store.questions())),
            ):
                self._folder.write_export(f"answers-{stamp}.{ending}", text)
        except OSError as error:
            return f"Nothing could be written in {self._folder.path}: {error.strerror}."
        return f"{len(rows)} answers are in {self._folder.path / f'answers-{stamp}'}.csv and .json."

    def app_of(self, member: int) -> App[Any] | None:
        return self._apps.get(member)

    def watch(self, member: int, on: bool) -> None:
        app = self._apps.get(member)
        if app is not None and app.is_running:
            app.call_later(app.screen_of_lesson.watched_by_teacher, on)

    def ends_with(self, app: App[Any]) -> bool:
        """Whether the class ends when this app does: on the server's own terminal."""
        return isinstance(app, WiredApp) and app.terminal is None

    # ------------------------------------------------------------ going round

    def _go_round(self, state: RoomState) -> None:
        """Tell everybody of a change: apps one after the other as they paint, shells at once."""
        for talk in tuple(self._talks.values()):
            talk.changed(state)
        turns: list[Turn] = [partial(app.turn, state) for app in self._apps.values()]
        self._rounds.start(turns)

    # ------------------------------------------------------------ seats

    def make(
        self, guest: Guest, member: Member | None, terminal: RemoteTerminal, after: contextlib.ExitStack
    ) -> App[Any]:
        """An app for somebody who has come in."""
        if member is None:
            return self._teacher(terminal, after)
        session = after.enter_context(self._learners(member, terminal))
        app = LearnerApp(self._hub, member.id, self._lessons, session, **self._wired(terminal))
        self._apps[member.id] = app
        after.callback(self._apps.pop, member.id, None)
        return app

    def converse(self, guest: Guest, member: Member | None, terminal: RemoteTerminal) -> asyncio.Future[Farewell]:
        """The line-by-line shell for a learner."""
        assert member is not None
        return asyncio.ensure_future(self._conversation(member, terminal))

    async def _conversation(self, member: Member, terminal: RemoteTerminal) -> Farewell:
        with self._learners(member, terminal) as session:
            talk = Conversation(terminal, session, self._hub, member.id, self._lessons)
            self._talks[member.id] = talk
            try:
                return await talk.run(self._hub.state.name, member.name)
            finally:
                self._talks.pop(member.id, None)

    def _learners(self, member: Member, terminal: RemoteTerminal) -> Session:
        own = member.name if self._variants else ""
        return self._session(self._folder.progress(member.id), terminal.env, own)

    def _session(self, path: Path, env: Mapping[str, str], own_variant: str = "") -> Session:
        options = Options(self._hub.state.place.lesson, env=dict(env), files=False)
        return open_session(options, path, own_variant=own_variant, opens=self._lessons.open)

    def _teacher(self, terminal: RemoteTerminal | None, after: contextlib.ExitStack, **options: Any) -> TeacherApp:
        env = terminal.env if terminal is not None else options.get("env", {})
        session = after.enter_context(self._session(self._folder.path / "teacher.sqlite3", env))
        self._teachers += 1
        self._hub.teacher_here(True)
        after.callback(self._teacher_left)
        return TeacherApp(self, self._lessons, session, **self._wired(terminal))

    def _wired(self, terminal: RemoteTerminal | None) -> dict[str, Any]:
        return {"routed": self._routed, "terminal": terminal, "crashed": self._log, "strips": self._strips}

    def _teacher_left(self) -> None:
        self._teachers -= 1
        self._hub.teacher_here(self._teachers > 0)

    async def teach_here(self, env: Mapping[str, str]) -> int:
        """The teacher's app on this machine's own terminal, until it is left; the exit code."""
        with contextlib.ExitStack() as after:
            app = self._teacher(None, after, env=env)
            await app.run_async()
            return app.return_code or 0


__all__ = ["Maker"]

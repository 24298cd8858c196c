"""Who comes in gets a seat: names are claimed, old lines taken over, apps started a few at a time, and ended."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from tui_attention.classroom.guests import Farewell, Guest
from tui_attention.classroom.hub.hub import Hub, NameRefusedError
from tui_attention.classroom.hub.people import Member
from tui_attention.classroom.terminal.driver import has_crashed
from tui_attention.classroom.terminal.remote import RemoteTerminal

if TYPE_CHECKING:
    from textual.app import App

STARTING: Final = 2
"""Apps that start at once: thirty logins in one moment must not stop those who are in."""
PAINTS_WITHIN: Final = 5.0
GIVES_WAY: Final = 4.0
"""Seconds that a line which may be dead has to show that it is not."""
ENDS_WITHIN: Final = 5.0

ENDED: Final = "The class has ended. What you did is kept; thank you for coming."
TAKEN: Final = "You have come in from somewhere else, and go on there."
CRASHED: Final = "A fault of the program ended your lesson; your answers are kept. Please come in again."
FULL: Final = "The class is full."

MakeApp = Callable[[Guest, Member | None, RemoteTerminal, contextlib.ExitStack], "App[Any]"]
"""An app for a guest (a teacher is no member). What is to be closed after it goes on the stack."""
Converse = Callable[[Guest, Member | None, RemoteTerminal], "asyncio.Future[Farewell]"]


@dataclass(eq=False, slots=True)
class Seated:
    """Somebody who is in: `leave` ends their app or shell with a sentence."""

    guest: Guest
    terminal: RemoteTerminal
    leave: Callable[[str], None]
    gone: asyncio.Event = field(default_factory=asyncio.Event)


class Usher:
    """The reception of a class."""

    def __init__(self, hub: Hub, make_app: MakeApp, *, most: int, converse: Converse | None = None) -> None:
        self._hub = hub
        self._make_app = make_app
        self._converse = converse
        self._most = most
        self.left: Callable[[], object] = lambda: None
        """Called when somebody has gone."""
        self._starting = asyncio.Semaphore(STARTING)
        self._learners: dict[int, Seated] = {}
        self._teachers: list[Seated] = []

    # ------------------------------------------------------------ who is in

    @property
    def seated(self) -> tuple[Seated, ...]:
        return (*self._teachers, *self._learners.values())

    def seat_of(self, member: int) -> Seated | None:
        return self._learners.get(member)

    def typed_at(self) -> float:
        """When anybody last typed, on the monotonic clock."""
        return max((seat.terminal.typed_at for seat in self.seated), default=0.0)

    async def end(self) -> None:
        """The class is over: everybody's terminal is given back."""
        for seat in self.seated:
            seat.leave(ENDED)
        waiting = [asyncio.ensure_future(seat.gone.wait()) for seat in self.seated]
        if waiting:
            await asyncio.wait(waiting, timeout=ENDS_WITHIN)

    # ------------------------------------------------------------ coming in

    async def receive(self, guest: Guest, terminal: RemoteTerminal) -> Farewell:
        """The full-screen app, until it ends."""
        try:
            async with self._admitted(guest, terminal) as (member, seat):
                return await self._run(guest, member, terminal, seat)
        except NameRefusedError as refused:
            return Farewell(str(refused), 1)

    async def converse(self, guest: Guest, terminal: RemoteTerminal) -> Farewell:
        """The line-by-line shell, until it ends."""
        if self._converse is None or guest.role == "teacher":
            return Farewell("The teacher's app needs a terminal that can be painted.", 1)
        try:
            async with self._admitted(guest, terminal) as (member, seat):
                talk = self._converse(guest, member, terminal)
                said: list[str] = []

                def leave(says: str) -> None:
                    said.append(says)
                    talk.cancel()

                seat.leave = leave
                try:
                    return await talk
                except asyncio.CancelledError:
                    if not said:
                        raise
                    return Farewell(said[0])
        except NameRefusedError as refused:
            return Farewell(str(refused), 1)

    @contextlib.asynccontextmanager
    async def _admitted(self, guest: Guest, terminal: RemoteTerminal) -> AsyncIterator[tuple[Member | None, Seated]]:
        """A seat for as long as the block lasts. Raises NameRefusedError."""
        if self._hub.state.ended:
            raise NameRefusedError(ENDED)
        seat = Seated(guest, terminal, lambda says: None)
        if guest.role == "teacher":
            self._teachers.append(seat)
            try:
                yield None, seat
            finally:
                self._teachers.remove(seat)
                self._gone(seat)
            return
        await self._make_way(guest)
        if len(self._learners) >= self._most:
            raise NameRefusedError(FULL)
        member = self._hub.join(guest.name, guest.key)
        self._learners[member.id] = seat
        terminal.slow = lambda slow: self._hub.line(member.id, "slow" if slow else "here")
        try:
            yield member, seat
        finally:
            terminal.slow = None
            del self._learners[member.id]
            self._hub.line(member.id, "away")
            self._gone(seat)

    def _gone(self, seat: Seated) -> None:
        seat.gone.set()
        self.left()

    async def _make_way(self, guest: Guest) -> None:
        """Whoever comes by a name that is in use takes over a line that is dead or their own."""
        known = self._hub.known(guest.name)
        seat = self._learners.get(known.id) if known is not None else None
        if known is None or seat is None or (known.key and known.key != guest.key):
            return
        own = bool(guest.ticket and guest.ticket == seat.guest.ticket) or bool(
            guest.key and guest.key == seat.guest.key
        )
        if own or seat.terminal.held:
            seat.leave(TAKEN)
            if seat.terminal.held:
                seat.terminal.abort()
        else:
            seat.terminal.wire.probe()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(seat.gone.wait(), GIVES_WAY)

    # ------------------------------------------------------------ the app

    async def _run(self, guest: Guest, member: Member | None, terminal: RemoteTerminal, seat: Seated) -> Farewell:
        said: list[str] = []
        with contextlib.ExitStack() as after:
            async with self._starting:
                app = self._make_app(guest, member, terminal, after)

                def leave(says: str) -> None:
                    said.append(says)
                    app.exit(return_code=0)

                seat.leave = leave
                running = asyncio.ensure_future(app.run_async(size=terminal.size, mouse=False))
                await _painted(terminal, running)
            try:
                await asyncio.shield(running)
            except asyncio.CancelledError:
                app.exit()
                await asyncio.wait([running], timeout=ENDS_WITHIN)
                running.cancel()
                raise
        if has_crashed(app):
            return Farewell(CRASHED, 1)
        return Farewell(said[0] if said else "", app.return_code or 0)


async def _painted(terminal: RemoteTerminal, running: asyncio.Future[Any]) -> None:
    """Until an app has drawn something, or has ended, or takes too long."""
    end = monotonic() + PAINTS_WITHIN
    while terminal.frames < 2 and not running.done() and monotonic() < end:
        await asyncio.sleep(0.01)

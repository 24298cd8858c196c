"""One class from its start to its end."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tui_attention.classroom.auth import Doorkeeper, new_code, new_token
from tui_attention.classroom.hub.hub import Hub
from tui_attention.classroom.hub.state import RoomPlace, RoomState
from tui_attention.classroom.keep import ClassFolder, ClassStore, classes_folder
from tui_attention.classroom.keep.folder import read_secret, write_secret
from tui_attention.classroom.pages import Door, join_lines
from tui_attention.classroom.pages.join import DROPPED, KEPT
from tui_attention.classroom.seats.lessons import ClassLessons
from tui_attention.classroom.seats.maker import Maker
from tui_attention.classroom.seats.reception import Usher
from tui_attention.classroom.service.log import Log, open_log
from tui_attention.classroom.service.options import ClassOptions, called, checked
from tui_attention.classroom.terminal.driver import Routed
from tui_attention.classroom.terminal.garbage import Collector
from tui_attention.engine.errors import BadInput
from tui_attention.session.opening import key_of

HOST_KEY: Final = "host-key"
WEB_SECRET: Final = "web-secret"
FILES: Final = 4096
NAMES_EACH: Final = 4
"""Names that the class takes for each seat: people mistype theirs and come in again."""

Say = Callable[[str], object]


def run_class(options: ClassOptions, say: Say) -> int:
    """Serve a class until it is ended; the exit code. `say` prints a line. Raises BadInput."""
    checked(options)
    if not options.headless:
        _needs_terminal(options)
    folder = ClassFolder(options.name)
    folder.make()
    folder.lock()
    log, close_log = open_log(None if options.headless else folder.log)
    _more_files()
    try:
        with contextlib.closing(ClassStore(folder.database)) as store:
            return asyncio.run(RunningClass(options, folder, store, log, say).run())
    finally:
        close_log()
        folder.unlock()


def _needs_terminal(options: ClassOptions) -> None:
    """Raises BadInput where the teacher's app can't be shown."""
    import sys

    from tui_attention.ui.terminal import terminal_problem

    problem = terminal_problem(options.env, sys.stdin, sys.stdout, sys.stderr)
    if problem is not None:
        raise BadInput(f"{problem}; `tui-attention class --headless` needs none")


def _more_files() -> None:
    """A class has a few files and a line for each learner: as many as the system allows, up to thousands."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < FILES:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, hard), hard))


class RunningClass:
    """A class from its doors being opened to their being closed."""

    def __init__(self, options: ClassOptions, folder: ClassFolder, store: ClassStore, log: Log, say: Say) -> None:
        self._options = options
        self._folder = folder
        self._store = store
        self._log = log
        self._say = say
        self.ending = asyncio.Event()
        """Set: the class ends."""
        self._lessons = ClassLessons(options.lessons, options.lesson)
        self.hub = self._hub()
        self.maker: Maker | None = None

    async def run(self) -> int:
        options = self._options
        token = _kept(self._folder.token, new_token)
        code = self._store.meta("code") or new_code()
        self._store.set_meta("code", code)
        keeper = Doorkeeper(options.auth, code, token)
        hub = self.hub
        with Routed(self._log) as routed:
            maker = self.maker = Maker(
                hub,
                self._folder,
                self._store,
                lessons=self._lessons,
                routed=routed,
                log=self._log,
                variants=options.variants,
            )
            usher = Usher(hub, maker.make, most=options.most, converse=maker.converse)
            collector = Collector(usher.typed_at, self._log)
            usher.left = collector.someone_leaves
            collecting = asyncio.ensure_future(collector.run())
            async with contextlib.AsyncExitStack() as doors:
                door = await self._open(doors, keeper, usher)
                maker.opened(door)
                self._announce(door)
                code_out = await self._until_ended(maker)
                hub.end()
                await usher.end()
            collecting.cancel()
        return code_out

    def _hub(self) -> Hub:
        options = self._options
        begin = RoomPlace(key_of(options.lesson))
        hub = self._store.hub(RoomState(options.name, begin), most=max(200, NAMES_EACH * options.most))
        left = hub.state.place.lesson
        if (options.named and left != begin.lesson) or not self._lessons.has(left):
            hub.step(begin, 0)
        return hub

    async def _open(self, doors: contextlib.AsyncExitStack, keeper: Doorkeeper, usher: Usher) -> Door:
        from tui_attention.classroom.ssh import hostkey, server

        options = self._options
        key = hostkey.host_key(classes_folder() / HOST_KEY)
        keys = hostkey.authorized_keys(options.authorized_keys) if options.authorized_keys else None
        try:
            listening = await server.listen(
                options.host, options.port, key, keeper, usher, most=options.most, keys=keys, log=self._log
            )
        except OSError as error:
            raise BadInput(_no_address(options.host, options.port, error)) from error
        doors.push_async_callback(server.close, listening)
        page = await self._open_web(doors, keeper, usher) if options.web is not None else 0
        return Door(
            options.name, options.host, listening.get_port(), options.auth, keeper.code,
            hostkey.fingerprint(key), called(options.host), page,
        )  # fmt: skip

    async def _open_web(self, doors: contextlib.AsyncExitStack, keeper: Doorkeeper, usher: Usher) -> int:
        from tui_attention.classroom.web.server import Front, WebDoor, WebServer
        from tui_attention.classroom.web.tickets import Tickets

        options = self._options
        secret = _kept(self._folder.path / WEB_SECRET, new_token)
        front = Front(f"Class {options.name}", KEPT.format(name=options.name))
        web = WebServer(WebDoor(keeper, usher, Tickets(secret + keeper.code), front, self._log), most=options.most)
        try:
            await web.open(options.host, options.web or 0)
        except OSError as error:
            raise BadInput(_no_address(options.host, options.web or 0, error)) from error
        doors.push_async_callback(web.close)
        return web.port

    def _announce(self, door: Door) -> None:
        lines = join_lines(door)
        room = max(len(label) for label, _ in lines) + 2
        for label, text in lines:
            self._say(f"{label:<{room}}{text}")
        self._say(f"{'teacher':<{room}}{door.line('teacher')}, with the token in {self._folder.token}")
        if self._options.host not in ("127.0.0.1", "::1", "localhost"):
            self._say(f"Everybody who reaches {self._options.host} can now try to come in.")
        self._say(DROPPED)
        self._say(KEPT.format(name=door.name))
        self._say(f"The class {door.name} is ready.")

    async def _until_ended(self, maker: Maker) -> int:
        if not self._options.headless:
            return await maker.teach_here(self._options.env)
        with _signals(self.ending.set):
            await self.ending.wait()
        return 0


@contextlib.contextmanager
def _signals(told: Callable[[], None]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    for number in numbers:
        loop.add_signal_handler(number, told)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


def _kept(path: Path, new: Callable[[], str]) -> str:
    """The secret of a file; a new one where there is none."""
    found = read_secret(path)
    if found is not None and found.strip():
        return found.strip()
    made = new()
    write_secret(path, made + "\n")
    return made


def _no_address(host: str, port: int, error: OSError) -> str:
    return f"{host} port {port} can't be listened on: {error.strerror or error}"

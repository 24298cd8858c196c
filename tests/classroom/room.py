"""A whole class in this process: everything but the signals and the teacher's own terminal."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from tests.classroom.line import PATIENCE, Client, client
from tui_attention.classroom.hub.hub import Hub
from tui_attention.classroom.keep import ClassFolder, ClassStore
from tui_attention.classroom.service.options import ClassOptions
from tui_attention.classroom.service.running import RunningClass


@dataclass
class Room:
    """A running class."""

    port: int
    code: str
    token: str
    hub: Hub
    folder: ClassFolder
    store: ClassStore
    said: list[str]
    log: list[str]
    stack: contextlib.AsyncExitStack
    web: int = 0
    ending: asyncio.Event = field(default_factory=asyncio.Event)
    clients: list[Client] = field(default_factory=list)
    maker: Any = None

    async def come(self, name: str, **options: Any) -> Client:
        """A learner's ssh, or the teacher's."""
        password = self.token if name == "teacher" else self.code
        come = await self.stack.enter_async_context(client(self.port, name, password=password, **options))
        self.clients.append(come)
        return come

    async def until(self, done: Callable[[], bool], seconds: float = PATIENCE) -> None:
        async with asyncio.timeout(seconds):
            while not done():
                await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def room(name: str = "test", **options: Any) -> AsyncIterator[Room]:
    """A class on a free port; its data is where XDG_DATA_HOME says."""
    given: dict[str, Any] = {"port": 0, "headless": True, "allow_root": True} | options
    asked = ClassOptions(name=name, **given)
    folder = ClassFolder(name)
    folder.make()
    folder.lock()
    said: list[str] = []
    log: list[str] = []
    store = ClassStore(folder.database)
    running = RunningClass(asked, folder, store, log.append, said.append)
    task = asyncio.ensure_future(running.run())
    try:
        async with contextlib.AsyncExitStack() as stack, asyncio.timeout(5 * PATIENCE):
            while not any("is ready" in line for line in said):
                if task.done():
                    task.result()
                await asyncio.sleep(0.01)
            text = "\n".join(said)
            port, code, web = (re.search(how, text) for how in (r"-p (\d+)", r"(\w{4}-\w{4})", r"http://\S+:(\d+)/"))
            assert port is not None
            yield Room(
                int(port[1]), code[1] if code else "", folder.token.read_text().strip(), running.hub, folder, store,
                said, log, stack, int(web[1]) if web else 0, running.ending,
                maker=running.maker,
            )  # fmt: skip
    finally:
        running.ending.set()
        await asyncio.wait_for(task, PATIENCE)
        store.close()
        folder.unlock()

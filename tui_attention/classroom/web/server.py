"""The web server of a class: a page to come in by, a page with a terminal, and the terminal's line."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final

from aiohttp import web

from tui_attention.classroom.auth import Doorkeeper, same_token
from tui_attention.classroom.guests import Farewell, Guest, Reception
from tui_attention.classroom.hub.names import clean_name, is_teacher
from tui_attention.classroom.hub.people import Role
from tui_attention.classroom.terminal.remote import RemoteTerminal
from tui_attention.classroom.web import pages
from tui_attention.classroom.web.socket import LONGEST, SocketLine
from tui_attention.classroom.web.tickets import Tickets

COOKIE: Final = "seat"
CONNECTION_LASTS: Final = 30.0
"""Seconds for which a connection that is no terminal's line stays open."""
HEARTBEAT: Final = 15.0
SPARE: Final = 30
ENV: Final = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}

Log = Callable[[str], object]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Front:
    """What the pages say: the class's title, and what is kept of whoever comes in."""

    title: str
    notice: str = ""


class WebDoor:
    """The handlers. Who has a ticket has a terminal; a ticket is had for the code, as over ssh."""

    def __init__(
        self,
        keeper: Doorkeeper,
        reception: Reception,
        tickets: Tickets,
        front: Front,
        log: Log,
        *,
        key: str = "",
    ) -> None:
        """`key` opens the page by itself, for whoever started the server on their own machine."""
        self._keeper = keeper
        self._reception = reception
        self._tickets = tickets
        self._front = front
        self._log = log
        self._key = key
        self.lines: set[asyncio.BaseTransport] = set()
        """The connections that are terminals' lines now."""

    def app(self) -> web.Application:
        app = web.Application(middlewares=[_careful], client_max_size=4096)
        app.add_routes(
            [
                web.get("/", self.come),
                web.get("/open", self.open),
                web.post("/join", self.join),
                web.get("/class", self.terminal),
                web.get("/line", self.line),
                web.get("/style.css", _style),
                web.get("/check.js", _check),
                web.get("/static/{name:.+}", _static),
            ]
        )
        return app

    # ------------------------------------------------------------ coming in

    async def come(self, request: web.Request) -> web.StreamResponse:
        return self._join_page()

    def _join_page(self, bad: str = "", name: str = "", status: int = 200) -> web.Response:
        text = pages.join_page(
            self._front.title, self._front.notice, code=self._keeper.auth != "none", bad=bad, name=name
        )
        return web.Response(text=text, content_type="text/html", status=status)

    async def join(self, request: web.Request) -> web.StreamResponse:
        if not _same_origin(request):
            raise web.HTTPForbidden(text="This page is not of this class.\n")
        form = await request.post()
        name, code = str(form.get("name", ""))[:200], str(form.get("code", ""))[:200]
        role = self._role(name, code)
        if role is None:
            await asyncio.sleep(self._keeper.gate.failed(request.remote or "", monotonic()))
            return self._join_page("That is not the code.", clean_name(name), 403)
        raise self._seated(clean_name(name), role)

    async def open(self, request: web.Request) -> web.StreamResponse:
        """The address that the server printed, for the one person that it is for."""
        if not self._key or not same_token(request.query.get("key", ""), self._key):
            raise web.HTTPForbidden(text="Open the address that was printed at the start.\n")
        raise self._seated("you", "learner")

    def _seated(self, name: str, role: Role) -> web.HTTPSeeOther:
        found = web.HTTPSeeOther("/class")
        found.set_cookie(COOKIE, self._tickets.make(name, role), httponly=True, samesite="Strict", path="/")
        return found

    def _role(self, name: str, code: str) -> Role | None:
        return "learner" if self._keeper.open_to(name) else self._keeper.role(name, code)

    def _guest(self, request: web.Request) -> Guest | None:
        ticket = request.cookies.get(COOKIE, "")
        found = self._tickets.read(ticket)
        if found is None or (is_teacher(found[0]) and found[1] != "teacher"):
            return None
        return Guest(found[0], found[1], address=request.remote or "", ticket=ticket)

    # ------------------------------------------------------------ the terminal

    async def terminal(self, request: web.Request) -> web.StreamResponse:
        if self._guest(request) is None:
            raise web.HTTPSeeOther("/")
        text = pages.terminal_page(self._front.title, f"ws://{request.host}/line")
        return web.Response(text=text, content_type="text/html")

    async def line(self, request: web.Request) -> web.StreamResponse:
        guest = self._guest(request)
        if guest is None or not _same_origin(request):
            raise web.HTTPForbidden(text="Come in first.\n")
        page = web.WebSocketResponse(
            heartbeat=HEARTBEAT, max_msg_size=LONGEST, compress=False, writer_limit=16 * 1024, autoping=True
        )
        await page.prepare(request)
        if request.transport is not None:
            self.lines.add(request.transport)
        line = SocketLine(page, request.transport)
        size = _number(request.query.get("width")), _number(request.query.get("height"))
        terminal = line.terminal = RemoteTerminal(line, ENV, size)
        tasks = [asyncio.ensure_future(work) for work in (line.send(), line.read(terminal))]
        visit = asyncio.ensure_future(self._visit(guest, terminal))
        try:
            await asyncio.wait([visit, tasks[1]], return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not visit.done():
                terminal.lost()
                visit.cancel()
            farewell = await _result(visit)
            if farewell.says and not page.closed:
                line.write(farewell.says.replace("\n", "\r\n").encode() + b"\r\n")
                await asyncio.sleep(0.1)
            for task in tasks:
                task.cancel()
            await page.close()
            self.lines -= {request.transport}
        return page

    async def _visit(self, guest: Guest, terminal: RemoteTerminal) -> Farewell:
        try:
            return await self._reception.receive(guest, terminal)
        except Exception as error:  # noqa: BLE001 - one learner's fault is nobody else's: it goes to the log
            self._log(f"a session failed: {error!r}")
            return Farewell("Something went wrong on the server; your work is kept. Load the page anew.", 1)


async def _result(visit: asyncio.Future[Farewell]) -> Farewell:
    with contextlib.suppress(asyncio.CancelledError):
        return await visit
    return Farewell()


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 6 else 0


def _same_origin(request: web.Request) -> bool:
    """Whether a page of this very server asks: other pages in the browser have no business here."""
    return request.headers.get("Origin", "") == f"http://{request.host}"


@web.middleware
async def _careful(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Nothing is taken from elsewhere, kept, or framed."""
    try:
        response = await handler(request)
    except web.HTTPException as error:
        _harden(error)
        raise
    if not response.prepared:
        _harden(response)
    return response


def _harden(response: web.StreamResponse) -> None:
    response.headers["Content-Security-Policy"] = pages.POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "no-store"


async def _style(request: web.Request) -> web.StreamResponse:
    return web.Response(text=pages.style(), content_type="text/css")


async def _check(request: web.Request) -> web.StreamResponse:
    return web.Response(text=pages.CHECK, content_type="text/javascript")


async def _static(request: web.Request) -> web.StreamResponse:
    try:
        body, kind = pages.static(request.match_info["name"])
    except KeyError:
        raise web.HTTPNotFound from None
    return web.Response(body=body, content_type=kind)


# ---------------------------------------------------------------- listening


class _Refused(asyncio.Protocol):
    """Beyond so many connections, or this address's rate: closed at once."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.close()


class WebServer:
    """The open door. Every connection that is no terminal's line ends after half a minute."""

    def __init__(self, door: WebDoor, *, most: int) -> None:
        self._door = door
        self._runner = web.AppRunner(door.app(), access_log=None, keepalive_timeout=15.0)
        self._most = most + SPARE
        self._server: asyncio.Server | None = None
        self.port = 0

    async def open(self, host: str, port: int) -> None:
        """Raises OSError where the address can't be had."""
        await self._runner.setup()
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connection, host, port, backlog=128, reuse_address=True)
        self.port = int(self._server.sockets[0].getsockname()[1])

    def _connection(self) -> asyncio.Protocol:
        server = self._runner.server
        if server is None or len(server.connections) >= self._most:
            return _Refused()
        protocol = server()
        asyncio.get_running_loop().call_later(CONNECTION_LASTS, self._end, protocol)
        return protocol

    def _end(self, protocol: web.RequestHandler) -> None:
        transport = protocol.transport
        if transport is not None and transport not in self._door.lines:
            protocol.force_close()
            transport.close()

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        await self._runner.cleanup()

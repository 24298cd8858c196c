"""The browser's way in, with an HTTP client in the place of the browser."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.classroom.line import CODE, PATIENCE, TOKEN
from tests.classroom.test_wire import Alone
from tui_attention.classroom.auth import Auth, Doorkeeper
from tui_attention.classroom.terminal.driver import Routed
from tui_attention.classroom.web import pages
from tui_attention.classroom.web.server import Front, WebDoor, WebServer
from tui_attention.classroom.web.tickets import Tickets


class Browser:
    def __init__(self, port: int, http: aiohttp.ClientSession) -> None:
        self.http = http
        self.base = f"http://127.0.0.1:{port}"

    async def join(self, name: str, code: str = CODE, origin: str | None = None) -> tuple[int, str]:
        form, headers = {"name": name, "code": code}, {"Origin": self.base if origin is None else origin}
        async with self.http.post(f"{self.base}/join", data=form, headers=headers, allow_redirects=False) as got:
            return got.status, await got.text()

    def line(self, origin: str | None = None, size: str = "?width=80&height=24") -> Any:
        return self.http.ws_connect(f"{self.base}/line{size}", origin=self.base if origin is None else origin)


@contextlib.asynccontextmanager
async def opened(auth: Auth = "code", most: int = 10) -> AsyncIterator[tuple[Browser, Alone]]:
    log: list[str] = []
    with Routed(log.append) as routed:
        alone = Alone(routed)
        door = WebDoor(Doorkeeper(auth, CODE, TOKEN), alone, Tickets("s"), Front("7b", "Kept: <name>"), log.append)
        server = WebServer(door, most=most)
        await server.open("127.0.0.1", 0)
        jar = aiohttp.CookieJar(unsafe=True)  # cookies of an address without a name
        async with aiohttp.ClientSession(cookie_jar=jar) as http:
            yield Browser(server.port, http), alone
        await server.close()
        assert not log


async def screen(line: Any, wanted: bytes) -> bytes:
    got = b""
    async with asyncio.timeout(PATIENCE):
        while wanted not in got:
            message = await line.receive()
            assert message.type is aiohttp.WSMsgType.BINARY, message
            got += message.data
    return got


async def test_join_type_resize_and_load_the_page_again() -> None:
    async with opened() as (browser, alone):
        async with browser.http.get(f"{browser.base}/") as page:
            text = await page.text()
            assert "Class code" in text
            assert "Kept: &lt;name&gt;" in text
            assert page.headers["Content-Security-Policy"] == pages.POLICY
        assert (await browser.join("Ada [x]"))[0] == 303
        async with browser.http.get(f"{browser.base}/class") as page:
            assert f"ws://127.0.0.1:{browser.base.rpartition(':')[2]}/line" in await page.text()
        async with browser.line() as line:
            assert b"\x1b[?1049h" in await screen(line, b"next")
            assert [(guest.name, guest.role) for guest in alone.guests] == [("Ada x", "learner")]
            await line.send_str(json.dumps(["stdin", "n"]))
            await screen(line, b"drawing on a key")
            await line.send_str(json.dumps(["resize", {"width": 9000, "height": 30}]))
            async with asyncio.timeout(PATIENCE):
                while alone.apps[0].size != (240, 30):
                    await asyncio.sleep(0.02)
        async with browser.line() as line:
            await screen(line, b"next")
        assert alone.guests[0] == alone.guests[1]
        async with asyncio.timeout(PATIENCE):
            while any(app.is_running for app in alone.apps):
                await asyncio.sleep(0.02)


async def test_nothing_without_the_code_and_nothing_from_other_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui_attention.classroom.auth.gate.EACH_FAILURE", 0.01)
    async with opened() as (browser, alone):
        for name, code in (("ada", "wrong"), ("ada", TOKEN), ("teacher", CODE), ("ada", "")):
            status, text = await browser.join(name, code)
            assert status == 403
            assert "That is not the code" in text
        assert (await browser.join("ada", origin="http://evil.example"))[0] == 403
        async with browser.http.get(f"{browser.base}/class", allow_redirects=False) as page:
            assert (page.status, page.headers["Location"]) == (303, "/")
        with pytest.raises(aiohttp.WSServerHandshakeError):
            async with browser.line():
                pass
        await browser.join("ada")
        with pytest.raises(aiohttp.WSServerHandshakeError):
            async with browser.line(origin="http://evil.example"):
                pass
        assert not alone.guests
        for name in ("../server.py", "js/../../server.py", "js/other.js", "%2e%2e/x"):
            async with browser.http.get(f"{browser.base}/static/{name}") as page:
                assert page.status == 404
        async with browser.http.get(f"{browser.base}/static/{pages.SCRIPT}") as page:
            assert page.status == 200
            assert b"xterm" in await page.read()


@pytest.mark.slow
@pytest.mark.parametrize(
    "sent", ['["stdin"]', '["stdin", 5]', "no json", "[" * 10_000, '["resize", {"width": "x"}]', '{"a": 1}', '["do"]']
)
async def test_what_no_page_of_ours_sends_ends_the_line(sent: str) -> None:
    async with opened("none") as (browser, _):
        await browser.join("eve")
        async with browser.line() as line:
            await screen(line, b"next")
            await line.send_str(sent)
            async with asyncio.timeout(PATIENCE):
                while not line.closed:
                    await line.receive()
            assert line.close_code == 1008


async def test_the_teacher_comes_in_by_the_token() -> None:
    async with opened() as (browser, alone):
        assert (await browser.join("Teacher", TOKEN))[0] == 303
        async with browser.line() as line:
            await screen(line, b"next")
        assert alone.guests[0].role == "teacher"


def test_tickets_are_ours_or_nothing() -> None:
    tickets = Tickets("secret")
    ticket = tickets.make("Zoë\nx", "learner")
    assert tickets.read(ticket) == ("Zoë\nx", "learner")
    assert Tickets("secret").read(ticket) == ("Zoë\nx", "learner")  # after a restart
    assert Tickets("another").read(ticket) is None
    said, _, signed = ticket.partition(".")
    for bad in ("", ".", said, f"{said}.{signed[:-1]}", f"x{said}.{signed}", ticket + "x", "é.é", ticket * 3):
        assert tickets.read(bad) is None

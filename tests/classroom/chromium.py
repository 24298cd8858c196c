"""A real headless Chromium, driven by its DevTools protocol over a WebSocket."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless=new", "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
    "--disable-extensions", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist", "--window-size=1100,700", "--remote-debugging-port=0", "about:blank",
)  # fmt: skip


def browser() -> str | None:
    """The path of a browser; None where there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Page:
    """One tab."""

    def __init__(self, line: aiohttp.ClientWebSocketResponse[Any]) -> None:
        self._line = line
        self._count = 0
        self.told: list[str] = []

    async def call(self, method: str, **given: Any) -> dict[str, Any]:
        self._count += 1
        number = self._count
        await self._line.send_json({"id": number, "method": method, "params": given})
        async with asyncio.timeout(60):
            while True:
                answer = await self._line.receive_json()
                if answer.get("id") == number:
                    assert "error" not in answer, answer
                    result: dict[str, Any] = answer["result"]
                    return result
                if answer.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                    self.told.append(str(answer["params"])[:500])

    async def go(self, address: str) -> None:
        await self.call("Page.navigate", url=address)
        await self.until("document.readyState == 'complete'")

    async def value(self, script: str) -> Any:
        answer = await self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        return answer["result"].get("value")

    async def until(self, script: str, seconds: float = 60) -> None:
        async with asyncio.timeout(seconds):
            while not await self.value(script):
                await asyncio.sleep(0.05)

    async def type(self, text: str) -> None:
        for mark in text:
            if mark == "\r":
                for kind in ("rawKeyDown", "char", "keyUp"):
                    await self.call(
                        "Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter",
                        windowsVirtualKeyCode=13, text="\r" if kind == "char" else "",
                    )  # fmt: skip
            else:
                await self.call("Input.dispatchKeyEvent", type="char", text=mark, key=mark)

    async def picture(self) -> bytes:
        return base64.b64decode((await self.call("Page.captureScreenshot"))["data"])


@contextlib.asynccontextmanager
async def page() -> AsyncIterator[Page]:
    """A tab of a fresh browser, which ends with it. Nothing of the machine's own browser is touched."""
    found = browser()
    assert found is not None
    home = tempfile.mkdtemp(prefix="chromium-")
    as_root = ["--no-sandbox"] if os.getuid() == 0 else []
    process = await asyncio.create_subprocess_exec(
        found, *as_root, f"--user-data-dir={home}", *FLAGS,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        port = Path(home) / "DevToolsActivePort"
        async with asyncio.timeout(60):
            while not port.exists() or not port.read_text().strip():
                await asyncio.sleep(0.05)
        base = f"http://127.0.0.1:{port.read_text().split()[0]}"
        async with aiohttp.ClientSession() as http:
            async with http.get(f"{base}/json/list") as listed:
                tab = next(tab for tab in await listed.json() if tab["type"] == "page")
            async with http.ws_connect(tab["webSocketDebuggerUrl"], max_msg_size=1 << 26) as line:
                opened = Page(line)
                for domain in ("Page", "Runtime", "Log"):
                    await opened.call(f"{domain}.enable")
                yield opened
    finally:
        process.kill()
        await process.wait()
        shutil.rmtree(home, ignore_errors=True)

"""Textual's own parts, made for a moment."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator

import pytest_asyncio
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver


@pytest_asyncio.fixture
async def driver() -> AsyncIterator[LinuxDriver]:
    """Textual's driver, made where its handlers can be installed, and these taken back."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTSTP, signal.SIGCONT)}
    try:
        yield LinuxDriver(App())
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

"""The log of a class: standard error for a service, else a file in its folder. Bounded, one line each, no secrets."""

from __future__ import annotations

import logging
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

BYTES: Final = 1_000_000
LONGEST: Final = 4000
QUIET: Final = ("asyncssh", "aiohttp", "asyncio")

Log = Callable[[str], object]


class OneLine(logging.Formatter):
    """No control character of somebody's name or bytes reaches a terminal that shows the log."""

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)[:LONGEST]
        return "\n".join("".join(mark if mark.isprintable() else "?" for mark in line) for line in text.splitlines())


def open_log(path: Path | None) -> tuple[Log, Callable[[], None]]:
    """What writes a line, and what closes the log. None: standard error. The libraries' warnings go there too."""
    handler: logging.Handler
    if path is None:
        handler = logging.StreamHandler()
    else:
        path.touch(mode=0o600, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=BYTES, backupCount=1, encoding="utf-8", delay=True)
    handler.setFormatter(OneLine("%(asctime)s %(message)s"))
    logger = logging.Logger("class")
    logger.addHandler(handler)
    for name in QUIET:
        other = logging.getLogger(name)
        other.setLevel(logging.ERROR)
        other.propagate = False
        other.addHandler(handler)

    def close() -> None:
        for name in QUIET:
            logging.getLogger(name).removeHandler(handler)
        handler.close()

    return lambda text: logger.warning("%s", text.strip()) if text.strip() else None, close

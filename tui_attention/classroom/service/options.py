"""What the teacher asked for, checked before anything is made or opened."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tui_attention.classroom.auth import Auth
from tui_attention.classroom.keep.folder import valid_class
from tui_attention.engine.errors import BadInput
from tui_attention.options import FIRST_LESSON

MOST: int = 150
"""Learners that one process takes: beyond a hundred it is slow."""


@dataclass(frozen=True, slots=True)
class ClassOptions:
    """One start of a class. `named`: the lesson was named. `web` is the page's port, None for no page; `lessons` a
    folder of own lessons.
    """

    lesson: str = FIRST_LESSON
    named: bool = False
    host: str = "127.0.0.1"
    port: int = 2222
    name: str = "class"
    most: int = 60
    auth: Auth = "code"
    authorized_keys: Path | None = None
    headless: bool = False
    variants: bool = False
    lessons: Path | None = None
    web: int | None = None
    allow_root: bool = False
    allow_open: bool = False
    env: Mapping[str, str] = field(default_factory=dict)


def checked(options: ClassOptions) -> ClassOptions:
    """The options, if they go together. Raises BadInput."""
    valid_class(options.name)
    for port in (options.port, options.web or 0):
        if not 0 <= port <= 65535:
            raise BadInput(f"{port} is no port; it should be from 0 to 65535")
    if not 1 <= options.most <= MOST:
        raise BadInput(f"--max is {options.most}; it should be from 1 to {MOST}")
    if hasattr(os, "geteuid") and os.geteuid() == 0 and not options.allow_root:
        raise BadInput("a class needs no rights of the administrator: start it as a user of its own, or --allow-root")
    if options.auth == "keys" and options.authorized_keys is None:
        raise BadInput("--auth keys needs --authorized-keys FILE")
    if options.auth != "keys" and options.authorized_keys is not None:
        raise BadInput(f"--authorized-keys goes with --auth keys, not with --auth {options.auth}")
    if options.auth == "none" and not is_loopback(options.host) and not options.allow_open:
        raise BadInput(
            f"--auth none on {options.host} lets in whoever reaches it; --auth code asks for a code, --allow-open "
            "means it"
        )
    if options.web is not None and options.auth == "keys":
        raise BadInput("--web needs a code that can be typed: --auth code")
    return options


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def called(host: str) -> tuple[str, ...]:
    """By what names learners may reach an address that is listened on, the likeliest first."""
    try:
        everywhere = ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return (host,)
    if not everywhere:
        return (host,)
    found = [_outward(), socket.gethostname()]
    return tuple(dict.fromkeys(name for name in found if name)) or (host,)


def _outward() -> str:
    """The address of the interface that leads outward; empty where there is none. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return ""

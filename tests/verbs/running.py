"""One command, run in this process."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tui_attention import cli

Capture = pytest.CaptureFixture[str]


@dataclass(frozen=True, slots=True)
class Ran:
    code: int
    out: str
    err: str


def ran(capsys: Capture, *words: str) -> Ran:
    code = cli.main(words)
    shown = capsys.readouterr()
    return Ran(code, shown.out, shown.err)

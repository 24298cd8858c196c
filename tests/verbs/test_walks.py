"""What the command line hands to the app, the plain shell, the judge and the screenshots."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.verbs.running import Capture, ran
from tui_attention import cli
from tui_attention.options import Options


def module(monkeypatch: pytest.MonkeyPatch, name: str, **members: Any) -> None:
    made = ModuleType(name)
    for member, value in members.items():
        setattr(made, member, value)
    monkeypatch.setitem(sys.modules, name, made)


def judged(monkeypatch: pytest.MonkeyPatch, code: int = 0) -> list[tuple[Any, ...]]:
    calls: list[tuple[Any, ...]] = []

    def judge_cell(run: Any, cell: str, typed: str, own: Any = (), show: bool = False) -> SimpleNamespace:
        calls.append((run.lesson.id, run.graph.inputs.prompt, cell, typed, list(own), show))
        return SimpleNamespace(payload={"verdict": "right"}, text="right", code=code)

    module(monkeypatch, "tui_attention.judge.verb", judge_cell=judge_cell)
    return calls


@pytest.mark.parametrize(
    ("words", "typed"),
    [
        (["0.92"], "0.92"),
        (["-0.44"], "-0.44"),
        (["--", "-0,87"], "-0,87"),
        (["--", "-87/100"], "-87/100"),
        (["--", "--json"], "--json"),
        ([""], ""),
        (["= 1.73"], "= 1.73"),
        (["−0.44"], "−0.44"),
    ],
)
def test_judge_hands_on_what_was_typed(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, words: list[str], typed: str
) -> None:
    calls = judged(monkeypatch)
    assert ran(capsys, "judge", "press-h", "q[0,0]", *words).code == 0
    assert calls == [("press-h", "h", "q[0,0]", typed, [], False)]


@pytest.mark.parametrize("code", [0, 1, 2])
def test_judge_carries_own_numbers_and_the_exit_code(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    calls = judged(monkeypatch, code)
    own = ["--own", "q[0,2]=-0.08", "k[0,0] = 0.5", "--own", "sigma1=0.57"]
    found = ran(capsys, "judge", "press-h", *own, "--prompt", "ha", "--json", "a[0,0]", "1.73", "--show")
    assert found.code == code
    assert json.loads(found.out) == {"verdict": "right"}
    assert calls == [
        ("press-h", "ha", "a[0,0]", "1.73", [("q[0,2]", "-0.08"), ("k[0,0]", "0.5"), ("sigma1", "0.57")], True)
    ]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def walks(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Options]]:
    calls: list[tuple[str, Options]] = []

    def app(options: Options) -> int:
        calls.append(("app", options))
        return 7

    def plain(options: Options, stdin: Any, stdout: Any) -> int:
        calls.append(("plain", options))
        return 5

    module(monkeypatch, "tui_attention.ui.app", run=app)
    module(monkeypatch, "tui_attention.plain", run=plain)
    return calls


def on_a_screen(monkeypatch: pytest.MonkeyPatch, term: str | None = "xterm-256color") -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, Terminal())
    if term is None:
        monkeypatch.delenv("TERM", raising=False)
    else:
        monkeypatch.setenv("TERM", term)


def test_the_app_gets_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = walks(monkeypatch)
    on_a_screen(monkeypatch)
    words = "bank --prompt bank --other the --stage raw --no-cover --learner Ann --no-save"
    assert cli.main(words.split()) == 7
    [(front, options)] = calls
    assert front == "app"
    assert options.env["TERM"] == "xterm-256color"
    wanted = Options("bank", True, "bank", "the", None, "raw", False, "Ann", False, False, options.env)
    assert options == wanted


def test_the_app_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = walks(monkeypatch)
    on_a_screen(monkeypatch)
    assert cli.main([]) == 7
    assert cli.main(["press-h"]) == 7
    assert [options.lesson for _, options in calls] == ["press-h", "press-h"]
    assert [options.named for _, options in calls] == [False, True]
    assert calls[0][1].cover is None
    assert calls[0][1].save


@pytest.mark.parametrize("term", ["dumb", "", None])
def test_no_terminal_to_paint_on_means_plain(monkeypatch: pytest.MonkeyPatch, term: str | None) -> None:
    calls = walks(monkeypatch)
    on_a_screen(monkeypatch, term)
    assert cli.main(["press-h"]) == 5
    assert calls[0][0] == "plain"


@pytest.mark.parametrize("name", ["stdin", "stdout", "stderr"])
@pytest.mark.parametrize("stream", [io.StringIO(), None])
def test_one_stream_that_is_no_terminal_means_plain(
    monkeypatch: pytest.MonkeyPatch, name: str, stream: io.StringIO | None
) -> None:
    calls = walks(monkeypatch)
    on_a_screen(monkeypatch)
    monkeypatch.setattr(sys, name, stream)
    assert cli.main([]) == 5
    assert calls[0][0] == "plain"


def test_plain_takes_all(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = walks(monkeypatch)
    assert cli.main(["plain", "--all", "--cover", "bank"]) == 5
    [(front, options)] = calls
    assert (front, options.lesson, options.all, options.cover) == ("plain", "bank", True, True)


def test_screenshots(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    written: list[Path] = []

    def write(folder: Path) -> int:
        written.append(folder)
        return 0

    module(monkeypatch, "tui_attention.ui.shots", write=write)
    assert cli.main(["screenshots", str(tmp_path / "shots")]) == 0
    assert written == [tmp_path / "shots"]
    assert written[0].is_dir()

"""What each part loads, looked at from outside: a fresh interpreter and its `sys.modules`."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = ("textual", "rich", "numpy", "torch", "matplotlib", "sqlite3", "platformdirs")


def loaded_by(code: str) -> set[str]:
    """The names of HEAVY that a fresh interpreter has loaded after `code`."""
    report = f"\nimport sys, json\nprint('\\n' + json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", code + report],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    names: list[str] = json.loads(done.stdout.splitlines()[-1])
    return set(names)


def verb(*words: str) -> str:
    """Code that runs the program with these words and swallows its exit."""
    return (
        "from tui_attention.cli import main\n"
        "try:\n"
        f"    code = main({list(words)!r})\n"
        "except SystemExit as stop:\n"
        "    code = stop.code\n"
        "assert code in (0, None), code\n"
    )


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["values", "--help"], ["plain", "--help"]])
def test_help_and_version_load_nothing_heavy(words: list[str]) -> None:
    assert loaded_by(verb(*words)) == set()


@pytest.mark.parametrize(
    ("module", "allowed"),
    [
        ("engine", {"numpy"}),
        ("engine.graph", {"numpy"}),
        ("engine.formula", {"numpy"}),
        ("lessons", {"numpy"}),
        ("lessons.run", {"numpy"}),
        ("judge", {"numpy"}),
        ("models", {"numpy"}),
        ("walk", {"numpy"}),
        ("store", {"numpy", "sqlite3", "platformdirs"}),
        ("render", {"numpy", "rich"}),
        ("plain", {"numpy", "rich", "sqlite3", "platformdirs"}),
        ("export", {"numpy", "rich", "sqlite3", "platformdirs"}),
    ],
)
def test_a_package_loads_no_more_than_it_may(module: str, allowed: set[str]) -> None:
    assert loaded_by(f"import tui_attention.{module}") <= allowed


@pytest.mark.parametrize("package", ["engine", "lessons", "judge", "models", "render", "export"])
def test_no_module_of_a_package_loads_more_than_it_may(package: str) -> None:
    everything = (
        "import importlib, pkgutil\n"
        f"import tui_attention.{package} as package\n"
        "for found in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "    importlib.import_module(found.name)\n"
    )
    allowed = {
        "engine": {"numpy"},
        "lessons": {"numpy"},
        "judge": {"numpy"},
        "models": {"numpy"},
        "render": {"numpy", "rich"},
        "export": {"numpy", "rich", "sqlite3", "platformdirs"},
    }[package]
    assert loaded_by(everything) <= allowed


@pytest.mark.parametrize("words", [["values", "press-h", "x0"], ["explain", "press-h", "q[0,2]"], ["lessons"]])
def test_verbs_without_a_screen_load_no_textual(words: list[str]) -> None:
    assert "textual" not in loaded_by(verb(*words))


def test_the_program_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tui_attention", "--version"],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0
    assert any(mark.isdigit() for mark in done.stdout)


UNUSED = (
    "numpy.typing", "hashlib", "shlex", "tui_attention.judge.verdict", "tui_attention.judge.reading",
    "tui_attention.interaction.answering", "tui_attention.interaction.models", "tui_attention.interaction.whatif",
    "tui_attention.lessons.sound", "tui_attention.lessons.positions", "tui_attention.lessons.toml_faults",
    "tui_attention.listings", "tui_attention.session.progress", "tui_attention.walk.moved",
)  # fmt: skip
"""What the first screen does not need: each is loaded with its first use."""


def test_the_first_screen_waits_for_nothing_that_it_does_not_need() -> None:
    code = (
        "from tui_attention.options import Options\nfrom tui_attention.session import open_session\n"
        "import tui_attention.ui.attention\nopen_session(Options(save=False))\n"
        f"import sys\nprint([name for name in {UNUSED!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"

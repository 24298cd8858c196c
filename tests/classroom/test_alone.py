"""`tui-attention web`: the page that the printed address opens, and nothing without it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest


@pytest.mark.slow
def test_only_the_printed_address_opens_the_page(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tui_attention", "web", "--port", "0", "--no-save"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=_env(tmp_path)) as server:
        watch = threading.Timer(60, server.kill)
        watch.start()
        try:
            assert server.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:\d+/open\?key=\S+", server.stdout.readline())
            assert found is not None
            jar = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with jar.open(found[0], timeout=20) as page:
                assert b"textual-terminal" in page.read()
            with pytest.raises(urllib.error.HTTPError, match="403"):
                urllib.request.urlopen(found[0][:-1], timeout=20)
        finally:
            watch.cancel()
            server.terminate()
    assert server.returncode == 0


def _env(home: Path) -> dict[str, str]:
    return {**os.environ, "XDG_DATA_HOME": str(home)}

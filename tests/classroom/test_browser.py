"""A real headless Chromium in a class: join, type an answer, resize, load the page again and go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.classroom import chromium
from tests.classroom.line import Client
from tests.classroom.room import room

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium.browser() is None, reason="no Chromium here: the page was not tried in a browser"),
]


def _widest(client: Client) -> int:
    return max(len(line) for line in client.text.split("\n"))


async def test_join_answer_resize_and_load_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    async with room(web=0) as here, chromium.page() as page:
        base = f"http://127.0.0.1:{here.web}"
        await page.go(f"{base}/")
        assert "Class code" in await page.value("document.body.innerText")
        assert "Kept on this machine" in await page.value("document.body.innerText")
        await page.value("document.querySelector('#name').value = 'Ada'")
        await page.value("document.querySelector('#code').value = 'wrong'; document.querySelector('form').submit()")
        await page.until("document.body.innerText.includes('That is not the code')")
        await page.value(f"document.querySelector('#code').value = '{here.code}'")
        await page.value("document.querySelector('form').submit()")
        await page.until("document.body.classList.contains('-first-byte')")
        await here.until(lambda: here.hub.here == 1)
        teacher = await here.come("teacher", size=(140, 50))
        await teacher.until("1 here")
        teacher.press("nn")
        await here.until(lambda: here.hub.members[0].asked == "E[7,0]")
        await page.value("document.querySelector('textarea').focus()")
        await page.type("0.28\r")
        await here.until(lambda: here.hub.members[0].count("paid") == 1)
        picture = await page.picture()
        assert len(picture) > 20_000  # a lesson is painted, not a blank page
        teacher.press("b")
        await teacher.until("asked now")
        teacher.press("\r")
        await teacher.until("Ada, as it is")
        assert _widest(teacher) > 100
        small = {"width": 800, "height": 500, "deviceScaleFactor": 1, "mobile": False}
        await page.call("Emulation.setDeviceMetricsOverride", **small)
        await here.until(lambda: 60 < _widest(teacher) < 100)
        await page.go(f"{base}/class")
        await page.until("document.body.classList.contains('-first-byte')")
        await here.until(lambda: here.hub.here == 1)
        assert len(here.hub.members) == 1
        await page.value("document.querySelector('textarea').focus()")
        await here.until(lambda: here.hub.members[0].asked == "check:token-row.2")
        await page.type("pp")  # a sentence is asked: one p would begin it
        await here.until(lambda: here.hub.members[0].place.stage in ("splitter", "route"))
        assert here.hub.members[0].count("paid") == 1
        await page.type("q")
        await page.until("document.body.classList.contains('-closed')")
        assert not [told for told in page.told if "favicon" not in told and "403" not in told], page.told

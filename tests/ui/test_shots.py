"""The README's pictures: the same each time, and as they are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui_attention.ui.shots import SHOTS, Shot, taken

KEPT = Path(__file__).parents[2] / "screenshots"


def test_no_other_pictures_are_kept() -> None:
    assert {path.stem for path in KEPT.glob("*.svg")} == {shot.name for shot in SHOTS}


@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.name)
async def test_a_picture_is_as_it_is_kept(shot: Shot) -> None:
    svg, text = await taken(shot)
    assert text.strip()
    kept = (KEPT / f"{shot.name}.svg").read_text(encoding="utf-8")
    assert svg == kept, "run `tui-attention screenshots screenshots`"

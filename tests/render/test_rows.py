"""Rows of text: wrapped without losing a mark, whatever its width."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui_attention.render.rows import plain, text_row, wrap, wrap_line

words = st.text(st.sampled_from("ab(*-漢字é"), min_size=1, max_size=12)


@given(st.lists(words, max_size=8), st.integers(8, 40), st.integers(0, 6))
def test_wrapping_loses_nothing(found: list[str], width: int, first: int) -> None:
    text = " ".join(found)
    lines = wrap(text, width, first)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(found)


def test_a_mark_of_two_columns_is_not_cut_in_half() -> None:
    assert wrap("漢字漢字", 3) == ["漢", "字", "漢", "字"]


def test_a_pencil_line_breaks_outside_its_brackets() -> None:
    assert wrap_line("1.10 + 2.20 + (0.20 - 0.30)", 20) == ["1.10 + 2.20 +", "(0.20 - 0.30)"]


def test_a_row_of_nothing_is_empty() -> None:
    assert text_row("") == ()
    assert plain(text_row("a  ")) == "a"

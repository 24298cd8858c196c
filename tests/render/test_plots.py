"""Pictures: what they say, that they fit, and that nothing covered has any part in them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui_attention.engine.tensor import Axis, plain_axis
from tui_attention.lessons.model import Plot, PlotKind
from tui_attention.lessons.run import open_run
from tui_attention.render.plots import plot_lines
from tui_attention.render.rows import plain as text_of
from tui_attention.render.rows import width_of
from tui_attention.walk.ledger import Ledger
from tui_attention.walk.questions import QuestionPlan
from tui_attention.walk.view import Picture
from tui_attention.walk.visible import VisibleLesson

KINDS: tuple[PlotKind, ...] = ("heatmap", "bars", "arrows", "plane", "curve")
LONG = "the river bank the money bank the river bank the money bank"
ANY = 10**6


def pictures(
    prompt: str | None = None, *, cover: bool = False, now: int = ANY
) -> dict[str, tuple[Plot, tuple[Picture, ...]]]:
    """The pictures of the bank lesson by their file, as they may be shown at a step."""
    run = open_run("bank", prompt=prompt)
    visible = VisibleLesson(QuestionPlan(run), Ledger(), cover, now, True)
    return {plot.file: (plot, visible.picture(plot)) for stage in run.lesson.stages for plot in stage.plots}


def drawn(file: str, width: int = 54, *, ascii: bool = False, height: int | None = None) -> list[str]:
    plot, parts = PICTURES[file]
    return [text_of(line) for line in plot_lines(plot, parts, width, ascii=ascii, height=height)]


PICTURES = pictures()


def picture(values: object, labels: tuple[str, ...] = (), prints: int | None = 3, title: str = "t") -> Picture:
    array = np.array(values, dtype=np.float64)
    axes = [plain_axis(f"axis{place}", size) for place, size in enumerate(array.shape)]
    if labels:
        axes[-1] = Axis("word", labels)
    return Picture(title, array, tuple(axes), bool(np.isnan(array).any()), prints)


# ---------------------------------------------------------------- what they say


def test_the_lesson_has_the_seven_pictures_of_the_log() -> None:
    assert list(PICTURES) == [
        "dot_product_arrows",
        "softmax_in_action",
        "raw_attention_heatmaps",
        "bank_water_money_plane",
        "qk_vs_raw_heatmaps",
        "scaling_max_weight",
        "causal_mask",
    ]


def test_two_heatmaps_stand_side_by_side_with_their_axes_named() -> None:
    lines = drawn("raw_attention_heatmaps")
    assert lines[3].split() == ["asks", "↓", "the", "river", "bank", "asks", "↓", "the", "money", "bank"]
    assert lines[2].split() == ["asked", "→", "asked", "→"]
    assert lines[6].split() == ["bank", "0.185", "0.317", "0.498", "bank", "0.195", "0.280", "0.525"]


def test_every_number_of_a_heatmap_has_a_shade_that_grows_with_it() -> None:
    plot, parts = PICTURES["causal_mask"]
    shades: dict[str, str] = {}
    for line in plot_lines(plot, parts, 54):
        shades |= {span.text.strip(): span.style for span in line if span.text.strip()[:1].isdigit()}
    assert shades == {
        "1.000": "heat5",
        "0.000": "faint",
        "0.406": "heat3",
        "0.594": "heat3",
        "0.159": "heat1",
        "0.500": "heat3",
        "0.341": "heat2",
    }


def test_numbers_below_zero_have_shades_of_their_own() -> None:
    lines = plot_lines(Plot("heatmap", ("t",)), (picture([[-1.0, 1.0]]),), 54)
    styles = {span.text.strip(): span.style for line in lines for span in line}
    assert styles["-1.000"] == "cool5"
    assert styles["1.000"] == "heat5"


def test_a_wide_heatmap_breaks_at_six_columns_and_says_which() -> None:
    plot, parts = pictures(LONG)["causal_mask"]
    lines = [text_of(line) for line in plot_lines(plot, parts, 54)]
    assert "causal_weights, key 0 to 5" in lines
    assert "causal_weights, key 6 to 11" in lines


def test_a_picture_with_heads_is_one_table_for_each() -> None:
    part = replace(
        picture(np.ones((2, 2, 2))), axes=(plain_axis("head", 2), Axis("query", ("a", "b")), Axis("key", ("a", "b")))
    )
    lines = [text_of(line) for line in plot_lines(Plot("heatmap", ("shares",)), (part,), 54)]
    assert lines[0].split("  ")[0].strip() == "t, head 0"
    assert "t, head 1" in lines[0]


def test_bars_are_measured_by_one_scale() -> None:
    lines = drawn("softmax_in_action")
    length = {line.split()[1]: line.count("█") for line in lines if "█" in line}
    assert length["0.990"] > length["0.899"] > length["0.540"] > length["0.498"] > length["0.185"]
    assert length["0.990"] == pytest.approx(length["0.498"] * 0.990 / 0.498, abs=1.5)


def test_bars_below_zero_go_to_the_left_of_it() -> None:
    lines = [
        text_of(line)
        for line in plot_lines(Plot("bars", ("t",)), (picture([-1.0, 1.0, 0.0], ("a", "b", "c")),), 40, ascii=True)
    ]
    down, up, none = lines[1:]
    assert down.rstrip().endswith("=|")
    assert down.index("|") == up.index("|") == none.index("|")
    assert up.rstrip().endswith("=")


def test_bank_moves_to_the_water_in_one_sentence_and_to_the_money_in_the_other() -> None:
    lines = drawn("bank_water_money_plane")

    def at(text: str) -> tuple[int, int]:
        return next((row, line.index(text)) for row, line in enumerate(lines) if text in line)

    start, river, money = at("●"), at("↘"), at("↖")
    assert river[0] > start[0] > money[0], "less money is lower"
    assert river[1] > start[1] > money[1], "more water is to the right"
    assert at("the river bank")[0] == river[0]
    assert abs(at("the money bank")[0] - money[0]) <= 1
    assert "water = money" in "\n".join(lines)


def test_arrows_have_labelled_tips_and_scaled_axes() -> None:
    lines = drawn("dot_product_arrows")
    text = "\n".join(lines)
    assert "↑ bank" in text
    assert "→ river" in text
    assert lines[1].strip() == "↑ place"
    assert next(line for line in lines if "water →" in line).split() == ["0", "0.5", "1", "water", "→"]
    assert next(line for line in lines if line.startswith("river")).split() == ["river", "0.9", "0.3"]


def test_a_curve_prints_the_numbers_at_its_points() -> None:
    text = "\n".join(drawn("scaling_max_weight"))
    for number in ("0.522", "0.750", "0.879", "0.941", "0.338", "0.356", "0.362", "0.366"):
        assert number in text
    assert "unscaled" in text
    assert "● unscaled" in text
    assert "■ scaled" in text


def test_a_masked_score_is_written_and_a_truth_value_is_a_word() -> None:
    scores = [text_of(line) for line in plot_lines(Plot("heatmap", ("s",)), (picture([[1.0, -math.inf]]),), 54)]
    assert scores[-1].split()[-1] == "-inf"
    truth = [text_of(line) for line in plot_lines(Plot("heatmap", ("s",)), (picture([[1.0, 0.0]], prints=None),), 54)]
    assert truth[-1].split()[-2:] == ["yes", "no"]


# ---------------------------------------------------------------- that they fit


@pytest.mark.parametrize("prompt", [None, "bank", LONG])
@pytest.mark.parametrize("width", [24, 36, 54, 90, 140])
@pytest.mark.parametrize("ascii", [False, True])
def test_no_line_is_too_wide_and_ascii_is_ascii(prompt: str | None, width: int, ascii: bool) -> None:
    for plot, parts in pictures(prompt).values():
        for line in plot_lines(plot, parts, width, ascii=ascii):
            assert width_of(line) <= width
            assert not ascii or text_of(line).isascii()


def test_the_small_drawings_fit_beside_a_short_text() -> None:
    """At 80x24 a picture may not be taller than its panel."""
    for plot, parts in PICTURES.values():
        assert len(plot_lines(plot, parts, 54)) <= 20


@pytest.mark.parametrize("file", ["dot_product_arrows", "bank_water_money_plane", "scaling_max_weight"])
def test_a_given_height_is_kept(file: str) -> None:
    assert len(drawn(file, 90, height=18)) <= 18
    assert len(drawn(file, 54, height=14)) <= 14


# ---------------------------------------------------------------- what is covered


def test_covered_numbers_are_marks_or_absent() -> None:
    for plot, parts in pictures(cover=True, now=0).values():
        hidden = [part for part in parts if part.hidden]
        lines = [text_of(line) for line in plot_lines(plot, parts, 54)]
        assert not hidden or any("····" in line for line in lines)
    text = "\n".join(text_of(line) for line in plot_lines(*pictures(cover=True, now=4)["softmax_in_action"], 54))
    assert "0.540" in text
    assert "0.317" not in text


def test_a_covered_arrow_is_not_drawn_at_all() -> None:
    shown = picture([0.5, 0.2], ("x", "y"), title="shown")
    covered = [picture([value, math.nan], ("x", "y"), title="covered") for value in (0.1, 5.0, math.nan)]
    plot = Plot("arrows", ("a", "b"), x="x", y="y")
    drawings = [[text_of(line) for line in plot_lines(plot, (shown, part), 54)] for part in covered]
    assert drawings[0][:9] == drawings[1][:9] == drawings[2][:9]


numbers = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True), st.sampled_from([0.0, -0.0, 1.0, 0.1, 1e308, -1e308, 5e-324])
)


@st.composite
def parts_of(draw: st.DrawFn) -> Picture:
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    count = math.prod(shape)
    values = np.array(draw(st.lists(numbers, min_size=count, max_size=count))).reshape(shape)
    labels = draw(st.lists(st.text(max_size=8), min_size=shape[-1], max_size=shape[-1]))
    axes = (*(plain_axis("a", size) for size in shape[:-1]), Axis(draw(st.text(max_size=5)), tuple(labels)))
    prints = draw(st.sampled_from([None, 0, 2, 3]))
    return Picture(draw(st.text(max_size=12)), values, axes, bool(np.isnan(values).any()), prints)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(parts_of(), max_size=3),
    st.sampled_from(KINDS),
    st.integers(24, 100),
    st.booleans(),
    st.none() | st.integers(3, 40),
)
def test_any_numbers_can_be_drawn(
    parts: list[Picture], kind: PlotKind, width: int, ascii: bool, height: int | None
) -> None:
    plot = Plot(kind, tuple("t" * len(parts)), "a title", x="0", y="1")
    lines = plot_lines(plot, tuple(parts), width, ascii=ascii, height=height)
    assert all(width_of(line) <= width for line in lines)
    assert not ascii or all(text_of(line).isascii() for line in lines)
    assert not any("\n" in text_of(line) for line in lines)
    again = plot_lines(plot, tuple(parts), width, ascii=ascii, height=height)
    assert [text_of(line) for line in lines] == [text_of(line) for line in again]

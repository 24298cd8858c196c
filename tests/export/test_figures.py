from __future__ import annotations

import struct
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tui_attention.engine.errors import BadInput
from tui_attention.export import draw, figures
from tui_attention.export.scene import Scene, svg
from tui_attention.lessons.run import open_run
from tui_attention.render import contrast

# The names under which the log saves its pictures.
SAVED = [
    line.split("/")[1].removesuffix(".png]")
    for line in (Path(__file__).parent.parent / "data" / "results_log.txt").read_text().splitlines()
    if "plot saved" in line
]


def texts(scene: Scene) -> list[str]:
    root = ElementTree.fromstring(svg(scene))
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_seven_pictures_of_the_log(tmp_path: Path) -> None:
    paths = figures.write(open_run("bank"), tmp_path)
    assert [path.name for path in paths] == [f"{name}.svg" for name in SAVED]
    assert len(SAVED) == 7
    for path in paths:
        root = ElementTree.fromstring(path.read_text())
        assert root.tag.endswith("svg")


def test_png_of_the_same_names(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    paths = figures.write(open_run("bank"), tmp_path, "png", stage="raw")
    assert [path.name for path in paths] == ["raw_attention_heatmaps.png", "bank_water_money_plane.png"]
    for path in paths:
        content = path.read_bytes()
        wide, high = struct.unpack(">II", content[16:24])
        assert content.startswith(b"\x89PNG")
        assert wide > 500
        assert high > 300


@pytest.mark.parametrize("form", ["svg", "png"])
def test_the_same_bytes_again(tmp_path: Path, form: figures.Format) -> None:
    if form == "png":
        pytest.importorskip("matplotlib")
    first, second = (
        [path.read_bytes() for path in figures.write(open_run("bank"), tmp_path / name, form, stage="dots")]
        for name in ("a", "b")
    )
    assert first == second


def test_without_matplotlib_png_is_refused_and_svg_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    folder = tmp_path / "none"
    with pytest.raises(BadInput, match=r"pip install 'tui-attention\[figures\]'"):
        figures.write(open_run("bank"), folder, "png")
    assert not folder.exists()
    assert len(figures.write(open_run("bank"), folder)) == 7


@pytest.mark.parametrize(
    ("lesson", "prompt"),
    [("press-h", "h"), ("press-h", "had a. bad c"), ("bank", "the river bank"), ("bank", "bank")],
)
def test_any_tensor_is_drawn_with_every_number_and_label(lesson: str, prompt: str) -> None:
    run = open_run(lesson, prompt=prompt)
    for name in run.graph.names():
        tensor = run.graph.tensor(name)
        if not tensor.axes:
            continue
        shown = texts(figures.matrix(run, name))
        for index in np.ndindex(*tensor.shape):
            assert tensor.text(index) in shown, (name, index)
        assert {label.strip() or f'"{label}"' for axis in tensor.axes[-1:] for label in axis.labels} <= set(shown)
        assert {axis.name for axis in tensor.axes[-2:]} <= set(shown)


def test_a_formula_is_drawn_too() -> None:
    run = open_run("press-h", prompt="ha")
    assert len([text for text in texts(figures.matrix(run, "x1 - x0")) if "." in text]) == 12
    assert "-inf" in texts(figures.matrix(run, "scores[0]"))


def test_pictures_of_other_sentences(tmp_path: Path) -> None:
    for prompt, other in (("bank", "the"), ("money " * 12, "river river"), ("the bank", "the bank")):
        paths = figures.write(open_run("bank", prompt=prompt, other=other), tmp_path)
        assert len(paths) == 7
        for path in paths:
            assert "nan" not in path.read_text().split("</title>")[1]


def test_names_that_are_no_file_names(tmp_path: Path) -> None:
    run = open_run("bank")
    paths = figures.write(run, tmp_path, of=["A", "out[-1]", "X - X2"])
    assert [path.name for path in paths] == ["A.svg", "out_-1.svg", "X_-_X2.svg"]


def test_text_in_svg_is_escaped() -> None:
    shown = svg(figures.matrix(open_run("press-h", prompt=" a"), "p"))
    assert "&lt;" not in shown
    assert '" "' in "".join(ElementTree.fromstring(shown).itertext())


@pytest.mark.parametrize(
    ("of", "stage", "says"),
    [
        (["zz"], None, "'zz' is no matrix of bank"),
        (["d_k"], None, "single number"),
        (["__import__('os')"], None, "is no matrix"),
        (["A @ words"], None, "do not fit"),
        (["A[9]"], None, "a cell that this prompt lacks"),
        ([], "toy-world", "declares no pictures"),
    ],
)
def test_what_cannot_be_drawn(tmp_path: Path, of: list[str], stage: str | None, says: str) -> None:
    folder = tmp_path / "out"
    with pytest.raises(BadInput, match=says):
        figures.write(open_run("bank"), folder, of=of, stage=stage)
    assert not folder.exists()


def test_a_lesson_without_pictures_says_so(tmp_path: Path) -> None:
    run = open_run("press-h")
    if not figures.declared(run):
        with pytest.raises(BadInput, match="press-h declares no pictures"):
            figures.write(run, tmp_path)


def test_names_in_a_picture_are_filled_in() -> None:
    run = open_run("bank", prompt="the money bank", other="bank")
    shown = texts(figures.declared(run)["bank_water_money_plane"])
    assert any(text.startswith("the money bank (") for text in shown)
    assert any(text.startswith("bank (") for text in shown)
    for scene in figures.declared(run).values():
        assert not any("{" in text for text in texts(scene))


def test_a_number_is_told_from_the_shade_of_its_cell() -> None:
    for value in np.linspace(-1, 1, 101):
        fill, style = draw._shade(float(value), 1.0)
        light, dark = sorted((luminance(fill), luminance(style)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4, value


def luminance(colour: str) -> float:
    return contrast.luminance(*(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)))


def test_the_name_of_a_single_matrix_stands_once() -> None:
    shown = texts(figures.matrix(open_run("bank"), "A[::-1]"))
    assert shown.count("A[::-1]") == 1

"""The README's pieces of lessons: each recipe is a stage that works, over rows and tables of fitting width."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from tui_attention.judge.expected import unexpected
from tui_attention.judge.slips import kinds
from tui_attention.lessons.lint import lint
from tui_attention.lessons.run import LessonRun, open_run

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
PIECES = {
    re.search(r'^id = "([\w-]+)"', piece, re.MULTILINE)[1]: piece  # type: ignore[index]
    for piece in re.findall(r"```toml\n(\[\[stage\]\]\n.*?)```", README, re.DOTALL)
}
TABLES = {
    "X": (3, 4),
    "Y": (2, 4),
    "Wq": (4, 2),
    "Wk": (4, 2),
    "Wv": (4, 4),
    "Wg": (4, 3),
    "Wu": (4, 3),
    "Wd": (3, 4),
}
GROUPED = {**TABLES, "Wv": (4, 2), "Wq2": (4, 4)}


def whole(piece: str, tables: Mapping[str, tuple[int, ...]]) -> str:
    rng = np.random.default_rng(3)
    head = 'format = 1\nid = "recipe"\ntitle = "recipe"\n'
    for name, shape in (*tables.items(), ("gain", (4,))):
        axis = '["coordinate"]' if name == "gain" else f'["row of {name}", "coordinate"]'
        head += f"[tables.{name}]\naxes = {axis}\nvalues = {(rng.integers(-9, 10, shape) / 10).tolist()}\n"
    return head + piece


@pytest.fixture
def made(request: pytest.FixtureRequest, tmp_path: Path) -> LessonRun:
    name = request.param
    file = tmp_path / f"{name}.toml"
    file.write_text(whole(PIECES[name], GROUPED if name == "grouped" else TABLES), "utf-8")
    errors = [str(finding) for finding in lint(str(file), slips=kinds()) if finding.error]
    assert errors == []
    return open_run(str(file))


def numbers(run: LessonRun, *names: str) -> list[np.ndarray]:
    return [run.graph.tensor(name).values.astype(float) for name in names]


def test_there_are_six() -> None:
    assert set(PIECES) == {"cross", "encoder", "cache", "grouped", "rope", "swiglu"}


def softmax(z: np.ndarray) -> np.ndarray:
    powers = np.exp(z - z.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True))


@pytest.mark.parametrize("made", ["cross"], indirect=True)
def test_cross_attention(made: LessonRun) -> None:
    x, y, wq, wk, wv, out = numbers(made, "X", "Y", "Wq", "Wk", "Wv", "out")
    assert out == pytest.approx(y + softmax(y @ wq @ (x @ wk).T / np.sqrt(2)) @ x @ wv)


@pytest.mark.parametrize("made", ["encoder"], indirect=True)
def test_encoder(made: LessonRun) -> None:
    x, wq, wk, wv, flat = numbers(made, "X", "Wq", "Wk", "Wv", "flat")
    memory = x + softmax(x @ wq @ (x @ wk).T / np.sqrt(2)) @ x @ wv
    center = memory - memory.mean(-1, keepdims=True)
    assert flat == pytest.approx(center / np.sqrt(memory.var(-1, keepdims=True) + 1e-5))


@pytest.mark.parametrize("made", ["cache"], indirect=True)
def test_cache(made: LessonRun) -> None:
    x, wq, wk, scores, same = numbers(made, "X", "Wq", "Wk", "scores", "same")
    assert same == 1
    assert scores == pytest.approx(x[-1] @ wq @ (x @ wk).T / np.sqrt(2))


@pytest.mark.parametrize("made", ["grouped"], indirect=True)
def test_grouped_heads(made: LessonRun) -> None:
    x, wq, wk, wv, out = numbers(made, "X", "Wq2", "Wk", "Wv", "out")
    each = [softmax(x @ wq[:, h : h + 2] @ (x @ wk).T / np.sqrt(2)) @ x @ wv for h in (0, 2)]
    assert out == pytest.approx(np.concatenate(each, -1))


@pytest.mark.parametrize("made", ["rope"], indirect=True)
def test_rope_leaves_the_distance_alone(made: LessonRun) -> None:
    x, wq, wk, scores = numbers(made, "X", "Wq", "Wk", "scores")
    for t, u in np.ndindex(3, 3):
        turn = u - t
        matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        assert scores[t, u] == pytest.approx((x @ wq)[t] @ matrix @ (x @ wk)[u] / np.sqrt(2))


@pytest.mark.parametrize("made", ["swiglu"], indirect=True)
def test_swiglu(made: LessonRun) -> None:
    x, gain, wg, wu, wd, out = numbers(made, "X", "gain", "Wg", "Wu", "Wd", "out")
    a = x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5) * gain
    z = a @ wg
    assert out == pytest.approx(x + (z / (1 + np.exp(-z)) * (a @ wu)) @ wd)


def test_its_expectations_and_slips_fit_its_lesson(tmp_path: Path) -> None:
    blocks = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    lesson = next(block for block in blocks if '"two-dots"' in block)
    expect = next(block for block in blocks if block.startswith("[expect]"))
    slips = next(block for block in blocks if block.startswith("[[stage.check.slip]]"))
    of_check, _, of_tensor = slips.partition("[[tensors.A.slip]]")
    file = tmp_path / "two-dots.toml"
    file.write_text(lesson + of_check + "[[tensors.A.slip]]" + of_tensor + expect, "utf-8")
    assert [finding for finding in lint(str(file), slips=kinds()) if finding.error] == []
    assert [finding.says for finding in unexpected(open_run(str(file)))] == []

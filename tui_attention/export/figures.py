"""The pictures of a lesson as files: those that it declares, and any matrix as a heatmap with its numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from tui_attention import files
from tui_attention.engine.decimals import printed
from tui_attention.engine.errors import AbsentError, BadInput, LessonError
from tui_attention.engine.operation import TracedArray
from tui_attention.engine.tensor import Axis, Index
from tui_attention.engine.working import Masked, Ref
from tui_attention.export import draw
from tui_attention.export.draw import Part
from tui_attention.export.scene import Scene, png, svg
from tui_attention.export.values import label, title
from tui_attention.lessons.model import Plot
from tui_attention.lessons.run import LessonRun

Format = Literal["svg", "png"]
MOST_CELLS = 2000


def write(
    run: LessonRun, folder: Path, form: Format = "svg", of: Sequence[str] = (), stage: str | None = None
) -> list[Path]:
    """Write the declared pictures (with `stage`, that stage's), or the heatmaps of `of`; returns the paths.

    The folder is made if need be; nothing in it is written over: a name that is taken gets a number. The same inputs
    give the same bytes. Raises BadInput for a name that is no
    matrix, for a lesson without pictures, and for png without matplotlib; OSError where the folder cannot be written.
    """
    scenes = [(_file_name(text), matrix(run, text)) for text in of] if of else list(declared(run, stage).items())
    if not scenes:
        where = f"stage {stage} of {run.lesson.id}" if stage else run.lesson.id
        raise BadInput(f"{where} declares no pictures; --of NAME draws any matrix as a heatmap")
    made = [(name, svg(scene).encode() if form == "svg" else png(scene)) for name, scene in scenes]
    folder.mkdir(parents=True, exist_ok=True)
    return [path for name, content in made for path in files.create(folder, name, {f".{form}": content})]


def _file_name(text: str) -> str:
    return re.sub(r"[^\w.-]+", "_", text).strip("_.") or "matrix"


def declared(run: LessonRun, stage: str | None = None) -> dict[str, Scene]:
    """The pictures that the lesson declares, by the name of their file."""
    stages = [known for known in run.lesson.stages if stage in (None, known.id)]
    return {plot.file: scene(run, plot) for known in stages for plot in known.plots if plot.file}


def scene(run: LessonRun, plot: Plot) -> Scene:
    """A declared picture. Raises BadInput where this prompt lacks a cell that it shows."""
    try:
        parts = [_part(run, text) for text in plot.of]
    except AbsentError:
        raise BadInput(f"the picture {plot.title!r} shows a cell that this prompt lacks") from None
    names = tuple(run.text(text) or text for text in plot.labels or plot.of)
    heading = run.text(plot.title) or plot.title
    match plot.kind:
        case "heatmap":
            return draw.heatmap(heading, [panel for part in parts for panel in _panels(part)])
        case "bars":
            return draw.bars(heading, parts, names)
        case "arrows" | "plane":
            return draw.plane(heading, parts, plot.x, plot.y, names, arrows=plot.kind == "arrows")
        case "curve":
            return draw.curve(heading, parts, plot.x, plot.y, names)


def matrix(run: LessonRun, text: str) -> Scene:
    """Any tensor, or a formula over tensors, as a heatmap: one panel for each matrix in it. Raises BadInput."""
    try:
        part = _part(run, text)
    except AbsentError:
        raise BadInput(f"{text[:60]!r} reads a cell that this prompt lacks") from None
    except LessonError as error:
        raise BadInput(f"{text[:60]!r} is no matrix of {run.lesson.id}: {error.message}") from None
    if not part.axes:
        raise BadInput(f"{text[:60]!r} is a single number; a heatmap needs rows and columns")
    if not 0 < part.values.size <= MOST_CELLS:
        raise BadInput(f"{text[:60]!r} has {part.values.size} numbers; a picture of 1 to {MOST_CELLS} is legal")
    about = title(run.graph.tensor(text)) if text in run.graph.names() else ""
    panels = _panels(part)
    if len(panels) == 1:
        panels = [replace(panels[0], name="")]  # the heading says it already
    return draw.heatmap(f"{text}: {about}" if about else text, panels)


def _part(run: LessonRun, text: str) -> Part:
    traced = run.formula(text)
    axes = run.graph.tensor(text).axes if text in run.graph.names() else traced.axes
    texts = np.empty(traced.shape, dtype=object)
    for index in np.ndindex(*traced.shape):
        texts[index] = _text(run, text, traced, index)
    return Part(text, traced.values.astype(np.float64), texts, axes)


def _text(run: LessonRun, name: str, traced: TracedArray, index: Index) -> str:
    """A cell as it is printed; a formula's number has the lesson's decimals."""
    if name in run.graph.names():
        return run.graph.tensor(name).text(index)
    match traced.at(index):
        case Ref(cell):
            return cell.printed
        case Masked():
            return "-inf"
    return printed(float(traced.values[index]), run.graph.program.prints)


def _panels(part: Part) -> list[Part]:
    """A part's matrices: a row becomes a matrix of one row, leading axes become panels with their labels."""
    if len(part.axes) == 1:
        return [Part(part.name, part.values[None], part.texts[None], (Axis("", ("",)), *part.axes))]
    panels = []
    for lead in np.ndindex(*part.values.shape[:-2]):
        places = [f"{axis.name} {label(axis.labels[at])}" for axis, at in zip(part.axes, lead, strict=False)]
        name = ", ".join((part.name, *places))
        panels.append(Part(name, part.values[lead], part.texts[lead], part.axes[-2:]))
    return panels

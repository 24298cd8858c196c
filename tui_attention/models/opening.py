"""A lesson or a model by one name: whatever works on a lesson works on a model."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tui_attention.engine.errors import BadInput
from tui_attention.lessons.run import LessonRun, open_run
from tui_attention.models.shipped import SMOLLM2, model_path

GUIDED = "inside-smollm2"
"""The guided lesson on the model that ships as a package."""
_MODEL_FILES = (".gguf", ".safetensors")


@dataclass(frozen=True, slots=True)
class Outline:
    """What a list of lessons says of one that is not opened for it. `missing`: what it needs and how to get it."""

    id: str
    title: str
    summary: str
    stages: tuple[str, ...]
    missing: str = ""


def guided_outline() -> Outline:
    """The guided lesson as a list has it; the model is not looked into."""
    raw = tomllib.loads((Path(__file__).parent / "guided" / f"{GUIDED}.toml").read_text("utf-8"))
    try:
        model_path(SMOLLM2)
        missing = ""
    except BadInput as error:
        missing = f"Not to be opened yet: {error}."
    return Outline(raw["id"], raw["title"], raw["summary"], tuple(stage["id"] for stage in raw["stage"]), missing)


def is_model(name: str) -> bool:
    """Whether a name is a model's: a file or a folder of one, or the one that ships as a package."""
    path = Path(name)
    try:
        if name == GUIDED:
            return True
        if path.is_dir():
            return (path / "config.json").is_file() or any(path.glob("*.gguf"))
        return name == SMOLLM2 or (path.suffix in _MODEL_FILES and path.is_file())
    except (OSError, ValueError):  # a name that no file can have
        return False


def model_name(run: LessonRun) -> str:
    """What a person calls the model that a run walks through: its path, or `smollm2`. Empty for a lesson."""
    if run.graph.program.vocabulary.cut is None:
        return ""
    from tui_attention.models.graph import ModelGraph

    assert isinstance(run.graph, ModelGraph)
    path = run.graph.house.checkpoint.path
    try:
        return SMOLLM2 if path.samefile(model_path(SMOLLM2)) else str(path)
    except (BadInput, OSError):
        return str(path)


def open_named(
    name: str,
    prompt: str | None = None,
    other: str | None = None,
    ticket: float | None = None,
    variant: int | str | None = None,
    *,
    megabytes: float | None = None,
) -> LessonRun:
    """A lesson, or a model as one, with its numbers. Raises BadInput or LessonError."""
    if name == GUIDED:
        from tui_attention.engine.graph import Graph
        from tui_attention.models.guided.measuring import guided_lesson

        lesson = guided_lesson()
        return LessonRun(lesson, Graph(lesson.program, lesson.program.inputs.changed(prompt, other, ticket)))
    if not is_model(name):
        return open_run(name, prompt, other, ticket, variant)
    from tui_attention.models.graph import open_model_run
    from tui_attention.models.memory import DEFAULT_MEGABYTES

    for given, option in ((other, "--other"), (ticket, "--ticket"), (variant, "--variant")):
        if given is not None:
            raise BadInput(f"a model takes --prompt; {option} belongs to lessons that have it")
    return open_model_run(model_path(name), prompt, DEFAULT_MEGABYTES if megabytes is None else megabytes)


__all__ = ["GUIDED", "Outline", "guided_outline", "is_model", "model_name", "open_named"]

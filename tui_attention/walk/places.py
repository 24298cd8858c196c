"""Places of a lesson and the ways between them, as plain functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tui_attention.engine.formula import names
from tui_attention.lessons.model import Lesson, Stage


class Place(NamedTuple):
    """A stage and a step of it, both from 0. A stage without steps has the one place 0."""

    stage: int = 0
    step: int = 0


def last_step(lesson: Lesson, stage: int) -> int:
    """The number of a stage's last step; 0 where it has none."""
    return max(0, len(lesson.stages[stage].steps) - 1)


def legal(lesson: Lesson, place: Place) -> Place:
    """The nearest place that the lesson has."""
    stage = min(max(place.stage, 0), len(lesson.stages) - 1)
    return Place(stage, min(max(place.step, 0), last_step(lesson, stage)))


def last(lesson: Lesson) -> Place:
    """The place where the lesson ends."""
    return Place(len(lesson.stages) - 1, last_step(lesson, len(lesson.stages) - 1))


def after(lesson: Lesson, place: Place) -> Place:
    """One step on; over the end of a stage into the next one. The last place stays."""
    if place.step < last_step(lesson, place.stage):
        return Place(place.stage, place.step + 1)
    return Place(place.stage + 1, 0) if place.stage + 1 < len(lesson.stages) else place


def before(lesson: Lesson, place: Place) -> Place:
    """One step back; over the start of a stage to the last step of the one before. The first place stays."""
    if place.step > 0:
        return Place(place.stage, place.step - 1)
    return Place(place.stage - 1, last_step(lesson, place.stage - 1)) if place.stage else place


def stage_after(lesson: Lesson, place: Place) -> Place:
    """To the start of the next stage. In the last stage the place stays."""
    return Place(place.stage + 1, 0) if place.stage + 1 < len(lesson.stages) else place


def stage_before(lesson: Lesson, place: Place) -> Place:
    """To the start of this stage; from there to the start of the one before."""
    return Place(place.stage, 0) if place.step else Place(max(0, place.stage - 1), 0)


def now(lesson: Lesson, place: Place) -> int:
    """The number of the place's step among all steps; in a stage without steps, the number of steps before it."""
    return sum(len(stage.steps) for stage in lesson.stages[: place.stage]) + place.step


def rank(stages: Sequence[Stage], place: Place) -> int:
    """The number of a place among all places of a lesson with these stages, from 0."""
    return sum(max(1, len(stage.steps)) for stage in stages[: place.stage]) + place.step


def home(lesson: Lesson, tensor: str) -> Place | None:
    """The step that makes a tensor; for a dial the first step that reads it; None when no step does."""
    steps = [(Place(i, j), step) for i, stage in enumerate(lesson.stages) for j, step in enumerate(stage.steps)]
    made = next((place for place, step in steps if step.name == tensor), None)
    if made is not None:
        return made
    wanted = "prompt" if tensor == "splitter" else tensor
    return next((place for place, step in steps if wanted in names(step.expr)), None)


def number(lesson: Lesson, stage: int) -> str:
    """A stage's number in the tree: they count from 1 at the first stage that computes something."""
    first = next((place for place, room in enumerate(lesson.stages) if room.steps), 0)
    return str(stage - first + 1) if stage >= first else ""

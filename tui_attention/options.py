"""What a person asked for when starting a walk, as the app and the plain shell receive it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui_attention.whatif.scenario import Scenario

FIRST_LESSON = "press-h"


@dataclass(frozen=True, slots=True)
class Options:
    """One start of the program. None means that the person left it open.

    `lesson` is a lesson's id, or the path of a lesson file or folder; `named` tells whether the person named it.
    `cover` None is the front end's own default. `save` False keeps nothing on disk. `all` is the whole lesson as a
    document (plain only). `env` is the environment, which nothing below the command line reads by itself.
    `scenario` is what is done otherwise. `variant` is the number of a variant, or a name that one goes with.
    `files` False opens no lesson by a path and writes no file that a learner asks for. `lessons` are the folders of
    own lessons. `mouse` False asks the terminal for no mouse reports; None leaves it to the learner's setting.
    `review` begins with a review of so many minutes. `memory` are the megabytes that a model's copies may take.
    """

    lesson: str = FIRST_LESSON
    named: bool = False
    prompt: str | None = None
    other: str | None = None
    ticket: float | None = None
    stage: str | None = None
    cover: bool | None = None
    learner: str | None = None
    save: bool = True
    all: bool = False
    env: Mapping[str, str] = field(default_factory=dict)
    scenario: Scenario | None = None
    variant: int | str | None = None
    files: bool = True
    mouse: bool | None = None
    lessons: tuple[Path, ...] = ()
    review: float | None = None
    memory: float | None = None

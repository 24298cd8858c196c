"""The lessons of a class: those that come with the program, and those of a folder of the teacher's."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tui_attention.engine.errors import BadInput
from tui_attention.lessons.load import load, names
from tui_attention.lessons.run import LessonRun
from tui_attention.session.opening import key_of
from tui_attention.whatif.scenario import Scenario, open_scenario


class ClassLesson(NamedTuple):
    """A lesson of a class: `key` is what its progress is kept under, a path for one of the teacher's own."""

    key: str
    id: str
    title: str
    summary: str


class ClassLessons:
    """What may be opened in a class. A learner names a lesson of this list, never a file."""

    most_open = 64
    """Lessons and variants that are held open for all."""

    def __init__(self, folder: Path | None = None, first: str = "") -> None:
        """`folder` holds lesson files or folders of lessons, `first` is the lesson that the teacher begins with.

        Raises BadInput where the folder holds no lesson, LessonError for one that is not legal.
        """
        own: list[str] = []
        if folder is not None:
            if not folder.is_dir():
                raise BadInput(f"{folder} is no folder; --lessons takes one")
            files = [*sorted(folder.glob("*.toml")), *sorted(folder.glob("*/lesson.toml"))]
            own = [key_of(str(file)) for file in files]
            if not own:
                raise BadInput(f"{folder} holds no lesson: no .toml file and no folder with a lesson.toml")
        if first and key_of(first) not in names():
            own.append(key_of(first))
        self._runs: dict[tuple[str, int | str | None], LessonRun] = {}
        opened = ((key, load(key)) for key in dict.fromkeys((*own, *names())))
        self._listed = tuple(ClassLesson(key, lesson.id, lesson.title, lesson.summary) for key, lesson in opened)

    def open(
        self,
        lesson: str,
        prompt: str | None = None,
        other: str | None = None,
        ticket: float | None = None,
        *,
        scenario: Scenario | None = None,
        variant: int | str | None = None,
    ) -> LessonRun:
        """A lesson with its numbers, as `open_scenario` does it; with its own inputs it is read and worked out once
        for all who are in the class. Raises BadInput or LessonError.
        """
        lesson = self.key(lesson)
        if (prompt, other, ticket, scenario) != (None, None, None, None):
            return open_scenario(lesson, prompt, other, ticket, scenario=scenario, variant=variant)
        key = lesson, variant
        if key not in self._runs:
            while len(self._runs) >= self.most_open:
                del self._runs[next(iter(self._runs))]
            self._runs[key] = open_scenario(lesson, variant=variant)
        return self._runs[key]

    def listed(self) -> tuple[ClassLesson, ...]:
        """All of them, the teacher's own first."""
        return self._listed

    def has(self, key: str) -> bool:
        """Whether a lesson is of this class."""
        return any(lesson.key == key for lesson in self._listed)

    def key(self, name: str) -> str:
        """The key of a lesson by its id, or itself. Raises BadInput for a lesson that is not of this class."""
        found = next((lesson.key for lesson in self._listed if name in (lesson.id, lesson.key)), None)
        if found is None:
            shown = " ".join(lesson.id for lesson in self._listed)
            raise BadInput(f"this class has no lesson {name[:40]!r}; the lessons are: {shown}")
        return found

"""The lessons of a class: those that come with the program, and those of a folder of the teacher's."""

from __future__ import annotations

from pathlib import Path

from tui_attention.engine.errors import BadInput
from tui_attention.lessons.load import load, names
from tui_attention.lessons.run import LessonRun
from tui_attention.session.opening import key_of
from tui_attention.whatif.scenario import Scenario, open_scenario


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
        self._names = tuple(dict.fromkeys((*own, *names())))
        self._runs: dict[tuple[str, int | str | None], LessonRun] = {}
        self._listed = tuple((name, (lesson := load(name)).title, lesson.summary) for name in self._names)

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
        if (prompt, other, ticket, scenario) != (None, None, None, None):
            return open_scenario(lesson, prompt, other, ticket, scenario=scenario, variant=variant)
        key = lesson, variant
        if key not in self._runs:
            while len(self._runs) >= self.most_open:
                del self._runs[next(iter(self._runs))]
            self._runs[key] = open_scenario(lesson, variant=variant)
        return self._runs[key]

    def listed(self) -> tuple[tuple[str, str, str], ...]:
        """Key, title and summary of each."""
        return self._listed

    def check(self, name: str) -> None:
        """Raises BadInput for a lesson that is not of this class."""
        if name not in self._names:
            shown = " ".join(names())
            raise BadInput(f"this class has no lesson {name[:40]!r}; the lessons are: {shown}")

"""The lessons of a class: those that come with the program, and those of a folder of the teacher's."""

from __future__ import annotations

from pathlib import Path

from tui_attention.engine.errors import BadInput
from tui_attention.lessons.load import load, names
from tui_attention.session.opening import key_of


class ClassLessons:
    """What may be opened in a class. A learner names a lesson of this list, never a file."""

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
        self._listed = tuple((name, (lesson := load(name)).title, lesson.summary) for name in self._names)

    def listed(self) -> tuple[tuple[str, str, str], ...]:
        """Key, title and summary of each."""
        return self._listed

    def check(self, name: str) -> None:
        """Raises BadInput for a lesson that is not of this class."""
        if name not in self._names:
            shown = " ".join(names())
            raise BadInput(f"this class has no lesson {name[:40]!r}; the lessons are: {shown}")

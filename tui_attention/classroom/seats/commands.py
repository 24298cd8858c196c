"""Which commands of the program a class has: all but those that touch files, are for home, or are about models.

The keys of the others are free there: a class gives some to what only a class has, and no key does two things.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from tui_attention.interaction.command import Command
from tui_attention.interaction.commands import COMMANDS, WORDS


def _of_models(command: Command) -> bool:
    """Whether a command is about trained models alone: what does it says so by its module."""
    return isinstance(command.target, str) and command.target.startswith(("models:", "model_"))


NO_MODEL: Final = "That is for trained models; a class works on lessons."
NOT_SAVED: Final = "Nothing is saved on the class's machine; y and Y copy to your own clipboard."
NOT_HERE: Final[Mapping[str, str]] = {
    "save": NOT_SAVED,
    "reload": "A lesson is read once for the whole class; it is read again when the class is started again.",
    "review": "A review is for home: here everybody works on the lesson of the class.",
    "afresh": "Fresh numbers are for home: here everybody works on the numbers that the class gave them.",
    **{command.id: NO_MODEL for command in COMMANDS if _of_models(command)},
}
"""The commands that a class does not have, by id, each with the sentence that says so."""


class ClassKey(NamedTuple):
    """A key that only a class has: its action, the footer's word, and what it does, as help says it."""

    key: str
    action: str
    short: str
    says: str

    @property
    def id(self) -> str:
        """Its name among the commands, which no command of the program has."""
        return f"class.{self.action}"


def offered() -> tuple[Command, ...]:
    """The program's commands that a class has."""
    return tuple(command for command in COMMANDS if command.id not in NOT_HERE)


def words() -> tuple[Command, ...]:
    """Those of them that are typed as words."""
    return tuple(command for command in WORDS if command.id not in NOT_HERE)


__all__ = ["NOT_HERE", "NOT_SAVED", "ClassKey", "offered", "words"]

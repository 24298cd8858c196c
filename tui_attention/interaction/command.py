"""What a command is. The table of them is in `commands`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from tui_attention.interaction.controller import LessonController
    from tui_attention.interaction.messages import Reply

Group = Literal["walking", "answering", "numbers", "dials", "reading", "program"]
Takes = Literal["", "cell", "names", "place", "dial", "number", "text", "lesson", "word", "all"]
Handler = Callable[["LessonController", str], "Reply"]


class FrontEnd(NamedTuple):
    """What a front end does by itself: cursor, scrolling, layers, reading aloud. `name` is its own word for it."""

    name: str


class Argument(NamedTuple):
    """What stands behind a command's word. `form` shows it, with names of `Examples`.

    `label` is what a line is called on which it is asked for; empty where a front end does not ask.
    """

    takes: Takes = ""
    form: str = ""
    label: str = ""


class Command(NamedTuple):
    """One command, for every front end.

    `target` is what does it: `module:function` in this package, loaded with its first use, a function, or the front
    end. `keys` are as Textual calls them, `shown` as people do, `also` the
    further ones. `word` is what is typed where
    there are no keys, `says` its line of help there. `short` is the footer's word, `help` a whole sentence,
    `footer` the rank in the footer (0: not in it). `slow`: it may take seconds, so it is done beside the screen.
    """

    id: str
    target: str | Handler | FrontEnd
    short: str
    help: str
    group: Group
    keys: tuple[str, ...] = ()
    shown: str = ""
    also: str = ""
    word: str = ""
    says: str = ""
    aliases: tuple[str, ...] = ()
    argument: Argument = Argument()
    footer: int = 0
    palette: bool = True
    slow: bool = False

    @property
    def tooltip(self) -> str:
        """The sentence with the other keys that do the same."""
        return f"{self.help} (also {self.also})" if self.also else self.help

    @property
    def local(self) -> bool:
        """Whether a front end does it by itself."""
        return isinstance(self.target, FrontEnd)

    @property
    def handler(self) -> Handler | None:
        """What does it; None where a front end does it by itself."""
        if not isinstance(self.target, str):
            return None if isinstance(self.target, FrontEnd) else self.target
        module, _, function = self.target.partition(":")
        found: Handler = getattr(import_module(f"{__package__}.{module}"), function)
        return found


__all__ = ["Argument", "Command", "FrontEnd", "Group", "Handler", "Takes"]

"""What is done only when it is meant.

While a number is asked for, letters are keys, and may as well be the first of a word. A letter that uncovers,
borrows, leaves or changes the numbers then waits for a moment: another key takes it back, Enter does it at once. What
writes files waits for Enter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from tui_attention.interaction.commands import COMMANDS
from tui_attention.judge.hint_levels import HINT_LEVELS

if TYPE_CHECKING:
    from textual.timer import Timer

    from tui_attention.ui.seat import Seat

GRACE: Final = 0.8
"""Seconds that such a letter waits: longer than people take between the letters of a word."""
SAYS: Final = {
    "cover": "Uncovering everything; what you see then counts at most as paid with help.",
    "reveal": "Showing the answer; it counts as borrowed.",
    "hint": "Giving the last hint, which is the number itself; it counts as borrowed.",
    "quit": "Leaving; your progress is kept.",
    "afresh": "Beginning this stage anew on fresh numbers; what was done before is kept.",
    "write": "Appending the next mark to the prompt.",
}
TWICE: Final = frozenset({"quit", "interrupt"})
"""What the same key once more does, too: no word begins with two of its letter."""


class Meant:
    """What a key asked about, from one key to the next.

    `later` runs something after so many seconds, `do` a command, `after` what follows every input.
    """

    def __init__(
        self,
        later: Callable[[float, Callable[[], None]], Timer],
        do: Callable[[str], None],
        after: Callable[[], None],
    ) -> None:
        self._later, self._do, self._after = later, do, after
        self._asked = self._before = self._sure = ""
        self._waiting: Timer | None = None

    def next_key(self) -> None:
        """Another key is pressed: what waited is not done, unless this key says that it is meant."""
        self._stop()
        self._before, self._asked, self._sure = self._asked, "", ""

    def forget(self) -> None:
        """Nothing is asked any more."""
        self._stop()
        self._asked = self._before = self._sure = ""

    def _stop(self) -> None:
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None

    def confirmed(self, key: str) -> str:
        """The command that Enter does now; empty where nothing was asked."""
        self._sure = self._before if key == "enter" and self._before != "interrupt" else ""
        return self._sure

    def sure(self, command: str) -> bool:
        """Whether a command was asked about and is meant; else it is asked about from now on."""
        if self._sure == command or (command in TWICE and self._before == command):
            return True
        self._asked = command
        return False

    def waits(self, seat: Seat, mark: str | None) -> bool:
        """Whether a letter waits for a moment; the seat says for what."""
        command = next((command.id for command in COMMANDS if mark and mark in command.keys), "")
        says = _before_doing(seat, command)
        if not says or self.sure(command):
            return False
        seat.say(f"{says} Any other key stops it, Enter does it now.")
        self._waiting = self._later(GRACE, lambda: self._done(command))
        return True

    def _done(self, command: str) -> None:
        self.forget()
        self._sure = command
        self._do(command)
        self._after()


def _before_doing(seat: Seat, command: str) -> str:
    """What is said before a command is done; empty for what is done at once."""
    asked = seat.core.question()
    if asked is None or not seat.walk.covered or seat.marking:
        return ""
    policy = seat.core.policy
    if (command == "cover" and policy.may_uncover(seat.walk)) or (
        command == "reveal" and policy.may_reveal(seat.walk, asked.ref)
    ):
        return ""  # it is refused, with a reason
    if command == "quit" and any(seat.half_typed().values()):
        return ""  # leaving asks by itself then, with what is typed
    if command == "hint" and (asked.sentence or seat.walk.ledger.entry(asked.ref).hints + 1 < HINT_LEVELS):
        return ""
    return SAYS.get(command, "")

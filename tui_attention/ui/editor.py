"""One line being typed. Keys are taken in their order, so that fast typing cannot be mixed up."""

from __future__ import annotations

from dataclasses import dataclass

from tui_attention.interaction.commands import BY_ID
from tui_attention.output import sure
from tui_attention.walk.refs import Ref

MOST = 200
"""Characters of a line; what is typed beyond is not taken, and said."""

Purpose = str
"""An answer ("number", "sentence"), or the id of the command whose argument is typed."""

_ANSWERS = {"number": "your number", "sentence": "in your words"}


def label_of(purpose: Purpose) -> str:
    """What the line is called."""
    return _ANSWERS.get(purpose) or BY_ID[purpose].argument.label


@dataclass(slots=True)
class Editor:
    """What is typed, where the caret is, and what it is for.

    `judged`: the text has been answered already; the next mark that is typed begins anew, while moving the caret
    or deleting goes on editing it.
    """

    purpose: Purpose
    target: Ref | None = None
    text: str = ""
    caret: int = 0
    judged: bool = False

    def insert(self, text: str) -> bool:
        """Type a text at the caret; False where the line has no room for all of it."""
        if self.judged:
            self.text, self.caret, self.judged = "", 0, False
        marks = "".join(mark for mark in sure(text) if mark.isprintable())
        taken = marks[: max(0, MOST - len(self.text))]
        self.text = self.text[: self.caret] + taken + self.text[self.caret :]
        self.caret += len(taken)
        return len(taken) == len(marks)

    def key(self, key: str) -> bool:
        """An editing key; False when it is none."""
        before, after = self.text[: self.caret], self.text[self.caret :]
        match key:
            case "backspace" | "ctrl+h":
                self.text, self.caret = before[:-1] + after, max(0, self.caret - 1)
            case "delete" | "ctrl+d":
                self.text = before + after[1:]
            case "left":
                self.caret = max(0, self.caret - 1)
            case "right":
                self.caret = min(len(self.text), self.caret + 1)
            case "home":
                self.caret = 0
            case "end" | "ctrl+e":
                self.caret = len(self.text)
            case "ctrl+u":
                self.text, self.caret = after, 0
            case "ctrl+k":
                self.text = before
            case "ctrl+w":
                kept = before.rstrip()
                kept = kept[: kept.rfind(" ") + 1]
                self.text, self.caret = kept + after, len(kept)
            case _:
                return False
        self.judged = False
        return True


def opens_answer(mark: str | None) -> bool:
    """Whether a typed mark begins an answer: a digit of any script, a sign, a point, a bracket or an equals sign."""
    return mark is not None and len(mark) == 1 and (mark.isdigit() or mark in "+-.,(=~−–—√")

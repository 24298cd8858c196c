"""What comes out of a command: changes and messages, as frozen values."""

from __future__ import annotations

from typing import Literal, NamedTuple

from tui_attention.walk.events import Change
from tui_attention.walk.refs import CellRef

MessageKind = Literal[
    "notice",  # a plain sentence
    "refused",  # what was asked for is not possible, and why
    "read",  # how a typed number was read
    "verdict",  # the judge's sentence
    "state",  # what an answer counts as
    "means",  # what a right number means, in the lesson's words
    "look",  # the cells that a verdict or a hint is about, with their numbers where these may be read
    "hint",
    "working",  # a pencil line, or where a number comes from
    "borrowed",
    "yours",  # the learner's own sentence
    "answer",  # the lesson's own answer to a sentence
    "marked",
    "kept",
    "cover",
    "left",  # questions that were left open behind
    "command",  # a command line, ready to copy
    "end",  # after the last step
]
Tone = Literal["good", "bad", "hint", "told"]
Wish = Literal["", "end"]
PageStyle = Literal["told", "caption", "name", "number", "good"]


class Message(NamedTuple):
    """A sentence for the learner: what it is, its words, its style, and the cells that it is about."""

    kind: MessageKind
    text: str
    style: Tone = "told"
    cells: tuple[CellRef, ...] = ()


class KeptOffer(NamedTuple):
    """A wrong number with a name, which the learner may keep and go on with."""

    cell: CellRef
    value: float


class PageLine(NamedTuple):
    """One line of a page: its text, its style, and the cell that it leads to."""

    text: str
    style: PageStyle = "told"
    ref: CellRef | None = None


class ReplyPage(NamedTuple):
    """More than a sentence or two: a page above the lesson, or lines that are read out."""

    title: str
    lines: tuple[PageLine, ...]


class Reply(NamedTuple):
    """What a command led to. `wish`: `end` asks for the summary after the last step."""

    changes: tuple[Change, ...] = ()
    messages: tuple[Message, ...] = ()
    wish: Wish = ""
    page: ReplyPage | None = None

    @property
    def refused(self) -> bool:
        """Whether the command could not be done."""
        return any(message.kind == "refused" for message in self.messages)

    def changed(self, *kinds: str) -> bool:
        """Whether anything of these kinds has changed; of any kind where none is named."""
        found = {change.what for change in self.changes} - {"nothing"}
        return bool(found & set(kinds)) if kinds else bool(found)


class LeftError(Exception):
    """A long command was left before it was done; nothing was changed by it."""


def notice(text: str, *changes: Change) -> Reply:
    """One plain sentence."""
    return Reply(changes, (Message("notice", text),))


def sentence(text: str) -> str:
    """With a full stop where it ends in no mark; a comma at its end makes way."""
    text = text.strip().rstrip(",;")
    return text if not text or text[-1] in ".!?:" else text + "."


def refusal(text: str, names: frozenset[str] = frozenset()) -> Message:
    """Why something is refused, as a sentence; a cell or a tensor at its beginning keeps its small letter."""
    first = text.partition(" ")[0]
    if first.isalpha() and first not in names:
        text = f"{text[:1].upper()}{text[1:]}"
    return Message("refused", sentence(text), "bad")


__all__ = [
    "KeptOffer",
    "LeftError",
    "Message",
    "MessageKind",
    "PageLine",
    "Reply",
    "ReplyPage",
    "Tone",
    "Wish",
    "notice",
    "refusal",
    "sentence",
]

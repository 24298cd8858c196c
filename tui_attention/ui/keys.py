"""The one table of keys. Bindings, footer, help and command palette are all made from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Group = Literal["walking", "numbers", "answering", "dials", "reading", "program"]

GROUPS: tuple[tuple[Group, str], ...] = (
    ("walking", "Walking"),
    ("answering", "Answering"),
    ("numbers", "Numbers"),
    ("dials", "Dials"),
    ("reading", "Reading"),
    ("program", "Program"),
)


@dataclass(frozen=True, slots=True)
class Key:
    """One action. `keys` as Textual calls them, `shown` as people do; `footer` is its rank there (0: not in it).

    `short` is the footer's word, `tooltip` a whole sentence for help and palette.
    """

    id: str
    keys: tuple[str, ...]
    shown: str
    short: str
    tooltip: str
    group: Group
    footer: int = 0
    palette: bool = True


KEYS: tuple[Key, ...] = (
    Key("next", ("n", "space", "pagedown"), "n", "next", "One step on (also Space, PageDown)", "walking", 1),
    Key("back", ("p", "pageup"), "p", "back", "One step back (also PageUp)", "walking", 2),
    Key("next_stage", ("N",), "N", "stage on", "To the next stage", "walking"),
    Key("back_stage", ("P",), "P", "stage back", "To the start of this stage, or the stage before", "walking"),
    Key("goto", ("g",), "g", "go to", "Go to a stage or to a cell, by its name, number or address", "walking"),
    Key("pane", ("tab", "shift+tab"), "Tab", "pane", "To the pipeline and back", "walking"),
    Key("lessons", ("L",), "L", "lessons", "Choose another lesson", "walking"),
    Key("answer", ("enter",), "enter", "answer", "Answer; on a shown cell, its working", "answering", 4),
    Key("hint", ("h",), "h", "hint", "One hint more; the last one is the number itself", "answering", 5),
    Key("reveal", ("r",), "r", "reveal", "Borrow the number; a neighbour is asked instead", "answering", 6),
    Key("keep", ("k",), "k", "keep mine", "Keep your number after a named slip", "answering"),
    Key("cover", ("c",), "c", "cover", "Cover or uncover; what is seen is borrowed", "answering", 3),
    Key("ledger", ("l",), "l", "ledger", "What is paid, borrowed and open, stage by stage", "answering"),
    Key("digits", ("d",), "d", "digits", "Show printed digits, the pencil's, or all of them", "numbers"),
    Key("zoom", ("z",), "z", "zoom", "The matrix at the cursor on the full screen", "numbers"),
    Key("copy_cell", ("y",), "y", "copy cell", "Copy the cell: its address = its number", "numbers"),
    Key("copy_matrix", ("Y",), "Y", "copy matrix", "Copy the whole matrix", "numbers"),
    Key("turn", ("t",), "t", "turn", "Turn the dial at the cursor to another number", "dials"),
    Key("undo", ("u",), "u", "undo", "Take the last turn of a dial back", "dials"),
    Key("prompt", ("i",), "i", "prompt", "Change the prompt", "dials"),
    Key("other", ("I",), "I", "other", "Change the other sentence, in lessons that have one", "dials"),
    Key("ticket", ("T",), "T", "ticket", "Change the ticket, in lessons that draw one", "dials"),
    Key("scroll_up", ("left_square_bracket", "ctrl+up"), "[", "up", "Scroll up", "reading"),
    Key("scroll_down", ("right_square_bracket", "ctrl+down"), "]", "down", "Scroll down", "reading"),
    Key("glossary", ("G",), "G", "glossary", "Plain names beside the standard ones", "reading"),
    Key("save", ("s",), "s", "save", "Save this stage as a picture and as text", "program"),
    Key("theme", (), "", "theme", "Choose other colours", "program"),
    Key("help", ("question_mark", "f1"), "?", "help", "All keys", "program", 7),
    Key("palette", ("ctrl+p",), "ctrl+p", "palette", "Every action by its name", "program", palette=False),
    Key("quit", ("q",), "q", "quit", "Leave; you go on from here next time", "program", 8),
    Key("interrupt", ("ctrl+c",), "ctrl+c", "copy, quit", "Copy the selection, or quit", "program", palette=False),
    Key("escape", ("escape",), "Esc", "close", "Close the top layer; never the app", "program", palette=False),
)  # fmt: skip

ARROWS = "Arrows move the cell cursor; in the pipeline they choose a stage"
TYPING: tuple[tuple[str, str], ...] = (
    ("enter", "judge it"), ("esc", "leave it"), ("ctrl+u", "clear"), ("", "every letter belongs to the line"),
)  # fmt: skip
JUDGED: tuple[str, ...] = ("hint", "reveal", "keep", "next")
"""What the footer shows once a wrong number has been judged."""
MARKING: tuple[tuple[str, str], ...] = (("1", "had it"), ("2", "partly"), ("3", "not yet"), ("esc", "later"))
IN_TREE: tuple[tuple[str, str], ...] = (
    ("up down", "stage"),
    ("enter", "go there"),
    ("tab", "back"),
    ("?", "help"),
    ("q", "quit"),
)


def key_of_letter(mark: str | None) -> str:
    """The id of the key that a letter is once a number has been judged; empty for what begins another number.

    `q` stays a letter: it never quits while something is typed.
    """
    return next((key.id for key in KEYS if mark and mark == key.shown and key.id != "quit"), "")


def footer_keys() -> Sequence[Key]:
    """What the footer shows, in its order: eight at most."""
    return sorted((key for key in KEYS if key.footer), key=lambda key: key.footer)

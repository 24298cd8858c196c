"""Every action by its name: what is typed chooses among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType

from tui_attention.interaction.command import Command
from tui_attention.render.frame import frame
from tui_attention.render.rows import EMPTY, Link, Row, Span, cut, text_row
from tui_attention.ui.editor import Editor
from tui_attention.ui.lines import Lines
from tui_attention.ui.screens.layer import Layer


class PaletteEntry(NamedTuple):
    """One thing to choose: what it leads to, its name, its key as it is pressed, and what it does."""

    id: str
    name: str
    key: str
    says: str


class PaletteScreen(Layer[str | None]):
    """A line to type on above a list; the id of the entry that is chosen is the result."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "turn_page(-1)", show=False),
        Binding("pagedown", "turn_page(1)", show=False),
        Binding("enter", "choose", show=False),
    ]

    def __init__(self, entries: Sequence[PaletteEntry], title: str, chosen: str = "") -> None:
        super().__init__()
        self.entries = tuple(entries)
        self.page_title = title
        self.editor = Editor("goto")
        self.chosen = next((n for n, entry in enumerate(self.entries) if entry.id == chosen), 0)
        self._body = 1

    def found(self) -> Sequence[PaletteEntry]:
        """The entries that hold every word that was typed; those whose name begins with it first."""
        words = self.editor.text.lower().split()
        kept = [
            entry for entry in self.entries if all(word in f"{entry.name} {entry.says}".lower() for word in words)
        ]
        whole = self.editor.text.lower().strip()

        def rank(entry: PaletteEntry) -> int:
            name = entry.name.lower()
            return 0 if name == whole else 1 if name.startswith(whole) else 2 if whole in name else 3

        return sorted(kept, key=rank) if whole else kept

    # ------------------------------------------------------------ drawing

    def paint(self, width: int, height: int) -> None:
        found = self.found()
        self.chosen = max(0, min(self.chosen, len(found) - 1))
        self._body = max(1, height - 4)
        self.top = max(min(self.top, self.chosen), self.chosen - self._body + 1)
        text, caret = self.editor.text, self.editor.caret
        typed: Row = (
            Span("search ", "answer"),
            Span(text[:caret], "typed"),
            Span(text[caret : caret + 1] or " ", "caret"),
            Span(text[caret + 1 :], "typed"),
        )
        longest = max((len(entry.name) + len(entry.key) for entry in self.entries), default=0) + 6
        rows = [_row(entry, longest, width - 4, number == self.chosen) for number, entry in enumerate(found)]
        shown = rows[self.top : self.top + self._body] or [text_row("Nothing is called that.", "told")]
        framed = frame([cut(typed, width - 4), EMPTY, *shown], 0, (), (width, height), title=self.page_title)
        self.lines.show(framed.rows)

    def keys(self) -> Sequence[tuple[str, str]]:
        return (("up down", "choose"), ("enter", "do it"), ("esc", "close"))

    # ------------------------------------------------------------ input

    def take_input(self, event: events.Event) -> bool:
        if isinstance(event, events.Paste):
            self.editor.insert(" ".join(event.text.split()))
        elif not isinstance(event, events.Key) or event.key == "escape":
            return False
        elif not self.editor.key(event.key):
            if not (event.is_printable and event.character):
                return False
            self.editor.insert(event.character)
        self.chosen = self.top = 0
        return True

    def action_move(self, by: int) -> None:
        self.chosen += by
        self.redraw()

    def action_turn_page(self, by: int) -> None:
        self.action_move(by * max(1, self._body - 1))

    def action_choose(self) -> None:
        found = self.found()
        if found:
            self.dismiss(found[max(0, min(self.chosen, len(found) - 1))].id)

    def scroll_rows(self, by: int) -> None:
        self.action_move(1 if by > 0 else -1)

    def on_lines_clicked(self, message: Lines.Clicked) -> None:
        if isinstance(message.key, Link) and message.key.action == "entry":
            self.dismiss(message.key.argument)


def entries_of(keys: Sequence[Command]) -> list[PaletteEntry]:
    """Every action of the table of keys that has a place in the palette."""
    return [PaletteEntry(key.id, key.short.capitalize(), key.shown, key.tooltip) for key in keys if key.palette]


def _row(entry: PaletteEntry, longest: int, width: int, chosen: bool) -> Row:
    name = entry.name + (f"  ({entry.key})" if entry.key else "")
    link = Link("entry", entry.id)
    styles = ("chosen", "chosen") if chosen else ("name", "told")
    return cut((Span(f" {name:<{longest}}", styles[0], link), Span(entry.says + " ", styles[1], link)), width)

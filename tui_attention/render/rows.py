"""Rows of text: what every renderer here makes and every screen draws.

A row is a tuple of fragments. A fragment has a text, the name of an ink (which colour that is, is the screen's
business), and whatever stands at its place: a cell or a link.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from tui_attention.engine.refs import CellRef
from tui_attention.engine.tensor import Index


class CellKey(NamedTuple):
    """A cell on the screen: the block it stands in, its tensor and index, and the cell that it is a view of."""

    block: int
    name: str
    at: Index
    source: CellRef

    @property
    def ref(self) -> CellRef:
        """The cell as it stands there."""
        return CellRef(self.name, self.at)


class Link(NamedTuple):
    """A place that does something: an action's id and its argument."""

    action: str
    argument: str = ""


class Span(NamedTuple):
    """A piece of a row."""

    text: str
    style: str = ""
    key: CellKey | Link | None = None


Row = tuple[Span, ...]
FAINT, STRONG = "faint", "strong"
"""Styles that tables and plots share: what recedes, what stands out."""
EMPTY: Row = ()


def width_of(row: Row) -> int:
    """Columns on the screen."""
    return sum(cell_len(span.text) for span in row)


def plain(row: Row) -> str:
    """The row's text alone, without spaces at its end."""
    return "".join(span.text for span in row).rstrip()


def text_row(text: str, style: str = "") -> Row:
    """A row of one text."""
    return (Span(text, style),) if text else EMPTY


def trimmed(row: Row) -> Row:
    """The row without blanks at its end, and without pieces that hold no text."""
    kept = [span for span in row if span.text]
    while kept and kept[-1].text.isspace():
        kept.pop()
    if kept:
        kept[-1] = kept[-1]._replace(text=kept[-1].text.rstrip())
    return tuple(kept)


def merged(row: Row) -> Row:
    """The row with neighbours of one style as one piece; of what leads nowhere."""
    kept: list[Span] = []
    for span in row:
        if kept and kept[-1].style == span.style:
            kept[-1] = span._replace(text=kept[-1].text + span.text)
        elif span.text:
            kept.append(span)
    return tuple(kept)


def left(text: str, width: int) -> str:
    """The text with spaces behind it: so many columns, which need not be so many characters."""
    return text + " " * (width - cell_len(text))


def right(text: str, width: int) -> str:
    """The same with the spaces before it."""
    return " " * (width - cell_len(text)) + text


def padded(row: Row, width: int, style: str = "") -> Row:
    """The row, exactly `width` columns wide: filled with spaces or cut."""
    missing = width - width_of(row)
    if missing > 0:
        return (*row, Span(" " * missing, style))
    return row if not missing else cut(row, width)


def cut(row: Row, width: int) -> Row:
    """The first `width` columns; a cut text ends in a mark that says so."""
    kept: list[Span] = []
    room = width
    for span in row:
        size = cell_len(span.text)
        if size <= room:
            kept.append(span)
            room -= size
            continue
        if room > 0:
            kept.append(span._replace(text=set_cell_size(span.text, room - 1) + "…"))
        elif kept and kept[-1].text:
            last = kept[-1]
            kept[-1] = last._replace(text=set_cell_size(last.text, cell_len(last.text) - 1) + "…")
        return tuple(kept)
    return tuple(kept)


def between(left: Row, right: Row, width: int) -> Row:
    """One row with something at either end; the right end goes first when there is no room for both."""
    gap = width - width_of(left) - width_of(right)
    if gap < 1:
        return padded(left, width)
    return (*left, Span(" " * gap), *right)


# ------------------------------------------------------------ prose


def flat(prose: str) -> str:
    """Prose from a lesson file on one line: its line breaks mean nothing."""
    return " ".join(prose.split())


def wrap(text: str, width: int, first: int = 0) -> list[str]:
    """Lines of at most `width` columns, broken at spaces; the first one leaves `first` columns free.

    Spaces within a line stay as they are, since a prompt may hold several. A word longer than a line is split.
    """
    lines: list[str] = []
    line, room = "", max(1, width - first)
    fresh = True
    for whole in text.split(" "):
        word = whole
        needed = cell_len(word) + (0 if fresh else 1)
        if needed > room and not fresh:
            lines.append(line)
            line, room, fresh = "", width, True
            needed = cell_len(word)
        while needed > room:
            # A mark of two columns that would be cut in half goes to the next line.
            head = set_cell_size(word, room).rstrip() or word[0]
            lines.append(head)
            word, room = word[len(head) :], width
            needed = cell_len(word)
        line = word if fresh else f"{line} {word}"
        room -= needed
        fresh = False
    return [*lines, line]


def wrap_line(line: str, width: int) -> list[str]:
    """A pencil line, broken outside its brackets where that is possible."""
    ways = [wrap(line, width)]
    for depth in (2, 1, 0):
        joined = "".join(_joined(line, depth))
        if all(len(word) <= width for word in joined.split(" ")):
            ways.append([part.replace(_GLUE, " ") for part in wrap(joined, width)])
    return min(reversed(ways), key=len)


_GLUE = "\u00a0"


def _joined(line: str, most: int) -> Iterator[str]:
    """The line's marks; spaces deeper than `most` brackets, and those around `*` and `/`, hold together."""
    depth = 0
    for place, mark in enumerate(line):
        depth += (mark == "(") - (mark == ")")
        tied = depth > most or "*" in line[max(0, place - 1) : place + 2]
        yield _GLUE if mark == " " and tied else mark


def paragraph(text: str, width: int, style: str = "", lead: Row = ()) -> list[Row]:
    """A paragraph as rows, behind a lead that stands on the first row."""
    offset = width_of(lead)
    lines = wrap(text, max(8, width), offset)
    return [(*lead, Span(lines[0], style)), *((Span(line, style),) for line in lines[1:])]


# ------------------------------------------------------------ finding what stands where


def cells_of(rows: Sequence[Row]) -> Iterator[tuple[int, int, int, CellKey]]:
    """Every cell: its row, its first column, the column behind it, and its key."""
    for y, row in enumerate(rows):
        x = 0
        for span in row:
            size = cell_len(span.text)
            if isinstance(span.key, CellKey):
                yield y, x, x + size, span.key
            x += size


def key_at(row: Row, column: int) -> CellKey | Link | None:
    """What stands at a column of a row."""
    x = 0
    for span in row:
        x += cell_len(span.text)
        if column < x:
            return span.key
    return None

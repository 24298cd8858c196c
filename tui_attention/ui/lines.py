"""A widget that draws rows, and draws again only what has changed: a row, or the cells that were lit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events, getters
from textual.geometry import Region
from textual.message import Message
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from tui_attention.engine.refs import CellRef
from tui_attention.output import harmless
from tui_attention.render.rows import CellKey, Link, Row, key_at, plain
from tui_attention.ui.colours import style_of
from tui_attention.ui.guards.layer import GuardedScreen
from tui_attention.ui.painting import PaintedApp

Marks = tuple[tuple[str, str, str], ...]
NOTHING: frozenset[CellRef] = frozenset()


class Lights(NamedTuple):
    """What is laid over the rows: the cursor, the addresses that are lit, those that a slip names."""

    cursor: CellKey | None = None
    lit: frozenset[CellRef] = NOTHING
    slips: frozenset[CellRef] = NOTHING
    focused: bool = True

    def style(self, key: CellKey) -> str:
        if key == self.cursor:
            return "cursor" if self.focused else "cursor-away"
        return "slip" if key.source in self.slips else "lit" if key.source in self.lit else ""


class Lines(Widget):
    """Rows of spans. Whoever shows them is asked to draw when the size is another one."""

    ALLOW_SELECT = True
    FILL = ""
    """The style of what no span covers."""

    app = getters.app(PaintedApp)

    class Clicked(Message):
        """Something that stands in a row was clicked; the row's number and what stands there."""

        def __init__(self, lines: Lines, y: int, key: CellKey | Link | None) -> None:
            self.lines, self.y, self.key = lines, y, key
            super().__init__()

        @property
        def control(self) -> Lines:
            return self.lines

    class Wheeled(Message):
        """The wheel was turned: -1 up, 1 down."""

        def __init__(self, lines: Lines, direction: int) -> None:
            self.lines, self.direction = lines, direction
            super().__init__()

        @property
        def control(self) -> Lines:
            return self.lines

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: tuple[Row, ...] = ()
        self.lights = Lights()

    def on_resize(self) -> None:
        if isinstance(self.screen, GuardedScreen):
            self.screen.redraw()

    def show(self, rows: Sequence[Row], lights: Lights | None = None) -> None:
        """These rows from now on; what is on the screen already is not drawn again."""
        new = tuple(rows)
        old, self.rows = self.rows, new
        before, self.lights = self.lights, lights or self.lights
        width = self.size.width
        regions = [
            _changed(old[y] if y < len(old) else (), new[y] if y < len(new) else (), y, width)
            for y in range(min(max(len(old), len(new)), self.size.height))
        ]
        found = [region for region in regions if region is not None]
        if before != self.lights:
            done = {region.y for region in found if region.width == width}
            found += (region for region in self._relit(before) if region.y not in done)
        if found:
            self.refresh(*found)

    def _relit(self, before: Lights) -> list[Region]:
        regions = []
        for y, row in enumerate(self.rows[: self.size.height]):
            other = [
                isinstance(piece.key, CellKey) and before.style(piece.key) != self.lights.style(piece.key)
                for piece in row
            ]
            x = 0
            for piece, is_other in zip(row, other, strict=True) if any(other) else ():
                size = cell_len(piece.text)
                if is_other:
                    regions.append(Region(x, y, size, 1))
                x += size
        return regions

    def render_lines(self, crop: Region) -> list[Strip]:
        """What goes out: whole strips, made once for all who see the same row alike."""
        if self.text_selection is not None:
            return super().render_lines(crop)
        filters = self.app.get_line_filters()
        kind = (self.app.paint_kind, self.FILL, self.size.width, *map(type, filters))
        strips = self.app.strips

        def strip(y: int) -> Strip:
            marks = self._marks(y)
            made = strips.get((kind, marks))
            if made is None:
                made = self._strip(marks)
                for each in filters:
                    made = made.apply_filter(each, self.background_colors[1])
                strips.keep((kind, marks), made)
            return made.crop(crop.x, crop.right)

        return [strip(y) for y in crop.line_range]

    def render_line(self, y: int) -> Strip:
        # The mouse asks for this, to know what stands where.
        strip = self._strip(self._marks(y))
        selection = self.text_selection
        if selection is not None and (span := selection.get_span(y)) is not None:
            strip = _selected(strip, span, self.size.width, self.app.text_styles["selected"])
        return strip.apply_offsets(0, y)

    def _marks(self, y: int) -> Marks:
        """A row as it is painted: each text with its style and what is laid over it."""
        over = self.lights.style
        return tuple(
            (piece.text, piece.style, over(piece.key) if isinstance(piece.key, CellKey) else "")
            for piece in (self.rows[y] if y < len(self.rows) else ())
        )

    def _strip(self, marks: Marks) -> Strip:
        text_styles = self.app.text_styles
        base = style_of(text_styles, self.FILL)
        segments: list[Segment] = []
        for text, name, over in marks:
            if not text:
                continue
            # A tab would leave what stood there before.
            painted = text if text.isprintable() else harmless(text.replace("\t", " "))
            style = style_of(text_styles, name) if name else base
            if over:
                style = style + text_styles[over]
            if segments and segments[-1].style == style:
                segments[-1] = Segment(segments[-1].text + painted, style)
            else:
                segments.append(Segment(painted, style))
        return Strip(segments).adjust_cell_length(self.size.width, base)

    # ------------------------------------------------------------ mouse and selection

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        text = selection.extract("\n".join(plain(row) for row in self.rows))
        lines = [line.strip("│|").rstrip() for line in text.split("\n")]
        return "\n".join(lines), "\n"

    def on_click(self, event: events.Click) -> None:
        if event.y < len(self.rows):
            self.post_message(self.Clicked(self, event.y, key_at(self.rows[event.y], event.x)))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.post_message(self.Wheeled(self, -1))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.post_message(self.Wheeled(self, 1))


class BarLines(Lines):
    """A bar at the top or the bottom of a screen."""

    FILL = "bar"


def _selected(strip: Strip, span: tuple[int, int], width: int, style: Style) -> Strip:
    start, end = span
    end = width if end == -1 else min(end, width)
    if start >= end:
        return strip
    before, middle, after = strip.crop(0, start), strip.crop(start, end), strip.crop(end, width)
    return Strip.join([before, middle.apply_style(style), after])


def _changed(old: Row, new: Row, y: int, width: int) -> Region | None:
    """The part of a row that has to be drawn again: from the first fragment that differs to the last one."""
    if old == new:
        return None
    start, x = 0, 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        x += cell_len(new[start].text)
        start += 1
    behind = 0
    while behind < min(len(old), len(new)) - start and old[-1 - behind] == new[-1 - behind]:
        behind += 1
    before = sum(cell_len(piece.text) for piece in old[start : len(old) - behind])
    middle = sum(cell_len(piece.text) for piece in new[start : len(new) - behind])
    return Region(x, y, max(1, middle if middle == before else width - x), 1)

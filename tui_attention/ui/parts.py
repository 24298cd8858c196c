"""The parts of the lesson's screen: each a widget that draws itself from the learner's seat, where it must."""

from __future__ import annotations

from collections.abc import Sequence

from tui_attention.render.panel import Layout, begin, framed
from tui_attention.render.pipeline import footer_row, header_row, tree_rows
from tui_attention.ui.lines import BarLines, Lights, Lines
from tui_attention.ui.seat import Seat
from tui_attention.walk.places import Place


class _Kept:
    """What was drawn last, so that the same is not drawn again."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()

    def is_new(self, *key: object) -> bool:
        if _same(key, self._key):
            return False
        self._key = key
        return True


class HeaderLine(BarLines):
    """Title, cover, what is paid and borrowed."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._kept = _Kept()

    def draw(self, seat: Seat, notes: str) -> None:
        width = self.size.width
        if width and self._kept.is_new(*_state(seat), width, notes):
            self.show([header_row(seat.walk.visible, width, notes)])


class Pipeline(Lines):
    """The tree of stages; `chosen` is the one that keys are about while they belong to the tree."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._kept = _Kept()

    def draw(self, seat: Seat, chosen: int, in_tree: bool) -> None:
        width, height = self.size
        if width > 4 and self._kept.is_new(*_state(seat), width, height, chosen, in_tree):
            self.show(tree_rows(seat.walk.visible, (width, height), chosen, in_tree))


class StagePanel(Lines):
    """The stage at hand: a window onto its document, and below it what is asked and said."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.top = 0
        self.follow = True
        """Whether the window goes to the step at hand when it is next drawn."""
        self.first = False
        """Whether nothing but the wall was drawn last."""
        self._body = 0

    def draw(self, seat: Seat, lit: bool) -> None:
        size = self.size
        if size.width < 8 or size.height < 4:
            return
        made = self._layout(seat)
        body = self._body
        self._body = made.body
        wanted = seat.wanted()
        first = begin(made, wanted, seat.line_cell_source())
        if self.follow or made.first != self.first:
            self.top = first
            self.follow = False
        elif made.body < body and seat.cursor is not None:
            # What is said below takes rows away: not the one that it is about.
            row = made.document.row_of(seat.cursor)
            if self.top + made.body <= row < self.top + body:
                self.top = row - made.body + 1
        self.first = made.first
        last = max(0, len(made.document.rows) - made.body)
        self.top = max(0, min(self.top, max(last, first)))
        drawn = framed(made, seat.walk.visible, self.top, (size.width, size.height), lit=lit)
        self.show(drawn.rows, Lights(made.document.same(seat.cursor), seat.lit(), seat.slips, lit))

    def _layout(self, seat: Seat) -> Layout:
        seat.size = (self.size.width, self.size.height)
        seat.come_home()
        seat.keep_cursor()
        return seat.layout()

    def show_cursor(self, seat: Seat) -> None:
        """Scroll so that the cursor's cell is in the window."""
        if seat.cursor is None or not self._body:
            return
        made = self._layout(seat)
        row = made.document.row_of(seat.cursor)
        if row < self.top + 1:
            self.top = max(0, row - 2)
        elif row >= self.top + made.body:
            self.top = max(row - made.body + 1, min(made.document.at, row))

    def scroll_rows(self, by: int) -> None:
        """So many rows on or back."""
        self.top = max(0, self.top + by)

    @property
    def page(self) -> int:
        """How many rows a page of scrolling is."""
        return max(1, (self._body or 4) * 2 // 3)


class FooterLine(BarLines):
    """Keys and what they do."""

    def draw(self, keys: Sequence[tuple[str, str, str]]) -> None:
        if self.size.width:
            self.show([footer_row(keys, self.size.width)])


def _state(seat: Seat) -> tuple[object, ...]:
    """What header and tree depend on."""
    now = seat.walk.visible
    return now.ledger, now.place, now.cover, now.digits, now.edition, now.furthest


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether nothing has changed: small values by what they are, ledgers and runs by which they are."""
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(a is b or (isinstance(a, _SMALL) and a == b) for a, b in pairs)


_SMALL = (int, str, bool, Place)

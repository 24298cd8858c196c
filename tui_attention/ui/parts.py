"""The parts of the lesson's screen: each a widget that draws itself from the learner's seat, where it must."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tui_attention.render.answer_panel import answer_panel_rows
from tui_attention.render.frame import Frame, frame
from tui_attention.render.pipeline import footer_row, header_row, tree_rows
from tui_attention.render.stage import Document
from tui_attention.ui.lines import BarLines, Lights, Lines
from tui_attention.ui.seat import Seat
from tui_attention.walk.places import Place

TIGHT: Final = 28
"""Below this many rows the panel saves rows."""


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
        self._frame: Frame | None = None

    def draw(self, seat: Seat, lit: bool) -> None:
        size = self.size
        if size.width < 8 or size.height < 4:
            return
        seat.width, seat.tight = max(12, size.width - 4), size.height < TIGHT
        document = seat.document()
        seat.come_home()
        seat.keep_cursor()
        most = max(4, (size.height - 3) * 9 // 20)
        panel, _ = answer_panel_rows(seat.walk.visible, seat.answer_panel(), seat.width, most)
        body = max(1, size.height - 3 - len(panel)) if panel else max(1, size.height - 2)
        last = max(0, len(document.rows) - body)
        if self.follow:
            self.top = begin(document, last)
            self.follow = False
        elif self._frame is not None and body < self._frame.body and seat.cursor is not None:
            # What is said below takes rows away: not the one that it is about.
            row = document.row_of(seat.cursor)
            if self.top + body <= row < self.top + self._frame.body:
                self.top = row - body + 1
        stage = seat.walk.stage
        number = seat.walk.stage_number(seat.walk.place.stage)
        title = f"{number} {stage.title}".strip()
        self.top = max(0, min(self.top, max(last, begin(document, last))))
        made = frame(
            document.rows,
            self.top,
            panel,
            (size.width, size.height),
            title=title,
            standard=stage.standard,
            lit=lit,
        )
        self._frame = made
        self.show(made.rows, Lights(seat.cursor, seat.lit(), seat.slips, lit))

    def show_cursor(self, seat: Seat) -> None:
        """Scroll so that the cursor's cell is in the window."""
        made = self._frame
        if seat.cursor is None or made is None:
            return
        document = seat.document()
        row = document.row_of(seat.cursor)
        if row < self.top + 1:
            self.top = max(0, row - 2)
        elif row >= self.top + made.body:
            self.top = max(row - made.body + 1, min(document.at, row))

    def scroll_rows(self, by: int) -> None:
        """So many rows on or back."""
        self.top = max(0, self.top + by)

    @property
    def page(self) -> int:
        """How many rows a page of scrolling is."""
        return max(1, (self._frame.body if self._frame else 4) * 2 // 3)


class FooterLine(BarLines):
    """Keys and what they do."""

    def draw(self, keys: Sequence[tuple[str, str, str]]) -> None:
        if self.size.width:
            self.show([footer_row(keys, self.size.width)])


def begin(document: Document, last: int) -> int:
    """The row to begin reading at: the step at hand, or a paragraph before it where that fits too.

    `last` is the first row of the last windowful.
    """
    if last >= document.start:
        return document.start
    starts = (y for y in range(last, document.start) if y == 0 or not document.rows[y - 1])
    return next(starts, document.start)


def _state(seat: Seat) -> tuple[object, ...]:
    """What header and tree depend on."""
    now = seat.walk.visible
    return now.ledger, now.place, now.cover, now.digits, now.edition, now.furthest


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether nothing has changed: small values by what they are, ledgers and runs by which they are."""
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(a is b or (isinstance(a, _SMALL) and a == b) for a, b in pairs)


_SMALL = (int, str, bool, Place)

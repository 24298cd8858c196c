"""The screen of a lesson: it turns keys into actions on the seat, and the seat's state into rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widget import Widget

from tui_attention.render.answer_panel import Said, answer_panel_rows
from tui_attention.render.frame import Frame, frame
from tui_attention.render.pipeline import branches, footer_row, header_row, tree_rows, tree_width
from tui_attention.render.rows import CellKey, Link, Row, text_row, wrap
from tui_attention.render.stage import Document
from tui_attention.ui.actions import Actions
from tui_attention.ui.colours import Styles
from tui_attention.ui.editor import opens_answer
from tui_attention.ui.keys import IN_TREE, JUDGED, KEYS, MARKING, TYPING, footer_keys, key_of_letter
from tui_attention.ui.lines import Lights, Lines
from tui_attention.ui.seat import Seat
from tui_attention.walk.places import Place

if TYPE_CHECKING:
    from tui_attention.ui.attention import AttentionApp

NARROW = 62
"""Below this many columns the tree folds away."""
TIGHT = 28
"""Below this many rows the panel saves rows."""
LEAST = (40, 12)


class MainScreen(Screen[None]):
    """Header, pipeline, stage panel, footer."""

    AUTO_FOCUS = "#panel"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(",".join(key.keys), f"do('{key.id}')", key.short, id=key.id, tooltip=key.tooltip, show=False)
        for key in KEYS
        if key.keys
    ]

    def __init__(self, seat: Seat, text_styles: Styles, *, ascii: bool = False) -> None:
        super().__init__()
        self.seat = seat
        self.text_styles = text_styles
        self.head_line = Lines(text_styles, ascii=ascii, fill="bar", id="header")
        self.pipeline = Lines(text_styles, ascii=ascii, id="tree", focus=True)
        self.panel = Lines(text_styles, ascii=ascii, id="panel", focus=True)
        self.foot_line = Lines(text_styles, ascii=ascii, fill="bar", id="footer")
        self.small = Lines(text_styles, ascii=ascii, id="small")
        self.actions = Actions(self)
        self.top = 0
        self.chosen = seat.walk.place.stage
        self.follow = True
        self._frame: Frame | None = None
        self._head_key: tuple[object, ...] = ()
        self._tree_key: tuple[object, ...] = ()
        self.head_line.painter, self.pipeline.painter = self._draw_head, self._draw_tree
        self.panel.painter, self.foot_line.painter = self._draw_panel, self._draw_foot

    @property
    def attention(self) -> AttentionApp:
        from tui_attention.ui.attention import AttentionApp

        assert isinstance(self.app, AttentionApp)
        return self.app

    def compose(self) -> ComposeResult:
        yield self.head_line
        with Widget(id="middle"):
            yield self.pipeline
            yield self.panel
        yield self.foot_line
        yield self.small

    # ------------------------------------------------------------ drawing

    @property
    def in_tree(self) -> bool:
        return self.pipeline.has_focus

    def on_resize(self, event: events.Resize) -> None:
        self.follow = True  # the rows are others now: what was at the top may be anywhere
        self.fit(event.size.width, event.size.height)

    def fit(self, columns: int, rows: int) -> None:
        """Arrange for a screen of this size."""
        self.set_class(columns < NARROW, "-narrow")
        self.set_class(columns < LEAST[0] or rows < LEAST[1], "-tiny")
        self.set_class(columns < NARROW and self.in_tree, "-in-tree")
        if columns >= NARROW:
            self.pipeline.styles.width = tree_width(self.seat.walk, columns)
        self.small.show(_too_small(columns, rows))
        self.draw()

    def on_descendant_focus(self) -> None:
        self.draw()

    def on_screen_resume(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Bring every widget up to date; what has not changed costs nothing."""
        if self.is_mounted:
            self.seat.tell(self.attention.trouble_to_tell())
            self._draw_head()
            self._draw_tree()
            self._draw_panel()
            self._draw_foot()
            self.attention.remember_draft()

    def _state(self) -> tuple[object, ...]:
        """What header and tree depend on."""
        walk = self.seat.walk
        return walk.ledger, walk.place, walk.covered, walk.digits, walk.run, walk.furthest

    def _draw_head(self) -> None:
        width = self.head_line.size.width
        key = (*self._state(), width, self.attention.unsaved)
        if width and not _same(key, self._head_key):
            self._head_key = key
            self.head_line.show([header_row(self.seat.walk, width, self.attention.unsaved)])

    def _draw_tree(self) -> None:
        width, height = self.pipeline.size
        key = (*self._state(), width, height, self.chosen, self.in_tree)
        if width > 4 and not _same(key, self._tree_key):
            self._tree_key = key
            self.pipeline.show(tree_rows(self.seat.walk, (width, height), self.chosen, self.in_tree))

    def _draw_foot(self) -> None:
        if self.foot_line.size.width:
            self.foot_line.show([footer_row(self._footer(), self.foot_line.size.width)])

    def _draw_panel(self) -> None:
        seat, size = self.seat, self.panel.size
        if size.width < 8 or size.height < 4:
            return
        seat.width, seat.tight = max(12, size.width - 4), size.height < TIGHT
        document = seat.document()
        seat.come_home()
        seat.keep_cursor()
        most = max(4, (size.height - 3) * 9 // 20)
        answer_panel, _ = answer_panel_rows(seat.walk.visible, seat.answer_panel(), seat.width, most)
        body = max(1, size.height - 3 - len(answer_panel)) if answer_panel else max(1, size.height - 2)
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
            answer_panel,
            (size.width, size.height),
            title=title,
            standard=stage.standard,
            lit=not self.in_tree,
        )
        self._frame = made
        self.panel.show(made.rows, Lights(seat.cursor, seat.lit(), seat.slips, not self.in_tree))

    def _footer(self) -> list[tuple[str, str, str]]:
        if self.seat.editor is not None:
            entering = "judge" if self.seat.editor.purpose == "number" else "done"
            shown = [("", key, entering if key == "enter" else word) for key, word in TYPING if key]
            if not self.seat.judged:
                return shown
            mine = [key for key in KEYS if key.id in JUDGED and (key.id != "keep" or self.seat.named)]
            return [*((key.id, key.shown, key.short) for key in mine), shown[1], ("", "a digit", "begins anew")]
        if self.seat.marking:
            return [("", key, word) for key, word in MARKING]
        if self.in_tree:
            return [("", key, word) for key, word in IN_TREE]
        return [(key.id, key.shown, key.short) for key in footer_keys()]

    def show_cursor(self) -> None:
        """Scroll so that the cursor's cell is in the window."""
        seat, made = self.seat, self._frame
        if seat.cursor is None or made is None:
            return
        document = seat.document()
        row = document.row_of(seat.cursor)
        if row < self.top + 1:
            self.top = max(0, row - 2)
        elif row >= self.top + made.body:
            self.top = max(row - made.body + 1, min(document.at, row))

    def scroll(self, by: int) -> None:
        self.top = max(0, self.top + by)
        self.draw()

    def page(self) -> int:
        return max(1, (self._frame.body if self._frame else 4) * 2 // 3)

    # ------------------------------------------------------------ keys and mouse

    def action_do(self, action: str) -> None:
        self.actions.run(action)

    def on_key(self, event: events.Key) -> None:
        seat = self.seat
        if event.key != "ctrl+c":
            self.actions.go_on()
        if seat.editor is not None:
            self._typed(event)
        elif seat.marking and event.key in ("1", "2", "3"):
            seat.mark(event.key)
        elif self.in_tree and event.key in ("up", "down"):
            self._choose(1 if event.key == "down" else -1)
        elif event.key in ("up", "down", "left", "right"):
            self._arrow(event.key)
        elif not self.in_tree and opens_answer(event.character):
            if seat.open_answer(event.character or ""):
                self.show_cursor()
            else:
                seat.said = (Said("Nothing is asked here that is still open."),)
        else:
            return
        event.stop()
        event.prevent_default()
        self.draw()

    def _typed(self, event: events.Key) -> None:
        editor = self.seat.editor
        if editor is None:
            return
        if event.key == "enter":
            self.actions.run("submit")
        elif event.key == "escape":
            self.actions.run("escape")
        elif event.key == "ctrl+c":
            self.actions.run("interrupt")
        elif self.seat.judged and (letter := key_of_letter(event.character)):
            self.actions.run(letter)
        elif not editor.key(event.key) and event.is_printable and event.character:
            editor.insert(event.character)

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        seat = self.seat
        text = " ".join(event.text.split())
        if seat.editor is None and not (opens_answer(text[:1]) and seat.open_answer()):
            return
        if seat.editor is not None:
            seat.editor.insert(text)
        self.draw()

    def _arrow(self, key: str) -> None:
        dx, dy = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}[key]
        if self.seat.arrow(dx, dy):
            self.show_cursor()
        elif dy:
            self.top = max(0, self.top + dy)

    def _choose(self, by: int) -> None:
        stages = [branch.stage for branch in branches(self.seat.walk) if branch.stage >= 0]
        self.chosen = stages[max(0, min(len(stages) - 1, stages.index(self.chosen) + by))]

    def on_lines_clicked(self, message: Lines.Clicked) -> None:
        key = message.key
        if isinstance(key, CellKey):
            self.panel.focus()
            self.seat.place_cursor(key)
            self.draw()
        elif isinstance(key, Link):
            self.actions.follow(key)
        elif message.lines in (self.pipeline, self.panel):
            message.lines.focus()

    def on_lines_wheeled(self, message: Lines.Wheeled) -> None:
        if message.lines is self.pipeline:
            self._choose(message.direction)
            self.draw()
        else:
            self.scroll(3 * message.direction)


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether nothing has changed: small values by what they are, ledgers and courses by which they are."""
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(a is b or (isinstance(a, _SMALL) and a == b) for a, b in pairs)


_SMALL = (int, str, bool, Place)


def begin(document: Document, last: int) -> int:
    """The row to begin reading at: the step at hand, or a paragraph before it where that fits too.

    `last` is the first row of the last windowful.
    """
    if last >= document.start:
        return document.start
    starts = (y for y in range(last, document.start) if y == 0 or not document.rows[y - 1])
    return next(starts, document.start)


def _too_small(columns: int, rows: int) -> list[Row]:
    says = f"{columns}x{rows} is too small: {LEAST[0]}x{LEAST[1]} is needed, or run tui-attention plain."
    return [text_row(line, "told") for line in wrap(says, max(8, columns))]

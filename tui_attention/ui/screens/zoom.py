"""One matrix on the full screen, with the cell cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from tui_attention.render.answer_panel import pencil_rows
from tui_attention.render.frame import Frame, frame
from tui_attention.render.matrix import MatrixBlock, flow, grid_blocks
from tui_attention.render.pipeline import footer_row
from tui_attention.render.rows import CellKey, Row, cells_of
from tui_attention.render.step import whole_grids
from tui_attention.ui.guarded import Layer
from tui_attention.ui.lines import Lights, Lines

if TYPE_CHECKING:
    from tui_attention.ui.attention import AttentionApp


class ZoomScreen(Layer[None]):
    """The matrix at the cursor; arrows move, y and Y copy, z or Esc closes."""

    CSS = """
    ZoomScreen { background: $background; overflow: hidden; }
    ZoomScreen #zoom { width: 100%; height: 1fr; }
    ZoomScreen #zoom-footer { dock: bottom; height: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,z,q", "close", show=False),
        Binding("y", "copy('cell')", show=False),
        Binding("Y", "copy('matrix')", show=False),
        Binding("d", "digits", show=False),
    ]

    def __init__(self, app: AttentionApp) -> None:
        super().__init__()
        self.attention = app
        assert app.seat.cursor is not None
        self.name_of = app.seat.cursor.name
        self.index = app.seat.cursor.at
        ascii = app.main.panel.ascii
        self.lines = Lines(app.text_styles, ascii=ascii, id="zoom", focus=True)
        self.bottom = Lines(app.text_styles, ascii=ascii, fill="bar", id="zoom-footer")
        self.top = 0
        self._frame: Frame | None = None

    def compose(self) -> ComposeResult:
        yield self.lines
        yield self.bottom

    def on_mount(self) -> None:
        self.call_after_refresh(self.draw)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.draw)

    def rows(self, width: int) -> list[Row]:
        walk = self.attention.seat.walk
        blocks: list[MatrixBlock] = []
        for number, grid in enumerate(whole_grids(walk.view(self.name_of), walk.run.graph, width)):
            blocks += grid_blocks(grid, number, width)
        return flow(blocks, width)

    def draw(self) -> None:
        width, height = self.lines.size
        if width < 12 or height < 5:
            return
        seat = self.attention.seat
        rows = self.rows(width - 4)
        cells = list(cells_of(rows))
        at = next(((y, key) for y, _, _, key in cells if key.at == self.index), None)
        key: CellKey | None = at[1] if at else None
        desk = pencil_rows(seat.walk.visible, key, width - 4, 4) if key else []
        body = max(1, height - 3 - len(desk))
        if at is not None:
            self.top = min(self.top, max(0, at[0] - 2))
            self.top = max(self.top, at[0] - body + 1)
        view = seat.walk.view(self.name_of)
        title = f"{view.name}  {view.title}"
        made = frame(rows, self.top, desk, (width, height), title=title, standard=view.standard)
        self.top, self._frame = made.top, made
        lit = frozenset(cell.address for cell in seat.walk.visible.operands(key.name, key.at)) if key else frozenset()
        self.lines.show(made.rows, Lights(key, lit - {key.source} if key else lit))
        keys = [
            ("", "arrows", "move"),
            ("", "y", "copy cell"),
            ("", "Y", "copy matrix"),
            ("", "d", "digits"),
            ("", "z", "close"),
        ]
        self.bottom.show([footer_row(keys, self.bottom.size.width)])

    def on_key(self, event: events.Key) -> None:
        moves = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
        if event.key not in moves:
            return
        event.stop()
        event.prevent_default()
        dx, dy = moves[event.key]
        cells = list(cells_of(self.rows(self.lines.size.width - 4)))
        here = next(((y, x) for y, x, _, key in cells if key.at == self.index), None)
        if here is None:
            return
        y, x = here
        if dx:
            found = [(abs(left - x), key) for row, left, _, key in cells if row == y and (left - x) * dx > 0]
        else:
            found = [(abs(row - y) * 1000 + abs(left - x), key) for row, left, _, key in cells if (row - y) * dy > 0]
        if found:
            self.index = min(found, key=lambda entry: entry[0])[1].at
            self.draw()

    def action_close(self) -> None:
        seat = self.attention.seat
        if seat.cursor is not None:
            same = next(
                (key for *_, key in seat.document().cells if key.name == self.name_of and key.at == self.index),
                None,
            )
            seat.cursor = same or seat.cursor
        self.dismiss(None)

    def action_copy(self, what: str) -> None:
        seat = self.attention.seat
        view = seat.walk.view(self.name_of)
        key = CellKey(0, self.name_of, self.index, str(view.sources[self.index]))
        cursor, seat.cursor = seat.cursor, key
        self.app.copy_to_clipboard(seat.cell_text() if what == "cell" else seat.matrix_text())
        seat.cursor = cursor

    def action_digits(self) -> None:
        self.attention.seat.digits()
        self.draw()

    def on_lines_clicked(self, message: Lines.Clicked) -> None:
        if isinstance(message.key, CellKey):
            self.index = message.key.at
            self.draw()

    def on_lines_wheeled(self, message: Lines.Wheeled) -> None:
        self.top = max(0, self.top + 3 * message.direction)

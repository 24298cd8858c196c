"""One matrix on the full screen, with the cell cursor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from tui_attention.engine.refs import CellRef
from tui_attention.render.answer_panel import pencil_rows
from tui_attention.render.frame import frame
from tui_attention.render.matrix import MatrixBlock, flow, grid_blocks
from tui_attention.render.rows import CellKey, Row, cells_of
from tui_attention.render.step import whole_grids
from tui_attention.ui.lines import Lights, Lines
from tui_attention.ui.screens.layer import Layer
from tui_attention.ui.seat import Seat


class ZoomScreen(Layer[CellKey]):
    """The matrix at the cursor; arrows move, y and Y copy, z or Esc closes. Its result is the cell it was left at."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("z", "close", show=False),
        Binding("y", "copy('cell')", show=False),
        Binding("Y", "copy('matrix')", show=False),
        Binding("d", "digits", show=False),
        Binding("up", "move(0, -1)", show=False),
        Binding("down", "move(0, 1)", show=False),
        Binding("left", "move(-1, 0)", show=False),
        Binding("right", "move(1, 0)", show=False),
    ]

    def __init__(self, seat: Seat, cell: CellKey) -> None:
        super().__init__()
        self.seat = seat
        self.name_of, self.index = cell.name, cell.at
        self._made: tuple[object, list[Row], list[tuple[int, int, int, CellKey]]] = (None, [], [])

    def _rows(self, width: int) -> list[Row]:
        """The matrix for so many columns, made anew when the digits or the width are others."""
        walk = self.seat.walk
        large = walk.visible.is_large(self.name_of)
        key = (width, walk.digits, walk.visible.window_at(CellRef(self.name_of, self.index)) if large else ())
        if self._made[0] != key:
            blocks: list[MatrixBlock] = []
            for number, grid in enumerate(whole_grids(walk.visible.view(self.name_of, self.index), width)):
                blocks += grid_blocks(grid, number, width)
            rows = flow(blocks, width)
            self._made = key, rows, list(cells_of(rows))
        return self._made[1]

    def paint(self, width: int, height: int) -> None:
        visible = self.seat.walk.visible
        rows = self._rows(width - 4)
        at = next(((y, key) for y, _, _, key in self._made[2] if key.at == self.index), None)
        key = at[1] if at else None
        panel = pencil_rows(visible, key, width - 4, 4) if key else []
        body = max(1, height - 3 - len(panel))
        if at is not None:
            self.top = min(self.top, max(0, at[0] - 2))
            self.top = max(self.top, at[0] - body + 1)
        view = visible.view(self.name_of, self.index)
        title = f"{view.name}  {view.title}"
        made = frame(rows, self.top, panel, (width, height), title=title, standard=view.standard)
        self.top = made.top
        lit = frozenset(visible.operands(key.ref)) if key else frozenset()
        self.lines.show(made.rows, Lights(key, lit - {key.source} if key else lit))

    def keys(self) -> Sequence[tuple[str, str]]:
        return (("arrows", "move"), ("y", "copy cell"), ("Y", "copy matrix"), ("d", "digits"), ("z", "close"))

    def action_move(self, dx: int, dy: int) -> None:
        cells = self._made[2]
        if self.seat.walk.visible.is_large(self.name_of):
            self._move_in_large(dx, dy)
            return
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
            self.redraw()

    def _move_in_large(self, dx: int, dy: int) -> None:
        """The window goes along with the cursor."""
        visible = self.seat.walk.visible
        at, shape = visible.beside(self.name_of, self.index, dx), visible.shape(self.name_of)
        if at is None or (dy and len(at) < 2):
            return
        at = (*at[:-2], at[-2] + dy, at[-1]) if dy else at
        if all(0 <= place < size for place, size in zip(at, shape, strict=True)):
            self.index = at
            self.redraw()

    @property
    def cell(self) -> CellKey:
        """The cell at the cursor."""
        ref = CellRef(self.name_of, self.index)
        return CellKey(0, self.name_of, self.index, self.seat.walk.visible.source(ref))

    def action_close(self) -> None:
        self.dismiss(self.cell)

    def action_copy(self, what: str) -> None:
        text = self.seat.cell_text(self.cell) if what == "cell" else self.seat.matrix_text(self.cell)
        self.app.copy_to_clipboard(text)

    def action_digits(self) -> None:
        self.seat.digits()
        self.redraw()

    def on_lines_clicked(self, message: Lines.Clicked) -> None:
        if isinstance(message.key, CellKey):
            self.index = message.key.at
            self.redraw()

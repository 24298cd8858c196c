"""Where a learner stands in a lesson: the walk, its document on the screen, and the cell cursor. No Textual."""

from __future__ import annotations

from typing import Final

import numpy as np

from tui_attention.engine.refs import CellRef
from tui_attention.engine.tensor import Index
from tui_attention.interaction.controller import LessonController
from tui_attention.render.rows import CellKey
from tui_attention.render.stage import Document, LayoutOptions, document
from tui_attention.walk.questions import Question
from tui_attention.walk.view import COVER, SHOWN
from tui_attention.walk.walk import Walk

MOST_OPERANDS: Final = 100
TIGHT: Final = 28
"""Below this many rows of a panel rows are saved."""


class Stand:
    """The document of the stage at hand, made anew when something has changed, and the cursor in it."""

    def __init__(self, core: LessonController, *, ascii: bool = False) -> None:
        self.core = core
        self.ascii = ascii
        self.size = (64, 24)
        """Columns and rows of the panel that the stage is drawn in."""
        self.walls: dict[str, bool] = {}
        """Whether the wall of a stage is open, where it was opened or folded by hand."""
        self.bare = False
        """Whether only the step at hand is shown, in the middle of the screen."""
        self.names_covered = False
        """Whether the standard names of the sheet of names are covered."""
        self.slow = False
        self.compared: tuple[str, ...] = ()
        self._cursor: CellKey | None = None
        self.at_home = False
        self._version = 0
        self._cached: tuple[object, Document] | None = None
        self._around: dict[str, Index] = {}

    @property
    def walk(self) -> Walk:
        return self.core.walk

    @property
    def cursor(self) -> CellKey | None:
        """The cell that is pointed at; the core knows which one."""
        return self._cursor

    @cursor.setter
    def cursor(self, key: CellKey | None) -> None:
        self._cursor = key
        self.core.focus = None if key is None else key.ref

    def changed(self) -> None:
        """The walk has changed: the document is made anew when it is next seen."""
        self._version += 1

    @property
    def width(self) -> int:
        """Columns of a row inside the panel."""
        return max(12, self.size[0] - 4)

    @property
    def options(self) -> LayoutOptions:
        around = tuple(sorted(self._around.items()))
        tight = self.size[1] < TIGHT
        options = LayoutOptions(self.width, self.ascii, self.slow, tight, self.compared, around)
        return options._replace(names_covered=self.names_covered, bare=self.bare)

    def document(self) -> Document:
        """The whole stage: where the cursor moves."""
        key = (self._version, self.options)
        if self._cached is None or self._cached[0] != key:
            self._cached = key, document(self.walk.visible, self.options._replace(bare=False))
        return self._cached[1]

    def look_around(self, *refs: CellRef) -> None:
        """Of large tables, show the part that these cells are in; the first of a table counts."""
        visible, seen = self.walk.visible, set[str]()
        for ref in refs:
            if ref.tensor not in seen and visible.is_large(ref.tensor):
                self._around[ref.tensor] = visible.window_at(ref)
            seen.add(ref.tensor)

    def find(self, ref: CellRef) -> CellKey | None:
        """The cell of the document that a reference means; it and what it reads come into their tables' windows."""
        self.look_around(ref, *self.walk.visible.operands(ref))
        return self.document().find(ref)

    def wanted(self) -> frozenset[CellRef]:
        """The cells that have to be on the screen: the asked one with what makes it, and the one at the cursor."""
        found = {self.cursor.source} if self.cursor is not None else set()
        question = self.core.asking().question
        if question is None or question.sentence:
            return frozenset(found)
        reads = self.walk.visible.asked_operands(question)
        if len(reads) > MOST_OPERANDS:
            reads = ()  # nobody adds so many up with a pencil, and no screen holds them
        return frozenset({*found, *reads} if question.cell is None else {*found, question.cell, *reads})

    def line_cell_source(self) -> CellRef | None:
        cell = self.line_cell()
        return None if cell is None else cell.source

    def line_cell(self) -> CellKey | None:
        """The cell whose pencil line is at hand: the asked one, none beside a sentence; else that at the cursor."""
        question = self.core.asking().question
        if question is None:
            return self.cursor
        if question.cell is None:
            return None
        settled = self.walk.ledger.entry(question.ref).settled
        if not settled and self.walk.covered and self.walk.visible.state(question.cell) == SHOWN:
            return None  # a number that is to be found in a table is not told by its line
        if self.cursor is not None and self.cursor.source == question.cell:
            return self.cursor
        return CellKey(0, question.cell.tensor, question.cell.index, question.cell)

    def toggle_wall(self) -> None:
        """Open the wall of this stage, or fold it."""
        stage = self.walk.stage.id
        self.walls[stage] = not self.walls.get(stage, self.walk.place.step == 0)

    def fold_wall(self) -> None:
        """The wall is read."""
        self.walls[self.walk.stage.id] = False

    def lit(self) -> frozenset[CellRef]:
        """The cells that the cell at the cursor is computed from."""
        if self.cursor is None:
            return frozenset()
        return frozenset(self.walk.visible.operands(self.cursor.ref)) - {self.cursor.source}

    # ------------------------------------------------------------ the cursor

    def come_home(self) -> None:
        """The cursor to where it begins, once the width is known that the stage is drawn in."""
        if not self.at_home:
            self.home()

    def home(self) -> None:
        """The cursor to the open question's cell, else to an operand of it, else to the first new number."""
        self.at_home = True
        # What a formula reads is found by the learner: the cursor goes to the beginning of the first row.
        asked = self.core.open_question()
        formula = asked is not None and asked.cell is None
        places = self.core.worth_pointing_at()
        begun = (CellRef(ref.tensor, (*ref.index[:-1], 0)) if ref.index else ref for ref in places)
        wanted = map(self.find, begun if formula else places)
        self.cursor = next((key for key in wanted if key is not None), None)
        if self.cursor is None:
            self.cursor = self._elsewhere(self.document(), self.core.open_question())

    def _elsewhere(self, found: Document, question: Question | None) -> CellKey | None:
        """Where to begin: beside an open CHECK at a cell that shows, so that the CHECK is asked; else a new one."""
        keys = [key for *_, key in found.cells]
        if question is not None and self.walk.covered:
            visible = self.walk.visible
            shown = (key for key in keys if key.source != question.ref and visible.state(key.ref) == SHOWN)
            return next(shown, None)
        made = self.walk.step.name if self.walk.step else ""
        return next((key for key in keys if key.name == made), keys[0] if keys else None)

    def keep_cursor(self) -> None:
        """The cursor to the same cell of the document as it is now."""
        if self.cursor is None:
            return
        keys = [key for *_, key in self.document().cells]
        if self.cursor not in keys:
            same = next((key for key in keys if key.source == self.cursor.source), None)
            self.cursor = same or (keys[0] if keys else None)

    def arrow(self, dx: int, dy: int) -> bool:
        """Move the cell cursor; False where no cell lies that way."""
        if self._arrow_in_large(dx, dy):
            return True
        cells = self.document().cells
        here = next(((y, x, end) for y, x, end, key in cells if key == self.cursor), None)
        if here is None:
            if not cells:
                return False
            self.place_cursor(cells[0][3])
            return True
        y, x, end = here
        found: CellKey | None
        if dx:
            # Past the end of a row the cursor goes on in reading order.
            read = sorted(cells, key=lambda cell: cell[:2])
            place = next(n for n, cell in enumerate(read) if cell[3] == self.cursor) + dx
            found = read[place][3] if 0 <= place < len(read) else None
        else:
            rows = sorted({row for row, *_ in cells if (row - y) * dy > 0}, key=lambda row: abs(row - y))
            middle = (x + end) / 2
            near = [
                (abs((left + right) / 2 - middle), key) for row, left, right, key in cells if rows and row == rows[0]
            ]
            found = min(near, key=lambda entry: entry[0])[1] if near else None
        if found is None:
            return False
        self.place_cursor(found)
        return True

    def _arrow_in_large(self, dx: int, dy: int) -> bool:
        """In a table that is shown in part, an arrow moves in the table, and its window goes along."""
        key = self.cursor
        if key is None or not self.walk.visible.is_large(key.name):
            return False
        at = self.walk.visible.beside(key.name, key.at, dx)
        if at is None or (dy and len(at) < 2):
            return False
        if dy:
            at = (*at[:-2], at[-2] + dy, at[-1])
        shape = self.walk.visible.shape(key.name)
        if not all(0 <= place < size for place, size in zip(at, shape, strict=True)):
            return False
        return self.point_at(CellRef(key.name, at))

    def point_at(self, ref: CellRef) -> bool:
        """The cursor to a cell under its own name, a view's too; its table's window goes along. False: not here."""
        self.look_around(ref)
        found = next((other for *_, other in self.document().cells if other.ref == ref), None)
        if found is not None:
            self.place_cursor(found)
        return found is not None

    def place_cursor(self, key: CellKey) -> None:
        """The cursor to a cell; of large tables that it reads, the part it reads is shown."""
        self.cursor = key
        self.look_around(key.ref, *self.walk.visible.operands(key.ref))

    # ------------------------------------------------------------ copying

    def cell_text(self, cell: CellKey | None) -> str:
        """`a[0,2] = 0.92` of a cell, its number only where it may be shown."""
        if cell is None:
            return ""
        ref = CellRef(cell.name, cell.at)
        shown = self.walk.visible.state(ref) == SHOWN
        return f"{ref} = {self.walk.visible.show(ref) if shown else COVER}"

    def matrix_text(self, cell: CellKey | None) -> str:
        """The matrix of a cell, as far as it is shown, with tabs between its numbers, covered ones as marks."""
        if cell is None:
            return ""
        view = self.walk.visible.view(cell.name, cell.at)
        shape = view.shape or (1,)
        flat = [view.text(index) or COVER for index in np.ndindex(*view.shape)]
        per = shape[-1]
        return "\n".join("\t".join(flat[start : start + per]) for start in range(0, len(flat), per))

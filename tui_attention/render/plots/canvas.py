"""A drawing surface made of characters: dots finer than a character, with words on top."""

from __future__ import annotations

from rich.cells import cell_len

from tui_attention.render.rows import Row, Span, merged

# The dots of a braille character, by column and by row from the top.
_BRAILLE = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_ASCII = {1: "'", 2: ".", 3: ":"}


class Canvas:
    """`columns` x `rows` characters. Dots count from the top left corner: 2 x 4 in a character, 1 x 2 in ASCII.

    A dot is about square on the screen in both cases, so equal numbers of dots are equal lengths.
    """

    def __init__(self, columns: int, rows: int, *, ascii: bool) -> None:
        self.columns, self.rows, self.ascii = columns, rows, ascii
        self.wide, self.high = (1, 2) if ascii else (2, 4)
        self._bits: dict[tuple[int, int], int] = {}
        self._styles: dict[tuple[int, int], str] = {}
        self._words: dict[tuple[int, int], tuple[str, str]] = {}

    def dot(self, x: int, y: int, style: str) -> None:
        """Sets one dot; dots outside are left out."""
        column, row = x // self.wide, y // self.high
        if 0 <= column < self.columns and 0 <= row < self.rows:
            bit = (1 << (y % 2)) if self.ascii else _BRAILLE[x % 2][y % 4]
            self._bits[row, column] = self._bits.get((row, column), 0) | bit
            self._styles[row, column] = style

    def stroke(self, start: tuple[int, int], end: tuple[int, int], style: str, every: int = 1) -> None:
        """A straight line from dot to dot; `every` 3 sets each third dot."""
        (x0, y0), (x1, y1) = start, end
        steps = max(abs(x1 - x0), abs(y1 - y0), 1)
        for step in range(0, steps + 1, every):
            self.dot(round(x0 + (x1 - x0) * step / steps), round(y0 + (y1 - y0) * step / steps), style)

    def cell(self, dot: tuple[int, int]) -> tuple[int, int]:
        """Row and column of the character that a dot is in."""
        return dot[1] // self.high, dot[0] // self.wide

    def write(self, row: int, column: int, text: str, style: str) -> None:
        """Words over the dots. What does not fit is left out whole, never cut."""
        if 0 <= row < self.rows and column >= 0 and column + cell_len(text) <= self.columns:
            for mark in text:
                self._words[row, column] = (mark, style)
                if cell_len(mark) == 2:
                    self._words[row, column + 1] = ("", style)
                column += cell_len(mark)

    def cost(self, row: int, column: int, text: str) -> int | None:
        """How many dots words would hide there; None where they do not fit or would meet other words."""
        end = column + cell_len(text)
        if not 0 <= row < self.rows or column < 0 or end > self.columns:
            return None
        if any((row, place) in self._words for place in range(column - 1, end + 1)):
            return None
        return sum((row, place) in self._bits for place in range(column, end))

    def place(self, spots: list[tuple[int, int]], text: str, style: str) -> bool:
        """Writes words at the first of the spots (row, column) that hides fewest dots; False where none is free."""
        found = [(cost, order) for order, spot in enumerate(spots) if (cost := self.cost(*spot, text)) is not None]
        if found:
            self.write(*spots[min(found)[1]], text, style)
        return bool(found)

    def lines(self) -> list[Row]:
        """The drawing, each row exactly `columns` columns wide."""
        return [self._line(row) for row in range(self.rows)]

    def _line(self, row: int) -> Row:
        spans: list[Span] = []
        for column in range(self.columns):
            place = (row, column)
            if place in self._words:
                spans.append(Span(*self._words[place]))
            elif place in self._bits:
                bits = self._bits[place]
                spans.append(Span(_ASCII[bits] if self.ascii else chr(0x2800 + bits), self._styles[place]))
            else:
                spans.append(Span(" "))
        return merged(tuple(spans))

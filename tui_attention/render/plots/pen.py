"""The few inks of a picture, and the pen that writes its words and numbers. Colour never says anything alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len, set_cell_size

from tui_attention.engine.decimals import printed
from tui_attention.render.rows import FAINT, Row, Span, trimmed
from tui_attention.walk.view import COVER, Picture

Numbers = npt.NDArray[np.float64]
Part = tuple[str, str]


# Names of inks, faintest first; above zero and below it.
WARM = ("heat1", "heat2", "heat3", "heat4", "heat5")
COOL = ("cool1", "cool2", "cool3", "cool4", "cool5")
# Of lines and bars, and the same for what should stand out.
SERIES = ("series1", "series2", "series3", "series4")
TIPS = ("tip1", "tip2", "tip3", "tip4")


@dataclass(frozen=True, slots=True)
class Pen:
    """How a picture is drawn: its columns, the lines to aim at (None: its natural size), and its marks."""

    width: int
    height: int | None
    ascii: bool

    @property
    def roomy(self) -> bool:
        """Whether there is room for the large drawing (a terminal of 120 columns)."""
        return self.width >= 80

    def glyph(self, fine: str, plain: str) -> str:
        return plain if self.ascii else fine

    def word(self, text: str) -> str:
        """A label as it may be written: a blank mark in quotes, other alphabets as `?` in ASCII."""
        text = f'"{" " * len(text)}"' if text.isspace() else " ".join(text.split())
        return text.encode("ascii", "replace").decode("ascii") if self.ascii else text

    def number(self, picture: Picture, value: float) -> str:
        """A number as its tensor prints it; the covered mark for NaN."""
        if math.isnan(value):
            return "...." if self.ascii else COVER
        if picture.prints is None:
            return "yes" if value else "no"
        return printed(value, picture.prints)

    def series(self, place: int) -> str:
        return SERIES[place % len(SERIES)]

    def tip(self, place: int) -> str:
        return TIPS[place % len(TIPS)]

    def fitted(self, text: str, width: int) -> str:
        """The text in exactly `width` columns, cut with a mark where it is longer."""
        if cell_len(text) <= width:
            return set_cell_size(text, max(width, 0))
        mark = "~" if self.ascii else "…"
        return set_cell_size(text, width - 1) + mark if width > 0 else ""

    def right(self, text: str, width: int) -> str:
        """The text at the right end of `width` columns."""
        return " " * (width - cell_len(text)) + text if cell_len(text) <= width else self.fitted(text, width)

    def middle(self, text: str, width: int) -> str:
        """The text in the middle of `width` columns; what cannot be shared evenly goes to the left."""
        spare = width - cell_len(text)
        return " " * ((spare + 1) // 2) + text + " " * (spare // 2) if spare >= 0 else self.fitted(text, width)

    def short(self, text: str, most: int) -> str:
        """The text as a word, cut where it is longer than `most` columns."""
        word = self.word(text)
        return self.fitted(word, min(cell_len(word), most))

    def beside(self, drawn: Sequence[Row], gutter: int, ticks: Mapping[int, str]) -> list[Row]:
        """A drawing behind its upright axis, which takes `gutter` columns; `ticks` are the numbers at its rows."""
        bar, notch = self.glyph("│", "|"), self.glyph("┤", "+")
        found = []
        for row, body in enumerate(drawn):
            text = ticks.get(row, "")
            side = Span(self.right(text, gutter - 1) + (notch if text else bar), FAINT)
            found.append(trimmed((side, *body)))
        return found

    def line(self, *parts: Part) -> Row:
        """One line out of texts with styles, without blanks at its end."""
        return trimmed(tuple(Span(*part) for part in parts))


def finite(pictures: tuple[Picture, ...]) -> Numbers:
    """All the numbers that may be shown and can be drawn, as one row. Ranges come from these alone."""
    every = [picture.values[np.isfinite(picture.values)].ravel() for picture in pictures]
    return np.concatenate([*every, np.zeros(0)])


def nice(value: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, 50 ... (and their tenths) that reaches a number above 0."""
    if not 1e-9 < value < 1e12:
        return 1.0 if value < 1 else float(value)
    unit = 10.0 ** math.floor(math.log10(value))
    return next(step * unit for step in (1, 2, 5, 10) if step * unit >= value * (1 - 1e-9))


def tick(value: float) -> str:
    """A number of a scale, as short as it can be said."""
    return f"{value:.3g}" if abs(value) < 1e4 else f"{value:.0e}"

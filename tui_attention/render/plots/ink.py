"""The few colours of a picture, and the pen that writes its words and numbers. Colour never says anything alone."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from tui_attention.engine.decimals import printed
from tui_attention.engine.record import dataclass
from tui_attention.walk.view import COVER, Picture

Numbers = npt.NDArray[np.float64]
Part = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Ink:
    """Styles on one kind of background. `warm` and `cool` are heat levels, faintest first, above and below zero.

    `series` are the colours of lines and bars, `tips` the same for what should stand out.
    """

    warm: tuple[str, ...]
    cool: tuple[str, ...]
    series: tuple[str, ...]
    tips: tuple[str, ...]
    faint: str
    strong: str = "bold"


DARK = Ink(
    warm=(
        "#f0e9dd on #3a2d1f",
        "#f6ecd9 on #5e4321",
        "#ffffff on #8a5c1c",
        "#1a1206 on #cf9130",
        "#1a1206 on #f5c95f",
    ),
    cool=(
        "#dde6f0 on #1e2c40",
        "#e3eefa on #25446b",
        "#ffffff on #2f6299",
        "#06121a on #6fa9de",
        "#06121a on #aed5f8",
    ),
    series=("#f5c95f", "#7cc4ff", "#8fd694", "#e8a2d3"),
    tips=("bold #f5c95f", "bold #7cc4ff", "bold #8fd694", "bold #e8a2d3"),
    faint="#9aa4b2",
)
LIGHT = Ink(
    warm=(
        "#2b2010 on #fbf0d9",
        "#2b2010 on #f8dba4",
        "#2b2010 on #efb85a",
        "#ffffff on #a8660c",
        "#ffffff on #74400a",
    ),
    cool=(
        "#10202b on #e4eefa",
        "#10202b on #bfd9f3",
        "#10202b on #8abae8",
        "#ffffff on #2f6fae",
        "#ffffff on #174a80",
    ),
    series=("#8a4b08", "#174a80", "#1f6b2e", "#8b2f74"),
    tips=("bold #8a4b08", "bold #174a80", "bold #1f6b2e", "bold #8b2f74"),
    faint="#59626e",
)
# For a screen that gives the styles their colours itself.
NAMED = Ink(
    warm=("heat1", "heat2", "heat3", "heat4", "heat5"),
    cool=("cool1", "cool2", "cool3", "cool4", "cool5"),
    series=("series1", "series2", "series3", "series4"),
    tips=("tip1", "tip2", "tip3", "tip4"),
    faint="faint",
    strong="strong",
)


@dataclass(frozen=True, slots=True)
class Pen:
    """How a picture is drawn: its columns, the lines to aim at (None: its natural size), its marks and colours."""

    width: int
    height: int | None
    ascii: bool
    ink: Ink

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
        return self.ink.series[place % len(self.ink.series)]

    def tip(self, place: int) -> str:
        return self.ink.tips[place % len(self.ink.tips)]

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

    def line(self, *parts: Part) -> Text:
        """One line out of texts with styles, without blanks at its end."""
        text = Text(no_wrap=True, end="")
        for words, style in parts:
            text.append(words, style)
        text.rstrip()
        return text


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

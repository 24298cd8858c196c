"""A picture as a list of shapes, and its two writers: SVG by hand, PNG by matplotlib.

Coordinates are in pixels, x to the right and y down. The only module that imports matplotlib, and only for PNG.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Literal
from xml.sax.saxutils import escape

from tui_attention.engine.errors import BadInput

INK, FAINT, PAPER = "#1b1f24", "#5c6570", "#ffffff"
FONTS = "DejaVu Sans, Verdana, Helvetica, sans-serif"
_PIXELS_PER_INCH = 100
_SHARPNESS = 2  # PNG pixels for each pixel of the scene

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle."""

    x: float
    y: float
    wide: float
    high: float
    fill: str
    stroke: str = "none"


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through two points or more."""

    points: tuple[tuple[float, float], ...]
    stroke: str = INK
    thick: float = 1.0
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """A filled polygon: a point of a plot, an arrow's head."""

    points: tuple[tuple[float, float], ...]
    fill: str


@dataclass(frozen=True, slots=True)
class TextMark:
    """A text whose vertical middle is at y; `turned` reads upwards."""

    x: float
    y: float
    text: str
    size: float = 13.0
    anchor: Anchor = "middle"
    fill: str = INK
    bold: bool = False
    turned: bool = False


Shape = Box | Stroke | Area | TextMark


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture of `wide` x `high` pixels."""

    wide: float
    high: float
    title: str
    shapes: tuple[Shape, ...]


def disc(x: float, y: float, radius: float, fill: str) -> Area:
    """A round point."""
    turns = [2 * math.pi * corner / 24 for corner in range(24)]
    return Area(tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns), fill)


def arrow(start: tuple[float, float], end: tuple[float, float], stroke: str, thick: float = 2.5) -> list[Shape]:
    """A line with a head at its end; a point where both are the same."""
    along = math.dist(start, end)
    if along < 1:
        return [disc(*end, 4, stroke)]
    head = min(12.0, along)
    dx, dy = (end[0] - start[0]) / along, (end[1] - start[1]) / along
    neck = (end[0] - head * dx, end[1] - head * dy)
    side = head * 0.4
    corners = (end, (neck[0] - side * dy, neck[1] + side * dx), (neck[0] + side * dy, neck[1] - side * dx))
    return [Stroke((start, neck), stroke, thick), Area(corners, stroke)]


# ---------------------------------------------------------------- SVG


def svg(scene: Scene) -> str:
    """The picture as SVG text, the same on every machine."""
    wide, high = _number(scene.wide), _number(scene.high)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" '
        f'font-family="{FONTS}" role="img">',
        f"<title>{escape(scene.title)}</title>",
        f'<rect width="{wide}" height="{high}" fill="{PAPER}"/>',
        *map(_svg_shape, scene.shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if round(value, 2) else "0"


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _svg_shape(shape: Shape) -> str:
    match shape:
        case Box(x, y, wide, high, fill, stroke):
            size = f'width="{_number(wide)}" height="{_number(high)}"'
            return f'<rect x="{_number(x)}" y="{_number(y)}" {size} fill="{fill}" stroke="{stroke}"/>'
        case Stroke(points, stroke, thick, dashed):
            dash = ' stroke-dasharray="4 4"' if dashed else ""
            style = f'fill="none" stroke="{stroke}" stroke-width="{_number(thick)}"{dash}'
            return f'<polyline points="{_points(points)}" {style}/>'
        case Area(points, fill):
            return f'<polygon points="{_points(points)}" fill="{fill}"/>'
        case TextMark(x, y, text, size, anchor, fill, bold, turned):
            weight = ' font-weight="bold"' if bold else ""
            turn = f' transform="rotate(-90 {_number(x)} {_number(y)})"' if turned else ""
            # A third of the size below the middle is where these fonts' digits stand centred.
            base = y + size * 0.35 if not turned else y
            shift = f' dy="{_number(size * 0.35)}"' if turned else ""
            place = f'x="{_number(x)}" y="{_number(base)}"{shift} font-size="{_number(size)}"'
            return f'<text {place} text-anchor="{anchor}" fill="{fill}"{weight}{turn}>{escape(text)}</text>'


# ---------------------------------------------------------------- PNG


def png(scene: Scene) -> bytes:
    """The same picture as PNG. Raises BadInput when matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.lines import Line2D
        from matplotlib.patches import Polygon, Rectangle
    except ImportError:
        raise BadInput(
            "png needs matplotlib: pip install 'tui-attention[figures]' (svg needs nothing more)"
        ) from None
    figure = Figure(
        figsize=(scene.wide / _PIXELS_PER_INCH, scene.high / _PIXELS_PER_INCH), dpi=_PIXELS_PER_INCH * _SHARPNESS
    )
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, scene.wide)
    axes.set_ylim(scene.high, 0)
    axes.axis("off")
    points = 72 / _PIXELS_PER_INCH
    for order, shape in enumerate(scene.shapes):
        match shape:
            case Box(x, y, wide, high, fill, stroke):
                axes.add_patch(
                    Rectangle((x, y), wide, high, facecolor=fill, edgecolor=stroke, lw=points, zorder=order)
                )
            case Stroke(line, stroke, thick, dashed):
                style = (0, (4 / thick, 4 / thick)) if dashed else "-"
                xs, ys = zip(*line, strict=True)
                axes.add_line(
                    Line2D(xs, ys, color=stroke, lw=thick * points, ls=style, zorder=order, solid_capstyle="butt")
                )
            case Area(corners, fill):
                axes.add_patch(Polygon(corners, closed=True, facecolor=fill, edgecolor="none", zorder=order))
            case TextMark(x, y, text, size, anchor, fill, bold, turned):
                axes.text(
                    x,
                    y,
                    text.replace("$", r"\$"),
                    fontsize=size * points,
                    color=fill,
                    ha={"start": "left", "middle": "center", "end": "right"}[anchor],
                    va="center_baseline" if not turned else "center",
                    fontweight="bold" if bold else "normal",
                    rotation=90 if turned else 0,
                    zorder=order,
                )
    buffer = BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None, "Title": scene.title})
    return buffer.getvalue()

"""Tensors, workings and pictures as sentences: read row by row with their labels, for ears, fingers and narrow lines.

Every function gives paragraphs, one text each, without line breaks; whoever prints them wraps them. `hidden` is the
word that stands for a covered number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tui_attention.engine.decimals import printed
from tui_attention.engine.refs import CellRef
from tui_attention.engine.tensor import Axis, Index
from tui_attention.lessons.model import Note, Plot, TextTable
from tui_attention.render.phi import ROUND, phi, phi_at
from tui_attention.walk.view import BLANK, COVER, COVERED, SHOWN, UNREACHED, Picture, View
from tui_attention.walk.visible import PencilLine, VisibleLesson

SPOKEN = {".": "full stop", " ": "space", ",": "comma", "": "nothing"}
_MASKED = "-inf"


def spoken(label: str) -> str:
    """A label as a word: a lone full stop or space is named."""
    return SPOKEN.get(label, label)


def place(axis: Axis, position: int) -> str:
    """A place along an axis, as it is addressed and, where that differs, as it is called: `token 0 (h)`."""
    label = axis.labels[position]
    return f"{axis.name} {position}" + ("" if label == str(position) else f" ({spoken(label)})")


def columns(axis: Axis) -> list[str]:
    """The labels of the cells of a row: the numbers of the places, or their names where each has its own."""
    labels = [spoken(label) for label in axis.labels]
    if len(set(labels)) == len(labels):
        return labels
    return [f"{position} {label}" for position, label in enumerate(labels)]


# ---------------------------------------------------------------- tensors


def named(view: View) -> str:
    """`x0 (running row)`."""
    return f"{view.name} ({view.title})" if view.title not in ("", view.name) else view.name


def heading(view: View) -> str:
    """`x0 (running row): 1 by 6, token by coordinate`."""
    if len(view.shape) < 2:
        many = f": {view.shape[0]} numbers" if view.shape and view.shape[0] != 1 else ""
        return f"{named(view)}{many}{f', one per {view.axes[0].name}' if view.shape else ''}"
    asked = ""
    if [axis.name for axis in view.axes[-2:]] == ["query", "key"]:
        asked = "; each row is one query, along it stand the keys"
    elif [axis.name for axis in view.axes[-2:]] == ["asks", "asked"]:
        asked = "; each row asks, along it stand those that are asked"
    return (
        f"{named(view)}: {' by '.join(map(str, view.shape))}, {' by '.join(axis.name for axis in view.axes)}{asked}"
    )


def tensor(view: View, hidden: str) -> list[str]:
    """A heading and one paragraph per row; one paragraph in all where nothing can be read or there is one row."""
    if not view.states.size:
        return [f"{heading(view)}. It has no numbers here."]
    states = set(view.states.ravel().tolist())
    if hidden != BLANK and view.states.size > 1 and not view.owns and states in ({COVERED}, {UNREACHED}):
        return [f"{heading(view)}. {'All covered' if states == {COVERED} else 'Not worked out yet'}."]
    if not view.shape:
        return [f"{named(view)}: {cell(view, (), hidden)}."]
    sums = together(view)
    if len(view.shape) == 1:
        return [f"{heading(view)}. {row(view, (), hidden)}{sums}."]
    return [f"{heading(view)}."] + [
        f"{lead(view, index)}: {row(view, index, hidden)}{sums}." for index in np.ndindex(*view.shape[:-1])
    ]


def lead(view: View, index: Index) -> str:
    """What a row is called: `head 0, token 0 (h)`."""
    name = ", ".join(place(axis, position) for axis, position in zip(view.axes, index, strict=False))
    late = view.continued_from is not None and index[0] >= view.continued_from
    return f"{name}, continued" if late else name


def row(view: View, index: Index, hidden: str) -> str:
    """The cells of a row with their labels: `0: 1.10, 1: 0.10`."""
    labels = columns(view.axes[-1])
    return ", ".join(f"{label}: {cell(view, (*index, position), hidden)}" for position, label in enumerate(labels))


def cell(view: View, index: Index, hidden: str) -> str:
    """A cell as it may be read."""
    state = int(view.states[index])
    if state == SHOWN:
        text, mark = view.text(index), view.mark(index)
        return "masked" if text == _MASKED else f"{text} ({spoken(mark)})" if mark else text
    own = view.owns.get(index, "")
    return (f"your own {own}" if own else hidden) if state == COVERED or hidden == BLANK else "not yet"


def together(view: View) -> str:
    """What the rows of shares come to, where all of them show; nothing for rows that are no shares."""
    if view.origin not in ("step", "inner") or view.view or view.decimals < 2 or not np.isfinite(view.values).all():
        return ""
    sums = view.values.sum(axis=-1)
    shares = (view.values >= 0).all() and (np.abs(sums - 1) < 1e-9).all()
    return f"; together {printed(1.0, view.decimals)}" if shares else ""


# ---------------------------------------------------------------- workings


def worded(text: str, hidden: str) -> str:
    """A text from the walk with its marks for covered numbers in words."""
    return text.replace(COVER, hidden)


def pencil(line: PencilLine, hidden: str) -> list[str]:
    """`a[0] = (1.10 - 0.1067) / 0.5736 = ?`, and what is to be said of it."""
    blank = BLANK if hidden == BLANK else "?"
    result = blank if line.result == BLANK else "masked" if line.result == _MASKED else line.result
    if not line.line:
        return [f"{line.left} = {result}: {line.says}." if line.says else f"{line.left} = {result}."]
    said = [worded(f"{line.left} = {line.line} = {result}", hidden)]
    if line.hand:
        said.append(f"{line.way[:1].upper()}{line.way[1:]}: {line.hand}.")
    return said


def operands(visible: VisibleLesson, name: str, index: Index, hidden: str) -> str:
    """The cells that a working reads, each with its address: `x0[0,0] 1.10, mu1[0] 0.1067`."""
    found = visible.operands(CellRef(name, index))
    return ", ".join(f"{cell} {worded(visible.show(cell), hidden)}" for cell in found)


# ---------------------------------------------------------------- small tables, drawings, pictures


def table(visible: VisibleLesson, made: TextTable, hidden: str) -> list[str]:
    """One sentence a row: `possible tokens: toy 10, GPT-2 small 50,257`."""
    if made.phi_of:
        return phi_of(visible, made.phi_of, hidden)
    said = []
    for texts in made.rows:
        filled = [visible.text(text) for text in texts]
        if None not in filled:
            cells = [
                f"{column} {worded(text or '', hidden)}"
                for column, text in zip(made.columns[1:], filled[1:], strict=True)
            ]
            said.append(f"{worded(filled[0] or '', hidden)}: {', '.join(cells)}.")
    return said


def phi_of(visible: VisibleLesson, name: str, hidden: str) -> list[str]:
    """Phi of each number z of a tensor as printed; a table for any numbers while none of them may be shown."""
    view = visible.view(name)
    if not (view.states == SHOWN).any():
        return phi_of_any()
    said = [f"Phi of each number z in {name}, from the bell curve."]
    for index in np.ndindex(*view.shape):
        where = place(view.axes[-1], index[-1])
        if len(view.shape) > 1 and view.shape[-2] > 1:
            where = f"{place(view.axes[-2], index[-2])}, {where}"
        value = phi_at(view, index)
        said.append(f"{where}: z {hidden if value is None else view.text(index)}, Phi {value or hidden}.")
    return said


def phi_of_any() -> list[str]:
    """Phi of round numbers, to look up what is still to be worked out."""
    rows = [ROUND[start : start + 7] for start in range(0, len(ROUND), 7)]
    return [
        "Phi of round numbers z, from the bell curve; for a number in between take what lies in between.",
        *(f"{', '.join(f'z {printed(z, 1)}: {phi(z)}' for z in row)}." for row in rows),
        "For a number below zero, look it up without its minus, and take what you find away from 1.",
    ]


def drawing(visible: VisibleLesson, note: Note, hidden: str) -> list[str]:
    """The words of a drawing, line by line, without its strokes."""
    filled = visible.text(note.text, page_only=note.page_only)
    if filled is None:
        return []
    words = [_without_strokes(line) for line in filled.split("\n")]
    return [worded(line, hidden) for line in words if any(mark.isalnum() for mark in line)]


def _without_strokes(line: str) -> str:
    words = line.replace("|", " | ").replace("[", " [ ").replace("]", " ] ").split()
    kept: list[str] = []
    for number, word in enumerate(words):
        between = 0 < number < len(words) - 1 and words[number - 1][-1].isalnum() and words[number + 1][0].isalnum()
        if word.startswith(("-", "+", "<", ">")) and not any(mark.isalnum() for mark in word):
            if word == "+" and between:
                kept.append(word)
            elif word.endswith(">") and kept:
                kept.append("to")
        elif word not in ("|", "^", ".") and not (word == "v" and not any(mark.isalnum() for mark in kept)):
            kept.append(word.rstrip("-") if word.endswith("--") else word)
    text = " ".join(kept).replace("[ ]", "").replace("[ ", "[").replace(" ]", "]").strip()
    return text if len(text) > 1 else ""


KINDS = {
    "heatmap": "a heat map: the larger the number, the stronger the shade",
    "bars": "bars as long as the numbers",
    "arrows": "arrows from the middle, each to its two numbers",
    "plane": "points in a plane, each at its two numbers",
    "curve": "lines that join the numbers",
}


def picture(plot: Plot, pictures: Sequence[Picture], hidden: str) -> list[str]:
    """A picture in words: what it is, and the numbers that it draws."""
    said = [f"Picture: {plot.title or plot.kind}. It shows {KINDS[plot.kind]}."]
    for part in pictures:
        if plot.kind in ("arrows", "plane") and part.axes:
            said.append(f"{part.title}: {_at_two(part, plot, hidden)}.")
        else:
            said += list(_numbers(part, part.title, hidden))
    return said


def _number(value: float, hidden: str) -> str:
    return hidden if np.isnan(value) else "masked" if np.isneginf(value) else printed(value, 2)


def _at_two(part: Picture, plot: Plot, hidden: str) -> str:
    labels = part.axes[-1].labels
    return ", ".join(
        f"{name} {_number(float(part.values[..., labels.index(name)]), hidden)}"
        for name in (plot.x, plot.y)
        if name in labels
    )


def _numbers(part: Picture, title: str, hidden: str) -> Iterator[str]:
    if not part.axes:
        yield f"{title}: {_number(float(part.values[()]), hidden)}."
        return
    labels = columns(part.axes[-1])
    for index in np.ndindex(*part.values.shape[:-1]):
        name = "".join(f", {place(axis, position)}" for axis, position in zip(part.axes, index, strict=False))
        cells = (
            f"{label} {_number(float(value), hidden)}"
            for label, value in zip(labels, part.values[index], strict=True)
        )
        yield f"{title}{name}: {', '.join(cells)}."

"""The pipeline tree, the header and the footer, as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

from rich.cells import cell_len

from tui_attention.engine.record import dataclass
from tui_attention.render.frame import bar, boxed
from tui_attention.render.ledger import STATES
from tui_attention.render.rows import Frag, Link, Row, cut, padded, width_of, wrap
from tui_attention.walk.events import StageMark
from tui_attention.walk.ledger import State
from tui_attention.walk.walk import Walk

MARKS: dict[StageMark, tuple[str, str]] = {
    "new": (" ", "stage-new"),
    "visited": ("·", "stage"),
    "open": ("○", "open"),
    "done": ("✓", "done"),
    "borrowed": ("◐", "borrowed"),
}
"""What stands before a stage: all CHECKs settled, some borrowed, some left open, been there, not yet."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One line of the tree: a stage, or the block that the stages below it belong to (`stage` is -1)."""

    text: str
    stage: int
    inside: bool


def branches(walk: Walk) -> tuple[Branch, ...]:
    """The tree's lines in the order of the lesson."""
    titles = {block.id: block.title for block in walk.course.lesson.blocks}
    found: list[Branch] = []
    block = ""
    for number, stage in enumerate(walk.stages):
        if stage.block and stage.block != block:
            found.append(Branch(titles.get(stage.block, stage.block), -1, False))
        block = stage.block
        numbered = f"{walk.stage_number(number):>2} {stage.title}"
        found.append(Branch(numbered, number, bool(block)))
    return tuple(found)


def tree_width(walk: Walk, columns: int) -> int:
    """The columns of the tree beside the panel: what its longest line needs, at most three tenths."""
    longest = max(cell_len(branch.text) + branch.inside for branch in branches(walk))
    return min(longest + 4, max(22, columns * 3 // 10))


def branch_rows(walk: Walk, branch: Branch, width: int, chosen: bool) -> list[Row]:
    """A stage of the tree: `✓ 2 token row`, on two lines where its title is long."""
    if branch.stage < 0:
        return [cut((Frag("▾ ", "section"), Frag(branch.text, "section")), width)]
    here = branch.stage == walk.place.stage
    glyph, ink = (
        ("▶", "now") if here else MARKS[walk.stage_mark(branch.stage) if branch.stage <= walk.furthest else "new"]
    )
    words = "stage-now" if here else "stage-new" if branch.stage > walk.furthest else "stage"
    if chosen:
        ink = words = "chosen"
    link = Link("stage", str(branch.stage))
    lead = glyph + (" " * (1 + branch.inside))
    number, title = branch.text[:2], branch.text[3:]
    lines = wrap(title, max(6, width - cell_len(lead) - 3))
    rows: list[Row] = []
    for place, line in enumerate(lines):
        first = place == 0
        row = (
            Frag(lead if first else " " * cell_len(lead), ink, link),
            Frag(f"{number if first else '  '} {line}", words, link),
        )
        rows.append(padded(cut(row, width), width, words) if chosen else cut(row, width))
    return rows


def tree_rows(walk: Walk, size: tuple[int, int], chosen: int, focused: bool) -> list[Row]:
    """The boxed tree. Where it is taller than its box, the part around the chosen (else the present) stage."""
    width, height = size
    stage = chosen if focused else walk.place.stage
    lines: list[Row] = []
    at = 0
    for branch in branches(walk):
        if branch.stage == stage:
            at = len(lines)
        lines += branch_rows(walk, branch, width - 2, focused and branch.stage == chosen)
    room = max(1, height - 2)
    top = max(0, min(at - room // 2, len(lines) - room))
    shown = lines[top : top + room]
    ink = "border-on" if focused else "border"
    rows = [bar("pipeline" + (f" ▲ {top}" if top else ""), "", width, lit=focused)]
    rows += [(Frag("│", ink), *padded(row, width - 2), Frag("│", ink)) for row in shown]
    rows += [boxed((), width, ink)] * (room - len(shown))
    below = len(lines) - top - len(shown)
    if below:
        rows.append((*bar(f"▼ {below} more", "", width, "└┘", focused),))
    else:
        rows.append((Frag("└" + "─" * (width - 2) + "┘", ink),))
    return rows


# ------------------------------------------------------------ header and footer


def header_row(walk: Walk, width: int, unsaved: bool = False) -> Row:
    """` When you press "h"            covered  7 paid  1 borrowed `."""
    counts: Mapping[State, int] = walk.counts() if walk.ledger.entries else dict.fromkeys(get_args(State), 0)
    right: list[Frag] = []
    if unsaved:
        right.append(Frag("not saved  ", "bar-warn"))
    if walk.digits != "printed":
        right.append(Frag(f"{walk.digits} digits  ", "bar-warn"))
    right.append(Frag("covered" if walk.covered else "uncovered", "bar" if walk.covered else "bar-warn"))
    if width >= 60 or not walk.covered:
        right += [
            Frag(f"  {counts[state]} {word}", "bar-good" if state == "paid" else "bar-quiet")
            for state, word in STATES
            if state != "open" and counts[state]
        ]
    right.append(Frag(" ", "bar"))
    inputs = walk.course.graph.inputs
    turned = "   dials turned" if walk.course.graph.turned else ""
    own = "" if walk.course.graph.own else f'   prompt "{inputs.prompt}"{turned}'
    left: Row = (Frag(f" {walk.course.lesson.title}", "bar-title"), Frag(own, "bar-quiet"))
    room = width - width_of(tuple(right)) - 1
    left = cut(left, max(0, room)) if width_of(left) > room else left
    gap = width - width_of(left) - width_of(tuple(right))
    return (*left, Frag(" " * max(0, gap), "bar"), *right)


FIRST_TO_GO = ("reveal", "cover", "hint", "back", "ctrl+u")
"""Actions, or keys that have none, that a narrow footer does without, in this order."""


def footer_row(entries: Sequence[tuple[str, str, str]], width: int) -> Row:
    """Keys and what they do, as many as fit whole; the last two (help and quit) always. Entries: id, key, word."""
    kept = list(entries)

    def size(chosen: Sequence[tuple[str, str, str]]) -> int:
        return sum(cell_len(key) + cell_len(word) + 3 for _, key, word in chosen)

    given_up = [entry for name in FIRST_TO_GO for entry in kept if name in entry[:2]]
    while len(kept) > 2 and size(kept) > width:
        kept.remove(given_up.pop(0) if given_up else kept[-3])
    frags: list[Frag] = []
    for action, key, word in kept:
        link = Link(action) if action else None
        frags += [Frag(f" {key}", "key", link), Frag(f" {word} ", "key-word", link)]
    return padded(cut(tuple(frags), width), width, "bar")

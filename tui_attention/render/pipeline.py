"""The pipeline tree, the header and the footer, as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, get_args

from rich.cells import cell_len

from tui_attention.interaction.words import STATE_WORDS
from tui_attention.render.frame import bar, boxed
from tui_attention.render.rows import Link, Row, Span, cut, padded, width_of, wrap
from tui_attention.walk.ledger import STATES, State
from tui_attention.walk.visible import StageMark, VisibleLesson

MARKS: dict[StageMark, tuple[str, str]] = {
    "new": (" ", "stage-new"),
    "visited": ("·", "stage"),
    "open": ("○", "open"),
    "done": ("✓", "done"),
    "borrowed": ("◐", "borrowed"),
}
"""What stands before a stage: all CHECKs settled, some borrowed, some left open, been there, not yet."""


class Branch(NamedTuple):
    """One line of the tree: a stage, or the block that the stages below it belong to (`stage` is -1).

    `folded`: a block whose stages are not shown; its stage is the first of them, `says` what happened in it.
    """

    text: str
    stage: int
    inside: bool
    folded: bool = False
    says: tuple[str, ...] = ()


MOST_OPEN = 4
"""With more blocks than these, only the one at hand is unfolded."""


def branches(visible: VisibleLesson) -> tuple[Branch, ...]:
    """The tree's lines in the order of the lesson."""
    titles = {block.id: block.title for block in visible.blocks}
    folds = len(titles) > MOST_OPEN
    outline = visible.block_notes() if folds else {}
    found: list[Branch] = []
    block = ""
    for number, stage in enumerate(visible.stages):
        folded = folds and bool(stage.block) and stage.block != visible.stage.block
        if stage.block and stage.block != block:
            title, says = titles.get(stage.block, stage.block), outline.get(stage.block, ())
            found.append(Branch(title, number if folded else -1, False, folded, says))
        block = stage.block
        if folded:
            continue
        numbered = f"{visible.number(number):>2} {stage.title}"
        found.append(Branch(numbered, number, bool(block)))
    return tuple(found)


def tree_width(visible: VisibleLesson, columns: int) -> int:
    """The columns of the tree beside the panel: what its longest line needs, at most three tenths."""
    longest = max(cell_len(told(branch)) + branch.inside for branch in branches(visible))
    return min(longest + 4, max(22, columns * 3 // 10))


def told(branch: Branch, width: int = 200) -> str:
    """A block's line: its title and as much of what happened in it as there is room for."""
    text = branch.text
    for says in branch.says:
        if cell_len(text) + 2 + cell_len(says) > width:
            break
        text += f"  {says}"
    return text


def branch_rows(visible: VisibleLesson, branch: Branch, width: int, chosen: bool) -> list[Row]:
    """A stage of the tree: `✓ 2 token row`, on two lines where its title is long."""
    if branch.stage < 0:
        return [cut((Span("▾ ", "section"), Span(told(branch, width - 2), "section")), width)]
    if branch.folded:
        style, link = "chosen" if chosen else "section", Link("stage", str(branch.stage))
        row = cut((Span("+ ", style, link), Span(told(branch, width - 2), style, link)), width)
        return [padded(row, width, style) if chosen else row]
    here = branch.stage == visible.place.stage
    glyph, style = (
        ("▶", "now")
        if here
        else MARKS[visible.stage_mark(branch.stage) if branch.stage <= visible.furthest else "new"]
    )
    words = "stage-now" if here else "stage-new" if branch.stage > visible.furthest else "stage"
    if chosen:
        style = words = "chosen"
    link = Link("stage", str(branch.stage))
    lead = glyph + (" " * (1 + branch.inside))
    first_word, _, rest = branch.text.strip().partition(" ")
    number, title = (f"{first_word:>2}", rest) if first_word.isdigit() else ("  ", branch.text.strip())
    mark = "~" if branch.stage in visible.reached else " "
    lines = wrap(title, max(6, width - cell_len(lead) - len(number) - 1))
    rows: list[Row] = []
    for place, line in enumerate(lines):
        first = place == 0
        row = (
            Span(lead if first else " " * cell_len(lead), style, link),
            Span(f"{number + mark if first else ' ' * (len(number) + 1)}{line}", words, link),
        )
        rows.append(padded(cut(row, width), width, words) if chosen else cut(row, width))
    return rows


def tree_rows(visible: VisibleLesson, size: tuple[int, int], chosen: int, focused: bool) -> list[Row]:
    """The boxed tree. Where it is taller than its box, the part around the chosen (else the present) stage."""
    width, height = size
    stage = chosen if focused else visible.place.stage
    lines: list[Row] = []
    at = 0
    for branch in branches(visible):
        if branch.stage == stage:
            at = len(lines)
        lines += branch_rows(visible, branch, width - 2, focused and branch.stage == chosen)
    room = max(1, height - 2)
    top = max(0, min(at - room // 2, len(lines) - room))
    shown = lines[top : top + room]
    style = "border-on" if focused else "border"
    rows = [bar("pipeline" + (f" ▲ {top}" if top else ""), "", width, lit=focused)]
    rows += [(Span("│", style), *padded(row, width - 2), Span("│", style)) for row in shown]
    rows += [boxed((), width, style)] * (room - len(shown))
    below = len(lines) - top - len(shown)
    if below:
        rows.append((*bar(f"▼ {below} more", "", width, "└┘", focused),))
    else:
        rows.append((Span("└" + "─" * (width - 2) + "┘", style),))
    return rows


# ------------------------------------------------------------ header and footer


MOST_DIALS = 2
"""Turned dials that the header names one by one."""


def header_row(visible: VisibleLesson, width: int, notes: str = "") -> Row:
    """` When you press "h"            covered  7 paid  1 borrowed `; `notes` stand before that."""
    counts: Mapping[State, int] = visible.counts() if visible.ledger.entries else dict.fromkeys(get_args(State), 0)
    right: list[Span] = []
    if notes:
        right.append(Span(f"{notes}  ", "bar-warn"))
    if visible.digits != "printed":
        right.append(Span(f"{visible.digits} digits  ", "bar-warn"))
    right.append(Span("covered" if visible.cover else "uncovered", "bar" if visible.cover else "bar-warn"))
    if width >= 60 or not visible.cover:
        right += [
            Span(f"  {counts[state]} {STATE_WORDS[state].head}", "bar-good" if state == "paid" else "bar-quiet")
            for state in STATES
            if state != "open" and counts[state]
        ]
    right.append(Span(" ", "bar"))
    inputs = visible.inputs
    prompt = f'   prompt "{inputs.prompt}"' if inputs.prompt else ""
    long = visible.vocabulary.cut is not None  # a model's prompt is a sentence: what was changed stands before it
    own = "" if visible.own else _changed(visible) + prompt if long else prompt + _changed(visible)
    left: Row = (Span(f" {visible.title}", "bar-title"), Span(own, "bar-quiet"))
    room = width - width_of(tuple(right)) - 1
    left = cut(left, max(0, room)) if width_of(left) > room else left
    gap = width - width_of(left) - width_of(tuple(right))
    return (*left, Span(" " * max(0, gap), "bar"), *right)


def _changed(visible: VisibleLesson) -> str:
    """Dials and switches that are not the lesson's: `   E[7,0] = 0.50, without scale`."""
    turned = [f"{cell} = {number}" for cell, number in visible.turned()]
    if len(turned) > MOST_DIALS:
        turned = [f"{len(turned)} dials turned"]
    found = ", ".join([*turned, *visible.switched()])
    return f"   {found}" if found else ""


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
    spans: list[Span] = []
    for action, key, word in kept:
        link = Link(action) if action else None
        spans += [Span(f" {key}", "key", link), Span(f" {word} ", "key-word", link)]
    return padded(cut(tuple(spans), width), width, "bar")

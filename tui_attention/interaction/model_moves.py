"""In a trained model: two states beside each other, and the word that the pages are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tui_attention.engine.errors import BadInput
from tui_attention.interaction.messages import PageLine, Reply, ReplyPage, notice
from tui_attention.interaction.models import Looked, look_at, look_here, token_of, uncovered
from tui_attention.walk.refs import CellRef

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tui_attention.interaction.controller import LessonController
    from tui_attention.models.files import FloatArray

NEXT = 6
"""Next tokens of either side that are told."""


def word(core: LessonController, argument: str) -> Reply:
    """The word that the pages are about, with its rank and chance now; without one, the answer again."""
    from tui_attention.models.inspection import ranks_of

    look = look_here(core)
    if not argument:
        core.word = ""
        return notice(f"The pages are about the answer again, {look.text(look.answer)}.")
    token, note = token_of(look, argument)
    core.word = argument
    rank = ranks_of(look.logits[None], token)[0]
    says = (
        f"{look.text(token)}: number {rank:,} of {len(look.logits):,}, chance {look.chance(token):.3g}, "
        f"logit {look.logits[token]:.2f}. The lens, what adds to it and what is missed are about it now."
    )
    return notice(f"{note}. {says}" if note else says)


def compared(core: LessonController, argument: str) -> Reply:
    """Another prompt beside this one."""
    if not argument:
        raise BadInput(f"compare takes another prompt, as in compare {core.examples.prompt}")
    graph = uncovered(core)
    one, two = look_here(core), look_at(core, graph.with_inputs(prompt=argument))
    return _beside(core, one, two, f'"{graph.inputs.prompt}" beside "{argument}"')


def moved(core: LessonController, argument: str) -> Reply:
    """What moved by the last change."""
    before = core.walk.opened.before
    uncovered(core)
    if before is None:
        return notice("Nothing was changed yet: turn a weight, switch a head off or change the prompt.")
    return _beside(core, look_at(core, before.graph), look_here(core), "what moved")


def _beside(core: LessonController, one: Looked, two: Looked, title: str) -> Reply:
    """Next tokens, then block by block the row's length, the answer's rank, the head that looks elsewhere most."""
    lines = [PageLine("The next token: chance here, chance there.", "caption")]
    best = {int(token) for side in (one, two) for token in np.argsort(-side.logits)[:NEXT]}
    for token in sorted(best, key=lambda token: -max(one.chance(token), two.chance(token))):
        a, b = one.chance(token), two.chance(token)
        lines.append(PageLine(f"{one.text(token):<16} {a:6.3f} -> {b:6.3f}   {b - a:+.3f}", "number"))
    says = f"At the last token: length of the row, place of {one.text(one.answer)}, the look that changed most."
    lines.append(PageLine(says, "caption"))
    same = one.rows.outputs[0].shape == two.rows.outputs[0].shape
    ranks = one.ranks(one.answer), two.ranks(one.answer)
    first = next((n for n, (a, b) in enumerate(_outputs(one, two)) if not np.array_equal(a, b)), one.blocks)
    if first:
        lines.append(PageLine("Block 0 is as before." if first == 1 else f"Blocks 0 to {first - 1} are as before."))
    made = (_block(one, two, n, (ranks[0][n + 1], ranks[1][n + 1]), same) for n in range(first, one.blocks))
    lines += core.slices(made, one.blocks - first)
    return Reply(page=ReplyPage(title, tuple(lines)))


def _outputs(one: Looked, two: Looked) -> Iterator[tuple[FloatArray, FloatArray]]:
    """The rows of both behind each block."""
    return zip(one.rows.outputs[1:], two.rows.outputs[1:], strict=True)


def _block(one: Looked, two: Looked, block: int, places: tuple[int, int], same: bool) -> PageLine:
    lengths = [float(np.linalg.norm(side.rows.outputs[block + 1][-1])) for side in (one, two)]
    says = f"{block:<4} |x| {lengths[0]:7.1f} -> {lengths[1]:7.1f}   {f'#{places[0]:,}':>8} -> {f'#{places[1]:,}':<8}"
    ref = CellRef(f"x2_{block}", (len(two.labels) - 1, 0))
    if same:
        a, b = (side.graph.painted.trace(side.rows, block)["shares"][:, -1] for side in (one, two))
        head, key = (int(place) for place in np.unravel_index(np.abs(b - a).argmax(), a.shape))
        if abs(b[head, key] - a[head, key]) >= 0.005:
            says += f" {block}.{head} on {two.labels[key]} {a[head, key]:.2f} -> {b[head, key]:.2f}"
            ref = CellRef(f"shares_{block}", (head, len(two.labels) - 1, key))
    return PageLine(says.rstrip(), "number", ref)


__all__ = ["compared", "moved", "word"]

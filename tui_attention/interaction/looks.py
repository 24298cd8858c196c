"""How tables are looked at: which columns first, which shades, from head to head; and a stage found by its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui_attention.engine.errors import BadInput
from tui_attention.interaction.messages import Message, Reply, notice
from tui_attention.walk.events import Change
from tui_attention.walk.refs import CellRef
from tui_attention.walk.window import SHADES, Arrangement, Shades

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tui_attention.interaction.controller import LessonController

SHADES_SAID: Mapping[Shades, str] = {
    "shares": "shares alone are shaded",
    "row": "every number, by the largest of its row on the screen",
    "log": "every number, one shade for each factor of ten below the largest on the screen",
}


def order(core: LessonController, argument: str) -> Reply:
    """Large tables with the largest numbers of the cursor's row first, or in their own order."""
    how = core.walk.arrangement
    if not how.largest and (core.visible.cover or core.walk.held):
        raise BadInput("the numbers are covered, and their order would give them away; uncover first")
    says = "as they stand" if how.largest else "the largest of the cursor's row first, whatever its sign"
    reply = _arranged(core, how._replace(largest=not how.largest), f"Columns of large tables: {says}.")
    if core.focus is not None and not how.largest:
        core.focus = core.visible.first_of(core.focus)
    return reply


def shades(core: LessonController, argument: str) -> Reply:
    """Shades of shares alone, of each row, or a shade for each factor of ten, in turn."""
    how = core.walk.arrangement
    chosen = SHADES[(SHADES.index(how.shades) + 1) % len(SHADES)]
    return _arranged(core, how._replace(shades=chosen), f"Shades: {SHADES_SAID[chosen]}.")


def first_key(core: LessonController, argument: str) -> Reply:
    """Scores and shares without the first key, or with it again."""
    how = core.walk.arrangement
    cell = core.focus
    if not how.without_first and cell is not None and core.visible.along(cell.tensor) == "key" and not cell.index[-1]:
        core.focus = CellRef(cell.tensor, (*cell.index[:-1], 1))  # its column goes out of sight
    says = "stands there again" if how.without_first else "is left out of scores and shares; shares keep their size"
    return _arranged(core, how._replace(without_first=not how.without_first), f"Key 0 {says}.")


def _arranged(core: LessonController, how: Arrangement, says: str) -> Reply:
    core.walk.arrangement = how
    return Reply((Change("look"),), (Message("notice", says),))


def head_on(core: LessonController, argument: str) -> Reply:
    """To the same place in the next head."""
    return _to_head(core, 1)


def head_back(core: LessonController, argument: str) -> Reply:
    """To the same place in the head before."""
    return _to_head(core, -1)


def _to_head(core: LessonController, by: int) -> Reply:
    cell = core.focus
    if cell is None:
        raise BadInput("point at a number of a head first")
    beside = core.visible.in_head(cell, by)
    if beside is None:
        raise BadInput(f"{cell} has no head on that side")
    core.focus = beside
    return notice(f"{beside}.")


def find(core: LessonController, argument: str) -> Reply:
    """To the next stage whose words hold what is typed: its block, title, steps, or what happened there."""
    sought = argument.strip() or core.sought
    if not sought:
        raise BadInput("find takes words of a stage, such as a block, a title or a step's name")
    core.sought = sought
    visible, words = core.visible, sought.casefold().split()
    titles = {block.id: block.title for block in visible.blocks}
    happened = visible.block_notes()
    count, here = len(visible.stages), visible.place.stage
    for place in (*range(here + 1, count), *range(here + 1)):
        stage = visible.stages[place]
        about = f"{titles.get(stage.block, '')} {stage.title}".casefold().split()
        about += [name.casefold() for step in stage.steps for name in (step.name, step.name.partition("_")[0])]
        about += [part.casefold() for part in happened.get(stage.block, ())]
        if all(any(_meets(word, part) for part in about) for word in words):
            change = core.walk.goto(stage.id)
            core.arrive()
            return Reply((change,), (Message("notice", f"Found: {sought}. The same key and Enter look further."),))
    raise BadInput(f"no stage has {sought[:40]!r} in its words")


def _meets(word: str, part: str) -> bool:
    """A word is meant by its beginning, a number as it is."""
    return part == word if word.isdigit() else part.startswith(word)


__all__ = ["find", "first_key", "head_back", "head_on", "order", "shades"]

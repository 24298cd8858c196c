"""What if: changes taken back and made again, switches, many dials at once, what moved, and predicting it first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tui_attention.engine.errors import BadInput
from tui_attention.interaction import typed
from tui_attention.interaction.dials import anew
from tui_attention.interaction.messages import Message, PageLine, Reply, ReplyPage, notice
from tui_attention.walk.refs import CellRef

if TYPE_CHECKING:
    from tui_attention.interaction.controller import LessonController
    from tui_attention.lessons.run import LessonRun
    from tui_attention.walk.moved import MovedTensor
    from tui_attention.walk.visible import VisibleLesson

MOST_LINES = 400
REDRAW_SEED = 1

_LAST_WORD = re.compile(r"(.*\S)\s+(\S+)\s*", re.DOTALL)


def redo(core: LessonController, argument: str) -> Reply:
    """Make the change again that was taken back last."""
    change = core.walk.redo()
    if change.what == "nothing":
        return notice("Nothing was taken back.")
    return anew(core, change, "The change is made again.")


def reset(core: LessonController, argument: str) -> Reply:
    """One dial, or everything, as the lesson has it; prompt and ticket stay."""
    graph, own = core.walk.opened.run.graph, core.walk.opened.run.lesson.program
    if argument:
        cell = CellRef(*graph.source(*graph.locate(argument)))
        if (cell.tensor, cell.index) not in graph.turned:
            raise BadInput(f"{cell} was not changed; the changed ones are: {_changed(core) or 'none'}")
        turned = {dial: value for dial, value in graph.turned.items() if dial != (cell.tensor, cell.index)}
        return _take(
            core, core.walk.opened.run.with_graph(graph.with_turned(turned)), f"{cell} is as the lesson has it."
        )
    if not graph.turned and not graph.program.switched:
        return notice("Nothing was changed.")
    fresh = graph.with_program(own) if graph.program.switched else graph
    return _take(core, core.walk.opened.run.with_graph(fresh.with_turned({})), "All is as the lesson has it.")


def switch(core: LessonController, argument: str) -> Reply:
    """Throw a switch of the lesson, or put it back; without a name, which there are."""
    from tui_attention.whatif.scenario import throw

    run = core.walk.opened.run
    thrown, known = run.graph.program.switched, run.lesson.switches
    if not known:
        raise BadInput("this lesson has no switches")
    if not argument:
        return Reply(
            page=ReplyPage("switches", tuple(_switch_line(one.id, one.title, thrown) for one in known.values()))
        )
    name = argument.strip().casefold()
    if name not in known:
        raise BadInput(f"there is no switch {argument[:40]!r}; the switches are: {' '.join(known)}")
    rest = tuple(one for one in thrown if one != name)
    # Two that say different things of one step make way for each other.
    touched = {step for step, text in known[name].steps.items() if not re.search(rf"\b{step}\b", text)}
    rest = tuple(one for one in rest if not touched & set(known[one].steps)) if name not in thrown else rest
    if name in thrown:
        return _take(core, throw(run, rest), f"Put back: {known[name].title}.")
    return _take(core, throw(run, (*rest, name)), f"Now: {known[name].title}.")


def _switch_line(name: str, title: str, thrown: tuple[str, ...]) -> PageLine:
    on = name in thrown
    return PageLine(f"{'*' if on else ' '} {name:<10} {title}", "good" if on else "told")


def zero(core: LessonController, argument: str) -> Reply:
    """`zero Wq`, `zero Wq[2]`, `zero Wq head 1`: every dial there at 0."""
    from tui_attention.whatif.regions import region, zeroed

    where = region(core.walk.opened.run.graph, argument)
    return _take(
        core, core.walk.opened.run.with_graph(zeroed(core.walk.opened.run.graph, where)), f"{where.says} is zero now."
    )


def scale(core: LessonController, argument: str) -> Reply:
    """`scale Wq[2] 0.5`: every dial there times a number."""
    from tui_attention.whatif.regions import region, scaled

    split = _LAST_WORD.fullmatch(argument)
    expected = "scale takes a table, a row or a head, and a number, as in scale Wq[2] 0.5"
    if not split:
        raise BadInput(expected)
    by = typed.number(split[2], expected)
    where = region(core.walk.opened.run.graph, split[1])
    made = core.walk.opened.run.with_graph(scaled(core.walk.opened.run.graph, where, by.value))
    return _take(core, made, f"{where.says} is {by.text} times what it was.")


def redraw(core: LessonController, argument: str) -> Reply:
    """`redraw Wq 7`: every dial there drawn anew, with a seed that is said."""
    from tui_attention.whatif.regions import redrawn, region

    split = _LAST_WORD.fullmatch(argument)
    seed, text = REDRAW_SEED, argument
    if split and split[2].isascii() and split[2].isdigit() and not split[1].endswith("head"):
        seed, text = int(split[2][:9]), split[1]
    where = region(core.walk.opened.run.graph, text)
    made = core.walk.opened.run.with_graph(redrawn(core.walk.opened.run.graph, where, seed))
    return _take(core, made, f"{where.says} is drawn anew with seed {seed}.")


def _take(core: LessonController, run: LessonRun, says: str) -> Reply:
    change = core.walk.change(run)
    return anew(core, change, f"{says} Undo takes it back; what moved by it has a page of its own.")


def _changed(core: LessonController) -> str:
    return ", ".join(f"{cell} = {number}" for cell, number in core.visible.turned())


# ---------------------------------------------------------------- what moved


def predict(core: LessonController, argument: str) -> Reply:
    """Choose a cell before a change: what moves stays covered until its new number has been typed."""
    if argument:
        cell = CellRef(*core.walk.opened.run.graph.locate(argument))
    elif core.focus is not None:
        cell = core.focus
    else:
        raise BadInput(f"predict takes a cell, as in predict {core.examples.cell}")
    core.walk.predict(cell)
    return notice(f"Change something now. Then say what {core.walk.predicting} has become, before you see it.")


def moved(core: LessonController, argument: str) -> Reply:
    """What moved by the last change, cell by cell, before beside after."""
    if core.in_model:
        from tui_attention.interaction import model_moves

        return model_moves.moved(core, argument)
    before = core.walk.before
    if before is None:
        return notice("Nothing was changed yet: turn a dial, throw a switch or change the prompt.")
    return Reply(page=ReplyPage("what moved", _moved_lines(core, before, core.visible, largest=False)))


def compare(core: LessonController, argument: str) -> Reply:
    """Another prompt beside this one, cell by cell, the largest differences first."""
    if core.in_model:
        from tui_attention.interaction import model_moves

        return model_moves.compared(core, argument)
    if not argument:
        raise BadInput(f"compare takes another prompt, as in compare {core.examples.prompt}")
    run = core.walk.opened.run
    other = core.walk.visible_of(run.with_graph(run.graph.with_inputs(prompt=argument)))
    title = f'"{run.graph.inputs.prompt}" beside "{argument}"'
    return Reply(page=ReplyPage(title, _moved_lines(core, core.visible, other, largest=True)))


def _moved_lines(
    core: LessonController, before: VisibleLesson, after: VisibleLesson, *, largest: bool
) -> tuple[PageLine, ...]:
    from tui_attention.walk.moved import moved_between

    found = moved_between(before, after, largest=largest)
    core.walk.see(frozenset(tensor.name for tensor in found if tensor.cells))
    if not found:
        return (PageLine("Nothing moved: every number is as it was."),)
    lines: list[PageLine] = []
    for tensor in found:
        lines.append(PageLine(_heading(tensor), "name"))
        wide = max((len(cell.short) for cell in tensor.cells), default=0)
        left = max((len(cell.before) for cell in tensor.cells), default=0)
        right = max((len(cell.after) for cell in tensor.cells), default=0)
        for cell in tensor.cells:
            says = f"  {cell.short:<{wide}}  {cell.before:>{left}} -> {cell.after:>{right}}  {cell.by}".rstrip()
            lines.append(PageLine(says, "number", cell.ref))
    if len(lines) > MOST_LINES:
        left_out = len(lines) - MOST_LINES
        lines = [*lines[:MOST_LINES], PageLine(f"{left_out} more lines", "caption")]
    return tuple(lines)


def _heading(tensor: MovedTensor) -> str:
    counts = []
    if tensor.shapes:
        counts.append(f"shape {tensor.shapes}")
    if tensor.cells:
        counts.append(f"{len(tensor.cells)} moved")
    if tensor.covered:
        counts.append("the rest still covered" if tensor.cells else "still covered")
    if tensor.below:
        counts.append(f"{tensor.below} only below the printed digits")
    title = f" ({tensor.title})" if tensor.title else ""
    return f"{tensor.name}{title}: {'; '.join(counts) or 'as before where both have cells'}"


def hand_on(core: LessonController, argument: str) -> Reply:
    """The command line that brings this very state back."""
    from tui_attention.whatif.scenario import command_line

    return Reply(messages=(Message("command", command_line(core.walk.opened.run)),))


__all__ = ["compare", "hand_on", "moved", "predict", "redo", "redraw", "reset", "scale", "switch", "zero"]

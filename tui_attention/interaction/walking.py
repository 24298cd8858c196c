"""Moving through a lesson, and where one is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui_attention.engine.errors import BadInput
from tui_attention.interaction.messages import Message, Reply, notice
from tui_attention.interaction.words import STATE_WORDS, counted
from tui_attention.walk.ledger import STATES

if TYPE_CHECKING:
    from tui_attention.interaction.controller import LessonController
    from tui_attention.walk.events import Change


def _moved(core: LessonController, change: Change, stuck: str, *before: Message) -> Reply:
    if change.what == "nothing":
        return notice(stuck)
    core.arrive()
    return Reply((change,), before)


def next_step(core: LessonController, argument: str) -> Reply:
    """One step on; after the last one the summary."""
    walk = core.walk
    if walk.at_end:
        core.arrive()
        return Reply(messages=core.summary().messages(), wish="end")
    left = sum(not walk.ledger.entry(asked.ref).settled for asked in walk.questions()) if walk.covered else 0
    told = (Message("left", f"Left open here: {left}."),) if left else ()
    return _moved(core, walk.next(), "", *told)


def back(core: LessonController, argument: str) -> Reply:
    """One step back."""
    return _moved(core, core.walk.back(), "This is the first step.")


def next_stage(core: LessonController, argument: str) -> Reply:
    """To the start of the next stage."""
    return _moved(core, core.walk.next_stage(), "This is the last stage.")


def back_stage(core: LessonController, argument: str) -> Reply:
    """To the start of this stage, or of the one before."""
    return _moved(core, core.walk.back_stage(), "This is the first stage.")


def goto(core: LessonController, argument: str) -> Reply:
    """To a stage, or to the step that makes a cell; without an argument, where one may go."""
    walk = core.walk
    if argument:
        return _moved(core, walk.goto(argument), "You are there already.")
    numbered = [(walk.stage_number(place), stage.id) for place, stage in enumerate(walk.stages)]
    stages = ", ".join(f"{number} {name}" if number else name for number, name in numbered)
    named = core.examples
    ways = f"Type goto with a stage's number or name, or with a cell: goto {named.stage}, goto {named.cell}."
    return Reply(messages=(Message("notice", f"The stages: {stages}."), Message("notice", ways)))


def cover(core: LessonController, argument: str) -> Reply:
    """Cover or uncover everything."""
    if core.walk.covered and (why_not := core.policy.may_uncover(core.walk)):
        raise BadInput(why_not)
    change = core.walk.toggle_cover()
    core.hush()
    says = (
        "Covered."
        if core.walk.covered
        else "Uncovered. What you see or hear while the cover is off counts at most as paid with help; cover puts it "
        "back."
    )
    return Reply((change,), (Message("cover", says),))


def where(core: LessonController, argument: str) -> Reply:
    """The place, the inputs and dials, and what is paid."""
    walk = core.walk
    inputs, turned = core.visible.inputs, core.visible.turned()
    count = len(walk.stage.steps)
    step = f", step {walk.place.step + 1} of {count}" if count else ""
    other = f' Other sentence: "{inputs.other}".' if inputs.other is not None else ""
    ticket = f" Ticket: {inputs.ticket_text()}." if inputs.ticket is not None else ""
    covered = "covered" if walk.covered else "not covered"
    said = [
        f"{core.visible.title}. {heading(core)}{step}.",
        f"{inputs.told}{other}{ticket} The numbers are {covered}.",
    ]
    if turned:
        dials = ", ".join(f"{dial} {digits}" for dial, digits in turned)
        said.append(f"Dials turned: {dials}.")
    said.append(f"CHECKs: {counted(walk.counts())}.")
    return Reply(messages=tuple(Message("notice", text) for text in said))


def heading(core: LessonController) -> str:
    """`Stage 4 of 13, flatten a copy`; what comes before the first numbered stage has no number."""
    walk = core.walk
    number, last = walk.stage_number(walk.place.stage), walk.stage_number(len(walk.stages) - 1)
    return f"Stage {number} of {last}, {walk.stage.title}" if number else f"Before stage 1, {walk.stage.title}"


def checks(core: LessonController, argument: str) -> Reply:
    """The CHECKs of this stage; with `all`, how many of each state in every stage."""
    walk = core.walk
    if argument == "all":
        told = []
        for place, stage in enumerate(walk.stages):
            states = [state for _, state in walk.stage_states(place)]
            parts = [f"{states.count(state)} {STATE_WORDS[state].said}" for state in STATES if state in states]
            told += [f"{stage.title}: {', '.join(parts)}."] if parts else []
        return Reply(messages=tuple(Message("notice", text) for text in told))
    found = walk.stage_states(walk.place.stage)
    if not found:
        return notice("This stage asks nothing.")
    lines = [f"{number}. {ref.said}: {STATE_WORDS[state].said}." for number, (ref, state) in enumerate(found, 1)]
    return Reply(messages=tuple(Message("notice", text) for text in lines))

"""Changing what a lesson is computed from: its dials, its prompts, its ticket; and how digits are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui_attention.engine.errors import BadInput
from tui_attention.interaction import typed
from tui_attention.interaction.messages import Message, Reply, notice
from tui_attention.interaction.words import DIGITS_SAID
from tui_attention.walk.events import Change
from tui_attention.walk.view import DIGITS

if TYPE_CHECKING:
    from tui_attention.interaction.controller import LessonController


def anew(core: LessonController, change: Change, says: str) -> Reply:
    """Over new numbers: what was said before is let go, and this is said."""
    core.arrive()
    if core.walk.held:
        says = f"{says} What moved is covered: what is {core.walk.predicting} now?"
    return notice(says, change)


def turn(core: LessonController, argument: str) -> Reply:
    """`E[h,0] 0.5`: turn a dial to a number; every number that depends on it is computed anew."""
    dial, number = typed.dial_and_number(argument)
    expected = f"turn takes a dial and a number, as in turn {core.examples.dial} 0.5"
    if not dial:
        raise BadInput(expected)
    found = typed.number(number, expected)
    change = core.walk.turn(dial, found.value, found.decimals)
    says = f"{change.ref} is {found.text} now. Every number after it is worked out anew; undo takes it back."
    return anew(core, change, says)


def undo(core: LessonController, argument: str) -> Reply:
    """Take the last turn of a dial back."""
    change = core.walk.undo()
    if change.what == "nothing":
        return notice("No dial has been turned.")
    return anew(core, change, "The last turn is taken back.")


def prompt(core: LessonController, argument: str) -> Reply:
    """Another prompt; without one, which may be typed."""
    vocabulary = core.visible.vocabulary
    if not argument:
        raise BadInput(f"a prompt is needed: up to {vocabulary.most} of {vocabulary.listed()}")
    return anew(core, core.walk.change_inputs(prompt=argument), "The lesson is computed anew.")


def other(core: LessonController, argument: str) -> Reply:
    """Another second sentence, in lessons that have one."""
    vocabulary = core.visible.vocabulary
    if core.visible.inputs.other is None:
        raise BadInput("this lesson has one sentence only")
    if not argument:
        raise BadInput(f"a sentence is needed: up to {vocabulary.most} of {vocabulary.listed()}")
    return anew(core, core.walk.change_inputs(other=argument), "The lesson is computed anew.")


def ticket(core: LessonController, argument: str) -> Reply:
    """Another ticket, in lessons that draw one."""
    if core.visible.inputs.ticket is None:
        raise BadInput("this lesson draws no ticket")
    return anew(core, core.walk.change_inputs(ticket=typed.ticket(argument)), "The lesson is computed anew.")


def digits(core: LessonController, argument: str) -> Reply:
    """Printed digits, the pencil's, or all of them, in turn."""
    place = DIGITS.index(core.walk.digits)
    core.walk.digits = DIGITS[(place + 1) % len(DIGITS)]
    return Reply((Change("digits"),), (Message("notice", f"Digits: {DIGITS_SAID[core.walk.digits]}."),))

"""What only the conversation does: reading tensors out, the glossary, the lessons, its help, its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from tui_attention.engine.decimals import BLANK
from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.interaction.typed import split_names
from tui_attention.judge.promise import PROMISE
from tui_attention.lessons.load import load, names
from tui_attention.models.opening import guided_outline
from tui_attention.plain.narration import terms
from tui_attention.plain.page import sentence
from tui_attention.walk.places import Place

if TYPE_CHECKING:
    from tui_attention.interaction.command import Command
    from tui_attention.interaction.examples import Examples
    from tui_attention.plain.shell import Shell


def _again(shell: Shell, rest: str) -> None:
    shell.enter()


def _values(shell: Shell, rest: str) -> None:
    visible = shell.core.visible
    if not rest:
        shell.heard.clear()
        if visible.step is None:
            shell.say(f"No step is made here. The tensors are: {' '.join(visible.names())}.")
            return
        shell.tell(shell.narrator().step(visible.place.step))
        return
    parts = split_names(rest)
    if not parts:
        raise BadInput(f"{rest[:40]!r} is no name of a tensor; an example: values {shell.core.examples.tensor}")
    for name in parts:
        if "[" in name:
            line = visible.line(visible.locate(name))
            shell.say(f"{line.left} = {'?' if line.result == BLANK else line.result}.")
        else:
            shell.tell(shell.narrator().tensor(name, again=True))


def _glossary(shell: Shell, rest: str) -> None:
    found = terms(shell.core.visible, lambda text: rest.casefold() in text)
    if not found:
        raise BadInput(f"the glossary has no {rest[:40]!r}; type glossary for all of it")
    shell.tell(found)


def _reload(shell: Shell, rest: str) -> None:
    place = shell.core.walk.place
    try:
        walk = shell.session.reload()
    except LessonError as error:  # it is being written: what is open stays
        raise BadInput(str(error)) from None
    walk.move(Place(min(place.stage, len(walk.stages) - 1), place.step))
    shell.taken_up(walk)


def _lessons(shell: Shell, rest: str) -> None:
    if rest:
        shell.change_lesson(rest)
        return
    files = shell.session.shelf.files()
    for name in (*names(), *files):
        lesson = load(str(files.get(name, name)))
        shell.say(f"{name}: {sentence(lesson.title)} {sentence(lesson.summary)}")
    guided = guided_outline()
    shell.say(f"{guided.id}: {sentence(guided.title)} {sentence(guided.summary)} {guided.missing}".rstrip())
    shell.say("Type lessons with a name to go over to it.")


def _review(shell: Shell, rest: str) -> None:
    shell.reviewed(rest.strip())


def _afresh(shell: Shell, rest: str) -> None:
    shell.fresh_numbers()


def _help(shell: Shell, rest: str) -> None:
    shell.say(
        f"A CHECK wants a number or a sentence: type it and press Enter. {PROMISE} "
        "Whenever you like, type one of these words:"
    )
    for word, says in shell.words():
        shell.page.say(f"{word}: {says}", 2)
    cell = shell.core.examples.cell
    shell.say(f"Any covered number can be asked: type its name and your number, as in {cell} = 0.41")


def spoken(command: Command, examples: Examples) -> str:
    """What a word does, with an example where something may stand behind it."""
    form = command.argument.form
    shown = f" As in: {form.format(**asdict(examples))}." if form and form != command.word else ""
    return f"{command.says}.{shown}"


def _quit(shell: Shell, rest: str) -> None:
    shell.done = True
    shell.say("Kept. The same command goes on from here." if shell.session.saves else "Goodbye.")


LOCAL: Mapping[str, Callable[[Shell, str], None]] = {
    "again": _again,
    "values": _values,
    "glossary": _glossary,
    "lessons": _lessons,
    "reload": _reload,
    "review": _review,
    "afresh": _afresh,
    "help": _help,
    "quit": _quit,
}
"""By the names that the table of commands gives them."""

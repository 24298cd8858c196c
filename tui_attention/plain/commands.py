"""What each command does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from tui_attention.engine.errors import BadInput
from tui_attention.engine.tensor import address
from tui_attention.engine.working import line as pencil_line
from tui_attention.judge.reading import read
from tui_attention.lessons.load import following, load, names
from tui_attention.plain.narration import COVERED, terms
from tui_attention.plain.page import Paragraph, sentence
from tui_attention.plain.words import WORDS, split
from tui_attention.render import plain
from tui_attention.session.progress import SAID
from tui_attention.walk.events import Change
from tui_attention.walk.ledger import STATES
from tui_attention.walk.questions import Question
from tui_attention.walk.view import BLANK, DIGITS

if TYPE_CHECKING:
    from tui_attention.plain.shell import Shell

# ---------------------------------------------------------------- moving


def _moved(shell: Shell, change: Change) -> None:
    if change.what == "stage":
        shell.enter()
    elif change.what == "step":
        shell.page.blank()
        shell.step()
    else:
        shell.say(change.says or "You are there already.")


def _on(shell: Shell, rest: str) -> None:
    walk = shell.walk
    left = sum(not walk.ledger.entry(asked.key).settled for asked in walk.questions())
    if walk.at_end:
        _summary(shell)
        return
    if left and walk.covered:
        shell.say(f"Left open here: {left}.")
    if shell.at_stage_end:
        shell.tell_earned()
    _moved(shell, walk.next())


def _back(shell: Shell, rest: str) -> None:
    _moved(shell, shell.walk.back())


def _goto(shell: Shell, rest: str) -> None:
    if rest:
        _moved(shell, shell.walk.goto(rest))
        return
    walk = shell.walk
    found = []
    for place, stage in enumerate(walk.stages):
        number = walk.stage_number(place)
        found.append(f"{f'{number} ' if number else ''}{stage.id}")
    shell.say(f"The stages: {', '.join(found)}.")
    named = shell.examples
    shell.say(f"Type goto with a stage's number or name, or with a cell: goto {named.stage}, goto {named.cell}.")


def _again(shell: Shell, rest: str) -> None:
    shell.enter()


def _summary(shell: Shell) -> None:
    """After the last step: what is paid, what is open and where, and the next lesson."""
    walk = shell.walk
    shell.say(f"This was the last step. In this lesson: {_counts(shell)}.")
    for place, stage in enumerate(walk.stages):
        left = sum(state == "open" for _, state in walk.stage_states(place))
        if left:
            shell.say(f"Open in {stage.title}: {left}; goto {stage.id}.")
    coming = following(walk.run.lesson)
    if coming:
        shell.say(f"The next lesson: {load(coming).title}; lessons {coming}.")


# ---------------------------------------------------------------- reading


def _values(shell: Shell, rest: str) -> None:
    walk = shell.walk
    if not rest:
        shell.heard.clear()
        if walk.step is None:
            shell.say(f"No step is made here. The tensors are: {' '.join(walk.run.graph.names())}.")
            return
        shell.tell(shell.narrator().step(walk.place.step))
        return
    parts = split(rest)
    if not parts:
        raise BadInput(f"{rest[:40]!r} is no name of a tensor; an example: values {shell.examples.tensor}")
    for name in parts:
        if "[" in name:
            line = walk.line(*walk.run.graph.locate(name))
            shell.say(f"{line.left} = {'?' if line.result == BLANK else line.result}.")
        else:
            shell.tell(shell.narrator().tensor(name, again=True))


def _why(shell: Shell, rest: str) -> None:
    walk, question = shell.walk, shell.question()
    if rest:
        name, index = walk.run.graph.locate(rest)
    elif question is None or question.sentence:
        raise BadInput(f"why takes a cell: why {shell.examples.cell}")
    elif question.of_cell:
        name, index = question.name, question.index
    else:
        # Which numbers go in, and how, is what such a question asks: the hints lead there.
        raise BadInput("this question asks for no single cell; work it out from what was read, or type hint")
    line = walk.line(name, index)
    asked = walk.run.graph.tensor(name).short(index)
    if asked != line.left:
        shell.say(f"{asked} is {line.left}.")
    for text in plain.pencil(line, COVERED):
        shell.say(text)
    source = walk.run.graph.source(name, index)
    steps = walk.visible.steps(*source)
    if len(steps) > 1:
        shell.say(f"By pencil, step by step: {'; then '.join(steps[1:])}.")
    reads = plain.operands(walk.visible, *source, COVERED)
    if reads:
        shell.say(f"It reads {reads}.")


def _formula(shell: Shell, question: Question) -> str:
    root = shell.walk.working(question).root
    return pencil_line(root, shell.walk.visible.show) if root is not None else ""


def _glossary(shell: Shell, rest: str) -> None:
    found = terms(lambda text: rest.casefold() in text)
    if not found:
        raise BadInput(f"the glossary has no {rest[:40]!r}; type glossary for all of it")
    shell.tell(found)


def _digits(shell: Shell, rest: str) -> None:
    walk = shell.walk
    walk.digits = DIGITS[(DIGITS.index(walk.digits) + 1) % len(DIGITS)]
    shell.session.set_setting("digits", walk.digits)
    says = {"printed": "as printed", "pencil": "as a pencil gets them", "all": "with all their digits"}[walk.digits]
    shell.say(f"Numbers are read {says} now. Type values to hear this step so.")


# ---------------------------------------------------------------- the question


def _target(shell: Shell, rest: str, word: str) -> Question:
    """The question that a hint or a reveal is for. Raises BadInput where there is none."""
    walk = shell.walk
    question = walk.question(rest) if rest else shell.question()
    if question is None:
        raise BadInput(f"nothing is asked here; for a cell type {word} with its name: {word} {shell.examples.cell}")
    if question.check is None and walk.visible.shown(question.name, question.index):
        raise BadInput(f"{question.key} shows already; type why {question.key}")
    return question


def _hint(shell: Shell, rest: str) -> None:
    question = _target(shell, rest, "hint")
    if question.sentence:
        raise BadInput("a sentence has no hints; type what you think, or reveal")
    given = shell.walk.hint(question.key)
    shell.say(f"Hint {given.level}. {given.says}")
    if shell.walk.ledger.entry(question.key).state == "borrowed":
        shell.say("That was the number: borrowed.")
    elif given.level in (2, 3):
        shell.look(given.cells)


def _reveal(shell: Shell, rest: str) -> None:
    question = shell.marking or _target(shell, rest, "reveal")
    walk = shell.walk
    if question.sentence:
        shell.marking = None
        shell.tell_answer(question)
    change = walk.reveal(question.key)
    if not question.sentence:
        if question.of_cell:
            for text in plain.pencil(walk.line(question.name, question.index), COVERED):
                shell.say(text)
        else:
            shell.say(f"{_formula(shell, question)} = {walk.working(question).cell.printed}")
    if change.what != "nothing":
        shell.say("Borrowed.")


def _keep(shell: Shell, rest: str) -> None:
    if shell.kept is None:
        raise BadInput("there is no number of yours to keep; it is offered after a wrong one that has a name")
    key, value = shell.kept
    shell.walk.keep(key, value)
    shell.kept = None
    shell.passed.add(key)
    shell.say(f"Kept: {key} = {value:g} is yours, and later numbers are judged from it. The question stays open.")


def _cover(shell: Shell, rest: str) -> None:
    shell.walk.toggle_cover()
    if shell.walk.covered:
        shell.say("Covered.")
    else:
        shell.say("Uncovered. What you hear while the cover is off can only be borrowed; cover puts it back.")
    shell.page.blank()
    shell.step()


# ---------------------------------------------------------------- dials and lessons


def _turn(shell: Shell, rest: str) -> None:
    cell, _, number = rest.rpartition(" ")
    reading = read(number)
    if not cell or not reading.numbers or reading.numbers[0].decimals is None:
        raise BadInput(f"turn takes a dial and a number: turn {shell.examples.dial} 0.5")
    change = shell.walk.turn(cell, reading.numbers[0].value, reading.numbers[0].decimals)
    shell.say(f"{change.says} Every number after it is worked out anew; undo takes it back.")
    shell.heard.clear()
    shell.step()


def _undo(shell: Shell, rest: str) -> None:
    change = shell.walk.undo()
    shell.say(change.says)
    if change.what != "nothing":
        shell.heard.clear()
        shell.step()


def _lessons(shell: Shell, rest: str) -> None:
    if rest:
        shell.session.change_lesson(rest)
        shell.kept = None
        shell.page.blank()
        shell.greet()
        return
    for name in names():
        lesson = load(name)
        shell.say(f"{name}: {sentence(lesson.title)} {sentence(lesson.summary)}")
    shell.say("Type lessons with a name to go over to it.")


# ---------------------------------------------------------------- where we are


def _counts(shell: Shell) -> str:
    counts = shell.walk.counts()
    return ", ".join(f"{counts[state]} {SAID[state]}" for state in STATES)


def _where(shell: Shell, rest: str) -> None:
    walk, inputs = shell.walk, shell.walk.run.graph.inputs
    count = len(walk.stage.steps)
    step = f", step {walk.place.step + 1} of {count}" if count else ""
    shell.say(f"{walk.run.lesson.title}. {shell.heading()}{step}.")
    ticket = f" Ticket: {inputs.ticket:.2f}." if inputs.ticket is not None else ""
    other = f' Other sentence: "{inputs.other}".' if inputs.other is not None else ""
    shell.say(
        f'Prompt: "{inputs.prompt}".{other}{ticket} The numbers are {"covered" if walk.covered else "not covered"}.'
    )
    turned = walk.run.graph.turned
    if turned:
        dials = ", ".join(f"{address(name, index)} {value:g}" for (name, index), (value, _) in turned.items())
        shell.say(f"Dials turned: {dials}.")
    shell.say(f"CHECKs: {_counts(shell)}.")
    if not shell.session.saves:
        shell.say("Nothing of this is kept after you quit.")


def _checks(shell: Shell, rest: str) -> None:
    walk = shell.walk
    if rest == "all":
        for place, stage in enumerate(walk.stages):
            states = [state for _, state in walk.stage_states(place)]
            if states:
                told = ", ".join(f"{states.count(state)} {SAID[state]}" for state in STATES if state in states)
                shell.say(f"{stage.title}: {told}.")
        return
    found = walk.stage_states(walk.place.stage)
    if not found:
        shell.say("This stage asks nothing.")
    shell.tell([Paragraph(f"{number}. {key}: {SAID[state]}.", 2) for number, (key, state) in enumerate(found, 1)])


def _help(shell: Shell, rest: str) -> None:
    shell.say(
        "A CHECK wants a number or a sentence: type it and press Enter. Whenever you like, type one of these words:"
    )
    named = asdict(shell.examples)
    for word in WORDS:
        form = f" As in: {word.form.format(**named)}." if word.form and word.form != word.name else ""
        shell.page.say(f"{word.name}: {word.says}.{form}", 2)
    shell.say(f"Any covered number can be asked: type its name and your number, as in {named['cell']} = 0.41")


def _quit(shell: Shell, rest: str) -> None:
    shell.done = True
    shell.say("Kept. The same command goes on from here." if shell.session.saves else "Goodbye.")


DO: Mapping[str, Callable[[Shell, str], None]] = {
    "next": _on,
    "back": _back,
    "goto": _goto,
    "again": _again,
    "values": _values,
    "why": _why,
    "hint": _hint,
    "reveal": _reveal,
    "keep": _keep,
    "cover": _cover,
    "turn": _turn,
    "undo": _undo,
    "digits": _digits,
    "glossary": _glossary,
    "lessons": _lessons,
    "checks": _checks,
    "where": _where,
    "help": _help,
    "quit": _quit,
}

"""Answers and what helps with them: numbers, sentences and marks, hints, borrowing, keeping one's own number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui_attention.engine.decimals import BLANK
from tui_attention.engine.errors import BadInput
from tui_attention.interaction.messages import KeptOffer, Message, Reply, Tone, sentence
from tui_attention.interaction.words import COUNTS_AS, SEEN, mark_of
from tui_attention.judge.hint_levels import HINT_LEVELS
from tui_attention.walk.events import Change
from tui_attention.walk.refs import CellRef, Ref
from tui_attention.walk.view import COVER, OWN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tui_attention.interaction.controller import LessonController
    from tui_attention.judge.verdict import Verdict
    from tui_attention.walk.events import Outcome
    from tui_attention.walk.questions import Question

MOST_CELLS = 6


def take(core: LessonController, typed: str, target: Ref | str | None = None) -> Reply:
    """A line for the question at hand, or for the one that is named. Raises BadInput."""
    question = core.walk.question(target) if target is not None else core.question()
    if core.marking and core.answered is not None and (target is None or question == core.answered):
        return _mark(core, core.answered, typed)
    if question is not None and question.sentence:
        return _sentence(core, question, typed)
    return _number(core, question, typed)


# ---------------------------------------------------------------- numbers


def _number(core: LessonController, question: Question | None, typed: str) -> Reply:
    from tui_attention.judge.reading import read

    label = read(typed).label
    named = _labelled(core, label)
    if named is not None:
        question = core.walk.question(named)
    if question is None:
        if not typed.strip():
            return Reply()
        example = f"{core.examples.cell} = 0.41"
        raise BadInput(f"nothing is asked here; a number for a covered cell is typed with its name: {example}")
    if named is not None:
        core.walk.call(label)
    outcome = core.walk.answer(question.ref, typed)
    for observer in core.observers:
        observer.answer(core.walk, outcome, typed)
    core.hush()
    core.answered = question
    return _judged(core, outcome, typed)


def _labelled(core: LessonController, label: str) -> CellRef | None:
    """The cell that stands before an equals sign, if the lesson has it."""
    if not label:
        return None
    try:
        return core.visible.locate(label)
    except BadInput:
        return None


def _judged(core: LessonController, outcome: Outcome, typed: str) -> Reply:
    verdict, question = outcome.verdict, outcome.question
    messages: list[Message] = []
    if verdict.read.kind == "number" and verdict.read.echo != typed.strip():
        messages.append(Message("read", f"Read: {verdict.read.echo}."))
    messages.append(Message("verdict", sentence(verdict.says), _tone(verdict), _cells(core, verdict.cells)))
    changes = [Change("cell", question.ref)] if verdict.attempt else []
    if verdict.accepted:
        counts = COUNTS_AS[outcome.state]
        messages.append(Message("notice", SEEN) if outcome.seen else Message("state", counts, "good"))
        if outcome.opened:
            changes.append(Change("tensor", tensor=outcome.opened))
        messages += _meaning(core, question)
    elif verdict.kind == "slip":
        messages += _look(core, _cells(core, verdict.cells))
        if question.cell is not None and verdict.value is not None:
            core.offer = KeptOffer(question.cell, verdict.value)
    return Reply(tuple(changes), tuple(messages))


def _meaning(core: LessonController, question: Question) -> list[Message]:
    """What the number of a CHECK means, in the lesson's words; nothing while it would speak of a covered one."""
    check = question.check
    says = core.walk.text(check.means) if check is not None and check.means and not question.sibling else None
    return [Message("means", says)] if says and COVER not in says else []


def _tone(verdict: Verdict) -> Tone:
    return "good" if verdict.accepted else "bad" if verdict.attempt else "told"


def _cells(core: LessonController, addresses: Iterable[str]) -> tuple[CellRef, ...]:
    """The judge's addresses as references."""
    return tuple(ref for where in addresses if isinstance(ref := core.walk.ref(where), CellRef))


def _look(core: LessonController, cells: tuple[CellRef, ...]) -> list[Message]:
    """The cells that a verdict or a hint is about, with their numbers where these may be read."""
    if not cells:
        return []
    shown = ", ".join(f"{cell} {core.visible.show(cell)}" for cell in cells[:MOST_CELLS])
    more = f" and {len(cells) - MOST_CELLS} more" if len(cells) > MOST_CELLS else ""
    return [Message("look", f"Look at {shown}{more}.", "told", cells)]


# ---------------------------------------------------------------- sentences


def _sentence(core: LessonController, question: Question, typed: str) -> Reply:
    """The learner has committed to a sentence: the lesson's own answer, to compare."""
    if not typed.strip():
        raise BadInput("nothing was typed; say it in a sentence of your own first")
    core.walk.say(question.ref, typed)
    core.hush()
    core.answered, core.marking, core.sentence = question, True, " ".join(typed.split())
    return Reply(messages=_both(core, question))


def _both(core: LessonController, question: Question) -> tuple[Message, ...]:
    """The learner's sentence and the lesson's answer, to be read side by side."""
    return Message("yours", f"You: {core.sentence}"), lesson_answer(core, question)


def lesson_answer(core: LessonController, question: Question) -> Message:
    """The lesson's own answer to a sentence."""
    answer = question.check.answer if question.check is not None else ""
    return Message("answer", core.walk.text(" ".join(answer.split())) or "")


def _mark(core: LessonController, question: Question, typed: str) -> Reply:
    word = mark_of(typed)
    if word is None:
        raise BadInput("that is no mark: had, partly or not yet were expected")
    change, both = core.walk.mark(question.ref, word.mark), _both(core, question)
    core.hush()
    core.answered = question
    core.passed |= {question.ref}
    said = Message("marked", f"Marked: {word.says}. {word.leads_to}", "good" if word.mark == "had" else "told")
    return Reply((change,), (*both, said))


# ---------------------------------------------------------------- help with an answer


def _for_help(core: LessonController, argument: str, word: str) -> Question | None:
    """The question that a hint or a reveal is for; None where the next one is to be read first. Raises BadInput."""
    if argument:
        question = core.walk.question(argument)
        if question.check is None and question.cell is not None and core.visible.shown(question.cell):
            raise BadInput(f"{question.ref} shows already; type why {question.ref}")
        return question
    if core.go_on() and core.open_question() is not None:
        return None
    found = core.answered or core.question()
    if found is None:
        raise BadInput(f"nothing is asked here that is still open; for a cell type {word} {core.examples.cell}")
    return found


def _may_reveal(core: LessonController, question: Question) -> None:
    """Raises BadInput with the reason why a number that still stands covered must not be shown."""
    if not core.walk.ledger.entry(question.ref).settled:
        why_not = core.policy.may_reveal(core.walk, question.ref)
        if why_not:
            raise BadInput(why_not)


def hint(core: LessonController, argument: str) -> Reply:
    """One level more up the ladder of hints."""
    question = _for_help(core, argument, "hint")
    if question is None:
        return Reply()
    if question.sentence:
        says = "A sentence has no hints: say it in a sentence of your own, and compare with the lesson's."
        return Reply(messages=(Message("hint", says, "hint"),))
    if core.walk.ledger.entry(question.ref).hints + 1 >= HINT_LEVELS:
        _may_reveal(core, question)  # the last one is the number
    found = core.walk.hint(question.ref)
    core.answered = question
    cells = _cells(core, found.cells)
    said = [Message("hint", sentence(f"Hint {found.level} of {HINT_LEVELS}: {found.says}"), "hint", cells)]
    if core.walk.ledger.entry(question.ref).state == "borrowed":
        return Reply((Change("cell", question.ref),), (*said, Message("state", "That was the number: borrowed.")))
    if found.level in (2, 3):
        said += _look(core, cells)
    return Reply((), tuple(said))


def reveal(core: LessonController, argument: str) -> Reply:
    """Show the number, or the lesson's answer, and count it as borrowed."""
    question = core.answered if core.marking else _for_help(core, argument, "reveal")
    if question is None:
        return Reply()
    _may_reveal(core, question)
    change = core.walk.reveal(question.ref)
    core.hush()
    core.answered = question
    if question.sentence:
        return Reply((change,), (lesson_answer(core, question), Message("borrowed", "Borrowed.")))
    line, number = _line(core, question)
    return Reply(
        (change,), (Message("working", sentence(line)), Message("borrowed", sentence(f"Borrowed: {number}")))
    )


def _line(core: LessonController, question: Question) -> tuple[str, str]:
    """The pencil line of what a question asks, and its result as it may be shown now."""
    found = core.visible.asked_line(question)
    return " = ".join(part for part in (found.left, found.line, found.result) if part), found.result


def keep(core: LessonController, argument: str) -> Reply:
    """Keep one's own number on purpose, after its slip was named."""
    offer = core.offer
    if offer is None:
        raise BadInput("only a wrong number whose slip was named can be kept, and none stands here")
    core.walk.keep(offer.cell, offer.value)
    core.hush()
    core.passed |= {offer.cell}
    name = core.walk.called(offer.cell)
    says = (
        f"Kept: {name} = {offer.value:g} is yours, marked {OWN} in its matrix, and later numbers are judged from it. "
        "The question stays open."
    )
    return Reply((Change("cell", offer.cell),), (Message("kept", says),))


def why(core: LessonController, argument: str) -> Reply:
    """Where a number comes from: its pencil line, and what it reads."""
    question = core.question()
    if argument:
        asked = core.visible.locate(argument)
    elif question is None or question.sentence:
        raise BadInput(f"why takes a cell: why {core.examples.cell}")
    elif question.cell is not None:
        asked = question.cell
    else:
        # Which numbers go in, and how, is what such a question asks: the hints lead there.
        raise BadInput("this question asks for no single cell; work it out from what was read, or type hint")
    visible = core.visible
    line = visible.line(asked)
    said = []
    if visible.short(asked) != line.left:
        said.append(f"{visible.short(asked)} is {line.left}.")
    result = "?" if line.result == BLANK else "masked" if line.result == "-inf" else line.result
    if line.line:
        said.append(f"{line.left} = {line.line} = {result}")
        said += [sentence(f"{line.way[:1].upper()}{line.way[1:]}: {line.hand}")] if line.hand else []
    else:
        said.append(f"{line.left} = {result}: {line.says}." if line.says else f"{line.left} = {result}.")
    source = visible.source(asked)
    steps = visible.steps(source)
    if len(steps) > 1:
        said.append(f"By pencil, step by step: {'; then '.join(steps[1:])}.")
    reads = ", ".join(f"{cell} {visible.show(cell)}" for cell in visible.operands(source))
    if reads:
        said.append(f"It reads {reads}.")
    return Reply(messages=tuple(Message("working", text, "told", (source,)) for text in said))


__all__ = ["hint", "keep", "lesson_answer", "reveal", "take", "why"]

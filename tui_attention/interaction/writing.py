"""The next token: how it is chosen, where the ticket lands, the text written on, and the logit lens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from tui_attention.engine.errors import BadInput
from tui_attention.interaction import models, typed
from tui_attention.interaction.dials import anew
from tui_attention.interaction.messages import Message, PageLine, Reply, ReplyPage
from tui_attention.walk.refs import CellRef
from tui_attention.walk.view import COVERED

if TYPE_CHECKING:
    from tui_attention.engine.operation import Vocabulary
    from tui_attention.interaction.controller import LessonController
    from tui_attention.whatif.next_token import Choice

_SETTING = re.compile(r"(temperature|top-k|top-p|seed)\s+(\S+)", re.IGNORECASE)
BAR = 30


def sampling(core: LessonController, argument: str) -> Reply:
    """`sampling temperature 0.8 top-k 3 top-p 0.9 seed 7`; without words, what is set now."""
    from tui_attention.whatif.next_token import clamped

    found, settings, seed = _SETTING.findall(argument), core.sampling, core.seed
    if _SETTING.sub("", argument).strip():
        raise BadInput("sampling takes temperature, top-k, top-p and seed with a number each, as in temperature 0.8")
    for name, text in found:
        number = typed.number(text, f"{name} takes a number")
        match name.lower():
            case "temperature":
                settings = settings._replace(temperature=number.value)
            case "top-k":
                settings = settings._replace(top_k=_whole(number.value, name))
            case "top-p":
                settings = settings._replace(top_p=number.value)
            case _:
                seed = _whole(number.value, name)
                if seed < 0:
                    raise BadInput(f"the seed is {seed}; a whole number from 0 on was expected")
    core.sampling, notices = clamped(settings, len(core.visible.vocabulary.marks))
    if any(name.lower() == "seed" for name, _ in found):
        core.seed, core.drawn = seed, 0
    return Reply(messages=(Message("notice", " ".join([*notices, _set_now(core)])),))


def _whole(value: float, name: str) -> int:
    if value != int(value):
        raise BadInput(f"{name} takes a whole number")
    return int(value)


def _set_now(core: LessonController) -> str:
    settings = core.sampling
    kept = f"top-k {settings.top_k or 'all'}, top-p {settings.top_p:g}"
    ticket = f"tickets drawn from seed {core.seed}" if core.seed is not None else "the lesson's ticket"
    return f"Temperature {settings.temperature:g}, {kept}, {ticket}."


def next_token(core: LessonController, argument: str) -> Reply:
    """The cumulative strip of the last place, and where the ticket lands on it."""
    if core.in_model:
        return models.next_words(core)
    choice, ticket, title = _choice(core)
    return Reply(page=ReplyPage(title, _strip(choice, core.visible.vocabulary, ticket)))


def write_on(core: LessonController, argument: str) -> Reply:
    """Append the chosen mark to the prompt; rows that did not change are kept."""
    from tui_attention.whatif.writing import kept_rows, write

    if core.in_model:
        return models.write_token(core)
    _, ticket, _ = _choice(core)
    before = core.walk.opened.run
    written = write(before, core.sampling, ticket)
    if written.run is None:
        raise BadInput(written.notice)
    core.drawn += 1
    change = core.walk.change(written.run)
    shown = f'"{written.mark}"'
    kept = max(kept_rows(before.graph, written.run.graph, name) for name in written.run.graph.names())
    says = f'{shown} is written: the prompt is "{written.run.graph.inputs.prompt}" now.'
    if kept and not core.walk.held:
        rows = "row is" if kept == 1 else "rows are"
        says += f" The first {kept} {rows} kept as they were: what was worked out for them serves again."
        says += " A machine that keeps their offer and hand-over rows has a key-value cache."
    return anew(core, change, " ".join([*written.choice.notices, says]))


def _choice(core: LessonController) -> tuple[Choice, float, str]:
    """The choice of the next token. Raises BadInput while it would give away what is covered."""
    from tui_attention.whatif.next_token import choose, ticket_of
    from tui_attention.whatif.writing import logits_name

    graph = core.walk.opened.run.graph
    name = logits_name(graph.program)
    logits = graph.tensor(name)
    last = logits.shape[0] - 1
    if not all(core.visible.shown(CellRef(name, (last, mark))) for mark in range(logits.shape[1])):
        raise _not_shown(core, f"the scores {name} of the last place")
    _nothing_given_away(core, name)
    ticket = ticket_of(core.seed, core.drawn) if core.seed is not None else (graph.inputs.ticket or 0.0)
    choice = choose(np.asarray(logits.values[last], dtype=np.float64), core.sampling, ticket)
    return choice, ticket, "the next mark"


def _not_shown(core: LessonController, what: str) -> BadInput:
    """What is behind the cover, or with the cover off further on, would be given away."""
    if core.walk.covered:
        return BadInput(f"{what} are covered, and this would give them away; work them out first, or uncover")
    return BadInput(f"{what} come further on; go to their step first")


def _nothing_given_away(core: LessonController, name: str) -> None:
    """Raises BadInput while something that the lesson makes of the logits, such as chances, is covered."""
    graph = core.walk.opened.run.graph
    for step in graph.program.steps:
        cells = np.ndindex(*graph.tensor(step.name).shape) if name in graph.reads(step.name) else ()
        if any(core.visible.state(CellRef(step.name, index)) == COVERED for index in cells):
            raise BadInput(
                f"{step.name} is covered, and this would give it away; work it out first, go on to the next stage, "
                "or uncover"
            )


def _strip(choice: Choice, vocabulary: Vocabulary, ticket: float) -> tuple[PageLine, ...]:
    lines = [PageLine(notice) for notice in choice.notices]
    lines.append(PageLine(f"ticket {ticket:.3g}: the first mark whose running total reaches it is taken", "caption"))
    low = 0.0
    for token, mark in enumerate(vocabulary.marks):
        shown = f'"{mark}"' if mark.isspace() else mark
        if token not in choice.kept:
            lines.append(PageLine(f"  {shown:<10} cut off", "caption"))
            continue
        high = float(choice.cumulative[token])
        bar = "#" * round(BAR * float(choice.chances[token]))
        here = token == choice.token
        says = f"{'>' if here else ' '} {shown:<10} {choice.chances[token]:.3f}  from {low:.3f} to {high:.3f}  {bar}"
        lines.append(PageLine(says.rstrip() + ("  <- ticket" if here else ""), "good" if here else "number"))
        low = high
    return tuple(lines)


def lens(core: LessonController, argument: str) -> Reply:
    """What the final table would say of each place's row after each part of the block."""
    from tui_attention.whatif.lens import through
    from tui_attention.whatif.writing import logits_name

    if core.in_model:
        return models.block_lens(core, argument)
    run = core.walk.opened.run
    if run.lesson.lens is None:
        raise BadInput("this lesson has no final table to look through")
    name = logits_name(run.graph.program)
    shape = run.graph.tensor(name).shape
    if not all(core.visible.shown(CellRef(name, index)) for index in np.ndindex(*shape)):
        raise _not_shown(core, f"the scores {name}")
    _nothing_given_away(core, name)
    marks = core.visible.vocabulary.marks
    labels = run.graph.tensor(name).axes[0].labels
    lines = [PageLine("If the row went straight to the final table now, which mark would lead?", "caption")]
    rows = through(run.graph, run.lesson.lens)
    for place, label in enumerate(labels):
        lines.append(PageLine(f"place {place} ({label})", "name"))
        final = rows[-1].best(place)
        for row in rows:
            best = row.best(place)
            says = f'  after {row.says:<20} "{marks[best]}" {row.chances[place, best]:.3f}'
            rank = f'"{marks[final]}" is number {row.rank(place, final)}, {row.chances[place, final]:.3f}'
            lines.append(PageLine(f"{says}   {rank}", "number"))
    return Reply(page=ReplyPage("logit lens", tuple(lines)))


__all__ = ["lens", "next_token", "sampling", "write_on"]

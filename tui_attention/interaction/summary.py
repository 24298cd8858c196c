"""What is paid, borrowed and open, stage by stage, and what comes after the last step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui_attention.interaction.messages import Message
from tui_attention.interaction.words import counted, self_marked
from tui_attention.walk.choices import DRAWN, GREEDY
from tui_attention.walk.places import Place
from tui_attention.walk.statistics import SlipCount, habits
from tui_attention.walk.view import COVER

if TYPE_CHECKING:
    from tui_attention.walk.ledger import State, Tally
    from tui_attention.walk.visible import VisibleLesson
    from tui_attention.walk.walk import Walk


@dataclass(frozen=True, slots=True)
class StageCount:
    """How many CHECKs of a stage are in each state, and how many of those that are judged."""

    number: str
    id: str
    title: str
    counts: Mapping[State, int]
    judged: Mapping[State, int]


@dataclass(frozen=True, slots=True)
class OpenCheck:
    """A CHECK that is still open in a stage that was visited, and where it is asked."""

    place: Place
    number: str
    title: str
    ask: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What a learner has done at one lesson. `stages` are those that ask something; `following` is a lesson's id.

    `written` says what the machine would write, where the lesson chooses something.
    """

    title: str
    tally: Tally
    stages: tuple[StageCount, ...]
    open: tuple[OpenCheck, ...]
    habits: tuple[SlipCount, ...]
    following: str
    following_title: str
    written: str = ""

    def further(self) -> list[str]:
        """What is counted apart: sentences, and what was right after a slip."""
        said = []
        if any(self.tally.marked.values()):
            said.append(f"Sentences, marked by yourself: {self_marked(self.tally.marked)}.")
        if self.tally.recovered:
            said.append(f"Slipped, then right without help: {self.tally.recovered}.")
        return said

    def messages(self) -> tuple[Message, ...]:
        """The same in sentences."""
        said = [f"This was the last step. In this lesson: {counted(self.tally.judged)}.", *self.further()]
        said += [self.written] if self.written else []
        left = ((stage, stage.counts["open"]) for stage in self.stages)
        said += [f"Open in {stage.title}: {count}; goto {stage.id}." for stage, count in left if count]
        if self.following:
            said.append(f"The next lesson: {self.following_title}; lessons {self.following}.")
        return tuple(Message("end", text) for text in said)


def summary(walk: Walk) -> Summary:
    """The summary of a walk as it stands."""
    from tui_attention.lessons.load import beside, following, load

    coming = following(walk.opened.run.lesson)
    file = beside(walk.opened.run.lesson).resolved(coming)
    return Summary(
        walk.visible.title,
        walk.visible.tally(),
        tuple(found for place in range(len(walk.stages)) if (found := _stage(walk, place)) is not None),
        tuple(_open(walk)),
        habits(walk.attempts()),
        coming,
        load(file).title if coming else "",
        _written(walk.visible),
    )


def _written(visible: VisibleLesson) -> str:
    """`After "h" the machine would write "b"; the ticket 0.40 draws "d".`; what is not told yet is open."""
    found = visible.written()
    if not found:
        return ""
    so_far = visible.view(found[0][1].partition("[")[0]).axes[0].labels
    text = (" " if visible.vocabulary.words else "").join(so_far)
    left_open = [cell for _, cell, mark in found if mark == COVER]
    if left_open:
        return f'What the machine would write after "{text}" is still open: {", ".join(left_open)}.'
    greedy = [f'the machine would write "{mark}"' for how, _, mark in found if how == GREEDY]
    drawn = [f'the ticket {visible.inputs.ticket_text()} draws "{mark}"' for how, _, mark in found if how == DRAWN]
    return f'After "{text}" {"; ".join(greedy + drawn)}.'


def _stage(walk: Walk, place: int) -> StageCount | None:
    states = [state for _, state in walk.stage_states(place)]
    stage = walk.stages[place]
    counts: Mapping[State, int] = {state: states.count(state) for state in walk.counts()}
    judged = walk.visible.tally(place).judged
    return StageCount(walk.stage_number(place), stage.id, stage.title, counts, judged) if states else None


def _open(walk: Walk) -> list[OpenCheck]:
    return [
        OpenCheck(place, walk.stage_number(stage), walk.stages[stage].title, walk.ask(asked))
        for stage in range(walk.furthest + 1)
        for place in (Place(stage, step) for step in range(max(0, len(walk.stages[stage].steps) - 1) + 1))
        for asked in walk.questions(place)
        if not walk.ledger.entry(asked.ref).settled
    ]

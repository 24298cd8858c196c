"""What has been paid so far, as data and as text; and how to forget it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.interaction.words import counted, self_marked
from tui_attention.lessons.run import LessonRun
from tui_attention.models.opening import open_named
from tui_attention.options import Options
from tui_attention.session.opening import as_left, open_store, turn_as_left
from tui_attention.session.persistence import StoreObserver
from tui_attention.store import LessonSummary, Store
from tui_attention.walk.ledger import STATES
from tui_attention.walk.places import Place
from tui_attention.walk.statistics import Attempt, habits
from tui_attention.walk.walk import Walk

Report = dict[str, Any]


def progress(options: Options, path: Path | None = None) -> tuple[Report, str]:
    """What a learner has done: `(payload, text)`; nothing is written and no file is made. Raises BadInput.

    The payload: `learner`, `path` (None: nothing is kept on a disk), `trouble`, and of every lesson touched
    `lesson title place inputs counts judged marked recovered stages slips answers elsewhere last`. `counts` are the
    CHECKs of the lesson in each state under the inputs and dials it was left with, `judged` and `marked` the numbers
    and the sentences among them, `recovered` the numbers that were right without help after a slip, `elsewhere` the
    cells settled under others.
    `slips` are the kinds named on two answers or more, with how often and on which cells.
    """
    with open_store(options.learner, path, save=options.save, make=False) as store:
        summary = store.summary()
        lessons = [_lesson(store, lesson) for lesson in summary.lessons]
    payload = {"learner": summary.learner, "path": summary.path, "trouble": summary.trouble, "lessons": lessons}
    return payload, _text(payload)


def reset(options: Options, lesson: str | None = None, path: Path | None = None) -> tuple[str, ...]:
    """Forget one lesson, or all; settings stay. Which ones were forgotten. Raises BadInput when the disk refuses."""
    with open_store(options.learner, path, save=options.save, make=False) as store:
        kept = tuple(found.lesson for found in store.summary().lessons)
        store.reset(lesson)
        if store.trouble:
            raise BadInput(store.trouble.rstrip("."))
    return tuple(name for name in kept if lesson in (None, name))


def _lesson(store: Store, summary: LessonSummary) -> Report:
    """One lesson; without stages where its file is gone."""
    left = summary.place
    report: Report = {
        "lesson": summary.lesson,
        "title": summary.lesson,
        "place": left._asdict() if left else None,
        "inputs": None,
        "counts": dict.fromkeys(STATES, 0),
        "judged": dict.fromkeys(STATES, 0),
        "marked": dict.fromkeys(STATES, 0),
        "recovered": 0,
        "stages": [],
        "slips": _slips(StoreObserver(store, summary.lesson).attempts()),
        "answers": summary.answers,
        "elsewhere": 0,
        "last": summary.last,
    }
    settled = sum(count for state, count in summary.cells.items() if state != "open")
    try:
        walk = _walk(store, summary.lesson)
    except (BadInput, LessonError, OSError):
        return report | {"elsewhere": settled}
    here = sum(entry.settled for entry in walk.ledger.entries.values())
    inputs = walk.opened.run.graph.inputs
    turned = len(walk.opened.run.graph.turned)
    tally = walk.visible.tally()
    return report | {
        "title": walk.opened.run.lesson.title,
        "inputs": {
            "prompt": inputs.prompt,
            "other": inputs.other,
            "ticket": inputs.ticket,
            "turned": turned,
            "variant": walk.opened.run.variant,
        },
        "counts": dict(walk.counts()),
        "judged": dict(tally.judged),
        "marked": dict(tally.marked),
        "recovered": tally.recovered,
        "stages": [_stage(walk, number) for number in range(len(walk.stages))],
        "elsewhere": settled - here,
    }


def _walk(store: Store, name: str) -> Walk:
    """The lesson as it was left, looked at without being kept. Raises BadInput or LessonError."""
    observer = StoreObserver(store, name)
    start = observer.start()
    run: LessonRun = as_left(open_named(name), start)
    walk = Walk(run, place=Place(), observer=observer)
    turn_as_left(walk, start)
    return walk


def _stage(walk: Walk, number: int) -> Report:
    states = [state for _, state in walk.stage_states(number)]
    stage = walk.stages[number]
    return {"stage": stage.id, "title": stage.title, **{state: states.count(state) for state in STATES}}


def _slips(walk_attempts: Iterable[Attempt]) -> list[Report]:
    """The kinds named on two answers or more: only then is it a habit."""
    return [
        {
            "kind": slip.kind,
            "times": slip.times,
            "where": [{"stage": stage, "cell": str(ref)} for stage, ref in slip.where],
        }
        for slip in habits(walk_attempts)
    ]


# ---------------------------------------------------------------- as text


def _text(payload: Report) -> str:
    lines: list[str] = []
    if not payload["lessons"]:
        lines.append("Nothing has been worked out yet.")
    for lesson in payload["lessons"]:
        lines += _lesson_lines(lesson)
    if payload["path"]:
        lines.append(f"kept in {payload['path']}")
    return "\n".join(lines)


def _counts(counts: Mapping[str, Any]) -> str:
    return counted(counts, every=False)


def _lesson_lines(lesson: Report) -> list[str]:
    lines = [lesson["title"] + ("" if lesson["title"] == lesson["lesson"] else f"  ({lesson['lesson']})")]
    if lesson["place"]:
        lines.append(f"  left at: stage {lesson['place']['stage']}, step {lesson['place']['step'] + 1}")
    lines.append(f"  checks: {_counts(lesson['judged']) or 'none'}")
    if any(lesson["marked"].values()):
        lines.append(f"  sentences, marked by yourself: {self_marked(lesson['marked'])}")
    if lesson["recovered"]:
        lines.append(f"  slipped, then right without help: {lesson['recovered']}")
    lines += [
        f"    {stage['title']}: {_counts(stage)}"
        for stage in lesson["stages"]
        if any(stage[state] for state in STATES if state != "open")
    ]
    if lesson["elsewhere"]:
        lines.append(f"  settled with other numbers, prompts or dials: {lesson['elsewhere']}")
    for slip in lesson["slips"]:
        cells = ", ".join(f"{where['cell']} in {where['stage']}" for where in slip["where"])
        lines.append(f"  met {slip['times']} times: {slip['kind']} ({cells})")
    return lines


__all__ = ["progress", "reset"]

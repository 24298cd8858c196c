"""What is kept between two starts: a learner's place, answers, cells, own rows, marks, drafts, settings.

One SQLite file per learner in the user's data directory, in WAL mode, so that several sessions write at once
and a kill loses nothing that was confirmed. Every row carries the learner's name as well, so a file may be
shared. `PRAGMA application_id` marks the file as ours and `user_version` counts schemas. Every row has the time of
its last change in `at`, Unix seconds that never go back, so that two files of one learner can be joined:

    place    learner, lesson -> stage, step                  where each lesson was left
    answer   learner, uid -> lesson, stage, cell, typed,     every judged or refused answer in order, sentences too;
             verdict, kinds, hints, dials, inputs            `kinds` a JSON list of slip kinds
    cell     learner, lesson, dials, cell -> state, hints, seen
    own      learner, lesson, dials, cell -> typed, value    the learner's own numbers that are carried on
    mark     learner, lesson, question -> mark               sentence questions, marked by the learner
    note     learner, lesson, dials, kind, name -> value     whatever else belongs to them, as the caller likes
    draft    learner, lesson, cell, session -> typed         answers being typed
    setting  learner, name -> value
    review   learner, uid -> lesson, step, kind, variant,    every question of a review; rating 0 while it is open
             cell, rating, wrong, hints, named, typed

`dials` and `inputs` are whatever strings the caller uses to tell sets of dials and prompts apart.
"""

from __future__ import annotations

from tui_attention.store.learner import BadLearnerError, default_path, valid_learner
from tui_attention.store.records import (
    Answer,
    CellMark,
    CellState,
    Draft,
    KeptNote,
    LessonSummary,
    MarkKind,
    Own,
    Reviewed,
    SavedPlace,
    StoreSummary,
)
from tui_attention.store.store import Store

__all__ = [
    "Answer",
    "BadLearnerError",
    "CellMark",
    "CellState",
    "Draft",
    "KeptNote",
    "LessonSummary",
    "MarkKind",
    "Own",
    "Reviewed",
    "SavedPlace",
    "Store",
    "StoreSummary",
    "default_path",
    "valid_learner",
]

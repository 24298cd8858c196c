"""What is kept of a class: one folder for each, with one SQLite file of who was here, what was asked and answered.

    meta      name -> value                          the class's code, its state as JSON
    member    id -> name, identity, key, joined, seen, lesson, stage, step
    question  number -> lesson, stage, step, target, tensor, text, asked, revealed
    answer    id -> member, at, lesson, stage, step, target, typed, value, verdict, accepted, attempt, kinds, hints,
              state, question

Beside it lie each learner's own progress (`learner-<id>.sqlite3`), the teacher's token, the host key, and the log.
"""

from __future__ import annotations

from tui_attention.classroom.keep.export import as_csv, as_json
from tui_attention.classroom.keep.folder import ClassFolder, classes_folder, valid_class
from tui_attention.classroom.keep.store import ClassStore

__all__ = ["ClassFolder", "ClassStore", "as_csv", "as_json", "classes_folder", "valid_class"]

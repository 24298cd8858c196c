from __future__ import annotations

from tui_attention.classroom.seats.learner import LearnerScreen
from tui_attention.classroom.seats.teacher import TeacherScreen
from tui_attention.interaction.commands import COMMANDS


def test_a_classs_own_keys_are_nobody_elses() -> None:
    taken = {key for command in COMMANDS for key in command.keys}
    for screen in (LearnerScreen, TeacherScreen):
        own = [key.key for key in screen.CLASS_KEYS]
        assert len(set(own)) == len(own)
        assert not taken & set(own)

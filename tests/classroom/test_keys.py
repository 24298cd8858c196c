from __future__ import annotations

from tui_attention.classroom.seats.learner import LearnerScreen
from tui_attention.classroom.seats.teacher import TeacherScreen
from tui_attention.interaction.commands import COMMANDS


def test_a_classs_own_keys_are_nobody_elses() -> None:
    # What a class has no use for makes way there: the keys of trained models, and a review at home.
    gives_way = {"review", "block_on", "block_back"} | {
        command.id for command in COMMANDS if "model" in command.help or "model" in command.says
    }
    taken = {key for command in COMMANDS if command.id not in gives_way for key in command.keys}
    for screen in (LearnerScreen, TeacherScreen):
        own = [key.key for key in screen.CLASS_KEYS]
        assert len(set(own)) == len(own)
        assert not taken & set(own)
